"""Objects as JSON. A class that is stored registers how its members are written and read.

:mod:`assay.json` has the functions for users. It imports all modules that register classes, which in turn import this one.
"""

from __future__ import annotations

import base64
import importlib
import io
import json
import os
from collections import OrderedDict
from collections.abc import Callable, Iterator
from typing import Any, TypeVar

from assay import util
from assay.exception import InputError
from assay.tables import type_text
from assay.util import array as arrays

TYPE_MARKER = "polygraphy_class"
# Old files have a member of this name, followed by the class, instead.
OLD_TYPE_MARKER = "__polygraphy_encoded_"

Class = TypeVar("Class", bound=type)
Object = TypeVar("Object")

# By class name: how the members of an object are read and written.
_DECODERS: dict[str, Callable[[dict[str, Any]], Any]] = {}
_ENCODERS: dict[type, Callable[[Any], dict[str, Any]]] = {}

Function = TypeVar("Function", bound=Callable[[Any], Any])


def register(
    name: str, encode: Callable[[Any], dict[str, Any]], decode: Callable[[dict[str, Any]], Any]
) -> Callable[[Class], Class]:
    """Returns a class decorator: ``encode`` returns the members of an object, ``decode`` an object for members."""

    def add(cls: Class) -> Class:
        _ENCODERS[cls] = lambda obj: {**encode(obj), TYPE_MARKER: name}
        _DECODERS[name] = decode
        return cls

    return add


class Encoder(json.JSONEncoder):
    """Writes registered classes and arrays: ``json.dumps(obj, cls=Encoder)``. :func:`to_json` does the same."""

    @staticmethod
    def register(typ: type, alias: str | None = None) -> Callable[[Function], Function]:
        """Returns a decorator for a function that returns the members of an object of a class, as a dictionary.

        Args:
            typ: The class. Its name, without the module, is stored in the file.
            alias: Has no effect: objects are written under one name.

        Raises:
            InputError: The class is registered already.
        """

        def add(function: Function) -> Function:
            if typ in _ENCODERS:
                raise InputError(f"there is already an encoder of {typ.__name__}")
            _ENCODERS[typ] = lambda obj: {**function(obj), TYPE_MARKER: typ.__name__}
            return function

        return add

    def default(self, o: Any) -> Any:
        return _plain(o)

    def encode(self, o: Any) -> str:
        return super().encode(_plain(o))

    def iterencode(self, o: Any, _one_shot: bool = False) -> Iterator[str]:
        return super().iterencode(_plain(o), _one_shot)


class Decoder:
    """Reads registered classes and arrays: ``json.loads(text, object_pairs_hook=Decoder())``. :func:`from_json` does the
    same."""

    @staticmethod
    def register(typ: type, alias: str | None = None) -> Callable[[Function], Function]:
        """Returns a decorator for a function that returns an object of a class from its members, a dictionary.

        Args:
            typ: The class.
            alias: Another name under which files may have the class.

        Raises:
            InputError: A class of that name is registered already.
        """

        def add(function: Function) -> Function:
            names = [typ.__name__] if alias is None else [typ.__name__, alias]
            for name in names:
                if name in _DECODERS:
                    raise InputError(f"there is already a decoder of {name}")
            _DECODERS.update(dict.fromkeys(names, function))
            return function

        return add

    def __call__(self, pairs: list[tuple[str, Any]]) -> Any:
        return _hook(pairs)


class Serializable:
    """An object of this package that can be saved."""

    def to_json(self) -> str:
        """Returns the object as JSON."""
        return to_json(self)

    @classmethod
    def from_json(cls: type[Object], src: str) -> Object:
        """Returns the object that JSON describes.

        Raises:
            InputError: It describes something else.
        """
        return _instance(from_json(src), cls)

    def save(self, dest: Any) -> None:
        """Writes the object to a file, given by its path or as an open file."""
        save_json(self, dest)

    @classmethod
    def load(cls: type[Object], src: Any) -> Object:
        """Reads an object from a file, given by its path or as an open file."""
        return _instance(load_json(src), cls, src)


def add_json_methods(description: str | None = None) -> Callable[[Class], Class]:
    """Returns a class decorator that adds ``to_json``, ``from_json``, ``save`` and ``load``. Register an encoder and a decoder
    of the class, too: :class:`Encoder`, :class:`Decoder`.

    Args:
        description: Has no effect.
    """

    def add(cls: Class) -> Class:
        def read(obj: Any) -> Any:
            return _instance(obj, cls)

        methods: dict[str, Any] = {
            "to_json": to_json,
            "save": save_json,
            "from_json": staticmethod(lambda src: read(from_json(src))),
            "load": staticmethod(lambda src: _instance(load_json(src), cls, src)),
        }
        for name, method in methods.items():
            setattr(cls, name, method)
        return cls

    return add


def _instance(obj: Any, cls: type[Object], src: Any = None) -> Object:
    """Returns an object that was read, from a file if `src` is a path, if it is of the class."""
    if not isinstance(obj, cls):
        name = os.fspath(src) if isinstance(src, (str, os.PathLike)) else "this JSON"
        article = "an" if cls.__name__[:1] in "AEIOU" else "a"
        raise InputError(f"{name} is {type_text(obj)}, but should be {article} {cls.__name__}")
    return obj


