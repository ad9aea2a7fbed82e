"""Libraries of plug-ins, which the worker loads for a network or an engine."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import Any

from assay import util
from assay.arguments import check_arguments
from assay.backend.base.loader import BaseLoader
from assay.backend.common import InvokeFromScript
from assay.backend.trt.engine import Engine, engine_of
from assay.backend.trt.network import network_of, parts_of
from assay.backend.trt.plugin_path import PluginPath, plugins_of
from assay.backend.trt.settings import Settings, merged, paths
from assay.exception import InputError


class LoadPlugins(BaseLoader):
    """Loads plug-in libraries into the worker that builds or opens what `obj` describes.

    Args:
        plugins: The paths of the libraries.
        obj: A network or an engine, its bytes, the path of a model or an engine, or a loader of one of these.
    """

    def __init__(self, plugins: Sequence[Any] | None = None, obj: Any = None) -> None:
        self._plugins = paths(plugins or [], "plugins")
        self._obj = obj
        if obj is None:
            raise InputError(
                "plug-ins are loaded into the worker process of an engine. Give the network or the engine that needs "
                "them as obj"
            )

    def call_impl(self, *args: Any, **kwargs: Any) -> Any:
        made = self._obj
        if not isinstance(made, (Engine, InvokeFromScript)):
            made, _ = util.invoke_if_callable(made, *args, **kwargs)
        given: Settings = {"--plugins": [self._plugins]} if self._plugins else {}
        if isinstance(made, (Engine, bytes, bytearray, memoryview)):
            return engine_of(made).with_opening(given)
        if isinstance(made, (str, os.PathLike)):
            return PluginPath(os.fspath(made), merged(plugins_of(made), given))
        return parts_of(network_of(made).with_settings(given))


def load_plugins(plugins: Sequence[Any] | None = None, obj: Any = None, *args: Any, **kwargs: Any) -> Any:
    """Returns the network or the engine with these plug-ins. The arguments are those of :class:`LoadPlugins`."""
    return LoadPlugins(plugins, obj)(*args, **kwargs)


check_arguments(__name__)
