"""The loaders, for programs that import the module in which Polygraphy defines them."""

from assay.backend.trt import *  # noqa: F403
from assay.backend.trt import __all__ as __all__
