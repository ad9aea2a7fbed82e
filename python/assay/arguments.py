"""Wrong arguments: the error says which argument of which function it is, and what the function takes.

Modules end with ``check_arguments(__name__)``, which makes their public functions, constructors and methods compare
their arguments with their annotations. Without that, a wrong argument would be kept and fail later, in another call or
in the extension, whose messages name its own functions and C++ types.

The comparison is lenient, as annotations are meant for type checkers: whatever counts as an integer is an ``int``, any
object with the methods of a dictionary is a ``dict``, and the elements of an iterator, which checking would consume,
are accepted unseen.
"""

from __future__ import annotations

import collections.abc
import dataclasses
import functools
import inspect
import itertools
import math
import os
import reprlib
import sys
import types
import typing
from collections.abc import Callable, Iterable, Mapping
from typing import Annotated, Any, ForwardRef, Literal, Union

from assay.exception import ArgumentError
from assay.tables import type_text


@dataclasses.dataclass(frozen=True)
class Limits:
    """The least and the greatest number that a parameter takes, in ``Annotated[int, Limits(1)]``."""

    least: float
    greatest: float = math.inf

    def __str__(self) -> str:
        return f"of at least {self.least:g}" if self.greatest == math.inf else f"from {self.least:g} to {self.greatest:g}"


Count = Annotated[int, Limits(1)]
Size = Annotated[int, Limits(0)]
Seconds = Annotated[float, Limits(0)]
Tolerance = Annotated[float, Limits(0)]
Ratio = Annotated[float, Limits(0, 1)]

_NATIVE = "incompatible function arguments"  # in the TypeError that the extension raises
_PATH = (str, os.PathLike)
_TEXTS = (str, bytes, bytearray)


def check_arguments(module: str) -> None:
    """Makes the public functions and classes that a module defines check their arguments."""
    names = vars(sys.modules[module])
    for name, value in list(names.items()):
        if name.startswith("_") or getattr(value, "__module__", None) != module:
            continue
        if inspect.isfunction(value):
            names[name] = _checked(value, name)
        elif inspect.isclass(value) and not (issubclass(value, BaseException) or dataclasses.is_dataclass(value)):
            _check_methods(value)


def _check_methods(cls: type) -> None:
    for name, value in list(vars(cls).items()):
        shown = "" if name == "__init__" else f"{cls.__name__}.{name}"
        if name.startswith("_") and name != "__init__":
            continue
        if inspect.isfunction(value):
            setattr(cls, name, _checked(value, shown))
        elif isinstance(value, (staticmethod, classmethod)):
            setattr(cls, name, type(value)(_checked(value.__func__, shown)))


def _checked(function: Callable[..., Any], shown: str) -> Callable[..., Any]:
    if not any(parameter != "return" for parameter in function.__annotations__):
        return function
    checks: _Checks | None = None

    @functools.wraps(function)
    def checked(*args: Any, **kwargs: Any) -> Any:
        nonlocal checks
        if checks is None:
            checks = _Checks(function, shown)
        checks.check(args, kwargs)
        try:
            return function(*args, **kwargs)
        except TypeError as error:
            if isinstance(error, ArgumentError) or _NATIVE not in str(error):
                raise
            raise checks.translate(args, kwargs) from error

    return checked


def check_call(function: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any], shown: str) -> None:
    """Checks the arguments of a call that comes later.

    Args:
        function: The function.
        args: Its positional arguments.
        kwargs: Its keyword arguments.
        shown: The name of the function in the error.

    Raises:
        TypeError: Arguments are missing, or there are too many.
        ArgumentError: An argument has another type than the function takes.
    """
    inspect.signature(function).bind(*args, **kwargs)
    _Checks(inspect.unwrap(function), shown).check(args, kwargs)


Accepts = Callable[[Any], bool]
Blamed = tuple[str, "Kind", Any]  # where in an argument, as "[0]"; what must be there; what is there


