"""The journal of assay.reduce: what a later call reuses, and when the file is removed."""

import os
import signal
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any, Callable

import onnx
import pytest

import assay
import check_squeezenet
from models import REAL, chain, with_weights

SQUEEZENET = REAL / "light_squeezenet.onnx"
CHECKS = 40


class Counted:
    """Calls a check in any number of threads, and ends the reduction at the call with this number."""

    def __init__(self, check: Callable[[str], object], last: int = 10**9) -> None:
        self.calls, self._check, self._last = 0, check, last
        self._lock = threading.Lock()

    def __call__(self, path: str) -> object:
        with self._lock:
            self.calls += 1
            number = self.calls
        if number == self._last:
            sys.exit("enough")
        return self._check(path)


def has_no_neg(path: str) -> bool:
    return "Neg" not in [node.op_type for node in onnx.load(path, load_external_data=False).graph.node]


@pytest.mark.parametrize("jobs", [1, 4])
def test_a_function_resumes(jobs: int, tmp_path: Path) -> None:
    whole = Counted(check_squeezenet.check)
    expected = assay.reduce(SQUEEZENET, whole, max_checks=CHECKS)
    arguments: dict[str, Any] = {"output": tmp_path / "r.onnx", "check_id": "squeezenet-1", "max_checks": CHECKS}
    first = Counted(check_squeezenet.check, last=15)
    with pytest.raises(SystemExit):
        assay.reduce(SQUEEZENET, first, jobs=jobs, **arguments)
    assert [file.name for file in tmp_path.iterdir()] == ["r.onnx.journal"]

    second = Counted(check_squeezenet.check)
    resumed = assay.reduce(SQUEEZENET, second, jobs=jobs, **arguments)
    assert 0 < resumed.reused < first.calls  # other threads may have begun another check before the end
    assert f"{resumed.reused} verdicts of an earlier call" in repr(resumed)
    if jobs == 1:  # looking ahead makes further checks, and the limit doesn't count what is reused
        assert resumed.reused == 14
    assert resumed.nodes_after <= expected.nodes_after
    assert [file.name for file in tmp_path.iterdir()] == ["r.onnx"]


def test_a_named_journal_is_kept_and_saves_all_checks(tmp_path: Path) -> None:
    checks = [Counted(check_squeezenet.check) for _ in range(2)]
    arguments: dict[str, Any] = {"journal": tmp_path / "j", "check_id": "1"}
    first, second = (assay.reduce(SQUEEZENET, check, max_checks=CHECKS, **arguments) for check in checks)
    assert os.listdir(tmp_path) == ["j"]
    assert first.model.to_bytes() == second.model.to_bytes()
    assert (first.reused, first.checks) == (0, checks[0].calls)
    assert (second.reused, second.checks, checks[1].calls) == (first.checks, 0, 0)


def test_verdicts_belong_to_one_function_and_one_model(tmp_path: Path) -> None:
    def reduce(model: onnx.ModelProto, check_id: str) -> assay.Reduction:
        return assay.reduce(model, has_no_neg, journal=tmp_path / "j", check_id=check_id)

    other = chain()
    other.graph.node[0].name = "renamed"
    assert reduce(chain(), "1").reused == 0
    assert reduce(chain(), "2").reused == 0
    assert reduce(other, "1").reused == 0
    assert reduce(chain(), "1").reused > 0


@pytest.mark.parametrize("count", [1 << 12, 17 << 20])  # more than 64 MiB of a file aren't usually read
def test_a_model_in_memory_with_weights_resumes(count: int, tmp_path: Path) -> None:
    model = with_weights(count)
    model.graph.node.extend([onnx.helper.make_node("Neg", ["y"], ["z"])])
    model.graph.output[0].name = "z"
    for reused in (False, True):
        found = assay.reduce(model, has_no_neg, journal=tmp_path / "j", check_id="1")
        assert (found.reused > 0) == reused


