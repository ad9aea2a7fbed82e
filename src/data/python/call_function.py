"""Calls a user's function on the results of one iteration.

Usage: python3 call_function.py SCRIPT FUNCTION compare|postprocess FOLDER

FOLDER/call.json says of each result which runner gave it and how long that took; FOLDER/0.npz and 1.npz hold the arrays.
compare: the function takes two results and gives a dictionary, output to verdict, which becomes FOLDER/verdicts.json.
postprocess: it takes one and gives the changed one, whose arrays become FOLDER/result.npz. A result is a dictionary of
arrays with the members runner_name and runtime. Exit status 3: NumPy is missing; 4: the script or what it gives is not as
it has to be, the reason stands in the last line; 1: the script raised, and its traceback was printed.
"""

import importlib.util
import json
import os
import sys
import zipfile


class BadData(Exception):
    pass


class IterationResult(dict):
    """What one runner answered: arrays by name."""

    runner_name = ""
    runtime = None


def load_function(script, name):
    sys.path.insert(0, os.path.dirname(os.path.abspath(script)))
    module_name = os.path.splitext(os.path.basename(script))[0]
    spec = importlib.util.spec_from_file_location(module_name, script)
    if spec is None:
        raise BadData(f"{script} does not look like a Python file: its name has to end in .py")
    module = importlib.util.module_from_spec(spec)
    sys.modules[module_name] = module
    spec.loader.exec_module(module)
    function = getattr(module, name, None)
    if isinstance(function, type):
        function = function()
    if not callable(function):
        raise BadData(f"{script} has no function {name}()")
    return function


def from_file(np, array):
    """Types that NumPy lacks come as one field that bears their name: see npy.h in Assay."""
    if array.dtype.names and len(array.dtype.names) == 1:
        try:
            import ml_dtypes

            return array.view(np.dtype(getattr(ml_dtypes, array.dtype.names[0])))
        except (ImportError, AttributeError):
            pass
    return array


def to_file(np, name, value):
    """The value in a form that .npy keeps."""
    if hasattr(value, "detach"):  # a tensor of PyTorch
        value = value.detach().cpu().numpy()
    array = np.asarray(value)
    if array.dtype.kind == "O":
        if not all(isinstance(item, (str, bytes)) for item in array.flat):
            raise BadData(f"the value of '{name}' is an array of Python objects, not of numbers or strings")
        array = array.astype(bytes if any(isinstance(item, bytes) for item in array.flat) else str)
    if array.dtype.type.__module__ != "numpy":  # of the package ml_dtypes
        code = "u1" if array.dtype.itemsize == 1 else f"<u{array.dtype.itemsize}"
        array = array.view([(array.dtype.name, code)])
    return array


def load_result(np, folder, index, facts):
    result = IterationResult()
    result.runner_name = facts["runner_name"]
    result.runtime = facts["runtime"]
    if not facts["outputs"]:
        return result
    with np.load(os.path.join(folder, f"{index}.npz")) as archive:
        for name in facts["outputs"]:
            result[name] = from_file(np, archive[name])
    return result


def save_verdicts(path, verdicts):
    if not hasattr(verdicts, "items"):
        raise BadData(f"the function has to give a dictionary, output to verdict, not {type(verdicts).__name__}")
    with open(path, "w") as file:
        json.dump([[str(name), bool(verdict)] for name, verdict in verdicts.items()], file)


def save_result(np, path, result):
    if not hasattr(result, "items"):
        raise BadData(f"the function has to give a dictionary of arrays, not {type(result).__name__}")
    with zipfile.ZipFile(path, "w") as archive:
        for name, value in result.items():
            array = to_file(np, name, value)
            with archive.open(f"{name}.npy", "w", force_zip64=True) as entry:
                np.lib.format.write_array(entry, array, allow_pickle=False)


def main(script, name, what, folder):
    try:
        import numpy as np
    except ImportError:
        return 3
    try:
        function = load_function(script, name)
        with open(os.path.join(folder, "call.json")) as file:
            call = json.load(file)
        results = [load_result(np, folder, index, facts) for index, facts in enumerate(call)]
        if what == "compare":
            save_verdicts(os.path.join(folder, "verdicts.json"), function(*results))
        else:
            save_result(np, os.path.join(folder, "result.npz"), function(*results))
    except BadData as error:
        print(error, file=sys.stderr)
        return 4
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
