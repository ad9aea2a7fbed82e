"""Modules that are imported when they are used, and versions that can be compared."""

from __future__ import annotations

import contextlib
import importlib
import importlib.util
import os
import re
import runpy
import sys
from typing import Any

from assay.arguments import check_arguments
from assay.exception import NotFoundError


class LazyModule:
    """A module that is imported when an attribute of it is first used."""

    def __init__(self, name: str) -> None:
        self._name = name

    def is_installed(self) -> bool:
        """Returns whether the module exists, without importing it. Packages that contain it are imported."""
        try:
            return self._name in sys.modules or importlib.util.find_spec(self._name) is not None
        except (ImportError, ValueError):
            return False

    def is_importable(self) -> bool:
        """Imports the module, and returns whether that worked. A module may exist and lack a library that it needs."""
        try:
            importlib.import_module(self._name)
        except Exception:
            return False
        return True

    def __reduce__(self) -> tuple[Any, ...]:
        return LazyModule, (self._name,)  # otherwise, a copy would be asked for attributes before it has a name

    def __getattr__(self, name: str) -> Any:
        return getattr(importlib.import_module(self._name), name)


def lazy_import(name: str, **_: Any) -> LazyModule:
    """Returns a module that is imported when it is used."""
    return LazyModule(re.split("[<>=!]", name)[0])


def import_from_script(path: str | os.PathLike[str], name: str) -> Any:
    """Runs a Python file and returns the object that it calls ``name``. While the file runs, it can import modules from its
    folder.

    Raises:
        NotFoundError: The file doesn't exist or defines no such object.
    """
    if not os.path.exists(path):
        raise NotFoundError(f"there is no Python file {path}. Check the path")
    folder = os.path.dirname(os.path.abspath(path))
    sys.path.insert(0, folder)
    try:
        names = runpy.run_path(os.fspath(path))
    finally:
        with contextlib.suppress(ValueError):  # the file itself may have removed it
            sys.path.remove(folder)
    if name not in names:
        raise NotFoundError(f"{path} doesn't define '{name}'. Check the name")
    return names[name]


# The order of suffixes such as the "rc" in "1.2rc1": those of less than 0 come before the release.
_SUFFIXES = {"dev": -4, "a": -3, "b": -2, "rc": -1, "post": 1}


def version(version_str: str) -> tuple[int, ...]:
    """Returns the numbers of a version, which can be compared: ``version("1.10") > version("1.9")``.

    Suffixes such as "rc" count as numbers in their order; what follows a "+" doesn't count.
    """
    parts = re.findall(r"\d+|[a-z]+", version_str.split("+")[0].lower())
    return tuple(_SUFFIXES[part] if part in _SUFFIXES else int(part) for part in parts if part in _SUFFIXES or part.isdigit())


check_arguments(__name__)
