"""assay.reduce: with functions and with commands, on real models and small ones."""

import gc
import os
import subprocess
import sys
import threading
import warnings
from pathlib import Path
from typing import Any
from unittest import mock

import numpy as np
import onnx
import pytest

import assay
import check_squeezenet
from assay.backend.onnxrt import OnnxrtRunner
from interrupts import last_line_of
from models import REAL, chain, parse

SQUEEZENET = REAL / "light_squeezenet.onnx"
EXAMPLE = REAL / "polygraphy_reduce_example.onnx"


def operators(path: str) -> list[str]:
    return [node.op_type for node in onnx.load(path, load_external_data=False).graph.node]


def has_no_neg(path: str) -> bool:
    return "Neg" not in operators(path)


def test_finds_the_failing_node() -> None:
    reduction = assay.reduce(chain(), has_no_neg)
    assert [node.op_type for node in reduction.model.nodes] == ["Neg"]
    assert (reduction.nodes_before, reduction.nodes_after, reduction.end) == (4, 1, "minimal")
    assert reduction.is_minimal and not reduction.verbatim and reduction.error is None
    assert reduction.checks > reduction.failing > 0
    assert reduction.passing is not None and "Neg" not in [node.op_type for node in reduction.passing.nodes]
    assert reduction.confirmed == reduction.confirmations > 0
    assert sum(step.nodes_removed for step in reduction.passes) == 3
    onnx.checker.check_model(reduction.model.to_proto())


@pytest.mark.parametrize("jobs", [1, 4])
def test_a_function_decides_like_a_command(jobs: int) -> None:
    with_function = assay.reduce(SQUEEZENET, check_squeezenet.check, jobs=jobs, max_checks=60)
    command = [sys.executable, check_squeezenet.__file__, "{model}"]
    with_command = assay.reduce(SQUEEZENET, command, jobs=jobs, max_checks=60)
    assert with_function.model.to_bytes() == with_command.model.to_bytes()
    for name in ("nodes_before", "nodes_after", "end", "untried", "empty_fails"):
        assert getattr(with_function, name) == getattr(with_command, name), name
    if jobs == 1:  # looking ahead depends on how long a check takes
        assert with_function.passes == with_command.passes
        counts = [(r.checks, r.failing, r.unresolved) for r in (with_function, with_command)]
        assert counts[0] == counts[1]


def test_the_result_does_not_depend_on_the_number_of_jobs() -> None:
    results = [assay.reduce(SQUEEZENET, check_squeezenet.check, jobs=jobs, max_checks=40) for jobs in (1, 4)]
    assert results[0].model.to_bytes() == results[1].model.to_bytes()


def test_functions_of_several_jobs_run_at_once() -> None:
    meeting = threading.Barrier(2)
    met: list[bool] = []

    def check(path: str) -> bool:
        if len(met) < 1:
            try:
                meeting.wait(timeout=5)
                met.append(True)
            except threading.BrokenBarrierError:
                meeting.reset()
        return has_no_neg(path)

    assay.reduce(chain(), check, jobs=2)
    assert met


def test_an_exception_is_a_failure_that_is_distinguished_from_others() -> None:
    def check(path: str) -> bool:
        if "Neg" in operators(path):
            raise ValueError("Neg is not supported")
        raise TypeError("something else")

    reduction = assay.reduce(chain(), check)
    assert [node.op_type for node in reduction.model.nodes] == ["Neg"]
    assert reduction.headline == "ValueError: Neg is not supported"
    assert reduction.failure.startswith("the function failed")
    assert "It fails: the function failed: ValueError: Neg is not supported\n" in str(reduction)
    assert "def check" not in reduction.output and "Neg is not supported" in reduction.output
    assert [other.headline for other in reduction.others] == ["TypeError: something else"]
    assert "Neg" not in [node.op_type for node in reduction.others[0].model.nodes]


