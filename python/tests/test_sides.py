"""Which inputs assay.locate, assay.precision and assay.diagnose run a model on: those of the command line."""

import base64
import io
import json
import zipfile
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import assay
from assay.backend.onnxrt import OnnxrtRunner, SessionFromOnnx
from assay.comparator import Comparator, DataLoader, StreamingDataLoader
from models import parse

# The second input has the rows of the first one, and the third one a row more.
NAMED = """g (float[past,3] x, float[past,3] y, float[all,3] z) => (float s, float[past,3] p) {
             p = Add(x, y)  q = Mul(p, p)  r = ReduceSum <keepdims = 0> (q)  t = ReduceSum <keepdims = 0> (z)  s = Add(r, t) }"""


def named() -> Any:
    model = parse(NAMED)
    model.graph.input[2].type.tensor_type.shape.dim[0].dim_param = "past + 1"
    return model


def generated(shapes: dict[str, list[int]]) -> dict[str, Any]:
    loader = DataLoader()
    loader.input_metadata = assay.common.TensorMetadata()
    for name, shape in shapes.items():
        loader.input_metadata.add(name, np.float32, shape)
    return dict(loader[0])


@pytest.mark.parametrize(
    ("given", "rows"), [({}, (1, 1, 2)), ({"x": [4, 3]}, (4, 4, 5)), ({"y": [2, 3]}, (2, 2, 3)), ({"?": [3, 3]}, (3, 3, 3))]
)
def test_shapes_follow_from_the_names_of_dimensions(given: dict[str, list[int]], rows: tuple[int, ...], tmp_path: Path) -> None:
    inputs = generated({name: [count, 3] for name, count in zip("xyz", rows)})
    for arguments in ({"input_shapes": given}, {"inputs": inputs}):
        found = assay.diagnose(named(), "onnxrt", output=tmp_path / next(iter(arguments)), **arguments)
        assert found.healthy, found
    saved = list(StreamingDataLoader(tmp_path / "input_shapes" / "inputs.json"))
    assert {name: array.tolist() for name, array in saved[0].items()} == {
        name: array.tolist() for name, array in inputs.items()
    }
    with_shapes = assay.locate(named(), "onnxrt", fp16=True, input_shapes=given)
    assert with_shapes.outputs == assay.locate(named(), "onnxrt", fp16=True, inputs=inputs).outputs
    assert not assay.precision(named(), "onnxrt", input_shapes=given).names


def with_unreadable_array(folder: Path) -> list[Path]:
    """Returns files of an input x and of an array that is cut off, so that it can't be read."""
    x = np.full(4, 2, np.float32)
    content = io.BytesIO()
    np.save(content, x)
    np.savez(folder / "x.npz", x=x)
    with zipfile.ZipFile(folder / "x.npz", "a") as archive:
        archive.writestr("note.npy", content.getvalue()[:40])
    array = {"array": base64.b64encode(content.getvalue()).decode(), "polygraphy_class": "ndarray"}
    broken = {"array": "AAAA", "polygraphy_class": "ndarray"}
    (folder / "x.json").write_text(json.dumps([{"x": array, "note": broken}]))
    return [folder / "x.npz", folder / "x.json"]


