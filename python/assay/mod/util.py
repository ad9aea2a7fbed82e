"""The functions, for programs that import the module in which Polygraphy defines them."""

from assay.mod import version

__all__ = ["version"]
