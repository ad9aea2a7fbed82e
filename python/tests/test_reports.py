"""assay.inspect, assay.diff and assay.locate: their results as objects, as text and as HTML."""

import json
import subprocess
from dataclasses import FrozenInstanceError, replace
from pathlib import Path
from typing import Any

import numpy as np
import onnx
import pytest

import assay
from assay import _assay
from assay.backend.onnxrt import OnnxrtRunner
from assay.comparator import AccuracyResults, Comparator, DataLoader, RunResults
from assay.json import save_json
from interrupts import last_line_of
from models import REAL, chain, parse, with_weights

SQUEEZENET = REAL / "light_squeezenet.onnx"
ASSAY = _assay.libexec().parents[1] / "bin" / "assay"


def test_inspect_agrees_with_onnx() -> None:
    expected = onnx.load(SQUEEZENET)
    found = assay.inspect(SQUEEZENET)
    assert [node.op_type for node in found.nodes] == [node.op_type for node in expected.graph.node]
    assert [weight.name for weight in found.initializers] == [weight.name for weight in expected.graph.initializer]
    assert found.opsets == {entry.domain or "ai.onnx": entry.version for entry in expected.opset_import}
    assert found.ir_version == expected.ir_version and found.producer == expected.producer_name
    assert found.operators["Conv"] == sum(node.op_type == "Conv" for node in expected.graph.node)
    assert found.outputs[0].shape == tuple(
        dimension.dim_value for dimension in expected.graph.output[0].type.tensor_type.shape.dim
    )


def test_inspect_shows_layers_on_request() -> None:
    assert "Op: Relu" not in repr(assay.inspect(chain()))
    assert "Op: Relu" in repr(assay.inspect(chain(), show=("layers",)))


@pytest.mark.parametrize("show", ["layers", ("weights",)])
def test_inspect_refuses_other_words(show: Any) -> None:
    with pytest.raises(assay.InputError, match="show must be"):
        assay.inspect(chain(), show=show)


def test_weights_of_models_in_memory_are_compared() -> None:
    model = with_weights()
    assert "not compared" not in str(assay.diff(model, model))
    weight = onnx.numpy_helper.to_array(model.graph.initializer[0]).copy()
    weight[7] += 1
    model.graph.initializer[0].CopyFrom(onnx.numpy_helper.from_array(weight, "w"))
    assert [change.aspect for change in assay.diff(with_weights(), model).changes] == ["weight"]


def test_diff_finds_changes() -> None:
    changed = chain()
    changed.graph.node[1].op_type = "Sigmoid"
    found = assay.diff(chain(), changed)
    assert found and not found.equal
    assert any(change.aspect == "node" and "Sigmoid" in change.subject for change in found.changes)
    assert "Sigmoid" in repr(found)


def test_diff_of_equal_models_is_false() -> None:
    renamed = parse("h (float[2] x) => (float[2] z) { z = Relu(x) }")
    original = parse("g (float[2] x) => (float[2] y) { y = Relu(x) }")
    assert not assay.diff(chain(), assay.Model(chain()))
    assert assay.diff(original, renamed)
    assert assay.diff(original, renamed, ignore=["names"]).equal
    with pytest.raises(assay.InputError, match="colours"):
        assay.diff(original, renamed, ignore=["colours"])


def test_locate_finds_the_changed_node(tmp_path: Path) -> None:
    changed = chain()
    changed.graph.node[1].op_type = "Sigmoid"
    found = assay.locate(chain(), "onnxrt", against=changed, output=tmp_path / "piece.onnx")
    assert found.verdict == "differ" and not found.agrees
    assert found.first is not None and found.first.tensor == "b" and found.first.born
    assert found.first.max_absolute is not None and found.first.max_absolute > 0
    assert 0 < found.runs <= found.runs_limit
    assert found.model_file == str(tmp_path / "piece.onnx")
    assert "b" in [value.name for value in onnx.load(found.model_file).graph.output]
    assert "'b'" in repr(found) or " b " in repr(found)


STOPPED = """
ctrl_c_at(sys.argv[3])
found = assay.locate(sys.argv[1], "onnxrt", against=sys.argv[2])
print(found.stopped, found.verdict, found.first.tensor, len(found.piece))
"""


@pytest.mark.parametrize(
    ("message", "expected"), [("the unchanged model", "KeyboardInterrupt"), ("tensors marked", "True differ y 4")]
)
def test_ctrl_c_ends_a_search_with_what_is_known(tmp_path: Path, message: str, expected: str) -> None:
    changed = chain()
    changed.graph.node[1].op_type = "Sigmoid"
    onnx.save(chain(), tmp_path / "a.onnx")
    onnx.save(changed, tmp_path / "b.onnx")
    assert last_line_of(STOPPED, tmp_path / "a.onnx", tmp_path / "b.onnx", message) == expected


