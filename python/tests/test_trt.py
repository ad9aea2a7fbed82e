"""assay.backend.trt without TensorRT: what describes networks, configurations and engines, and what is refused."""

from __future__ import annotations

import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import onnx
import pytest

import assay
from assay import _assay, constants
from assay.backend import trt
from assay.backend.common import InvokeFromScript
from assay.backend.trt.network import network_of
from assay.backend.trt.settings import element_type, from_short_names, merged
from assay.datatype import DataType
from assay.exception import EngineError, Error, InputError, NotFoundError
from models import chain, parse


@dataclass(frozen=True)
class Enumerator:
    """Looks like an enumerator of the package tensorrt."""

    name: str


@pytest.fixture
def network() -> Any:
    return trt.network_from_onnx_bytes(chain())


@pytest.fixture
def script(tmp_path: Path) -> Path:
    path = tmp_path / "change.py"
    path.write_text("def postprocess(network):\n    pass\n")
    return path


def test_plugins_may_be_loaded_for_a_path(tmp_path: Path) -> None:
    path = tmp_path / "m.onnx"
    onnx.save(chain(), path)
    loader = trt.LoadPlugins(["b.so"], trt.LoadPlugins(["a.so"], lambda: path))
    assert loader() == str(path)
    network = trt.NetworkFromOnnxPath(loader)()[1]
    assert network.settings == {"--plugins": [[str(Path("a.so").absolute())], [str(Path("b.so").absolute())]]}
    with pytest.raises(NotFoundError, match="there is no engine"):
        trt.engine_from_path(trt.load_plugins(["a.so"], tmp_path / "nowhere.plan"))


def test_a_network_takes_the_configuration_of_the_parser(network: Any) -> None:
    def unexpected(*args: Any) -> Any:
        raise AssertionError

    for config in (trt.CreateConfig(tf32=True), trt.create_config(tf32=True), unexpected):
        assert trt.NetworkFromOnnxBytes(chain(), config=config)()[1].settings == {}
    with pytest.raises(InputError, match="config must be what create_config"):
        trt.network_from_onnx_bytes(chain(), config=network.network)


def test_a_network_is_described_and_changed_as_in_polygraphy(script: Path) -> None:
    loader = trt.NetworkFromOnnxBytes(chain(), flags=["native_instancenorm"], strongly_typed=True)
    changed = trt.ModifyNetworkOutputs(
        trt.PostprocessNetwork(loader, f"{script}:mark"), outputs=["a", "b"], exclude_outputs=["y"]
    )
    builder, network, parser = changed()
    assert network.settings == {
        "--onnx-flags": [["native_instancenorm"]],
        "--strongly-typed": [[]],
        "--trt-network-postprocess-script": [[f"{script}:mark"]],
        "--trt-outputs": [["a", "b"]],
        "--trt-exclude-outputs": [["y"]],
    }
    assert network.options == {"python": sys.executable}
    again = trt.modify_network_outputs((builder, network, parser), outputs=constants.MARK_ALL)
    assert again.network.settings["--trt-outputs"] == [["*"]]
    assert "--trt-exclude-outputs" not in again.network.settings
    assert network.settings["--trt-outputs"] == [["a", "b"]]  # unchanged


def test_types_formats_and_marks_of_a_network(network: Any) -> None:
    half = Enumerator("HALF")  # as trt.float16
    network = trt.set_layer_precisions(network, {"conv_*": half, "b": np.float32, "c": DataType.BFLOAT16})
    network = trt.set_tensor_datatypes(network, {"x": "float16"})
    network = trt.set_tensor_datatypes(network, "float32")
    network = trt.set_tensor_formats(network, {"x": ["linear", Enumerator("CHW4")]})
    network = trt.set_tensor_formats(network, ["HWC8"])
    network = trt.mark_debug(network, ["a", "b*"])
    network = trt.set_decomposable_attentions(network)
    assert network_of(network).settings == {
        "--layer-precisions": [["conv_*:float16", "b:float32", "c:bfloat16"]],
        "--tensor-dtypes": [["x:float16"]],
        "--all-tensor-dtypes": [["float32"]],
        "--tensor-formats": [["x:[linear,CHW4]"]],
        "--all-tensor-formats": [["HWC8"]],
        "--mark-debug": [["a", "b*"]],
        "--decomposable-attentions": [[]],
    }


