"""Assay finds out why an ONNX model fails.

The modules have the names that users of Polygraphy know: ``assay.backend.onnxrt``, ``assay.backend.onnx``,
``assay.comparator``, ``assay.json`` and so on. Models run in worker processes, so an engine that crashes raises an
:class:`assay.EngineError` instead of ending the interpreter.

Importing this package is cheap: what a name needs is imported when the name is first used.
"""

from __future__ import annotations

import importlib

TYPE_CHECKING = False  # as in the module typing, whose import takes longer than the rest of this file
if TYPE_CHECKING:
    from typing import Any

    from assay import backend, common, comparator, constants, datatype, exception, func, json, logger, mod, pytorch, util
    from assay.diagnosis import Diagnosis, diagnose
    from assay.difference import ModelDiff, diff
    from assay.exception import EngineError, Error, InputError, ModelError, NotFoundError
    from assay.inspection import Inspection, inspect
    from assay.location import Location, locate
    from assay.mixed_precision import MixedPrecision, precision
    from assay.model import Model
    from assay.reduction import Reduction, reduce

__version__ = "0.1.0"

# The module that defines each name of the package.
_HOMES = {
    "Diagnosis": "assay.diagnosis",
    "EngineError": "assay.exception",
    "Error": "assay.exception",
    "InputError": "assay.exception",
    "Inspection": "assay.inspection",
    "Location": "assay.location",
    "MixedPrecision": "assay.mixed_precision",
    "Model": "assay.model",
    "ModelDiff": "assay.difference",
    "ModelError": "assay.exception",
    "NotFoundError": "assay.exception",
    "Reduction": "assay.reduction",
    "diagnose": "assay.diagnosis",
    "diff": "assay.difference",
    "inspect": "assay.inspection",
    "locate": "assay.location",
    "precision": "assay.mixed_precision",
    "reduce": "assay.reduction",
}

__all__ = [
    "Diagnosis",
    "EngineError",
    "Error",
    "InputError",
    "Inspection",
    "Location",
    "MixedPrecision",
    "Model",
    "ModelDiff",
    "ModelError",
    "NotFoundError",
    "Reduction",
    "__version__",
    "diagnose",
    "diff",
    "inspect",
    "locate",
    "precision",
    "reduce",
]

# Modules that completion offers, and that needn't be imported by name.
_MODULES = (
    "backend",
    "common",
    "comparator",
    "constants",
    "datatype",
    "exception",
    "func",
    "json",
    "logger",
    "mod",
    "pytorch",
    "util",
)


def __getattr__(name: str) -> Any:
    if name in _MODULES:
        return importlib.import_module(f"assay.{name}")
    home = _HOMES.get(name)
    if home is None:
        raise AttributeError(f"module 'assay' has no attribute '{name}'")
    value = getattr(importlib.import_module(home), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted([*__all__, *_MODULES])
