"""Writes test_data_set_0, a data set of ONNX, and the file sequence.pb with ONNX's own code. Needs a Python with onnx."""

import pathlib

import numpy as np
import onnx

folder = pathlib.Path(__file__).parent
data_set = folder / "test_data_set_0"
data_set.mkdir(exist_ok=True)

half = onnx.helper.make_tensor("y", onnx.TensorProto.FLOAT16, [3], [0.5, -2.0, 65504.0])  # in int32_data
tensors = {
    "input_0.pb": onnx.numpy_helper.from_array(np.array([[1, 2, 3], [4, 5, 6.5]], np.float32), "x"),
    "input_1.pb": onnx.helper.make_tensor("", onnx.TensorProto.INT64, [2], [7, -8]),
    "input_2.pb": onnx.numpy_helper.from_array(np.array(["a", "d\u00e9"], object), "text"),
    "input_10.pb": onnx.numpy_helper.from_array(np.array(True), "flag"),
    "output_0.pb": half,
}
for name, tensor in tensors.items():
    onnx.save_tensor(tensor, data_set / name)

sequence = onnx.numpy_helper.from_list([np.array([1.0], np.float32)], "list")
(folder / "sequence.pb").write_bytes(sequence.SerializeToString())