def test_element_types_have_many_names() -> None:
    assert [element_type(name) for name in ("HALF", "Float", "bf16", "FP8", DataType.FLOAT8E4M3FN, np.dtype("int8"))] == [
        "float16",
        "float32",
        "bfloat16",
        "fp8",
        "fp8",
        "int8",
    ]
    with pytest.raises(InputError, match="no element type"):
        element_type(object())


def test_profiles() -> None:
    profile = trt.Profile().add("x", min=(1, 3), opt=[2, 3], max=np.array([4, 3])).add("n", (1,), (1,), (1,))
    assert profile["x"].opt == (2, 3) and tuple(profile["x"]) == ((1, 3), (2, 3), (4, 3))
    assert trt.CreateConfig(profiles=[profile, trt.Profile().add("x", (8, 3), (8, 3), (8, 3))])().settings == {
        "--trt-min-shapes": [["x:[1,3]", "n:[1]"], ["x:[8,3]"]],
        "--trt-opt-shapes": [["x:[2,3]", "n:[1]"], ["x:[8,3]"]],
        "--trt-max-shapes": [["x:[4,3]", "n:[1]"], ["x:[8,3]"]],
    }
    with pytest.raises(NotFoundError, match="has no input 'z'. It has: x, n"):
        profile["z"]
    with pytest.raises(InputError, match="decrease"):
        trt.CreateConfig(profiles=[trt.Profile().add("x", (4,), (2,), (8,))])


def test_a_profile_is_filled_with_the_open_inputs(network: Any) -> None:
    model = parse("g (float[N, 2] x, float[3] w, float[M] z) => (float[N, 2] y) { y = Relu(x) }")
    profile = trt.Profile().add("z", (1,), (5,), (9,)).fill_defaults(trt.network_from_onnx_bytes(model), 4)
    assert profile == {"x": trt.ShapeTuple((4, 2), (4, 2), (4, 2)), "z": trt.ShapeTuple((1,), (5,), (9,))}
    assert trt.Profile().fill_defaults(network) == {}
    some = trt.Profile().add("[yz]", (1,), (5,), (9,)).fill_defaults(trt.network_from_onnx_bytes(model))
    assert list(some) == ["[yz]", "x"] and some.shapes_of("z") == some["[yz]"] and some.shapes_of("w") is None


