"""Functions on functions: ``extend``, ``invoke`` and ``lazy``."""

from __future__ import annotations

import copy
import functools
import inspect
import os
from collections.abc import Callable
from typing import Any, TypeVar

from assay.exception import Error, PolygraphyInternalException

Function = TypeVar("Function", bound=Callable[..., Any])


def extend(extend_func: Callable[..., Any]) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Returns a decorator that runs ``extend_func`` before the decorated function.

    The decorated function gets what ``extend_func`` returned: each element of a tuple as a parameter of its own. If it
    accepts more parameters than that, the arguments of the call come first. What it returns replaces the result; if it
    returns None, the call returns what ``extend_func`` did, including changes made in place.

    Raises:
        Error: when called, if the decorated function accepts a number of parameters that doesn't fit.
    """

    def decorate(function: Callable[..., Any]) -> Callable[..., Any]:
        @functools.wraps(function)
        def extended(*args: Any, **kwargs: Any) -> Any:
            result = extend_func(*args, **kwargs)
            results = () if result is None else result if isinstance(result, tuple) else (result,)
            names = list(inspect.signature(function).parameters)
            accepted = len(names)
            if accepted == len(results):
                ours = function(*results)
            elif accepted == len(args) + len(kwargs) + len(results):
                bound = inspect.signature(extend_func).bind(*args, **kwargs)
                ours = function(*bound.args, **bound.kwargs, **dict(zip(names[accepted - len(results) :], results)))
            else:
                raise Error(
                    f"Function: {function.__name__} accepts {accepted} parameter(s), but needs to accept "
                    f"{len(results)} parameter(s), one for each value that {extend_func.__name__} returns"
                )
            return result if ours is None else ours

        return extended

    return decorate


def invoke(function: Callable[..., Any], *args: Any, **kwargs: Any) -> Any:
    """Calls a function: ``invoke(f, 1)`` is ``f(1)``."""
    return function(*args, **kwargs)


class lazy:
    """Postpones a call: ``lazy(f, 1)()`` calls ``f(1)``. Arguments that are lazy themselves are called first."""

    def __init__(self, function: Callable[..., Any], *args: Any, **kwargs: Any) -> None:
        self._function, self._args, self._kwargs = function, args, kwargs

    def __call__(self) -> Any:
        def value(argument: Any) -> Any:
            return argument() if isinstance(argument, lazy) else argument

        return self._function(
            *(value(argument) for argument in self._args),
            **{name: value(argument) for name, argument in self._kwargs.items()},
        )


def constantmethod(func: Function) -> Function:
    """Returns a method that raises PolygraphyInternalException if it changes an attribute of its object.

    As in Polygraphy, it returns the method itself unless POLYGRAPHY_INTERNAL_CORRECTNESS_CHECKS is set to 1.
    """
    if os.environ.get("POLYGRAPHY_INTERNAL_CORRECTNESS_CHECKS", "0") == "0":
        return func

    @functools.wraps(func)
    def checked(self: Any, *args: Any, **kwargs: Any) -> Any:
        before = copy.copy(vars(self))
        result = func(self, *args, **kwargs)
        if vars(self) != before:
            raise PolygraphyInternalException(f"{self} was mutated in a constant method: {func.__name__}")
        return result

    return checked  # type: ignore[return-value]
