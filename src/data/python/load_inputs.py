"""Runs a user's function that yields inputs, and saves each iteration as an .npz archive.

Usage: python3 load_inputs.py SCRIPT FUNCTION FOLDER

The function takes no arguments and gives an iterable of dictionaries, name to array. Iteration 7 becomes
FOLDER/0000000007.npz. Exit status 3: NumPy is missing; 4: the script or its data are not as they have to be, the reason
stands in the last line; 1: the script raised, and its traceback was printed.
"""

import importlib.util
import os
import sys
import zipfile


class BadData(Exception):
    pass


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
    if not callable(function):
        raise BadData(f"{script} has no function {name}()")
    return function


def to_array(np, name, value):
    """The value in a form that .npy keeps, see npy.h in Assay."""
    if hasattr(value, "detach"):  # a tensor of PyTorch
        value = value.detach().cpu().numpy()
    array = np.asarray(value)
    if array.dtype.kind == "O":
        if not all(isinstance(item, (str, bytes)) for item in array.flat):
            raise BadData(f"the value of '{name}' is an array of Python objects, not of numbers or strings")
        array = array.astype(bytes if any(isinstance(item, bytes) for item in array.flat) else str)
    if array.dtype.kind in "mM" or (array.dtype.kind == "V" and array.dtype.name.startswith("void")):
        raise BadData(f"the value of '{name}' is an array of {array.dtype}, which ONNX does not have")
    if array.dtype.type.__module__ != "numpy":  # of the package ml_dtypes
        code = "u1" if array.dtype.itemsize == 1 else f"<u{array.dtype.itemsize}"
        array = array.view([(array.dtype.name, code)])
    return array


def save(np, path, feeds):
    if not isinstance(feeds, dict):
        raise BadData(f"each iteration has to be a dictionary of arrays by name, not {type(feeds).__name__}")
    with zipfile.ZipFile(path, "w") as archive:
        for name, value in feeds.items():
            array = to_array(np, name, value)
            with archive.open(f"{name}.npy", "w", force_zip64=True) as entry:
                np.lib.format.write_array(entry, array, allow_pickle=False)


def main(script, name, folder):
    try:
        import numpy as np
    except ImportError:
        return 3
    try:
        data = load_function(script, name)()
        try:
            iterator = iter(data)
        except TypeError:
            raise BadData(f"{name}() has to give an iterable of dictionaries, not {type(data).__name__}") from None
        for index, feeds in enumerate(iterator):
            save(np, os.path.join(folder, f"{index:010}.npz"), feeds)
    except BadData as error:
        print(error, file=sys.stderr)
        return 4
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
