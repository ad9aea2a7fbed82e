"""Names for arguments, and defaults."""

DEFAULT_SEED = 1  # of generated inputs
DEFAULT_SHAPE_VALUE = 1  # the size of dimensions that a model leaves open
MARK_ALL = "mark-all"  # as the outputs of a model: all tensors of its graph