def all_settings(folder: Path) -> dict[str, Any]:
    """Returns the settings of calls that set as much as possible."""
    file = folder / "a.py"
    file.write_text("")
    switches = (
        "tf32 fp16 int8 fp8 bf16 use_dla allow_gpu_fallback sparse_weights restricted refittable strip_plan direct_io "
        "version_compatible exclude_lean_runtime error_on_timing_cache_miss disable_compilation_cache weight_streaming "
        "editable_timing_cache"
    )
    config = trt.create_config(
        None,
        None,
        **dict.fromkeys(switches.split(), True),
        calibrator=trt.Calibrator([], folder / "calibration", type("IInt8LegacyCalibrator", (), {}), None, 0.9, 0.1),
        profiles=[trt.Profile().add("x", (1,), (2,), (3,))],
        precision_constraints="obey",
        load_timing_cache=folder / "timings",
        tactic_sources=[],
        profiling_verbosity=Enumerator("LAYER_NAMES_ONLY"),
        memory_pool_limits={Enumerator("WORKSPACE"): 1 << 30, "tactic_dram": 5},
        preview_features=["profile_sharing_0806"],
        engine_capability="safety",
        builder_optimization_level=0,
        hardware_compatibility_level="ampere_plus",
        max_aux_streams=3,
        quantization_flags=[Enumerator("CALIBRATE_BEFORE_FUSION")],
        runtime_platform="windows_amd64",
        tiling_optimization_level="full",
        dla_core=1,
    )
    portable = trt.create_config(None, None, version_compatible=True, serialize_plugins=[folder / "plugin.so"])
    with_script = trt.postprocess_config(InvokeFromScript(file, "make"), file)
    network = trt.network_from_onnx_bytes(chain(), ["native_instancenorm"], True, False, True, True)
    network = trt.load_plugins([folder / "plugin.so"], trt.postprocess_network(network, file))
    network = trt.modify_network_outputs(network, ["a"], ["b"], ["constant"])
    network = trt.set_layer_precisions(trt.set_decomposable_attentions(network), {"a": "int8"})
    network = trt.set_tensor_datatypes(trt.set_tensor_datatypes(network, {"x": "int8"}), "int8")
    network = trt.set_tensor_formats(trt.set_tensor_formats(network, {"x": ["linear"]}), ["linear"])
    network = trt.mark_debug(network, ["a"])
    typed = trt.network_from_onnx_bytes(chain(), strongly_typed=True)  # refuses precisions of layers
    runner = trt.TrtRunner(
        b"engine", "name", 1, "runtime", weight_streaming_percent=5.5, refit_from_onnx=folder / "model.onnx"
    )
    lean = trt.engine_from_bytes(b"engine", trt.LoadRuntime(file))
    configs = merged(config.settings, portable.settings, with_script.settings)
    return merged(configs, network.network.settings, typed.network.settings, runner._run, lean._opening)


def test_all_settings_of_the_command_line_can_be_given(tmp_path: Path) -> None:
    settings = all_settings(tmp_path)
    elsewhere = {
        "--save-tactics",  # TacticRecorder
        "--load-tactics",  # TacticReplayer
        "--dla-workspace-allocation-strategy",
        "--save-engine",  # save_engine() copies the file
        "--save-timing-cache",  # needs a worker
        "--trt-optional-profiles",  # checks of debug reduce
        "--best",  # fp16, bf16 and int8
    }
    assert set(_assay.tensorrt_settings()) - set(settings) == elsewhere
    assert set(settings) <= set(_assay.tensorrt_settings())
    assert settings["--pool-limit"] == [["WORKSPACE:1073741824", "tactic_dram:5"]]
    assert settings["--tactic-sources"] == [[]]
    assert settings["--builder-optimization-level"] == [["0"]]
    assert settings["--dla-core"] == [["1"]]
    assert settings["--serialize-plugins"] == [[str(tmp_path / "plugin.so")]]
    assert settings["--weight-streaming-budget"] == [["5.5%"]]
    assert settings["--load-timing-cache"] == [[str(tmp_path / "timings")]]


