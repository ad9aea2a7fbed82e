"""Shared by the scripts of this folder: loads the user's function and saves arrays. It is written next to the script.

NumPy is passed in as `np`: reporting that it is missing is up to the script.
"""

import importlib.util
import os
import sys
import zipfile


class BadData(Exception):
    """A script or its return value is invalid."""


def run(main):
    """Runs one of our programs. Catches sys.exit() in the user's script, as its status would be misread."""
    try:
        status = main(*sys.argv[1:])
    except SystemExit as end:
        print(f"the script called sys.exit({'' if end.code is None else repr(end.code)})", file=sys.stderr)
        status = 4
    except BadData as error:
        print(error, file=sys.stderr)
        status = 4
    sys.exit(status)


def load_function(script, name):
    """Returns the callable of this name in the user's file."""
    sys.path.insert(0, os.path.dirname(os.path.abspath(script)))
    module_name = os.path.splitext(os.path.basename(script))[0]
    spec = importlib.util.spec_from_file_location(module_name, script)
    if spec is None:
        raise BadData(f"{script} does not look like a Python file: its name must end in .py")
    module = importlib.util.module_from_spec(spec)
    sys.modules[module_name] = module
    spec.loader.exec_module(module)
    function = getattr(module, name, None)
    if not callable(function):
        raise BadData(f"{script} has no function {name}()")
    return function


def to_array(np, name, value):
    """Returns the value in a form that .npy preserves, see npy.h in Assay."""
    if hasattr(value, "detach"):  # a tensor of PyTorch
        value = value.detach().cpu().numpy()
    array = np.asarray(value)
    if array.dtype.kind == "T":  # NumPy's strings of variable length, which .npy can't hold
        array = array.astype(object)
    if array.dtype.kind == "O":
        if not all(isinstance(item, (str, bytes)) for item in array.flat):
            raise BadData(f"the value of '{name}' is an array of Python objects, not of numbers or strings")
        array = array.astype(bytes if any(isinstance(item, bytes) for item in array.flat) else str)
    if array.dtype.kind in "mM" or array.dtype.char in "gG" or array.dtype.name.startswith("void"):
        raise BadData(f"the value of '{name}' is an array of {array.dtype}, a type that ONNX does not have")
    if array.dtype.type.__module__ != "numpy":  # of the package ml_dtypes
        code = "u1" if array.dtype.itemsize == 1 else f"<u{array.dtype.itemsize}"
        array = array.view([(array.dtype.name, code)])
    return array


def save_arrays(np, path, arrays):
    """Writes an .npz archive of arrays by name."""
    with zipfile.ZipFile(path, "w") as archive:
        for name, value in arrays.items():
            array = to_array(np, name, value)
            with archive.open(f"{name}.npy", "w", force_zip64=True) as entry:
                np.lib.format.write_array(entry, array, allow_pickle=False)