def test_locate_of_sides_that_agree() -> None:
    found = assay.locate(chain(), "onnxrt", "reference")
    assert found.agrees and found.first is None and found.piece == ()


def test_locate_with_settings_and_shapes() -> None:
    model = parse("g (float[n] x) => (float[n] y) { a = Exp(x)  y = Log(a) }")
    found = assay.locate(model, ("onnxrt", {"threads": 1}), "reference", input_shapes={"x": [5]}, atol=1e-3)
    assert found.agrees and "5" in found.outputs[0].value
    settings = {"providers": ["CPUExecutionProvider"], "config": {"session.use_env_allocators": 0}, "threads": 2}
    assert assay.locate(model, ("onnxrt", settings), "reference", atol=1e-3).agrees


def test_texts_of_results_name_no_options() -> None:
    models = []
    for op in ("Sin", "Cos"):
        nodes = " ".join(f"t{i + 1} = {op}(t{i})" for i in range(30))
        models.append(parse(f"g (float[4] t0) => (float[4] t30) {{ {nodes} }}"))
    found = assay.locate(models[0], "onnxrt", against=models[1])
    assert "more, which `layers` lists" in str(found) and len(found.layers) > 20
    lookup = parse("g (float[9,2] table, int64[3] ids) => (float[3,2] y) { y = Gather(table, ids) }")
    answer = assay.diagnose(lookup, "onnxrt", skip=_assay.diagnosis_steps()[1:]).steps[0].answer
    assert "Give real data with" in answer and "--" not in answer


def test_locate_in_float16() -> None:
    model = parse("g (float[2] x) => (float[2] y) <float[2] w = {1e6, 1e6}> { y = Mul(x, w) }")
    found = assay.locate(model, "onnxrt", fp16=True)
    assert found.verdict == "differ" and found.first is not None and found.first.tensor == "y"


def test_locate_compares_with_known_values(tmp_path: Path) -> None:
    x = np.array([-2, 1, 0.5, -3], np.float32)
    weights = np.array([1, 2, 3, 4], np.float32)
    values = {"a": x + weights, "b": np.maximum(x + weights, 0)}
    values |= {"c": -values["b"], "y": values["b"]}
    wrong = values | {"b": values["b"] + 1, "c": -values["b"] - 1, "y": values["b"] + 1}
    results = RunResults()
    results.add([wrong], runner_name="known")
    results.save(tmp_path / "known.json")
    assert assay.locate(chain(), "onnxrt", inputs={"x": x}, golden=values).agrees
    for golden in (wrong, [wrong], results, tmp_path / "known.json"):
        found = assay.locate(chain(), "onnxrt", inputs={"x": x}, golden=golden)
        assert found.verdict == "differ" and found.first is not None and found.first.tensor == "b"
    results.add([values], runner_name="another")
    for golden, message in ((results, "one runner"), ({}, "at least one|no output"), (tmp_path / "nowhere", "nowhere")):
        with pytest.raises(assay.Error, match=message):
            assay.locate(chain(), "onnxrt", inputs={"x": x}, golden=golden)
    with pytest.raises(assay.InputError, match="exactly two"):
        assay.locate(chain(), "onnxrt", "reference", inputs={"x": x}, golden=values)


@pytest.mark.parametrize("function", [assay.locate, assay.diagnose])
def test_an_error_about_values_in_memory_names_the_argument(function: Any) -> None:
    with pytest.raises(assay.InputError, match=r"among the saved results \(in golden\)"):
        function(chain(), "onnxrt", inputs=DataLoader(), golden={"nowhere": np.zeros(2, np.float32)})


