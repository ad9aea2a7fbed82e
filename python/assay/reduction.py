"""assay.reduce: from a model that fails to the part that fails."""

from __future__ import annotations

import os
import shlex
import shutil
import sys
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Callable, Literal, Mapping, Sequence

from assay.arguments import AnyModel, Count, Ratio, Seconds, Size, check_arguments
from assay.backend.onnx.kinds import Given
from assay.check import Check
from assay.exception import InputError
from assay.model import Model, PathLike
from assay.parameters import in_python
from assay.progress import Bar
from assay.report import Report, WithReport, call_text, subject_of
from assay.tables import counted, html_table, text_table
from assay.temporary_folder import TemporaryFolder

Mode = Literal["minimal", "bisect", "linear"]

ARTIFACT = "polygraphy_debug.onnx"
# Packages of engines that check functions use.
_ENGINES = ("onnxruntime", "openvino", "tensorrt", "onnx", "torch", "tensorflow", "tvm", "iree", "MNN", "cv2")
UNRESOLVED_CODE = 125  # of a check command that can't judge a candidate, as in `git bisect run`


@dataclass(frozen=True)
class PassSummary:
    """Counts for one pass or phase over the whole reduction.

    Attributes:
        name: Its name, as ``assay debug reduce --list-passes`` lists it.
        checks: How many checks it made.
        failing: How many of them failed.
        nodes_removed: How many nodes it removed.
    """

    name: str
    checks: int
    failing: int
    nodes_removed: int


@dataclass(frozen=True)
class OtherFailure:
    """A different failure that some candidates showed.

    Attributes:
        description: How the check failed, such as "exit status 1 with NOT_IMPLEMENTED".
        headline: What its output says first about an error, in one line; may be empty.
        times: How many candidates failed in this way.
        nodes: The number of nodes of `model`.
        model: The smallest of these candidates.
    """

    description: str
    headline: str
    times: int
    nodes: int
    model: Model


@dataclass(frozen=True, repr=False)
class Reduction(WithReport):
    """The result of :func:`assay.reduce`.

    Attributes:
        model: The smallest model found that fails. It was judged exactly as it is here.
        nodes_before: The number of nodes of the whole model, those in bodies and functions included.
        nodes_after: The number of nodes of the result.
        end: Why the search ended. "minimal": each node was removed alone, in every way, and is needed; "between ends":
            the ends of bisect or linear can't move; "unchanged": only the file as it is fails, byte for byte, so
            nothing was removed; "passes skipped", "until_nodes", "max_checks" and "stopped": a limit or Ctrl-C ended
            it, and a smaller model may fail, too.
        failure: How the check failed on the result, e.g. "exit status 1 with NOT_IMPLEMENTED".
        headline: What the check's output, or the exception, says first about an error, in one line; may be empty.
        output: The last 64 KiB of what the check wrote, or the traceback of its exception.
        passing: The passing candidate closest in size, or None if no candidate passed.
        checks: The number of checks made; `failing` and `unresolved` of them failed or couldn't tell.
        reused: The number of verdicts of an earlier call that were taken from the journal.
        seconds: How long the reduction took; `check_seconds` is the time of all checks together.
        confirmed: How many of `confirmations` further checks of the result failed, too.
        untried: Nodes that couldn't be removed alone, each with the reason.
        empty_fails: Whether a model without any node fails the check, too. The check then tests something else.
        uncalled_functions: Local functions of the result that no node calls, but without which the failure disappears.
            Empty unless mode "minimal" verified its result.
        is_minimal: Whether each node of the result is needed: without it, the failure disappears.
        others: Other failures of candidates, which were skipped.
        passes: What each pass did.
        verbatim: Whether only the unchanged file fails, so that `model` is the whole model.
        error: What ended the reduction early, or None.
    """

    model: Model
    nodes_before: int
    nodes_after: int
    end: str
    failure: str
    headline: str
    output: str
    passing: Model | None
    checks: int
    failing: int
    unresolved: int
    reused: int
    seconds: float
    check_seconds: float
    confirmed: int
    confirmations: int
    untried: tuple[str, ...]
    empty_fails: bool
    uncalled_functions: tuple[str, ...]
    is_minimal: bool
    others: tuple[OtherFailure, ...]
    passes: tuple[PassSummary, ...]
    verbatim: bool
    error: str | None
    _report: Report | None = field(default=None, repr=False, compare=False)
    _files: Any = field(default=None, compare=False)  # keeps the folder of a model that was given in memory

    def save(self, path: PathLike, **options: Any) -> None:
        """Writes `model` to a file; `options` are those of :meth:`assay.Model.save`."""
        if self.verbatim:
            self.model.native.copy_to(os.fspath(path))
        else:
            self.model.save(path, **options)

    def _summary(self) -> list[str]:
        lines = [f"Reduced {counted(self.nodes_before, 'node')} to {self.nodes_after} ({self.end})."]
        lines.append(f"It fails: {_with_headline(self.failure, self.headline)}")
        if self.confirmations:
            lines.append(f"The result failed in {self.confirmed} of {self.confirmations} more runs.")
        lines += [f"No model without this node could be built: {node}" for node in self.untried]
        for other in self.others:
            lines.append(f"Another failure occurred {counted(other.times, 'time')}: {other.description}")
        if self.empty_fails:
            lines.append("A model without any node fails the check, too. Does it test what you mean it to test?")
        if self.error:
            lines.append(f"It ended early: {self.error}")
        verdicts = f"{self.failing} failed, {self.unresolved} unresolved"
        lines.append(f"{counted(self.checks, 'check')} ({verdicts}) in {self.seconds:.2f} s")
        if self.reused:
            lines.append(f"{counted(self.reused, 'verdict')} of an earlier call came from the journal")
        return lines

    def _nodes(self) -> list[tuple[Any, ...]]:
        nodes = self.model.nodes
        return [(n.op_type, n.name, ", ".join(n.inputs), ", ".join(n.outputs)) for n in nodes[:20]]

    def __repr__(self) -> str:
        nodes = text_table(_NODE_COLUMNS, self._nodes())
        return "\n".join([self._summary()[0], nodes, *self._summary()[1:]])

    def _repr_html_(self) -> str:
        first, *rest = self._summary()
        return html_table(first, _NODE_COLUMNS, self._nodes(), rest)


