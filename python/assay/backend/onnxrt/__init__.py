"""ONNX Runtime, in a worker process."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping, Sequence
from typing import Any, Union

from assay.arguments import AnyModel, Seconds, Size, check_arguments
from assay.backend.base import BaseLoader, Session, SessionRunner
from assay.exception import InputError
from assay.model import PathLike

__all__ = ["OnnxrtRunner", "SessionFromOnnx", "session_from_onnx"]

Provider = Union[str, tuple[str, Mapping[str, Any]]]


class OnnxrtSession(Session):
    """A model in ONNX Runtime. ``isinstance(session, onnxruntime.InferenceSession)`` holds, for programs that check it."""

    @property  # type: ignore[misc]
    def __class__(self) -> Any:
        onnxruntime = sys.modules.get("onnxruntime")
        return OnnxrtSession if onnxruntime is None else onnxruntime.InferenceSession

    def __dir__(self) -> list[str]:  # completion would offer what InferenceSession has
        return dir(OnnxrtSession)

    def get_providers(self) -> list[str]:
        """Returns the execution providers that were requested, by their full names where these are known."""
        names = {"cpu": "CPUExecutionProvider", "cuda": "CUDAExecutionProvider"}
        wanted = self._options.get("providers", "cpu").split(",")
        return [names.get(name.lower(), name) for name in wanted]


class SessionFromOnnx(BaseLoader):
    """Loads a model into ONNX Runtime when it is called.

    Args:
        model_bytes: A path, the bytes of a model, an ``onnx.ModelProto``, an ``assay.Model``, or a callable that returns
            one of these.
        providers: Execution providers, tried in this order; part of a name is enough. By default, ["cpu"]. A pair of a
            name and a dictionary sets options of the provider: ``("cuda", {"device_id": 1})``.
        graph_optimization_level: "ORT_DISABLE_ALL", "ORT_ENABLE_BASIC", "ORT_ENABLE_EXTENDED", "ORT_ENABLE_LAYOUT" or
            "ORT_ENABLE_ALL" (the default), or such a value of ``onnxruntime.GraphOptimizationLevel``.
        threads: Threads within an operator; by default, ONNX Runtime's choice.
        custom_ops: Libraries of custom operators, which export ``RegisterCustomOps``.
        session_config: Entries of the session's configuration: ``{"session.intra_op.allow_spinning": 0}``.
        time_limit: Seconds for loading, and for each run; None if unlimited.
        memory_limit: Bytes of memory for the worker; None if unlimited.
    """

    def __init__(
        self,
        model_bytes: AnyModel,
        providers: Sequence[Provider] | None = None,
        graph_optimization_level: Any = None,
        *,
        threads: Size | None = None,
        custom_ops: Sequence[PathLike] | None = None,
        session_config: Mapping[str, Any] | None = None,
        time_limit: Seconds | None = None,
        memory_limit: Size | None = None,
    ) -> None:
        self._model = model_bytes
        self._options = _options(providers, graph_optimization_level, threads, session_config)
        if custom_ops is not None:
            self._options["custom_ops"] = ",".join(os.fspath(library) for library in custom_ops)
        self._time_limit = time_limit
        self._memory_limit = memory_limit

    def call_impl(self) -> OnnxrtSession:
        return OnnxrtSession("onnxrt", self._model, self._options, self._time_limit, self._memory_limit)


def _options(
    providers: Sequence[Provider] | None, level: Any, threads: int | None, config: Mapping[str, Any] | None
) -> dict[str, str]:
    options = {f"config.{key}": entry_text(value) for key, value in (config or {}).items()}
    if providers is not None:
        pairs = [(provider, {}) if isinstance(provider, str) else provider for provider in providers]
        options["providers"] = ",".join(str(name) for name, _ in pairs)
        options |= {f"provider_options.{name}.{key}": str(value) for name, own in pairs for key, value in own.items()}
    if level is not None:
        options["graph_optimization_level"] = _level_name(level)
    if threads is not None:
        options["intra_op_threads"] = str(threads)
    return options


def entry_text(value: Any) -> str:
    """Returns the value of an entry of a session's configuration. ONNX Runtime takes any other text than "1" for false."""
    return str(int(value)) if isinstance(value, bool) else str(value)


def _level_name(level: Any) -> str:
    name = level if isinstance(level, str) else getattr(level, "name", None)
    if not isinstance(name, str):
        raise InputError(
            f"graph_optimization_level must be a name, but is {level!r}. Give one such as 'ORT_DISABLE_ALL', or a value "
            "of onnxruntime.GraphOptimizationLevel"
        )
    return name


def session_from_onnx(
    model_bytes: AnyModel, providers: Sequence[Provider] | None = None, graph_optimization_level: Any = None, **options: Any
) -> OnnxrtSession:
    """Loads a model into ONNX Runtime now. The arguments are those of :class:`SessionFromOnnx`."""
    return SessionFromOnnx(model_bytes, providers, graph_optimization_level, **options).call_impl()


class OnnxrtRunner(SessionRunner):
    """Runs a model in ONNX Runtime.

    Args:
        sess: A loader or a session of :class:`SessionFromOnnx`, or a model that is loaded with its defaults. An
            ``onnxruntime.InferenceSession`` runs in this process.
        name: The name of the runner. By default, "onnxrt-runner", a number and the time.
    """

    ENGINE = "onnxrt"
    PREFIX = "onnxrt-runner"


check_arguments(__name__)
