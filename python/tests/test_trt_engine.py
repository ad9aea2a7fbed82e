"""assay.backend.trt with the stand-ins for TensorRT and NVIDIA's driver (tests/fakes/tensorrt).

``ctest -R "python: TensorRT"`` sets the variables that these tests need.
"""

from __future__ import annotations

import json
import os
import re
from pathlib import Path
from typing import Any

import numpy as np
import onnx
import pytest

import assay
from assay import _assay
from assay.backend import trt
from assay.backend.common import BytesFromPath, InvokeFromScript
from assay.backend.onnxrt import OnnxrtRunner, SessionFromOnnx
from assay.comparator import Comparator, CompareFunc, DataLoader
from assay.comparator.isolate import run_isolated
from assay.exception import EngineError, Error, InputError
from assay.func import extend
from models import parse
from test_runners import children, program
from test_trt import has_worker, run_elsewhere

LIBRARIES = Path(os.environ.get("ASSAY_TENSORRT_LIB", ""))
MAJOR = 11 if (LIBRARIES / "libnvinfer.so.11").exists() else 10
STAND_IN = LIBRARIES.match("tests/fakes/tensorrt/sdk") and (LIBRARIES / f"libnvinfer.so.{MAJOR}").exists()
pytestmark = pytest.mark.skipif(
    not (STAND_IN and has_worker()),
    reason="needs TensorRT's worker, which is built with NVIDIA's headers, and the variables that ctest sets",
)

needs_10 = pytest.mark.skipif(MAJOR > 10, reason="TensorRT 11 has removed these settings")
needs_11 = pytest.mark.skipif(MAJOR < 11, reason="TensorRT 10 has these settings")


@pytest.fixture(scope="module")
def model() -> onnx.ModelProto:
    """y = relu(x + x) + x + x for a matrix of any number of rows."""
    return parse(
        "g (float[N, 2] x) => (float[N, 2] y) { s = Add(x, x) r = Relu(s) i = Identity(r) y = Add(i, r) }",
        'ir_version: 8, opset_import: ["" : 17]',
    )


@pytest.fixture
def loader(model: onnx.ModelProto) -> Any:
    return trt.NetworkFromOnnxBytes(model)


ROWS = np.array([[1, -2], [3, 4], [-5, 6]], np.float32)
EXPECTED = 4 * np.maximum(ROWS, 0)


def profile(low: int, usual: int, high: int) -> Any:
    return trt.Profile().add("x", (low, 2), (usual, 2), (high, 2))


def config(**settings: Any) -> Any:
    return trt.CreateConfig(profiles=[profile(1, 2, 4)], **settings)


def test_a_network_becomes_a_model_with_its_layers(loader: Any, tmp_path: Path) -> None:
    like = trt.OnnxLikeFromNetwork(trt.ModifyNetworkOutputs(loader, ["s"]))()
    assert [node.op_type for node in like.graph.node] == ["ELEMENTWISE", "ACTIVATION", "IDENTITY", "ELEMENTWISE"]
    assert [output.name for output in like.graph.output] == ["s"]
    attributes = {attribute.name: attribute for attribute in like.graph.node[1].attribute}
    assert attributes["type"].s == b"RELU"
    assert "[Op: ACTIVATION]" in str(assay.inspect(like, show=["layers"]))
    onnx.save(like.to_proto(), tmp_path / "like.onnx")
    weighted = parse(
        "g (float[2] x) => (float[2] y) <float[2] c = {3, 4}> { y = Add(x, c) }", 'ir_version: 8, opset_import: ["" : 17]'
    )
    constant = trt.onnx_like_from_network(trt.network_from_onnx_bytes(weighted)).graph.node[0]
    assert constant.op_type == "CONSTANT"
    values = {attribute.name: attribute for attribute in constant.attribute}["weights"].t
    np.testing.assert_array_equal(onnx.numpy_helper.to_array(values), np.float32([3, 4]))


