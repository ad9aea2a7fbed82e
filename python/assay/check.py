"""A Python function as the check of a reduction."""

from __future__ import annotations

import inspect
import os
import traceback
from typing import Any, Callable

from assay.backend.base.session import engines_since, loads_so_far
from assay.exception import InputError


# How a function ended that returned False or raised an exception. Both have the same text, since a script exits with
# status 1 in both cases: a function and a script then lead to the same decisions.
FAILED = "the function failed"


class Check:
    """Calls a function on a candidate, and turns what it returns or raises into a verdict.

    Calling the object returns (kind, text, output). The kind is "passes", "fails" or "unresolved". The text says how the
    function ended, and is empty if the candidate passes. Exceptions that end a program, such as SystemExit, are passed
    on, and an answer of another kind raises an InputError.
    """

    def __init__(self, function: Callable[[Any], object], artifact: str, as_proto: bool) -> None:
        _refuse_other_parameters(function)
        self._function, self._as_proto = function, as_proto
        self._called = os.path.basename(artifact)
        self._loads = loads_so_far()

    def __call__(self, path: str) -> tuple[str, str, str]:
        try:
            answer = self._function(_load(path) if self._as_proto else path)
        except Exception as error:
            return "fails", FAILED, self._describe(error, path)
        if answer is None:
            return "unresolved", "the function returned None", ""
        if isinstance(answer, bool) or type(answer).__name__ in ("bool", "bool_"):  # NumPy's, too
            return ("passes", "", "") if answer else ("fails", FAILED, "")
        raise InputError(f"a check returns True, False or None, but this one returned {answer!r}")

    def engines(self) -> list[tuple[str, str]]:
        """Returns the engines, with their versions, in which runners have loaded candidates."""
        return engines_since(self._loads)

    def _describe(self, error: Exception, path: str) -> str:
        """Returns the traceback without the frame of this class, and with one file name for all candidates."""
        inner = error.__traceback__.tb_next if error.__traceback__ is not None else None
        text = "".join(traceback.format_exception(type(error), error, inner))
        text = text.replace(os.path.basename(path), self._called)
        return text.encode("utf-8", "replace").decode()  # a message may hold lone surrogates


def _refuse_other_parameters(function: Callable[[Any], object]) -> None:
    """Raises an error if the function can't be called with a candidate: every candidate would seem to fail."""
    try:
        inspect.signature(function).bind("candidate.onnx")
    except ValueError:  # some functions written in C don't say what they take
        return
    except TypeError as error:
        raise InputError(f"the check is called with one argument, the candidate, but it can't be: {error}") from error


def _load(path: str) -> Any:
    import onnx

    return onnx.load(path)
