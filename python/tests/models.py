"""Small models for the tests, written as text, and the repository's real ones."""

from pathlib import Path

import numpy as np
import onnx
import onnx.parser

REAL = Path(__file__).parents[2] / "tests" / "models"


def parse(graph: str, header: str = 'ir_version: 10, opset_import: ["" : 20]') -> onnx.ModelProto:
    """Returns the model of a graph in ONNX's text format."""
    return onnx.parser.parse_model(f"<{header}> {graph}")


def chain() -> onnx.ModelProto:
    return parse(
        """g (float[4] x) => (float[4] y) <float[4] w = {1, 2, 3, 4}> {
             a = Add(x, w)  b = Relu(a)  c = Neg(b)  y = Abs(c) }"""
    )


def with_weights(count: int = 4096) -> onnx.ModelProto:
    """Returns a model with a weight of `count` floats, which is large enough to be left on disk."""
    model = parse(f"g (float[{count}] x) => (float[{count}] y) {{ y = Add(x, w) }}")
    weight = onnx.numpy_helper.from_array(np.arange(count, dtype=np.float32), "w")
    model.graph.initializer.append(weight)
    return model
