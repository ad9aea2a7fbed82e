"""assay.precision: which nodes have to stay in float32. NumPy and ONNX Runtime judge the mixed models."""

import json
import subprocess
from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np
import onnx
import onnxruntime
import pytest

import assay
from assay import _assay
from assay.comparator import CompareFunc
from interrupts import last_line_of
from models import chain, parse

ASSAY = _assay.libexec().parents[1] / "bin" / "assay"
INPUTS = {"x": np.linspace(-1, 1, 16, dtype=np.float32).reshape(1, 16)}
WEIGHTS = [np.random.default_rng(seed).standard_normal((16, 16)).astype(np.float32) for seed in (1, 2)]


def run(model: onnx.ModelProto, feeds: dict[str, Any]) -> Any:
    session = onnxruntime.InferenceSession(model.SerializeToString(), providers=["CPUExecutionProvider"])
    return session.run(None, feeds)[0]


def overflowing() -> onnx.ModelProto:
    """The square of values up to 400 doesn't fit into float16."""
    return parse(
        """g (float[4] x) => (float[4] y) <float[1] hundred = {100}, float[1] small = {0.001}> {
             [scale] a = Mul(x, hundred)  [square] b = Mul(a, a)  [shrink] c = Mul(b, small)  [last] y = Neg(c) }"""
    )


def two_layers() -> onnx.ModelProto:
    model = parse("g (float[1,16] x) => (float[1,16] y) { [first] a = MatMul(x, w1)  b = Relu(a)  [second] y = MatMul(b, w2) }")
    for number, weight in enumerate(WEIGHTS, start=1):
        model.graph.initializer.append(onnx.numpy_helper.from_array(weight, f"w{number}"))
    return model


def quantized_layers(steps: tuple[float, float]) -> onnx.ModelProto:
    """The same model with weights in int8, in these steps. Coarse steps lose them."""
    model = parse(
        """g (float[1,16] x) => (float[1,16] y) {
             w1 = DequantizeLinear(w1_quantized, w1_scale)  [first] a = MatMul(x, w1)  b = Relu(a)
             w2 = DequantizeLinear(w2_quantized, w2_scale)  [second] y = MatMul(b, w2) }"""
    )
    for number, (weight, step) in enumerate(zip(WEIGHTS, steps), start=1):
        quantized = np.clip(np.round(weight / step), -128, 127).astype(np.int8)
        model.graph.initializer.append(onnx.numpy_helper.from_array(quantized, f"w{number}_quantized"))
        model.graph.initializer.append(onnx.numpy_helper.from_array(np.float32(step), f"w{number}_scale"))
    return model


def signal_to_noise(expected: Any, actual: Any) -> float:
    """Returns the ratio in dB."""
    noise = float(np.square(expected - actual).sum())
    return float(10 * np.log10(np.square(expected).sum() / noise)) if noise else float("inf")


def test_nodes_that_overflow_stay_in_float32(tmp_path: Path) -> None:
    feeds = {"x": np.array([1, 2, 3, 4], np.float32)}
    found = assay.precision(overflowing(), "onnxrt", inputs=feeds, output=tmp_path / "mixed.onnx")
    assert found.names == ("square", "shrink") and found.candidates == 4 and not found.stopped
    assert [node.op_type for node in found.nodes] == ["Mul", "Mul"]
    assert found.nodes[0].largest == 400**2 and "'square'" in found.nodes[0].description
    assert str(found).startswith("2 of 4 nodes have to stay in float32") and "square" in found._repr_html_()
    mixed = onnx.load(tmp_path / "mixed.onnx")
    assert assay.Model(mixed) == found.model
    assert onnx.TensorProto.FLOAT16 in {value.data_type for value in mixed.graph.initializer}
    np.testing.assert_allclose(run(mixed, feeds), run(overflowing(), feeds), rtol=1e-2)


@pytest.mark.parametrize(
    ("reverse", "names", "text"),
    [
        (False, ("scale", "square", "shrink"), "The model passes if the first 3 of 4 nodes stay in float32"),
        (True, ("square", "shrink", "last"), "The model passes if the last 3 of 4 nodes stay in float32"),
    ],
)
@pytest.mark.parametrize("mode", ["bisect", "linear"])
def test_other_modes_keep_the_nodes_at_one_end(mode: Any, reverse: bool, names: tuple[str, ...], text: str) -> None:
    feeds = {"x": np.array([1, 2, 3, 4], np.float32)}
    found = assay.precision(overflowing(), "onnxrt", inputs=feeds, mode=mode, reverse=reverse)
    assert found.names == names and str(found).startswith(text)


def test_no_node_has_to_stay() -> None:
    found = assay.precision(chain(), "onnxrt")
    assert found.nodes == () and found.names == () and found.runs == 1
    assert str(found) == "No node has to stay in float32, found in 1 run"


@pytest.mark.parametrize(("steps", "names"), [((0.02, 3.0), ("second",)), ((3.0, 0.02), ("first",)), ((0.02, 0.02), ())])
def test_nodes_that_cannot_be_quantized(steps: tuple[float, float], names: tuple[str, ...]) -> None:
    quantized = quantized_layers(steps)
    found = assay.precision(two_layers(), "onnxrt", quantized=quantized, inputs=INPUTS)
    assert found.names == names and found.candidates == 2
    expected = run(two_layers(), INPUTS)
    assert signal_to_noise(expected, run(found.model.to_proto(), INPUTS)) >= 20
    if names:
        assert signal_to_noise(expected, run(quantized, INPUTS)) < 20


