"""Tests that tensors of PyTorch are taken wherever arrays of NumPy are, and that models are compared with the PyTorch program
that they come from. Skipped if PyTorch isn't installed."""

from __future__ import annotations

import base64
import io
import json
from pathlib import Path
from typing import Any

import numpy as np
import onnx
import pytest

import assay
from assay import InputError
from assay.backend.base import BaseRunner
from assay.backend.onnx import fold_constants
from assay.backend.onnxrt import OnnxrtRunner, SessionFromOnnx
from assay.backend.reference import ReferenceRunner
from assay.common import TensorMetadata
from assay.comparator import Comparator, DataLoader, IterationResult, RunResults
from assay.comparator.data_loader import fit
from assay.datatype import DataType
from assay.json import from_json, load_json, save_json
from assay.pytorch import record_values
from assay.util import array as arrays

torch = pytest.importorskip("torch")

TRACE = "pkg.torch.onnx.stack_trace"


def runner(text: str) -> OnnxrtRunner:
    return OnnxrtRunner(SessionFromOnnx(onnx.parser.parse_model(f'<ir_version: 8, opset_import: ["" : 13]> {text}')))


def test_infer_takes_and_returns_tensors() -> None:
    with runner("g (float[2,3] x, float[2,3] y) => (float[2,3] z) {z = Sub(x, y)}") as sub:
        ones = np.ones((2, 3), np.float32)
        x = torch.arange(6, dtype=torch.float32).reshape(3, 2).T  # not contiguous
        z = sub.infer({"x": x, "y": ones})["z"]
        assert isinstance(z, torch.Tensor) and torch.equal(z, x - 1)
        assert torch.equal(sub.infer({"x": x.clone().requires_grad_(), "y": x})["z"], torch.zeros(2, 3))
        assert isinstance(sub.infer({"x": ones, "y": ones})["z"], np.ndarray)
        with pytest.raises(InputError, match="Expected float32, but got torch.float64"):
            sub.infer({"x": x.double(), "y": ones})
        with pytest.raises(InputError, match="incompatible shape"):
            sub.infer({"x": x.T, "y": ones})


def test_types_that_numpy_lacks() -> None:
    values = torch.tensor([1.0, -2.5])
    with runner("g (bfloat16[2] x) => (float[2] y, bfloat16[2] z) {y = Cast<to=1>(x) z = Identity(x)}") as cast:
        outputs = cast.infer({"x": values.bfloat16()})
    assert torch.equal(outputs["y"], values)
    assert outputs["z"].dtype == torch.bfloat16 and torch.equal(outputs["z"], values.bfloat16())
    for dtype in (torch.bfloat16, torch.float8_e4m3fn, torch.float8_e5m2, torch.bool, torch.int16):
        tensor = torch.tensor([[1, 0, 2], [1, 1, 0]]).T.to(dtype)
        array = arrays.to_numpy(tensor)
        assert DataType.from_dtype(array.dtype).torch() == dtype
        assert torch.equal(arrays.to_torch(array).float(), tensor.float())
    assert torch.equal(arrays.mean(values.bfloat16()), torch.tensor(-0.75, dtype=torch.bfloat16))


@pytest.mark.skipif(not hasattr(torch, "float4_e2m1fn_x2"), reason="PyTorch has no float4 before version 2.8")
def test_pairs_of_float4_are_two_elements() -> None:
    bits = torch.tensor([[0x10, 0x32], [0x54, 0xF6]], dtype=torch.uint8)  # the first of two is in the lower half
    expected = [[0, 0.5, 1, 1.5], [2, 3, 4, -6]]  # the table of the OCP's specification
    x = bits.view(torch.float4_e2m1fn_x2)
    assert (arrays.shape(x), arrays.size(x), arrays.dtype(x)) == ((2, 4), 8, "float4e2m1")
    assert TensorMetadata.from_feed_dict({"x": x}) == TensorMetadata().add("x", DataType.FLOAT4, (2, 4))
    assert arrays.to_numpy(x).astype(float).tolist() == expected
    assert torch.equal(arrays.to_torch(arrays.to_numpy(x.T)).view(torch.uint8), bits.T)
    graph = "g (float4e2m1[2,4] x) => (float4e2m1[2,4] y, float[2,4] z) {y = Identity(x) z = Cast<to=1>(x)}"
    model = onnx.parser.parse_model(f'<ir_version: 11, opset_import: ["" : 23]> {graph}')
    with ReferenceRunner(model) as reference:
        outputs = reference.infer({"x": x})
        assert torch.equal(outputs["y"].view(torch.uint8), bits) and outputs["z"].tolist() == expected
        with pytest.raises(InputError, match=r"Expected \(2, 4\), but got \(2, 8\)"):
            reference.infer({"x": bits.repeat(1, 2).view(x.dtype)})
    with pytest.raises(InputError, match=r"float4e2m1 of the shape \(3,\) can't be a tensor"):
        arrays.to_torch(arrays.to_numpy(x)[0, :3])


