"""The exceptions of Assay, one hierarchy. Their messages are those of the command line."""

from __future__ import annotations


class Error(Exception):
    """Something that a user, a file or an engine caused. The message says what happened and what to do next."""


class InputError(Error, ValueError):
    """An argument or a file doesn't hold what it should."""


class ArgumentError(InputError, TypeError):
    """An argument has another type than the function takes."""


class DataTypeConversionException(InputError):
    """A package has no element type that equals one of ONNX."""


class NotFoundError(Error, LookupError):
    """A file, a tensor, a node or an engine is missing."""


class ModelError(Error):
    """A model is malformed, or can't be changed as requested."""


class EngineError(Error):
    """An engine failed, crashed, hung or ran out of memory.

    Attributes:
        outcome: How it ended: "failed", "crashed", "timed out", "out of memory", "protocol error" or "stopped".
        phase: What it was doing: "start", "load", "build" or "run". An engine that was killed or crashed while it built the
            model is in the phase "load". Empty if the error comes from a longer piece of work, such as a reduction.
        log: What it wrote, or its own message; may be empty.
    """

    def __init__(self, message: str, outcome: str = "failed", phase: str = "", log: str = "") -> None:
        super().__init__(message)
        self.outcome = outcome
        self.phase = phase
        self.log = log


class PolygraphyInternalException(Exception):
    """Code that extends this package broke one of its rules."""


# The name that users of Polygraphy know.
PolygraphyException = Error
