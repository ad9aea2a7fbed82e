"""Creates element_types.onnx: initializers of all element types, in every form that a TensorProto supports.

For each initializer, a metadata property of the same name holds what the onnx package reads from it: the bytes of the NumPy
array in hexadecimal, at least one byte for each element (types below 8 bits take one byte each). Strings are joined by '|'.

    pip install onnx==1.23.* ml_dtypes && python make_element_types.py
"""

import numpy
import onnx
from onnx import TensorProto, helper, numpy_helper

SHAPE = [3, 3]  # nine elements: odd for 4-bit types, not a multiple of four for 2-bit and 6-bit types
initializers = []
expected = {}


def add(tensor):
    array = numpy_helper.to_array(tensor)
    initializers.append(tensor)
    if tensor.data_type == TensorProto.STRING:
        expected[tensor.name] = "|".join(array.ravel().tolist())
    else:
        expected[tensor.name] = numpy.ascontiguousarray(array).tobytes().hex()


for name, number in sorted(TensorProto.DataType.items(), key=lambda item: item[1]):
    if name in ("UNDEFINED",):
        continue
    if name == "STRING":
        values = ["a", "", "äöü", "d e", "0", "x", "y", "z", "end"]
        add(helper.make_tensor("STRING.typed", number, SHAPE, values))
        continue
    dtype = helper.tensor_dtype_to_np_dtype(number)
    if name.startswith("COMPLEX"):
        values = (numpy.arange(9) - 4.5 + 1j * numpy.arange(9)).astype(dtype)
    elif name == "BOOL":
        values = numpy.array([1, 0, 0, 1, 1, 0, 1, 0, 1], dtype=bool)
    elif name in ("UINT2", "UINT4"):
        values = (numpy.arange(9) % (4 if name == "UINT2" else 16)).astype(dtype)
    elif name in ("INT2", "INT4"):
        values = (numpy.arange(9) % (4 if name == "INT2" else 9) - (2 if name == "INT2" else 8)).astype(dtype)
    elif name.startswith("UINT"):
        values = numpy.array([0, 1, 2, 127, 128, 200, 253, 254, 255], dtype=dtype)
        values[-1] = numpy.iinfo(dtype).max
    elif name.startswith("INT"):
        values = numpy.array([0, 1, 2, -1, -2, 100, -100, 0, 0], dtype=dtype)
        values[-2:] = numpy.iinfo(dtype).min, numpy.iinfo(dtype).max
    elif name == "FLOAT8E8M0":
        values = numpy.array([0.25, 0.5, 1, 2, 4, 8, 16, 32, 64], dtype=numpy.float32).astype(dtype)
    elif name == "FLOAT4E2M1":
        values = numpy.array([0, 0.5, 1, -1.5, 2, -3, 4, 6, -6], dtype=numpy.float32).astype(dtype)
    else:
        values = numpy.array([0, 0.5, 1, -1.5, 2, -3, 4, 7, -7], dtype=numpy.float32).astype(dtype)
    values = values.reshape(SHAPE)
    raw = numpy_helper.from_array(values, name + ".raw")
    assert raw.HasField("raw_data"), name
    add(raw)
    typed = helper.make_tensor(name + ".typed", number, SHAPE, values.ravel().tolist() if name.startswith("COMPLEX") else values.ravel())
    assert not typed.HasField("raw_data"), name
    add(typed)

add(helper.make_tensor("FLOAT.scalar", TensorProto.FLOAT, [], [2.5]))
add(helper.make_tensor("INT64.empty", TensorProto.INT64, [0], []))
for field, number, dtype in (("float", TensorProto.FLOAT, "f4"), ("double", TensorProto.DOUBLE, "f8")):
    add(helper.make_tensor(f"{field}.large", number, [600], numpy.linspace(-1, 1, 600, dtype=dtype)))
add(numpy_helper.from_array(numpy.arange(3000, dtype=numpy.float16).reshape(3, 1000), "FLOAT16.large"))

graph = helper.make_graph(
    [helper.make_node("Identity", ["x"], ["y"])],
    "element_types",
    [helper.make_tensor_value_info("x", TensorProto.FLOAT, [1])],
    [helper.make_tensor_value_info("y", TensorProto.FLOAT, [1])],
    initializers,
)
model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 24)], ir_version=12)
for name, value in expected.items():
    model.metadata_props.add(key=name, value=value)
onnx.save(model, "element_types.onnx")
print(len(initializers), "initializers,", model.ByteSize(), "bytes")
