"""Functions that accept arrays of NumPy and tensors of PyTorch alike. What they return is of the same kind.

PyTorch's float4_e2m1fn_x2 holds two elements in each byte, side by side in the last dimension, while arrays of NumPy have a
byte for each element. Both have the elements and the shape of the array here: ``shape()`` counts the two.
"""

from __future__ import annotations

import importlib
import math
import sys
from collections.abc import Callable, Sequence
from typing import Any

from assay.datatype import DataType, DataTypeEntry
from assay.exception import DataTypeConversionException, InputError
from assay.tables import type_text

# Functions that NumPy and PyTorch both have: their names in each.
_BOTH = {
    "argwhere": ("argwhere", "argwhere"),
    "divide": ("divide", "divide"),
    "greater": ("greater", "greater"),
    "isfinite": ("isfinite", "isfinite"),
    "isinf": ("isinf", "isinf"),
    "isnan": ("isnan", "isnan"),
    "logical_and": ("logical_and", "logical_and"),
    "logical_not": ("logical_not", "logical_not"),
    "logical_xor": ("logical_xor", "logical_xor"),
    "multiply": ("multiply", "multiply"),
    "power": ("power", "pow"),
    "ravel": ("ravel", "ravel"),
    "reshape": ("reshape", "reshape"),
    "sqrt": ("sqrt", "sqrt"),
    "subtract": ("subtract", "subtract"),
    "sum": ("sum", "sum"),
    "transpose": ("transpose", "permute"),
    "where": ("where", "where"),
}

# Statistics. PyTorch has most of them for some element types only, and defines some in another way, so NumPy computes
# them for tensors, too.
_STATISTICS = ("argmax", "argmin", "histogram", "mean", "median", "std", "var")


def __getattr__(name: str) -> Any:
    if name in _BOTH:
        made = _of_both(name)
    elif name in _STATISTICS:
        made = _statistic(name)
    else:
        raise AttributeError(f"module 'assay.util.array' has no attribute '{name}'")
    made.__name__ = made.__qualname__ = name
    globals()[name] = made
    return made


def _of_both(name: str) -> Callable[..., Any]:
    def call(*args: Any, **kwargs: Any) -> Any:
        torch = next((True for arg in args if is_torch(arg)), False)
        return getattr(importlib.import_module("torch" if torch else "numpy"), _BOTH[name][torch])(*args, **kwargs)

    return call


def _statistic(name: str) -> Callable[..., Any]:
    def call(obj: Any, *args: Any, **kwargs: Any) -> Any:
        import numpy as np

        dtype = kwargs.get("dtype")
        if isinstance(dtype, DataTypeEntry):
            kwargs["dtype"] = dtype.numpy()
        found = getattr(np, name)(to_numpy(obj), *args, **kwargs)
        if not is_torch(obj):
            return found
        return tuple(map(to_torch, found)) if isinstance(found, tuple) else to_torch(found)

    return call


def is_torch(obj: Any) -> bool:
    """Returns whether an object is a tensor of PyTorch, or of a class that is derived from it."""
    return isinstance(obj, getattr(sys.modules.get("torch"), "Tensor", ()))  # no import: none, no tensors


def is_numpy(obj: Any) -> bool:
    """Returns whether an object is an array or a number of NumPy."""
    return type(obj).__module__.split(".")[0] == "numpy"


def dtype(obj: Any) -> DataTypeEntry:
    """Returns the element type of an array."""
    return DataType.from_dtype(obj.dtype)


def size(obj: Any) -> int:
    """Returns the number of elements of an array."""
    return math.prod(shape(obj))


def is_on_cpu(obj: Any) -> bool:
    """Returns whether an array is in the memory of the CPU."""
    return not is_torch(obj) or obj.device.type == "cpu"


def is_on_gpu(obj: Any) -> bool:
    """Returns whether an array is in the memory of a GPU."""
    return not is_on_cpu(obj)


def is_contiguous(obj: Any) -> bool:
    """Returns whether the elements of an array follow one another in memory."""
    return bool(obj.is_contiguous() if is_torch(obj) else obj.flags["C_CONTIGUOUS"])


def make_contiguous(obj: Any) -> Any:
    """Returns an array whose elements follow one another in memory."""
    import numpy as np

    return obj.contiguous() if is_torch(obj) else np.ascontiguousarray(obj)


def cast(obj: Any, dtype: Any) -> Any:
    """Returns an array with another element type."""
    entry = DataType.from_dtype(dtype)
    return obj.to(entry.torch()) if is_torch(obj) else obj.astype(entry.numpy())


def view(obj: Any, dtype: Any, shape: Sequence[int]) -> Any:
    """Returns the bytes of a contiguous array as elements of a type, in a shape."""
    entry = DataType.from_dtype(dtype)
    return obj.reshape(-1).view(entry.torch() if is_torch(obj) else entry.numpy()).reshape(tuple(shape))


def abs(obj: Any) -> Any:  # noqa: A001
    """Returns the absolute values."""
    return obj.__abs__()


def max(obj: Any) -> Any:  # noqa: A001
    """Returns the greatest element, as a number."""
    return to_numpy(obj).max().item()


def min(obj: Any) -> Any:  # noqa: A001
    """Returns the least element, as a number."""
    return to_numpy(obj).min().item()


