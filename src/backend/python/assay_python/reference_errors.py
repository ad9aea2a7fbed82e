"""Says on which node the reference evaluator failed, instead of where in the source code of the onnx package.

The messages of the evaluator seldom name the node, but it is a local variable of functions that the exception passed
through."""
import os
import traceback

MOST_CAUSES = 100


def _node_at(frame):
    """Returns the node that this call of the evaluator works on, or None."""
    if os.path.basename(frame.f_code.co_filename) != "reference_evaluator.py":
        return None
    node = frame.f_locals.get("node")
    node = getattr(node, "onnx_node", node)  # the evaluator's own object once the model is loaded
    return node if hasattr(node, "op_type") else None


def _describe(node):
    name = f"{node.op_type} '{node.name}'" if node.name else node.op_type
    outputs = ", ".join(f"'{output}'" for output in node.output if output)
    return f"{name}, which computes {outputs}" if outputs else name


def _causes(error):
    """Returns the error, the one that it was raised from, and so on."""
    causes = []
    while error is not None and len(causes) < MOST_CAUSES:
        causes.append(error)
        error = error.__cause__
    return causes


def explain(error, what):
    """Describes what the evaluator raised in `what`, "load() of the reference evaluator" for example."""
    causes = _causes(error)
    nodes = []  # the innermost call last: in a body rather than at its If
    for cause in causes:
        nodes += [node for frame, _ in traceback.walk_tb(cause.__traceback__) if (node := _node_at(frame)) is not None]
    # The evaluator wraps errors in others whose messages only name types.
    text = "".join(traceback.format_exception_only(type(causes[-1]), causes[-1])).strip()
    return f"{what} failed{f' on {_describe(nodes[-1])}' if nodes else ''}: {text}"