_NODE_COLUMNS = ("Operator", "Name", "Inputs", "Outputs")


def reduce(
    model: AnyModel,
    check: PathLike | Sequence[PathLike] | Callable[[Any], object],
    *,
    output: PathLike | None = None,
    journal: PathLike | None = None,
    check_id: str | None = None,
    jobs: Count = 1,
    mode: Mode = "minimal",
    as_proto: bool = False,
    artifact: PathLike | None = None,
    check_timeout: Seconds | None = None,
    check_memory: Size | None = None,
    fail_codes: Sequence[int] = (),
    ignore_fail_codes: Sequence[int] = (),
    unresolved_codes: Sequence[int] = (UNRESOLVED_CODE,),
    fail_regex: Sequence[str] = (),
    unresolved_regex: Sequence[str] = (),
    same_failure: Literal["strict", "class", "any"] | None = None,
    repeat: Count = 1,
    fail_ratio: Ratio = 0.0,
    input_shapes: Mapping[str, Sequence[int]] | None = None,
    inputs: Mapping[str, Any] | None = None,
    shape_inference: bool = True,
    values: Literal["input", "freeze", "auto"] | None = None,
    until_nodes: Size | None = None,
    max_checks: Count | None = None,
    time_limit: Seconds | None = None,
    passes: Sequence[str] = (),
    skip_passes: Sequence[str] = (),
    thorough: bool = False,
    progress: bool | None = None,
) -> Reduction:
    """Reduces a model that fails a check to a small one that still fails, like ``assay debug reduce``.

    The check as a function::

        def check(path):
            session = onnxruntime.InferenceSession(path)   # raising an exception means: it fails
            return numpy.isfinite(session.run(None, feeds)[0]).all()

        reduction = assay.reduce("model.onnx", check)
        reduction.model.save("reduced.onnx")

    and as a command: ``assay.reduce("model.onnx", "assay run {model} --onnxrt --openvino", jobs=4)``.

    What a function returns or raises:

    - True: the candidate passes.
    - False: the candidate fails.
    - None: the function can't tell, so the search skips the candidate.
    - An exception: the candidate fails. The traceback takes the place of a command's output, by which failures are
      distinguished (`same_failure`).
    - SystemExit, GeneratorExit or KeyboardInterrupt: ends the reduction, and is raised again here.
    - Anything else: ends the reduction with an InputError.

    A function runs in this process, with the GIL, in `jobs` threads. It leads to the same decisions as a script that
    passes, fails and raises in the same cases. If the function crashes, hangs or leaks memory, so does this process.
    For such failures use a command (with `check_timeout` and `check_memory`) or a runner of :mod:`assay.backend`, which
    run in processes of their own. An exception that is a mistake in the function looks like a failure of the model, so
    look at `headline` in the result.

    Ctrl-C ends the search once the running functions have returned, and the best result so far is returned with
    ``end == "stopped"``; KeyboardInterrupt is raised if no candidate has failed yet. The GIL is released meanwhile.

    Args:
        model: A path, an :class:`assay.Model`, an ``onnx.ModelProto``, or a callable that returns one of them.
        check: A function that gets the path of a candidate, or a command, which passes if it exits with status 0: a
            text, a list of words such as ``[sys.executable, "check.py", "{model}"]``, or the path of a program. In a
            command, ``{model}`` stands for the candidate's path, and the environment variable ASSAY_MODEL holds it;
            without ``{model}`` the candidate is the file ``polygraphy_debug.onnx`` in the working folder. A command
            ``assay run ...`` also tells which inputs and saved outputs it uses, and the search takes them into account.
        output: Also save the result to this path.
        journal: The file in which verdicts are stored before they are used, so that the same call resumes after an
            interruption, even if the process was killed. A journal that is named here is kept. By default it is the
            file OUTPUT.journal, which is removed once the result is saved. A function needs a `check_id` for it.
        check_id: A name of the function and its version, such as "softmax-2". A later call reuses the verdicts of a
            function with the same `check_id`, whatever that function does: change it whenever a verdict could change.
            Verdicts of commands are recognised by the command's words and the text of its scripts.
        jobs: The number of checks that run at once. The result doesn't depend on it.
        mode: "minimal" removes nodes until each remaining one is needed; "bisect" and "linear" move the outputs up
            and the inputs down, as Polygraphy does.
        as_proto: Call the function with an ``onnx.ModelProto`` instead of a path.
        artifact: The path of the candidate's file. By default it is in a temporary folder, or in the working folder if
            `check` is a command without ``{model}``.
        check_timeout: Stop a command after this many seconds. It then fails, or is unresolved if there are rules for
            exit statuses or output.
        check_memory: Stop a command if its processes use more than this many bytes; judged like a timeout.
        fail_codes: Count only these exit statuses of a command as failures; -N is signal N.
        ignore_fail_codes: Don't count these exit statuses as failures.
        unresolved_codes: Exit statuses of a command that can't tell.
        fail_regex: Count a command as failed only if its output matches one of these regular expressions.
        unresolved_regex: A command whose output matches one of these can't tell.
        same_failure: Which failures count: "strict" (the same error text, apart from numbers and names), "class" (the
            same kind of error) or "any". By default "class" in mode "minimal", otherwise "any".
        repeat: For flaky failures: judge each candidate up to this many times.
        fail_ratio: With `repeat`: the fraction (0 to 1) of a candidate's runs that must fail; 0: one is enough.
        input_shapes: Shapes of the model's inputs for runs that compute values of tensors, by name.
        shape_inference: Infer the shapes of tensors that become inputs.
        inputs: Values of all inputs of the model, by name, for runs that compute values of tensors. Give those that the
            check feeds, and let it feed only the inputs that a candidate has: it has no value for a new input. By
            default, values are generated.
        values: How to supply a tensor whose node is removed: "input", "freeze" (as a constant with its value in the
            whole model) or "auto" (freeze shapes, indices and conditions). By default "freeze" if `inputs` are given or
            a command ``assay run ...`` loads its inputs, otherwise "auto".
        until_nodes: Stop once this many nodes are left.
        max_checks: Stop after this many checks, with the best result so far.
        time_limit: Stop after this many seconds, with the best result so far.
        passes: Run only these passes (``assay debug reduce --list-passes`` lists them).
        skip_passes: Skip these passes.
        thorough: Simplify the result for as long as anything can be simplified.
        progress: Show a progress bar. By default if tqdm is installed and the output is a terminal or a notebook.

    Returns:
        The result. Printing it, or showing it in a notebook, gives a summary.

    Raises:
        InputError: The model doesn't fail, an argument is wrong, or `journal` isn't a journal.
        NotFoundError: The model or the command is missing.
        KeyboardInterrupt: Stopped before any candidate failed.
    """
    from assay import _assay

    call = call_text(reduce, locals())
    words = _command(check)
    rules = {
        "check_timeout": check_timeout,
        "check_memory": check_memory,
        "fail_codes": list(fail_codes),
        "ignore_fail_codes": list(ignore_fail_codes),
        "unresolved_codes": list(unresolved_codes),
        "fail_regex": list(fail_regex),
        "unresolved_regex": list(unresolved_regex),
    }
    _refuse_ignored(rules, as_proto, words is None)
    if mode != "minimal":
        _refuse_options_of_minimal({"passes": passes, "skip_passes": skip_passes, "thorough": thorough})
    if inputs is not None and input_shapes is not None:
        raise InputError("inputs and input_shapes both say what shapes the inputs have. Give one of them")
    if fail_ratio > 0 and repeat == 1:
        raise InputError("fail_ratio needs repeat greater than 1. Set repeat to the number of runs per candidate")
    with_files = _open(model)
    file = None if output is None else os.path.abspath(output)  # the check may change the working folder
    folder = TemporaryFolder()
    path = _candidate_path(artifact, words, folder.name)
    function = None if words is not None else Check(check, path, as_proto)  # type: ignore[arg-type]
    arguments: dict[str, Any] = {
        **_journal(journal, output, check_id, function is not None),
        "is_copy": with_files.folder is not None,
        "command": words or [],
        "function": function,
        "artifact": path,
        "jobs": jobs,
        "mode": mode,
        **rules,
        "same_failure": same_failure,
        "repeat": repeat,
        "fail_ratio": float(fail_ratio),
        "input_shapes": {name: [int(size) for size in shape] for name, shape in (input_shapes or {}).items()},
        "shape_inference": shape_inference,
        "inputs": None if inputs is None else dict(inputs),
        "values": values or (None if inputs is None else "freeze"),
        "until_nodes": until_nodes,
        "max_checks": max_checks,
        "time_limit": time_limit,
        "passes": list(passes),
        "skip_passes": list(skip_passes),
        "thorough": thorough,
        "output": file or "",
    }
    with folder, Bar("assay.reduce", " checks", progress) as bar:
        arguments["progress"] = (lambda *state: _show(bar, *state)) if bar.visible else None
        found = _assay.reduce_model(with_files.native, arguments)
    interrupted = found.pop("interrupted")
    versions = [] if function is None else [*function.engines(), *_packages()]
    found["_report"] = Report(found["_report"], with_files.subject, call, versions)
    result = _to_reduction(found, with_files)
    if file is not None:
        result.save(file)
    if not interrupted and result.error is None:
        _assay.end_journal(arguments)
    return result


