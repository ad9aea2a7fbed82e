"""Loader classes made from functions: the same call, but the work is done when the object is called."""

from __future__ import annotations

import inspect
import sys
from typing import TYPE_CHECKING, Any, Callable, Generic, ParamSpec, Protocol, TypeVar, overload

from assay.arguments import check_call
from assay.backend.base.loader import BaseLoader

if TYPE_CHECKING:
    from assay.backend.onnx.kinds import ChangesModel

P = ParamSpec("P")
R = TypeVar("R")


class Loader(BaseLoader, Generic[R]):
    """Keeps the arguments of a function, and calls it with them each time that the object is called."""

    function: Callable[..., Any]

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        check_call(self.function, args, kwargs, type(self).__name__)  # a wrong argument is an error at once
        self._args, self._kwargs = args, kwargs

    def __call__(self, *args: Any, **kwargs: Any) -> R:
        return self.call_impl(*args, **kwargs)

    def call_impl(self, *args: Any, **kwargs: Any) -> R:
        result: R = self.function(*self._args, *args, **self._kwargs, **kwargs)
        return result

    def __repr__(self) -> str:
        named = [f"{name}={value!r}" for name, value in self._kwargs.items()]
        return f"{type(self).__name__}({', '.join([*map(repr, self._args), *named])})"


class LoadsModel(Protocol[P]):
    """A class whose objects call a function that changes a model. For type checkers and editors."""

    def __call__(self, model: Any, *args: P.args, **kwargs: P.kwargs) -> Loader[Any]: ...


@overload  # a ChangesModel is a Callable of its first overload, too, so it has to come first
def loader(name: str, function: ChangesModel[P]) -> LoadsModel[P]: ...  # type: ignore[overload-overlap]
@overload
def loader(name: str, function: Callable[P, R]) -> Callable[P, Loader[R]]: ...
def loader(name: str, function: Callable[..., Any]) -> Callable[..., Any]:
    """Returns a class whose objects call `function` later. It has the parameters and the help of the function.

    The caller's module must define the class under this name, so that its objects can be pickled.
    """
    members = {
        "function": staticmethod(function),
        "__doc__": f"Calls :func:`{function.__name__}` with these arguments when it is called.\n\n{inspect.getdoc(function)}",
        "__signature__": inspect.signature(function).replace(return_annotation=inspect.Signature.empty),
        "__module__": sys._getframe(1).f_globals["__name__"],
    }
    return type(name, (Loader,), members)
