#!/usr/bin/env python3
"""Writes numpy_reference.txt: statistics of generated arrays as NumPy computes them (written with NumPy 2.4.6).

Each line: kind type_a [type_b] count seed scale offset, then the numbers in hexadecimal. summary_test.cc has the same
generator, so that only the statistics need to be stored.
"""
import numpy as np

MASK = (1 << 64) - 1


def made_up(dtype, count, seed, scale, offset):
    state, out = seed, np.empty(count, np.float64)
    for i in range(count):
        state = (state * 6364136223846793005 + 1442695040888963407) & MASK
        out[i] = ((state >> 11) * 2.0**-53 - 0.5) * scale + offset
    if np.dtype(dtype).kind in "iu":
        return np.floor(out).astype(np.int64).astype(dtype)
    return (out > offset) if dtype == "bool" else out.astype(dtype)


def summary(values):
    # float16 sums overflow in NumPy's own type: the variance is taken from float32, as other tools print it, and so is
    # the median, as Polygraphy prints it.
    wide = values.astype(np.float32) if values.dtype == np.float16 else values
    numbers = [np.mean(values, dtype=np.float32), np.std(wide), np.var(wide), np.median(wide), values.min(),
               values.max(), np.mean(np.abs(values), dtype=np.float32)]
    if values.dtype != bool:
        numbers += [np.percentile(values, q) for q in (90, 95, 99)]
    return [float(n).hex() for n in numbers] + [str(int(values.argmin())), str(int(values.argmax()))]


def differences(a, b):
    """Returns the absolute and relative differences as arrays of the type in which they are computed."""
    floats = ("float16", "float32", "bool")
    if a.dtype.name in floats and b.dtype.name in floats and not (a.dtype == bool and b.dtype == bool):
        a, b = a.astype(np.float32), b.astype(np.float32)
    elif a.dtype.kind in "iu" and b.dtype.kind in "iu":
        a, b = a.astype(np.int64), b.astype(np.int64)
    absolute = np.abs(a - b)
    divisor = np.abs(b)
    if b.dtype.kind == "f":
        divisor = np.where(divisor == 0, b.dtype.type(np.finfo(np.float64).eps), divisor)
    return absolute, absolute / divisor


ARRAYS = [(t, n, s, scale, offset)
          for t, scale, offset in (("float32", 2, 0), ("float32", 1, 1000), ("float64", 2, 0), ("float64", 1e-3, 7),
                                   ("float16", 2, 0), ("float16", 1, 100), ("int8", 250, 0), ("uint8", 255, 127.5),
                                   ("int32", 1e9, 3), ("int64", 1e12, 0), ("uint16", 60000, 30000), ("bool", 1, 0))
          for s, n in enumerate((1, 2, 3, 7, 8, 64, 129, 255, 1000, 8193, 70001), 1)]
# Long enough to be sampled and to be added in several pieces.
ARRAYS += [(t, 1200003, 1, scale, offset) for t, scale, offset in (("float32", 2, 0.3), ("float64", 2, 0.1), ("float16", 4, 1),
                                                                   ("int8", 9, 0), ("int64", 1e12, 0), ("bool", 1, 0))]
PAIRS = [(a, b, n, s, 20, 0.3)
         for a, b in (("float32", "float32"), ("float64", "float64"), ("float16", "float16"), ("float32", "float16"),
                      ("float32", "float64"), ("int32", "int32"), ("int64", "int64"), ("uint8", "int8"),
                      ("float32", "int32"), ("bool", "float32"))
         for s, n in enumerate((1, 5, 300, 40001), 1)]
PAIRS += [(t, t, 1100001, 5, 20, 0.3) for t in ("float32", "float64", "float16", "int32")]

np.seterr(all="ignore")
with open("numpy_reference.txt", "w") as f:
    for t, n, s, scale, offset in ARRAYS:
        f.write(" ".join(["array", t, str(n), str(s), float(scale).hex(), float(offset).hex(),
                          *summary(made_up(t, n, s, scale, offset))]) + "\n")
    for a, b, n, s, scale, offset in PAIRS:
        x, y = made_up(a, n, s, scale, offset), made_up(b, n, s + 100, scale, offset)
        absolute, relative = differences(x, y)
        for name, values in (("absolute", absolute), ("relative", relative)):
            f.write(" ".join([name, a, b, str(n), str(s), float(scale).hex(), float(offset).hex(), *summary(values)]) + "\n")
