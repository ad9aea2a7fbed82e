"""Paths of models and engines that need plug-ins, so that a loader of a path can be the `obj` of LoadPlugins."""

from __future__ import annotations

from typing import Any

from assay.backend.trt.settings import Settings


class PluginPath(str):
    """A path, and the settings that load the plug-ins."""

    settings: Settings

    def __new__(cls, path: str, settings: Settings) -> PluginPath:
        made = super().__new__(cls, path)
        made.settings = settings
        return made


def plugins_of(path: Any) -> Settings:
    """Returns the settings that load the plug-ins of a path; nothing for other objects."""
    return path.settings if isinstance(path, PluginPath) else {}
