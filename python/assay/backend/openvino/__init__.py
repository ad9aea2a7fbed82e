"""OpenVINO, in a worker process."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from assay.arguments import AnyModel, Seconds, Size, check_arguments
from assay.backend.base import BaseLoader, Session, SessionRunner

__all__ = ["OpenvinoRunner", "SessionFromOnnx", "session_from_onnx"]


class SessionFromOnnx(BaseLoader):
    """Loads a model into OpenVINO when it is called.

    Args:
        model: A path, the bytes of a model, an ``onnx.ModelProto``, an ``assay.Model``, or a callable that returns one
            of these.
        device: The device that runs the model.
        config: Properties of the device, such as {"INFERENCE_PRECISION_HINT": "f32"}.
        time_limit: Seconds for loading, and for each run; None if unlimited.
        memory_limit: Bytes of memory for the worker; None if unlimited.
    """

    def __init__(
        self,
        model: AnyModel,
        device: str = "CPU",
        config: Mapping[str, Any] | None = None,
        *,
        time_limit: Seconds | None = None,
        memory_limit: Size | None = None,
    ) -> None:
        self._model = model
        self._options = {"device": device, **{f"config.{key}": str(value) for key, value in (config or {}).items()}}
        self._time_limit = time_limit
        self._memory_limit = memory_limit

    def call_impl(self) -> Session:
        return Session("openvino", self._model, self._options, self._time_limit, self._memory_limit)


def session_from_onnx(model: AnyModel, *args: Any, **kwargs: Any) -> Session:
    """Loads a model into OpenVINO now. The arguments are those of :class:`SessionFromOnnx`."""
    return SessionFromOnnx(model, *args, **kwargs).call_impl()


class OpenvinoRunner(SessionRunner):
    """Runs a model in OpenVINO.

    Args:
        sess: A loader or a session of :class:`SessionFromOnnx`, or a model that is loaded with its defaults.
        name: The name of the runner. By default, "openvino-runner", a number and the time.
    """

    ENGINE = "openvino"
    PREFIX = "openvino-runner"


check_arguments(__name__)