def _with_headline(failure: str, headline: str) -> str:
    """Returns how a check failed and what it reported, without repeating the class of the error."""
    ending, _, error_class = failure.rpartition(" with ")
    if ending and headline.startswith(error_class):
        failure = ending
    return f"{failure}: {headline}" if headline else failure


def _refuse_ignored(rules: Mapping[str, Any], as_proto: bool, is_function: bool) -> None:
    """Raises an error for arguments that this kind of check ignores. `rules` judge the processes of commands."""
    given = [name for name, value in rules.items() if value not in (None, [], [UNRESOLVED_CODE])]
    if is_function and given:
        raise InputError(
            f"{', '.join(given)} can't be used with a function: it runs in this process, and returns its verdict. Leave "
            "this out, or give a command as the check"
        )
    if as_proto and not is_function:
        raise InputError("as_proto is for functions, but the check is a command. Leave it out")


def _refuse_options_of_minimal(options: Mapping[str, Any]) -> None:
    given = [name for name, value in options.items() if value]
    if given:
        raise InputError(f"only mode 'minimal' has {', '.join(given)}. Leave this out, or use that mode")


def _candidate_path(artifact: PathLike | None, words: Sequence[str] | None, folder: str) -> str:
    """Returns the path of the file that candidates are written to: the one that was asked for, the one that a command
    expects in the working folder if it doesn't name its file, or one in a temporary folder."""
    if artifact is not None:
        return os.fspath(artifact)
    if words is not None and not _names_model(words):
        return ARTIFACT
    return f"{folder}/candidate.onnx"


