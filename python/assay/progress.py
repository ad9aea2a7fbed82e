"""The progress bars of long calls."""

from __future__ import annotations

import importlib
from typing import Any

from assay.logger import G_LOGGER


class Bar:
    """A bar with a text next to it. Shows nothing if tqdm isn't installed.

    Args:
        name: What is shown before the bar: the function that was called.
        unit: What is counted: " checks".
        wanted: Whether to show it; None: if the output is a terminal or a notebook.
        total: How much there is to count, or None if that is unknown.
    """

    def __init__(self, name: str, unit: str, wanted: bool | None, total: int | None = None) -> None:
        self._bar: Any = None
        if wanted is False:
            return
        try:
            tqdm: Any = importlib.import_module("tqdm.auto").tqdm
        except ImportError:
            if wanted:
                G_LOGGER.warning("progress=True shows nothing: the package tqdm isn't installed. Install it with pip")
            return
        in_notebook = "notebook" in tqdm.__module__
        disable = False if wanted or in_notebook else None  # None: unless the output is a terminal
        self._bar = tqdm(desc=name, unit=unit, total=total, leave=False, disable=disable)
        if self._bar.disable:
            self._bar = None

    @property
    def visible(self) -> bool:
        return self._bar is not None

    def show(self, text: str, count: int) -> None:
        """Shows a text, and how much has been done so far."""
        self._bar.set_postfix_str(text, refresh=False)
        self._bar.update(count - self._bar.n)
        if self._bar.total is not None:  # a few long steps: tqdm would skip the text of one that begins soon after another
            self._bar.refresh()

    def __enter__(self) -> Bar:
        return self

    def __exit__(self, *_: object) -> None:
        if self._bar is not None:
            self._bar.close()
