"""The loaders, for programs that import the module in which Polygraphy defines them."""

from assay.backend.onnx import *  # noqa: F403