def test_an_engine_is_built_and_run_when_the_runner_is_activated(loader: Any) -> None:
    with trt.TrtRunner(trt.EngineFromNetwork(loader, config())) as runner:
        assert runner.name.startswith("trt-runner-N") and runner.is_isolated
        metadata = runner.get_input_metadata()["x"]
        assert metadata.dtype == np.float32 and metadata.shape == [-1, 2]
        assert (metadata.shape.min, metadata.shape.max) == ((1, 2), (4, 2))
        np.testing.assert_array_equal(runner.infer({"x": ROWS})["y"], EXPECTED)
        np.testing.assert_array_equal(runner.infer({"x": ROWS[:1]}, copy_outputs_to_host=True)["y"], EXPECTED[:1])
        assert runner.last_inference_time() > 0
        with pytest.raises(InputError, match="belongs to TensorRT's worker"):
            runner.infer({"x": ROWS}, copy_outputs_to_host=False)
        with pytest.raises(EngineError, match="profile") as raised:
            runner.infer({"x": np.ones((5, 2), np.float32)})
        assert raised.value.phase == "run"
    assert not runner.is_active


def test_functions_build_at_once_as_in_polygraphy(model: onnx.ModelProto, tmp_path: Path) -> None:
    onnx.save(model, tmp_path / "m.onnx")
    builder, network, parser = trt.network_from_onnx_path(tmp_path / "m.onnx")
    network = trt.modify_network_outputs((builder, network, parser), outputs=["s", "y"]).network
    chosen = trt.create_config(builder, network, profiles=[profile(1, 2, 4)], tf32=True)
    engine = trt.save_engine(trt.engine_from_network((builder, network), chosen), tmp_path / "m.plan")
    for each in (engine, engine, trt.EngineFromPath(tmp_path / "m.plan"), trt.engine_from_bytes(engine.serialize())):
        with trt.TrtRunner(each) as runner:
            outputs = runner.infer({"x": ROWS})
        np.testing.assert_array_equal(outputs["s"], 2 * ROWS)
        np.testing.assert_array_equal(outputs["y"], EXPECTED)
    assert trt.engine_bytes_from_network((builder, network), chosen)[:4] == engine.serialize()[:4]


def test_engines_are_compared(model: onnx.ModelProto, loader: Any) -> None:
    runners = [
        OnnxrtRunner(SessionFromOnnx(model)),
        trt.TrtRunner(trt.EngineFromNetwork(loader, config()), name="trt"),
        trt.TrtRunner(trt.EngineFromNetwork(loader, config(fp16=MAJOR == 10)), name="half"),
    ]
    results = Comparator.run(runners, data_loader=DataLoader(iterations=2, val_range=(-1, 1)))
    assert [name for name, _ in results][1:] == ["trt", "half"]
    assert Comparator.compare_accuracy(results, compare_func=CompareFunc.simple(atol=1e-2))
    first, second = results[1][1][0]["y"], results[2][1][0]["y"]
    assert np.array_equal(first, second) == (MAJOR > 10)  # the stand-in rounds to float16
    separate = Comparator.run(runners[:2], use_subprocess=True)
    assert Comparator.compare_accuracy(separate)


def test_a_script_checks_a_model_with_trt_first(model: onnx.ModelProto, loader: Any) -> None:
    runners = [trt.TrtRunner(trt.EngineFromNetwork(loader, trt.CreateConfig(profiles=[profile(2, 3, 4)])))]
    results = Comparator.run([*runners, OnnxrtRunner(SessionFromOnnx(model))])
    assert results[0][1][0]["y"].shape == (2, 2)  # the smallest shape of the profile
    assert Comparator.compare_accuracy(results)