def test_a_killed_process_resumes(tmp_path: Path) -> None:
    program = """
import os, signal, sys, onnx, assay
calls = []
def check(path):
    calls.append(path)
    if len(calls) == int(sys.argv[3]):
        os.kill(os.getpid(), signal.SIGKILL)
    return "Softmax" not in [node.op_type for node in onnx.load(path).graph.node]
print(assay.reduce(sys.argv[1], check, output=sys.argv[2], check_id="1").reused)
"""
    command = [sys.executable, "-c", program, str(SQUEEZENET), str(tmp_path / "r.onnx")]
    (tmp_path / "temporary").mkdir()  # a killed process leaves a folder there
    environment = {**os.environ, "TMPDIR": str(tmp_path / "temporary")}
    assert subprocess.run([*command, "5"], env=environment).returncode == -signal.SIGKILL
    result = subprocess.run([*command, "1000000"], capture_output=True, text=True, check=True)
    assert result.stdout.split()[-1] == "4"
    assert sorted(os.listdir(tmp_path)) == ["r.onnx", "temporary"]


def test_ctrl_c_leaves_the_journal(tmp_path: Path) -> None:
    check = Counted(check_squeezenet.check)
    arrived = threading.Event()

    def interrupt(number: int, frame: object) -> None:
        arrived.set()
        raise KeyboardInterrupt

    def interrupted(path: str) -> object:
        if check.calls == 8:
            signal.raise_signal(signal.SIGINT)
            arrived.wait(60)
        return check(path)

    arguments: dict[str, Any] = {"output": tmp_path / "r.onnx", "check_id": "1", "max_checks": CHECKS}
    before = signal.signal(signal.SIGINT, interrupt)
    try:
        assert assay.reduce(SQUEEZENET, interrupted, **arguments).end == "stopped"
    finally:
        signal.signal(signal.SIGINT, before)
    assert sorted(os.listdir(tmp_path)) == ["r.onnx", "r.onnx.journal"]
    assert assay.reduce(SQUEEZENET, check_squeezenet.check, **arguments).reused >= 8
    assert os.listdir(tmp_path) == ["r.onnx"]


def test_ctrl_c_at_the_very_end_keeps_the_result() -> None:
    check = Counted(check_squeezenet.check)

    def interrupted(path: str) -> object:
        found = check(path)
        if check.calls == 6:
            signal.raise_signal(signal.SIGINT)  # the reduction ends before Python looks for signals
        return found

    assert assay.reduce(SQUEEZENET, interrupted, max_checks=6).end in ("max_checks", "stopped")


def test_a_command_needs_no_name(tmp_path: Path) -> None:
    lines = "import onnx, sys; sys.exit('Neg' in [n.op_type for n in onnx.load(sys.argv[1]).graph.node])"
    script = tmp_path / "check.py"
    for text, reused in ((lines, False), (lines, True), (lines + "\n", False)):  # a changed script is another check
        script.write_text(text)
        found = assay.reduce(chain(), [sys.executable, str(script), "{model}"], journal=tmp_path / "j")
        assert (found.reused > 0) == reused
    assay.reduce(chain(), [sys.executable, str(script), "{model}"], output=tmp_path / "r.onnx")
    assert sorted(os.listdir(tmp_path)) == ["check.py", "j", "r.onnx"]


def test_what_cannot_be_recognised_is_refused(tmp_path: Path) -> None:
    for arguments, message in (
        ({"journal": tmp_path / "j"}, "check_id"),
        ({"journal": tmp_path / "j", "check_id": ""}, "check_id"),
        ({"check_id": "1"}, "`journal` or `output`"),
        ({"journal": tmp_path / "r", "output": tmp_path / "r", "check_id": "1"}, "same file"),
    ):
        with pytest.raises(assay.InputError, match=message):
            assay.reduce(chain(), has_no_neg, **arguments)  # type: ignore[arg-type]
    with pytest.raises(assay.InputError, match="is a command"):
        assay.reduce(chain(), "true {model}", journal=tmp_path / "j", check_id="1")
    assert os.listdir(tmp_path) == []


def test_another_file_is_not_overwritten(tmp_path: Path) -> None:
    path = tmp_path / "notes.txt"
    path.write_text("not a journal " * 100)
    with pytest.raises(assay.InputError, match="notes.txt"):
        assay.reduce(chain(), has_no_neg, journal=path, check_id="1")
    assert path.read_text() == "not a journal " * 100


def test_a_model_that_does_not_fail_leaves_no_journal(tmp_path: Path) -> None:
    with pytest.raises(assay.InputError, match="does not fail"):
        assay.reduce(chain(), lambda path: True, output=tmp_path / "r.onnx", check_id="1")
    assert os.listdir(tmp_path) == []
