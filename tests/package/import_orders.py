"""Imports assay and other packages with their own protobuf and ONNX in several orders, and uses each after all imports.

Libraries that export the same symbols would call each other's code, which crashes or fails in one of the orders.
"""

import importlib.util
import subprocess
import sys

# Statements that import a package, and statements that use it. Packages that aren't installed are left out.
PACKAGES = {
    "assay": ("from assay import _assay", "assert _assay.engines()"),
    "onnx": (
        "import onnx, onnx.checker, onnx.parser, onnx.shape_inference",
        "m = onnx.parser.parse_model('<ir_version: 8, opset_import: [\"\" : 13]> g (float[2] x) => (float[2] y) {y = Add(x, x)}');"
        "onnx.checker.check_model(m); onnx.shape_inference.infer_shapes(m)",
    ),
    "onnxruntime": (
        "import onnxruntime",
        "try: onnxruntime.InferenceSession(b'no model')\nexcept Exception as error: assert 'INVALID' in type(error).__name__.upper() + str(error).upper()",
    ),
    "openvino": ("import openvino", "openvino.Core().available_devices"),
    "torch": ("import torch", "torch.ones(2).sum()"),
}


def main() -> None:
    names = [name for name in PACKAGES if importlib.util.find_spec(name)]
    orders = [names[start:] + names[:start] for start in range(len(names))]
    orders += [list(reversed(order)) for order in orders]
    for order in orders:
        program = "\n".join([PACKAGES[name][0] for name in order] + [PACKAGES[name][1] for name in names])
        result = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
        if result.returncode != 0:
            sys.exit(f"{' '.join(order)}: exit status {result.returncode}\n{result.stderr}")
    print(f"{len(orders)} orders of {', '.join(names)}")


if __name__ == "__main__":
    main()
