"""Small functions that the other modules share."""

from __future__ import annotations

import fnmatch
import glob
import math
import os
import tempfile
import textwrap
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, TypeVar, Union

from assay.constants import DEFAULT_SHAPE_VALUE
from assay.exception import InputError, NotFoundError
from assay.util import array

is_torch = array.is_torch

Value = TypeVar("Value")
PathLike = Union[str, os.PathLike[str]]


def default(value: Value | None, default: Value) -> Value:
    """Returns a value, or another one if it is None."""
    return default if value is None else value


def unique_list(sequence: Iterable[Value]) -> list[Value]:
    """Returns the elements in order of their first occurrence."""
    return list(dict.fromkeys(sequence))


def invoke_if_callable(func: Any, *args: Any, **kwargs: Any) -> tuple[Any, bool]:
    """Calls an object if it is callable. Returns the result, or the object itself, and whether it was called."""
    return (func(*args, **kwargs), True) if callable(func) else (func, False)


def value_or_from_dict(obj: Any, key: Any, default: Any = None) -> Any:
    """Returns ``obj``, or, if it is a dictionary, its entry ``key``, its entry "" or ``default``."""
    if not isinstance(obj, dict):
        return default if obj is None else obj
    return obj.get(key, obj.get("", default))


def is_dimension_dynamic(dim: Any) -> bool:
    """Returns whether a dimension is unknown: None, negative or a symbol."""
    return not hasattr(dim, "__index__") or dim < 0  # NumPy's integers aren't an int


def is_shape_dynamic(shape: Sequence[Any]) -> bool:
    """Returns whether a dimension of the shape is unknown."""
    return any(is_dimension_dynamic(dim) for dim in shape)


def is_empty_shape(shape: Sequence[Any]) -> bool:
    """Returns whether a tensor of this shape has no elements."""
    return any(dim == 0 for dim in shape)


def volume(obj: Sequence[int]) -> int:
    """Returns the number of elements of a shape."""
    return math.prod(obj)


def override_dynamic_shape(shape: Sequence[Any], default_shape_value: int | None = None) -> list[int]:
    """Returns a shape in which the dimensions that are unknown have a size, by default DEFAULT_SHAPE_VALUE."""
    size = default(default_shape_value, DEFAULT_SHAPE_VALUE)
    return [size if is_dimension_dynamic(dim) else dim for dim in shape]


def is_valid_shape_override(new_shape: Sequence[int], original_shape: Sequence[Any]) -> bool:
    """Returns whether a shape has the rank and the known dimensions of another one."""
    return len(new_shape) == len(original_shape) and all(
        is_dimension_dynamic(old) or new == old for new, old in zip(new_shape, original_shape)
    )


def list_of_paths(given: PathLike | Sequence[PathLike], allow_dirs: bool = True) -> list[str]:
    """Returns one path, or several, as a list of absolute paths.

    Raises:
        InputError: One of them is a folder, and folders aren't allowed.
    """
    paths = [os.path.abspath(each) for each in ([given] if isinstance(given, (str, os.PathLike)) else given)]
    for path in paths:
        if not allow_dirs and os.path.isdir(path):
            raise InputError(f"{path} is a folder, but must be a file. Use allow_dirs=True to read all files in it")
    return paths


def load_file(src: Any, mode: str = "rb", description: str | None = None) -> Any:
    """Returns the contents of a file, given by its path or as an open file. An open file is read from its beginning, so that
    what was just written to it can be read, and its position doesn't change.

    Raises:
        NotFoundError: There is no such file.
        InputError: It is a folder, or ``mode`` is for text, and the file isn't text.
    """
    if hasattr(src, "read"):
        if not (hasattr(src, "seekable") and src.seekable()):
            return src.read()
        position = src.tell()
        src.seek(0)
        contents = src.read()
        src.seek(position)
        return contents
    try:
        with open(os.fspath(src), mode) as file:  # a number would be the descriptor of an open file
            return file.read()
    except FileNotFoundError:
        raise NotFoundError(f"there is no file {os.fspath(src)}. Check the path") from None
    except IsADirectoryError:
        raise InputError(f"{os.fspath(src)} is a folder, but must be a file. Check the path") from None
    except UnicodeDecodeError:
        raise InputError(f"{os.fspath(src)} isn't a text file. Check the path") from None


def save_file(contents: Any, dest: Any, mode: str = "wb", description: str | None = None) -> Any:
    """Writes to a file, given by its path or as an open file, and returns ``dest``.

    A file that is given by its path appears under its name only once it is complete, and keeps its mode if it exists.
    Missing folders are created, and links are followed.

    Raises:
        Error: The file can't be written.
    """
    if hasattr(dest, "write"):
        dest.write(contents)
        return dest
    from assay import _assay

    _assay.write_file(os.path.abspath(os.fspath(dest)), contents if "b" in mode else contents.encode())
    return dest


