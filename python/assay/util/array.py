"""Functions that accept arrays of NumPy and tensors of PyTorch alike."""

from __future__ import annotations

from typing import Any

from assay import util
from assay.datatype import DataType


def to_numpy(obj: Any) -> Any:
    """Returns an array of NumPy that shares the memory of a tensor on the CPU."""
    import numpy as np

    if not util.is_torch(obj):
        return np.asarray(obj)
    tensor = obj.detach().cpu()
    try:
        return tensor.numpy()
    except TypeError:  # bfloat16, float8: PyTorch doesn't know the types of ml_dtypes
        import torch

        bits = torch.uint8 if tensor.element_size() == 1 else torch.int16
        return tensor.view(bits).numpy().view(DataType.from_dtype(tensor.dtype).numpy())


def to_torch(obj: Any) -> Any:
    """Returns a tensor of PyTorch that shares the memory of an array.

    Raises:
        TypeError: PyTorch has no such type: the array holds strings.
    """
    if util.is_torch(obj):
        return obj
    import numpy as np
    import torch

    array = to_numpy(obj)
    try:
        return torch.from_numpy(array)
    except TypeError:
        if array.dtype == object or array.dtype.kind in "US":
            raise
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
    return tuple(obj.shape)


def nbytes(obj: Any) -> int:
    """Returns the bytes that the elements of an array take."""
    return int(to_numpy(obj).nbytes)
