"""The loaders, for programs that import the module in which Polygraphy defines them."""

from assay.backend.onnxrt import SessionFromOnnx, session_from_onnx

__all__ = ["SessionFromOnnx", "session_from_onnx"]
