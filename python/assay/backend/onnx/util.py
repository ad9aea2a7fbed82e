"""Facts about models."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from assay.arguments import AnyModel, check_arguments
from assay.backend.onnx.functions import with_shapes
from assay.backend.onnx.kinds import Given
from assay.common import TensorMetadata
from assay.datatype import DataType, DataTypeEntry


def get_input_metadata(graph: Any) -> TensorMetadata:
    """Returns the declarations of the inputs of an ``onnx.GraphProto``, without those that are initializers, too."""
    initializers = {tensor.name for tensor in graph.initializer}
    return _metadata(value for value in graph.input if value.name not in initializers)


def get_output_metadata(graph: Any) -> TensorMetadata:
    """Returns the declarations of the outputs of an ``onnx.GraphProto``."""
    return _metadata(graph.output)


def get_shape(tensor: Any) -> list[int | str]:
    """Returns the shape of an ``onnx.ValueInfoProto`` or ``onnx.TensorProto``: sizes, symbols, and -1 for what is unknown. It
    is empty if the shape isn't declared."""
    if hasattr(tensor, "dims"):
        return list(tensor.dims)
    return [_size(dim) for dim in tensor.type.tensor_type.shape.dim]


def get_dtype(tensor: Any) -> DataTypeEntry:
    """Returns the element type of an ``onnx.ValueInfoProto`` or ``onnx.TensorProto``.

    Raises:
        InputError: The type isn't declared.
    """
    return DataType.from_dtype(tensor.data_type if hasattr(tensor, "dims") else tensor.type.tensor_type.elem_type)


def _metadata(values: Iterable[Any]) -> TensorMetadata:
    metadata = TensorMetadata()
    for value in values:
        tensor = value.type.tensor_type
        shape = get_shape(value) if tensor.HasField("shape") else None
        metadata.add(value.name, tensor.elem_type or None, shape)
    return metadata


def _size(dim: Any) -> int | str:
    """Returns the size of a dimension, its symbol, or -1 if it has neither."""
    size: int | str = dim.dim_value if dim.HasField("dim_value") else dim.dim_param or -1
    return size


def all_tensor_names(model: AnyModel, include_inputs: bool | None = None) -> list[str]:
    """Returns the names of all tensors that nodes of the graph compute, except constants.

    Args:
        model: A model.
        include_inputs: Whether the graph's inputs come after them. False by default.
    """
    given = Given(model).model
    names = [name for node in given.nodes if node.op_type != "Constant" for name in node.outputs if name]
    return names + ([value.name for value in given.inputs] if include_inputs else [])


def str_from_onnx(
    model: AnyModel, show_layers: bool | None = None, show_attrs: bool | None = None, show_weights: bool | None = None
) -> str:
    """Returns the text of ``assay inspect model``.

    Args:
        model: A model.
        show_layers: Whether nodes are listed, with their inputs and outputs.
        show_attrs: Whether attributes of nodes are listed; this includes ``show_layers``.
        show_weights: Whether values of weights are listed.
    """
    return Given(model).model.native.describe(bool(show_layers or show_attrs), bool(show_attrs), bool(show_weights))[1]


def get_num_nodes(model: AnyModel) -> int:
    """Returns the number of nodes of a model, those in bodies of If, Loop and Scan and in functions included."""
    return Given(model).model.native.count_nodes()


def get_unbounded_dds_tensors(model: AnyModel) -> list[Any]:
    """Returns the tensors that decide the size of another tensor and that nothing bounds, in topological order.

    Args:
        model: A model, or an ONNX-GraphSurgeon graph. Its shapes are inferred.

    Returns:
        The tensors of the graph, if a graph was given; otherwise their names.
    """
    from assay import _assay

    given = Given(model)
    names = _assay.unbounded_sizes(with_shapes(given.model))
    if type(given.original).__module__.startswith("onnx_graphsurgeon"):
        tensors = given.original.tensors()
        return [tensors[name] for name in names]
    return list(names)


check_arguments(__name__)
