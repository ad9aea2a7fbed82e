"""The logger, for programs that import the module in which Polygraphy defines it."""

from assay.logger import G_LOGGER, LogMode, Logger

__all__ = ["G_LOGGER", "LogMode", "Logger"]