def test_outputs_that_no_tensor_can_hold_are_arrays() -> None:
    model = onnx.parser.parse_model(
        """<ir_version: 11, opset_import: ["" : 23]> g (float[3] x) => (float4e2m1[3] y, string[3] z) {
             y = Cast<to=23>(x) z = Cast<to=8>(x) }"""
    )
    with ReferenceRunner(model) as reference:
        outputs = reference.infer({"x": torch.ones(3)})
    assert isinstance(outputs["y"], np.ndarray) and outputs["y"].astype(float).tolist() == [1, 1, 1]
    assert outputs["z"].tolist() == ["1.0"] * 3


def test_tensors_are_saved_as_arrays(tmp_path: Path) -> None:
    save_json([{"x": torch.tensor([1.5, 2]), "b": torch.tensor([0.5]).bfloat16()}], tmp_path / "inputs.json")
    (loaded,) = load_json(tmp_path / "inputs.json")
    assert isinstance(loaded["x"], np.ndarray) and loaded["x"].tolist() == [1.5, 2]
    assert loaded["b"].dtype.name == "bfloat16" and loaded["b"].astype(float).tolist() == [0.5]
    results = RunResults([("a", [IterationResult({"y": torch.tensor([1.0, 2.0])})])])
    results.save(tmp_path / "outputs.json")
    again = RunResults.load(tmp_path / "outputs.json")
    assert again == results
    both = RunResults([("saved", again["a"]), ("live", results["a"])])
    assert Comparator.compare_accuracy(both)


def test_tensors_that_polygraphy_saved_are_read() -> None:
    content = io.BytesIO()
    torch.save(torch.tensor([[1, 2]]), content)
    text = json.dumps({"tensor": base64.b64encode(content.getvalue()).decode(), "polygraphy_class": "Tensor"})
    assert torch.equal(from_json(text), torch.tensor([[1, 2]]))


class Subclass(torch.Tensor):
    """What other packages derive from PyTorch's tensors, such as torchvision's images."""


def test_tensors_of_every_kind_become_arrays() -> None:
    values = torch.tensor([[1.0, -2.5]])
    expected = values.numpy()
    complex_values = torch.complex(values, -values)
    for tensor in (
        values.as_subclass(Subclass),
        values.clone().requires_grad_().as_subclass(Subclass),
        values.bfloat16().as_subclass(Subclass),
        torch.nn.Parameter(values),
        complex_values.conj().imag,  # its memory holds the negative values
    ):
        assert arrays.is_torch(tensor)
        np.testing.assert_array_equal(arrays.to_numpy(tensor).astype(np.float32), expected)
    np.testing.assert_array_equal(arrays.to_numpy(complex_values.conj()), np.conj(complex_values.numpy()))
    with runner("g (float[1,2] x) => (float[1,2] y) {y = Identity(x)}") as copy:
        for tensor in (values.as_subclass(Subclass), complex_values.conj().imag):
            found = copy.infer({"x": tensor})["y"]
            assert isinstance(found, torch.Tensor) and torch.equal(found, values)


def test_strings_stay_with_numpy() -> None:
    with runner("g (float[1] x) => (string[1] y) {y = Cast<to=8>(x)}") as cast:
        assert cast.infer({"x": torch.ones(1)})["y"].tolist() == ["1"]
    with pytest.raises(ValueError, match="PyTorch has no element type string"):
        DataType.STRING.torch()


