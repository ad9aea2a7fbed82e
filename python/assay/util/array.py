"""Functions that accept arrays of NumPy and tensors of PyTorch alike."""

from __future__ import annotations

from typing import Any

from assay import util


def to_numpy(obj: Any) -> Any:
    """Returns an array of NumPy that shares the memory of a tensor on the CPU."""
    import numpy as np

    return obj.detach().cpu().numpy() if util.is_torch(obj) else np.asarray(obj)


def to_torch(obj: Any) -> Any:
    """Returns a tensor of PyTorch that shares the memory of an array."""
    if util.is_torch(obj):
        return obj
    import torch

    return torch.from_numpy(to_numpy(obj))


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
