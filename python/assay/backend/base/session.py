"""A model loaded in a worker process, and the runner for it.

The worker runs the engine, so a crash is an EngineError here. Arrays pass in shared memory: an input is copied into it
once, and outputs are views of it.
"""

from __future__ import annotations

import os
from collections import OrderedDict
from dataclasses import dataclass
from typing import Any, TypeVar

from assay import util
from assay.arguments import Seconds, Size, check_arguments
from assay.backend.base.runner import BaseRunner
from assay.common import TensorMetadata
from assay.exception import ArgumentError, DataTypeConversionException, InputError, NotFoundError
from assay.model import called
from assay.tables import type_text
from assay.util import array as arrays

_Self = TypeVar("_Self", bound="Session")


@dataclass(frozen=True)
class Port:
    """An input or output of a session.

    Attributes:
        name: Its name.
        dtype: Its element type: "float32"; "" if it isn't a tensor.
        shape: Its dimensions: a number, or a symbol or -1 if it is unknown before a run.
        type: The type as ONNX Runtime spells it: "tensor(float)", "sequence(tensor(float))".
    """

    name: str
    dtype: str
    shape: tuple[int | str, ...]
    type: str


def model_source(model: Any) -> tuple[str | bytes, str]:
    """Returns a model as a path, or as bytes and the folder of its external data.

    Args:
        model: A path, bytes, an ``onnx.ModelProto``, an ``assay.Model``, what PyTorch's exporter returns, or a callable that
            returns one of these.
    """
    model = model if hasattr(type(model), "SerializeToString") else called(model)
    if hasattr(type(model), "engine_source"):  # an assay.Model, whose large weights stay in their files
        source: tuple[str | bytes, str] = model.engine_source()
        return source
    if isinstance(model, (str, os.PathLike)):
        path = os.path.abspath(os.fspath(model))
        if not os.path.exists(path):
            raise NotFoundError(f"there is no model {path}. Check the path")
        return path, ""
    if isinstance(model, (bytes, bytearray, memoryview)):
        return bytes(model), ""
    if hasattr(model, "SerializeToString"):
        return model.SerializeToString(), ""
    raise ArgumentError(f"a model must be a path, bytes, an onnx.ModelProto or an assay.Model, but this is {type_text(model)}")


_loads = 0
_last_loads: dict[tuple[str, str], int] = {}


def note_engine(name: str, version: str) -> None:
    """Remembers that an engine has loaded a model."""
    global _loads
    _loads += 1
    _last_loads[name, version] = _loads


def loads_so_far() -> int:
    """Returns how often engines have loaded models in this process."""
    return _loads


def engines_since(loads: int) -> list[tuple[str, str]]:
    """Returns the engines, with their versions, that have loaded a model since there were so many loads."""
    return [engine for engine, last in _last_loads.items() if last > loads]


class Session:
    """A model in an engine. It has the methods of ``onnxruntime.InferenceSession`` that most programs use. ``with session:``
    closes it at the end.

    Several threads may use a session at once: a worker answers one at a time, and the others wait without the GIL.
    KeyboardInterrupt during a call ends the worker; the session can't be used any more then. A forked process can't use the
    session either.

    Args:
        runner: The engine: "onnxrt", "openvino", "reference", "trt".
        model: What :func:`model_source` accepts.
        options: Options of the engine, by the names of its worker.
        time_limit: Seconds for loading, and for each run; None if unlimited. An engine that takes longer is killed.
        memory_limit: Bytes of memory for the worker; None if unlimited.

    Raises:
        NotFoundError: The model or the engine is missing.
        EngineError: The engine can't load the model.
    """

    def __init__(
        self,
        runner: str,
        model: Any,
        options: dict[str, str] | None = None,
        time_limit: Seconds | None = None,
        memory_limit: Size | None = None,
    ) -> None:
        from assay import _assay

        source, folder = model_source(model)
        self._options = dict(options or {})
        self._session = _assay.Session(runner, self._options, source, folder, time_limit, memory_limit)
        self._not_tensors = [name for name, _, _, kind in self._session.outputs if kind != "tensor"]
        symbols = self._symbols(source)
        self._inputs = [_port(port, symbols) for port in self._session.inputs]
        self._outputs = [_port(port, symbols) for port in self._session.outputs]
        note_engine(self.engine_name, self.engine_version)

    def run(self, output_names: list[str] | None, input_feed: dict[str, Any], run_options: Any = None) -> list[Any]:
        """Runs the model.

        Args:
            output_names: The outputs to return, in this order; None for all, if all are tensors.
            input_feed: An array for each input, by name.
            run_options: Must be None.

        Returns:
            An array for each output. They belong to the caller.

        Raises:
            EngineError: The engine failed, or the arrays don't fit the model.
        """
        if run_options is not None:
            raise InputError("run_options has no effect in a worker process: pass None")
        if not output_names and self._not_tensors:
            tensors = [name for name, _, _, kind in self._session.outputs if kind == "tensor"]
            raise InputError(
                f"the outputs {self._not_tensors} aren't tensors, and only tensors can be returned. Give the names of the "
                f"outputs to return, which may be {tensors}"
            )
        outputs, _ = self._session.infer(input_feed, output_names or None)
        return list(outputs.values())

    def infer(self, feed_dict: dict[str, Any]) -> tuple[dict[str, Any], float]:
        """Runs the model.

        Args:
            feed_dict: An array for each input, by name.

        Returns:
            All outputs that are tensors by name, and the seconds that the inference call took in the worker.
        """
        return self._session.infer(feed_dict)

    def get_inputs(self) -> list[Port]:
        """Returns the inputs of the model."""
        return self._inputs

    def get_outputs(self) -> list[Port]:
        """Returns the outputs of the model."""
        return self._outputs

    @property
    def engine_name(self) -> str:
        """The name of the engine: "ONNX Runtime"."""
        return self._session.engine_name

    @property
    def engine_version(self) -> str:
        """The version of the engine: "1.31.1"."""
        return self._session.engine_version

    def close(self) -> None:
        """Unloads the model. The worker stays ready for the next one."""
        self._session.close()

    def __enter__(self: _Self) -> _Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __reduce__(self) -> tuple[Any, ...]:
        raise InputError(
            "an open session can't be copied or pickled: its model is loaded in a worker of this process. Pass on the callable "
            "that opens it, such as SessionFromOnnx(...), or a runner before it is activated"
        )

    def __repr__(self) -> str:
        ports = [", ".join(f"{port.name}: {port.type}" for port in each) for each in (self._inputs, self._outputs)]
        return f"<{type(self).__name__} in {self.engine_name} {self.engine_version}: ({ports[0]}) -> ({ports[1]})>"

    def _symbols(self, source: str | bytes) -> dict[str, tuple[int | str, ...]]:
        """Returns the shapes that the model declares: engines report only that a dimension is unknown, not its symbol."""
        known = all(min(port[2], default=0) >= 0 for port in self._session.inputs + self._session.outputs)
        if known:
            return {}
        from assay import _assay

        return {name: tuple(shape) for name, shape in _assay.declared_shapes(source).items()}