class Kind:
    """The kind of values that a parameter takes.

    Attributes:
        accepts: Whether a value is of this kind.
        one: The kind with an article: "an int".
        many: The plural: "ints".
        blame: Returns the wrong part of a value that isn't accepted.
    """

    def __init__(
        self, accepts: Accepts, one: str, many: str, blame: Callable[[Any], Blamed | None] | None = None
    ) -> None:
        self.accepts, self.one, self.many = accepts, one, many
        self._blame = blame

    def blame(self, value: Any) -> Blamed:
        inner = None if self._blame is None else self._blame(value)
        return ("", self, value) if inner is None else inner


def _is_number(value: Any, *methods: str) -> bool:
    """Returns whether a value has one of the methods that convert numbers. Arrays of any size have them, too."""
    is_one = all(size == 1 for size in getattr(value, "shape", ()))
    return is_one and any(hasattr(type(value), method) for method in methods)


_ANYTHING = Kind(lambda _: True, "", "")
_NONE = Kind(lambda value: value is None, "None", "None")
_SIMPLE: dict[Any, Kind] = {
    None: _NONE,
    type(None): _NONE,
    bool: Kind(
        lambda value: isinstance(value, int) or type(value).__name__ in ("bool", "bool_"), "a bool", "bools"
    ),
    int: Kind(lambda value: _is_number(value, "__index__"), "an int", "ints"),
    float: Kind(lambda value: _is_number(value, "__index__", "__float__"), "a number", "numbers"),
    str: Kind(lambda value: isinstance(value, str), "a string", "strings"),
    bytes: Kind(lambda value: isinstance(value, (bytes, bytearray, memoryview)), "bytes", "bytes"),
}
_PATHS = Kind(lambda value: isinstance(value, _PATH), "a path", "paths")
_FUNCTIONS = Kind(callable, "a function", "functions")


def _is_model(value: Any) -> bool:
    own = ("assay", "onnx_graphsurgeon", "onnx_ir")  # an assay.Model, a graph, an engine for assay.inspect()
    return (
        isinstance(value, (*_PATH, *_TEXTS, memoryview))
        or callable(value)
        or hasattr(type(value), "SerializeToString")
        or type(value).__module__.split(".")[0] in own
    )


_MODELS = Kind(_is_model, "a path, bytes, an assay.Model, an onnx.ModelProto or a callable that returns one", "models")
AnyModel = Annotated[Any, _MODELS]


def kind_of(annotation: Any, names: Mapping[str, Any]) -> Kind:
    """Returns the kind that an annotation stands for.

    Args:
        annotation: A type, or the text of one.
        names: The names that the text of an annotation may use: those of its module.
    """
    if isinstance(annotation, (str, ForwardRef)):
        text = annotation if isinstance(annotation, str) else annotation.__forward_arg__
        try:
            annotation = eval(text, dict(names))  # noqa: S307 (the text is in this package)
        except (NameError, TypeError):  # the name exists for type checkers only
            return _ANYTHING
    if annotation in _SIMPLE:
        return _SIMPLE[annotation]
    origin, parts = typing.get_origin(annotation), typing.get_args(annotation)
    if origin is Annotated and isinstance(parts[1], Kind):
        return parts[1]
    if origin is Annotated:
        return _limited(kind_of(parts[0], names), parts[1])
    if origin is Literal:
        text = _joined(list(map(repr, parts)))
        return Kind(lambda value: value in parts, text, text)
    if origin in (Union, types.UnionType):
        return _any_of([kind_of(part, names) for part in parts])
    base = annotation if origin is None else origin
    if not inspect.isclass(base) or base in (object, Any):  # Any is a class since Python 3.11
        return _ANYTHING
    if issubclass(base, os.PathLike):
        return _PATHS
    if issubclass(base, tuple) and parts and parts[-1] is not Ellipsis:
        return _tuple_of([kind_of(part, names) for part in parts])
    if issubclass(base, collections.abc.Callable):  # type: ignore[arg-type]
        return _FUNCTIONS
    if base in (dict, collections.abc.Mapping):
        return _mapping_of(*([kind_of(part, names) for part in parts] or [_ANYTHING, _ANYTHING]))
    if base in (list, tuple, collections.abc.Sequence, collections.abc.Iterable):
        return _list_of(kind_of(parts[0], names) if parts else _ANYTHING)
    article = "an" if base.__name__[:1].lower() in "aeiou" else "a"
    return Kind(lambda value: isinstance(value, base), f"{article} {base.__name__}", f"{base.__name__} objects")


