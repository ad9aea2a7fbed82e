"""The interface of everything that runs a model."""

from __future__ import annotations

import contextlib
import copy
import time
from collections import defaultdict
from collections.abc import Mapping
from typing import Any, TypeVar

from assay import util
from assay.arguments import check_arguments
from assay.common import TensorMetadata
from assay.datatype import DataType
from assay.exception import Error, InputError
from assay.logger import G_LOGGER
from assay.tables import type_text
from assay.util import array as arrays

_Self = TypeVar("_Self", bound="BaseRunner")


class BaseRunner:
    """Runs a model. Derive from it to compare your own engine with others.

    A subclass defines ``infer_impl`` and ``get_input_metadata_impl`` and, if it has to prepare and release something,
    ``activate_impl`` and ``deactivate_impl``. ``infer_impl`` stores the seconds that the model took in
    ``inference_time``.

    Args:
        name: The name of the runner, by which results refer to it. By default, ``prefix``, a number and the time.
        prefix: The start of that default.

    Attributes:
        name: The name.
        is_active: Whether the runner is activated.
        inference_time: Seconds of the last run, or None.
    """

    RUNNER_COUNTS: dict[str, int] = defaultdict(int)

    def __init__(self, name: str | None = None, prefix: str | None = None) -> None:
        prefix = util.default(prefix, "Runner")
        if name is None:
            number = self.RUNNER_COUNTS[prefix]
            self.RUNNER_COUNTS[prefix] += 1
            name = f"{prefix}-N{number}-{time.strftime('%x')}-{time.strftime('%X')}"
        self.name = name
        self.is_active = False
        self.inference_time: float | None = None
        self._checks: list[tuple[str, Any, Any]] | None = None

    def __enter__(self: _Self) -> _Self:
        self.activate()
        return self

    def __exit__(self, *_: object) -> None:
        self.deactivate()

    def activate_impl(self) -> None:
        """Prepares the runner."""

    def activate(self) -> None:
        """Prepares the runner: loads its model, starts its engine. ``with runner:`` also deactivates it at the end."""
        if self.is_active:
            G_LOGGER.warning(f"{self.name:35} | Already active; will not activate again")
            return
        self.inference_time = None
        self._checks = None
        try:
            self.activate_impl()
        except BaseException:
            with contextlib.suppress(Exception):
                self.deactivate_impl()
            raise
        self.is_active = True

    def get_input_metadata_impl(self) -> TensorMetadata:
        """Returns the declarations of the model's inputs."""
        raise NotImplementedError(f"{type(self).__name__} must define get_input_metadata_impl()")

    def get_input_metadata(self, use_numpy_dtypes: bool | None = None) -> TensorMetadata:
        """Returns the declarations of the model's inputs: names, element types and shapes.

        Args:
            use_numpy_dtypes: Whether element types are ``numpy.dtype`` instead of :class:`assay.datatype.DataType`, which
                equals them. False by default.
        """
        self._must_be_active()
        metadata = self.get_input_metadata_impl()
        return _with_numpy_dtypes(metadata) if use_numpy_dtypes else metadata

    def infer_impl(self, feed_dict: dict[str, Any]) -> dict[str, Any]:
        """Runs the model once.

        Args:
            feed_dict: An array for each input, by name. They fit what ``get_input_metadata`` declares, unless the caller
                has turned that check off.

        Returns:
            An array for each output, by name.
        """
        raise NotImplementedError(f"{type(self).__name__} must define infer_impl()")

    def infer(self, feed_dict: dict[str, Any], check_inputs: bool = True, *args: Any, **kwargs: Any) -> dict[str, Any]:
        """Runs the model.

        Args:
            feed_dict: An array for each input, by name.
            check_inputs: Whether to check names, element types and shapes first.

        Returns:
            An array for each output, by name. The runners of this package return new arrays each time. Your own runner may
            return the same ones: ``Comparator.run`` copies them if it runs the model again.

        Raises:
            Error: The runner isn't active.
            InputError: The arrays don't fit the model's inputs, or ``infer_impl`` returns something else than a dictionary.
            EngineError: The engine failed.
        """
        self._must_be_active()
        if check_inputs:
            self._check(feed_dict)
        outputs = self.infer_impl(feed_dict, *args, **kwargs)
        if not isinstance(outputs, Mapping):
            raise InputError(
                f"{self.name:35} | infer_impl() returned {type_text(outputs)}, but must return a dictionary with an array for "
                "each output"
            )
        return outputs

    def last_inference_time(self) -> float | None:
        """Returns the seconds that the model took in the last run; None, with a warning, if it is unknown."""
        if self.inference_time is None:
            G_LOGGER.warning(f"{self.name:35} | The time of the last run is unknown")
        return self.inference_time

    def deactivate_impl(self) -> None:
        """Releases what ``activate_impl`` prepared."""

    def deactivate(self) -> None:
        """Releases the model and the engine. May be called at any time, more than once."""
        if not self.is_active:
            return
        self.is_active = False
        self.deactivate_impl()

    def _must_be_active(self) -> None:
        if not self.is_active:
            raise Error(f"{self.name:35} | Must be activated first: call activate(), or use it in a `with` statement")

    def _check(self, feed_dict: dict[str, Any]) -> None:
        if self._checks is None:
            metadata = self.get_input_metadata()
            self._checks = [(name, meta.dtype, meta.shape) for name, meta in metadata.items()]
        names = [name for name, _, _ in self._checks]
        if feed_dict.keys() != set(names):
            util.check_names(list(feed_dict), names, "the feed_dict")
        for name, dtype, shape in self._checks:
            array = feed_dict[name]
            if not hasattr(array, "dtype"):
                raise InputError(
                    f"Input tensor: {name} | Expected an array, but got {type_text(array)}: "
                    "convert it with numpy.array()"
                )
            if dtype is not None and getattr(array.dtype, "name", None) != dtype.name and DataType.from_dtype(array.dtype) != dtype:
                raise InputError(
                    f"Input tensor: {name} | Received unexpected dtype. Expected {dtype}, but got {array.dtype}: "
                    "cast the array, or load a model of that type"
                )
            # An empty shape is that of a scalar or of a tensor of unknown rank: engines don't distinguish them.
            given = arrays.shape(array)
            if shape and not util.is_valid_shape_override(given, shape):
                raise InputError(
                    f"Input tensor: {name} | Received incompatible shape. Expected {tuple(shape)}, but got {given}"
                )

    def __repr__(self) -> str:
        return f"{type(self).__name__}(name={self.name!r})"


def _with_numpy_dtypes(metadata: TensorMetadata) -> TensorMetadata:
    """Returns the same declarations with other types. The given object belongs to the runner, which may use it again."""
    changed = TensorMetadata()
    for name, declared in metadata.items():
        changed[name] = copy.copy(declared)
        changed[name].dtype = None if declared.dtype is None else declared.dtype.numpy()
    return changed


check_arguments(__name__)
