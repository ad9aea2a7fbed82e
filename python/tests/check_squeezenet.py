"""A check for tests of assay.reduce, as a function and as a command.

It fails if a model has both a Concat and a GlobalAveragePool. If the model has a GlobalAveragePool, but no Relu, the check
raises an exception whose message looks like that of an engine, which is a different failure.
"""

import sys

import onnx


def check(path: str) -> bool:
    model = onnx.load(path)
    operators = {node.op_type for node in model.graph.node}
    if "GlobalAveragePool" in operators and "Relu" not in operators:
        raise RuntimeError("NOT_IMPLEMENTED: a pool without a Relu")
    return not {"Concat", "GlobalAveragePool"} <= operators


if __name__ == "__main__":
    sys.exit(0 if check(sys.argv[1]) else 1)