def _names_model(words: Sequence[str]) -> bool:
    return any("{model}" in word for word in words)


def _packages() -> list[tuple[str, str]]:
    """Returns the packages of engines that this process has imported, with their versions."""
    versions = ((name, getattr(sys.modules.get(name), "__version__", "")) for name in _ENGINES)
    return [(f"{name} (Python package)", str(version)) for name, version in versions if version]


def _show(bar: Bar, step: str, nodes_left: int | None, checks: int) -> None:
    bar.show("" if nodes_left is None else f"{counted(nodes_left, 'node')} left, {step}", checks)


def _journal(journal: PathLike | None, output: PathLike | None, check_id: str | None, is_function: bool) -> dict[str, Any]:
    """Returns the arguments of the extension that say where verdicts are stored, and for which function."""
    if check_id is not None and not is_function:
        raise InputError("check_id names a function, but the check is a command. Leave it out")
    if check_id is not None and journal is None and output is None:
        raise InputError("check_id has no effect without a journal. Give `journal` or `output`")
    if check_id == "" or (is_function and journal is not None and check_id is None):
        raise InputError(
            "a journal can't tell whether a function is the one whose verdicts it holds. Give `check_id` a text that "
            "you change with the function"
        )
    path = "" if journal is None else os.path.abspath(journal)
    if output is not None and path == os.path.abspath(output):
        raise InputError(f"journal and output are the same file {path}. Choose another one for the journal")
    if journal is None and output is not None and (check_id is not None or not is_function):
        path = os.path.abspath(output) + ".journal"
    return {"journal": path, "keep_journal": journal is not None, "check_id": check_id or ""}


