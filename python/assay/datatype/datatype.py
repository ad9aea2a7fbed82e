"""The element types, for programs that import the module in which Polygraphy defines them."""

from assay.datatype import DataType, DataTypeEntry

__all__ = ["DataType", "DataTypeEntry"]
