"""Creates transformers of many small nodes: make_transformer.py FOLDER. Existing files are kept.

transformer_1000.onnx, _10000, _100000            blocks of attention, layer normalization and a feed-forward network in
                                                  primitive operators, 256 bytes per weight matrix, no inferred shapes
external_5g.onnx                                  the same blocks, 5 GB of external weights (a sparse file)
"""
import os
import sys

import numpy as np
from onnx import TensorProto, helper, numpy_helper

import make_models

BLOCK_NODES = 25
WIDTH = 8  # 8 x 8 floats are 256 bytes
EXTERNAL_BYTES, EXTERNAL_BLOCKS, EXTERNAL_WIDTH = 5_000_000_000, 50, 2048


class Transformer:
    def __init__(self, width, weight):
        self.width, self.weight = width, weight
        self.nodes, self.initializers = [], []
        for name, value in (("two", 2.0), ("epsilon", 1e-5), ("scale", float(width) ** 0.5)):
            self.initializers.append(numpy_helper.from_array(np.array(value, dtype=np.float32), name))

    def node(self, op_type, *inputs, **attributes):
        name = f"node{len(self.nodes)}"
        self.nodes.append(helper.make_node(op_type, list(inputs), [name + "_out"], name=name, **attributes))
        return name + "_out"

    def held(self, shape):
        name = f"weight{len(self.initializers)}"
        self.initializers.append(self.weight(name, shape))
        return name

    def linear(self, x):
        return self.node("MatMul", x, self.held([self.width, self.width]))

    def normalize(self, x):
        centered = self.node("Sub", x, self.node("ReduceMean", x, axes=[-1], keepdims=1))
        variance = self.node("ReduceMean", self.node("Pow", centered, "two"), axes=[-1], keepdims=1)
        deviation = self.node("Sqrt", self.node("Add", variance, "epsilon"))
        scaled = self.node("Mul", self.node("Div", centered, deviation), self.held([self.width]))
        return self.node("Add", scaled, self.held([self.width]))

    def block(self, x):
        query, key, value = self.linear(x), self.linear(x), self.linear(x)
        scores = self.node("MatMul", query, self.node("Transpose", key, perm=[0, 2, 1]))
        attention = self.node("Softmax", self.node("Div", scores, "scale"), axis=-1)
        mixed = self.linear(self.node("MatMul", attention, value))
        x = self.normalize(self.node("Add", x, mixed))
        hidden = self.node("Relu", self.node("Add", self.linear(x), self.held([self.width])))
        return self.node("Add", x, self.node("Add", self.linear(hidden), self.held([self.width])))

    def model(self, blocks):
        x = "x"
        for _ in range(blocks):
            x = self.block(x)
        values = [helper.make_tensor_value_info(name, TensorProto.FLOAT, [1, 4, self.width]) for name in ("x", x)]
        graph = helper.make_graph(self.nodes, "transformer", values[:1], values[1:], self.initializers)
        return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)


def make_small(folder, nodes):
    random = np.random.default_rng(0)
    inline = lambda name, shape: numpy_helper.from_array(random.standard_normal(shape, dtype=np.float32) / 3, name)
    model = Transformer(WIDTH, inline).model(nodes // BLOCK_NODES)
    assert len(model.graph.node) == nodes, len(model.graph.node)
    make_models.save(model, os.path.join(folder, f"transformer_{nodes}.onnx"))


def make_external(folder):
    offset = 0

    def external(name, shape):
        nonlocal offset
        tensor, offset = make_models.external_tensor(name, shape, "external_5g.data", offset)
        return tensor

    model = Transformer(EXTERNAL_WIDTH, external).model(EXTERNAL_BLOCKS)
    assert offset >= EXTERNAL_BYTES, offset
    with open(os.path.join(folder, "external_5g.data"), "wb") as data:
        data.truncate(offset)
    make_models.save(model, os.path.join(folder, "external_5g.onnx"))


def main(folder, names=None):
    os.makedirs(folder, exist_ok=True)
    makers = {"transformer_1000": lambda to: make_small(to, 1000),
              "transformer_10000": lambda to: make_small(to, 10_000),
              "transformer_100000": lambda to: make_small(to, 100_000), "external_5g": make_external}
    for name, make in makers.items():
        if name in (names or makers) and not os.path.exists(os.path.join(folder, name + ".onnx")):
            make(folder)


if __name__ == "__main__":
    main(*sys.argv[1:])
