"""The functions, for programs that import the module in which Polygraphy defines them."""

from assay.util import *  # noqa: F403
