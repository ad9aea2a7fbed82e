"""The reference evaluator of the Python package onnx, in a worker process.

It computes every operator as the standard defines it, slowly, and needs the package onnx in the running interpreter.
"""

from __future__ import annotations

from typing import Any

from assay.arguments import AnyModel, Seconds, Size, check_arguments
from assay.backend.base import BaseLoader, Session, SessionRunner

__all__ = ["ReferenceRunner", "SessionFromOnnx", "session_from_onnx"]


class SessionFromOnnx(BaseLoader):
    """Loads a model into the reference evaluator when it is called.

    Args:
        model: A path, the bytes of a model, an ``onnx.ModelProto``, an ``assay.Model``, or a callable that returns one
            of these.
        time_limit: Seconds for loading, and for each run; None if unlimited.
        memory_limit: Bytes of memory for the worker; None if unlimited.
    """

    def __init__(self, model: AnyModel, *, time_limit: Seconds | None = None, memory_limit: Size | None = None) -> None:
        self._model = model
        self._time_limit = time_limit
        self._memory_limit = memory_limit

    def call_impl(self) -> Session:
        return Session("reference", self._model, {}, self._time_limit, self._memory_limit)


def session_from_onnx(model: AnyModel, *args: Any, **kwargs: Any) -> Session:
    """Loads a model into the reference evaluator now. The arguments are those of :class:`SessionFromOnnx`."""
    return SessionFromOnnx(model, *args, **kwargs).call_impl()


class ReferenceRunner(SessionRunner):
    """Runs a model in the reference evaluator.

    Args:
        sess: A loader or a session of :class:`SessionFromOnnx`, or a model that is loaded with its defaults.
        name: The name of the runner. By default, "reference-runner", a number and the time.
    """

    ENGINE = "reference"
    PREFIX = "reference-runner"


check_arguments(__name__)
