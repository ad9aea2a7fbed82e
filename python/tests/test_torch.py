"""Tests that tensors of PyTorch are taken wherever arrays of NumPy are. Skipped if PyTorch isn't installed."""

from __future__ import annotations

import numpy as np
import onnx
import pytest

from assay import InputError
from assay.backend.onnxrt import OnnxrtRunner, SessionFromOnnx
from assay.comparator import Comparator, DataLoader
from assay.datatype import DataType
from assay.util import array as arrays

torch = pytest.importorskip("torch")


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
