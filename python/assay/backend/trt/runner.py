"""The runner of TensorRT."""

from __future__ import annotations

import os
from typing import Any

from assay import util
from assay.arguments import check_arguments
from assay.backend.base import Session, SessionRunner
from assay.backend.trt.engine import Engine, engine_of
from assay.backend.trt.profile import Profile
from assay.backend.trt.settings import Settings, absolute_path, check, words
from assay.common import TensorMetadata
from assay.exception import InputError


class TrtRunner(SessionRunner):
    """Runs an engine of TensorRT, in a worker process.

    Args:
        engine: An engine, or a callable that returns one, such as ``EngineFromNetwork(...)``: it is called when the
            runner is activated.
        name: The name of the runner. By default, "trt-runner", a number and the time.
        optimization_profile: The index of the profile to use. By default, the first one that takes the inputs.
        allocation_strategy: When memory for activations is allocated: "static" (the default), "profile" or "runtime".
        weight_streaming_budget: Bytes of the GPU's memory for weights of an engine that streams them; -1 for TensorRT's
            choice, -2 or None for all weights.
        weight_streaming_percent: The same, as a percentage of the weights that can be streamed.
        refit_from_onnx: The path of an ONNX model whose weights the engine gets: that from which an engine was built
            with ``strip_plan``, or a version of it with other weights, if the engine was built with ``refittable``.
        debug_listener: Must be None: runs return tensors that are marked for debugging like outputs.

    Raises:
        InputError: A value is impossible.
    """

    ENGINE = "trt"
    PREFIX = "trt-runner"

    def __init__(
        self,
        engine: Any,
        name: str | None = None,
        optimization_profile: int | None = None,
        allocation_strategy: str | None = None,
        weight_streaming_budget: int | None = None,
        weight_streaming_percent: float | None = None,
        debug_listener: Any = None,
        *,
        refit_from_onnx: str | os.PathLike[str] | None = None,
    ) -> None:
        super().__init__(engine, name)
        _refuse_listener(debug_listener)
        self._run = check(
            words(
                {
                    "--optimization-profile": optimization_profile,
                    "--allocation-strategy": allocation_strategy,
                    "--weight-streaming-budget": _budget(weight_streaming_budget, weight_streaming_percent),
                    "--refit-from-onnx": refit_from_onnx and absolute_path(refit_from_onnx, "refit_from_onnx"),
                }
            )
        )
        self._active_run: Settings = self._run
        self._engine: Engine | None = None  # while the runner is active

    @property
    def is_isolated(self) -> bool:
        """Whether the engine runs in another process."""
        return True

    def activate_impl(self) -> None:
        self._engine = engine_of(self._sess)
        self._active_run = self._run
        self.sess, self._owned = self._engine.open(self._run), True

    def deactivate_impl(self) -> None:
        super().deactivate_impl()
        self._engine = None

    def set_profile(self, index: int) -> None:
        """Opens the engine again with another optimisation profile, until the runner is deactivated.

        Args:
            index: The index of the profile.
        """
        self._must_be_active()
        assert self._engine is not None
        self._active_run = check({**self._run, **words({"--optimization-profile": index})})
        if isinstance(self.sess, Session):
            self.sess.close()
        self.sess = self._engine.open(self._active_run)
        self._checks = None

    def set_debug_listener(self, listener: Any) -> None:
        """Refuses a listener: the worker can't call it."""
        _refuse_listener(listener)

    def get_input_metadata_impl(self) -> TensorMetadata:
        """Returns the inputs; with the bounds of the profile, if it is known which one that is."""
        metadata = super().get_input_metadata_impl()
        assert self._engine is not None
        index = int(self._active_run.get("--optimization-profile", [["0"]])[0][0])
        profile = self._engine.profiles[index] if index < len(self._engine.profiles) else Profile()
        for name, declared in metadata.items():
            shapes = profile.shapes_of(name)
            if shapes is not None and declared.shape is not None and util.is_shape_dynamic(declared.shape):
                declared.shape.min, declared.shape.max = shapes.min, shapes.max
        return metadata

    def infer_impl(
        self,
        feed_dict: dict[str, Any],
        copy_outputs_to_host: bool | None = None,
        return_raw_buffers: bool | None = None,
    ) -> dict[str, Any]:
        """Runs the engine.

        Args:
            feed_dict: An array for each input, by name.
            copy_outputs_to_host: Must be True or None: the GPU's memory belongs to the worker.
            return_raw_buffers: Must be False or None.
        """
        if copy_outputs_to_host is False or return_raw_buffers:
            raise InputError(
                "the GPU's memory belongs to TensorRT's worker process, so outputs are always copied to the host. Leave "
                "copy_outputs_to_host and return_raw_buffers out"
            )
        return super().infer_impl(feed_dict)


def _budget(budget: int | None, percent: float | None) -> str | None:
    if budget is not None and percent is not None:
        raise InputError("weight_streaming_budget and weight_streaming_percent exclude each other. Give one of them")
    if percent is not None:
        return f"{percent}%"
    return None if budget is None else str(budget)


def _refuse_listener(listener: Any) -> None:
    if listener is not None:
        raise InputError(
            "TensorRT's worker process can't call a debug listener. Leave it out: runs return tensors that are marked "
            "for debugging like outputs"
        )


check_arguments(__name__)