def test_comparator_takes_and_generates_tensors() -> None:
    text = "g (float[2] x) => (float[2] y) {y = Abs(x)}"
    for data in ([{"x": torch.tensor([-1.0, 2.0])}], DataLoader(data_loader_backend_module="torch")):
        results = Comparator.run([runner(text), runner(text)], data_loader=data)
        assert bool(Comparator.compare_accuracy(results))


def test_the_generator_of_pytorch_fills_tensors() -> None:
    """The values are those of Polygraphy, except that it ignores ranges of floats."""
    metadata = TensorMetadata().add("f", np.float32, (2, 3)).add("h", np.float16, (4,)).add("i", np.int64, (5,)).add("b", bool, (8,))
    loader = DataLoader(
        seed=7, iterations=2, input_metadata=metadata, data_loader_backend_module="torch", val_range={"i": (-3, 3), "h": (2, 4)}
    )
    generator = torch.Generator().manual_seed(8)
    found = loader[1]
    assert list(found) == ["f", "h", "i", "b"]
    assert torch.equal(found["f"], torch.rand((2, 3), generator=generator))
    assert torch.equal(found["h"], torch.rand((4,), generator=generator, dtype=torch.float16) * 2 + 2)
    assert torch.equal(found["i"], torch.randint(-3, 4, (5,), generator=generator))
    assert torch.equal(found["b"], torch.randint(0, 2, (8,), generator=generator, dtype=torch.bool))
    shape = DataLoader(input_metadata=TensorMetadata().add("s", np.int64, (3, 4)), data_loader_backend_module="torch")
    shape.input_metadata = TensorMetadata().add("s", np.int64, (2,))
    assert shape[0]["s"].tolist() == [3, 4]


def test_tensors_are_fitted_to_the_inputs_like_arrays() -> None:
    text = "g (float[3,2] x, int64[2] y) => (float[3,2] z, int64[2] w) {z = Identity(x) w = Identity(y)}"
    x = torch.arange(6, dtype=torch.float64).reshape(2, 3)
    y = torch.tensor([1, 2])
    for given in ({"x": x, "y": y}, {"x": x, "y": y.numpy()}):
        for streaming in (False, True):
            results = Comparator.run([runner(text)], [given], streaming=streaming)
            (iteration,) = (next(iter(results)) if streaming else results)[0][1]
            assert iteration["z"].dtype == torch.float32 and torch.equal(iteration["z"], x.float().T)
            assert iteration["w"].tolist() == [1, 2]
    fitted = fit({"x": x.T.float(), "y": y, "unused": y}, TensorMetadata().add("x", "float32", (3, 2)).add("y", "int64", ("N",)))
    assert list(fitted) == ["x", "y"] and fitted["y"] is y  # a tensor that fits may be on a GPU


@pytest.mark.parametrize("dtype", [torch.float32, torch.bfloat16])
def test_results_may_be_tensors(dtype: torch.dtype) -> None:
    class InPyTorch(BaseRunner):
        def __init__(self, scale: float) -> None:
            super().__init__(name=str(scale))
            self._weight = torch.tensor([1.0, scale], dtype=dtype, requires_grad=True)
            self._buffer = torch.zeros(2, dtype=dtype)

        def get_input_metadata_impl(self) -> TensorMetadata:
            return TensorMetadata().add("x", np.float32, (2,))

        def infer_impl(self, feed_dict: dict[str, Any]) -> dict[str, Any]:
            computed = torch.from_numpy(feed_dict["x"]).to(dtype) * self._weight
            return {"computed": computed, "reused": self._buffer.copy_(computed.detach())}

    data = [{"x": np.float32([number, number])} for number in (1, 2)]
    for streaming in (False, True):
        for scale, expected in ((2.0, True), (4.0, False)):
            results = Comparator.run([InPyTorch(2.0), InPyTorch(scale)], data, streaming=streaming)
            assert bool(Comparator.compare_accuracy(Comparator.validate(results) if streaming else results)) == expected
    results = Comparator.run([InPyTorch(2.0)], data)
    assert Comparator.validate(results)
    assert [iteration["reused"].float().tolist() for iteration in results["2.0"]] == [[1, 2], [2, 4]]


