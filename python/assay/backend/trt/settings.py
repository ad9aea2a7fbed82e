"""TensorRT's settings in the form that its worker takes: options of the command line, each with its values.

``{"--fp16": [[]], "--plugins": [["a.so", "b.so"]]}``: an option has a list of values for each time that it is given. For
a flag, that list is empty.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from assay.backend.common import InvokeFromScript
from assay.datatype import DataType
from assay.exception import InputError, NotFoundError
from assay.tables import type_text

Settings = dict[str, list[list[str]]]

# Names of element types in TensorRT and ONNX, if they differ from those on the command line.
_TYPES = {
    "float": "float32",
    "half": "float16",
    "bf16": "bfloat16",
    "float8e4m3fn": "fp8",
    "float4e2m1": "fp4",
}


def merged(*parts: Settings) -> Settings:
    """Returns all settings. A setting in several of the parts keeps the values of each."""
    result: Settings = {}
    for part in parts:
        for name, occurrences in part.items():
            result.setdefault(name, []).extend(occurrences)
    return result


def encode(settings: Settings) -> dict[str, str]:
    """Returns the settings as options of the worker."""
    return {name: json.dumps(occurrences) for name, occurrences in settings.items()}


def check(settings: Settings) -> Settings:
    """Returns the settings.

    Raises:
        InputError: A value is impossible. This needs neither TensorRT nor a GPU.
    """
    from assay import _assay

    _assay.check_tensorrt_settings(encode(settings))
    return settings


def flags(given: Mapping[str, bool | None]) -> Settings:
    """Returns those of the flags that are on."""
    return {name: [[]] for name, on in given.items() if on}


def words(given: Mapping[str, Any]) -> Settings:
    """Returns the settings whose value isn't None; a value is a word or a sequence of words."""
    return {
        name: [[str(value)] if isinstance(value, (str, int, float)) else [str(word) for word in value]]
        for name, value in given.items()
        if value is not None
    }


def from_short_names(given: Mapping[str, Any]) -> dict[str, str]:
    """Returns options of the worker from settings as they are written after ``--trt`` on the command line.

    ``{"fp16": True, "trt-outputs": ["a", "b"], "device": 1}``. A value of False or None means that it isn't given.
    """
    from assay import _assay

    known = _assay.tensorrt_settings()
    options: dict[str, str] = {}
    for short, value in given.items():
        name = "--" + short.replace("_", "-")
        if value is None or value is False:
            continue
        if name not in known:
            options[short] = str(value)
        elif known[name]:
            options.update(encode(words({name: value})))
        elif value is True or value == "on":
            options.update(encode({name: [[]]}))
        else:
            raise InputError(f"'{value}' isn't a value of {short}. Give True, or leave it out")
    if any(name.endswith("-script") for name in options) and sys.executable:
        options.setdefault("interpreter", sys.executable)
    return options


def encode_shapes(shapes: Mapping[str, Sequence[int]]) -> dict[str, str]:
    """Returns the worker's option for the shapes of inputs that profiles don't mention. Dynamic dimensions become 1."""
    texts = {name: ",".join(str(size if size >= 0 else 1) for size in shape) for name, shape in shapes.items()}
    return encode(words({"input_shapes": [f"{name}:[{text}]" for name, text in texts.items()] or None}))


def enumerator(value: Any) -> str:
    """Returns the name of an enumerator: a string, or an object with such a name, such as those of ``tensorrt``."""
    name = value if isinstance(value, str) else getattr(value, "name", None)
    if isinstance(name, str):
        return name
    raise InputError(f"{value!r} can't be a name in TensorRT. Give the name as text, such as 'DETAILED'")


def enumerators(values: Iterable[Any] | None, what: str) -> list[str] | None:
    """Returns the names of several enumerators, or None. An empty list means: none of them."""
    if isinstance(values, str):
        raise InputError(f"{what} must be a list of names, but is {values!r}. Write [{values!r}]")
    if not isinstance(values, (Iterable, type(None))):
        raise InputError(f"{what} must be a list of names, but is {values!r}")
    return None if values is None else [enumerator(value) for value in values]


def element_type(value: Any) -> str:
    """Returns the command line's name of an element type of TensorRT, NumPy, PyTorch or ONNX."""
    name = value if isinstance(value, str) else getattr(value, "name", None)
    if not isinstance(name, str):
        try:
            name = DataType.from_dtype(value).name
        except (TypeError, ValueError):
            raise InputError(f"TensorRT has no element type {value!r}. Give its name, such as 'float16'") from None
    name = name.lower()
    return _TYPES.get(name, name)


def paths(given: Any, what: str) -> list[str]:
    """Returns absolute paths: the worker may run in another folder."""
    if isinstance(given, (str, os.PathLike)):
        raise InputError(f"{what} must be a list of files, but is {str(given)!r}. Write [{str(given)!r}]")
    return [absolute_path(each, what) for each in given]


def absolute_path(given: Any, what: str) -> str:
    """Returns an absolute path."""
    if isinstance(given, (str, os.PathLike)):
        return os.path.abspath(os.fspath(given))
    raise InputError(f"{what} must be the path of a file, which the worker opens itself, but is {type_text(given)}")


def script(func: Any, name: str, what: str) -> str:
    """Returns a Python function of a file as "FILE:FUNCTION".

    Args:
        func: "FILE", "FILE:FUNCTION", a path, or ``InvokeFromScript(FILE, FUNCTION)``.
        name: The function, if `func` doesn't name one.
        what: Describes the function in the error.
    """
    if isinstance(func, InvokeFromScript):
        file, name = os.fspath(func.path), func.name
    elif isinstance(func, (str, os.PathLike)):
        file = os.fspath(func)
        before, colon, after = file.rpartition(":")
        if colon and before and after and not os.path.exists(file):
            file, name = before, after
    else:
        raise InputError(
            f"{what} runs in TensorRT's worker process, which can't call {func!r}. Put the function into a Python file "
            f"that uses the package tensorrt, and give 'FILE.py:{name}'"
        )
    if not os.path.exists(file):
        raise NotFoundError(f"there is no Python file {file}. Check the path")
    return f"{os.path.abspath(file)}:{name}"
