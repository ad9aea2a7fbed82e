"""A temporary folder that lives as long as a result."""

from __future__ import annotations

import shutil
import tempfile
import weakref


class TemporaryFolder:
    """A new folder, which is removed with this object, or at the end of a ``with`` block.

    ``tempfile.TemporaryDirectory`` warns if it is removed with its object, which is what results need: programs whose
    warnings are errors would fail.

    Attributes:
        name: The path.
    """

    def __init__(self) -> None:
        self.name = tempfile.mkdtemp(prefix="assay-")
        self._remove = weakref.finalize(self, shutil.rmtree, self.name, ignore_errors=True)

    def __enter__(self) -> TemporaryFolder:
        return self

    def __exit__(self, *_: object) -> None:
        self._remove()