def _port(port: tuple[str, str, list[int], str], symbols: dict[str, tuple[int | str, ...]]) -> Port:
    name, dtype, shape, kind = port
    declared = symbols.get(name, ())
    if len(declared) == len(shape):
        dims = tuple(symbol if dim < 0 else dim for dim, symbol in zip(shape, declared))
    else:
        dims = tuple(-1 if dim < 0 else dim for dim in shape)
    types = {"float32": "float", "float64": "double"}
    return Port(name, dtype, dims, f"tensor({types.get(dtype, dtype)})" if kind == "tensor" else kind)


def _as_tensor(array: Any) -> Any:
    """Returns an array as a tensor of PyTorch; as it is if PyTorch has no such type, such as strings."""
    try:
        return arrays.to_torch(array)
    except (TypeError, DataTypeConversionException):
        return array


def _is_foreign_session(obj: Any) -> bool:
    """Returns whether an object runs a model in this process, as ``onnxruntime.InferenceSession`` does."""
    return hasattr(type(obj), "get_inputs") and not issubclass(type(obj), Session)


class SessionRunner(BaseRunner):
    """Runs a session. Subclasses are the runners of the engines.

    Args:
        sess: A session, a model as :func:`model_source` takes it, or a callable that returns one of these, which is called
            when the runner is activated. It may also be an ``onnxruntime.InferenceSession``, which then runs in this
            process.
        name: The name of the runner.
    """

    ENGINE = ""  # the engine of the sessions that it opens itself
    PREFIX = "runner"

    @property
    def is_isolated(self) -> bool:
        """Whether the engine runs in another process."""
        return not _is_foreign_session(self._sess)

    def __init__(self, sess: Any, name: str | None = None) -> None:
        super().__init__(name=name, prefix=self.PREFIX)
        self._sess = sess
        self._owned = False
        self.sess: Any = None

    def activate_impl(self) -> None:
        self.sess, self._owned = called(self._sess), callable(self._sess)
        if not issubclass(type(self.sess), Session) and not _is_foreign_session(self.sess):
            self.sess, self._owned = Session(self.ENGINE, self.sess), True

    def __getstate__(self) -> dict[str, Any]:
        if self.is_active:
            raise InputError(
                f"{self.name:35} | A runner can't be copied or pickled while it is active, since its engine has loaded "
                "the model. Call deactivate() first, and activate the copy where it is used"
            )
        return vars(self)

    def deactivate_impl(self) -> None:
        if self._owned and isinstance(self.sess, Session):
            self.sess.close()
        self.sess = None

    def get_input_metadata_impl(self) -> TensorMetadata:
        metadata = TensorMetadata()
        for port in self.sess.get_inputs():
            dtype = port.dtype if isinstance(port, Port) else port.type
            metadata.add(port.name, dtype or None, port.shape)
        return metadata

    def infer_impl(self, feed_dict: dict[str, Any]) -> dict[str, Any]:
        sess = self.sess
        of_torch = any(map(util.is_torch, feed_dict.values()))
        if of_torch:
            feed_dict = {name: arrays.to_numpy(array) for name, array in feed_dict.items()}
        if isinstance(sess, Session):
            outputs, self.inference_time = sess.infer(feed_dict)
        else:
            outputs = self._run_here(feed_dict)
        if of_torch:
            outputs = {name: _as_tensor(array) for name, array in outputs.items()}
        return OrderedDict(outputs)  # some programs use the methods that only an OrderedDict has

    def _run_here(self, feed_dict: dict[str, Any]) -> dict[str, Any]:
        import time

        start = time.perf_counter()
        outputs = self.sess.run(None, feed_dict)
        self.inference_time = time.perf_counter() - start
        return {port.name: array for port, array in zip(self.sess.get_outputs(), outputs)}


check_arguments(__name__)
