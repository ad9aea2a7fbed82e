"""assay.locate: the first tensor at which two engines diverge."""

from __future__ import annotations

import json
import os
from dataclasses import dataclass, field
from typing import Any, Mapping, Sequence

from assay.arguments import AnyModel, Count, Size, Tolerance, check_arguments
from assay.backend.onnx.kinds import Given
from assay.constants import DEFAULT_SEED
from assay.exception import InputError
from assay.golden import Golden, check_golden_inputs, golden_file
from assay.model import Model, PathLike
from assay.parameters import in_python, text_in_python
from assay.report import Report, WithReport, call_text, subject_of
from assay.sides import Engine, Inputs, set_sides
from assay.tables import short_html_table


@dataclass(frozen=True)
class Layer:
    """A tensor that was compared.

    Attributes:
        tensor: Its name.
        node: The node that computes it, as messages name it: "Conv 'conv_1' (node #3)".
        value: Its type and shape, as text.
        differs: Whether the sides differ beyond the tolerances in the whole model.
        born: Whether the difference is born at its node: the node alone differs if it is fed the good values. None if
            that wasn't tried.
        max_absolute: The largest absolute difference; None if the values can't be compared.
        max_relative: The largest relative difference.
        source: The line of a PyTorch program that the node comes from, if the model says so; otherwise "".
    """

    tensor: str
    node: str
    value: str
    differs: bool
    born: bool | None
    max_absolute: float | None
    max_relative: float | None
    source: str = ""


@dataclass(frozen=True, repr=False)
class Location(WithReport):
    """The answer of :func:`assay.locate`; printing it gives the text of ``assay debug locate``.

    Attributes:
        verdict: "agree" (the outputs agree), "differ", or "random" (two runs of one engine differ).
        first: The first tensor at which a difference is born, or None if the sides agree.
        worst: The tensor whose error matters most for the outputs; equal to `first` unless several are born.
        piece: The nodes that reproduce the difference by themselves.
        outputs: The outputs of the model.
        layers: The tensors that were compared, in topological order.
        runs: How many runs of both sides it took, of at most `runs_limit`.
        model_file: The file of the piece, if `output` was given; `inputs_file` has its inputs. Otherwise None.
        stopped: Whether Ctrl-C ended the search, so that there may be a smaller piece.
        notes: What else is worth knowing.
        seconds: How long it took.
        details: Everything, as the JSON of ``assay debug locate --format json``.
    """

    verdict: str
    first: Layer | None
    worst: Layer | None
    piece: tuple[str, ...]
    outputs: tuple[Layer, ...]
    layers: tuple[Layer, ...]
    runs: int
    runs_limit: int
    stopped: bool
    model_file: str | None
    inputs_file: str | None
    notes: tuple[str, ...]
    seconds: float
    details: Mapping[str, Any] = field(compare=False)
    _text: str = field(compare=False)
    _report: Report | None = field(default=None, repr=False, compare=False)

    @property
    def agrees(self) -> bool:
        """Whether the outputs of both sides agree."""
        return self.verdict == "agree"

    def __repr__(self) -> str:
        return self._text

    def _repr_html_(self) -> str:
        rows = [
            (item.tensor, item.node, item.value, "yes" if item.differs else "no")
            + tuple("" if error is None else f"{error:.3g}" for error in (item.max_absolute, item.max_relative))
            for item in sorted(self.layers or self.outputs, key=lambda item: not item.differs)
        ]
        columns = ("Tensor", "Node", "Value", "Differs", "Largest absolute error", "Largest relative error")
        return short_html_table(self._text.splitlines()[0], columns, rows, self.notes)


