"""Names for arguments."""

MARK_ALL = "mark-all"  # as the outputs of a model: all tensors of its graph
