"""assay.diagnose: its answers, the folder, resuming, Ctrl-C and wrong arguments."""

import json
import os
import subprocess
import sys
from dataclasses import FrozenInstanceError
from pathlib import Path
from typing import Any

import numpy as np
import onnx
import pytest

import assay
from assay import _assay
from assay.backend.onnxrt import OnnxrtRunner
from assay.comparator import Comparator, DataLoader, IterationResult, RunResults
from assay.exception import ArgumentError
from interrupts import last_line_of
from models import chain, parse

ASSAY = _assay.libexec().parents[1] / "bin" / "assay"
STEPS = ["inputs", "model", "run", "repeat", "finite", "compare", "settings", "locate", "reduce", "known"]


def refused() -> onnx.ModelProto:
    """Returns a model that ONNX Runtime refuses: it has no Max for int16."""
    model = parse(
        """g (float[4] x) => (float[4] y) {
             a = Relu(x)  b = Neg(a)  c = Cast<to = 5>(b)  d = Max(c, c)  e = Cast<to = 1>(d)  y = Abs(e) }"""
    )
    model.graph.node[3].name = "max_1"
    return model


def test_a_healthy_model() -> None:
    found = assay.diagnose(chain(), "onnxrt")
    assert found.healthy and found.outcome == "healthy" and found.verdict.startswith("No bug found")
    assert [step.name for step in found.steps] == STEPS == _assay.diagnosis_steps()
    assert found.minimal is None and found.bug_report is None and not found.stopped
    assert (found.check, found.node, found.setting, found.known_issue) == ("", "", "", "")
    assert found.seconds == sum(step.seconds or 0 for step in found.steps) > 0
    assert str(found) == found.verdict


def test_a_refused_model_leads_to_a_minimal_case(tmp_path: Path) -> None:
    found = assay.diagnose(refused(), "onnxrt", output=tmp_path / "d", progress=False)
    assert found.outcome == "cause" and not found.healthy
    assert "Max" in found.verdict and "Max" in found.node
    assert found.minimal is not None and [node.op_type for node in found.minimal.nodes] == ["Max"]
    assert found.known_issue.startswith("https://github.com/microsoft/onnxruntime/issues/")
    assert str(found).startswith(found.verdict) and found.check.startswith("assay run ")
    files = {file.name for file in (tmp_path / "d").iterdir()}
    assert {"model.onnx", "diagnosis.json", "inputs.json", "log.txt", "minimal.onnx", "bug_report"} <= files
    assert Path(found.folder) == tmp_path / "d" and found.bug_report == str(tmp_path / "d" / "bug_report")
    assert onnx.load(tmp_path / "d" / "model.onnx") == refused()
    reduce = next(step for step in found.steps if step.name == "reduce")
    assert any(row[0] for table in reduce.tables for row in table["rows"])


def test_the_temporary_folder_lives_as_long_as_the_result() -> None:
    found = assay.diagnose(refused(), "onnxrt", skip=["repeat", "finite", "compare"])
    minimal, folder = found.minimal, Path(found.folder)
    assert minimal is not None and (folder / "minimal.onnx").exists()
    child = os.fork()
    if child == 0:  # it has a copy of the result
        del found
        os._exit(0)
    os.waitpid(child, 0)
    assert (folder / "minimal.onnx").exists()
    del found
    assert not folder.exists()
    assert [node.op_type for node in onnx.load_from_string(minimal.to_bytes()).graph.node] == ["Max"]


def test_golden_results_and_tolerances(tmp_path: Path) -> None:
    results = Comparator.run([OnnxrtRunner(chain())], data_loader=DataLoader(seed=1))
    results[0][1][0]["y"] = results[0][1][0]["y"] + np.float32(0.5)
    results.save(str(tmp_path / "golden.json"))
    skip = ["settings", "locate", "reduce"]
    found = assay.diagnose(chain(), "onnxrt", golden=tmp_path / "golden.json", skip=skip)
    assert found.outcome != "healthy" and "no independent third opinion confirms the saved results." in found.verdict
    assert assay.diagnose(chain(), "onnxrt", golden=tmp_path / "golden.json", skip=skip, atol=0.6).healthy
    with pytest.raises(assay.InputError, match="no output of the model"):
        assay.diagnose(parse("g (float[2] x) => (float[2] z) { z = Relu(x) }"), "onnxrt", golden=tmp_path / "golden.json")


