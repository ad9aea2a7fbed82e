"""Assay finds out why an ONNX model fails.

The modules have the names that users of Polygraphy know: ``assay.backend.onnxrt``, ``assay.backend.onnx``,
``assay.comparator``, ``assay.json`` and so on. Models run in worker processes, so an engine that crashes raises an
:class:`assay.EngineError` instead of ending the interpreter.

Importing this package is cheap: what a name needs is imported when the name is first used.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from assay.exception import EngineError, Error, InputError, ModelError, NotFoundError

__version__ = "0.1.0"

# The module that defines each name of the package.
_HOMES = {
    "EngineError": "assay.exception",
    "Error": "assay.exception",
    "InputError": "assay.exception",
    "ModelError": "assay.exception",
    "NotFoundError": "assay.exception",
}

__all__ = ["EngineError", "Error", "InputError", "ModelError", "NotFoundError", "__version__"]


def __getattr__(name: str) -> Any:
    home = _HOMES.get(name)
    if home is None:
        raise AttributeError(f"module 'assay' has no attribute '{name}'")
    value = getattr(importlib.import_module(home), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted(__all__)
