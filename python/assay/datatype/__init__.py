"""Element types under one name for several packages: ``DataType.FLOAT32.numpy()``, ``.onnx()``, ``.torch()``."""

from __future__ import annotations

from typing import Any

from assay.exception import DataTypeConversionException, InputError, NotFoundError

# TensorRT's names of the types that it has.
_TENSORRT_NAMES = {
    "float32": "FLOAT",
    "float16": "HALF",
    "bfloat16": "BF16",
    "float8e4m3fn": "FP8",
    "float4e2m1": "FP4",
    "float8e8m0": "E8M0",
    "int64": "INT64",
    "int32": "INT32",
    "int8": "INT8",
    "int4": "INT4",
    "uint8": "UINT8",
    "bool": "BOOL",
}


class DataTypeEntry:
    """An element type of ONNX's tensors.

    An entry equals every name of the same type, such as ``numpy.float32`` or ``"float32"``, and can be used as the
    ``dtype`` of NumPy's functions.

    Attributes:
        name: As ONNX spells it, in lower case: "float32", "bfloat16", "float8e4m3fn".
        number: In ``onnx.TensorProto.DataType``.
        itemsize: Bytes of an element: 0 for strings, 0.5 for types of 4 bits.
    """

    def __init__(self, name: str, number: int, itemsize: float, numpy_name: str) -> None:
        self.name = name
        self.number = number
        self.itemsize = itemsize
        self._numpy_name = numpy_name

    @property
    def is_floating(self) -> bool:
        """Whether the elements are real floating-point numbers."""
        return "float" in self.name

    @property
    def is_integral(self) -> bool:
        """Whether the elements are integers, signed or not. Booleans aren't."""
        return "int" in self.name

    def numpy(self) -> Any:
        """Returns the ``numpy.dtype``.

        Raises:
            NotFoundError: NumPy lacks the type, and the package ml_dtypes, which has it, isn't installed.
        """
        import numpy as np

        if hasattr(np, self._numpy_name):
            return np.dtype(getattr(np, self._numpy_name))
        try:
            import ml_dtypes
        except ImportError:
            raise NotFoundError(
                f"arrays of type {self._numpy_name} need the Python package ml_dtypes. Install it: pip install ml_dtypes"
            ) from None
        return np.dtype(getattr(ml_dtypes, self._numpy_name))

    @property
    def dtype(self) -> Any:
        """The ``numpy.dtype``, under the name that NumPy looks for."""
        return self.numpy()

    def onnx(self) -> int:
        """Returns the number in ``onnx.TensorProto.DataType``."""
        return self.number

    def onnxruntime(self) -> str:
        """Returns ONNX Runtime's name: "tensor(float)"."""
        names = {"float32": "float", "float64": "double"}
        return f"tensor({names.get(self.name, self.name)})"

    @property
    def _torch_name(self) -> str:
        return self._numpy_name.removesuffix("_")

    def torch(self) -> Any:
        """Returns the ``torch.dtype``.

        Raises:
            DataTypeConversionException: PyTorch has no such type.
        """
        import torch

        dtype = getattr(torch, self._torch_name, None)
        if not isinstance(dtype, torch.dtype):
            raise DataTypeConversionException(f"PyTorch has no element type {self.name}")
        return dtype

    def tensorrt(self) -> Any:
        """Returns the ``tensorrt.DataType``.

        Raises:
            DataTypeConversionException: TensorRT has no such type.
        """
        import tensorrt

        dtype = getattr(tensorrt.DataType, _TENSORRT_NAMES.get(self.name, ""), None)
        if dtype is None:
            raise DataTypeConversionException(f"this TensorRT has no element type {self.name}")
        return dtype

    def __eq__(self, other: object) -> bool:
        if isinstance(other, DataTypeEntry):
            return self.name == other.name
        try:
            return self.name == DataType.from_dtype(other).name
        except (TypeError, ValueError):
            return False

    def __hash__(self) -> int:
        return hash(self.name)

    def __reduce__(self) -> tuple[Any, ...]:
        return _by_number, (self.number,)  # a copy is the entry itself, as for members of an enumeration

    def __repr__(self) -> str:
        return f"DataType.{self.name.upper()}"

    def __str__(self) -> str:
        return self.name


