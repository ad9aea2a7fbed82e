"""Writes the reference files of the tensor room's tests. Run with NumPy 2.4 and ml_dtypes 0.6 in this folder."""

import ml_dtypes
import numpy as np

MINIFLOATS = ["bfloat16", "float8_e4m3fn", "float8_e4m3fnuz", "float8_e5m2", "float8_e5m2fnuz", "float8_e8m0fnu",
              "float6_e2m3fn", "float6_e3m2fn", "float4_e2m1fn", "float16"]
BITS = {"float6_e2m3fn": 6, "float6_e3m2fn": 6, "float4_e2m1fn": 4}


def dtype(name):
    return np.dtype(getattr(ml_dtypes, name, name))


def save(name, array, version=None):
    with open(name, "wb") as file:
        np.lib.format.write_array(file, array, version=version, allow_pickle=True)


def npy_files():
    block = np.arange(24, dtype=np.int32).reshape(2, 3, 4)
    save("c_order.npy", block)
    save("fortran_order.npy", np.asfortranarray(block))
    save("version_2.npy", block, (2, 0))
    save("version_3.npy", block, (3, 0))
    save("big_endian_float.npy", np.array([1.5, -2.25, 1e10], dtype=">f4"))
    save("big_endian_complex.npy", np.array([1 + 2j, -3.5j], dtype=">c8"))
    save("scalar_float16.npy", np.array(1.5, dtype=np.float16))
    save("empty.npy", np.zeros((0, 3), dtype=np.float64))
    save("bool.npy", np.array([[True, False], [False, True]]))
    save("unicode.npy", np.array([["a", "bc"], ["d\u00e9\u4e16\U0001f600", ""]]))
    save("unicode_big_endian.npy", np.array(["x\u00e9"]).astype(">U2"))
    save("bytes.npy", np.array([b"ab", b"\xff\x00c"]))
    save("objects.npy", np.array(["ab", "cde"], dtype=object))
    save("ml_dtypes_bfloat16.npy", np.array([1, -2.5], dtype=ml_dtypes.bfloat16))
    save("ml_dtypes_float8_e4m3fn.npy", np.array([1, -2.5], dtype=ml_dtypes.float8_e4m3fn))
    save("ml_dtypes_float8_e5m2.npy", np.array([1, -2.5], dtype=ml_dtypes.float8_e5m2))
    save("named_int4.npy", np.array([-1, 7, -8], dtype=ml_dtypes.int4).view([("int4", "u1")]))
    save("named_bfloat16.npy", np.array([1, -2.5], dtype=ml_dtypes.bfloat16).view([("bfloat16", "<u2")]))
    save("datetime.npy", np.array(["2020-01-01"], dtype="M8[D]"))
    np.savez("stored.npz", x=block, y=np.array([1.5, 2.5], dtype=np.float32), **{"a/b:c": np.array(True)})
    np.savez_compressed("deflated.npz", x=block, y=np.zeros(10000, dtype=np.float32))


def minifloat_tables():
    """Writes each type's values by code (for 16 bits, every 97th code), and the codes of many doubles."""
    rng = np.random.RandomState(3)
    values = np.concatenate([rng.standard_normal(400) * 10.0 ** rng.randint(-9, 9, 400), 2.0 ** np.arange(-30, 20),
                             1.5 * 2.0 ** np.arange(-30, 20), 1.25 * 2.0 ** np.arange(-30, 20),
                             -1.125 * 2.0 ** np.arange(-30, 20), 1.0625 * 2.0 ** np.arange(-30, 20),
                             [0.0, -0.0, np.inf, -np.inf, np.nan, 65504, 65519.9, 65520, 448, 464, 465, 240, 248, 57344,
                              61439, 61440, 61441, 5, 7, 29, 30, 3.4e38, 1e300]])
    # ml_dtypes rounds doubles twice, to float32 first. Values that are floats already are rounded once.
    with np.errstate(over="ignore"):
        values = values.astype(np.float32).astype(np.float64)
    np.save("minifloat_inputs.npy", values)
    for name in MINIFLOATS:
        code_type = np.uint16 if dtype(name).itemsize == 2 else np.uint8
        step = 97 if code_type == np.uint16 else 1
        codes = np.arange(0, 2 ** BITS.get(name, 8 * dtype(name).itemsize), step, dtype=np.uint32).astype(code_type)
        with np.errstate(all="ignore"):
            np.save(f"{name}_values.npy", codes.view(dtype(name)).astype(np.float32))
            np.save(f"{name}_codes.npy", values.astype(dtype(name)).view(code_type))


RANGES = [("bool", 0, 1), ("int8", -128, 127), ("uint8", 3, 100), ("int16", -1000, 1000), ("uint16", 0, 65535),
          ("int32", -(2 ** 31), 2 ** 31 - 1), ("int32", 0, 0), ("uint32", 0, 2 ** 32 - 1), ("uint32", 10, 2 ** 31),
          ("int64", 0, 99), ("int64", -(2 ** 63), 2 ** 63 - 1), ("int64", -(10 ** 10), 99999999999),
          ("uint64", 0, 2 ** 64 - 1), ("uint64", 5, 2 ** 40)]


def random_numbers():
    """Writes numbers of RandomState, and the sample after each randint, which shows how much of the stream it used."""
    np.save("random_sample.npy", np.stack([np.random.RandomState(s).random_sample(700) for s in (0, 1, 12345, 2 ** 32 - 1)]))
    for number, (name, low, high) in enumerate(RANGES):
        state = np.random.RandomState(7)
        np.save(f"randint_{number}.npy", state.randint(low, high + 1, (7, 9), dtype=name))
        np.save(f"randint_{number}_next.npy", state.random_sample())


if __name__ == "__main__":
    npy_files()
    minifloat_tables()
    random_numbers()