def test_profiles_are_chosen(loader: Any) -> None:
    engine = trt.engine_from_network(loader, trt.CreateConfig(profiles=[profile(1, 1, 1), profile(2, 3, 4)]))
    with trt.TrtRunner(engine) as runner:  # the first that takes the inputs
        np.testing.assert_array_equal(runner.infer({"x": ROWS})["y"], EXPECTED)
    with trt.TrtRunner(engine.create_execution_context(), optimization_profile=0) as runner:
        assert runner.get_input_metadata()["x"].shape.max == (1, 2)
        with pytest.raises(EngineError):
            runner.infer({"x": ROWS})
        runner.set_profile(1)
        assert runner.get_input_metadata()["x"].shape.max == (4, 2)
        np.testing.assert_array_equal(runner.infer({"x": ROWS})["y"], EXPECTED)
    with runner:
        assert runner.get_input_metadata()["x"].shape.max == (1, 2)
    with pytest.raises(EngineError, match="there is no profile 2"):
        trt.TrtRunner(engine, optimization_profile=2).activate()
    with trt.TrtRunner(engine, allocation_strategy="runtime") as runner:
        np.testing.assert_array_equal(runner.infer({"x": ROWS})["y"], EXPECTED)


def test_settings_reach_tensorrt(loader: Any) -> None:
    settings = {
        "builder_optimization_level": 2,
        "max_aux_streams": 1,
        "memory_pool_limits": {"workspace": 4096},
        "hardware_compatibility_level": "ampere_plus",
        "tactic_sources": [],
        "refittable": True,
    }
    plan = trt.engine_bytes_from_network(loader, config(**settings))
    found = json.loads(plan.partition(b"\n")[2])["settings"]  # as the stand-in writes it
    assert found["flags"] == ["kREFIT"]  # and not TF32, which TensorRT sets by itself
    assert (found["optimization_level"], found["max_aux_streams"], found["tactic_sources"]) == (2, 1, [])
    assert found["memory_pools"] == {"kWORKSPACE": 4096}
    assert found["hardware_compatibility_level"] == "kAMPERE_PLUS"
    assert found["profiling_verbosity"] == "kDETAILED"


