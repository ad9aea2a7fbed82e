"""assay.Model: what it reads, and that it can be used like an onnx.ModelProto. References: the package onnx."""

import copy
import pickle
import resource
import subprocess
import sys
from pathlib import Path

import numpy as np
import onnx
import pytest

import assay
from models import REAL, chain, parse, with_weights


def test_reads_a_file(tmp_path: Path) -> None:
    onnx.save(chain(), tmp_path / "m.onnx")
    model = assay.Model(tmp_path / "m.onnx")
    assert [node.op_type for node in model.nodes] == ["Add", "Relu", "Neg", "Abs"]
    assert model.nodes[0].inputs == ("x", "w") and model.nodes[0].outputs == ("a",)
    (given,), (result,) = model.inputs, model.outputs
    assert (given.name, given.dtype, given.shape) == ("x", "float32", (4,))
    assert result.name == "y"
    assert [(weight.name, weight.shape, weight.nbytes) for weight in model.initializers] == [("w", (4,), 16)]
    assert model.path == str(tmp_path / "m.onnx")
    assert model.opset == 20 and model.name == "g"


def test_shapes_keep_symbols_and_unknown_sizes() -> None:
    model = assay.Model(parse("g (float[n, ?, 3] x) => (float y) { y = ReduceSum(x) }"))
    assert model.inputs[0].shape == ("n", -1, 3)
    assert model.outputs[0].shape == ()


@pytest.mark.parametrize("name", ["light_squeezenet", "mnist_quantized", "scan_1", "nested_local_function"])
def test_to_proto_is_what_onnx_loads(name: str) -> None:
    path = REAL / f"{name}.onnx"
    assert assay.Model(path).to_proto() == onnx.load(path)
    assert assay.Model(onnx.load(path)).to_proto() == onnx.load(path)
    assert assay.Model(path.read_bytes()).to_proto() == onnx.load(path)


def test_external_weights_are_read_into_the_message() -> None:
    path = REAL / "ext_weights.onnx"
    expected = {w.name: onnx.numpy_helper.to_array(w) for w in onnx.load(path).graph.initializer}
    found = assay.Model(path).to_proto()
    assert {w.name for w in found.graph.initializer} == set(expected)
    for weight in found.graph.initializer:
        np.testing.assert_array_equal(onnx.numpy_helper.to_array(weight), expected[weight.name])


def test_ignored_external_weights_stay_references() -> None:
    model = assay.Model(REAL / "ext_weights.onnx", ignore_external_data=True)
    assert all(weight.data_location == onnx.TensorProto.EXTERNAL for weight in model.graph.initializer)


def test_a_message_without_its_external_data_asks_for_the_folder() -> None:
    proto = onnx.load(REAL / "ext_weights.onnx", load_external_data=False)
    with pytest.raises(assay.ModelError, match=r"with its folder as external_data_dir of assay.Model\(\)"):
        assay.backend.onnx.convert_to_fp16(proto)
    assert assay.backend.onnx.convert_to_fp16(assay.Model(proto, external_data_dir=REAL))


def test_weights_stay_on_disk(tmp_path: Path) -> None:
    path = tmp_path / "large.onnx"
    onnx.save(with_weights(32 << 20), path)  # 128 MiB
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    current = _resident_kib()
    model = assay.Model(path)
    assert model.initializers[0].nbytes == 128 << 20
    model.save(tmp_path / "copy.onnx")
    assert (tmp_path / "copy.onnx").stat().st_size == path.stat().st_size
    assert _resident_kib() - current < 32 << 10
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - max(before, current) < 32 << 10


def _resident_kib() -> int:
    fields = Path("/proc/self/status").read_text().split("VmRSS:")[1]
    return int(fields.split()[0])


def test_behaves_like_a_message() -> None:
    model = assay.Model(chain())
    assert isinstance(model, onnx.ModelProto) and isinstance(model, assay.Model)
    assert len(model.graph.node) == 4
    onnx.checker.check_model(model)
    assert {"nodes", "save", "graph", "SerializeToString"} <= {*dir(model)}  # for completion
    as_message: onnx.ModelProto = model  # type: ignore[assignment]
    assert len(onnx.shape_inference.infer_shapes(as_message).graph.value_info) == 3
    assert onnx.ModelProto.FromString(model.SerializeToString()) == chain()