def test_inputs_that_a_candidate_lacks_are_a_failure_of_the_candidate() -> None:
    def check(path: str) -> bool:
        with OnnxrtRunner(path) as runner:
            return bool(np.isfinite(runner.infer({"x": np.ones(4, np.float32)})["y"]).all())

    model = parse("g (float[4] x) => (float[4] y) { a = Abs(x)  b = Neg(a)  y = Log(b) }")
    reduction = assay.reduce(model, check, values="input")
    assert [node.op_type for node in reduction.model.nodes] == ["Neg", "Log"] and reduction.error is None
    assert any("InputError" in other.headline for other in reduction.others), reduction.others


def test_what_is_cut_is_frozen_if_the_inputs_are_given(capfd: pytest.CaptureFixture[str]) -> None:
    def check(path: str) -> bool:
        with OnnxrtRunner(path) as runner:
            feeds = {name: np.ones(4, np.float32) for name in runner.get_input_metadata() if name == "x"}
            return bool(np.isfinite(runner.infer(feeds)["y"]).all())

    model = parse("g (float[4] x) => (float[4] y) { a = Abs(x)  b = Neg(a)  y = Log(b) }")
    reduction = assay.reduce(model, check, values="input")
    assert [node.op_type for node in reduction.model.nodes] == ["Neg", "Log"]
    assert "is an input that this candidate has in place of removed nodes" in capfd.readouterr().out
    reduction = assay.reduce(model, check, inputs={"x": np.ones(4)})
    assert [node.op_type for node in reduction.model.nodes] == ["Log"] and not reduction.model.inputs
    with pytest.raises(assay.InputError, match="x"):
        assay.reduce(model, check, inputs={})
    with pytest.raises(assay.InputError, match="Give one of them"):
        assay.reduce(model, check, inputs={"x": np.ones(4)}, input_shapes={"x": [4]})


def test_output_and_messages_may_be_any_bytes(capfd: pytest.CaptureFixture[str]) -> None:
    program = (
        "import onnx, sys; neg = 'Neg' in [n.op_type for n in onnx.load(sys.argv[1]).graph.node];"
        "sys.stdout.buffer.write(b'error: caf\\xe9\\n' if neg else b'TypeError: na\\xefve\\n'); sys.exit(1 if neg else 3)"
    )
    reduction = assay.reduce(chain(), [sys.executable, "-c", program, "{model}"])
    assert [node.op_type for node in reduction.model.nodes] == ["Neg"]
    assert reduction.headline == "error: caf\N{REPLACEMENT CHARACTER}" and reduction.headline in reduction.output
    assert [other.headline for other in reduction.others] == ["TypeError: na\N{REPLACEMENT CHARACTER}ve"]
    assert "fails differently" in capfd.readouterr().out


def test_an_exception_may_have_a_lone_surrogate() -> None:
    def check(path: str) -> bool:
        if "Neg" in operators(path):
            raise ValueError("a file named \udce9")
        return True

    assert assay.reduce(chain(), check).headline == "ValueError: a file named ?"


def test_a_bisection_says_that_it_has_moved_to_another_failure(capfd: pytest.CaptureFixture[str]) -> None:
    def check(path: str) -> bool:
        found = operators(path)
        if "Neg" in found:
            raise ValueError("the first failure") if found[0] != "Neg" else TypeError("another one")
        return True

    assert assay.reduce(chain(), check, mode="bisect").headline == "TypeError: another one"
    shown = capfd.readouterr().out
    assert "ValueError: the first failure. The result: " in shown and "same_failure class keeps to the failure" in shown
    assert assay.reduce(chain(), check, mode="bisect", same_failure="class").headline == "ValueError: the first failure"
    assert "another failure than the model" not in capfd.readouterr().out


def test_none_means_that_it_cannot_tell() -> None:
    def check(path: str) -> "bool | None":
        found = operators(path)
        return None if "Relu" not in found else "Neg" not in found

    reduction = assay.reduce(chain(), check)
    assert sorted(node.op_type for node in reduction.model.nodes) == ["Neg", "Relu"]
    assert reduction.unresolved > 0


