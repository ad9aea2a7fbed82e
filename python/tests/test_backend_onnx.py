"""assay.backend.onnx: the functions, the loaders made from them, and the kinds of models that they accept. Expected
results are those of Polygraphy 0.53.6 on the same models, unless a test says otherwise."""

import importlib
import pickle
from collections import namedtuple
from inspect import getdoc, isclass, signature
from pathlib import Path
from typing import Any

import numpy as np
import onnx
import onnx.reference
import pytest

import assay
from assay.backend import onnx as backend
from assay.backend.base import BaseLoader
from assay.backend.onnx import util
from assay.tables import type_text
from models import REAL, chain, parse, with_weights

Meta = namedtuple("Meta", ["dtype", "shape"])

FOLDABLE = """g (float[2] x) => (float[2] y) <float[2] a = {1, 2}, float[2] b = {3, 4}> {
    c = Add(a, b)  d = Mul(c, c)  y = Add(x, d) }"""
BROKEN = """g (float[2] x) => (float[2] y) <float[2] a = {1, 2}> { b = foo.Custom(a)  c = Add(a, a)  d = Add(b, c)
    y = Add(x, d) }"""
RANGE = """g (int64[3] x) => (int64[k] y) <int64 zero = {0}, int64 one = {1}> {
    n = ReduceMax <keepdims = 0> (x)  y = Range(zero, n, one) }"""
CUSTOM = 'ir_version: 10, opset_import: ["" : 20, "foo" : 1]'


def ops(model: Any) -> list[str]:
    return [node.op_type for node in model.graph.node]


def names(values: Any) -> list[str]:
    return [value.name for value in values]


def run(model: onnx.ModelProto, feeds: dict[str, np.ndarray]) -> list[Any]:
    results: Any = onnx.reference.ReferenceEvaluator(model).run(None, feeds)
    return list(results)


# Loaders and kinds of models


def test_every_function_has_a_loader_with_its_parameters() -> None:
    for name in backend.__all__:
        if name.islower():
            loader = getattr(backend, "".join(word.capitalize() for word in name.split("_")))
            expected = signature(getattr(backend, name)).parameters
            assert list(signature(loader).parameters) == list(expected), name
            assert callable(loader)


def test_loaders_do_nothing_before_they_are_called(tmp_path: Path) -> None:
    load = backend.OnnxFromPath(tmp_path / "m.onnx")
    fold = backend.FoldConstants(load, num_passes=1)
    save = backend.SaveOnnx(fold, str(tmp_path / "folded" / "m.onnx"))
    onnx.save(parse(FOLDABLE), tmp_path / "m.onnx")
    assert ops(save()) == ["Add"]
    assert ops(onnx.load(tmp_path / "folded" / "m.onnx")) == ["Add"]


def test_a_wrong_argument_of_a_loader_is_an_error_at_once() -> None:
    with pytest.raises(TypeError, match="passes"):
        backend.FoldConstants(chain(), passes=3)  # type: ignore[call-arg]


def test_the_result_has_the_kind_of_the_argument(tmp_path: Path) -> None:
    onnx.save(chain(), tmp_path / "m.onnx")
    path, model = str(tmp_path / "m.onnx"), assay.Model(tmp_path / "m.onnx")
    cases = [(chain(), onnx.ModelProto), (path, assay.Model), (model, assay.Model), (lambda: path, assay.Model)]
    for given, kind in cases:
        assert type(backend.modify_outputs(given, outputs=["b"])) is kind
        assert type(backend.infer_shapes(given)) is kind


def test_the_argument_is_never_changed() -> None:
    given = parse(FOLDABLE)
    backend.fold_constants(given)
    backend.modify_outputs(given, outputs="mark-all", copy=False)
    backend.convert_to_fp16(given)
    assert given == parse(FOLDABLE)


def test_something_else_is_an_error() -> None:
    with pytest.raises(assay.InputError, match="model must be a path"):
        backend.fold_constants(3)


# The functions


def test_bytes_and_back() -> None:
    data = backend.bytes_from_onnx(chain())
    assert onnx.ModelProto.FromString(data) == chain()
    assert backend.onnx_from_bytes(lambda: data).to_proto() == chain()
    assert backend.bytes_from_onnx(backend.OnnxFromBytes(data)) == data
    for view in (bytearray(data), memoryview(data)):
        assert backend.bytes_from_onnx(view) == data


def test_save_returns_the_model_and_makes_folders(tmp_path: Path) -> None:
    model = with_weights()
    assert backend.save_onnx(model, str(tmp_path / "a" / "m.onnx"), external_data_path=Path("w"), size_threshold=0) is model
    assert (tmp_path / "a" / "w").stat().st_size == 4 * 4096


def test_fold_constants_keeps_results() -> None:
    folded = backend.fold_constants(parse(FOLDABLE))
    assert ops(folded) == ["Add"]
    x = np.array([5, 6], np.float32)
    np.testing.assert_array_equal(run(folded, {"x": x})[0], run(parse(FOLDABLE), {"x": x})[0])


