"""Creates the models for the benchmarks: make_models.py FOLDER LIGHT_MODELS. Existing files are kept.

external_2g5.onnx   2.5 GB of external weights (a sparse file), 24 x (MatMul, Add, Relu)
inline_1g.onnx      1 GB of inline weights; half of them reach their MatMul through a Transpose, which folding can remove
chain_20g.onnx      320 elementwise operations on tensors of 64 MiB, 20 GiB together; no weights
densenet_nan.onnx   light_densenet121 of LIGHT_MODELS with one weight set to NaN, so everything after that convolution is wrong
"""
import os
import sys

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper


NAN_WEIGHT = "conv4_12/x2_w_0"


def save(model, path):
    onnx.save(model, path + ".part")
    os.rename(path + ".part", path)


def external_tensor(name, shape, location, offset):
    tensor = TensorProto(name=name, data_type=TensorProto.FLOAT, dims=shape, data_location=TensorProto.EXTERNAL)
    length = 4 * int(np.prod(shape))
    for key, value in (("location", location), ("offset", offset), ("length", length)):
        tensor.external_data.add(key=key, value=str(value))
    return tensor, offset + (length + 4095) // 4096 * 4096


def model_of(nodes, initializers, size, output):
    graph = helper.make_graph(
        nodes, "bench",
        [helper.make_tensor_value_info("x", TensorProto.FLOAT, [1, size])],
        [helper.make_tensor_value_info(output, TensorProto.FLOAT, [1, size])], initializers)
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)


def make_external(folder):
    size, layers, offset, x = 5104, 24, 0, "x"
    nodes, initializers = [], []
    for i in range(layers):
        for name, shape in ((f"w{i}", [size, size]), (f"b{i}", [size])):
            tensor, offset = external_tensor(name, shape, "external_2g5.data", offset)
            initializers.append(tensor)
        nodes += [helper.make_node("MatMul", [x, f"w{i}"], [f"m{i}"], name=f"matmul{i}"),
                  helper.make_node("Add", [f"m{i}", f"b{i}"], [f"a{i}"], name=f"add{i}"),
                  helper.make_node("Relu", [f"a{i}"], [f"r{i}"], name=f"relu{i}")]
        x = f"r{i}"
    with open(os.path.join(folder, "external_2g5.data"), "wb") as data:
        data.truncate(offset)
    save(model_of(nodes, initializers, size, x), os.path.join(folder, "external_2g5.onnx"))


def make_inline(folder):
    size, layers, x = 4096, 16, "x"
    random = np.random.default_rng(0)
    nodes, initializers = [], []
    for i in range(layers):
        weight = random.standard_normal((size, size), dtype=np.float32) / 64
        initializers.append(numpy_helper.from_array(weight, f"w{i}"))
        used = f"w{i}"
        if i % 2 == 0:
            nodes.append(helper.make_node("Transpose", [used], [f"t{i}"], name=f"transpose{i}", perm=[1, 0]))
            used = f"t{i}"
        nodes += [helper.make_node("MatMul", [x, used], [f"m{i}"], name=f"matmul{i}"),
                  helper.make_node("Relu", [f"m{i}"], [f"r{i}"], name=f"relu{i}")]
        x = f"r{i}"
    save(model_of(nodes, initializers, size, x), os.path.join(folder, "inline_1g.onnx"))


def make_chain(folder):
    elements, layers = 1 << 24, 320
    nodes = [helper.make_node("Expand", ["x", "shape"], ["t0"])]
    for i in range(1, layers):
        nodes.append(helper.make_node("Floor" if i % 4 == 1 else "Neg", [f"t{i - 1}"], [f"t{i}"]))
    nodes.append(helper.make_node("ReduceMax", [f"t{layers - 1}"], ["y"], keepdims=0))
    graph = helper.make_graph(nodes, "bench", [helper.make_tensor_value_info("x", TensorProto.FLOAT, [1])],
                              [helper.make_tensor_value_info("y", TensorProto.FLOAT, [])],
                              [numpy_helper.from_array(np.array([elements], np.int64), "shape")])
    save(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8),
         os.path.join(folder, "chain_20g.onnx"))


def make_densenet_nan(folder, light_models):
    model = onnx.load(os.path.join(light_models, "light_densenet121.onnx"))
    for node in model.graph.node:
        if node.output[0] == NAN_WEIGHT:
            value = next(attribute for attribute in node.attribute if attribute.name == "value")
            value.t.CopyFrom(numpy_helper.from_array(np.array([np.nan], dtype=np.float32)))
    save(model, os.path.join(folder, "densenet_nan.onnx"))


def main(folder, light_models):
    os.makedirs(folder, exist_ok=True)
    makers = {"external_2g5": make_external, "inline_1g": make_inline, "chain_20g": make_chain,
              "densenet_nan": lambda target: make_densenet_nan(target, light_models)}
    for name, make in makers.items():
        if not os.path.exists(os.path.join(folder, name + ".onnx")):
            make(folder)


if __name__ == "__main__":
    main(*sys.argv[1:])
