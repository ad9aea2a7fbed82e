"""The onnx package's reference evaluator on a model whose floats are all float64.

Its outputs, rounded back to the model's own types, show how much of a difference the model's precision explains.
Integers, and so everything that is quantized, keep their types."""
import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

from . import element_types, reference_model

VERSION = onnx.__version__
CHECK_OUTPUTS = False

NARROW = {TensorProto.FLOAT, TensorProto.FLOAT16, TensorProto.BFLOAT16}
# Attributes that name an element type.
TYPE_ATTRIBUTES = {"to", "dtype", "stash_type", "output_dtype"}


def _widen_tensor(tensor):
    if tensor.data_type in NARROW:
        array = numpy_helper.to_array(tensor).astype(np.float64)
        tensor.CopyFrom(numpy_helper.from_array(array, tensor.name))


def _widen_type(type_proto):
    kind = type_proto.WhichOneof("value")
    if kind == "tensor_type" and type_proto.tensor_type.elem_type in NARROW:
        type_proto.tensor_type.elem_type = TensorProto.DOUBLE
    elif kind in ("sequence_type", "optional_type"):
        _widen_type(getattr(type_proto, kind).elem_type)


def _widen_node(node):
    for attribute in node.attribute:
        if attribute.name in TYPE_ATTRIBUTES and attribute.i in NARROW and attribute.name != "stash_type":
            attribute.i = TensorProto.DOUBLE
        if attribute.HasField("t"):
            _widen_tensor(attribute.t)
        if attribute.HasField("g"):
            _widen_graph(attribute.g)
        for graph in attribute.graphs:
            _widen_graph(graph)
    if node.op_type == "Constant" and node.attribute and node.attribute[0].name in ("value_float", "value_floats"):
        value = helper.get_attribute_value(node.attribute[0])
        node.attribute[0].CopyFrom(helper.make_attribute("value", numpy_helper.from_array(np.array(value, np.float64))))
    if node.op_type == "ConstantOfShape" and not node.attribute:
        node.attribute.append(helper.make_attribute("value", numpy_helper.from_array(np.zeros(1, np.float64))))


def _widen_graph(graph):
    for tensor in graph.initializer:
        _widen_tensor(tensor)
    for values in (graph.input, graph.output, graph.value_info):
        for value in values:
            _widen_type(value.type)
    for node in graph.node:
        _widen_node(node)


def _open(model):
    narrow = {value.name: value.type.tensor_type.elem_type for value in model.graph.output
              if value.type.tensor_type.elem_type in NARROW}
    _widen_graph(model.graph)
    for function in model.functions:
        for node in function.node:
            _widen_node(node)
    return reference_model.evaluator(model), narrow


def load(path):
    return _open(reference_model.from_file(path))


def load_bytes(data, folder):
    return _open(reference_model.from_bytes(data, folder))


def _is_float(array):
    return array.dtype.kind == "f" or array.dtype.name == "bfloat16"


def infer(model, feeds, wanted):
    evaluator, narrow = model
    wide = {name: array.astype(np.float64) if _is_float(array) else array for name, array in feeds.items()}
    with np.errstate(over="ignore", invalid="ignore"):
        results = evaluator.run(wanted, wide)
        return {name: np.asarray(value).astype(element_types.dtype_of(narrow[name])) if name in narrow else value
                for name, value in zip(wanted, results)}