def test_numpy_booleans_are_answers() -> None:
    assert assay.reduce(chain(), lambda path: np.bool_(has_no_neg(path))).nodes_after == 1


def test_another_answer_is_an_error() -> None:
    with pytest.raises(assay.InputError, match="returned 3"):
        assay.reduce(chain(), lambda path: 3)


@pytest.mark.parametrize("check", [lambda: True, lambda path, more: True, lambda *, path: True])
def test_a_check_that_cannot_be_called_is_an_error(check: Any) -> None:
    with pytest.raises(assay.InputError, match="is called with one argument, the candidate"):
        assay.reduce(chain(), check)


def test_a_check_may_be_any_callable() -> None:
    class HasNoNeg:
        def __call__(self, path: str, operator: str = "Neg") -> bool:
            return operator not in operators(path)

    assert assay.reduce(chain(), HasNoNeg()).nodes_after == 1


@pytest.mark.parametrize("check", [None, 5])
def test_what_isnt_a_check_is_an_error(check: Any) -> None:
    with pytest.raises(assay.InputError, match=f"check must be .* a function, but is {check}"):
        assay.reduce(chain(), check)


def test_system_exit_ends_the_reduction() -> None:
    def check(path: str) -> bool:
        sys.exit(7)

    with pytest.raises(SystemExit) as ended:
        assay.reduce(chain(), check, jobs=2)
    assert ended.value.code == 7


def test_a_function_may_get_the_message() -> None:
    def check(model: onnx.ModelProto) -> bool:
        return all(node.op_type != "Neg" for node in model.graph.node)

    assert assay.reduce(chain(), check, as_proto=True).nodes_after == 1


def test_temporary_folders_are_removed_without_a_warning() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        reduction = assay.reduce(chain(), has_no_neg)
        folder = Path(reduction._files.name)
        assert folder.is_dir()
        with mock.patch("sys.unraisablehook") as unraisable:  # of errors in finalizers
            del reduction
            gc.collect()
    unraisable.assert_not_called()
    assert not folder.exists()


def test_a_model_that_does_not_fail_is_an_error() -> None:
    with pytest.raises(assay.InputError, match="does not fail the check") as raised:
        assay.reduce(chain(), lambda path: True)
    assert "options" not in str(raised.value)  # a function has none
    assert "model.onnx" not in str(raised.value)  # that file was temporary


def test_a_model_is_not_judged_without_its_weights(tmp_path: Path) -> None:
    """Its file would be copied to where its weights aren't."""
    model = parse("g (float[64] x) => (float[64] y) { y = Add(x, w) }")
    model.graph.initializer.append(onnx.numpy_helper.from_array(np.ones(64, np.float32), "w"))
    path = tmp_path / "model.onnx"
    onnx.save(model, path, save_as_external_data=True, location="model.data", size_threshold=0)
    with pytest.raises(assay.InputError, match="does not fail the check"):
        assay.reduce(path, lambda candidate: onnx.load(candidate) is not None)


def test_accepts_paths_messages_models_and_callables(tmp_path: Path) -> None:
    onnx.save(chain(), tmp_path / "m.onnx")
    path = str(tmp_path / "m.onnx")
    for model in (path, Path(path), onnx.load(path), assay.Model(path), lambda: path):
        assert assay.reduce(model, has_no_neg).nodes_after == 1
    assert [file.name for file in tmp_path.iterdir()] == ["m.onnx"]


def test_a_changed_model_is_reduced_as_it_is_now(tmp_path: Path) -> None:
    onnx.save(chain(), tmp_path / "m.onnx")
    model = assay.Model(tmp_path / "m.onnx")
    model.graph.node[3].op_type = "Sqrt"
    reduction = assay.reduce(model, lambda path: "Sqrt" not in operators(path))
    assert [node.op_type for node in reduction.model.nodes] == ["Sqrt"]


