"""Engines, and functions that load, change and save what they run: a module for each."""

from __future__ import annotations

import importlib

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from assay.backend import base, common, onnx, onnxrt, openvino, pluginref, reference, trt

_MODULES = ("base", "common", "onnx", "onnxrt", "openvino", "pluginref", "reference", "trt")


def __getattr__(name: str) -> Any:
    if name in _MODULES:
        return importlib.import_module(f"assay.backend.{name}")
    raise AttributeError(f"module 'assay.backend' has no attribute '{name}'")


def __dir__() -> list[str]:
    return sorted(_MODULES)