@pytest.mark.parametrize("function", [assay.locate, assay.diagnose])
def test_known_values_need_their_inputs(function: Any, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for outputs in ({"y": np.ones(4, np.float32)}, [{"y": np.ones(4, np.float32)}]):
        with pytest.raises(assay.InputError, match=r"`golden` has arrays.* Give these as `inputs`, e.g. inputs=\{'x'"):
            function(chain(), "onnxrt", golden=outputs)
    results = Comparator.run([OnnxrtRunner(chain())])
    results.save(tmp_path / "golden.json")
    for golden in (results, tmp_path / "golden.json"):
        capsys.readouterr()
        assert str(function(chain(), "onnxrt", golden=golden)).startswith(("NO DIFFERENCE", "No bug found"))
        assert "[W] golden is compared with outputs for generated inputs" in capsys.readouterr().out
        function(chain(), "onnxrt", golden=golden, inputs=DataLoader())
        assert "[W]" not in capsys.readouterr().out


def test_a_model_without_inputs_needs_none() -> None:
    model = parse("g () => (float[2] y) <float[2] w = {1, 2}> { y = Neg(w) }")
    assert assay.locate(model, "onnxrt", golden={"y": np.array([-1, -2], np.float32)}).agrees


def test_an_unknown_engine_is_named_before_a_second_one_is_missed() -> None:
    for engine in ("foo", ("foo", {"threads": 1})):
        with pytest.raises(assay.InputError, match="there is no engine 'foo'. The engines are "):
            assay.locate(chain(), engine)


def relu_and_identity() -> "tuple[onnx.ModelProto, onnx.ModelProto]":
    """Returns models that agree on positive inputs only."""
    relu = parse("g (float[3] x) => (float[3] y) { y = Relu(x) }")
    identity = parse("g (float[3] x) => (float[3] y) { y = Identity(x) }")
    return relu, identity


def test_locate_takes_arrays_loaders_and_files(tmp_path: Path) -> None:
    relu, identity = relu_and_identity()
    positive, negative = ({"x": np.full(3, value, np.float32)} for value in (1, -2))
    np.savez(tmp_path / "inputs.npz", **negative)
    save_json([positive, negative], str(tmp_path / "inputs.json"))
    for inputs, iteration in (
        (negative, 0),
        ([positive, negative], 1),
        ((each for each in (positive, positive, negative)), 2),
        (DataLoader(iterations=2, float_range=(-3, -1)), 0),
        (tmp_path / "inputs.npz", 0),
        (str(tmp_path / "inputs.json"), 1),
    ):
        found = assay.locate(relu, "onnxrt", against=identity, inputs=inputs)
        assert found.verdict == "differ" and found.details["iteration"] == iteration
    found = assay.locate(relu, "onnxrt", against=identity, inputs=negative)
    assert found.first is not None and found.first.max_absolute == 2
    assert assay.locate(relu, "onnxrt", against=identity, inputs=positive).agrees


def test_locate_refuses_other_inputs(tmp_path: Path) -> None:
    relu, identity = relu_and_identity()
    (tmp_path / "empty.json").write_text("[]")
    for inputs, message in (
        ({"z": np.ones(7, np.float32)}, "x"),
        ([], "no iterations"),
        (tmp_path / "empty.json", "hold no iteration .*empty.json"),
        (tmp_path / "nowhere.json", "nowhere.json"),
    ):
        with pytest.raises((assay.InputError, assay.NotFoundError), match=message):
            assay.locate(relu, "onnxrt", against=identity, inputs=inputs)
    with pytest.raises(assay.InputError, match="generated inputs"):
        assay.locate(relu, "onnxrt", against=identity, inputs={"x": np.ones(3, np.float32)}, seed=2)


def test_locate_needs_two_sides() -> None:
    for arguments in ({}, {"second": "onnxrt", "fp16": True}):
        with pytest.raises(assay.InputError):
            assay.locate(chain(), "onnxrt", **arguments)  # type: ignore[arg-type]
    with pytest.raises(assay.Error, match="no engine"):
        assay.locate(chain(), "tensorrt", "onnxrt")
    with pytest.raises(assay.InputError, match="no setting 'speed'"):
        assay.locate(chain(), ("onnxrt", {"speed": 3}), "reference")


def test_settings_of_engines_may_be_named_like_parameters() -> None:
    with pytest.raises(assay.InputError, match="no setting 'session_config'"):
        assay.locate(chain(), ("onnxrt", {"session_config": 3}), "reference")
    levels = {"graph_optimization_level": "ORT_NO_SUCH", "config": {"session.disable_prepacking": 1}}
    with pytest.raises(assay.Error, match="ORT_NO_SUCH"):
        assay.locate(chain(), ("onnxrt", levels), "reference")
    assert assay.locate(chain(), ("onnxrt", {**levels, "graph_optimization_level": "ORT_DISABLE_ALL"}), "reference").agrees


@pytest.mark.skipif(not ASSAY.exists(), reason="the command isn't built")
def test_results_are_those_of_the_command(tmp_path: Path) -> None:
    changed = chain()
    changed.graph.node[1].op_type = "Sigmoid"
    paths = [str(tmp_path / name) for name in ("a.onnx", "b.onnx")]
    for path, model in zip(paths, (chain(), changed)):
        onnx.save(model, path)

    def command(*words: str) -> str:
        return subprocess.run([str(ASSAY), *words, "--format", "json"], capture_output=True, text=True).stdout

    assert json.loads(command("inspect", "model", paths[0], "--show", "layers", "attrs")) == assay.inspect(paths[0]).details
    difference = json.loads(command("diff", *paths))
    assert len(difference["changes"]) == len(assay.diff(*paths).changes) > 0
    located = json.loads(command("debug", "locate", paths[0], "--onnxrt", "--against", paths[1]))
    found = assay.locate(paths[0], "onnxrt", against=paths[1]).details
    assert {**located, "seconds": 0, "next": 0, "next_cost": 0} == {**found, "seconds": 0, "next": 0, "next_cost": 0}


def test_results_are_frozen_and_have_html() -> None:
    bad = parse("g (float[2] x) => (float[2] y) { y = Relu(x) }")
    bad.graph.node[0].output[0] = bad.graph.output[0].name = "<i>y</i>"
    other = parse("g (float[2] x) => (float[2] y) { y = Neg(x) }")
    for result in (assay.inspect(bad), assay.diff(bad, other), assay.locate(bad, "onnxrt", "reference")):
        assert "<table>" in result._repr_html_() and "<i>" not in result._repr_html_()
        with pytest.raises(FrozenInstanceError):
            result._text = ""  # type: ignore[misc]


def test_long_results_show_their_first_rows_and_differences_first() -> None:
    def chain_of(operator: str) -> onnx.ModelProto:
        nodes = " ".join(f"t{i + 1} = {operator}(t{i})" for i in range(60))
        return parse(f"g (float[2] t0) => (float[2] t60) {{ {nodes} }}")

    assert "more rows not shown." in assay.diff(chain_of("Relu"), chain_of("Neg"))._repr_html_()
    assert assay.diff(chain_of("Relu"), chain_of("Relu"))._repr_html_() == "<p><b>The models are equal</b></p>"
    layer = assay.locate(chain_of("Relu"), "onnxrt", "reference").outputs[0]
    layers = [replace(layer, tensor=f"t{i}", differs=i == 59, max_absolute=1 / 3, max_relative=None) for i in range(60)]
    html = replace(assay.locate(chain_of("Relu"), "onnxrt", "reference"), layers=tuple(layers))._repr_html_()
    assert "10 more rows not shown." in html and html.index("<td>t59</td>") < html.index("<td>t0</td>")
    assert "<td>0.333</td><td></td>" in html


def test_models_and_results_have_html() -> None:
    model = assay.Model(parse("g (float[n,2] x) => (float[n,2] y) { y = Relu(x) }"))
    html = model._repr_html_()
    assert "<td>x</td><td>float32</td><td>[n, 2]</td>" in html
    assert "Operators: Relu 1" in html
    results = RunResults()
    results.add([{"y": np.zeros((1, 3), np.float32)}] * 2, runtime=0.002, runner_name="a")
    results.add([{"y": np.ones((1, 3), np.float32)}] * 2, runner_name="b")
    html = results._repr_html_()
    assert "Results of 2 runners" in html
    assert "<td>a</td><td>1</td><td>y</td><td>float32</td><td>[1, 3]</td><td>2 ms</td>" in html
    accuracy = Comparator.compare_accuracy(results)
    for html in (accuracy._repr_html_(), accuracy[0]._repr_html_()):
        assert "0 of 2 comparisons agree." in html
        assert "<td>y</td><td>1</td><td>differs</td>" in html
    assert "quantile" not in html  # a column without a value
    results["b"].pop()
    assert "0 of 1 comparison agrees." in Comparator.compare_accuracy(results)._repr_html_()
    assert "0 of 0 comparisons agree." in AccuracyResults()._repr_html_()


def test_html_of_models_and_results_escapes_names() -> None:
    bad = parse("g (float[2] x) => (float[2] y) { y = Relu(x) }")
    bad.graph.name = bad.graph.node[0].output[0] = bad.graph.output[0].name = "<i>y</i>"
    results = RunResults()
    for runner in ("<i>a</i>", "<i>b</i>"):
        results.add([{"<i>y</i>": np.zeros(2, np.float32)}], runner_name=runner)
    for shown in (assay.Model(bad), results, Comparator.compare_accuracy(results)):
        assert "&lt;i&gt;" in shown._repr_html_() and "<i>" not in shown._repr_html_()


def test_html_of_large_models_and_results_is_small() -> None:
    outputs = ", ".join(f"float[2] y{index}" for index in range(500))
    nodes = " ".join(f"y{index} = Relu(x)" for index in range(500))
    results = RunResults()
    results.add([{"y": np.zeros(2, np.float32)}] * 500, runner_name="a")
    results["b"] = results["a"]
    accuracy = Comparator.compare_accuracy(results)
    assert "451 more rows not shown." in assay.Model(parse(f"g (float[2] x) => ({outputs}) {{ {nodes} }}"))._repr_html_()
    assert "950 more rows not shown." in results._repr_html_()
    assert "450 more rows not shown." in accuracy._repr_html_() and "500 of 500" in accuracy._repr_html_()
