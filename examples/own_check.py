"""A check of your own for `assay debug reduce`, to copy and change: only `failure` is about this failure.

    assay debug reduce model.onnx -o reduced.onnx --check python3 own_check.py {model}

The candidates are parts of your model: a tensor that a removed node computed can become an input. So the check
asks the candidate which inputs it has. It feeds those for which it has data (`inputs.npz`, by name; optional), and
generates the others. Here, it fails if ONNX Runtime's optimisations change the outputs. Needs NumPy and onnxruntime.
"""

import os
import sys

import numpy
import onnxruntime

PASSES, FAILS, CANNOT_TELL = 0, 1, 125  # exit statuses
INPUTS = "inputs.npz"


def load(path, level):
    options = onnxruntime.SessionOptions()
    options.graph_optimization_level = level
    return onnxruntime.InferenceSession(path, options, providers=["CPUExecutionProvider"])


def generate(port, random):
    """Returns a value for an input without data: between 0 and 1, and of size 1 in each dynamic dimension."""
    names = {"tensor(float)": "float32", "tensor(double)": "float64"}
    element = numpy.dtype(names.get(port.type, port.type[len("tensor(") : -1]))
    shape = [size if isinstance(size, int) else 1 for size in port.shape]
    if element.kind == "f":
        return random.random(shape).astype(element)
    return random.integers(0, 2, shape).astype(element)


def failure(path):
    """Returns what is wrong with the model, or None if nothing is."""
    levels = onnxruntime.GraphOptimizationLevel
    plain, optimised = load(path, levels.ORT_DISABLE_ALL), load(path, levels.ORT_ENABLE_ALL)
    given = dict(numpy.load(INPUTS)) if os.path.exists(INPUTS) else {}
    random = numpy.random.default_rng(1)  # the same values in each run
    feeds = {port.name: given.get(port.name, generate(port, random)) for port in plain.get_inputs()}
    for output, right, wrong in zip(plain.get_outputs(), plain.run(None, feeds), optimised.run(None, feeds)):
        if not numpy.allclose(right, wrong, rtol=0.01, atol=0.05, equal_nan=True):
            return f"{output.name} differs"
    return None


def main():
    try:
        found = failure(sys.argv[1])
    except Exception as error:  # if an exception is your failure, leave this out: its traceback then says what fails
        print(error)
        return CANNOT_TELL
    if found is None:
        return PASSES
    print(found)
    return FAILS


if __name__ == "__main__":
    sys.exit(main())