@dataclass
class _OnDisk:
    """A model that is the content of a file, which checks can get as it is."""

    native: Any
    subject: str
    folder: TemporaryFolder | None = None


def _open(model: Any) -> _OnDisk:
    given = Given(model).model
    if given.path is not None:
        return _OnDisk(given.native, subject_of(given))
    folder = TemporaryFolder()
    path = f"{folder.name}/model.onnx"
    given.save(path)
    return _OnDisk(Model(path).native, subject_of(given), folder)


def _command(check: Any) -> list[str] | None:
    """Returns the words of a command, or None for a function."""
    if callable(check):
        return None
    if isinstance(check, os.PathLike):
        check = [check]
    if not isinstance(check, (str, Sequence)):
        raise InputError(f"the check must be a function or a command, but is {check!r}")
    try:
        words = shlex.split(check) if isinstance(check, str) else [os.fspath(word) for word in check]
    except ValueError as error:  # a quotation mark without a partner
        raise InputError(f"the check command {check!r} can't be split into words: {error}. Give a list of words") from None
    if not words:
        raise InputError("the check command is empty. Give a command or a function")
    if words[0] == "assay" and shutil.which("assay") is None:
        words[0] = _own_program()
    return words


def _own_program() -> str:
    """Returns the path of the command that is installed with the package, for environments that aren't activated."""
    from assay import _assay

    for folder in (Path(sys.prefix), Path(_assay.libexec()).parents[1]):
        if (folder / "bin" / "assay").exists():
            return str(folder / "bin" / "assay")
    return "assay"


def _to_reduction(found: dict[str, Any], model: _OnDisk) -> Reduction:
    values: dict[str, Any] = {name: tuple(value) if isinstance(value, list) else value for name, value in found.items()}
    values["model"] = Model.from_native(found["model"])
    values["error"] = None if found["error"] is None else in_python(found["error"])
    values["passing"] = None if found["passing"] is None else Model.from_native(found["passing"])
    values["passes"] = tuple(PassSummary(**item) for item in found["passes"])
    values["others"] = tuple(
        OtherFailure(**{**item, "model": Model.from_native(item["model"])}) for item in found["others"]
    )
    return Reduction(**values, _files=model.folder)


check_arguments(__name__)
