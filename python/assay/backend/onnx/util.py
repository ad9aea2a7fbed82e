"""Facts about models."""

from __future__ import annotations

from typing import Any

from assay.backend.onnx.functions import with_shapes
from assay.backend.onnx.kinds import Given


def get_num_nodes(model: Any) -> int:
    """Returns the number of nodes of a model, those in bodies of If, Loop and Scan and in functions included."""
    return Given(model).model.native.count_nodes()


def get_unbounded_dds_tensors(model: Any) -> list[Any]:
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
