"""Converts the result of a module's infer() to arrays by name, or explains what is wrong with it."""
import numpy as np

from . import element_types
from .module import Wrong, guarded

NAMES_SHOWN = 20


def list_names(names):
    names = [f"'{name}'" for name in names]
    if not names:
        return "none"
    more = len(names) - NAMES_SHOWN
    return ", ".join(names[:NAMES_SHOWN]) + (f", and {more} more" if more > 0 else "")


def format_shape(shape):
    return "(" + ", ".join("?" if size < 0 else str(size) for size in shape) + ("," if len(shape) == 1 else "") + ")"


def shape_fits(given, expected):
    """Returns True if a shape matches the model's file. A rank of zero in the file may be an unknown one."""
    if not expected:
        return True
    return len(given) == len(expected) and all(e < 0 or g == e for g, e in zip(given, expected))


def by_name(result, ports, wanted, module):
    """Returns the wanted values of a dictionary, or of a list in the order of the model's outputs, by name."""
    if isinstance(result, dict):
        missing = [name for name in wanted if name not in result]
        if missing:
            raise Wrong(f"infer() of {module.name} returned no {list_names(missing)}: it returned "
                        f"{list_names(map(str, result))}")
        return {name: result[name] for name in wanted}
    if isinstance(result, (list, tuple)):
        if len(result) != len(ports):
            raise Wrong(f"infer() of {module.name} returned a list of {len(result)}, but the model has {len(ports)} outputs: "
                        f"{list_names(port.name for port in ports)}")
        values = {port.name: value for port, value in zip(ports, result)}
        return {name: values[name] for name in wanted}
    raise Wrong(f"infer() of {module.name} returned an object of type {type(result).__name__}: it must return a dictionary "
                "of arrays by name, or a list of arrays in the order of the outputs")


def to_array(name, value, module):
    """Returns (array, ONNX number of its type)."""
    if value is None or isinstance(value, (dict, str, bytes)):
        raise Wrong(f"infer() of {module.name} returned an object of type {type(value).__name__} for the output '{name}', "
                    "not an array")
    array = value
    if not isinstance(value, (np.ndarray, np.generic)):
        array = guarded(f"converting the output '{name}' of infer() of {module.name} to an array", np.asarray, value)
    array = np.asarray(array)
    number = element_types.number_of(array.dtype)
    if number is None:
        raise Wrong(f"infer() of {module.name} returned an array of {array.dtype} for the output '{name}', a type that ONNX "
                    "does not have")
    if array.dtype.kind == "O" and not all(isinstance(item, (str, bytes)) for item in array.reshape(-1)):
        raise Wrong(f"infer() of {module.name} returned an array of Python objects for the output '{name}', not of numbers "
                    "or strings")
    return array, number


def stands_for(array, number, declared):
    """Returns True if an engine that lacks the declared type may return this array instead; Assay then converts it.
    Integers and booleans must keep their values. Floats may become wider, and float32 may replace a narrower type."""
    if element_types.is_whole(number) and element_types.is_whole(declared):
        there = array.astype(element_types.dtype_of(declared))
        return bool(np.array_equal(there.astype(array.dtype), array)) and _same_signs(array, there)
    if element_types.is_float(number) and element_types.is_float(declared):
        return element_types.bits_of(number) < element_types.bits_of(declared) or element_types.name_of(number) == "float32"
    return False


def _same_signs(array, other):
    # Converting to unsigned and back doesn't change a negative number, so signs are compared, too.
    return bool(np.array_equal(array < 0, other < 0))


def check(name, array, number, port, module):
    if port.type and number != port.type and not stands_for(array, number, port.type):
        raise Wrong(f"infer() of {module.name} returned the wrong type for the output '{name}': expected "
                    f"{element_types.name_of(port.type)}, given {element_types.name_of(number)}")
    if not shape_fits(array.shape, port.shape):
        raise Wrong(f"infer() of {module.name} returned the wrong shape for the output '{name}': expected "
                    f"{format_shape(port.shape)}, given {format_shape(array.shape)}")