def test_saves_the_result(tmp_path: Path) -> None:
    reduction = assay.reduce(chain(), has_no_neg, output=tmp_path / "small.onnx")
    assert onnx.load(tmp_path / "small.onnx") == reduction.model.to_proto()
    assert [file.name for file in tmp_path.iterdir()] == ["small.onnx"]


@pytest.mark.parametrize(
    ("check", "arguments", "message"),
    [
        (has_no_neg, {"check_timeout": 5}, "check_timeout can't be used with a function"),
        (has_no_neg, {"fail_codes": [1], "fail_regex": ["bad"]}, "fail_codes, fail_regex can't be used with a function"),
        ("false", {"as_proto": True}, "as_proto is for functions"),
        (has_no_neg, {"mode": "bisect", "passes": ["bypass"]}, "only mode 'minimal' has passes"),
        ("false", {"mode": "linear", "skip_passes": ["bypass"], "thorough": True}, "has skip_passes, thorough"),
    ],
)
def test_what_this_kind_of_check_or_mode_ignores_is_refused(check: Any, arguments: dict[str, Any], message: str) -> None:
    with pytest.raises(assay.InputError, match=message):
        assay.reduce(chain(), check, **arguments)


def test_the_name_of_the_output_need_not_be_unicode(tmp_path: Path) -> None:
    output = tmp_path / os.fsdecode(b"\xff.onnx")
    assay.reduce(chain(), has_no_neg, output=output)
    assert [node.op_type for node in assay.Model(output).nodes] == ["Neg"]
    assert os.listdir(os.fsencode(tmp_path)) == [b"\xff.onnx"]


def test_a_file_that_cannot_be_written_is_refused_before_the_first_check(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    checked: list[object] = []
    for output in (tmp_path / "file" / "small.onnx", "/proc/small.onnx"):
        with pytest.raises(assay.Error, match="cannot"):
            assay.reduce(chain(), checked.append, output=output)  # type: ignore[arg-type]
    assert not checked


def test_the_model_and_its_weights_are_not_replaced(tmp_path: Path) -> None:
    model = parse("g (float[2] x) => (float[2] y) { y = Add(x, w) }")
    model.graph.initializer.append(onnx.numpy_helper.from_array(np.ones(2, np.float32), "w"))
    path = tmp_path / "model.onnx"
    onnx.save(model, path, save_as_external_data=True, location="model.data", size_threshold=0)
    (tmp_path / "link.onnx").symlink_to(path)
    before = {file: file.read_bytes() for file in tmp_path.iterdir()}
    checked: list[object] = []
    for output in before:
        with pytest.raises(assay.InputError, match="Choose another name"):
            assay.reduce(path, checked.append, output=output)  # type: ignore[arg-type]
        with pytest.raises(assay.InputError, match="Choose another name"):
            assay.locate(path, "onnxrt", fp16=True, output=output)
        with pytest.raises(assay.InputError, match="Choose another name"):
            assay.locate(model, "onnxrt", against=path, output=output)
    assert not checked and {file: file.read_bytes() for file in tmp_path.iterdir()} == before


def test_the_check_may_change_the_working_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "other").mkdir()
    monkeypatch.chdir(tmp_path)

    def check(path: str) -> bool:
        os.chdir(tmp_path / "other")
        return has_no_neg(path)

    assay.reduce(chain(), check, output="small.onnx")
    assert sorted(file.name for file in tmp_path.rglob("*")) == ["other", "small.onnx"]