def quantile(obj: Any, q: float) -> Any:
    """Returns a quantile of the elements; infinity if there are none."""
    import numpy as np

    return np.quantile(to_numpy(obj), q) if size(obj) else np.inf


def topk(obj: Any, k: int, axis: int) -> tuple[Any, Any]:
    """Returns the ``k`` greatest elements along an axis, the greatest first, and their indices (int64). If the axis is
    shorter, all of its elements are returned. NaN counts as the smallest."""
    import numpy as np

    array = to_numpy(obj)
    falling = ~array if array.dtype.kind in "bui" else -array  # the negative of an unsigned number is large
    indices = np.argsort(falling, axis=axis, kind="stable").take(range(int(np.minimum(k, array.shape[axis]))), axis)
    found = np.take_along_axis(array, indices, axis), indices
    return (to_torch(found[0]), to_torch(found[1])) if is_torch(obj) else found


def unravel_index(index: int, shape: Sequence[int]) -> tuple[int, ...]:
    """Returns the index in each dimension of an element that is given by its position in row-major order."""
    import numpy as np

    return tuple(map(int, np.unravel_index(int(index), tuple(shape))))


def to_numpy(obj: Any) -> Any:
    """Returns an array of NumPy that shares the memory of a tensor on the CPU, or of an object with DLPack's methods.

    Raises:
        InputError: The object isn't an array, and has none.
    """
    if not is_torch(obj):
        return _from_others(obj)
    tensor = obj.detach().cpu()
    try:
        return tensor.numpy(force=True)  # also if the memory holds the conjugate or negative values
    except TypeError:  # bfloat16, float8: PyTorch doesn't know the types of ml_dtypes
        import torch

        bits = tensor.view(torch.uint8 if tensor.element_size() == 1 else torch.int16).numpy()
        return (_halves(bits) if _has_pairs(obj) else bits).view(DataType.from_dtype(tensor.dtype).numpy())


def _has_pairs(obj: Any) -> bool:
    return is_torch(obj) and str(obj.dtype) == "torch.float4_e2m1fn_x2"


def _halves(pairs: Any) -> Any:
    """Returns the two elements of 4 bits of each byte, of which the first is in the lower half."""
    import numpy as np

    return np.stack([pairs & 15, pairs >> 4], -1).reshape(*pairs.shape[:-1], 2 * np.atleast_1d(pairs).shape[-1])


def _paired(array: Any) -> Any:
    """Returns elements of float4 as a tensor.

    Raises:
        DataTypeConversionException: The last dimension is odd, or this version of PyTorch lacks the type.
    """
    import numpy as np
    import torch

    dtype = getattr(torch, "float4_e2m1fn_x2", None)
    if dtype is None or array.ndim == 0 or array.shape[-1] % 2:
        raise DataTypeConversionException(
            f"an array of float4e2m1 of the shape {array.shape} can't be a tensor: PyTorch, since version 2.8, has pairs of them "
            "only. Use the array of NumPy"
        )
    halves = array.view(np.uint8) & 15
    return torch.from_numpy(halves[..., ::2] | halves[..., 1::2] << 4).view(dtype)


def _from_others(obj: Any) -> Any:
    import numpy as np

    array = np.asarray(obj)
    if array.dtype != object or array.shape or hasattr(obj, "__array__"):
        return array
    if hasattr(obj, "__dlpack__"):  # asarray() doesn't know DLPack, and makes a scalar of any other object
        return np.from_dlpack(obj)
    raise InputError(f"{type_text(obj)} isn't an array. Convert it with numpy.array()")


def to_torch(obj: Any) -> Any:
    """Returns a tensor of PyTorch that shares the memory of an array.

    Raises:
        TypeError: The array holds strings.
        DataTypeConversionException: PyTorch has no such type.
    """
    if is_torch(obj):
        return obj
    import numpy as np
    import torch

    array = to_numpy(obj)
    try:
        return torch.from_numpy(array)
    except TypeError:
        if array.dtype == object or array.dtype.kind in "US":
            raise
        if DataType.from_dtype(array.dtype) == DataType.FLOAT4:
            return _paired(array)
        bits = np.uint8 if array.itemsize == 1 else np.int16
        return torch.from_numpy(array.view(bits)).view(DataType.from_dtype(array.dtype).torch())


def equal(lhs: Any, rhs: Any) -> bool:
    """Returns whether two arrays have the same shape and elements."""
    import numpy as np

    return bool(np.array_equal(to_numpy(lhs), to_numpy(rhs)))


def allclose(lhs: Any, rhs: Any, rtol: float = 1e-5, atol: float = 1e-8) -> bool:
    """Returns whether all elements are within a tolerance, as ``numpy.allclose`` does."""
    import numpy as np

    return bool(np.allclose(to_numpy(lhs), to_numpy(rhs), rtol, atol))


def any(obj: Any) -> bool:  # noqa: A001
    """Returns whether an element is true."""
    return bool(to_numpy(obj).any())


def all(obj: Any) -> bool:  # noqa: A001
    """Returns whether all elements are true."""
    return bool(to_numpy(obj).all())


def shape(obj: Any) -> tuple[int, ...]:
    """Returns the shape of an array."""
    *outer, last = obj.shape or (1,)
    return (*outer, 2 * last) if _has_pairs(obj) else tuple(obj.shape)


def nbytes(obj: Any) -> int:
    """Returns the bytes that the elements of an array take."""
    return int(to_numpy(obj).nbytes)
