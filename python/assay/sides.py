"""The sides that calls compare or judge: engines with their settings, and the inputs that they run on."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any, Callable, Iterable, Iterator, Mapping, Sequence, Union

from assay.arguments import Size, Tolerance
from assay.backend.onnxrt import entry_text
from assay.common import TensorMetadata
from assay.comparator.data_loader import StreamingDataLoader, shapes_by_names
from assay.constants import DEFAULT_SEED
from assay.exception import InputError
from assay.model import PathLike
from assay.util import array as arrays

if TYPE_CHECKING:
    from assay._assay import NativeModel, _SideArguments
else:
    NativeModel = _SideArguments = Any  # importing the extension takes long

Engine = Union[str, tuple[str, Mapping[str, Any]]]
Inputs = Union[PathLike, Mapping[str, Any], Iterable[Mapping[str, Any]]]


def set_sides(
    arguments: _SideArguments,
    engines: Sequence[Engine],
    model: NativeModel,
    inputs: Inputs | None,
    input_shapes: Mapping[str, Sequence[int]] | None,
    seed: Size,
    rtol: Tolerance | None,
    atol: Tolerance | None,
) -> None:
    """Sets the engines, their inputs and the tolerances among the arguments of a call of the extension."""
    if inputs is not None and (input_shapes or seed != DEFAULT_SEED):
        raise InputError("input_shapes and seed are for generated inputs. Leave them out, or leave `inputs` out")
    if isinstance(inputs, (str, os.PathLike)):
        if not os.fspath(inputs):
            raise InputError("`inputs` is an empty path. Give the path of a file of inputs, or leave it out")
        arguments.inputs_file = os.fspath(inputs)
    elif inputs is not None:
        arguments.inputs = _iterations(inputs, model)
    arguments.input_shapes = {name: [int(size) for size in shape] for name, shape in (input_shapes or {}).items()}
    arguments.engines = [_engine(engine, inputs, arguments, model) for engine in engines]
    arguments.seed, arguments.rtol, arguments.atol = seed, rtol, atol


def _engine(
    engine: Engine, inputs: Inputs | None, arguments: _SideArguments, model: NativeModel
) -> tuple[str, dict[str, str]]:
    """Returns an engine as the extension takes it. TensorRT builds for the shapes of the inputs, if they are known."""
    name, settings = (engine, {}) if isinstance(engine, str) else engine
    if name == "trt":
        from assay.backend.trt.settings import encode_shapes, from_short_names

        return name, {**encode_shapes(_first_shapes(inputs, arguments, model)), **from_short_names(settings)}
    return name, dict(_settings(settings, entry_text if name == "onnxrt" else str))


def _first_shapes(inputs: Inputs | None, arguments: _SideArguments, model: NativeModel) -> dict[str, list[int]]:
    """Returns the shapes of the inputs of the first iteration; of generated ones, those that the user gave or that follow
    from them."""
    metadata = _metadata(model)
    if inputs is None:
        return shapes_by_names(metadata, arguments.input_shapes)
    if isinstance(inputs, (str, os.PathLike)):
        loader = StreamingDataLoader(inputs)
        loader.input_metadata = metadata
        first: Mapping[str, Any] = next(iter(loader))
    else:
        first = arguments.inputs[0]
    return {name: list(arrays.shape(array)) for name, array in first.items()}


def _settings(settings: Mapping[str, Any], entry_text: Callable[[Any], str]) -> Iterator[tuple[str, str]]:
    """Yields settings as they are written on the command line: a list with commas, and a dictionary as NAME.KEY."""
    for name, value in settings.items():
        if isinstance(value, Mapping):
            yield from ((f"{name}.{key}", entry_text(each)) for key, each in value.items())
        elif isinstance(value, (list, tuple)):
            yield name, ",".join(map(str, value))
        else:
            yield name, entry_text(value) if "." in name else str(value)


def _iterations(inputs: Any, model: NativeModel) -> list[dict[str, Any]]:
    """Returns the inputs of each iteration. A data loader that doesn't know the model's inputs learns them."""
    if isinstance(inputs, Mapping):
        return [numpy_arrays(inputs)]
    if getattr(inputs, "input_metadata", inputs) is None:
        inputs.input_metadata = _metadata(model)
    iterations = []
    for iteration in inputs:
        if not isinstance(iteration, Mapping):
            raise InputError(
                f"`inputs` must be dictionaries of arrays by name, as {{\"x\": array}}, but has a "
                f"{type(iteration).__name__}"
            )
        iterations.append(numpy_arrays(iteration))
    if not iterations:
        raise InputError("`inputs` has no iterations. A generator can be used only once: pass a list")
    return iterations


def numpy_arrays(inputs: Mapping[str, Any]) -> dict[str, Any]:
    """Returns the values, which may be tensors of PyTorch and the like, as arrays of NumPy."""
    return {name: arrays.to_numpy(value) for name, value in inputs.items()}


def _metadata(model: NativeModel) -> TensorMetadata:
    metadata = TensorMetadata()
    for name, dtype, shape in model.inputs():
        metadata.add(name, dtype or None, shape)
    return metadata