def locate(
    model: AnyModel,
    first: Engine,
    second: Engine | None = None,
    *,
    against: AnyModel | None = None,
    fp16: bool = False,
    golden: Golden | None = None,
    inputs: Inputs | None = None,
    input_shapes: Mapping[str, Sequence[int]] | None = None,
    seed: Size = DEFAULT_SEED,
    rtol: Tolerance | None = None,
    atol: Tolerance | None = None,
    repeats: Count = 3,
    output: PathLike | None = None,
) -> Location:
    """Finds the first tensor at which two sides diverge, like ``assay debug locate``.

    ``assay.locate("model.onnx", "onnxrt", "openvino")`` compares two engines. With `against`, the second engine (or the
    only one) runs another model, whose tensors have the same names; with `fp16`, one engine runs the model in float16
    and in float32; with `golden`, one engine is compared with known values. It takes at most 2*log2(n) + 8 runs of both
    sides for n nodes. Ctrl-C ends it with the best answer so far; KeyboardInterrupt is raised only if the outputs haven't
    been seen to differ yet.

    Args:
        model: A path, an :class:`assay.Model`, an ``onnx.ModelProto``, or a callable that returns one of them.
        first: An engine: "onnxrt", "openvino", "reference" or "trt", or a pair of that and a dictionary of its settings, as
            after its flag on the command line, with ``-`` or ``_``: ``("onnxrt", {"threads": 1, "custom_ops": ["a.so"]})``,
            ``("openvino", {"config": {"INFERENCE_PRECISION_HINT": "f32"}})``, ``("trt", {"fp16": True})``. A Python
            module with ``load(path)`` and ``infer(model, feeds)`` is ``("python", {"module": "engine.py"})``.
        second: Likewise. None with `fp16` and `golden`, and optional with `against`.
        against: Another model.
        fp16: Compare the model in float16 with the model as it is.
        golden: Values of the model's tensors that are known to be right, for these inputs: a file that ``assay run
            --onnx-outputs '*' --save-outputs`` wrote, a RunResults of one runner, or a dictionary of arrays by name (a list
            of them for several iterations). Tensors that are missing in it aren't compared. Arrays need `inputs`, too.
        inputs: A dictionary of arrays by the inputs' names, or several of them as a list, a
            :class:`assay.comparator.DataLoader` or another iterable: further ones are tried until the sides differ. Or
            the path of a file of inputs: JSON, as ``assay run --save-inputs`` writes it, or .npz. By default, inputs
            are generated.
        input_shapes: The shapes of generated inputs by name, for dimensions that the model leaves open (1 by default).
        seed: The seed of generated inputs.
        rtol: The relative tolerance: 1e-5 by default, 1e-2 with `fp16`.
        atol: The absolute tolerance, with the same defaults. A tensor differs if an element exceeds both.
        repeats: How often the unchanged model runs to see whether an engine is deterministic.
        output: Save the piece that reproduces the difference to this file, and its inputs next to it.

    Raises:
        InputError: There aren't exactly two sides, `golden` has results of several runners or arrays without `inputs`,
            an engine or a setting is unknown, or the inputs don't fit.
        EngineError: An engine can't run the model.
    """
    from assay import _assay

    call = call_text(locate, locals())
    sides = [engine for engine in (first, second) if engine is not None]
    _check_sides(sides, against is not None, fp16, golden is not None)
    given = Given(model).model
    check_golden_inputs(golden, inputs, given)
    native = given.native
    arguments = _assay.LocateArguments()
    rtol = 1e-2 if fp16 and rtol is None else rtol
    atol = 1e-2 if fp16 and atol is None else atol
    set_sides(arguments, sides, native, inputs, input_shapes, seed, rtol, atol)
    arguments.repeats, arguments.float16 = repeats, fp16
    arguments.output = "" if output is None else os.fspath(output)
    other: Model | None = None if against is None else Given(against).model
    with golden_file(golden) as arguments.golden:
        found, text, report = _assay.locate(native, None if other is None else other.native, arguments)
    return _to_location(json.loads(found), text, Report(report, subject_of(given), call))


def _check_sides(sides: Sequence[Engine], against: bool, fp16: bool, golden: bool) -> None:
    from assay import _assay

    engines = len(sides)
    for side in sides:
        _assay.check_engine(side if isinstance(side, str) else side[0])
    if fp16 and (engines > 1 or against or golden):
        raise InputError("fp16 compares two runs of one engine. Give one engine, no other model and no `golden`")
    if golden and (engines > 1 or against):
        raise InputError("three sides are given, but exactly two are compared. Give one engine with `golden` alone")
    if engines == 1 and not (against or fp16 or golden):
        raise InputError(
            "a single engine has nothing to be compared with. Give a second one, `against`, `golden` or `fp16=True`"
        )


def _to_location(found: Mapping[str, Any], text: str, report: Report) -> Location:
    files = found.get("files", {})
    return Location(
        verdict=found["verdict"],
        first=_layer(found.get("first")),
        worst=_layer(found.get("worst")),
        piece=tuple(found.get("piece", {}).get("nodes", ())),
        outputs=_layers(found["outputs"]),
        layers=_layers(found.get("layers", ())),
        runs=found["runs"],
        runs_limit=found["runs_limit"],
        stopped=found["stopped"],
        model_file=files.get("model") or None,
        inputs_file=files.get("inputs") or None,
        notes=tuple(map(in_python, found["notes"])),
        seconds=found["seconds"],
        details=found,
        _text=text_in_python(text),
        _report=report,
    )


def _layers(items: Sequence[Mapping[str, Any]]) -> tuple[Layer, ...]:
    return tuple(layer for layer in map(_layer, items) if layer is not None)


def _layer(item: Mapping[str, Any] | None) -> Layer | None:
    if item is None:
        return None
    seen = item["in_model"]
    absolute, relative = (float(seen[key]) if key in seen else None for key in ("max_absolute", "max_relative"))
    return Layer(
        tensor=item["tensor"],
        node=item["node"],
        value=item["value"],
        differs=seen["differs"],
        born=item.get("born"),
        max_absolute=absolute,
        max_relative=relative,
        source=item.get("source", ""),
    )


check_arguments(__name__)
