"""The reference evaluator under Polygraphy's name: ``PluginRefRunner``.

Polygraphy's own evaluator knows three operators; this one knows all that the standard defines.
"""

from __future__ import annotations

from typing import Any

from assay.arguments import check_arguments
from assay.backend.reference import ReferenceRunner
from assay.model import called

__all__ = ["PluginRefRunner"]


class PluginRefRunner(ReferenceRunner):
    """Runs a graph in the reference evaluator.

    Args:
        graph: A graph of onnx-graphsurgeon, a model as :class:`assay.backend.reference.SessionFromOnnx` takes it, or a
            callable that returns one of these.
        name: The name of the runner. By default, "pluginref-runner", a number and the time.
    """

    ENGINE = "pluginref"
    PREFIX = "pluginref-runner"

    def __init__(self, graph: Any, name: str | None = None) -> None:
        super().__init__(lambda: _model_of(graph), name)


def _model_of(graph: Any) -> Any:
    graph = graph if hasattr(graph, "SerializeToString") else called(graph)
    if type(graph).__module__.split(".")[0] != "onnx_graphsurgeon":
        return graph
    import onnx_graphsurgeon

    return onnx_graphsurgeon.export_onnx(graph)


check_arguments(__name__)
