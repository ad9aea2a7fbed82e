"""Writes and reads files with Polygraphy's own code. Needs a Python with Polygraphy.

check_with_polygraphy.py save FOLDER       writes FOLDER/inputs.json and FOLDER/results.json
check_with_polygraphy.py describe PATH     prints what Polygraphy reads from a file of inputs or results
"""

import os
import sys

import numpy as np
from polygraphy.comparator import IterationResult, RunResults
from polygraphy.json import load_json, save_json


def content(number):
    return {
        "floats": np.array([[1.5, -2.0], [np.inf, number]], dtype=np.float32),
        "half": np.array([0.1, 65504.0, np.nan], dtype=np.float16),
        "flags": np.array([True, False, True]),
        "scalar": np.array(number, dtype=np.int64),
        "empty": np.zeros((0, 3), dtype=np.float64),
        "column_major": np.asfortranarray(np.arange(6, dtype=np.uint8).reshape(2, 3)),
        "text": np.array(["a", "d\u00e9\u4e16"]),
        "name with \"quotes\" \u00e9": np.array([2 ** 63], dtype=np.uint64),
    }


def save(folder):
    save_json([content(0), content(1)], os.path.join(folder, "inputs.json"))
    results = RunResults()
    for runner, runtime in (("first", 0.25), ("second", None)):
        results.append((runner, [IterationResult(content(i), runtime=runtime, runner_name=runner) for i in range(2)]))
    results.save(os.path.join(folder, "results.json"))


def describe_arrays(prefix, arrays):
    for name, array in arrays.items():
        array = np.asarray(array)
        data = "|".join(array.ravel().tolist()) if array.dtype.kind == "U" else array.tobytes().hex()
        kind = "string" if array.dtype.kind == "U" else str(array.dtype)
        print(prefix, name, kind, array.shape, data)


def describe(path):
    data = load_json(path)
    if isinstance(data, RunResults):
        for runner, iterations in data:
            for number, iteration in enumerate(iterations):
                describe_arrays(f"{runner} {iteration.runner_name} {iteration.runtime} {number}", iteration)
    else:
        for number, arrays in enumerate(data):
            describe_arrays(number, arrays)


if __name__ == "__main__":
    sys.stdout.reconfigure(encoding="utf-8")
    {"save": save, "describe": describe}[sys.argv[1]](sys.argv[2])
