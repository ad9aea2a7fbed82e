"""The functions, for programs that import the module in which Polygraphy defines them."""

from assay.func import constantmethod, extend

__all__ = ["constantmethod", "extend"]
