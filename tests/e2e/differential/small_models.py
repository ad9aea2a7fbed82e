"""Small models for the commands of the table, each as a function that returns an onnx.ModelProto."""
import numpy as np
from onnx import TensorProto, helper, numpy_helper

FLOAT = TensorProto.FLOAT


def port(name, shape, kind=FLOAT):
    return helper.make_tensor_value_info(name, kind, shape)


def model(nodes, inputs, outputs, weights=(), opset=13, name="small"):
    tensors = [numpy_helper.from_array(array, key) for key, array in dict(weights).items()]
    graph = helper.make_graph(nodes, name, inputs, outputs, tensors)
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", opset)], ir_version=8)


def copy():
    node = helper.make_node("Identity", ["x"], ["y"], name="copy")
    return model([node], [port("x", [1, 1, 2, 2])], [port("y", [1, 1, 2, 2])])


def dynamic():
    node = helper.make_node("Relu", ["x"], ["y"], name="relu")
    shape = [1, 2, "height", "width"]
    return model([node], [port("x", shape)], [port("y", shape)])


def branches():
    """Two inputs meet in a Mul, which a failing check looks for."""
    shape = [1, 2, 4, 4]
    weights = {key: np.arange(32, dtype=np.float32).reshape(shape) / scale for key, scale in (("a", 7), ("b", 9))}
    nodes = [
        helper.make_node("Mul", ["a", "x1"], ["product"], name="mul"),
        helper.make_node("Add", ["product", "b"], ["sum"], name="add"),
        helper.make_node("Sigmoid", ["x0"], ["bent"], name="sigmoid"),
        helper.make_node("Add", ["bent", "sum"], ["y"], name="join"),
    ]
    return model(nodes, [port("x0", shape), port("x1", shape)], [port("y", shape)], weights)


def constants():
    weights = {key: np.full((1, 3), value, np.float32) for key, value in (("a", 1), ("b", 2), ("d", 4))}
    nodes = [
        helper.make_node("Add", ["a", "b"], ["c"]),
        helper.make_node("Add", ["c", "d"], ["e"]),
        helper.make_node("Mul", ["x", "e"], ["y"]),
    ]
    return model(nodes, [port("x", [1, 3])], [port("y", [1, 3])], weights)


def unbounded():
    """The length of Range depends on values."""
    weights = {"zero": np.array(0, np.int64), "one": np.array(1, np.int64)}
    nodes = [
        helper.make_node("ReduceMax", ["x"], ["most"], name="most", keepdims=0),
        helper.make_node("Cast", ["most"], ["limit"], name="limit", to=TensorProto.INT64),
        helper.make_node("Range", ["zero", "limit", "one"], ["numbers"], name="range"),
        helper.make_node("Cast", ["numbers"], ["y"], name="back", to=FLOAT),
    ]
    return model(nodes, [port("x", [2, 3])], [port("y", ["n"])], weights)


def infinity():
    node = helper.make_node("Add", ["x", "inf"], ["y"], name="add")
    return model([node], [port("x", [1])], [port("y", [1])], {"inf": np.array([np.inf], np.float32)})


def large_sums():
    weights = {"turn": np.eye(8, dtype=np.float32)[::-1].copy(), "most": np.array([65504], np.float32)}
    nodes = [
        helper.make_node("MatMul", ["x", "turn"], ["turned"], name="turn"),
        helper.make_node("Add", ["turned", "most"], ["large"], name="add"),
        helper.make_node("Sub", ["large", "most"], ["small"], name="sub"),
        helper.make_node("MatMul", ["small", "turn"], ["y"], name="turn_back"),
    ]
    return model(nodes, [port("x", [1, 1, 8, 8])], [port("y", [1, 1, 8, 8])], weights)


def conflicts():
    """Two nodes whose operands don't fit, one node that nothing uses, and a graph without a name."""
    nodes = [
        helper.make_node("MatMul", ["e", "f"], ["fits"], name="fits"),
        helper.make_node("Add", ["c", "d"], ["clash"], name="clash"),
        helper.make_node("MatMul", ["clash", "fits"], ["y"], name="join"),
        helper.make_node("MatMul", ["a", "b"], ["unused"], name="unused"),
    ]
    shapes = {"e": [1, 4], "f": [4, 1], "c": [3, 4], "d": [4, 1], "a": [1, 3], "b": [4, 4]}
    made = model(nodes, [port(key, shape) for key, shape in shapes.items()], [port("y", [])])
    made.graph.name = ""
    return made


