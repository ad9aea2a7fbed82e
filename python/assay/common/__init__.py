"""Declarations of the inputs and outputs of models: ``TensorMetadata``."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Mapping, Sequence
from typing import Any

from assay.arguments import check_arguments, wrong_type
from assay.datatype import DataType, DataTypeEntry
from assay.exception import PolygraphyException
from assay.util import array as arrays

__all__ = ["BoundedShape", "MetadataTuple", "PolygraphyException", "TensorMetadata"]


class BoundedShape(list[Any]):
    """The shape of a tensor, with bounds of its unknown dimensions.

    Dimensions are numbers, or a symbol or -1 if they are unknown. ``min`` and ``max`` are None if there are no bounds.
    """

    def __init__(
        self, shape: Sequence[Any], min: Sequence[int] | None = None, max: Sequence[int] | None = None
    ) -> None:
        super().__init__(shape)
        self.min = min
        self.max = max

    def __repr__(self) -> str:
        return f"BoundedShape({list(self)}, min={self.min}, max={self.max})"


class MetadataTuple:
    """The declaration of a tensor: ``dtype, shape = metadata["x"]``. The arguments are those of ``TensorMetadata.add``.

    Attributes:
        dtype: Its element type, or None if it is unknown.
        shape: Its shape, or None if not even the rank is known.
        docstring: Its description in the model, or None.
    """

    def __init__(self, dtype: Any, shape: Sequence[Any] | None, docstring: str | None = None) -> None:
        self.dtype: DataTypeEntry | None = None if dtype is None else DataType.from_dtype(dtype)
        self.shape: BoundedShape | None = shape if shape is None or isinstance(shape, BoundedShape) else BoundedShape(shape)
        self.docstring = docstring

    def __iter__(self) -> Any:
        return iter((self.dtype, self.shape))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, MetadataTuple) and (self.dtype, self.shape) == (other.dtype, other.shape)

    def __repr__(self) -> str:
        return f"MetadataTuple({self.dtype}, {self.shape!r}, {self.docstring!r})"

    def __str__(self) -> str:
        parts = [f"dtype={self.dtype}"] if self.dtype is not None else []
        if self.shape is not None:
            parts.append(f"shape={tuple(self.shape)}")
        if self.docstring:
            parts.append(self.docstring)
        return f"[{', '.join(parts)}]" if parts else ""


def _further_arguments(meta: MetadataTuple) -> str:
    """Returns the bounds of the shape and the description as further arguments of ``TensorMetadata.add``."""
    bounds = {} if meta.shape is None else {"min_shape": meta.shape.min, "max_shape": meta.shape.max}
    given = {**bounds, "docstring": meta.docstring}
    return "".join(f", {name}={value!r}" for name, value in given.items() if value is not None)


class TensorMetadata(OrderedDict[str, MetadataTuple]):
    """The declarations of tensors by name, in order. A tuple of an element type and a shape becomes a declaration."""

    def __setitem__(self, name: str, declared: Any) -> None:
        if isinstance(declared, tuple) and len(declared) in (2, 3):
            declared = MetadataTuple(*declared)
        if not (hasattr(declared, "dtype") and hasattr(declared, "shape")):
            raise wrong_type("TensorMetadata", f"[{name!r}]", "a MetadataTuple or a tuple of a type and a shape", declared)
        super().__setitem__(name, declared)

    @staticmethod
    def from_feed_dict(feed_dict: Mapping[str, Any]) -> TensorMetadata:
        """Returns the declarations of arrays."""
        metadata = TensorMetadata()
        for name, array in feed_dict.items():
            metadata.add(name, array.dtype, arrays.shape(array))
        return metadata

    def add(
        self,
        name: str,
        dtype: Any,
        shape: Sequence[Any] | None,
        min_shape: Sequence[int] | None = None,
        max_shape: Sequence[int] | None = None,
        docstring: str | None = None,
    ) -> TensorMetadata:
        """Adds a tensor and returns this object.

        Args:
            name: Its name.
            dtype: Its element type, as NumPy, ONNX or :class:`assay.datatype.DataType` names it; None if unknown.
            shape: Its shape; unknown dimensions are -1, None or a symbol. None if the rank is unknown.
            min_shape: The least sizes of its dimensions, for models with unknown ones.
            max_shape: The greatest sizes of its dimensions.
            docstring: A description.
        """
        bounded = None if shape is None else BoundedShape(shape, min_shape, max_shape)
        self[name] = MetadataTuple(dtype, bounded, docstring)
        return self

    def __str__(self) -> str:
        return "{" + ",\n ".join(f"{name} {metadata}".rstrip() for name, metadata in self.items()) + "}"

    def __repr__(self) -> str:
        calls = (
            f".add({name!r}, {meta.dtype!r}, {meta.shape if meta.shape is None else list(meta.shape)}{_further_arguments(meta)})"
            for name, meta in self.items()
        )
        return "TensorMetadata()" + "".join(calls)


check_arguments(__name__)
