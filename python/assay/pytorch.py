"""Values of tensors as PyTorch computes them, to compare an exported model with the program that it comes from.

PyTorch's exporter (``torch.onnx.export(..., dynamo=True)``) first turns a program into a graph, an ``ExportedProgram``, and then
into a model. Most tensors of the model keep the names of the graph's nodes, so running that graph node by node gives the values
that they should have.
"""

from __future__ import annotations

from typing import Any, Mapping, NamedTuple, Sequence

from assay.arguments import check_arguments
from assay.exception import InputError
from assay.logger import G_LOGGER
from assay.util import array as arrays


class RecordedValues(NamedTuple):
    """The result of :func:`record_values`.

    Attributes:
        inputs: The model's inputs, by name.
        values: PyTorch's values of tensors of the model, outputs included, by name.
    """

    inputs: dict[str, Any]
    values: dict[str, Any]


def record_values(program: Any, args: Sequence[Any] = (), kwargs: Mapping[str, Any] | None = None) -> RecordedValues:
    """Runs an exported program in PyTorch and returns the value of each tensor that the model has, too.

    They are what :func:`assay.locate` needs to find the first node at which an engine diverges from PyTorch::

        program = torch.onnx.export(module, args, dynamo=True)
        program.save("model.onnx")
        inputs, values = record_values(program, args)
        print(assay.locate("model.onnx", "onnxrt", inputs=inputs, golden=values, rtol=1e-3, atol=1e-3))

    Tensors that the exporter has renamed, merged or split aren't returned: their nodes are compared together with the next node
    whose value is known. All values are in memory at the same time.

    Args:
        program: The ``torch.onnx.ONNXProgram`` that ``torch.onnx.export(..., dynamo=True)`` returned.
        args: The arguments of the module: those of the export, or others of the same structure.
        kwargs: Its arguments by name.

    Returns:
        The inputs and the values, as arrays of NumPy.

    Raises:
        InputError: The program isn't of this exporter, or the arguments have another structure than those of the export.
    """
    exported = getattr(program, "exported_program", None)
    if exported is None:
        raise InputError(
            f"program must be the ONNXProgram of torch.onnx.export(..., dynamo=True), but is a {type(program).__name__}"
        )
    flat = _flatten(exported, args, kwargs or {})
    graph = program.model.graph
    shapes = {value.name: value.shape for node in graph for value in node.outputs}
    renamed = dict(zip(exported.graph_signature.user_outputs, (output.name for output in graph.outputs)))
    values = {
        name: arrays.to_numpy(tensor)
        for name, tensor in _run(exported, flat, renamed, set(shapes)).items()
        if _fits(tensor, shapes[name])
    }
    leaves = [arrays.to_numpy(leaf.detach().cpu()) for leaf in flat if arrays.is_torch(leaf)]
    inputs = dict(zip((value.name for value in graph.inputs), leaves))
    G_LOGGER.info(f"PyTorch's values of {len(values)} of the {len(shapes)} tensors of the model are known")
    return RecordedValues(inputs, values)


def _flatten(exported: Any, args: Sequence[Any], kwargs: Mapping[str, Any]) -> list[Any]:
    """Returns the arguments as the exported graph takes them: tuples, dictionaries and the like are taken apart."""
    from torch.utils import _pytree

    flat, structure = _pytree.tree_flatten((tuple(args), dict(kwargs)))
    expected = exported.call_spec.in_spec
    if expected is not None and structure != expected:
        raise InputError(
            f"the program takes other arguments: it was exported with {expected}, but was given {structure}. Give args and "
            "kwargs as in the export, in the same order"
        )
    return list(flat)


def _run(exported: Any, flat: Sequence[Any], renamed: Mapping[str, str], wanted: set[str]) -> dict[str, Any]:
    """Runs the graph and returns the `wanted` tensors. Outputs have other names in the model than in the graph."""
    import torch

    values: dict[str, Any] = {}

    class Recorder(torch.fx.Interpreter):  # type: ignore[misc, name-defined, unused-ignore]
        def run_node(self, node: Any) -> Any:
            result = super().run_node(node)
            if arrays.is_torch(result):
                values.update({name: result.detach().cpu() for name in {node.name, renamed.get(node.name)} if name in wanted})
            return result

    with torch.no_grad():
        Recorder(exported.module()).run(*flat)
    return values


def _fits(tensor: Any, shape: Any) -> bool:
    """Returns whether a tensor may have the shape that the model declares, in which unknown dimensions aren't numbers."""
    if shape is None:
        return True
    pairs = zip(tensor.shape, shape)
    return len(tensor.shape) == len(shape) and all(not isinstance(dim, int) or dim == size for size, dim in pairs)


check_arguments(__name__)