def _encode_array(array: Any) -> dict[str, str]:
    import numpy as np

    dtype = array.dtype
    if dtype.type.__module__ == "ml_dtypes":
        # numpy.save would lose the type: bfloat16 would come back as two bytes. The command line writes them like this, too.
        array = np.asarray(array, order="C").view([(dtype.name, f"<u{dtype.itemsize}")])
    elif dtype.kind == "O":
        if not all(isinstance(value, str) for value in array.flat):
            raise InputError("an array of objects can't be written as JSON. Convert it to numbers or texts")
        array = array.astype(str)
    buffer = io.BytesIO()
    np.save(buffer, array, allow_pickle=False)
    return {"array": base64.b64encode(buffer.getvalue()).decode(), TYPE_MARKER: "ndarray"}


def _decode_array(members: dict[str, Any]) -> Any:
    import numpy as np

    array = np.load(io.BytesIO(base64.b64decode(members["array"])), allow_pickle=False)
    if array.dtype.kind != "V":
        return array
    names = array.dtype.names or ("bfloat16",)  # Polygraphy writes bfloat16 as two bytes without a name
    try:
        dtype = getattr(importlib.import_module("ml_dtypes"), names[0], None)
    except ImportError:
        return array
    fits = dtype is not None and len(names) == 1 and np.dtype(dtype).itemsize == array.dtype.itemsize
    return array.view(dtype) if fits else array


def _decode_tensor(members: dict[str, Any]) -> Any:
    try:
        torch: Any = importlib.import_module("torch")
    except ImportError:
        raise InputError(
            "this JSON has a tensor of PyTorch, which isn't installed. Install it, or convert the tensor to an array before it is "
            "saved: tensor.numpy()"
        ) from None
    try:
        return torch.load(io.BytesIO(base64.b64decode(members["tensor"])), map_location="cpu", weights_only=True)
    except Exception as error:
        raise InputError(f"this JSON has a tensor of PyTorch that can't be read: {error}") from error


_DECODERS["ndarray"] = _decode_array
_DECODERS["Tensor"] = _decode_tensor
_DECODERS["LazyArray"] = _DECODERS["LazyNumpyArray"] = lambda members: members["values"]


def _plain(obj: Any) -> Any:
    """Returns an object as the dictionaries, lists, texts and numbers that JSON has."""
    import numpy as np

    encode = _ENCODERS.get(type(obj))
    if encode is not None:
        return _plain(encode(obj))
    if isinstance(obj, dict):
        return {_plain_key(key): _plain(value) for key, value in obj.items()}
    if isinstance(obj, (list, tuple)):
        return [_plain(value) for value in obj]
    if isinstance(obj, np.ndarray) or util.is_torch(obj):
        return _encode_array(arrays.to_numpy(obj))
    if isinstance(obj, np.generic) and not isinstance(obj, np.complexfloating):
        return obj.item()
    if obj is None or isinstance(obj, (str, int, float)):
        return obj
    raise InputError(f"{type_text(obj)} can't be written as JSON. Convert it to numbers, texts, lists or arrays")


def _plain_key(key: Any) -> Any:
    """Returns the key of an entry as a text or a number. JSON has texts only, so numbers become texts."""
    import numpy as np

    key = key.item() if isinstance(key, np.generic) else key
    if key is None or isinstance(key, (str, int, float)):
        return key
    raise InputError(f"JSON has no entries whose key is {type_text(key)}. Convert the key to a text")


def _hook(pairs: list[tuple[str, Any]]) -> Any:
    members = OrderedDict(pairs)
    key = next((key for key in members if key == TYPE_MARKER or key.startswith(OLD_TYPE_MARKER)), None)
    if key is None:
        return members
    value = members.pop(key)
    name = str(value) if key == TYPE_MARKER else key[len(OLD_TYPE_MARKER) :]
    if name not in _DECODERS:
        importlib.import_module("assay.json")  # which registers all classes of this package
    if name not in _DECODERS:
        raise InputError(f"this JSON has an object of the class {name!r}, which has no decoder. Import the module that registers it")
    return _DECODERS[name](members)


def to_json(obj: Any) -> str:
    """Returns an object as JSON."""
    return json.dumps(_plain(obj), indent=4)


def from_json(src: str) -> Any:
    """Returns the object that JSON describes.

    Raises:
        InputError: The text isn't JSON, or has an object of a class that has no decoder.
    """
    try:
        return json.loads(src, object_pairs_hook=_hook)
    except json.JSONDecodeError as error:
        raise InputError(f"this isn't JSON: {error}") from error


def save_json(obj: Any, dest: Any, description: str | None = None) -> None:
    """Writes an object to a file, given by its path or as an open file. Missing folders are created.

    Args:
        obj: Numbers, texts, lists, dictionaries, arrays and tensors of PyTorch, or an object of this package.
        dest: The file.
        description: Has no effect.
    """
    util.save_file(to_json(obj), dest, "w")


def load_json(src: Any, description: str | None = None) -> Any:
    """Reads a file, given by its path or as an open file. Arrays become ``numpy.ndarray``, also those that were tensors of
    PyTorch when they were saved.

    Args:
        src: The file.
        description: Has no effect.
    """
    text = util.load_file(src, "r")
    try:
        return from_json(text)
    except InputError as error:
        if not isinstance(src, (str, os.PathLike)):
            raise
        raise InputError(f"cannot read {os.fspath(src)}: {error}") from error
