"""Arrays that cross into the extension and back: no copies, all element types, and the lives of both sides."""

from __future__ import annotations

import gc
import weakref
from pathlib import Path
from typing import Any

import ml_dtypes
import numpy as np
import pytest

from assay import _assay
from assay.exception import InputError

NUMPY_TYPES = ["float32", "float64", "float16", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64"]
ML_TYPES = ["bfloat16", "float8_e4m3fn", "float8_e4m3fnuz", "float8_e5m2", "float8_e5m2fnuz", "int4", "uint4"]


@pytest.mark.parametrize("name", [*NUMPY_TYPES, "complex64", "complex128", *ML_TYPES])
def test_values_and_types_survive(name: str) -> None:
    dtype = np.dtype(getattr(np, name, None) or getattr(ml_dtypes, name))
    array = np.array([[0, 1, 2], [3, 1, 0]]).astype(dtype)
    back = _assay.round_trip(array)
    assert back.dtype == array.dtype
    assert back.shape == array.shape
    np.testing.assert_array_equal(back.astype(np.complex128), array.astype(np.complex128))


def test_negative_values_of_packed_types_survive() -> None:
    array = np.arange(-8, 8).astype(ml_dtypes.int4)
    np.testing.assert_array_equal(_assay.round_trip(array).astype(int), np.arange(-8, 8))


def test_booleans_and_strings_survive() -> None:
    assert _assay.round_trip(np.array([True, False])).tolist() == [True, False]
    strings = np.array([["a", "\N{LATIN SMALL LETTER E WITH ACUTE}"], ["", "long text"]], dtype=object)
    back = _assay.round_trip(strings)
    assert back.tolist() == strings.tolist()


def test_memory_is_shared() -> None:
    array = np.zeros(4, np.float32)
    back = _assay.round_trip(array)
    array[2] = 7
    assert back[2] == 7
    assert back.flags.writeable


@pytest.mark.parametrize("shape", [(), (0,), (3, 0, 2), (1,)])
def test_scalars_and_empty_arrays(shape: tuple[int, ...]) -> None:
    back = _assay.round_trip(np.ones(shape, np.float32))
    assert back.shape == shape
    assert back.dtype == np.float32


def test_other_layouts_are_copied() -> None:
    array = np.arange(6, dtype=np.float32).reshape(2, 3)
    np.testing.assert_array_equal(_assay.round_trip(array.T), array.T)
    np.testing.assert_array_equal(_assay.round_trip(array[:, ::2]), array[:, ::2])
    np.testing.assert_array_equal(_assay.round_trip(array.astype(">f4")), array)


def test_what_is_not_an_array_is_converted() -> None:
    assert _assay.round_trip([1.5, 2]).tolist() == [1.5, 2]
    assert _assay.round_trip(np.float32(3)).shape == ()


def test_numbers_of_numpy_keep_their_values() -> None:
    numbers = [np.float64(number) for number in range(100)]
    assert [float(array) for array in map(_assay.round_trip, numbers)] == list(range(100))


def test_objects_that_only_describe_their_memory_are_converted() -> None:
    class Image:
        __array_interface__ = np.arange(6, dtype=np.uint8).reshape(2, 3).__array_interface__

    assert _assay.round_trip(Image()).shape == (2, 3)


def test_objects_that_only_have_the_methods_of_dlpack_are_arrays() -> None:
    class Exported:
        def __init__(self) -> None:
            self.array = np.arange(3, dtype=np.float32)

        def __dlpack__(self, **options: Any) -> Any:
            return self.array.__dlpack__(**options)

        def __dlpack_device__(self) -> Any:
            return self.array.__dlpack_device__()

    exported = Exported()
    back = _assay.round_trip(exported)
    exported.array[0] = 7
    assert back.tolist() == [7, 1, 2]


@pytest.mark.parametrize("value", [object(), {"a": 1}])
def test_objects_that_are_no_arrays_are_refused(value: object) -> None:
    with pytest.raises(InputError, match="isn't an array"):
        _assay.round_trip(value)


@pytest.mark.parametrize("name", ["x", "at the same position"])
def test_inputs_that_fit_stay_read_only(name: str, tmp_path: Path) -> None:
    np.save(tmp_path / "x.npy", np.ones(2, np.float32))
    mapped = np.load(tmp_path / "x.npy", mmap_mode="r")
    specs = [("x", np.dtype("float32"), [2]), ("own", np.dtype("float32"), [2])]
    fitted = _assay.fit_inputs({name: mapped, "own": np.ones(2, np.float32)}, specs)
    assert (fitted["x"].flags.writeable, fitted["own"].flags.writeable) == (False, True)


def test_the_source_lives_as_long_as_the_result() -> None:
    class Array(np.ndarray):
        pass

    source = np.ones(3, np.float32).view(Array)
    alive = weakref.ref(source)
    back = _assay.round_trip(source)
    del source
    gc.collect()
    assert alive() is not None
    del back
    gc.collect()
    assert alive() is None


def test_types_that_onnx_lacks_are_refused() -> None:
    with pytest.raises(InputError, match="datetime64"):
        _assay.round_trip(np.zeros(2, "datetime64[s]"))
