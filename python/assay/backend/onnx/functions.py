"""The functions of :mod:`assay.backend.onnx`. They convert arguments; the extension does the work."""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any, Mapping, Sequence, Union

from assay import constants
from assay.arguments import AnyModel, Count, Size, check_arguments
from assay.backend.onnx.kinds import Given, same_kind
from assay.exception import EngineError, Error, InputError, ModelError, NotFoundError
from assay.logger import G_LOGGER
from assay.model import Model, PathLike, called, serialize
from assay.tables import type_text

if TYPE_CHECKING:
    from assay._assay import NativeModel
else:
    NativeModel = Any  # importing the extension takes long

Boundary = tuple[str, Union[list[Union[int, str]], None], Union[str, None]]


def onnx_from_path(
    path: PathLike, external_data_dir: PathLike | None = None, ignore_external_data: bool | None = None
) -> Model:
    """Loads a model without reading its weights.

    Args:
        path: The path of the model.
        external_data_dir: The folder of its external data; by default, that of the model.
        ignore_external_data: Load the graph only. Files of weights needn't exist. False by default.

    Returns:
        The model, which can be used like an ``onnx.ModelProto``.

    Raises:
        NotFoundError: The file or its external data is missing.
        ModelError: The file isn't an ONNX model.
    """
    return Model(path, external_data_dir, bool(ignore_external_data))


def onnx_from_bytes(serialized_onnx: Any) -> Model:
    """Loads a model from the bytes of a serialized one, or from a callable that returns them."""
    given = called(serialized_onnx)
    if not isinstance(given, (bytes, bytearray, memoryview)):
        raise InputError(f"onnx_from_bytes() needs the bytes of a model, but got {type_text(given)}")
    return Model(bytes(given))


def bytes_from_onnx(model: AnyModel) -> bytes:
    """Returns the bytes of a model with all weights inside. They must be fewer than 2 GiB."""
    model = called(model)
    return serialize(model) if hasattr(type(model), "SerializeToString") else Given(model).model.to_bytes()


def save_onnx(
    model: AnyModel,
    path: PathLike,
    external_data_path: PathLike | None = None,
    size_threshold: Size | None = None,
    all_tensors_to_one_file: bool | None = None,
) -> Any:
    """Writes a model to a file, atomically, and returns the model.

    Args:
        model: A model.
        path: The path to write to; missing folders are created.
        external_data_path: Store large weights in this file in the same folder; "" chooses a name. By default (None),
            weights are stored in the model's file, unless it would then exceed 2 GiB; then they go to "NAME.data", with a
            warning.
        size_threshold: The number of bytes from which on a weight is large: 1024 by default.
        all_tensors_to_one_file: If False, each large weight gets a file of its own. True by default.
    """
    given = Given(model)
    threshold = 1024 if size_threshold is None else size_threshold
    given.model.save(path, external_data_path, threshold, all_tensors_to_one_file is not False)
    return given.original


@same_kind
def fold_constants(
    model: AnyModel,
    num_passes: Size | None = None,
    do_shape_inference: bool | None = None,
    partitioning: str | None = None,
    fold_shapes: bool | None = None,
    copy: bool | None = None,
    error_ok: bool | None = None,
    size_threshold: Size | None = None,
    allow_onnxruntime_shape_inference: bool | None = None,
) -> Any:
    """Replaces tensors that depend only on constants by their values. ONNX Runtime computes these, in a worker process.

    Args:
        model: A model.
        num_passes: The number of passes; by default, until a pass changes nothing.
        do_shape_inference: Infer shapes between passes. True by default.
        partitioning: What happens if a node can't be computed: "basic" leaves all connected nodes unfolded, "recursive"
            (also for None) only that node and those that need it.
        fold_shapes: Fold shapes that are known, too. True by default.
        copy: Accepted for compatibility: the argument is never changed.
        error_ok: If False, a node that can't be computed is an error. By default (True) it is a warning.
        size_threshold: Don't fold results of more bytes than this. No limit by default.
        allow_onnxruntime_shape_inference: Accepted for compatibility: shape inference is ONNX's.

    Raises:
        EngineError: A node can't be computed, and `error_ok` is False.
    """
    from assay import _assay

    if partitioning not in (None, "basic", "recursive"):
        raise InputError(f"partitioning must be None, 'basic' or 'recursive', but is {partitioning!r}")
    given = Given(model)
    try:
        folded = _assay.fold_constants(
            given.model.native,
            num_passes,
            partitioning == "basic",
            fold_shapes is not False,
            do_shape_inference is not False,
            size_threshold,
            error_ok is not False,
        )
    except (EngineError, NotFoundError, ModelError) as error:
        return _keep(given, error, error_ok, "Constants were not folded")
    return given.result(folded)


