"""The runner, for programs that import the module in which Polygraphy defines it."""

from assay.backend.pluginref import PluginRefRunner

__all__ = ["PluginRefRunner"]