def test_fold_constants_warns_of_inputs_that_are_lost(capfd: pytest.CaptureFixture[str]) -> None:
    model = parse("g (float[2] x, float[2] w) => (float[2] y) <float[2] w = {1, 2}> { c = Neg(w)  y = Add(x, c) }")
    assert names(backend.fold_constants(model).graph.input) == ["x"]
    assert "callers can't set them any more: w" in "".join(capfd.readouterr())


def test_fold_constants_size_threshold() -> None:
    model = parse(
        """g () => (float[1000] y) <float[1] a = {1}, int64[1] n = {1000}> { y = Tile(a, n) }"""
    )
    assert ops(backend.fold_constants(model, size_threshold=100)) == ["Tile"]
    assert ops(backend.fold_constants(model)) == []


def test_fold_constants_reports_nodes_that_cannot_be_computed() -> None:
    with pytest.raises(assay.EngineError, match="Custom"):
        backend.fold_constants(parse(BROKEN, CUSTOM), error_ok=False)
    assert ops(backend.fold_constants(parse(BROKEN, CUSTOM))) == ["Custom", "Add", "Add"]
    assert ops(backend.fold_constants(parse(BROKEN, CUSTOM), partitioning="basic")) == ["Custom", "Add", "Add", "Add"]
    with pytest.raises(assay.InputError, match="partitioning"):
        backend.fold_constants(chain(), partitioning="deep")


def test_modify_outputs() -> None:
    assert names(backend.modify_outputs(chain(), outputs="mark-all").graph.output) == ["a", "b", "c", "y"]
    assert names(backend.modify_outputs(chain(), outputs=["b", "y"]).graph.output) == ["b", "y"]
    marked = backend.modify_outputs(chain(), outputs="mark-all", exclude_outputs=["b", "y"])
    assert names(marked.graph.output) == ["a", "c"]
    assert names(backend.modify_outputs(chain(), mark_types=["add"]).graph.output) == ["a"]
    assert names(backend.modify_outputs(chain(), mark_types=["conv"]).graph.output) == ["y"]
    assert names(backend.modify_outputs(chain()).graph.output) == ["y"]
    with pytest.raises(assay.NotFoundError, match="nothing"):
        backend.modify_outputs(chain(), outputs=["nothing"])
    with pytest.raises(assay.InputError, match="a model needs an output"):
        backend.modify_outputs(chain(), outputs=[])


def test_modified_outputs_have_types() -> None:
    marked = backend.modify_outputs(chain(), outputs="mark-all")
    onnx.checker.check_model(marked)  # demands a type
    assert all(value.type.tensor_type.elem_type == onnx.TensorProto.FLOAT for value in marked.graph.output)


def test_metadata_may_be_pairs() -> None:
    part = backend.extract_subgraph(chain(), {"a": (np.float32, None)}, {"c": (None, (4,))})
    assert [node.op_type for node in part.graph.node] == ["Relu", "Neg"]
    with pytest.raises(assay.InputError, match="the metadata of 'a' must be its element type and its shape, but is 3"):
        backend.extract_subgraph(chain(), {"a": 3})


def test_the_weights_of_a_model_that_was_used_as_a_message_are_saved_in_float16(tmp_path: Path) -> None:
    model = assay.Model(with_weights())
    model.graph.name = "changed"  # from now on, its weights are in the message
    backend.save_onnx(backend.convert_to_fp16(model), tmp_path / "half.onnx")
    saved = onnx.load(tmp_path / "half.onnx", load_external_data=False)
    weight = onnx.numpy_helper.to_array(saved.graph.initializer[0])
    np.testing.assert_array_equal(weight, np.arange(4096, dtype=np.float16))


@pytest.mark.parametrize("parameter", ["outputs", "exclude_outputs", "mark_types"])
def test_a_single_name_isnt_a_list(parameter: str) -> None:
    with pytest.raises(assay.InputError, match=f"{parameter} must be a list of .*but is .*'b'"):
        backend.modify_outputs(chain(), **{parameter: "b"})


@pytest.mark.parametrize("given", [None, 5, "model.onnx", []])
def test_only_bytes_are_bytes(given: Any) -> None:
    with pytest.raises(assay.InputError, match=f"needs the bytes of a model, but got {type_text(given)}"):
        backend.onnx_from_bytes(given)


@pytest.mark.parametrize("name", ["light_squeezenet", "scan_1"])
def test_infer_shapes_finds_what_onnx_finds(name: str) -> None:
    path = REAL / f"{name}.onnx"
    expected = {value.name: value.type for value in onnx.shape_inference.infer_shapes(onnx.load(path)).graph.value_info}
    found = {value.name: value.type for value in backend.infer_shapes(str(path)).graph.value_info}
    assert found == expected and expected


def test_infer_shapes_error() -> None:
    wrong = parse("g (float[2] x) => (float[3] y) { y = Relu(x) }")
    assert backend.infer_shapes(wrong).graph.output[0].type.tensor_type.shape.dim[0].dim_value in (2, 3)