def test_an_unreadable_array_that_no_input_needs_is_left_out(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    model = parse("g (float[4] x) => (float[4] y) { a = Exp(x)  y = Neg(a) }")
    other = parse("g (float[4] note) => (float[4] y) { y = Neg(note) }")
    for path in with_unreadable_array(tmp_path):
        given: Any
        for given in (path, StreamingDataLoader(path)):
            assert assay.locate(model, "onnxrt", "reference", inputs=given, rtol=1e-4).agrees
            assert "'note' is left out" in capsys.readouterr().out
            assert not assay.precision(model, "onnxrt", inputs=given).names
            assert assay.diagnose(model, "onnxrt", inputs=given, skip=["reduce"], rtol=1e-4).healthy
        for streaming in (False, True):
            loader = StreamingDataLoader(path)
            runs = Comparator.run([OnnxrtRunner(model)], loader, streaming=streaming)
            results = next(iter(runs)) if streaming else runs
            assert np.allclose(results[0][1][0]["y"], -np.exp(np.full(4, 2, np.float32)))
        for call in (
            lambda: list(StreamingDataLoader(path)),
            lambda: assay.locate(other, "onnxrt", "reference", inputs=path),
            lambda: Comparator.run([OnnxrtRunner(other)], StreamingDataLoader(path)),
        ):
            with pytest.raises(assay.InputError, match="note"):
                call()


def test_files_that_are_read_are_not_replaced(tmp_path: Path) -> None:
    x, piece = np.ones(4, np.float32), tmp_path / "piece.onnx"
    model = parse("g (float[4] x) => (float[4] y) <float[1] w = {60000}> { a = Mul(x, w)  b = Mul(a, w)  y = Div(b, w) }")
    first = assay.locate(model, "onnxrt", fp16=True, inputs={"x": x}, output=piece)
    assert first.inputs_file == str(tmp_path / "piece_inputs.json")
    content = Path(first.inputs_file).read_bytes()
    for arguments, name in (({"fp16": True}, "inputs"), ({"golden": tmp_path / "piece_golden.json"}, "golden|inputs")):
        with pytest.raises(assay.InputError, match=f"output would write to what ({name}) reads"):
            assay.locate(model, "onnxrt", inputs=first.inputs_file, output=piece, **arguments)
    with pytest.raises(assay.InputError, match="output would write to what inputs reads"):
        assay.precision(model, "onnxrt", inputs=first.inputs_file, output=first.inputs_file)
    assert Path(first.inputs_file).read_bytes() == content


@pytest.mark.parametrize("other", [{"input_shapes": {"x": [2, 3]}}, {"seed": 2}, {"inputs": generated({"x": [1, 3]})}])
def test_a_diagnosis_is_not_resumed_with_other_inputs(other: dict[str, Any], tmp_path: Path) -> None:
    arguments: dict[str, Any] = {"output": tmp_path / "d", "skip": ["repeat", "compare", "settings", "reduce"]}
    model = parse("g (float[n,3] x) => (float[n,3] y) { y = Neg(x) }")
    assert assay.diagnose(model, "onnxrt", input_shapes={"x": [4, 3]}, **arguments).healthy
    assert assay.diagnose(model, "onnxrt", input_shapes={"x": [4, 3]}, resume=True, **arguments).healthy
    with pytest.raises(assay.InputError, match="another model, or with other options"):
        assay.diagnose(model, "onnxrt", resume=True, **other, **arguments)


def test_a_diagnosis_is_resumed_with_the_same_inputs_from_a_file_or_in_memory(tmp_path: Path) -> None:
    arguments: dict[str, Any] = {"output": tmp_path / "d", "skip": ["repeat", "compare", "settings", "reduce"]}
    model = parse("g (float[n,3] x) => (float[n,3] y) { y = Neg(x) }")
    inputs = generated({"x": [2, 3]})
    np.savez(tmp_path / "x.npz", **inputs)
    assert assay.diagnose(model, "onnxrt", inputs=tmp_path / "x.npz", **arguments).healthy
    assert assay.diagnose(model, "onnxrt", inputs=inputs, resume=True, **arguments).healthy
    np.savez(tmp_path / "x.npz", x=inputs["x"] + 1)
    with pytest.raises(assay.InputError, match="another model, or with other options"):
        assay.diagnose(model, "onnxrt", inputs=tmp_path / "x.npz", resume=True, **arguments)


FLUSH = "session.set_denormal_as_zero"


@pytest.mark.parametrize("settings", [{"config": {FLUSH: True}}, {f"config.{FLUSH}": True}])
def test_truth_values_are_numbers_in_the_configuration_of_onnx_runtime(settings: dict[str, Any]) -> None:
    model = parse("g (float[4] x) => (float[4] y) { y = Add(x, x) }")
    denormal = {"x": np.full(4, 1e-40, np.float32)}
    for value in (True, False, 1):
        session = SessionFromOnnx(model, session_config={FLUSH: value})
        with OnnxrtRunner(session) as runner:
            assert bool(runner.infer(denormal)["y"][0]) != bool(value)
    arguments: dict[str, Any] = {"inputs": denormal, "rtol": 1e-3, "atol": 0}
    assert assay.locate(model, "onnxrt", "reference", **arguments).agrees
    assert not assay.locate(model, ("onnxrt", settings), "reference", **arguments).agrees


@pytest.mark.parametrize("name", ["inputs", "golden"])
def test_an_empty_path_is_refused(name: str) -> None:
    model = parse("g (float[4] x) => (float[4] y) { y = Neg(x) }")
    for call in (assay.locate, assay.diagnose):
        with pytest.raises(assay.InputError, match=f"`{name}` is an empty path"):
            call(model, "onnxrt", **({name: ""} | ({"second": "reference"} if (call, name) == (assay.locate, "inputs") else {})))
