"""Changes of outputs before they are compared."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Union

from assay import util
from assay.arguments import Size, check_arguments
from assay.comparator.struct import IterationResult

K = Union[Size, tuple[Size, int]]


class BasePostprocessFunc:
    """Changes the outputs of an iteration. Derive from it and define ``__call__``."""

    def __call__(self, iter_result: IterationResult) -> IterationResult:
        raise NotImplementedError(f"{type(self).__name__} must define __call__()")


class TopKPostprocessFunc(BasePostprocessFunc):
    """Replaces scores by the indices (int64) of the greatest ones, which come first.

    Args:
        k: How many indices, or (how many, along which axis); the last axis by default. A dictionary has an entry for
            each output, and "" stands for all others; outputs without an entry, or with 0, stay unchanged. 10 by
            default.
    """

    def __init__(self, k: K | dict[str, K] | None = None) -> None:
        self._k = util.default(k, 10)

    def __repr__(self) -> str:
        return f"{type(self).__name__}(k={self._k!r})"

    def __call__(self, iter_result: IterationResult) -> IterationResult:
        from assay import _assay

        for name, array in iter_result.items():
            k = util.value_or_from_dict(self._k, name)
            if k is not None:
                count, axis = k if isinstance(k, (list, tuple)) else (k, -1)
                iter_result[name] = _assay.top_k(array, count, axis)
        return iter_result


class PostprocessFunc:
    """The postprocessing functions by name."""

    @staticmethod
    def top_k(k: K | dict[str, K] | None = None) -> Callable[[IterationResult], IterationResult]:
        """Returns a :class:`TopKPostprocessFunc`."""
        return TopKPostprocessFunc(k)


check_arguments(__name__)
