"""The onnx package's reference evaluator (--reference), written like a user's module."""
import sys

try:
    import onnx
    import onnx.reference
except ImportError as error:
    raise SystemExit(f"the reference evaluator needs the package onnx, which {sys.executable} lacks ({error}): "
                     f"{sys.executable} -m pip install onnx, or name another interpreter with --python-interpreter") from None

from . import reference_model

VERSION = onnx.__version__
CHECK_OUTPUTS = False  # its outputs count as they are, even if the model's file declares other types or shapes


def load(path):
    return reference_model.evaluator(reference_model.from_file(path))


def load_bytes(data, folder):
    return reference_model.evaluator(reference_model.from_bytes(data, folder))


def infer(model, feeds, wanted):
    return dict(zip(wanted, model.run(wanted, feeds)))