def test_a_command_finds_its_file_in_the_environment_and_in_the_working_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    lines = "import onnx, os, sys; ops = [n.op_type for n in onnx.load({}).graph.node]; sys.exit('Neg' in ops)"
    for place in ("'polygraphy_debug.onnx'", "os.environ['ASSAY_MODEL']"):
        assert assay.reduce(chain(), [sys.executable, "-c", lines.format(place)]).nodes_after == 1
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("words", "warning"),
    [
        (["whole.onnx"], "The check runs on 'whole.onnx', which is the whole model, and mentions no candidate: write {model}"),
        ([], "The check mentions neither 'polygraphy_debug.onnx' nor {model} nor ASSAY_MODEL."),
        (["{model}"], ""),
    ],
)
def test_a_check_that_does_not_look_at_the_candidate_leads_to_a_warning(
    words: list[str], warning: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    onnx.save(chain(), "whole.onnx")
    with pytest.raises(assay.InputError, match="does not fail the check"):
        assay.reduce("whole.onnx", [sys.executable, "-c", "pass", *words])
    shown = capfd.readouterr().out
    assert f"[W] {warning}" in shown if warning else "mentions" not in shown


def test_a_command_of_assay_on_another_model_is_refused(tmp_path: Path) -> None:
    onnx.save(chain(), tmp_path / "m.onnx")
    with pytest.raises(assay.InputError, match="the check doesn't run the candidates"):
        assay.reduce(chain(), ["assay", "run", str(tmp_path / "m.onnx"), "--onnxrt"])


def test_words_of_a_command_may_be_paths(tmp_path: Path) -> None:
    script = tmp_path / "a check.py"
    script.write_text(
        f"#!{sys.executable}\nimport onnx, os, sys\n"
        "sys.exit('Neg' in [n.op_type for n in onnx.load(os.environ['ASSAY_MODEL']).graph.node])\n"
    )
    script.chmod(0o755)
    for check in (script, [sys.executable, script, "{model}"]):
        assert assay.reduce(chain(), check, artifact=tmp_path / "candidate.onnx").nodes_after == 1


def test_a_missing_command_is_an_error() -> None:
    with pytest.raises(assay.NotFoundError, match="no-such-program"):
        assay.reduce(chain(), "no-such-program {model}")


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ("--nope", r"there is no option --nope \(in the words of the check\)\. Correct the command\. Options of the"),
        ("--fail-regex x", "there is no option --fail-regex"),
        ("--onnxrt --load-inputs nowhere.json", "nowhere.json"),
        ("--onnxrt --onnxrt-lib nowhere.so", "nowhere.so"),
    ],
)
def test_a_wrong_option_of_assay_run_is_an_error(words: str, message: str) -> None:
    for limit in ({}, {"check_timeout": 60}):
        with pytest.raises(assay.InputError, match=f"the check can't judge any model: .*{message}"):
            assay.reduce(chain(), "assay run {model} " + words, **limit)


@pytest.mark.parametrize(
    ("command", "message"),
    [
        (["/bin/sh", "-c", "no_such_engine {model}"], "the check can't run: exit status 127: .*not found.*fail_codes 127"),
        ([sys.executable, "no_such_script.py", "{model}"], "the check can't run: .*can't open file"),
        ([sys.executable, "-c", "import no_such_module"], "ModuleNotFoundError: .*Run the check with sys.executable.*fail_regex"),
        (
            [sys.executable, "-c", "import argparse; argparse.ArgumentParser('check').parse_args()", "--nope", "{model}"],
            "the check can't run: check: error: .*--nope",
        ),
    ],
)
def test_a_command_that_cannot_run_is_an_error(command: list[str], message: str, tmp_path: Path) -> None:
    with pytest.raises(assay.InputError, match=message):
        assay.reduce(EXAMPLE, command)
    assert assay.reduce(EXAMPLE, command, fail_regex=["."]).nodes_after == 1
    # A later check may end in this way because of its candidate.
    words = ["/bin/sh", "-c", f"test -e {tmp_path}/ran || {{ : > {tmp_path}/ran; exit 1; }}; exit 127"]
    assert assay.reduce(EXAMPLE, words, same_failure="any").nodes_after == 1