def test_models_are_compared_by_content(tmp_path: Path) -> None:
    model = assay.Model(chain())
    assert model == assay.Model(model) == copy.copy(model) == pickle.loads(pickle.dumps(model))
    assert model == chain() and chain() == model and not model != chain()
    other = chain()
    other.graph.node[1].op_type = "Sigmoid"
    assert model != other and other != model and assay.Model(other) != model
    model.graph.node[1].op_type = "Sigmoid"
    assert model == other
    assert model != "chain" and model != 1 and None not in [model]
    with pytest.raises(TypeError, match="unhashable"):
        {model}  # noqa: B018


def test_equal_models_may_store_their_weights_elsewhere(tmp_path: Path) -> None:
    onnx.save(with_weights(5000), tmp_path / "inline.onnx")
    onnx.save(with_weights(5000), tmp_path / "external.onnx", save_as_external_data=True, location="weights")
    changed = with_weights(5000)
    values = onnx.numpy_helper.to_array(changed.graph.initializer[0]).copy()
    values.flat[-1] += 1
    changed.graph.initializer[0].CopyFrom(onnx.numpy_helper.from_array(values, changed.graph.initializer[0].name))
    first, second = assay.Model(tmp_path / "inline.onnx"), assay.Model(tmp_path / "external.onnx")
    assert first == second and first.path is not None  # no message was made for that
    assert first != changed


def test_changes_of_the_message_are_changes_of_the_model(tmp_path: Path) -> None:
    onnx.save(chain(), tmp_path / "m.onnx")
    model = assay.Model(tmp_path / "m.onnx")
    model.graph.node[1].op_type = "Sigmoid"
    assert [node.op_type for node in model.nodes] == ["Add", "Sigmoid", "Neg", "Abs"]
    assert model.path is None
    model.save(tmp_path / "n.onnx")
    assert onnx.load(tmp_path / "n.onnx").graph.node[1].op_type == "Sigmoid"
    model.ir_version = 9
    model.save(tmp_path / "n.onnx")
    assert onnx.load(tmp_path / "n.onnx").ir_version == 9
    with pytest.raises(AttributeError, match="no \"typo\" field"):
        model.typo = 1


def test_a_file_that_is_overwritten_ends_no_program(tmp_path: Path) -> None:
    onnx.save(with_weights(100_000), tmp_path / "m.onnx")
    model = assay.Model(tmp_path / "m.onnx")
    onnx.save(chain(), tmp_path / "m.onnx")  # truncates the file
    with pytest.raises(assay.ModelError, match="overwritten or truncated after the model was loaded"):
        model.to_proto()


def test_questions_for_other_attributes_read_nothing(tmp_path: Path) -> None:
    onnx.save(chain(), tmp_path / "m.onnx")
    model = assay.Model(tmp_path / "m.onnx")
    assert not hasattr(model, "shape")
    with pytest.raises(AttributeError, match="'Model' object has no attribute 'node'"):
        model.node  # noqa: B018
    assert model.path == str(tmp_path / "m.onnx")
    assert model.graph.node[0].op_type == "Add"


def test_copies_are_independent() -> None:
    model = assay.Model(chain())
    for other in (copy.copy(model), copy.deepcopy(model), pickle.loads(pickle.dumps(model)), assay.Model(model)):
        other.graph.node[0].op_type = "Sub"
        assert model.nodes[0].op_type == "Add"


def test_saves_external_data(tmp_path: Path) -> None:
    assay.Model(with_weights()).save(tmp_path / "m.onnx", external_data_path=Path("m.data"))
    assert (tmp_path / "m.data").stat().st_size == 4 * 4096
    assert onnx.load(tmp_path / "m.onnx").graph.node[0].op_type == "Add"
    np.testing.assert_array_equal(
        onnx.numpy_helper.to_array(onnx.load(tmp_path / "m.onnx").graph.initializer[0]), np.arange(4096)
    )


