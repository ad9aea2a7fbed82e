"""ONNX Runtime, after a converter has changed the model, for assay --python. CONVERTER names the converter: float16
(onnxconverter-common), onnxsim, or quantize_static (ONNX Runtime's own)."""
import os
import tempfile

import numpy as np
import onnx
import onnxruntime


def to_float16(model):
    from onnxconverter_common import float16
    return float16.convert_float_to_float16(model, keep_io_types=True)


def simplify(model):
    import onnxsim
    return onnxsim.simplify(model)[0]


def quantize(model):
    from onnxruntime.quantization import CalibrationDataReader, quantize_static

    class Ones(CalibrationDataReader):
        def __init__(self):
            weights = {weight.name for weight in model.graph.initializer}
            self.feeds = iter([{value.name: ones(value.type.tensor_type) for value in model.graph.input if value.name not in weights}])

        def get_next(self):
            return next(self.feeds, None)

    with tempfile.TemporaryDirectory() as folder:
        plain, quantized = os.path.join(folder, "plain.onnx"), os.path.join(folder, "quantized.onnx")
        onnx.save(model, plain)
        quantize_static(plain, quantized, Ones())
        return onnx.load(quantized)


def ones(tensor):
    sizes = [size.dim_value or 1 for size in tensor.shape.dim]
    return np.ones(sizes, onnx.helper.tensor_dtype_to_np_dtype(tensor.elem_type))


CONVERT = {"float16": to_float16, "onnxsim": simplify, "quantize_static": quantize}[os.environ["CONVERTER"]]


def load(path):
    options = onnxruntime.SessionOptions()
    options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_DISABLE_ALL
    return onnxruntime.InferenceSession(CONVERT(onnx.load(path)).SerializeToString(), options, providers=["CPUExecutionProvider"])


def infer(session, feeds, wanted):
    return dict(zip(wanted, session.run(wanted, feeds)))