def test_exit_statuses_and_patterns_of_commands() -> None:
    lines = (
        "import onnx, sys; ops = [n.op_type for n in onnx.load(sys.argv[1]).graph.node];"
        "print('BAD NEG' if 'Neg' in ops else 'fine'); sys.exit(3 if 'Relu' in ops else 0)"
    )
    command = [sys.executable, "-c", lines, "{model}"]
    by_text = assay.reduce(chain(), command, fail_regex=["BAD NEG"], same_failure="any")
    assert [node.op_type for node in by_text.model.nodes] == ["Neg"]
    by_code = assay.reduce(chain(), command, fail_codes=[3])
    assert [node.op_type for node in by_code.model.nodes] == ["Relu"]


def test_limits_end_it_with_the_best_so_far() -> None:
    reduction = assay.reduce(EXAMPLE, lambda path: False, max_checks=2)
    assert reduction.end == "max_checks" and reduction.checks == 2
    assert assay.reduce(chain(), has_no_neg, until_nodes=2).end == "until_nodes"


def test_an_error_after_the_time_limit_says_what_was_running() -> None:
    hangs = [sys.executable, "-c", "import signal; signal.pause()", "{model}"]
    message = r"the time was up before any check failed \(in time_limit\). Allow more time: a check was still running, after"
    with pytest.raises(assay.InputError, match=message):
        assay.reduce(EXAMPLE, hangs, time_limit=0.5)


def test_a_check_that_can_judge_few_candidates_leads_to_a_warning(capfd: pytest.CaptureFixture[str]) -> None:
    nodes = "  ".join(f"x{i + 1} = Neg(x{i})" for i in range(40))
    model = parse(f"g (float[2] x0) => (float[2] x40) {{ {nodes} }}")
    large = model.ByteSize() * 9 // 10
    judges_large = f"import os, sys; sys.exit(1 if os.path.getsize(sys.argv[1]) > {large} else 125)"
    assay.reduce(model, [sys.executable, "-c", judges_large, "{model}"], max_checks=30)
    printed = capfd.readouterr().out
    assert "candidates so far can't be judged" in printed and "see unresolved_codes and unresolved_regex" in printed


@pytest.mark.parametrize("mode", ["bisect", "linear"])
def test_the_modes_of_polygraphy(mode: Any) -> None:
    assert [node.op_type for node in assay.reduce(chain(), has_no_neg, mode=mode).model.nodes] == ["Neg"]


def test_a_shape_for_an_unknown_input_is_an_error() -> None:
    message = r"the model has no input tensor 'z' \(in input_shapes\). Its inputs are: x0, x1"
    with pytest.raises(assay.NotFoundError, match=message):
        assay.reduce(EXAMPLE, ["false"], input_shapes={"z": [1]})
    with pytest.raises(assay.NotFoundError, match="no input tensor 'z'"):
        assay.reduce(EXAMPLE, lambda path: False, input_shapes={"x?": [1], "z": [1]}, mode="bisect")


def test_wrong_words_are_errors() -> None:
    for arguments in ({"mode": "fast"}, {"values": "none"}, {"same_failure": "other"}, {"passes": ["nothing"]}):
        with pytest.raises(assay.InputError, match="fast|none|other|nothing"):
            assay.reduce(chain(), has_no_neg, **arguments)
    with pytest.raises(assay.InputError, match="empty"):
        assay.reduce(chain(), "")
    with pytest.raises(assay.InputError, match="the check command 'sh -c \"' can't be split into words: No closing quotation"):
        assay.reduce(chain(), 'sh -c "')
    with pytest.raises(assay.InputError, match="fail_ratio needs repeat greater than 1"):
        assay.reduce(chain(), has_no_neg, fail_ratio=0.5)


def test_names_of_nodes_that_were_not_removed_may_be_any_bytes() -> None:
    # Before IR version 4, a body can't return an initializer, so nothing but another node could take the Sin's place.
    model = parse(
        """g (bool c, float[2] x) => (float[2] y) { y = If (c) <then_branch = t () => (float[2] t_name) { t_name = Sin (x) },
             else_branch = e () => (float[2] e_name) { e_name = Sin (x) }> }""",
        'ir_version: 3, opset_import: ["" : 17]',
    )

    def check(path: str) -> bool:
        nodes = onnx.load(path).graph.node
        bodies = [attribute.g.node for node in nodes if node.op_type == "If" for attribute in node.attribute]
        return not bodies or any([node.op_type for node in body] != ["Sin"] for body in bodies)

    reduction = assay.reduce(model.SerializeToString().replace(b"_name", b"_nam\xe9"), check)
    assert [what.split(":")[0] for what in reduction.untried] == [
        f"Sin '{branch}_nam\N{REPLACEMENT CHARACTER}' in the body of 'y'" for branch in "te"
    ]


