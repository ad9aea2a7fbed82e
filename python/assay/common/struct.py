"""The classes, for programs that import the module in which Polygraphy defines them."""

from assay.common import BoundedShape, MetadataTuple, TensorMetadata

__all__ = ["BoundedShape", "MetadataTuple", "TensorMetadata"]
