"""Models that the tests share, built with the package onnx."""

from __future__ import annotations

import numpy as np
import onnx
import pytest
from onnx import TensorProto, helper


def make_model(nodes: list, inputs: list, outputs: list, initializers: list | None = None) -> onnx.ModelProto:
    graph = helper.make_graph(nodes, "graph", inputs, outputs, initializers or [])
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 21)], ir_version=10)


@pytest.fixture(scope="session")
def identity() -> onnx.ModelProto:
    value = [helper.make_tensor_value_info(name, TensorProto.FLOAT, [1, 1, 2, 2]) for name in ("x", "y")]
    return make_model([helper.make_node("Identity", ["x"], ["y"])], value[:1], value[1:])


@pytest.fixture(scope="session")
def scale() -> onnx.ModelProto:
    """y = 2 * x + 1 for a matrix with dynamic dimensions."""
    value = [helper.make_tensor_value_info(name, TensorProto.FLOAT, ["rows", None]) for name in ("x", "y")]
    constants = [onnx.numpy_helper.from_array(np.float32(number), name) for name, number in (("two", 2), ("one", 1))]
    nodes = [helper.make_node("Mul", ["x", "two"], ["twice"]), helper.make_node("Add", ["twice", "one"], ["y"])]
    return make_model(nodes, value[:1], value[1:], constants)


@pytest.fixture
def ones() -> np.ndarray:
    return np.ones((1, 1, 2, 2), np.float32)
