"""assay.diagnose: what is wrong with this model in this engine?"""

from __future__ import annotations

import json
import os
from dataclasses import dataclass, field
from typing import Any, Mapping, Sequence

from assay.arguments import AnyModel, Seconds, Size, Tolerance, check_arguments
from assay.backend.onnx.kinds import Given
from assay.constants import DEFAULT_SEED
from assay.exception import InputError
from assay.golden import Golden, check_golden_inputs, golden_file
from assay.model import Model, PathLike
from assay.parameters import in_python, text_in_python
from assay.progress import Bar
from assay.report import Report, WithReport, call_text, subject_of
from assay.sides import Engine, Inputs, set_sides
from assay.tables import html_table
from assay.temporary_folder import TemporaryFolder


@dataclass(frozen=True)
class DiagnosisStep:
    """A question about the model, and its answer.

    Attributes:
        name: Its name, as for the parameter `skip`: "inputs", "model", "run", "repeat", "finite", "compare",
            "settings", "locate", "reduce" or "known".
        question: What was asked: "Does it run?".
        answer: The answer in a few words. It starts with "don't know" if there is none.
        mark: "good", "bad", "note", "unknown" or "skipped".
        seconds: How long it took to find the answer, or None if the step was skipped on request.
        tables: The evidence, as in `details`: each has a "title", "columns" and "rows".
    """

    name: str
    question: str
    answer: str
    mark: str
    seconds: float | None
    tables: tuple[Mapping[str, Any], ...] = field(compare=False)


@dataclass(frozen=True, repr=False)
class Diagnosis(WithReport):
    """The answer of :func:`assay.diagnose`; printing it gives the text of ``assay diagnose``.

    Attributes:
        verdict: The answer in one sentence.
        outcome: "healthy" (nothing was found), "cause" (a cause was found) or "undecided" (the budget or Ctrl-C ended
            the diagnosis first).
        steps: The questions and their answers, in the order in which they were asked.
        minimal: The smallest failing model that was found, or None.
        check: The shell command that fails on the minimal case; empty if there is none.
        node: The node at which the failure begins: "Conv 'conv_1' (node #3)"; empty if it is unknown.
        setting: The setting of the engine that makes the difference: "QDQSelectorActionTransformer is disabled"; may be
            empty.
        known_issue: The link of a public report of this failure; may be empty.
        folder: The folder that has everything: journal, inputs, log, minimal case. If `output` wasn't given, it is
            removed with this object.
        bug_report: The folder for a bug report, which is in `folder`, or None.
        stopped: Whether Ctrl-C ended the diagnosis.
        seconds: How long the steps took, those of an earlier call that was resumed included.
        details: Everything, as the JSON of ``assay diagnose --format json``.
    """

    verdict: str
    outcome: str
    steps: tuple[DiagnosisStep, ...]
    minimal: Model | None
    check: str
    node: str
    setting: str
    known_issue: str
    folder: str
    bug_report: str | None
    stopped: bool
    seconds: float
    details: Mapping[str, Any] = field(compare=False)
    _text: str = field(compare=False)
    _report: Report | None = field(default=None, repr=False, compare=False)
    _files: Any = field(default=None, compare=False)  # keeps the temporary folder

    @property
    def healthy(self) -> bool:
        """Whether the diagnosis finished and found nothing wrong."""
        return self.outcome == "healthy"

    def __repr__(self) -> str:
        return self._text

    def _repr_html_(self) -> str:
        rows = [
            (step.question, step.answer, "" if step.seconds is None else f"{step.seconds:.1f} s") for step in self.steps
        ]
        first, *rest = self._text.splitlines()
        return html_table(first, ("Question", "Answer", "Time"), rows, rest)


