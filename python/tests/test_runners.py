"""Runners: the engines in worker processes, an engine in this process, and what they do with wrong inputs."""

from __future__ import annotations

import copy
import os
import pickle
import signal
import subprocess
import sys
import tempfile
import threading
from collections import OrderedDict
from pathlib import Path

import ml_dtypes
import numpy as np
import onnx
import onnx.parser
import pytest
from onnx import helper

import assay
from assay.backend.base import BaseRunner
from assay.backend.onnx import ConvertToFp16, convert_to_fp16
from assay.backend.onnxrt import OnnxrtRunner, SessionFromOnnx, session_from_onnx
from assay.common import TensorMetadata
from assay.comparator.isolate import run_isolated
from assay.datatype import DataType
from assay.exception import EngineError, Error, InputError, NotFoundError
from models import parse, with_weights


def make_runner(engine: str, model: onnx.ModelProto) -> BaseRunner:
    if engine == "onnxrt":
        return OnnxrtRunner(SessionFromOnnx(model))
    if engine == "openvino":
        from assay.backend import openvino

        return openvino.OpenvinoRunner(openvino.SessionFromOnnx(model))
    from assay.backend import reference

    return reference.ReferenceRunner(reference.SessionFromOnnx(model))


@pytest.mark.parametrize("name", ["bfloat16", "float8_e4m3fn", "float8_e5m2"])
def test_types_of_ml_dtypes(name: str) -> None:
    dtype = np.dtype(getattr(ml_dtypes, name))
    number = DataType.from_dtype(dtype).number
    node = helper.make_node("Cast", ["x"], ["y"], to=onnx.TensorProto.FLOAT)
    graph = helper.make_graph(
        [node],
        "g",
        [helper.make_tensor_value_info("x", number, [3])],
        [helper.make_tensor_value_info("y", onnx.TensorProto.FLOAT, [3])],
    )
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 19)], ir_version=9)
    with make_runner("onnxrt", model) as runner:
        assert runner.get_input_metadata()["x"].dtype == dtype
        assert runner.infer({"x": np.array([1, -2, 0.5], dtype)})["y"].tolist() == [1, -2, 0.5]
        with pytest.raises(InputError, match="unexpected dtype"):
            runner.infer({"x": np.ones(3, np.float32)})


@pytest.mark.parametrize("name", ["int2", "uint2", "int4"])
def test_types_of_less_than_8_bits(name: str) -> None:
    dtype = np.dtype(getattr(ml_dtypes, name))
    value = [helper.make_tensor_value_info(port, DataType.from_dtype(dtype).number, [3]) for port in ("x", "y")]
    graph = helper.make_graph([helper.make_node("Identity", ["x"], ["y"])], "g", value[:1], value[1:])
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 25)], ir_version=13)
    array = np.array([0, 1, 3]).astype(dtype)  # 3 is -1 in int2
    with make_runner("reference", model) as runner:
        assert runner.get_input_metadata()["x"].dtype == dtype
        output = runner.infer({"x": array})["y"]
    assert output.dtype == dtype and output.astype(int).tolist() == array.astype(int).tolist()


# The float16 weights are in a temporary file, from which the engine reads them after the model object is gone.
def test_large_weights_in_float16_reach_the_engine(tmp_path: Path) -> None:
    count = 36 << 20
    (tmp_path / "weights").touch()
    os.truncate(tmp_path / "weights", 4 * count)
    model = onnx.parser.parse_model(
        """<ir_version: 8, opset_import: ["" : 17]> g (float[1] x) => (float[1] y) <int64[1] zero = {0}> {
             first = Gather(w, zero)  y = Add(x, first) }"""
    )
    weight = model.graph.initializer.add(name="w", dims=[count], data_type=onnx.TensorProto.FLOAT)
    weight.data_location = onnx.TensorProto.EXTERNAL
    weight.external_data.add(key="location", value="weights")
    onnx.save(model, tmp_path / "model.onnx")
    path = str(tmp_path / "model.onnx")

    _, folder = assay.Model(path).engine_source()
    assert folder == ""
    source, folder = convert_to_fp16(assay.Model(path)).engine_source()
    assert os.path.isdir(folder) and len(source) < 10000
    del source
    assert not os.path.exists(folder)
    with OnnxrtRunner(SessionFromOnnx(ConvertToFp16(path))) as runner:
        assert runner.infer({"x": np.ones(1, np.float32)})["y"].tolist() == [1]