def _limited(kind: Kind, limits: Limits) -> Kind:
    def accepts(value: Any) -> bool:
        return kind.accepts(value) and bool(limits.least <= value <= limits.greatest)

    return Kind(accepts, f"{kind.one} {limits}", f"{kind.many} {limits}")


def _any_of(kinds: list[Kind]) -> Kind:
    if any(kind is _ANYTHING for kind in kinds):
        return _ANYTHING
    if _PATHS in kinds:
        kinds = [kind for kind in kinds if kind is not _SIMPLE[str]]

    def blame(value: Any) -> Blamed | None:
        return next((found for found in (kind.blame(value) for kind in kinds) if found[0]), None)

    return Kind(
        lambda value: any(kind.accepts(value) for kind in kinds),
        _joined([kind.one for kind in kinds]),
        _joined([kind.many for kind in kinds if kind is not _NONE]),
        blame,
    )


def _joined(words: list[str]) -> str:
    words = list(dict.fromkeys(words))
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} or {words[-1]}"


def _tuple_of(kinds: list[Kind]) -> Kind:
    def accepts(value: Any) -> bool:
        fits = isinstance(value, (list, tuple)) and len(value) == len(kinds)
        return fits and all(kind.accepts(each) for kind, each in zip(kinds, value))

    text = f"({', '.join(kind.one or 'anything' for kind in kinds)})"
    return Kind(accepts, f"a tuple {text}", f"tuples {text}")


def _list_of(element: Kind) -> Kind:
    def accepts(value: Any) -> bool:
        if isinstance(value, (list, tuple)):
            return all(map(element.accepts, value))
        return not isinstance(value, _TEXTS) and (hasattr(value, "__iter__") or hasattr(value, "__getitem__"))

    def blame(value: Any) -> Blamed | None:
        if isinstance(value, (list, tuple)):
            for index, each in enumerate(value):
                if not element.accepts(each):
                    return _inside(f"[{index}]", element.blame(each))
        return None

    of = f" of {element.many}" if element.many else ""
    return Kind(accepts, f"a list{of}", f"lists{of}", blame)


def _mapping_of(key: Kind, element: Kind) -> Kind:
    def accepts(value: Any) -> bool:
        if not (hasattr(value, "keys") and hasattr(value, "__getitem__")):
            return False
        return not isinstance(value, dict) or all(key.accepts(k) and element.accepts(v) for k, v in value.items())

    def blame(value: Any) -> Blamed | None:
        for name, each in value.items() if isinstance(value, dict) else ():
            if not key.accepts(name):
                return " has a key that", key, name
            if not element.accepts(each):
                return _inside(f"[{name!r}]", element.blame(each))
        return None

    of = f" of {element.many}" if element.many else ""
    by = f" by {key.many}" if key.many and key is not _SIMPLE[str] else ""
    return Kind(accepts, f"a dictionary{of}{by}", f"dictionaries{of}{by}", blame)


def _inside(where: str, blamed: Blamed) -> Blamed:
    return where + blamed[0], blamed[1], blamed[2]


