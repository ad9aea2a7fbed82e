"""The functions, for programs that import the module in which Polygraphy defines them."""

from assay.mod import import_from_script, lazy_import

__all__ = ["import_from_script", "lazy_import"]
