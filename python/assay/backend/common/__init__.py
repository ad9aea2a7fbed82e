"""Loaders that don't belong to one engine."""

from __future__ import annotations

from typing import Any

from assay import util
from assay.arguments import check_arguments
from assay.backend.base import BaseLoader
from assay.mod import import_from_script


class BytesFromPath(BaseLoader):
    """Loads the bytes of a file when it is called."""

    def __init__(self, path: util.PathLike) -> None:
        self._path = path

    def call_impl(self) -> bytes:
        contents: bytes = util.load_file(self._path)
        return contents


class SaveBytes(BaseLoader):
    """Saves bytes, or what a loader of bytes returns, to a file, and returns them."""

    def __init__(self, obj: Any, path: util.PathLike) -> None:
        self._obj, self._path = obj, path

    def call_impl(self) -> bytes:
        contents: bytes = util.invoke_if_callable(self._obj)[0]
        util.save_file(contents, self._path)
        return contents


class InvokeFromScript(BaseLoader):
    """Calls a function of a Python file: ``InvokeFromScript("load.py", "load_model")()``. Of a class, such as a subclass of
    ``BaseCompareFunc``, each call creates an object and calls it."""

    def __init__(self, path: util.PathLike, name: str) -> None:
        self._path, self._name = path, name

    @property
    def path(self) -> util.PathLike:
        """The file."""
        return self._path

    @property
    def name(self) -> str:
        """The function."""
        return self._name

    def call_impl(self, *args: Any, **kwargs: Any) -> Any:
        found = import_from_script(self._path, self._name)
        function = found() if isinstance(found, type) else found
        return function(*args, **kwargs)


def bytes_from_path(path: util.PathLike) -> bytes:
    """Returns the bytes of a file."""
    return BytesFromPath(path).call_impl()


def save_bytes(obj: bytes, path: util.PathLike) -> bytes:
    """Saves bytes to a file and returns them."""
    return SaveBytes(obj, path).call_impl()


def invoke_from_script(path: util.PathLike, name: str, *args: Any, **kwargs: Any) -> Any:
    """Calls a function of a Python file."""
    return InvokeFromScript(path, name).call_impl(*args, **kwargs)


check_arguments(__name__)