def test_a_function_judges() -> None:
    expected = run(two_layers(), INPUTS)
    judged = []

    def is_good(path: str) -> bool:
        judged.append(signal_to_noise(expected, run(onnx.load(path), INPUTS)))
        return judged[-1] > 25

    found = assay.precision(two_layers(), check=is_good, quantized=quantized_layers((0.02, 3.0)))
    assert found.names == ("second",) and len(judged) == found.runs and judged[0] < 20


def test_a_function_that_raises_an_exception_fails_and_one_that_exits_ends_the_search() -> None:
    def refuse(path: str) -> bool:
        raise ValueError(path)

    def leave(path: str) -> bool:
        raise SystemExit(3)

    with pytest.raises(assay.InputError, match=r"fails even if all nodes stay in float32.* e.g. with assay.reduce\(\)$"):
        assay.precision(chain(), check=refuse)
    with pytest.raises(SystemExit):
        assay.precision(chain(), check=leave)


@pytest.mark.skipif(not ASSAY.exists(), reason="the command isn't built")
def test_answers_are_those_of_the_command(tmp_path: Path) -> None:
    onnx.save(overflowing(), tmp_path / "m.onnx")
    np.savez(tmp_path / "in.npz", x=np.array([1, 2, 3, 4], np.float32))
    words = [str(tmp_path / "m.onnx"), "--onnxrt", "--load-inputs", str(tmp_path / "in.npz"), "--format", "json"]
    command = subprocess.run(
        [str(ASSAY), "debug", "precision", *words], capture_output=True, text=True, check=True, cwd=tmp_path
    )
    expected = json.loads(command.stdout)
    found = assay.precision(tmp_path / "m.onnx", "onnxrt", inputs=tmp_path / "in.npz")
    assert [asdict(node) for node in found.nodes] == expected["nodes"] and list(found.names) == expected["names"]
    assert (found.candidates, found.runs, found.stopped) == (expected["candidates"], expected["runs"], expected["stopped"])
    assert str(found) in command.stderr.replace("[I] ", "")


def test_the_comparison_can_be_chosen() -> None:
    quantized = quantized_layers((0.02, 0.02))
    strict = CompareFunc.simple(rtol=0, atol=0)
    assert assay.precision(two_layers(), "onnxrt", quantized=quantized, compare_func=strict).names == ("first", "second")
    lenient = CompareFunc.snr(snr_threshold=-100)
    assert assay.precision(two_layers(), "onnxrt", quantized=quantized_layers((3, 3)), compare_func=lenient).names == ()


def test_settings_for_an_unknown_output_are_a_warning(capsys: pytest.CaptureFixture[str]) -> None:
    [output] = chain().graph.output
    strict = CompareFunc.simple(rtol={output.name: 1e-2, "misspelt": 1e-6}, atol=1e-2)
    assay.precision(chain(), "onnxrt", compare_func=strict)
    shown = capsys.readouterr().out
    assert f"There is no output 'misspelt', for which rtol is given. The outputs are ['{output.name}']" in shown


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({}, "exactly one engine or one `check`"),
        ({"engine": "onnxrt", "check": bool}, "exactly one engine or one `check`"),
        ({"check": bool, "compare_func": CompareFunc.simple()}, "no outputs are compared"),
        ({"check": bool, "quantized": chain(), "inputs": {}}, "Leave `inputs` out"),
        ({"check": bool, "quantized": chain(), "input_shapes": {"x": [4]}}, "Leave `input_shapes` out"),
        ({"check": bool, "quantized": chain(), "seed": 3}, "Leave `seed` out"),
        ({"engine": "trt"}, "TensorRT chooses precisions itself"),
        ({"engine": "onnxrt", "compare_func": CompareFunc.quality_metrics()}, "single function of CompareFunc"),
        ({"engine": "onnxrt", "quantized": chain()}, "no tensor is computed by other nodes"),
        ({"engine": "openvino"}, r"drops the Casts.*, e.g. ONNX Runtime, or judge the mixed model with check$"),
        ({"engine": "onnxrt", "reverse": True}, "minimal mode doesn't begin at one end"),
        ({"engine": "onnxrt", "mode": "fast"}, "'minimal', 'bisect' or 'linear'"),
    ],
)
def test_what_cannot_work_is_refused(arguments: dict[str, Any], message: str) -> None:
    if arguments.get("engine") == "openvino":
        pytest.importorskip("openvino")
    with pytest.raises(assay.Error, match=message):
        assay.precision(chain(), **arguments)


STOPPED = """
runs = 0
def check(path):
    global runs
    runs += 1
    if runs == int(sys.argv[2]):
        ctrl_c()
    return runs not in (1, 3)
found = assay.precision(sys.argv[1], check=check)
print(found.stopped, len(found.nodes) < found.candidates, found)
"""


@pytest.mark.parametrize(
    ("run", "expected"), [(1, "KeyboardInterrupt"), (2, "KeyboardInterrupt"), (5, "True True The best so far")]
)
def test_ctrl_c_ends_a_search_with_what_is_known(tmp_path: Path, run: int, expected: str) -> None:
    onnx.save(overflowing(), tmp_path / "m.onnx")
    assert last_line_of(STOPPED, tmp_path / "m.onnx", run).startswith(expected)


def test_the_given_models_are_not_replaced(tmp_path: Path) -> None:
    for name, model in [("model", two_layers()), ("quantized", quantized_layers((0.02, 3.0)))]:
        onnx.save(model, tmp_path / f"{name}.onnx")
    for name in ("model", "quantized"):
        with pytest.raises(assay.InputError):
            assay.precision(
                tmp_path / "model.onnx", "onnxrt", quantized=tmp_path / "quantized.onnx", output=tmp_path / f"{name}.onnx"
            )