class _Checks:
    """The parameters of a function that don't accept everything."""

    def __init__(self, function: Callable[..., Any], shown: str) -> None:
        self._shown = shown  # empty: a constructor, which is called like the class
        self._signature = inspect.signature(function)
        names = getattr(function, "__globals__", {})
        variable = (inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD)
        known = [parameter for parameter in self._signature.parameters.values() if parameter.kind not in variable]
        kinds = {
            parameter.name: kind_of(parameter.annotation, names)
            for parameter in known
            if parameter.annotation is not inspect.Parameter.empty
        }
        self._by_name = {name: kind for name, kind in kinds.items() if kind is not _ANYTHING}
        self._by_position = [
            (parameter.name, self._by_name.get(parameter.name))
            for parameter in known
            if parameter.kind is not inspect.Parameter.KEYWORD_ONLY
        ]
        rest = [p for p in self._signature.parameters.values() if p.kind is inspect.Parameter.VAR_POSITIONAL]
        annotated = [p for p in rest if p.annotation is not inspect.Parameter.empty]
        self._rest = [(p.name, kind_of(p.annotation, names)) for p in annotated]  # of *args: one or none

    def check(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> None:
        for value, (name, kind) in zip(args, self._by_position):
            if kind is not None and not kind.accepts(value):
                raise self._error(args, name, kind, value)
        for name, kind in self._rest:
            for index, value in enumerate(args[len(self._by_position) :]):
                if not kind.accepts(value):
                    raise self._error(args, f"{name}[{index}]", kind, value)
        for name, value in kwargs.items():
            kind = self._by_name.get(name)
            if kind is not None and not kind.accepts(value):
                raise self._error(args, name, kind, value)

    def _called(self, args: tuple[Any, ...]) -> str:
        return self._shown or type(args[0]).__name__

    def _error(self, args: tuple[Any, ...], name: str, kind: Kind, value: Any) -> ArgumentError:
        where, wanted, found = kind.blame(value)
        return wrong_type(self._called(args), name + where, wanted.one, found)

    def translate(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> ArgumentError:
        """Returns the error for arguments of the right kind that the extension doesn't take: text that isn't Unicode, or
        numbers out of range."""
        given = self._signature.bind(*args, **kwargs).arguments
        called = self._called(args)
        for name, value in sorted(given.items(), key=lambda item: item[0] == "self"):
            text = _text_that_is_not_unicode(value)
            if text is not None:
                holder = f"the {type(value).__name__}" if name == "self" else name
                return ArgumentError(f"{called}(): {holder} has the text {reprlib.repr(text)}, which isn't valid Unicode")
        given.pop("self", None)
        given.pop("cls", None)
        numbers = {name: value for name, value in given.items() if isinstance(value, int) and not 0 <= value < 2**31}
        shown = ", ".join(f"{name}={_text(value)}" for name, value in (numbers or given).items())
        problem = "out of range" if numbers else "a value that isn't possible"
        return ArgumentError(f"{called}() has an argument that is {problem}: {shown}")


def _text_that_is_not_unicode(value: Any, depth: int = 6) -> str | None:
    """Returns a text in a value, or in an object of this package, that holds half of a surrogate pair; None if there is none."""
    if isinstance(value, str):
        return None if value.isascii() or value.encode("utf-8", "ignore").decode() == value else value
    parts: Iterable[Any] = ()
    if isinstance(value, dict):
        parts = itertools.chain(value, value.values())
    elif isinstance(value, (list, tuple)):
        parts = value
    elif type(value).__module__.startswith("assay."):
        parts = getattr(value, "__dict__", {}).values()
    found = (_text_that_is_not_unicode(part, depth - 1) for part in parts) if depth > 0 else ()
    return next((text for text in found if text is not None), None)


def wrong_type(function: str, argument: str, wanted: str, found: Any) -> ArgumentError:
    """Returns the error for an argument of another type than the function takes."""
    return ArgumentError(f"{function}(): {argument} must be {wanted}, but is {_text(found)}")


def _text(value: Any) -> str:
    """Returns a value and its type, cut to a readable length."""
    if value is None:
        return "None"
    kind = type(value).__name__
    plain = isinstance(value, (str, int, float, bytes, list, tuple, dict, set))
    return f"{reprlib.repr(value)} ({kind})" if plain else type_text(value)
