"""Modules that are imported when they are used, and versions that can be compared."""

from __future__ import annotations

import importlib
import os
import re
import runpy
from typing import Any

from assay.arguments import check_arguments
from assay.exception import NotFoundError


class LazyModule:
    """A module that is imported when an attribute of it is first used."""

    def __init__(self, name: str) -> None:
        self._name = name

    def is_installed(self) -> bool:
        """Returns whether the module can be imported."""
        try:
            importlib.import_module(self._name)
        except ImportError:
            return False
        return True

    def __getattr__(self, name: str) -> Any:
        return getattr(importlib.import_module(self._name), name)


def lazy_import(name: str, **_: Any) -> LazyModule:
    """Returns a module that is imported when it is used."""
    return LazyModule(re.split("[<>=!]", name)[0])


def import_from_script(path: str | os.PathLike[str], name: str) -> Any:
    """Runs a Python file and returns the object that it calls ``name``.

    Raises:
        NotFoundError: The file doesn't exist or defines no such object.
    """
    try:
        names = runpy.run_path(os.fspath(path))
    except FileNotFoundError:
        raise NotFoundError(f"there is no Python file {path}. Check the path") from None
    if name not in names:
        raise NotFoundError(f"{path} doesn't define '{name}'. Check the name")
    return names[name]


def version(version_str: str) -> tuple[int, ...]:
    """Returns the numbers of a version, which can be compared: ``version("1.10") > version("1.9")``."""
    return tuple(int(number) for number in re.findall(r"\d+", version_str.split("+")[0]))


check_arguments(__name__)
