"""Callables that create something later: a model, a session."""

from __future__ import annotations

from typing import Any


class BaseLoader:
    """Creates an object whenever it is called. Derive from it and define ``call_impl``."""

    def call_impl(self, *args: Any, **kwargs: Any) -> Any:
        """Creates the object, from the arguments of the call."""
        raise NotImplementedError(f"{type(self).__name__} must define call_impl()")

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        return self.call_impl(*args, **kwargs)

    def __repr__(self) -> str:
        arguments = ", ".join(f"{name.lstrip('_')}={value!r}" for name, value in vars(self).items())
        return f"{type(self).__name__}({arguments})"
