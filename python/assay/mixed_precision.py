"""assay.precision: the nodes that have to stay in float32 if the others run in float16, or quantized."""

from __future__ import annotations

import json
import os
from dataclasses import dataclass, field, fields
from typing import Any, Callable, Literal, Mapping, Sequence

from assay.arguments import AnyModel, Size, check_arguments
from assay.backend.onnx.kinds import Given
from assay.check import Check
from assay.comparator.compare import BaseCompareFunc, CompareFunc, native_comparison
from assay.constants import DEFAULT_SEED
from assay.exception import InputError
from assay.model import Model, PathLike
from assay.parameters import text_in_python
from assay.sides import Engine, Inputs, set_sides
from assay.tables import html_table
from assay.temporary_folder import TemporaryFolder

Mode = Literal["minimal", "bisect", "linear"]


@dataclass(frozen=True)
class KeptNode:
    """A node that has to stay in float32.

    Attributes:
        name: Its name; that of its first output if it has none.
        op_type: Its operator.
        description: The node as messages name it: "Conv 'conv_1' (node #3)". If quantized operators follow each other
            without float32 tensors in between, it stands for all of them.
        largest: The largest absolute value of the tensors that it reads and computes; None if it wasn't measured.
    """

    name: str
    op_type: str
    description: str
    largest: float | None


@dataclass(frozen=True, repr=False)
class MixedPrecision:
    """The answer of :func:`assay.precision`; printing it gives the text of ``assay debug precision``.

    Attributes:
        nodes: The nodes that have to stay in float32, in the order of the graph. None of them can be left out, unless
            `stopped` or in another mode than "minimal". Empty if the model passes without them.
        names: The names of all these nodes, for the list of nodes that a quantizer leaves out, such as
            ``nodes_to_exclude`` of ``onnxruntime.quantization``.
        candidates: How many nodes can run in float16, or differ in the quantized model.
        runs: How many mixed models were judged.
        model: The mixed model.
        stopped: Whether Ctrl-C ended the search, so that fewer nodes may be enough.
    """

    nodes: tuple[KeptNode, ...]
    names: tuple[str, ...]
    candidates: int
    runs: int
    model: Model
    stopped: bool
    _text: str = field(compare=False)

    def __repr__(self) -> str:
        return self._text

    def _repr_html_(self) -> str:
        rows = [(n.description, "" if n.largest is None else f"{n.largest:.4g}") for n in self.nodes]
        return html_table(self._text.splitlines()[0], ("Node", "Largest value"), rows)