@pytest.mark.parametrize("engine", ["onnxrt", "openvino", "reference"])
def test_every_engine_computes(engine: str, scale: onnx.ModelProto) -> None:
    array = np.arange(6, dtype=np.float32).reshape(2, 3)
    if engine == "openvino":
        try:
            with make_runner(engine, scale):
                pass
        except assay.NotFoundError as error:
            pytest.skip(str(error))
    with make_runner(engine, scale) as runner:
        assert runner.is_active
        assert runner.name.startswith(f"{engine}-runner-N")
        outputs = runner.infer({"x": array})
        np.testing.assert_array_equal(outputs["y"], 2 * array + 1)
        assert isinstance(outputs, OrderedDict)  # as in Polygraphy
        assert runner.last_inference_time() > 0
    assert not runner.is_active


def test_models_come_in_every_form(identity: onnx.ModelProto, ones: np.ndarray, tmp_path: Path) -> None:
    path = tmp_path / "model.onnx"
    onnx.save(identity, path)
    for model in (str(path), path, identity, identity.SerializeToString(), lambda: identity):
        for sess in (model, SessionFromOnnx(model)):
            with OnnxrtRunner(sess) as runner:
                np.testing.assert_array_equal(runner.infer({"x": ones})["y"], ones)


def test_a_path_may_be_any_bytes(scale: onnx.ModelProto, tmp_path: Path) -> None:
    path = os.path.join(tmp_path, os.fsdecode(b"caf\xe9.onnx"))
    assay.Model(scale).save(path)
    assert os.listdir(os.fsencode(tmp_path)) == [b"caf\xe9.onnx"]
    for model in (path, assay.Model(path)):
        with OnnxrtRunner(SessionFromOnnx(model)) as runner:
            assert runner.get_input_metadata()["x"].shape == ["rows", -1]
            assert runner.infer({"x": np.ones((1, 1), np.float32)})["y"].item() == 3


def test_a_session_keeps_no_serialized_model(scale: onnx.ModelProto) -> None:
    model = scale.SerializeToString()
    before = sys.getrefcount(model)
    session = session_from_onnx(model)
    assert sys.getrefcount(model) == before
    assert session.get_inputs()[0].shape == ("rows", -1)


