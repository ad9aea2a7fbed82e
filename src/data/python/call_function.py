"""Calls a user's function on the results of one iteration.

Usage: python3 call_function.py SCRIPT FUNCTION compare|postprocess FOLDER

FOLDER/call.json lists each result's runner, runtime and outputs; FOLDER/0.npz and 1.npz hold the arrays. A result is a
dictionary of arrays with the members runner_name and runtime.

compare: the function takes two results and returns a dictionary, output to verdict, which becomes FOLDER/verdicts.json.
postprocess: the function takes one result and returns the changed one, whose arrays become FOLDER/result.npz.

Exit status 3: NumPy is missing; 4: the script or its return value is invalid, the last line says why; 1: the script
raised, and its traceback was printed.
"""

import json
import os
import sys

# Python doesn't add this folder if it runs isolated (-I) or with PYTHONSAFEPATH.
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from assay_user_script import BadData, load_function, run, save_arrays  # noqa: E402


class IterationResult(dict):
    """The results of one runner: arrays by name."""

    runner_name = ""
    runtime = None


def from_file(np, array):
    """Types that NumPy lacks are stored as one field named like the type: see npy.h in Assay."""
    if array.dtype.names and len(array.dtype.names) == 1:
        try:
            import ml_dtypes

            return array.view(np.dtype(getattr(ml_dtypes, array.dtype.names[0])))
        except (ImportError, AttributeError):
            pass
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
        raise BadData(f"the function must return a dictionary, output to verdict, not {type(verdicts).__name__}")
    with open(path, "w") as file:
        json.dump([[str(name), bool(verdict)] for name, verdict in verdicts.items()], file)


def save_result(np, path, result):
    if not hasattr(result, "items"):
        raise BadData(f"the function must return a dictionary of arrays, not {type(result).__name__}")
    save_arrays(np, path, result)


def main(script, name, what, folder):
    try:
        import numpy as np
    except ImportError:
        return 3
    function = load_function(script, name)
    if isinstance(function, type):
        function = function()
    if not callable(function):
        raise BadData(f"{script} has no function {name}()")
    with open(os.path.join(folder, "call.json")) as file:
        call = json.load(file)
    results = [load_result(np, folder, index, facts) for index, facts in enumerate(call)]
    if what == "compare":
        save_verdicts(os.path.join(folder, "verdicts.json"), function(*results))
    else:
        save_result(np, os.path.join(folder, "result.npz"), function(*results))
    return 0


if __name__ == "__main__":
    run(main)