def test_extract_subgraph() -> None:
    model = chain()
    part = backend.extract_subgraph(model, {"a": Meta(np.float32, (4,))}, {"c": Meta(np.dtype("float32"), None)})
    assert ops(part) == ["Relu", "Neg"]
    assert names(part.graph.input) == ["a"] and names(part.graph.output) == ["c"]
    assert ops(model) == ["Add", "Relu", "Neg", "Abs"]
    assert ops(backend.extract_subgraph(model, output_metadata={"b": Meta(None, None)})) == ["Add", "Relu"]
    unknown = backend.extract_subgraph(model, {"b": Meta(None, None)})
    assert unknown.graph.input[0].type.tensor_type.shape.dim[0].dim_value == 4
    with pytest.raises(assay.NotFoundError, match="zzz"):
        backend.extract_subgraph(model, {"zzz": Meta(None, None)})
    with pytest.raises(assay.InputError, match="no element type 'floatx' .in 'b'"):
        backend.extract_subgraph(model, {"b": Meta("floatx", (4,))})
    with pytest.raises(assay.InputError, match="the metadata of 'b' must be its element type and its shape"):
        backend.extract_subgraph(model, {"b": ((4,), np.float32)})


def test_convert_to_fp16_keeps_float32_outside() -> None:
    converted = backend.convert_to_fp16(chain())
    assert ops(converted)[0] == ops(converted)[-1] == "Cast"
    assert converted.graph.input[0].type.tensor_type.elem_type == onnx.TensorProto.FLOAT
    assert converted.graph.output[0].type.tensor_type.elem_type == onnx.TensorProto.FLOAT
    x = np.array([1, -2, 3, -4], np.float32)
    np.testing.assert_allclose(run(converted, {"x": x})[0], run(chain(), {"x": x})[0], rtol=1e-3)


def test_set_upper_bound() -> None:
    model = parse(RANGE)
    for bounds in (1000, {"": 1000}, {"n": 1000}, np.int64(1000), {"n": np.int64(1000)}):
        bounded = backend.set_upper_bound(model, bounds)
        assert ops(bounded) == ["ReduceMax", "Min", "Range"]
        limit = next(w for w in bounded.graph.initializer if w.name == bounded.graph.node[1].input[1])
        assert onnx.numpy_helper.to_array(limit) == 1000
    named = backend.set_upper_bound(chain(), {"b": 2})  # decides no size, but is named
    assert ops(named) == ["Add", "Relu", "Min", "Neg", "Abs"]
    assert named.graph.node[3].input == ["b"] and named.graph.node[2].output == ["b"]


def test_facts_about_models() -> None:
    assert util.get_num_nodes(str(REAL / "scan_1.onnx")) == _count(onnx.load(REAL / "scan_1.onnx").graph)
    model = parse(RANGE)
    assert util.get_unbounded_dds_tensors(model) == ["n"]
    assert util.get_unbounded_dds_tensors(chain()) == []


def _count(graph: onnx.GraphProto) -> int:
    bodies = [attribute.g for node in graph.node for attribute in node.attribute if attribute.HasField("g")]
    return len(graph.node) + sum(map(_count, bodies))


def test_graphsurgeon(tmp_path: Path) -> None:
    gs = pytest.importorskip("onnx_graphsurgeon")
    graph = backend.gs_from_onnx(chain())
    assert isinstance(graph, gs.Graph) and len(graph.nodes) == 4
    part = backend.extract_subgraph(graph, {"a": Meta(np.float32, (4,))}, {"c": Meta(np.float32, None)})
    assert isinstance(part, gs.Graph) and len(part.nodes) == 2 and len(graph.nodes) == 4


def test_without_graphsurgeon_the_error_says_how_to_get_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(__import__("sys").modules, "onnx_graphsurgeon", None)
    with pytest.raises(assay.NotFoundError, match="pip install onnx-graphsurgeon"):
        backend.gs_from_onnx(chain())


def test_tensorflow_is_refused() -> None:
    with pytest.raises(assay.Error, match="tf2onnx"):
        backend.OnnxFromTfGraph(None)()


@pytest.mark.parametrize("module", ["backend.onnx", "backend.trt", "backend.trt.config"])
def test_loader_classes_can_be_pickled(module: str) -> None:
    found = [each for each in vars(importlib.import_module(f"assay.{module}")).values() if isclass(each)]
    loaders = [each for each in found if issubclass(each, BaseLoader) and hasattr(each, "function")]
    assert loaders
    for each in loaders:
        assert pickle.loads(pickle.dumps(each)) is each


def test_loaders_can_be_sent_to_other_processes() -> None:
    loader = backend.ModifyOutputs(backend.OnnxFromBytes(chain().SerializeToString()), ["b"])
    assert names(pickle.loads(pickle.dumps(loader))().outputs) == ["b"]


def test_the_help_of_a_loader_is_that_of_its_function() -> None:
    assert (getdoc(backend.FoldConstants) or "").endswith(getdoc(backend.fold_constants) or "?")