@same_kind
def modify_outputs(
    model: AnyModel,
    outputs: Sequence[str] | str | None = None,
    exclude_outputs: Sequence[str] | None = None,
    copy: bool | None = None,
    mark_types: Sequence[str] | None = None,
) -> Any:
    """Chooses the outputs of a model. They get types and shapes, as far as these can be inferred.

    Args:
        model: A model.
        outputs: Names of tensors, or patterns such as ``conv_*``, that become the outputs instead of the present ones.
            ``constants.MARK_ALL`` stands for all tensors of the graph.
        exclude_outputs: Names or patterns of tensors that don't become outputs.
        copy: Accepted for compatibility: the argument is never changed.
        mark_types: Operators, in upper or lower case, whose outputs become outputs, too. One that the model doesn't
            have is logged as an error, and ignored.

    Raises:
        NotFoundError: A name or pattern matches no tensor.
        InputError: `outputs` is an empty list, or one of the lists is a text.
    """
    from assay import _assay

    given = Given(model)
    if isinstance(outputs, str) and outputs != constants.MARK_ALL:  # its letters would be taken for names
        raise InputError(f"outputs must be a list of names, but is the string {outputs!r}")
    names = ["*"] if outputs == constants.MARK_ALL else list(outputs or [])
    if outputs is not None and not names and not mark_types:
        raise InputError("outputs is empty, but a model needs an output. Leave it out to keep the present outputs")
    native, types = given.model.native, _known_types(given.model, mark_types or [])
    if names or exclude_outputs or types:
        native = _assay.modify_outputs(native, names, types, list(exclude_outputs or []))
    return given.result(native)


@same_kind
def infer_shapes(
    model: AnyModel,
    error_ok: bool | None = None,
    external_data_dir: PathLike | None = None,
    save_to_disk_threshold_bytes: int | None = None,
    allow_onnxruntime: bool | None = None,
) -> Any:
    """Adds the types and shapes that follow from those of the inputs. Models of any size are fine.

    Args:
        model: A model.
        error_ok: If False, inference that fails is an error. By default (True) it is a warning, and the model is
            returned as it is.
        external_data_dir: The folder of the model's external data, if the model is given by its path.
        save_to_disk_threshold_bytes: Accepted for compatibility: large weights never pass through inference.
        allow_onnxruntime: Accepted for compatibility: shape inference is ONNX's.
    """
    from assay import _assay

    given = Given(model, external_data_dir)
    try:
        return given.result(_assay.infer_shapes(given.model.native))
    except ModelError as error:
        return _keep(given, error, error_ok, "Shapes were not inferred")


@same_kind
def extract_subgraph(
    model: AnyModel,
    input_metadata: Mapping[str, Any] | None = None,
    output_metadata: Mapping[str, Any] | None = None,
    check_meta: bool | None = None,
) -> Any:
    """Returns the nodes between some tensors, as a model.

    Args:
        model: A model, or an ONNX-GraphSurgeon graph.
        input_metadata: The inputs by name (``TensorMetadata``), each with `dtype` and `shape`. By default, those of the
            model. What is None is found by inference or else by running the model.
        output_metadata: Likewise for the outputs. Their shapes may be None.
        check_meta: Accepted for compatibility: metadata may always be incomplete.

    Raises:
        NotFoundError: The graph has no tensor of that name.
        ModelError: The outputs need tensors that no input supplies.
        InputError: There is no such element type.
    """
    from assay import _assay

    given = Given(model)
    inputs, outputs = _boundaries(input_metadata), _boundaries(output_metadata)
    return given.result(_assay.extract_subgraph(given.model.native, inputs, outputs))