def diagnose(
    model: AnyModel,
    *engines: Engine,
    golden: Golden | None = None,
    inputs: Inputs | None = None,
    input_shapes: Mapping[str, Sequence[int]] | None = None,
    seed: Size = DEFAULT_SEED,
    rtol: Tolerance | None = None,
    atol: Tolerance | None = None,
    engine_timeout: Seconds | None = None,
    engine_memory: Size | None = None,
    budget: Seconds | None = None,
    skip: Sequence[str] = (),
    output: PathLike | None = None,
    resume: bool = False,
    progress: bool | None = None,
) -> Diagnosis:
    """Asks questions about a model in an engine, and sums the answers up in a sentence, like ``assay diagnose``.

    ``assay.diagnose("model.onnx", "onnxrt")`` finds out whether the model is valid, runs, is deterministic and computes
    what other engines compute; if not, which setting and which node matter, what the minimal case is, and whether the
    failure is known. For comparison, the reference evaluator of the package onnx and one more engine run the model,
    too, if they are installed.

    Each answer is logged (:mod:`assay.logger`). Ctrl-C ends the diagnosis. If something was seen to fail by then, the
    answers so far are returned, with ``stopped``; otherwise KeyboardInterrupt is raised. With `output`, the same call
    with ``resume=True`` continues after the last finished step, even if the process was killed.

    Args:
        model: A path, an :class:`assay.Model`, an ``onnx.ModelProto``, or a callable that returns one of them. A model
            in memory is saved as model.onnx in the folder, and so is a model whose external data is in another folder.
        engines: At least one engine: "onnxrt", "openvino", "reference" or "trt", or a pair of that and a dictionary of
            its settings, as after its flag on the command line: ``("onnxrt", {"threads": 1})``. A Python module with
            ``load(path)`` and ``infer(model, feeds)`` is ``("python", {"module": "engine.py"})``.
        golden: Results of one runner that are known to be right: a file that ``assay run --save-outputs`` or
            :meth:`assay.comparator.RunResults.save` wrote, a :class:`assay.comparator.RunResults`, or the outputs as a
            dictionary of arrays by name, or several of them as a list, one for each iteration of `inputs`, which arrays
            need. Results in memory are saved as golden.json in the folder.
        inputs: A dictionary of arrays by the inputs' names, or several of them as a list, a
            :class:`assay.comparator.DataLoader` or another iterable. Or the path of a file of inputs: JSON, as ``assay
            run --save-inputs`` writes it, or .npz. By default, inputs are generated.
        input_shapes: The shapes of generated inputs by name, for dimensions that the model leaves open (1 by default).
        seed: The seed of generated inputs.
        rtol: The relative tolerance, 1e-5 by default.
        atol: The absolute tolerance, 1e-5 by default. An output differs if an element exceeds both.
        engine_timeout: Stop an engine if loading or one run takes longer than this many seconds.
        engine_memory: Stop an engine if it uses more than this many bytes of memory.
        budget: Spend at most this many seconds. Each step gets a share of it.
        skip: The names of steps to skip, such as "reduce" (:class:`assay.diagnosis.DiagnosisStep` lists them).
        output: The folder for everything that is found: the journal, inputs, the minimal case, a folder for a bug
            report. It must be new or empty, unless `resume` is given. By default a temporary folder, which is removed
            with the result.
        resume: Continue the diagnosis in `output`, which must have the same model, engines, inputs and options.
        progress: Show a progress bar. By default if tqdm is installed and the output is a terminal or a notebook.

    Returns:
        The answers. Printing them, or showing them in a notebook, gives a summary.

    Raises:
        InputError: No engine is given, an engine, a setting or a step is unknown, the inputs or saved results don't
            fit, `golden` has arrays without `inputs`, or the folder has something else.
        NotFoundError: The model, a file or an engine is missing.
        KeyboardInterrupt: Stopped before anything was seen to fail.
    """
    from assay import _assay

    call = call_text(diagnose, locals())
    if not engines:
        raise InputError('no engine is given. Give at least one: assay.diagnose(model, "onnxrt")')
    if resume and output is None:
        raise InputError("resume=True continues the diagnosis in a folder. Give it as `output`")
    steps = _assay.diagnosis_steps()
    for step in skip:
        if step not in steps:
            raise InputError(f"skip must be some of {tuple(steps)}, but has {step!r}")
    if budget == 0:
        raise InputError("budget must be greater than 0. Leave it out for no limit")
    given, files = Given(model).model, None
    check_golden_inputs(golden, inputs, given)
    subject = subject_of(given)
    if given.engine_path is None:
        given, files = _on_disk(given)
    folder = TemporaryFolder() if output is None else None
    arguments = _assay.DiagnoseArguments()
    set_sides(arguments, engines, given.native, inputs, input_shapes, seed, rtol, atol)
    arguments.file = "" if files is not None else given.engine_path or ""
    arguments.folder = folder.name if folder is not None else os.fspath(output or "")
    arguments.resume = resume
    arguments.golden_is_temporary = golden is not None and not isinstance(golden, (str, os.PathLike))
    arguments.engine_timeout, arguments.engine_memory = engine_timeout, engine_memory
    arguments.budget, arguments.skip = budget or 0, list(skip)
    with golden_file(golden) as arguments.golden, Bar("assay.diagnose", " steps", progress, len(steps)) as bar:
        if bar.visible:
            arguments.progress = bar.show
        found, text, stopped, report = _assay.diagnose_model(given.native, arguments)
    return _to_diagnosis(json.loads(found), text_in_python(text), stopped, folder, Report(report, subject, call))


def _on_disk(model: Model) -> tuple[Model, TemporaryFolder]:
    """Saves a model that isn't in a file, since a resumed call recognises the model by its file. Returns it and its folder."""
    folder = TemporaryFolder()
    model.save(f"{folder.name}/model.onnx")
    return Model(f"{folder.name}/model.onnx"), folder


def _to_diagnosis(found: dict[str, Any], text: str, stopped: bool, folder: Any, report: Report) -> Diagnosis:
    if stopped:
        found["verdict"], found["outcome"] = text, "undecided"
    facts = found["facts"]
    minimal = facts["minimal"]
    steps = tuple(map(_step, found["steps"]))
    return Diagnosis(
        verdict=in_python(found["verdict"]),
        outcome=found["outcome"],
        steps=steps,
        minimal=Model.from_native(Model(minimal["file"]).native) if minimal["file"] else None,
        check=minimal["check"],
        node=facts["place"]["node"],
        setting=facts["setting"]["text"],
        known_issue=facts["known"]["link"],
        folder=found["folder"],
        bug_report=minimal["folder"] or None,
        stopped=stopped,
        seconds=sum(step.seconds or 0 for step in steps),
        details=found,
        _text=text,
        _report=report,
        _files=folder,
    )


def _step(item: Mapping[str, Any]) -> DiagnosisStep:
    return DiagnosisStep(
        item["name"], item["question"], in_python(item["answer"]), item["mark"], item.get("seconds"), tuple(item["tables"])
    )


check_arguments(__name__)
