"""Reports: a result as one HTML file, like those of the command's --report."""

from __future__ import annotations

import inspect
import os
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from assay.arguments import check_arguments
from assay.exception import InputError
from assay.model import Model, PathLike
from assay.tables import type_text

if TYPE_CHECKING:
    from assay._assay import NativeReport
else:
    NativeReport = Any  # importing the extension takes long

_MOST = 6  # elements of a list, and entries of a dictionary, in the text of a call


class WithReport:
    """A result that can be saved as a report."""

    _report: Report | None

    def save_report(self, path: PathLike) -> None:
        """Writes the result as an HTML page: the verdict, the graph, the errors, tables and the environment.

        The page is one file, which needs neither a network nor other files. It is the page that the command writes with
        ``--report``, with this call in place of the command line.

        Args:
            path: The file, which is replaced if it exists.

        Raises:
            Error: The file can't be written.
            InputError: The result comes from another process.
        """
        if self._report is None:
            raise InputError("the result comes from another process, which has what its report shows. Save it there")
        self._report.save(path)


class Report:
    """The data that the report of a result needs besides the result.

    Args:
        native: What makes the page.
        subject: What the result is about: the name of the model.
        call: The call that led to the result, as text; empty if it is unknown.
        versions: Names and versions to show, of engines that aren't known to what makes the page.
    """

    def __init__(
        self, native: NativeReport, subject: str, call: str, versions: Sequence[tuple[str, str]] = ()
    ) -> None:
        self._native, self._call, self._versions = native, call, list(versions)
        self._title = f"{call.partition('(')[0]}: {subject}" if call else subject

    def save(self, path: PathLike) -> None:
        """Writes the page."""
        self._native.save(os.fspath(path), self._title, self._call, self._versions)

    def __copy__(self) -> Report:
        return self

    def __deepcopy__(self, memo: dict[int, Any]) -> Report:
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        return type(None), ()  # values and models that only this process has


def subject_of(model: Model) -> str:
    """Returns a name of a model for a title."""
    return os.path.basename(model.path or "") or model.name or "a model in memory"


def call_text(function: Callable[..., Any], values: Mapping[str, Any]) -> str:
    """Returns the text of a call: ``assay.locate('model.onnx', 'onnxrt', fp16=True)``.

    Args:
        function: A function of the package.
        values: Its parameters by name, such as locals(). Those that have their defaults are left out.
    """
    words: list[str] = []
    for name, parameter in inspect.signature(function).parameters.items():
        value = values[name]
        if parameter.kind is inspect.Parameter.VAR_POSITIONAL:
            words += map(_shown, value)
        elif value is not parameter.default and _shown(value) != _shown(parameter.default):
            prefix = f"{name}=" if parameter.kind is inspect.Parameter.KEYWORD_ONLY else ""
            words.append(prefix + _shown(value))
    return f"assay.{function.__name__}({', '.join(words)})"


def _shown(value: Any) -> str:
    """Returns a value as source text, or a description of one that would be long."""
    if type(value) is Model:
        return _shown(value.path) if value.path is not None else f"<model {value.name!r}>"
    if isinstance(value, os.PathLike):
        return repr(os.fspath(value))
    if isinstance(value, (str, bytes, int, float)) or value is None:
        text = repr(value)
        return text if len(text) < 1000 else f"<{type_text(value)}>"
    if isinstance(value, Mapping):
        inside = [f"{_shown(key)}: {_shown(value[key])}" for key in list(value)[:_MOST]]
        return "{" + ", ".join(inside + ["..."] * (len(value) > _MOST)) + "}"
    if isinstance(value, (list, tuple)):
        text = ", ".join([_shown(each) for each in value[:_MOST]] + ["..."] * (len(value) > _MOST))
        return f"[{text}]" if isinstance(value, list) else f"({text}{',' * (len(value) == 1)})"
    if hasattr(value, "dtype") and hasattr(value, "shape"):
        return f"<array {value.dtype} {tuple(value.shape)}>"
    return getattr(value, "__name__", "") or f"<{type_text(value)}>"


check_arguments(__name__)