def test_models_stay_in_their_folders_if_the_working_folder_changes(
    ones: np.ndarray, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for folder, op in (("a", "Abs"), ("b", "Neg")):
        (tmp_path / folder).mkdir()
        onnx.save(parse(f"g (float[1,1,2,2] x) => (float[1,1,2,2] y) {{ y = {op}(x) }}"), tmp_path / folder / "m.onnx")
    monkeypatch.chdir(tmp_path / "a")
    model = assay.Model("m.onnx")
    with OnnxrtRunner(model):  # its worker stays ready, in this folder
        monkeypatch.chdir(tmp_path / "b")
    for other in (model, copy.copy(model), assay.Model(model)):
        with OnnxrtRunner(other) as runner:
            assert runner.infer({"x": -ones})["y"].ravel().tolist() == [1] * 4
    with OnnxrtRunner(assay.Model("m.onnx")) as runner:
        assert runner.infer({"x": ones})["y"].ravel().tolist() == [-1] * 4
    assert model.path == "m.onnx"
    assert model.to_proto() == onnx.load(tmp_path / "a" / "m.onnx")


def test_weights_of_another_folder_are_used(tmp_path: Path) -> None:
    for folder, factor in (("a", 1), ("b", 2)):
        (tmp_path / folder).mkdir()
        model = with_weights(400)
        weight = onnx.numpy_helper.from_array(np.full(400, factor, np.float32), "w")
        model.graph.initializer[0].CopyFrom(weight)
        onnx.save(model, tmp_path / folder / "m.onnx", save_as_external_data=True, location="w.bin", size_threshold=0)
    for folder, expected in (("a", 1), ("b", 2)):
        model = assay.Model(tmp_path / "a" / "m.onnx", external_data_dir=tmp_path / folder)
        assert model.path == str(tmp_path / "a" / "m.onnx")
        for other in (model, copy.copy(model), assay.Model(model)):
            with OnnxrtRunner(other) as runner:
                assert runner.infer({"x": np.zeros(400, np.float32)})["y"].tolist() == [expected] * 400


def test_metadata_has_the_symbols_of_the_model(scale: onnx.ModelProto) -> None:
    with OnnxrtRunner(SessionFromOnnx(scale)) as runner:
        metadata = runner.get_input_metadata()
    assert metadata["x"].dtype == np.float32
    assert metadata["x"].shape == ["rows", -1]


def test_a_session_is_like_one_of_onnxruntime(identity: onnx.ModelProto, ones: np.ndarray) -> None:
    import onnxruntime

    session = session_from_onnx(identity, providers=["cpu"])
    assert isinstance(session, onnxruntime.InferenceSession)
    assert session.get_providers() == ["CPUExecutionProvider"]
    assert all(hasattr(session, name) for name in dir(session)) and {"run", "close"} <= {*dir(session)}  # for completion
    assert [(port.name, port.shape, port.type) for port in session.get_inputs()] == [("x", (1, 1, 2, 2), "tensor(float)")]
    (output,) = session.run(["y"], {"x": ones})
    np.testing.assert_array_equal(output, ones)
    session.close()
    with pytest.raises(EngineError, match="closed"):
        session.run(None, {"x": ones})


def test_what_a_worker_holds_cannot_be_copied(identity: onnx.ModelProto, ones: np.ndarray) -> None:
    runner, session = OnnxrtRunner(SessionFromOnnx(identity), name="n"), session_from_onnx(identity)
    assert repr(session).startswith("<OnnxrtSession in ONNX Runtime ")
    assert repr(session).endswith(": (x: tensor(float)) -> (y: tensor(float))>")
    for copied in (copy.copy, copy.deepcopy, pickle.dumps):
        with pytest.raises(InputError, match="an open session can't be copied or pickled: .* SessionFromOnnx"):
            copied(session)
        with runner, pytest.raises(InputError, match=r"n .* can't be copied or pickled while it is active, .* deactivate\(\) first"):
            copied(runner)
    for other in (copy.copy(runner), copy.deepcopy(runner), pickle.loads(pickle.dumps(runner))):
        with other:
            np.testing.assert_array_equal(other.infer({"x": ones})["y"], ones)
    assert not runner.is_active


def test_providers_may_have_options(identity: onnx.ModelProto, ones: np.ndarray) -> None:
    session = session_from_onnx(identity, providers=[("azure", {"key": 1}), ("CPUExecutionProvider", {})])
    assert session.get_providers() == ["azure", "CPUExecutionProvider"]
    np.testing.assert_array_equal(session.run(["y"], {"x": ones})[0], ones)
    with pytest.raises(EngineError, match="CPUExecutionProvider has no options"):
        session_from_onnx(identity, providers=[("CPUExecutionProvider", {"use_arena": "0"})])


def test_optimisation_levels_have_names(identity: onnx.ModelProto) -> None:
    with pytest.raises(InputError, match="graph_optimization_level must be a name, but is 99"):
        session_from_onnx(identity, graph_optimization_level=99)


def test_a_session_of_onnxruntime_runs_here(identity: onnx.ModelProto, ones: np.ndarray) -> None:
    import onnxruntime

    session = onnxruntime.InferenceSession(identity.SerializeToString())
    with OnnxrtRunner(session) as runner:
        assert runner.get_input_metadata()["x"].dtype == np.float32
        np.testing.assert_array_equal(runner.infer({"x": ones})["y"], ones)


def test_outputs_that_are_no_tensors_are_skipped(capsys: pytest.CaptureFixture[str]) -> None:
    model = parse(
        """g (float[2] x) => (float[2] y, seq(float[2]) s, float[2] z) {
             y = Abs(x)  s = SequenceConstruct(x, y)  z = Neg(x) }"""
    )
    x = np.float32([1, -2])
    with OnnxrtRunner(model) as runner:
        assert {name: array.tolist() for name, array in runner.infer({"x": x}).items()} == {"y": [1, 2], "z": [-1, 2]}
        output = capsys.readouterr().out
        assert output.count("Output 's' is skipped: only tensors can be returned, and it is of type seq") == 1
        for names in (None, []):
            with pytest.raises(InputError, match=r"the outputs \['s'\] aren't tensors, .* may be \['y', 'z'\]"):
                runner.sess.run(names, {"x": x})
        assert [array.tolist() for array in runner.sess.run(["z", "y"], {"x": x})] == [[-1, 2], [1, 2]]


def test_a_forked_process_opens_sessions_of_its_own(identity: onnx.ModelProto, ones: np.ndarray) -> None:
    runner = OnnxrtRunner(identity)
    sessions = [session_from_onnx(identity)]

    def use() -> list[float]:
        with pytest.raises(EngineError, match="deactivate the runner and activate it again"):
            runner.infer({"x": ones})
        runner.deactivate()
        sessions.clear()
        with runner:
            return runner.infer({"x": 3 * ones})["y"].ravel().tolist()

    with runner:
        assert run_isolated(use, "fork", timeout=60) == [3] * 4
        np.testing.assert_array_equal(runner.infer({"x": ones})["y"], ones)
    np.testing.assert_array_equal(sessions[0].run(None, {"x": ones})[0], ones)


def test_types_that_need_ml_dtypes_say_so(monkeypatch: pytest.MonkeyPatch) -> None:
    with OnnxrtRunner(parse("g (float[2] x) => (bfloat16[2] y) { y = Cast<to=16>(x) }")) as runner:
        feeds = {"x": np.zeros(2, np.float32)}
        assert runner.infer(feeds)["y"].dtype == ml_dtypes.bfloat16
        monkeypatch.setitem(sys.modules, "ml_dtypes", None)
        with pytest.raises(NotFoundError, match="type bfloat16 need the Python package ml_dtypes.*pip install ml_dtypes"):
            runner.infer(feeds)


def test_earlier_outputs_stay_as_they_are(identity: onnx.ModelProto, ones: np.ndarray) -> None:
    with OnnxrtRunner(SessionFromOnnx(identity)) as runner:
        first = runner.infer({"x": ones})["y"]
        second = runner.infer({"x": 2 * ones})["y"]
    np.testing.assert_array_equal(first, ones)
    np.testing.assert_array_equal(second, 2 * ones)
    second[:] = 5  # writable, and private to this process


@pytest.mark.parametrize(
    ("feeds", "message"),
    [
        ({"x": np.ones((1, 1, 2, 2), np.int32)}, "unexpected dtype"),
        ({"x": np.ones((1, 1, 3, 2), np.float32)}, "incompatible shape"),
        ({}, "were not found"),
        ({"x": np.ones((1, 1, 2, 2), np.float32), "z": np.ones(1)}, "Extra inputs"),
        ({"x": [[[[1, 2], [3, 4]]]]}, "Expected an array, but got a list"),
        ({"x": None}, "Expected an array, but got None"),
    ],
)
def test_wrong_inputs_are_refused(identity: onnx.ModelProto, feeds: dict, message: str) -> None:
    with OnnxrtRunner(SessionFromOnnx(identity)) as runner, pytest.raises(InputError, match=message):
        runner.infer(feeds)


def test_inputs_of_unknown_rank_may_have_any() -> None:
    model = parse("g (float[2] x) => (float[2] y) { y = Relu(x) }")
    for value in (model.graph.input[0], model.graph.output[0]):
        value.type.tensor_type.ClearField("shape")
    with OnnxrtRunner(model) as runner:
        for shape in ((3, 2), (1, 1), (1,), ()):
            assert runner.infer({"x": np.ones(shape, np.float32)})["y"].shape == shape


def test_an_inactive_runner_says_so(identity: onnx.ModelProto, ones: np.ndarray) -> None:
    with pytest.raises(Error, match="Must be activated"):
        OnnxrtRunner(SessionFromOnnx(identity)).infer({"x": ones})


def test_a_missing_model_is_named() -> None:
    with pytest.raises(NotFoundError, match="nowhere.onnx"):
        SessionFromOnnx("nowhere.onnx")()


def test_a_broken_model_is_an_engine_error() -> None:
    with pytest.raises(EngineError) as raised:
        SessionFromOnnx(b"not a model")()
    assert (raised.value.outcome, raised.value.phase) == ("failed", "load")
    assert raised.value.log


def children(of: int) -> set[int]:
    """Returns the ids of all processes below one."""
    parents = {}
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                fields = (entry / "stat").read_text().rpartition(")")[2].split()
            except OSError:
                continue
            parents[int(entry.name)] = int(fields[1])
    found = {of}
    while more := {child for child, parent in parents.items() if parent in found and child not in found}:
        found |= more
    return found - {of}


def program(process: int) -> str:
    return Path(f"/proc/{process}/cmdline").read_text().split("\0")[0]


def test_custom_operators_are_loaded(ones: np.ndarray, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    library = Path(os.environ.get("ASSAY_BUILD_DIR", "/nowhere"), "tests/fakes/libassay_custom_ops.so")
    if not library.is_file():
        pytest.skip("ASSAY_BUILD_DIR doesn't name a build folder")
    value = helper.make_tensor_value_info
    graph = helper.make_graph(
        [helper.make_node("Twice", ["x"], ["y"], domain="test.assay")],
        "g",
        [value("x", onnx.TensorProto.FLOAT, ones.shape)],
        [value("y", onnx.TensorProto.FLOAT, ones.shape)],
    )
    opsets = [helper.make_opsetid("", 17), helper.make_opsetid("test.assay", 1)]
    model = helper.make_model(graph, opset_imports=opsets, ir_version=8)
    with OnnxrtRunner(SessionFromOnnx(model, custom_ops=[library])) as runner:
        np.testing.assert_array_equal(runner.infer({"x": ones})["y"], 2 * ones)
    with pytest.raises(EngineError, match="Twice"):
        session_from_onnx(model)
    monkeypatch.chdir(library.parent)
    with OnnxrtRunner(SessionFromOnnx(model, custom_ops=[library.name])) as runner:
        np.testing.assert_array_equal(runner.infer({"x": ones})["y"], 2 * ones)
    monkeypatch.chdir(tmp_path)  # while the worker of that session stays ready, in the other folder
    with pytest.raises(EngineError, match=library.name):
        session_from_onnx(model, custom_ops=[library.name])


def test_a_crash_is_an_engine_error(identity: onnx.ModelProto, ones: np.ndarray) -> None:
    before = children(os.getpid())
    with OnnxrtRunner(SessionFromOnnx(identity, threads=1, session_config={"session.use_env_allocators": "0"})) as runner:
        (worker,) = [each for each in children(os.getpid()) - before if program(each).endswith("assay-worker-onnxruntime")]
        os.kill(worker, signal.SIGSEGV)
        with pytest.raises(EngineError) as raised:
            runner.infer({"x": ones})
        assert (raised.value.outcome, raised.value.phase) == ("crashed", "run")
        assert "signal 11" in str(raised.value)
        with pytest.raises(EngineError, match="its worker ended in an earlier call"):
            runner.infer({"x": ones})
    with OnnxrtRunner(SessionFromOnnx(identity)) as runner:
        np.testing.assert_array_equal(runner.infer({"x": ones})["y"], ones)


def endless_loop() -> onnx.ModelProto:
    """A model that runs for 2^60 iterations."""
    value = helper.make_tensor_value_info
    body = helper.make_graph(
        [helper.make_node("Identity", ["go"], ["go_on"]), helper.make_node("Mul", ["v", "v"], ["next"])],
        "body",
        [
            value("i", onnx.TensorProto.INT64, []),
            value("go", onnx.TensorProto.BOOL, []),
            value("v", onnx.TensorProto.FLOAT, []),
        ],
        [value("go_on", onnx.TensorProto.BOOL, []), value("next", onnx.TensorProto.FLOAT, [])],
    )
    graph = helper.make_graph(
        [helper.make_node("Loop", ["count", "", "x"], ["y"], body=body)],
        "graph",
        [value("x", onnx.TensorProto.FLOAT, [])],
        [value("y", onnx.TensorProto.FLOAT, [])],
        [onnx.numpy_helper.from_array(np.int64(2**60), "count")],
    )
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 21)], ir_version=10)