def test_golden_results_in_memory(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    results = Comparator.run([OnnxrtRunner(chain())], data_loader=DataLoader(seed=1))
    outputs = {name: value + np.float32(0.5) for name, value in results[0][1][0].items()}
    skip = ["settings", "locate", "reduce"]
    for golden in (outputs, [outputs], RunResults([("mine", [IterationResult(outputs)])])):
        found = assay.diagnose(chain(), "onnxrt", golden=golden, inputs=DataLoader(), skip=skip)
        assert "the saved results" in found.verdict, found
    call = {"golden": outputs, "inputs": DataLoader(), "skip": skip, "output": tmp_path / "d"}
    assay.diagnose(chain(), "onnxrt", **call)
    logged = capfd.readouterr()
    assert ".json" not in logged.err + logged.out, "the caller doesn't know the temporary file of the results"
    assert RunResults.load(tmp_path / "d" / "golden.json")[0][0] == "golden"
    assert "the saved results" in assay.diagnose(chain(), "onnxrt", **call, resume=True).verdict
    with pytest.raises(assay.InputError, match="other options"):
        assay.diagnose(chain(), "onnxrt", **{**call, "golden": {"y": outputs["y"] + 1}}, resume=True)
    with pytest.raises(assay.InputError, match="one runner"):
        assay.diagnose(chain(), "onnxrt", golden=RunResults())


ENGINE = """
import onnx, onnxruntime
def load(path):
    model = onnx.load(path)
    for node in model.graph.node: node.op_type = node.op_type.replace("Sin", "Cos")
    return onnxruntime.InferenceSession(model.SerializeToString(), providers=["CPUExecutionProvider"])
def infer(session, feeds, wanted):
    return dict(zip(wanted, session.run(wanted, feeds)))
"""


def test_a_python_module_as_engine(tmp_path: Path) -> None:
    (tmp_path / "engine.py").write_text(ENGINE)
    model = parse("g (float[2] x) => (float[2] y) { a = Exp(x)  b = Sin(a)  y = Neg(b) }")
    engine = ("python", {"module": tmp_path / "engine.py", "interpreter": sys.executable})
    found = assay.diagnose(model, engine)
    assert found.outcome == "cause" and found.node.startswith("Sin"), found
    assert found.minimal is not None and [node.op_type for node in found.minimal.nodes] == ["Sin"]
    assert assay.locate(model, engine, "onnxrt").first.tensor == "b"  # type: ignore[union-attr]
    with pytest.raises(assay.InputError, match="python needs the setting 'module'"):
        assay.diagnose(model, "python")
    with pytest.raises(assay.NotFoundError, match="there is no such Python module"):
        assay.diagnose(model, ("python", {"module": "none.py"}))


def test_inputs_and_settings() -> None:
    model = parse("g (float[n] x) => (float[n] y) { y = Log(x) }")
    finite = {"x": np.ones(3, np.float32)}
    negative = {"x": np.full(3, -1, np.float32)}
    for inputs, healthy in ((finite, True), ([finite, negative], False), (DataLoader(val_range=(-2, -1)), False)):
        found = assay.diagnose(model, ("onnxrt", {"threads": 1}), inputs=inputs, skip=["repeat", "reduce"])
        assert found.healthy == healthy, found.verdict
    assert "given by the user" in assay.diagnose(model, "onnxrt", inputs=finite, skip=STEPS[1:]).steps[0].answer


def test_larger_sizes_are_proposed_only_for_inputs_without_a_shape() -> None:
    model = parse("g (float[n] x) => (float y) <int64 i = {3}> { y = Gather(x, i) }")
    assert "runs the model with" in str(assay.diagnose(model, "onnxrt"))
    assert "runs the model with" in str(assay.diagnose(model, "onnxrt", input_shapes={"x": [-1]}))
    for name in ("x", "?"):
        found = assay.diagnose(model, "onnxrt", input_shapes={name: [1]})
        assert "Gather" in found.verdict and "runs the model with" not in str(found)


def test_it_resumes(tmp_path: Path) -> None:
    arguments: dict[str, Any] = {"output": tmp_path / "d", "skip": ["repeat", "settings", "reduce"]}
    inputs = {"x": np.ones(4, np.float32)}
    first = assay.diagnose(chain(), "onnxrt", inputs=inputs, **arguments)
    journal = tmp_path / "d" / "diagnosis.json"
    state = json.loads(journal.read_text())
    state["steps"] = state["steps"][:4]
    journal.write_text(json.dumps(state))
    second = assay.diagnose(chain(), "onnxrt", inputs=inputs, resume=True, **arguments)
    assert second.steps[:4] == first.steps[:4] and second.verdict == first.verdict
    assert len(second.steps) == len(STEPS)
    with pytest.raises(assay.InputError, match="another model, or with other options"):
        assay.diagnose(chain(), "onnxrt", inputs={"x": np.zeros(4, np.float32)}, resume=True, **arguments)
    with pytest.raises(assay.InputError, match="resume=True .* or choose another one with output"):
        assay.diagnose(chain(), "onnxrt", inputs=inputs, **arguments)


STOPPED = """
ctrl_c_at(sys.argv[2])
found = assay.diagnose(sys.argv[1], "onnxrt", output=sys.argv[3])
print(found.stopped, found.outcome, len(found.steps), found.verdict)
"""


@pytest.mark.parametrize(
    ("message", "expected"),
    [
        ("What are the inputs?", "KeyboardInterrupt"),
        ("Does it run?", "True undecided 3 Stopped after 3 of 10 steps; resume=True continues. So far: ONNX Runtime"),
    ],
)
def test_ctrl_c_returns_what_is_known(tmp_path: Path, message: str, expected: str) -> None:
    onnx.save(refused(), tmp_path / "m.onnx")
    assert last_line_of(STOPPED, tmp_path / "m.onnx", message, tmp_path / "d").startswith(expected)
    resumed = assay.diagnose(tmp_path / "m.onnx", "onnxrt", output=tmp_path / "d", resume=True)
    assert resumed.outcome == "cause" and len(resumed.steps) == len(STEPS)


def test_a_budget_may_end_it() -> None:
    found = assay.diagnose(chain(), "onnxrt", budget=1e-9)
    assert found.outcome == "undecided" and "budget" in found.verdict and not found.healthy


@pytest.mark.parametrize(
    ("engines", "arguments", "message"),
    [
        ([], {}, "no engine is given"),
        (["tensorrt"], {}, "there is no engine 'tensorrt'"),
        ([("onnxrt", {"speed": 3})], {}, "onnxrt has no setting 'speed'. Its settings are: lib, providers, .*config.KEY"),
        (["onnxrt"], {"skip": ["sleep"]}, "skip must be some of .*'reduce'.* but has 'sleep'"),
        (["onnxrt"], {"resume": True}, "Give it as `output`"),
        (["onnxrt"], {"budget": 0}, "budget must be greater than 0"),
        (["onnxrt"], {"inputs": {"x": np.ones(4, np.float32)}, "seed": 2}, "generated inputs"),
        (["onnxrt"], {"inputs": {"x": np.ones(7, np.float32)}}, "'x'"),
        (["onnxrt"], {"inputs": np.ones((1, 4), np.float32)}, 'as {"x": array}, but has a ndarray'),
    ],
)
def test_wrong_arguments(engines: Any, arguments: Any, message: str) -> None:
    with pytest.raises(assay.InputError, match=message):
        assay.diagnose(chain(), *engines, **arguments)


def test_arguments_of_wrong_types() -> None:
    for call, message in (
        (lambda: assay.diagnose(chain(), "onnxrt", 3), r"diagnose\(\): engines\[1\] must be a string or a tuple"),  # type: ignore[arg-type]
        (lambda: assay.diagnose(chain(), "onnxrt", skip="reduce"), r"diagnose\(\): skip must be a list of strings"),
        (lambda: assay.diagnose(chain(), "onnxrt", budget=-1), r"diagnose\(\): budget must be a number of at least 0"),
    ):
        with pytest.raises(ArgumentError, match=message):
            call()
    for name in ("golden", "inputs"):
        with pytest.raises(assay.NotFoundError, match="nowhere.json"):
            assay.diagnose(chain(), "onnxrt", **{name: "nowhere.json"})  # type: ignore[arg-type]


def test_other_folders_are_left_alone(tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_text("mine")
    with pytest.raises(assay.InputError, match="isn't empty"):
        assay.diagnose(chain(), "onnxrt", output=tmp_path)
    with pytest.raises(assay.InputError, match="no diagnosis that could be resumed"):
        assay.diagnose(chain(), "onnxrt", output=tmp_path, resume=True)
    assert [file.name for file in tmp_path.iterdir()] == ["notes.txt"]


@pytest.mark.skipif(not ASSAY.exists(), reason="the command isn't built")
def test_answers_are_those_of_the_command(tmp_path: Path) -> None:
    onnx.save(refused(), tmp_path / "m.onnx")
    words = ["diagnose", str(tmp_path / "m.onnx"), "--onnxrt", "--seed", "3", "--rtol", "0.001", "--format", "json"]
    command = subprocess.run([str(ASSAY), *words, "-o", str(tmp_path / "c")], capture_output=True, text=True)
    expected = json.loads(command.stdout.replace(f"{tmp_path}/c", f"{tmp_path}/p"))
    found = assay.diagnose(tmp_path / "m.onnx", "onnxrt", seed=3, rtol=1e-3, output=tmp_path / "p")
    assert list(found.details) == list(expected)
    assert (found.verdict, found.outcome) == (expected["verdict"], expected["outcome"])
    assert [(step.name, step.mark) for step in found.steps] == [(step["name"], step["mark"]) for step in expected["steps"]]
    assert found.check == expected["facts"]["minimal"]["check"] and "--rtol 0.001" in found.check
    assert found.details["facts"]["minimal"]["command"] == expected["facts"]["minimal"]["command"]
    # The command can continue what Python began.
    resumed = subprocess.run([str(ASSAY), *words, "-o", str(tmp_path / "p"), "--resume"], capture_output=True, text=True)
    assert json.loads(resumed.stdout)["verdict"] == found.verdict


def test_it_is_frozen_and_has_html() -> None:
    bad = parse("g (float[2] x) => (float[2] y) { y = Relu(x) }")
    bad.graph.node[0].output[0] = bad.graph.output[0].name = "<i>y</i>"
    found = assay.diagnose(bad, "onnxrt", skip=STEPS[3:])
    html = found._repr_html_()
    assert "<table>" in html and "Does it run?" in html and "<i>" not in html
    with pytest.raises(FrozenInstanceError):
        found.verdict = ""  # type: ignore[misc]


def test_progress_is_shown_on_request() -> None:
    pytest.importorskip("tqdm")
    program = (
        "import assay, sys; from assay.logger import G_LOGGER; G_LOGGER.module_severity = G_LOGGER.ERROR; "
        "assay.diagnose(sys.argv[1], 'onnxrt', skip={}, progress={})"
    )
    model = str(Path(__file__).parents[2] / "tests" / "models" / "polygraphy_reduce_example.onnx")
    for progress, expected in ((True, True), (None, False)):
        command = [sys.executable, "-c", program.format(STEPS[2:], progress), model]
        result = subprocess.run(command, capture_output=True, text=True, check=True)
        assert ("assay.diagnose" in result.stderr and "Is the model valid?" in result.stderr) == expected, result.stderr


def test_help_reads_well() -> None:
    doc = assay.diagnose.__doc__ or ""
    assert all(len(line) <= 120 for line in doc.splitlines())
    parameters = set(assay.diagnose.__annotations__) - {"return"}
    documented = {line.split(":")[0].strip() for line in doc.splitlines() if ": " in line}
    assert parameters <= documented, "a parameter isn't documented"