class DataType:
    """The element types, one attribute each. ``__members__`` has all of them by name."""

    __members__: dict[str, DataTypeEntry]

    FLOAT32 = DataTypeEntry("float32", 1, 4, "float32")
    UINT8 = DataTypeEntry("uint8", 2, 1, "uint8")
    INT8 = DataTypeEntry("int8", 3, 1, "int8")
    UINT16 = DataTypeEntry("uint16", 4, 2, "uint16")
    INT16 = DataTypeEntry("int16", 5, 2, "int16")
    INT32 = DataTypeEntry("int32", 6, 4, "int32")
    INT64 = DataTypeEntry("int64", 7, 8, "int64")
    STRING = DataTypeEntry("string", 8, 0, "str_")
    BOOL = DataTypeEntry("bool", 9, 1, "bool_")
    FLOAT16 = DataTypeEntry("float16", 10, 2, "float16")
    FLOAT64 = DataTypeEntry("float64", 11, 8, "float64")
    UINT32 = DataTypeEntry("uint32", 12, 4, "uint32")
    UINT64 = DataTypeEntry("uint64", 13, 8, "uint64")
    COMPLEX64 = DataTypeEntry("complex64", 14, 8, "complex64")
    COMPLEX128 = DataTypeEntry("complex128", 15, 16, "complex128")
    BFLOAT16 = DataTypeEntry("bfloat16", 16, 2, "bfloat16")
    FLOAT8E4M3FN = DataTypeEntry("float8e4m3fn", 17, 1, "float8_e4m3fn")
    FLOAT8E4M3FNUZ = DataTypeEntry("float8e4m3fnuz", 18, 1, "float8_e4m3fnuz")
    FLOAT8E5M2 = DataTypeEntry("float8e5m2", 19, 1, "float8_e5m2")
    FLOAT8E5M2FNUZ = DataTypeEntry("float8e5m2fnuz", 20, 1, "float8_e5m2fnuz")
    UINT4 = DataTypeEntry("uint4", 21, 0.5, "uint4")
    INT4 = DataTypeEntry("int4", 22, 0.5, "int4")
    FLOAT4 = DataTypeEntry("float4e2m1", 23, 0.5, "float4_e2m1fn")
    FLOAT8E8M0 = DataTypeEntry("float8e8m0", 24, 1, "float8_e8m0fnu")
    UINT2 = DataTypeEntry("uint2", 25, 0.25, "uint2")
    INT2 = DataTypeEntry("int2", 26, 0.25, "int2")
    FLOAT6E2M3 = DataTypeEntry("float6e2m3", 27, 0.75, "float6_e2m3fn")
    FLOAT6E3M2 = DataTypeEntry("float6e3m2", 28, 0.75, "float6_e3m2fn")

    @staticmethod
    def from_dtype(dtype: Any, source_module: str | None = None) -> DataTypeEntry:
        """Returns the entry of a type of NumPy, ONNX, ONNX Runtime, PyTorch or TensorRT.

        Args:
            dtype: The type, or a name or number of it.
            source_module: Accepted for compatibility: the type says which package it is from.

        Raises:
            InputError: ONNX has no such type.
        """
        if isinstance(dtype, DataTypeEntry):
            return dtype
        if isinstance(dtype, int) and not isinstance(dtype, bool):
            return _by_number(dtype)
        if type(dtype).__module__.startswith("tensorrt") and dtype.name in _BY_TENSORRT_NAME:
            return _BY_TENSORRT_NAME[dtype.name]
        text = str(dtype)
        if text.startswith("torch."):
            return from_numpy(text.removeprefix("torch."))
        if text.startswith("tensor("):
            name = text[len("tensor(") : -1]
            return from_numpy({"float": "float32", "double": "float64", "string": "str"}.get(name, name))
        return from_numpy(dtype)

    @staticmethod
    def to_dtype(dtype: DataTypeEntry, target_module: str) -> Any:
        """Returns the entry as a type of "numpy", "onnx", "onnxruntime", "tensorrt" or "torch".

        Raises:
            InputError: `target_module` is none of these, or the package has no such type.
        """
        packages = ("numpy", "onnx", "onnxruntime", "tensorrt", "torch")
        if target_module not in packages:
            raise InputError(f"there is no conversion to types of '{target_module}'. The packages are {', '.join(packages)}")
        return getattr(dtype, target_module)()


DataType.__members__ = {name: entry for name, entry in vars(DataType).items() if isinstance(entry, DataTypeEntry)}
_ENTRIES = list(DataType.__members__.values())
# By ONNX's name, and by that of NumPy, ml_dtypes and PyTorch: "float8e4m3fn", "float8_e4m3fn".
_BY_NAME = {name: entry for entry in _ENTRIES for name in (entry.name, entry._torch_name)}
_BY_NAME["float4_e2m1fn_x2"] = DataType.FLOAT4  # PyTorch's pairs of elements; assay.util.array converts them
_BY_TENSORRT_NAME = {_TENSORRT_NAMES[entry.name]: entry for entry in _ENTRIES if entry.name in _TENSORRT_NAMES}


def _by_number(number: int) -> DataTypeEntry:
    for entry in _ENTRIES:
        if entry.number == number:
            return entry
    raise InputError(f"ONNX has no element type with the number {number}")


def from_numpy(dtype: Any) -> DataTypeEntry:
    """Returns the entry of whatever ``numpy.dtype()`` accepts."""
    from assay import _assay

    try:
        name = dtype if isinstance(dtype, str) and dtype in _BY_NAME else _assay.dtype_name(dtype)
    except TypeError:
        raise InputError(f"there is no element type {dtype!r}. Give its name, such as 'float16'") from None
    if name not in _BY_NAME:
        raise InputError(f"ONNX has no element type '{dtype}'")
    return _BY_NAME[name]
