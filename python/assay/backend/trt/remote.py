"""Stands for objects of TensorRT, which exist in a worker process only.

Programs that use TensorRT's Python package change its network, builder and configuration in place. That can't work
from here, so every use of such an object says what to do instead.
"""

from __future__ import annotations

from typing import Any, NoReturn, TypeVar

from assay.exception import Error

_Self = TypeVar("_Self", bound="Remote")


class NotHereError(Error, AttributeError):
    """An attribute of an object that exists in TensorRT's worker process only."""


class Remote:
    """An object whose attributes can't be read or changed, except those that this package gives it itself."""

    KIND = "object"
    INSTEAD = "Use the functions of assay.backend.trt"

    def _set(self, **attributes: Any) -> None:
        vars(self).update(attributes)

    def _refuse(self, name: str) -> NoReturn:
        raise NotHereError(
            f"TensorRT's {self.KIND} is in a worker process, so '{name}' can't be used here. {self.INSTEAD}"
        )

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):  # asked for by copy, pickle and the like
            raise AttributeError(f"'{type(self).__name__}' object has no attribute '{name}'")
        self._refuse(name)

    def __setattr__(self, name: str, value: Any) -> None:
        self._refuse(name)

    def __enter__(self: _Self) -> _Self:
        return self  # programs written for TensorRT 8 free its objects by `with`; here, there is nothing to free

    def __exit__(self, *_: object) -> None:
        pass


class Builder(Remote):
    """Takes the builder's place in what Polygraphy's functions take and return."""

    KIND = "builder"
    INSTEAD = "CreateConfig has its settings"

    def __repr__(self) -> str:
        return "<TensorRT's builder, in a worker process>"


class Parser(Remote):
    """Takes the parser's place in what Polygraphy's functions take and return."""

    KIND = "parser"
    INSTEAD = "The parameters of network_from_onnx_path() are its settings"

    def __repr__(self) -> str:
        return "<TensorRT's parser, in a worker process>"
