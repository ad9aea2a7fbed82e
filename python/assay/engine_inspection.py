"""assay.inspect for engines of TensorRT: what TensorRT's inspector reports about their layers."""

from __future__ import annotations

import json
import os
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from assay.model import ValueInfo
from assay.tables import counted, html_table, shape_text


@dataclass(frozen=True)
class EngineLayer:
    """A layer of an engine.

    Attributes:
        name: Its name.
        op_type: TensorRT's name for its kind: "CaskConvolution"; empty if the engine has names only.
        inputs: The tensors that it reads.
        outputs: The tensors that it computes.
        onnx_nodes: The nodes of the model that it computes; empty if TensorRT doesn't report them.
        tactic: The name of its tactic; may be empty.
    """

    name: str
    op_type: str
    inputs: tuple[ValueInfo, ...]
    outputs: tuple[ValueInfo, ...]
    onnx_nodes: tuple[str, ...]
    tactic: str


@dataclass(frozen=True, repr=False)
class EngineInspection:
    """The layers of an engine; printing it gives the text of ``assay inspect model``.

    Attributes:
        inputs: The inputs of the engine.
        outputs: The outputs of the engine.
        layers: The layers, in the order of execution; those of the first optimisation profile.
        names_only: Whether the engine has only the names of its layers. Build it with
            ``CreateConfig(profiling_verbosity="detailed")`` to see more.
        details: Everything, as the JSON of ``assay inspect model --format json``, all profiles and attributes included.
    """

    inputs: tuple[ValueInfo, ...]
    outputs: tuple[ValueInfo, ...]
    layers: tuple[EngineLayer, ...]
    names_only: bool
    details: Mapping[str, Any] = field(compare=False)
    _text: str = field(compare=False)

    @property
    def operators(self) -> dict[str, int]:
        """How often each kind of layer occurs, the most frequent first."""
        return dict(Counter(layer.op_type for layer in self.layers).most_common())

    def __repr__(self) -> str:
        return self._text

    def _repr_html_(self) -> str:
        rows = [("input", value.name, value.dtype, shape_text(value.shape)) for value in self.inputs]
        rows += [("output", value.name, value.dtype, shape_text(value.shape)) for value in self.outputs]
        used = ", ".join(f"{operator} {count}" for operator, count in self.operators.items())
        title = f"Engine of TensorRT: {counted(len(self.layers), 'layer')}"
        return html_table(title, ("", "Name", "Type", "Shape"), rows, [f"Layers: {used}"])


def inspect_engine(given: Any, layers: bool, attributes: bool) -> EngineInspection | None:
    """Describes an engine.

    Args:
        given: An engine of :mod:`assay.backend.trt`, the path of one (.engine, .plan), or of a file (.json) that TensorRT's
            inspector wrote.
        layers: Whether the text has the layers.
        attributes: Whether the text has their attributes.

    Returns:
        The description; None if something else is given.
    """
    extension = os.path.splitext(given)[1] if isinstance(given, (str, os.PathLike)) else ""
    if extension == ".json":
        from assay import _assay

        found = _assay.saved_engine_layers(os.path.abspath(given), layers, attributes)
    elif extension in (".engine", ".plan"):
        from assay.backend.trt import engine_from_path

        found = engine_from_path(given).describe(layers, attributes)
    elif type(given).__module__ == "assay.backend.trt.engine" and hasattr(type(given), "describe"):
        found = given.describe(layers, attributes)
    else:
        return None
    details = json.loads(found[0])
    profile = details["profiles"][0]
    bindings: dict[str | None, list[ValueInfo]] = {}
    for binding in profile["bindings"]:
        bindings.setdefault(binding["direction"], []).extend(_values([binding]))
    return EngineInspection(
        inputs=tuple(bindings.get("input", ())),
        outputs=tuple(bindings.get("output", ())),
        layers=tuple(map(_layer, profile["layers"])),
        names_only=details["names_only"],
        details=details,
        _text=found[1],
    )


def _values(items: Iterable[Mapping[str, Any]]) -> tuple[ValueInfo, ...]:
    return tuple(
        ValueInfo(item["name"], item["dtype"] or "", None if item["shape"] is None else tuple(item["shape"]))
        for item in items
    )


def _layer(item: Mapping[str, Any]) -> EngineLayer:
    return EngineLayer(
        item["name"],
        item["op"],
        _values(item["inputs"]),
        _values(item["outputs"]),
        tuple(item["onnx_nodes"]),
        item["tactic"]["name"],
    )