def test_a_setting_that_is_off_is_not_given() -> None:
    assert trt.create_config(None, None, fp16=False, tf32=None, profiles=[], memory_pool_limits={}).settings == {}


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"profiling_verbosity": "DETAILD"}, "DETAILD.*profiling_verbosity.*DETAILED"),
        ({"tactic_sources": ["cublass"]}, "(?i)cublass.*tactic_sources"),
        ({"tactic_sources": "cublas"}, "tactic_sources must be a list"),
        ({"memory_pool_limits": {"wrkspace": 1}}, "(?i)wrkspace.*memory_pool_limits"),
        ({"precision_constraints": "demand"}, "there is no mode 'demand'"),
        ({"builder_optimization_level": "high"}, "builder_optimization_level must be an int or None, but is 'high'"),
        ({"engine_capability": 3}, "3 can't be a name in TensorRT"),
        ({"algorithm_selector": object()}, "Give a TacticRecorder or a TacticReplayer"),
        ({"progress_monitor": object()}, "can't call a progress monitor"),
        ({"calibrator": object(), "int8": True}, "Give an assay.backend.trt.Calibrator"),
        ({"calibrator": trt.Calibrator(cache="c")}, "no effect without int8=True"),
        ({"dla_core": -1}, "'-1' isn't the index of a core"),
        ({"serialize_plugins": ["a.so"]}, "only an engine that contains its runtime can contain plug-ins"),
        ({"serialize_plugins": "a.so"}, "serialize_plugins must be a list of paths"),
        ({"load_timing_cache": sys.stdout}, "load_timing_cache must be a path"),
    ],
)
def test_wrong_settings_are_errors_at_once(settings: dict[str, Any], message: str) -> None:
    with pytest.raises(InputError, match=message):
        trt.CreateConfig(**settings)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda n: trt.modify_network_outputs(n, "conv"), "must be a list of names"),
        (lambda n: trt.modify_network_outputs(n, []), "must be a list of names"),
        (lambda n: trt.modify_network_outputs(n, mark_layer_types=["convolutoin"]), "(?i)convolutoin"),
        (lambda n: trt.set_layer_precisions(n, {"a": "float17"}), "no type 'float17'"),
        (lambda n: trt.set_layer_precisions(n, {}), r"^set_layer_precisions\(\) has nothing to set"),
        (lambda n: trt.set_tensor_formats(n, []), r"^set_tensor_formats\(\) has nothing to set"),
        (lambda n: trt.set_tensor_formats(n, {"x": ["liner"]}), "(?i)liner.*set_tensor_formats"),
        (lambda n: trt.mark_debug(n, "a"), "mark_debug must be a list of strings"),
        (lambda n: trt.load_plugins("a.so", n), "plugins must be a list"),
        (lambda n: trt.load_plugins(["a.so"]), "as obj"),
        (lambda n: trt.engine_from_network(chain()), "a ModelProto isn't a network of assay.backend.trt"),
        (lambda n: trt.engine_from_network(n, {"fp16": True}), "a dict isn't a configuration"),
        (lambda n: trt.engine_from_network(n, runtime=object()), "Give what load_runtime"),
        (lambda n: trt.engine_from_network(n, dla_workspace_allocation_strategy="static"), "has no such setting"),
        (lambda n: trt.engine_from_network(n, save_timing_cache=sys.stdout), "save_timing_cache must be a path"),
        (lambda n: trt.network_from_onnx_bytes(chain(), config={"fp16": True}), "config must be .*, but is a dict"),
        (lambda n: trt.engine_from_path(sys.stdin), "path must be a path, but is .*engine_from_bytes"),
        (lambda n: trt.Calibrator(), "needs data or a cache"),
        (lambda n: trt.Calibrator([{}], batch_size=1), "batch_size has no effect"),
        (lambda n: trt.TrtRunner(b"", weight_streaming_budget=1, weight_streaming_percent=1), "exclude each other"),
        (lambda n: trt.TrtRunner(b"", allocation_strategy="never"), "there is no strategy 'never'"),
        (lambda n: trt.Profile().add("x", None, (2, 2), (3, 2)), "min must be a list of ints, but is None"),
        (lambda n: trt.Profile().add("x", (1, 2), "22", (3, 2)), "opt must be a list of ints, but is '22'"),
        (lambda n: trt.CreateConfig(profiles=trt.Profile().add("x", (1,), (1,), (1,))), "must be a list of Profile"),
        (lambda n: trt.CreateConfig(profiles=trt.Profile()), "must be a list of Profile"),
        (lambda n: trt.CreateConfig(profiles=[5]), r"profiles\[0\] must be a Profile"),
        (lambda n: trt.CreateConfig(memory_pool_limits=[1]), "memory_pool_limits must be a dictionary"),
        (lambda n: trt.CreateConfig(tactic_sources=5), "tactic_sources must be a list"),
        (lambda n: trt.TrtRunner(b"", optimization_profile=-1), "isn't the index of a profile"),
        (lambda n: trt.TrtRunner(b"", debug_listener=print), "can't call a debug listener"),
        (lambda n: trt.TrtRunner(3).activate(), "an int isn't an engine"),
    ],
)
def test_wrong_arguments_are_refused(network: Any, call: Any, message: str) -> None:
    with pytest.raises(InputError, match=message):
        call(network)