class Block(torch.nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.conv = torch.nn.Conv2d(3, 8, 3, padding=1)
        self.norm = torch.nn.BatchNorm2d(8)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return torch.relu(self.norm(self.conv(x)))


class Net(torch.nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.block, self.head = Block(), torch.nn.Linear(8, 10)

    def forward(self, pair: tuple[torch.Tensor, torch.Tensor], scale: torch.Tensor) -> torch.Tensor:
        y = self.block(pair[0] - pair[1]).flatten(2).transpose(1, 2)
        return torch.softmax(self.head(torch.nn.functional.gelu(y * scale).mean(1)), -1)


@pytest.fixture(scope="module")
def exported(tmp_path_factory: pytest.TempPathFactory) -> tuple[str, Any, tuple[Any, ...]]:
    """Returns the file of a model, the program that it comes from, and its arguments."""
    pytest.importorskip("onnxscript")
    torch.manual_seed(0)
    args = ((torch.randn(2, 3, 8, 8), torch.zeros(2, 3, 8, 8)), torch.tensor(2.0))
    program = torch.onnx.export(Net().eval(), args, dynamo=True, verbose=False, output_names=["scores"])
    path = str(tmp_path_factory.mktemp("exported") / "net.onnx")
    program.save(path)
    return path, program, args


def test_values_of_an_exported_program_are_recorded(exported: tuple[str, Any, tuple[Any, ...]]) -> None:
    path, program, args = exported
    inputs, values = record_values(program, args)
    names = {value.name for value in assay.Model(path).graph.input}
    assert set(inputs) == names and len(values) > 5
    with torch.no_grad():
        np.testing.assert_allclose(values["scores"], program.exported_program.module()(*args).numpy())
    found = assay.locate(path, "onnxrt", inputs=inputs, golden=values, rtol=1e-3, atol=1e-4)
    assert found.agrees, found


def test_the_line_at_which_an_engine_diverges_from_pytorch_is_named(exported: tuple[str, Any, tuple[Any, ...]]) -> None:
    path, program, args = exported
    inputs, values = record_values(program, args)
    model = onnx.load(path)
    (gelu,) = (node for node in model.graph.node if node.op_type == "Gelu")
    (trace,) = (entry.value for entry in gelu.metadata_props if entry.key == TRACE)
    gelu.CopyFrom(onnx.helper.make_node("Gelu", gelu.input, gelu.output, gelu.name, approximate="tanh"))  # slightly other
    gelu.metadata_props.add(key=TRACE, value=trace)
    found = assay.locate(model, "onnxrt", inputs=inputs, golden=values, rtol=1e-6, atol=1e-6)
    assert found.first is not None and found.first.tensor == gelu.output[0]
    assert "test_torch.py:" in found.first.source and "torch.nn.functional.gelu(y * scale)" in found.first.source
    assert found.first.source in str(found)


def test_exported_programs_are_models(exported: tuple[str, Any, tuple[Any, ...]]) -> None:
    path, program, args = exported
    nodes = [node.op_type for node in assay.Model(path).nodes]
    for model in (program, program.model):
        assert [node.op_type for node in assay.Model(model).nodes] == nodes
        assert isinstance(fold_constants(model), onnx.ModelProto)
    inputs, values = record_values(program, args)
    with OnnxrtRunner(program) as direct, OnnxrtRunner(SessionFromOnnx(lambda: program)) as called:
        for one in (direct, called):
            np.testing.assert_allclose(one.infer(inputs)["scores"], values["scores"], rtol=1e-3, atol=1e-4)
    reduction = assay.reduce(program, lambda path: all(n.op_type != "Gelu" for n in assay.Model(path).nodes), progress=False)
    assert [node.op_type for node in reduction.model.nodes] == ["Gelu"]


def test_only_programs_of_the_newer_exporter_are_recorded(exported: tuple[str, Any, tuple[Any, ...]]) -> None:
    _, program, args = exported
    with pytest.raises(InputError, match="ONNXProgram"):
        record_values(None, args)
    with pytest.raises(InputError, match="other arguments"):
        record_values(program, args[:1])