def precision(
    model: AnyModel,
    engine: Engine | None = None,
    *,
    check: Callable[[Any], object] | None = None,
    quantized: AnyModel | None = None,
    compare_func: BaseCompareFunc | None = None,
    inputs: Inputs | None = None,
    input_shapes: Mapping[str, Sequence[int]] | None = None,
    seed: Size = DEFAULT_SEED,
    mode: Mode = "minimal",
    reverse: bool = False,
    output: PathLike | None = None,
) -> MixedPrecision:
    """Finds the nodes that have to stay in float32 if the others run in float16, like ``assay debug precision``.

    ``assay.precision("model.onnx", "onnxrt", inputs=inputs)`` runs mixed models in an engine, and compares their outputs
    with those of the model in float32. The engine rounds each value that would be float16, as a device would that
    computes in float16.

    With `quantized`, a model that a quantizer has made from `model`, it finds the nodes that can't be quantized::

        def is_good(path):
            return accuracy(onnxruntime.InferenceSession(path)) > 0.75

        found = assay.precision("model.onnx", check=is_good, quantized="model_int8.onnx")
        quantize_static("model.onnx", "better_int8.onnx", reader, nodes_to_exclude=list(found.names))

    Ctrl-C ends it with the best answer so far; KeyboardInterrupt is raised only if no mixed model has passed yet.

    Args:
        model: A path, an :class:`assay.Model`, an ``onnx.ModelProto``, or a callable that returns one of them.
        engine: An engine, as for :func:`assay.locate`, that runs the mixed models. OpenVINO needs `quantized`; TensorRT
            needs that and ``{"strongly_typed": True}``.
        check: A function that judges in place of an engine. It gets the path of a mixed model, and returns True if that
            is good enough. False, None or an exception mean that it isn't; other answers end the search.
        quantized: The model after quantization. The quantizer must have kept the names of tensors.
        compare_func: How outputs are compared: a function of :class:`assay.comparator.CompareFunc`. By default,
            ``CompareFunc.simple(rtol=1e-2, atol=1e-2)``, and ``CompareFunc.snr()`` with `quantized`.
        inputs: The inputs of the model, as for :func:`assay.locate`. By default, inputs are generated. With `check`, they
            only serve to measure values, and are refused with `quantized`.
        input_shapes: The shapes of generated inputs by name, for dimensions that the model leaves open (1 by default).
        seed: The seed of generated inputs.
        mode: "minimal" finds nodes of which none can be left out; "bisect" keeps the first nodes, as many as needed, which
            it finds by halving, as Polygraphy does; "linear" does the same node by node.
        reverse: With "bisect" and "linear", keep the last nodes instead of the first ones.
        output: Save the mixed model to this file.

    Raises:
        InputError: There isn't exactly one engine or one check, no node differs or can run in float16, the model fails
            even if all nodes stay in float32, or the inputs don't fit.
        EngineError: The engine can't run the model.
    """
    from assay import _assay

    if (engine is None) == (check is None):
        raise InputError("exactly one engine or one `check` judges the mixed models. Give one of them")
    if check is not None and compare_func is not None:
        raise InputError("a `check` judges the mixed models, so no outputs are compared. Leave `compare_func` out")
    unused = {"inputs": inputs is not None, "input_shapes": input_shapes is not None, "seed": seed != DEFAULT_SEED}
    if check is not None and quantized is not None and any(unused.values()):
        name = next(name for name, is_given in unused.items() if is_given)
        raise InputError(f"a `check` judges quantized models without inputs from this function. Leave `{name}` out")
    if quantized is None and (engine if isinstance(engine, str) else (engine or ("",))[0]) == "trt":
        raise InputError(
            "TensorRT chooses precisions itself. Use the command `assay debug precision --trt`, or another engine"
        )
    if reverse and mode == "minimal":
        raise InputError("minimal mode doesn't begin at one end. Leave `reverse` out, or use mode 'bisect' or 'linear'")
    given = Given(model).model
    other = None if quantized is None else Given(quantized).model
    with TemporaryFolder() as folder:
        artifact = os.path.join(folder.name, "mixed.onnx")
        arguments = _assay.PrecisionArguments()
        engines = [] if engine is None else [engine]
        set_sides(arguments, engines, given.native, inputs, input_shapes, seed, None, None)
        outputs = [output.name for output in given.outputs]
        arguments.comparison = native_comparison(compare_func or _default(quantized is not None), outputs)
        arguments.artifact = artifact
        arguments.mode, arguments.reverse = mode, reverse
        arguments.output = "" if output is None else os.fspath(output)
        judge = None if check is None else Check(check, artifact, as_proto=False)
        found, text, mixed = _assay.find_precision(given.native, None if other is None else other.native, arguments, judge)
    answer = _to_answer(json.loads(found), text_in_python(text), Model.from_native(mixed))
    if output is not None:
        answer.model.save(output)
    return answer


def _default(is_quantized: bool) -> BaseCompareFunc:
    return CompareFunc.snr() if is_quantized else CompareFunc.simple(rtol=1e-2, atol=1e-2)


def _to_answer(found: Mapping[str, Any], text: str, mixed: Model) -> MixedPrecision:
    """Returns the answer from the JSON of ``assay debug precision``, whose members have the names of the attributes."""
    attributes = {item.name: found[item.name] for item in fields(MixedPrecision) if item.name in found}
    nodes = (node | {"largest": None if node["largest"] is None else float(node["largest"])} for node in found["nodes"])
    attributes |= {"nodes": tuple(KeptNode(**node) for node in nodes), "names": tuple(found["names"]), "model": mixed}
    return MixedPrecision(**attributes, _text=text)


check_arguments(__name__)