def test_functions_of_this_process_are_refused(network: Any, script: Path) -> None:
    def mark(network: Any) -> None:
        raise AssertionError

    with pytest.raises(InputError, match="can't call .*mark.*give 'FILE.py:postprocess'"):
        trt.postprocess_network(network, mark)
    with pytest.raises(InputError, match="give 'FILE.py:postprocess_config'"):
        trt.postprocess_config(trt.CreateConfig(), mark)
    with pytest.raises(NotFoundError, match="no Python file nowhere.py"):
        trt.postprocess_network(network, "nowhere.py:mark")
    with pytest.raises(InputError, match="runs before modify_network_outputs.. takes effect. Call postprocess_network.. first, and then modify_network_outputs"):
        trt.postprocess_network(trt.modify_network_outputs(network, ["a"]), script)


def test_objects_in_the_worker_say_so(network: Any) -> None:
    builder, net, parser = network
    with pytest.raises(Error, match="network is in a worker process, so 'name' can't be used here.*modify_network_outputs"):
        net.name = "mine"
    for part in (builder, parser, trt.create_config(builder, net), trt.engine_from_bytes(b""), trt.Calibrator([])):
        with pytest.raises(Error, match="is in a worker process, so 'num_layers' can't be used here"):
            part.num_layers
        assert not hasattr(part, "num_layers")
    for name in ("CreateNetwork", "get_trt_logger", "FileReader", "create_network"):
        with pytest.raises(Error, match=f"{name} isn't available: TensorRT runs in a worker process"):
            getattr(trt, name)()


def test_objects_in_the_worker_are_context_managers_as_in_tensorrt_8(network: Any) -> None:
    builder, net, parser = network
    with builder, net as same, parser, trt.create_config(builder, net, fp16=True) as config, trt.engine_from_bytes(b"") as engine:
        assert same is net and config.settings == {"--fp16": [[]]}
        assert repr(engine).startswith("Engine(")
    assert net.model  # nothing was freed


def test_a_configuration_may_come_from_a_function(network: Any) -> None:
    def load(builder: Any, network: Any) -> Any:
        assert network is given.network
        return trt.create_config(builder, network, fp16=True)

    given = network
    from assay.backend.trt.config import config_of

    assert config_of(load, given.network).settings == {"--fp16": [[]]}
    assert config_of(None, given.network).settings == {}


def test_paths_and_bytes_are_not_confused(tmp_path: Path) -> None:
    path = tmp_path / "m.onnx"
    onnx.save(chain(), path)
    for given in (path, str(path), lambda: path):
        assert trt.network_from_onnx_path(given).network.model == str(path)
    with pytest.raises(InputError, match=r"path must be a path, but is a bytes\. network_from_onnx_bytes\(\) takes"):
        trt.network_from_onnx_path(path.read_bytes())
    with pytest.raises(InputError, match=r"path must be a path, but is a ModelProto"):
        trt.network_from_onnx_path(chain())
    assert trt.network_from_onnx_bytes(path.read_bytes()).network.model == path.read_bytes()
    with pytest.raises(InputError, match=r"but is '.*m.onnx'\. network_from_onnx_path\(\) takes paths"):
        trt.network_from_onnx_bytes(path)


def test_an_engine_takes_the_place_of_its_contexts() -> None:
    engine = trt.engine_from_bytes(b"engine")
    context = engine.create_execution_context()
    assert trt.TrtRunner(context, optimization_profile=1).name and context.serialize() == b"engine"


