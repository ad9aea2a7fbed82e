"""The exceptions, for programs that import the module in which Polygraphy defines them."""

from assay.exception import DataTypeConversionException, PolygraphyException, PolygraphyInternalException

__all__ = ["DataTypeConversionException", "PolygraphyException", "PolygraphyInternalException"]
