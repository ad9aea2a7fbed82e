"""Imports assay and other packages with their own protobuf and ONNX in several orders, and uses each after all imports.

Libraries that export the same symbols would call each other's code, which crashes or fails in one of the orders.
"""

import importlib.util
import subprocess
import sys

# All packages compute with this model.
SETUP = """
import numpy
text = '<ir_version: 8, opset_import: ["" : 13]> g (float[2] x) => (float[2] y) {y = Add(x, x)}'
x = numpy.array([1, 2], numpy.float32)
def expect(y): assert list(map(float, y)) == [2, 4], y
m = onnx.parser.parse_model(text)
"""

# Statements that import a package, and statements that use it. Packages that aren't installed are left out.
PACKAGES = {
    "onnx": (
        "import onnx, onnx.checker, onnx.parser, onnx.reference, onnx.shape_inference",
        "onnx.checker.check_model(m); onnx.shape_inference.infer_shapes(m)\n"
        "expect(onnx.reference.ReferenceEvaluator(m).run(None, {'x': x})[0])",
    ),
    "assay": (
        "import assay; from assay import _assay",
        "from assay.backend.onnx import fold_constants, infer_shapes\n"
        "from assay.backend.onnxrt import OnnxrtRunner, SessionFromOnnx\n"
        "infer_shapes(fold_constants(m))\n"
        "with OnnxrtRunner(SessionFromOnnx(m)) as runner: expect(runner.infer({'x': x})['y'])\n"
        "assert assay.reduce(m, lambda path: False).nodes_after == 1",
    ),
    "onnxruntime": (
        "import onnxruntime",
        "expect(onnxruntime.InferenceSession(m.SerializeToString()).run(None, {'x': x})[0])",
    ),
    "openvino": ("import openvino", "openvino.Core().available_devices"),
    "torch": (
        "import torch",
        "t = torch.from_numpy(x).requires_grad_(); (t * t).sum().backward(); expect(t.grad)\n"
        "with OnnxrtRunner(SessionFromOnnx(m)) as runner: expect(runner.infer({'x': torch.from_numpy(x)})['y'])",
    ),
}


def main() -> None:
    names = [name for name in PACKAGES if importlib.util.find_spec(name)]
    orders = [names[start:] + names[:start] for start in range(len(names))]
    orders += [list(reversed(order)) for order in orders]
    for order in orders:
        program = "\n".join([PACKAGES[name][0] for name in order] + [SETUP] + [PACKAGES[name][1] for name in names])
        result = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
        if result.returncode != 0:
            sys.exit(f"{' '.join(order)}: exit status {result.returncode}\n{result.stderr}")
    print(f"{len(orders)} orders of {', '.join(names)}")


if __name__ == "__main__":
    main()