def large_model(folder: Path, weights: int = 2**29) -> assay.Model:
    proto = parse("g (float[n] x) => (float[n] y) { y = Identity(x) }")
    weight = proto.graph.initializer.add(name="w", data_type=onnx.TensorProto.FLOAT, dims=[weights])
    weight.data_location = onnx.TensorProto.EXTERNAL
    weight.external_data.add(key="location", value="w.data")
    (folder / "m.onnx").write_bytes(proto.SerializeToString())
    with open(folder / "w.data", "wb") as file:
        file.truncate(4 * weights)  # a hole, which takes no space on the disk; nor does a copy of it
    return assay.Model(folder / "m.onnx")


def test_a_model_of_more_than_2_gib_gets_a_file_of_weights(tmp_path: Path) -> None:
    large_model(tmp_path).save(tmp_path / "out.onnx")
    assert (tmp_path / "out.onnx.data").stat().st_size == 2**31
    assert assay.Model(tmp_path / "out.onnx").initializers[0].shape == (2**29,)


def test_a_message_of_more_than_2_gib_is_refused(tmp_path: Path) -> None:
    model = large_model(tmp_path)
    assert model.inputs[0].name == "x"
    for use in (model.to_bytes, model.to_proto, lambda: model.graph):
        with pytest.raises(assay.ModelError, match=r"take 2\.0 GiB, but a message can hold at most 2 GiB\. Write .* save_onnx"):
            use()


def test_errors_say_what_is_wrong(tmp_path: Path) -> None:
    (tmp_path / "text.onnx").write_text("hello")
    with pytest.raises(assay.ModelError, match="text, not an ONNX model"):
        assay.Model(tmp_path / "text.onnx")
    with pytest.raises(assay.NotFoundError, match="nowhere.onnx"):
        assay.Model(tmp_path / "nowhere.onnx")
    with pytest.raises(assay.InputError, match="int"):
        assay.Model(3)  # type: ignore[arg-type]


def test_repr_says_what_it_is() -> None:
    text = repr(assay.Model(parse("g (float[n] x) => (float[n] y) { y = Relu(x) }")))
    assert text == "<assay.Model 'g': 1 node, (x: float32[n]) -> (y: float32[n])>"


def test_names_may_be_any_bytes(tmp_path: Path) -> None:
    model = parse("g_name (float[2] x_name) => (float[2] y) { y = Relu(x_name) }")
    (tmp_path / "m.onnx").write_bytes(model.SerializeToString().replace(b"_name", b"_nam\xe9"))
    found = assay.Model(tmp_path / "m.onnx")
    assert found.inputs[0].name == found.nodes[0].inputs[0] == "x_nam\N{REPLACEMENT CHARACTER}"
    assert "g_nam\N{REPLACEMENT CHARACTER}" in repr(found) and "x_nam" in repr(assay.inspect(found))


def test_too_little_memory_for_a_message_is_an_error(tmp_path: Path) -> None:
    program = """
import resource, sys
import assay
model = assay.Model(sys.argv[1])
model.inputs
used = int(open("/proc/self/statm").read().split()[0]) * resource.getpagesize()
resource.setrlimit(resource.RLIMIT_AS, (used + 2**28,) * 2)
try:
    model.to_bytes()
except MemoryError:
    print("MemoryError")
"""
    large_model(tmp_path, 2**28)
    run = subprocess.run([sys.executable, "-c", program, tmp_path / "m.onnx"], capture_output=True, text=True)
    assert run.stdout == "MemoryError\n", run.stderr


def test_a_daemon_thread_that_holds_a_model_is_silent_at_exit(tmp_path: Path) -> None:
    onnx.save(chain(), tmp_path / "m.onnx")
    program = """
import sys, threading
import assay
held = threading.Event()
def hold(model):
    held.set()
    threading.Event().wait()
threading.Thread(target=hold, args=(assay.Model(sys.argv[1]),), daemon=True).start()
held.wait()
"""
    ended = subprocess.run([sys.executable, "-c", program, tmp_path / "m.onnx"], capture_output=True, text=True)
    assert (ended.returncode, ended.stderr) == (0, "")