def test_a_session_is_closed_at_the_end_of_with(scale: onnx.ModelProto) -> None:
    with session_from_onnx(scale) as session:
        assert session.run(None, {"x": np.ones((1, 1), np.float32)})[0].item() == 3
    with pytest.raises(EngineError, match="the session is closed"):
        session.run(None, {"x": np.ones((1, 1), np.float32)})


def test_a_closed_session_says_so(scale: onnx.ModelProto) -> None:
    session = session_from_onnx(scale)
    session.close()
    with pytest.raises(EngineError, match="the session is closed. Open it again") as raised:
        session.run(None, {"x": np.ones((1, 1), np.float32)})
    assert raised.value.outcome == "failed"


def test_a_hanging_engine_is_killed() -> None:
    with pytest.raises(EngineError) as raised:  # when it loads the model, if the machine is that busy
        with OnnxrtRunner(SessionFromOnnx(endless_loop(), time_limit=2)) as runner:
            runner.infer({"x": np.float32(1) * np.ones((), np.float32)})
    assert raised.value.outcome == "timed out"
    assert {"load": "while loading the model", "run": "while running it"}[raised.value.phase] in str(raised.value)


def test_many_threads_share_a_few_runners(scale: onnx.ModelProto) -> None:
    runners = [OnnxrtRunner(SessionFromOnnx(scale)) for _ in range(4)]
    for runner in runners:
        runner.activate()
    wrong: list[int] = []

    def work(number: int) -> None:
        array = np.full((3, number % 7 + 1), number, np.float32)
        for _ in range(5):
            outputs = runners[number % 4].infer({"x": array})
            if not np.array_equal(outputs["y"], 2 * array + 1):
                wrong.append(number)

    threads = [threading.Thread(target=work, args=(number,)) for number in range(200)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(timeout=120)
        assert not thread.is_alive()
    for runner in runners:
        runner.deactivate()
    assert wrong == []


def test_own_runners_work() -> None:
    class Negate(BaseRunner):
        def get_input_metadata_impl(self) -> TensorMetadata:
            return TensorMetadata().add("x", np.float32, [2])

        def infer_impl(self, feed_dict: dict) -> dict:
            return {"y": -feed_dict["x"]}

    with Negate() as runner:
        assert runner.infer({"x": np.ones(2, np.float32)})["y"].tolist() == [-1, -1]
        with pytest.raises(InputError):
            runner.infer({"x": np.ones(3, np.float32)})


def test_types_of_numpy_leave_the_metadata_of_a_runner_alone() -> None:
    metadata = TensorMetadata().add("x", np.float32, [2], docstring="the input")

    class Own(BaseRunner):
        def get_input_metadata_impl(self) -> TensorMetadata:
            return metadata

    with Own() as runner:
        found = runner.get_input_metadata(use_numpy_dtypes=True)["x"]
        assert isinstance(found.dtype, np.dtype) and (found.shape, found.docstring) == ([2], "the input")
        assert metadata["x"].dtype is DataType.FLOAT32


def test_the_hierarchy_of_errors() -> None:
    assert issubclass(assay.EngineError, assay.Error)
    assert issubclass(assay.NotFoundError, (assay.Error, LookupError))


def has_computed(process: int) -> bool:
    """Returns whether a worker has used a second of the processor, and so runs the model."""
    try:
        fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return False
    return int(fields[11]) > os.sysconf("SC_CLK_TCK")


INFER = "runner.activate(); runner.infer(feeds)"
LOCATE = "assay.locate(path, 'onnxrt', 'reference')"
ENDED = (
    "the engine failed while running: its worker ended in an earlier call, which crashed or was interrupted. "
    "Activate the runner again, or open the session again (in ONNX Runtime)"
)
AGAIN = """
try:
    runner.infer(feeds)
except assay.Error as error:
    print(error)
"""


@pytest.mark.parametrize(
    ("call", "after", "expected"),
    [
        (INFER, "print('stopped')", "stopped"),
        (LOCATE, "print('stopped')", "stopped"),
        (INFER, AGAIN, ENDED),
    ],
)
def test_ctrl_c_ends_a_run(call: str, after: str, expected: str) -> None:
    program = f"""
import sys, assay, onnx, numpy as np
from assay.backend.onnxrt import OnnxrtRunner, SessionFromOnnx
path = sys.argv[1]
runner, feeds = OnnxrtRunner(SessionFromOnnx(path)), {{"x": np.ones((), np.float32)}}
stopped = False
try:
    {call}
except KeyboardInterrupt:
    stopped = True
assert stopped
{after}
"""
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "model.onnx")
        onnx.save(endless_loop(), path)
        child = subprocess.Popen([sys.executable, "-c", program, path], stdout=subprocess.PIPE, text=True)
        try:
            while not any(map(has_computed, children(child.pid))):
                assert child.poll() is None
            child.send_signal(signal.SIGINT)
            assert child.communicate(timeout=60)[0].splitlines()[-1] == expected
            assert child.returncode == 0
        finally:
            child.kill()