def test_missing_files_are_named(tmp_path: Path) -> None:
    with pytest.raises(NotFoundError, match="there is no model .*nowhere.onnx"):
        trt.network_from_onnx_path("nowhere.onnx")
    with pytest.raises(NotFoundError, match="there is no engine .*nowhere.plan"):
        trt.engine_from_path("nowhere.plan")
    with pytest.raises(NotFoundError, match="there is no runtime .*lean.so"):
        trt.load_runtime(tmp_path / "lean.so")


def test_engines_are_saved_as_they_are(tmp_path: Path) -> None:
    path = tmp_path / "a.plan"
    trt.save_engine(b"engine", path)
    assert path.read_bytes() == b"engine"
    loaded = trt.SaveEngine(trt.EngineFromPath(path), tmp_path / "folder" / "b.plan")()
    assert (tmp_path / "folder" / "b.plan").read_bytes() == trt.bytes_from_engine(loaded) == loaded.serialize() == b"engine"
    (tmp_path / "empty.plan").write_bytes(b"")
    trt.save_engine(trt.engine_from_path(tmp_path / "empty.plan"), path)
    assert path.read_bytes() == b""
    with_plugins = trt.LoadPlugins(["p.so"], trt.EngineFromBytes(lambda: b"engine"))()
    assert with_plugins._opening == {"--plugins": [[os.path.abspath("p.so")]]}


def test_settings_have_short_names_as_on_the_command_line() -> None:
    given = {"fp16": True, "trt_outputs": ["a", "b"], "pool-limit": "workspace:1G", "int8": False, "device": 1}
    assert from_short_names(given) == {
        "--fp16": "[[]]",
        "--trt-outputs": '[["a", "b"]]',
        "--pool-limit": '[["workspace:1G"]]',
        "device": "1",
    }
    with pytest.raises(InputError, match="isn't a value of fp16"):
        from_short_names({"fp16": 3})
    with pytest.raises(InputError, match="trt has no setting 'speed'"):
        assay.locate(chain(), "onnxrt", ("trt", {"speed": 11}))


RUN = """
import assay
from assay.backend import trt
import onnx.parser
model = onnx.parser.parse_model('<ir_version: 8, opset_import: ["" : 17]> g (float[2] x) => (float[2] y) { y = Relu(x) }')
for call in (
    lambda: trt.engine_from_network(trt.network_from_onnx_bytes(model)),
    lambda: trt.TrtRunner(trt.EngineFromBytes(b"engine")).activate(),
    lambda: assay.locate(model, "onnxrt", "trt"),
):
    try:
        call()
        print("passed")
    except assay.Error as error:
        print(type(error).__name__, getattr(error, "phase", ""), error)
"""


def run_elsewhere(**environment: str) -> list[str]:
    """Returns what a process with these variables prints: a line for each way to use TensorRT."""
    result = subprocess.run(
        [sys.executable, "-c", RUN], env={**os.environ, **environment}, capture_output=True, text=True, check=False
    )
    assert result.returncode == 0, result.stderr
    return result.stdout.splitlines()


def has_worker() -> bool:
    return (_assay.libexec() / "assay-worker-tensorrt").exists()


def test_what_is_missing_is_said() -> None:
    lines = run_elsewhere(ASSAY_TENSORRT_LIB="/nowhere")
    assert len(lines) == 3
    for line in lines:
        if has_worker():
            assert "there is no TensorRT at /nowhere (in ASSAY_TENSORRT_LIB" in line
        else:
            assert "this build of Assay has no worker for TensorRT" in line and "docs/tensorrt.md" in line
        assert line.startswith("NotFoundError")


def test_errors_are_those_of_the_hierarchy() -> None:
    with pytest.raises((NotFoundError, EngineError)):
        trt.engine_from_network(trt.network_from_onnx_bytes(b"not a model"))


def test_a_model_proto_is_not_read_again(network: Any) -> None:
    assert isinstance(network.network.model, bytes)
    assert onnx.load_from_string(network.network.model).graph.name == "g"
