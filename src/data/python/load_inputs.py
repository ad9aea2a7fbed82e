"""Runs a user's function that yields inputs, and saves each iteration as an .npz archive.

Usage: python3 load_inputs.py SCRIPT FUNCTION FOLDER

The function takes no arguments and returns an iterable of dictionaries, name to array. Iteration 7 becomes
FOLDER/0000000007.npz. Exit status 3: NumPy is missing; 4: the script or its data is invalid, the last line says why; 1:
the script raised, and its traceback was printed.
"""

import os
import sys

# Python doesn't add this folder if it runs isolated (-I) or with PYTHONSAFEPATH.
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from assay_user_script import BadData, load_function, run, save_arrays  # noqa: E402


def save(np, path, feeds):
    if not isinstance(feeds, dict):
        raise BadData(f"each iteration must be a dictionary of arrays by name, not {type(feeds).__name__}")
    save_arrays(np, path, feeds)


def main(script, name, folder):
    try:
        import numpy as np
    except ImportError:
        return 3
    data = load_function(script, name)()
    try:
        iterator = iter(data)
    except TypeError:
        raise BadData(f"{name}() must return an iterable of dictionaries, not {type(data).__name__}") from None
    for index, feeds in enumerate(iterator):
        save(np, os.path.join(folder, f"{index:010}.npz"), feeds)
    return 0


if __name__ == "__main__":
    run(main)
