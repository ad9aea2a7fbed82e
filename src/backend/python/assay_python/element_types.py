"""Converts ONNX's element types to NumPy's, and packs elements of less than 8 bits as ONNX does.

Types that NumPy lacks come from the package ml_dtypes, which is only imported when one of them is used.
"""
import math

import numpy as np

from . import wire

# onnx.TensorProto.DataType: (name, bits); strings have no bits.
TYPES = {
    1: ("float32", 32), 2: ("uint8", 8), 3: ("int8", 8), 4: ("uint16", 16), 5: ("int16", 16), 6: ("int32", 32),
    7: ("int64", 64), 8: ("string", 0), 9: ("bool", 8), 10: ("float16", 16), 11: ("float64", 64), 12: ("uint32", 32),
    13: ("uint64", 64), 14: ("complex64", 64), 15: ("complex128", 128), 16: ("bfloat16", 16), 17: ("float8_e4m3fn", 8),
    18: ("float8_e4m3fnuz", 8), 19: ("float8_e5m2", 8), 20: ("float8_e5m2fnuz", 8), 21: ("uint4", 4), 22: ("int4", 4),
    23: ("float4_e2m1fn", 4), 24: ("float8_e8m0fnu", 8), 25: ("uint2", 2), 26: ("int2", 2), 27: ("float6_e2m3fn", 6),
    28: ("float6_e3m2fn", 6),
}
NUMBERS = {name: number for number, (name, _) in TYPES.items()}
STRING = 8
FIRST_OF_ML_DTYPES = 16


class NoSuchType(Exception):
    """A type that this interpreter can't represent."""


def name_of(number):
    return TYPES[number][0] if number in TYPES else f"type {number}"


def dtype_of(number):
    if number == STRING:
        return np.dtype(object)
    name = name_of(number)
    if number not in TYPES:
        raise NoSuchType(f"{name} is not an element type of ONNX that this version of Assay knows")
    if number < FIRST_OF_ML_DTYPES:
        return np.dtype(name)
    try:
        import ml_dtypes
    except ImportError:
        raise NoSuchType(f"{name} needs the package ml_dtypes, which this interpreter lacks") from None
    if not hasattr(ml_dtypes, name):
        raise NoSuchType(f"{name} needs a newer ml_dtypes than {ml_dtypes.__version__}")
    return np.dtype(getattr(ml_dtypes, name))


def number_of(dtype):
    """Returns the ONNX number of a NumPy type, or None if there is none."""
    if dtype.kind in "OUS" or dtype.kind == "T":
        return STRING
    return NUMBERS.get(dtype.name)


def bits_of(number):
    return TYPES[number][1] if number in TYPES else 0


def is_whole(number):
    """Returns True for integers and booleans."""
    return name_of(number).startswith(("int", "uint", "bool"))


def is_float(number):
    return name_of(number).startswith(("float", "bfloat"))


def bytes_needed(number, count):
    return (TYPES[number][1] * count + 7) // 8


def in_shape(array, shape):
    """Returns the array in a shape that a message declares."""
    if min(shape, default=0) < 0 or math.prod(shape) != array.size:
        raise wire.Malformed(f"a tensor of shape {tuple(shape)} has {array.size} elements")
    return array.reshape(shape)


def from_elements(data, number, shape):
    """Returns an array of the elements in `data`, without a copy unless they are packed."""
    dtype, bits = dtype_of(number), TYPES[number][1]
    count = math.prod(shape)
    if min(shape, default=0) < 0 or bytes_needed(number, count) != len(data):
        raise wire.Malformed(f"a tensor of type {name_of(number)} and shape {tuple(shape)} has {len(data)} bytes")
    if bits >= 8:
        return np.frombuffer(data, dtype, count).reshape(shape)
    ones = np.unpackbits(np.frombuffer(data, np.uint8), bitorder="little")[:count * bits]
    codes = np.packbits(ones.reshape(count, bits), axis=1, bitorder="little").reshape(count)
    if name_of(number).startswith("int"):
        codes = ((codes << (8 - bits)).view(np.int8) >> (8 - bits)).astype(dtype)
    elif name_of(number).startswith("uint"):
        codes = codes.astype(dtype)
    else:
        codes = codes.view(dtype)
    return codes.reshape(shape)


def to_elements(array, number):
    """Returns an array's elements as ONNX stores them in memory, as an object with a buffer."""
    array = np.asarray(array, order="C")
    bits = TYPES[number][1]
    if not array.dtype.isnative:
        array = array.astype(array.dtype.newbyteorder("="))
    if bits >= 8:
        return array.reshape(-1).view(np.uint8) if array.size else b""
    if name_of(number).startswith("float"):
        codes = array.reshape(-1).view(np.uint8)
    else:
        codes = array.reshape(-1).astype(np.int8).view(np.uint8)
    ones = np.unpackbits(codes.reshape(-1, 1), axis=1, count=bits, bitorder="little")
    return np.packbits(ones.reshape(-1), bitorder="little")
