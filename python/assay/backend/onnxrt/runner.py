"""The runner, for programs that import the module in which Polygraphy defines it."""

from assay.backend.onnxrt import OnnxrtRunner

__all__ = ["OnnxrtRunner"]