def attention():
    nodes = [
        helper.make_node("MatMul", ["q", "k"], ["scores"], name="scores"),
        helper.make_node("Softmax", ["scores"], ["shares"], name="shares"),
        helper.make_node("MatMul", ["shares", "v"], ["y"], name="mixed"),
    ]
    return model(nodes, [port(key, [4, 4]) for key in "qkv"], [port("y", [4, 4])])


def edge_llm():
    """A layer of a language model as TensorRT Edge-LLM exports it: attention of four heads, and a gated MLP."""
    shapes = {"wq": [8, 16], "wk": [8, 8], "wv": [8, 8], "wo": [16, 8], "gate": [8, 12], "up": [8, 12], "down": [12, 8]}
    weights = {name: np.arange(np.prod(shape), dtype=np.float32).reshape(shape) for name, shape in shapes.items()}
    nodes = [
        helper.make_node("MatMul", ["x", "wq"], ["q"], name="q"),
        helper.make_node("MatMul", ["x", "wk"], ["k"], name="k"),
        helper.make_node("MatMul", ["x", "wv"], ["v"], name="v"),
        helper.make_node("Concat", ["q", "k", "v"], ["qkv"], name="qkv", axis=-1),
        helper.make_node("AttentionPlugin", ["qkv", "past", "length", "cosine", "sine", "position"],
                         ["context", "present"], name="attention", domain="test", num_q_heads=4, num_kv_heads=2),
        helper.make_node("MatMul", ["context", "wo"], ["attended"], name="o"),
        helper.make_node("Add", ["x", "attended"], ["h"], name="residual"),
        helper.make_node("MatMul", ["h", "gate"], ["gated"], name="gate"),
        helper.make_node("Sigmoid", ["gated"], ["share"], name="sigmoid"),
        helper.make_node("Mul", ["gated", "share"], ["silu"], name="silu"),
        helper.make_node("MatMul", ["h", "up"], ["widened"], name="up"),
        helper.make_node("Mul", ["silu", "widened"], ["product"], name="product"),
        helper.make_node("MatMul", ["product", "down"], ["added"], name="down"),
        helper.make_node("Add", ["h", "added"], ["y"], name="last"),
    ]
    inputs = {"x": [1, 3, 8], "past": [1, 2, 2, 5, 4], "length": [1], "cosine": [8, 4], "sine": [8, 4], "position": [3]}
    made = model(nodes, [port(key, shape) for key, shape in inputs.items()],
                 [port("y", [1, 3, 8]), port("present", [1, 2, 2, 8, 4])], weights)
    made.opset_import.append(helper.make_opsetid("test", 1))
    return made


def foreign():
    """Operators of an unknown domain, for a plug-in that replaces the diamond of A, B, C and D."""
    def node(kind, inputs, outputs, **attributes):
        return helper.make_node(kind, inputs, outputs, name="node_" + outputs[0], domain="test", **attributes)

    nodes = [
        node("Start", ["x"], ["s"]),
        node("A", ["s"], ["a"]),
        node("B", ["s"], ["b"]),
        node("C", ["a", "b"], ["c"], x=1.0),
        node("D", ["c"], ["y"]),
    ]
    made = model(nodes, [port("x", [1])], [port("y", [1])])
    made.opset_import.append(helper.make_opsetid("test", 1))
    return made


MODELS = {
    "copy.onnx": copy,
    "dynamic.onnx": dynamic,
    "branches.onnx": branches,
    "constants.onnx": constants,
    "unbounded.onnx": unbounded,
    "infinity.onnx": infinity,
    "large_sums.onnx": large_sums,
    "conflicts.onnx": conflicts,
    "attention.onnx": attention,
    "edge_llm.onnx": edge_llm,
    "foreign.onnx": foreign,
}