INTERRUPTED = """
import onnx
due, once = threading.Event(), threading.Lock()
def log(text, severity):
    if " left after " in text:  # a candidate has failed
        due.set()
G_LOGGER.log = log
def check(path):
    if due.is_set() and once.acquire(blocking=False):
        ctrl_c()
    return "Softmax" not in [node.op_type for node in onnx.load(path).graph.node]
if sys.argv[2] == "KeyboardInterrupt":
    due.set()
print(assay.reduce(sys.argv[1], check, jobs=int(sys.argv[3])).end)
"""


# Interrupts the first check, or the first one after a candidate has failed.
@pytest.mark.parametrize(("expected", "jobs"), [("KeyboardInterrupt", 1), ("stopped", 1), ("stopped", 2)])
def test_ctrl_c_returns_the_best_so_far(expected: str, jobs: int) -> None:
    assert last_line_of(INTERRUPTED, SQUEEZENET, expected, jobs) == expected


def test_other_threads_continue_meanwhile(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    threading.Thread(target=lambda: pipe.write_text("hello"), daemon=True).start()
    command = ["/bin/sh", "-c", f"read -r word < {pipe}; printf %s \"$word\"; exit 1", "{model}"]  # waits for that thread
    assert assay.reduce(chain(), command, max_checks=1, check_timeout=60).output == "hello"


def test_two_reductions_at_once() -> None:
    results: list[assay.Reduction] = []

    def run() -> None:
        results.append(assay.reduce(chain(), has_no_neg, jobs=2))

    threads = [threading.Thread(target=run) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [result.nodes_after for result in results] == [1, 1, 1, 1]


def test_a_summary_as_text_and_html() -> None:
    model = parse("g (float[4] x) => (float[4] y) { a = Relu(x)  y = Neg(a) }")
    model.graph.node[1].name = "<b>&"
    reduction = assay.reduce(model, has_no_neg)
    assert repr(reduction).startswith("Reduced 2 nodes to 1 (minimal).") and "Neg" in repr(reduction)
    html = reduction._repr_html_()
    assert "&lt;b&gt;&amp;" in html and "<b>&" not in html


def test_progress_is_shown_on_request() -> None:
    pytest.importorskip("tqdm")
    program = (
        "import assay, onnx, sys; assay.reduce(sys.argv[1], lambda path: 'Softmax' not in "
        "[n.op_type for n in onnx.load(path).graph.node], max_checks=5, progress={})"
    )
    for progress, expected in ((True, True), (None, False), (False, False)):
        result = subprocess.run(
            [sys.executable, "-c", program.format(progress), str(SQUEEZENET)],
            capture_output=True,
            text=True,
            check=True,
        )
        assert ("checks" in result.stderr) == expected, result.stderr


def test_progress_that_cannot_be_shown_is_a_warning(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setitem(sys.modules, "tqdm.auto", None)
    for progress, expected in ((True, True), (None, False), (False, False)):
        assert assay.reduce(chain(), has_no_neg, progress=progress).nodes_after == 1
        assert ("the package tqdm isn't installed" in capsys.readouterr().out) == expected


def test_help_reads_well() -> None:
    doc = assay.reduce.__doc__ or ""
    assert all(len(line) <= 120 for line in doc.splitlines())
    parameters = set(assay.reduce.__annotations__) - {"return"}
    documented = {line.split(":")[0].strip() for line in doc.splitlines() if ": " in line}
    assert parameters <= documented, "a parameter isn't documented"