def test_a_timing_cache_is_kept(loader: Any, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    cache = tmp_path / "timings"
    trt.EngineFromNetwork(loader, config(load_timing_cache=cache))()
    assert f"there is no timing cache {cache}" in "".join(capsys.readouterr())
    trt.EngineFromNetwork(loader, config(load_timing_cache=cache), save_timing_cache=cache)()
    assert cache.stat().st_size > 0
    trt.EngineFromNetwork(loader, config(load_timing_cache=cache))()
    assert "there is no timing cache" not in "".join(capsys.readouterr())


@needs_10
def test_int8_is_calibrated_with_data(loader: Any, tmp_path: Path) -> None:
    cache = tmp_path / "cache"
    batches = [{"x": np.full((2, 2), value, np.float32)} for value in (1, 3)]
    int8 = config(int8=True, calibrator=trt.Calibrator(batches, cache, BaseClass="IInt8MinMaxCalibrator"))
    engine = trt.engine_from_network(loader, int8)
    assert cache.read_text() == "fake calibration of 2 batches\nx: 0.000000 to 3.000000\n"
    with trt.TrtRunner(engine) as runner:
        runner.infer({"x": ROWS})
    cache.write_text(cache.read_text().replace("2 batches", "7 batches"))
    trt.engine_from_network(loader, config(int8=True, calibrator=trt.Calibrator(cache=cache)))
    trt.engine_from_network(loader, config(int8=True, calibrator=trt.Calibrator(batches, cache)))
    assert "7 batches" in cache.read_text()  # it was read, not written


@needs_10
def test_a_data_loader_calibrates_with_usual_shapes(loader: Any, tmp_path: Path) -> None:
    data = DataLoader(iterations=3, val_range=(2, 2))
    trt.engine_from_network(loader, config(int8=True, calibrator=trt.Calibrator(data, tmp_path / "cache")))
    assert (tmp_path / "cache").read_text().startswith("fake calibration of 3 batches")
    assert data[0]["x"].shape == (2, 2)
    with pytest.raises(InputError, match="A generator can be used only once"):
        trt.engine_from_network(loader, config(int8=True, calibrator=trt.Calibrator(iter([]))))
    with pytest.raises(InputError, match="there is no calibration cache"):
        trt.engine_from_network(loader, config(int8=True, calibrator=trt.Calibrator(cache=tmp_path / "none")))
    with pytest.raises((Error, EngineError), match="x"):
        trt.engine_from_network(loader, config(int8=True, calibrator=trt.Calibrator([{"z": ROWS}])))


def test_marked_tensors_are_outputs(loader: Any) -> None:
    with trt.TrtRunner(trt.engine_from_network(trt.MarkDebug(loader, ["s"]), config())) as runner:
        outputs = runner.infer({"x": ROWS})
        np.testing.assert_array_equal(outputs["s"], 2 * ROWS)
        runner.set_profile(0)  # opens the engine again
        np.testing.assert_array_equal(runner.infer({"x": ROWS})["s"], 2 * ROWS)


def test_unfused_tensors_are_shown_in_every_run(model: onnx.ModelProto) -> None:
    network = trt.network_from_onnx_bytes(model, mark_unfused_tensors_as_debug_tensors=True)
    engine = trt.engine_from_network(network, config())
    for _ in range(2):  # in the worker that has built the engine, and in another one
        with trt.TrtRunner(engine) as runner:
            np.testing.assert_array_equal(runner.infer({"x": ROWS})["s"], 2 * ROWS)


def workers() -> set[int]:
    return {each for each in children(os.getpid()) if program(each).endswith("assay-worker-tensorrt")}


def test_a_worker_that_has_built_an_engine_ends_with_its_session(loader: Any) -> None:
    before = workers()
    with trt.TrtRunner(trt.EngineFromNetwork(loader, config())) as runner:
        runner.infer({"x": ROWS})
        assert len(workers() - before) == 1
    assert workers() <= before


def test_an_engine_with_streamed_weights_is_opened_by_its_runner(
    model: onnx.ModelProto, loader: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    typed = trt.NetworkFromOnnxBytes(model, strongly_typed=True)  # needed to stream weights
    before = workers()
    with monkeypatch.context() as variables:
        variables.setenv("ASSAY_FAKE_TENSORRT", "fail_plan")  # an engine that can't be opened
        assert trt.engine_bytes_from_network(loader, config())
        streamed = trt.engine_from_network(typed, config(weight_streaming=True))
        with pytest.raises(EngineError, match="deserialize"):
            trt.engine_from_network(loader, config())
    assert workers() == before
    with trt.TrtRunner(streamed) as runner:
        np.testing.assert_array_equal(runner.infer({"x": ROWS})["y"], EXPECTED)


def test_an_engine_without_weights_gets_those_of_its_model(tmp_path: Path) -> None:
    model = parse("g (float[2] x) => (float[2] y) <float[2] w = {1, 2}> { y = Add(x, w) }")
    onnx.save(model, tmp_path / "m.onnx")
    stripped = trt.engine_from_network(trt.network_from_onnx_bytes(model), trt.CreateConfig(strip_plan=True))
    feeds = {"x": np.array([10, 20], np.float32)}
    with trt.TrtRunner(stripped, refit_from_onnx=tmp_path / "m.onnx") as runner:
        np.testing.assert_array_equal(runner.infer(feeds)["y"], [11, 22])
    with pytest.raises(EngineError, match=r"built without its weights \(strip_plan\).* with refit_from_onnx"):
        trt.TrtRunner(stripped).activate()


def test_a_fork_has_a_worker_of_its_own(loader: Any) -> None:
    engine = trt.engine_from_network(loader, config())

    def infer() -> np.ndarray:
        with trt.TrtRunner(engine) as runner:
            return runner.infer({"x": ROWS})["y"]

    np.testing.assert_array_equal(run_isolated(infer, "trt", timeout=60), EXPECTED)
    np.testing.assert_array_equal(infer(), EXPECTED)


@needs_11
def test_settings_that_tensorrt_11_removed_are_refused(loader: Any, tmp_path: Path) -> None:
    calibrator = trt.Calibrator([{"x": ROWS[:2]}], tmp_path / "cache")
    for settings, option in (
        ({"fp16": True}, "fp16"),
        ({"bf16": True}, "bf16"),
        ({"int8": True, "calibrator": calibrator}, "int8"),
        ({"fp16": True, "precision_constraints": "obey"}, "fp16"),
        ({"algorithm_selector": trt.TacticRecorder(tmp_path / "tactics.json")}, "TacticRecorder()"),
    ):
        message = rf"TensorRT 11 no longer has {re.escape(option)}\. .*, or use TensorRT 10"
        with pytest.raises(EngineError, match=message) as raised:
            trt.engine_from_network(loader, config(**settings))
        assert (raised.value.outcome, raised.value.phase) == ("failed", "start")
    with pytest.raises(EngineError, match="removed 'CUBLAS'.*Leave it out"):
        trt.engine_bytes_from_network(loader, config(tactic_sources=["cublas"]))
    with pytest.raises(EngineError, match="put Cast nodes"):
        trt.TrtRunner(trt.EngineFromNetwork(trt.SetLayerPrecisions(loader, {"*": "float32"}))).activate()
    assert not list(tmp_path.iterdir())


@needs_10
def test_precisions_of_layers_are_kept(loader: Any) -> None:
    network = trt.SetLayerPrecisions(loader, {"*": "float32"})
    settings = {"fp16": True, "precision_constraints": "obey"}
    inputs = {"x": np.full((1, 2), 1.0001, np.float32)}
    outputs = []
    for each in (loader, network):
        with trt.TrtRunner(trt.EngineFromNetwork(each, config(**settings))) as runner:
            outputs.append(runner.infer(inputs)["y"])
    assert not np.array_equal(outputs[0], outputs[1])
    np.testing.assert_array_equal(outputs[1], 4 * inputs["x"])


def test_failures_are_outcomes(model: onnx.ModelProto, monkeypatch: pytest.MonkeyPatch) -> None:
    bad = parse("g (float[2] x) => (float[2] y) { y = Hardmax(x) }", 'ir_version: 8, opset_import: ["" : 17]')
    with pytest.raises(EngineError, match=r"Hardmax.*node 0") as raised:
        trt.engine_from_network(trt.network_from_onnx_bytes(bad))
    assert (raised.value.outcome, raised.value.phase) == ("failed", "load")
    with pytest.raises(EngineError) as raised:
        trt.TrtRunner(trt.EngineFromBytes(b"nonsense")).activate()
    assert (raised.value.outcome, raised.value.phase) == ("failed", "load")
    with pytest.raises(EngineError, match="there is no GPU 1"):
        trt.engine_from_network(trt.network_from_onnx_bytes(model), device=1)
    with monkeypatch.context() as variables:
        variables.setenv("ASSAY_FAKE_CUDA", "two")
        engine = trt.engine_from_network(trt.network_from_onnx_bytes(model), device=1)
        for strategy in (None, "profile"):  # in the worker that has built the engine, and in another one
            with trt.TrtRunner(engine, allocation_strategy=strategy) as runner:
                runner.infer({"x": ROWS[:1]})
    ends = {"fail_build": "failed", "no_memory": "out of memory", "crash_builder": "crashed", "hang_build": "timed out"}
    for how, outcome in ends.items():
        monkeypatch.setenv("ASSAY_FAKE_TENSORRT", how)
        with pytest.raises(EngineError) as raised:
            trt.engine_from_network(trt.network_from_onnx_bytes(model), time_limit=3 if how == "hang_build" else None)
        assert raised.value.outcome == outcome


def test_its_messages_are_logged(
    loader: Any, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("ASSAY_FAKE_TENSORRT", "warn")
    with trt.TrtRunner(trt.EngineFromNetwork(loader, config())) as runner:
        runner.infer({"x": ROWS})
        runner.infer({"x": ROWS})
    shown = "".join(capsys.readouterr())
    assert "[E]" not in shown
    assert shown.count("TensorRT: The fake TensorRT has cast a weight") == 1
    assert shown.count("TensorRT: The default stream is slow") == 1


@pytest.fixture
def tensorrt_package(monkeypatch: pytest.MonkeyPatch) -> None:
    """A stand-in for the Python package tensorrt, which scripts use."""
    fakes = Path(__file__).parents[2] / "tests" / "fakes" / "tensorrt" / "python"
    library = LIBRARIES / f"libnvinfer.so.{MAJOR}"
    monkeypatch.setenv("PYTHONPATH", f"{fakes}{os.pathsep}{os.environ.get('PYTHONPATH', '')}")
    monkeypatch.setenv("ASSAY_FAKE_NVINFER", str(library))


NETWORK = """
import tensorrt as trt

def make():
    builder = trt.Builder(trt.Logger(trt.Logger.WARNING))
    network = builder.create_network()
    x = network.add_input("x", trt.float32, (-1, 3))
    network.mark_output(network.add_activation(x, trt.ActivationType.RELU).get_output(0))
    return builder, network
"""


@pytest.mark.usefixtures("tensorrt_package")
def test_scripts_run_in_the_worker(loader: Any, tmp_path: Path) -> None:
    (tmp_path / "mark.py").write_text("def postprocess(network):\n    network.mark_output(network[0].get_output(0))\n")
    with trt.TrtRunner(trt.EngineFromNetwork(trt.PostprocessNetwork(loader, tmp_path / "mark.py"), config())) as runner:
        outputs = runner.infer({"x": ROWS})
        np.testing.assert_array_equal(outputs["s"], 2 * ROWS)
    (tmp_path / "net.py").write_text(NETWORK)
    made = InvokeFromScript(tmp_path / "net.py", "make")
    with trt.TrtRunner(trt.EngineFromNetwork(made)) as runner:
        (output,) = runner.infer({"x": np.array([[-1, 0, 2]], np.float32)}).values()
        assert output.tolist() == [[0, 0, 2]]
    with pytest.raises(InputError, match="a script makes this network"):
        trt.Profile().fill_defaults(made)
    with pytest.raises(InputError, match="calibrated from a cache only"):
        trt.engine_from_network(made, config(int8=True, calibrator=trt.Calibrator([{"x": ROWS}])))
    (tmp_path / "bad.py").write_text("def postprocess(network):\n    raise ValueError('boom')\n")
    with pytest.raises(EngineError, match="ValueError: boom"):
        trt.engine_from_network(trt.postprocess_network(loader, tmp_path / "bad.py"))


def test_differences_are_located(model: onnx.ModelProto) -> None:
    assert assay.locate(model, "onnxrt", "trt").agrees
    assert assay.locate(model, "onnxrt", "trt", inputs={"x": ROWS}).agrees
    assert assay.locate(model, "onnxrt", "trt", inputs=[{"x": ROWS}, {"x": 2 * ROWS}]).agrees


@needs_10
def test_differences_of_float16_are_located(model: onnx.ModelProto) -> None:
    located = assay.locate(model, "onnxrt", ("trt", {"fp16": True}), rtol=1e-6, atol=1e-6)
    assert located.verdict == "differ"
    assert located.first is not None and located.first.tensor == "s"
    half = ("trt", {"fp16": True})
    located = assay.locate(model, "onnxrt", half, input_shapes={"x": (3, 2)}, rtol=1e-6, atol=1e-6)
    assert located.first is not None and located.first.tensor == "s"


def test_ported_programs_run(model: onnx.ModelProto, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    onnx.save(model, "m.onnx")

    @extend(trt.NetworkFromOnnxPath("m.onnx"))
    def load_network(builder: Any, network: Any, parser: Any) -> Any:
        return trt.set_tensor_formats((builder, network, parser), {"x": ["linear"]})

    @extend(trt.NetworkFromOnnxPath("m.onnx"))
    def rename(builder: Any, network: Any, parser: Any) -> None:
        network.name = "mine"

    build = trt.EngineFromNetwork(load_network, config=config(tf32=True))
    trt.SaveEngine(build, "m.plan")()
    with trt.TrtRunner(trt.EngineFromBytes(BytesFromPath("m.plan"))) as runner:
        np.testing.assert_array_equal(runner.infer(feed_dict={"x": ROWS})["y"], EXPECTED)
    with pytest.raises(Error, match="'name' can't be used here"):
        trt.engine_from_network(rename)


def test_plugins_are_loaded(loader: Any) -> None:
    library = LIBRARIES.parent / "plugins" / "libassay_fake_plugin.so"
    engine = trt.engine_from_network(trt.LoadPlugins([library], loader), config())
    for each in (engine, trt.load_plugins([library], engine.serialize())):
        with trt.TrtRunner(each, optimization_profile=0) as runner:
            np.testing.assert_array_equal(runner.infer({"x": ROWS})["y"], EXPECTED)
    with pytest.raises(EngineError, match="nowhere.so"):
        trt.engine_from_network(trt.load_plugins(["nowhere.so"], loader))
    with pytest.raises(EngineError, match="nowhere.so"):
        trt.TrtRunner(trt.LoadPlugins(["nowhere.so"], engine)).activate()


def test_a_model_is_reduced_with_trt() -> None:
    model = parse(
        "g (float[2, 2] x) => (float[2, 2] y) { s = Add(x, x) r = Relu(s) q = Hardmax(r) i = Identity(q) y = Add(i, r) }",
        'ir_version: 8, opset_import: ["" : 17]',
    )

    def check(path: str) -> bool:
        trt.engine_from_network(trt.network_from_onnx_path(path))
        return True

    reduction = assay.reduce(model, check)
    assert [node.op_type for node in reduction.model.nodes] == ["Hardmax"]
    program = _assay.libexec().parents[1] / "bin" / "assay"
    if not program.exists():
        pytest.skip("the command isn't built")
    reduction = assay.reduce(model, [str(program), "run", "{model}", "--trt"])
    assert [node.op_type for node in reduction.model.nodes] == ["Hardmax"]


def test_each_missing_part_is_named() -> None:
    for missing, message in (
        ({"ASSAY_FAKE_CUDA": "none"}, "GPU"),
        ({"ASSAY_FAKE_CUDA": "no_device"}, "NVIDIA's driver can't start"),
    ):
        for line in run_elsewhere(**missing):
            assert line.startswith("EngineError") and message in line, line
    if Path("/proc/driver/nvidia").exists():
        pytest.skip("this machine has a driver of NVIDIA's")
    for line in run_elsewhere(LD_LIBRARY_PATH=""):
        assert line.startswith("EngineError") and "NVIDIA's driver is missing" in line, line


def test_the_example_of_the_documentation_runs(
    model: onnx.ModelProto, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    text = (Path(__file__).parents[2] / "docs" / "python.md").read_text()
    example = re.findall(r"^```python\n(.*?)^```", text, re.DOTALL | re.MULTILINE)[4]
    monkeypatch.chdir(tmp_path)
    named = onnx.ModelProto.FromString(model.SerializeToString())
    named.graph.node[0].name = "conv_1"
    onnx.save(named, "model.onnx")
    exec(compile(example, "example 5", "exec"), {})
    assert capsys.readouterr().out.splitlines()[-1] == "agree"
    assert Path("model.plan").stat().st_size > 0 and Path("timings.cache").stat().st_size > 0
