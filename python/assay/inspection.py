"""assay.inspect: what is in a model."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Mapping, Sequence, overload

from assay.arguments import AnyModel, check_arguments
from assay.backend.onnx.kinds import Given
from assay.engine_inspection import EngineInspection, inspect_engine
from assay.exception import InputError
from assay.model import Initializer, Node, ValueInfo
from assay.report import Report, WithReport, call_text, subject_of
from assay.tables import counted, html_table, shape_text

if TYPE_CHECKING:
    from assay.backend.trt import Engine


@dataclass(frozen=True, repr=False)
class Inspection(WithReport):
    """The contents of a model; printing it gives the text of ``assay inspect model``.

    Attributes:
        name: The name of the graph.
        ir_version: The version of ONNX's file format.
        opsets: The versions of the operator sets that the model imports, by domain; "ai.onnx" is ONNX's own.
        producer: The program that wrote the model; may be empty.
        metadata: The model's metadata.
        inputs: The inputs of the graph, without those that are initializers, too.
        outputs: The outputs of the graph.
        nodes: The nodes of the graph, in the order of the file.
        initializers: The weights of the graph; `initializer_bytes` is their size in bytes.
        details: Everything, as the JSON of ``assay inspect model --format json``, attributes included.
    """

    name: str
    ir_version: int
    opsets: Mapping[str, int]
    producer: str
    metadata: Mapping[str, str]
    inputs: tuple[ValueInfo, ...]
    outputs: tuple[ValueInfo, ...]
    nodes: tuple[Node, ...]
    initializers: tuple[Initializer, ...]
    initializer_bytes: int
    details: Mapping[str, Any] = field(compare=False)
    _text: str = field(compare=False)
    _report: Report | None = field(default=None, repr=False, compare=False)

    @property
    def operators(self) -> dict[str, int]:
        """How often each operator occurs in the graph, the most frequent first."""
        return dict(Counter(node.op_type for node in self.nodes).most_common())

    def __repr__(self) -> str:
        return self._text

    def _repr_html_(self) -> str:
        title = (
            f"{self.name}: {counted(len(self.nodes), 'node')}, {counted(len(self.initializers), 'initializer')} "
            f"({self.initializer_bytes} bytes)"
        )
        rows = [("input", value.name, value.dtype, shape_text(value.shape)) for value in self.inputs]
        rows += [("output", value.name, value.dtype, shape_text(value.shape)) for value in self.outputs]
        used = ", ".join(f"{operator} {count}" for operator, count in self.operators.items())
        return html_table(title, ("", "Name", "Type", "Shape"), rows, [f"Operators: {used}"])


@overload
def inspect(model: Engine, *, show: Sequence[str] = ()) -> EngineInspection: ...
@overload
def inspect(model: AnyModel, *, show: Sequence[str] = ()) -> Inspection: ...


def inspect(model: AnyModel, *, show: Sequence[str] = ()) -> Any:
    """Describes a model, or an engine of TensorRT, like ``assay inspect model``. No weights are read.

    Args:
        model: A path, an :class:`assay.Model`, an ``onnx.ModelProto``, or a callable that returns one of them. Or an engine of
            :mod:`assay.backend.trt`, the path of one (.engine, .plan), or the path of a file (.json) with the layers of
            one, which ``trtexec --exportLayerInfo`` writes. TensorRT's worker opens engines, which needs a GPU.
        show: What the text has besides inputs, outputs and counts: "layers" (the nodes) and "attrs" (their attributes).

    Returns:
        The description, with all nodes whatever `show` says; for engines, an
        :class:`assay.engine_inspection.EngineInspection`.

    Raises:
        NotFoundError: The file is missing, or TensorRT is.
        ModelError: It isn't a model, or is damaged.
        InputError: `show` has another word, or the .json file isn't one of TensorRT's inspector.
        EngineError: TensorRT can't open the engine.
    """
    from assay import _assay

    call = call_text(inspect, locals())
    if isinstance(show, str) or not set(show) <= {"layers", "attrs"}:
        raise InputError(f'show must be some of ("layers", "attrs"), but is {show!r}')
    engine = inspect_engine(model, "layers" in show, "attrs" in show)
    if engine is not None:
        return engine
    given = Given(model).model
    native = given.native
    text = native.describe("layers" in show, "attrs" in show, False)[1]
    details = json.loads(native.describe(True, True, False)[0])
    graph = details["graph"]
    return Inspection(
        name=graph["name"],
        ir_version=details["ir_version"],
        opsets=details["opsets"],
        producer=details["producer"],
        metadata=details["metadata"],
        inputs=tuple(map(_value, graph["inputs"])),
        outputs=tuple(map(_value, graph["outputs"])),
        nodes=tuple(map(_node, graph["nodes"])),
        initializers=tuple(
            Initializer(item["name"], item["dtype"], tuple(item["shape"]), item["bytes"])
            for item in graph["initializers"]
        ),
        initializer_bytes=graph["initializer_bytes"],
        details=details,
        _text=text,
        _report=Report(_assay.model_report(native), subject_of(given), call),
    )


def _value(item: Mapping[str, Any]) -> ValueInfo:
    return ValueInfo(item["name"], item["dtype"] or "", None if item["shape"] is None else tuple(item["shape"]))


def _node(item: Mapping[str, Any]) -> Node:
    names = [tuple(value["name"] for value in item[side]) for side in ("inputs", "outputs")]
    return Node(item["name"], item["op"], item["domain"], *names)


check_arguments(__name__)
