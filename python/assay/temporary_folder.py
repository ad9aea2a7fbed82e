"""A temporary folder that lives as long as a result."""

from __future__ import annotations

import os
import shutil
import tempfile
import weakref


class TemporaryFolder:
    """A new folder, which is removed with this object, or at the end of a ``with`` block. A forked process, which has a copy
    of the object, leaves the folder alone.

    ``tempfile.TemporaryDirectory`` warns if it is removed with its object, which is what results need: programs whose
    warnings are errors would fail.

    Attributes:
        name: The path.
    """

    def __init__(self) -> None:
        self.name = tempfile.mkdtemp(prefix="assay-")
        self._remove = weakref.finalize(self, _remove_folder, self.name, os.getpid())

    def __enter__(self) -> TemporaryFolder:
        return self

    def __exit__(self, *_: object) -> None:
        self._remove()


def _remove_folder(name: str, owner: int) -> None:
    if os.getpid() == owner:
        shutil.rmtree(name, ignore_errors=True)