def NamedTemporaryFile(  # noqa: N802 (Polygraphy's name)
    mode: str | None = None, prefix: str | None = None, suffix: str | None = None
) -> Any:
    """Returns a file that is removed when it is closed, as ``tempfile.NamedTemporaryFile`` does."""
    return tempfile.NamedTemporaryFile(default(mode, "wb+"), prefix=prefix, suffix=suffix)


def is_sequence(obj: Any) -> bool:
    """Returns whether an object can be iterated over, and isn't a text, a dictionary or a set."""
    return hasattr(obj, "__iter__") and not isinstance(obj, (str, dict, set))


def find_str_in_iterable(name: str, seq: Iterable[str], index: int | None = None) -> str | None:
    """Returns the name that is equal to ``name``, or else the first that contains it or is contained in it, in upper or lower
    case, or else the name at ``index``, or None."""
    names = list(seq)
    if name in names:
        return name
    similar = (each for each in names if name.lower() in each.lower() or each.lower() in name.lower())
    fallback = names[index] if index is not None and index < len(names) else None
    return next(similar, fallback)


def contains_wildcard(target: str) -> bool:
    """Returns whether a name is a pattern, such as ``conv_*``."""
    return any(letter in target for letter in "*?[]!")


def match_keys(keys: Iterable[str], targets: Iterable[str]) -> tuple[dict[str, str], list[str]]:
    """Matches names with ``keys``, which are names or patterns.

    Returns:
        For each of the targets that matches, the key that it matches (the last one, if there are several), and a list of
        the keys that no target matches.
    """
    patterns, names = list(keys), list(targets)
    found = {name: pattern for pattern in patterns for name in names if fnmatch.fnmatch(name, pattern)}
    used = {pattern for pattern in patterns if any(fnmatch.fnmatch(name, pattern) for name in names)}
    return found, [pattern for pattern in patterns if pattern not in used]


def key_for(name: str, keys: Iterable[str]) -> str | None:
    """Returns the one of several names and patterns that is for ``name``: the same name or else, as the most specific one,
    the longest pattern that it matches; None if there is none."""
    names = sorted(keys)
    return name if name in names else max((key for key in names if fnmatch.fnmatchcase(name, key)), key=len, default=None)


def invert_dict(dct: Mapping[Any, Any]) -> dict[Any, Any]:
    """Returns a dictionary in which keys and values have changed places."""
    return {value: key for key, value in dct.items()}


def unpack_args(args: Any, num: int) -> tuple[Any, ...]:
    """Returns the first ``num`` elements of a tuple, with None for those that it lacks."""
    given = tuple(args) if is_sequence(args) else (args,)
    return (given + (None,) * num)[:num]


def sanitize_filename(path: str) -> str:
    """Returns a path as the name of one file."""
    return path.replace(os.path.sep, "_")


def add_file_suffix(path: str, suffix: str) -> str:
    """Returns a path with a suffix before its extension."""
    stem, extension = os.path.splitext(path)
    return stem + suffix + extension


def find_in_dirs(name_glob: str, dirs: Iterable[PathLike]) -> list[str]:
    """Returns the files that match a pattern, of the first folder that has any."""
    found = (glob.glob(os.path.join(folder, name_glob)) for folder in dirs)
    return next((paths for paths in found if paths), [])


def get_file_size(src: Any) -> int:
    """Returns the bytes of a file, given by its path or as an open file; 0 if it doesn't exist."""
    if hasattr(src, "fileno"):
        return os.stat(src.fileno()).st_size
    return os.stat(src).st_size if os.path.exists(src) else 0


def makedirs(path: PathLike) -> None:
    """Creates the folder that a file will be in."""
    os.makedirs(os.path.dirname(os.path.abspath(path)), exist_ok=True)


def indent_block(block: Any, level: int = 1) -> str:
    """Returns a text with each line indented by ``4 * level`` spaces."""
    return textwrap.indent(str(block), " " * 4 * level, lambda _: True)


def check_names(given: Iterable[str], wanted: Iterable[str], where: str) -> None:
    """Raises InputError unless two sets of names are the same."""
    missing = [name for name in wanted if name not in set(given)]
    extra = [name for name in given if name not in set(wanted)]
    if missing:
        raise InputError(f"The following inputs were not found in {where}: {missing}. Given were: {list(given)}")
    if extra:
        raise InputError(f"Extra inputs in {where}: {extra}. The inputs are: {list(wanted)}")