@same_kind
def convert_to_fp16(model: AnyModel, copy: bool | None = None) -> Any:
    """Converts all float32 tensors inside of a model to float16. Inputs and outputs stay float32.

    Operands that ONNX doesn't allow in float16 stay float32. Weights that don't fit become the largest or smallest
    float16 number of their sign.

    Args:
        model: A model.
        copy: Accepted for compatibility: the argument is never changed.
    """
    from assay import _assay

    given = Given(model)
    return given.result(_assay.convert_to_float16(given.model.native))


@same_kind
def set_upper_bound(model: AnyModel, upper_bounds: Count | Mapping[str, Count], copy: bool | None = None) -> Any:
    """Limits tensors that decide the size of other tensors and that nothing bounds, and others that are named, each with a
    Min.

    Args:
        model: A model with folded constants. Its shapes are inferred.
        upper_bounds: The limit in elements for all of them, or limits by tensor; the key "" stands for all others.
        copy: Accepted for compatibility: the argument is never changed.
    """
    from assay import _assay

    given = Given(model)
    bounds: Any = {"": upper_bounds} if hasattr(upper_bounds, "__index__") else upper_bounds
    integers = {name: int(bound) for name, bound in dict(bounds).items()}
    return given.result(_assay.set_upper_bound(with_shapes(given.model), integers))


def gs_from_onnx(model: AnyModel) -> Any:
    """Returns an ONNX-GraphSurgeon graph of a model. The package onnx_graphsurgeon must be installed."""
    try:
        gs: Any = importlib.import_module("onnx_graphsurgeon")
    except ImportError as error:
        raise NotFoundError("onnx_graphsurgeon isn't installed. Run: pip install onnx-graphsurgeon onnx") from error
    model = called(model)
    is_message = type(model) is not Model and hasattr(type(model), "SerializeToString")
    return gs.import_onnx(model if is_message else Given(model).model.to_proto())


def onnx_from_tf_graph(graph: Any, opset: int | None = None, optimize: bool | None = None) -> Any:
    """Not available: Assay doesn't convert TensorFlow models. Raises an error that says what to use instead."""
    raise Error("Assay doesn't convert TensorFlow graphs. Convert the model with tf2onnx, and load the result")


def _keep(given: Given, error: Error, error_ok: bool | None, what: str) -> Any:
    """Returns the model unchanged, with a warning, or raises the error if errors aren't to be ignored."""
    if error_ok is False:
        raise error
    G_LOGGER.warning(f"{what}: {error}")
    return given.result(given.model.native)


def with_shapes(model: Model) -> NativeModel:
    """Returns a model with inferred shapes, as far as they can be inferred."""
    from assay import _assay

    try:
        return _assay.infer_shapes(model.native)
    except ModelError:
        return model.native


def _known_types(model: Model, types: Sequence[str]) -> list[str]:
    known = {node.op_type.lower(): node.op_type for node in model.nodes}
    missing = [name for name in types if name.lower() not in known]
    if missing:
        G_LOGGER.error(f"The model has no nodes of the types {missing}. It has {sorted(known.values())}")
    return [name for name in types if name.lower() in known]


def _boundaries(metadata: Mapping[str, Any] | None) -> list[Boundary] | None:
    if metadata is None:
        return None
    boundaries: list[Boundary] = []
    for name, meta in metadata.items():
        try:
            dtype, shape = meta
            boundaries.append((name, _shape(shape), _dtype(dtype)))
        except (TypeError, ValueError):
            raise InputError(
                f"the metadata of '{name}' must be its element type and its shape, but is {meta!r}. Use "
                "TensorMetadata().add(name, dtype, shape); dtype and shape may be None"
            ) from None
    return boundaries


def _shape(shape: Any) -> list[int | str] | None:
    if shape is None:
        return None
    return [size if isinstance(size, str) else -1 if size is None else int(size) for size in shape]


def _dtype(dtype: Any) -> str | None:
    if dtype is None or isinstance(dtype, str):
        return dtype
    if isinstance(getattr(dtype, "name", None), str):  # a NumPy dtype, or a DataType
        return str(dtype.name).lower()
    import numpy

    return str(numpy.dtype(dtype).name)


check_arguments(__name__)
