"""Element types: those of other packages, and the errors if a package lacks one."""

from __future__ import annotations

import copy
import enum
import pickle
import sys
import types

import numpy as np
import pytest

from assay.datatype import DataType
from assay.exception import DataTypeConversionException, InputError


@pytest.fixture
def tensorrt(monkeypatch: pytest.MonkeyPatch) -> types.ModuleType:
    """A module with some of TensorRT's element types, whose class lies where TensorRT 10 has it."""
    package = types.ModuleType("tensorrt")
    names = ["FLOAT", "HALF", "INT32", "FP8", "NEWER"]
    package.DataType = enum.Enum("DataType", names, module="tensorrt_bindings.tensorrt")  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "tensorrt", package)
    return package


def test_copies_of_a_type_are_the_type() -> None:
    for entry in DataType.__members__.values():
        assert copy.copy(entry) is copy.deepcopy(entry) is pickle.loads(pickle.dumps(entry)) is entry


def test_types_of_tensorrt(tensorrt: types.ModuleType) -> None:
    pairs = {"FLOAT": DataType.FLOAT32, "HALF": DataType.FLOAT16, "INT32": DataType.INT32, "FP8": DataType.FLOAT8E4M3FN}
    for name, entry in pairs.items():
        assert DataType.from_dtype(tensorrt.DataType[name]) is entry
        assert entry.tensorrt() is DataType.to_dtype(entry, "tensorrt") is tensorrt.DataType[name]
        assert entry == tensorrt.DataType[name]
    for lacking in (DataType.INT4, DataType.FLOAT64):
        with pytest.raises(DataTypeConversionException, match=f"no element type {lacking}"):
            lacking.tensorrt()
    with pytest.raises(InputError, match="NEWER"):
        DataType.from_dtype(tensorrt.DataType.NEWER)


def test_all_types_are_listed_by_name() -> None:
    assert DataType.__members__["FLOAT4"] is DataType.FLOAT4
    for name, entry in DataType.__members__.items():
        assert getattr(DataType, name) is entry
        assert DataType.from_dtype(entry.onnx()) is entry


def test_unknown_packages_and_types_are_named() -> None:
    with pytest.raises(InputError, match="no conversion to types of 'jax'. The packages are numpy, onnx"):
        DataType.to_dtype(DataType.FLOAT32, "jax")
    with pytest.raises(InputError, match="no element type <object"):
        DataType.from_dtype(object())
    assert DataType.to_dtype(DataType.FLOAT32, "numpy") == np.float32
