"""Inputs: generated, or given by the caller."""

from __future__ import annotations

import contextlib
import os
from collections import OrderedDict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Union

from assay import constants, util
from assay.arguments import Size, check_arguments
from assay.common import TensorMetadata
from assay.exception import InputError
from assay.logger import G_LOGGER
from assay.tables import counted, type_text
from assay.util import PathLike
from assay.util import array as arrays

Range = tuple[Union[float, None], Union[float, None]]  # None: the default
Ranges = Union[Range, dict[str, Range]]

NO_INPUTS = "the data loader has no inputs. A generator can be used only once: pass a list"


def specs_of(metadata: TensorMetadata) -> list[tuple[str, Any, list[int]]]:
    """Returns the declarations as the extension takes them: unknown dimensions are -1."""
    return [
        (
            name,
            None if meta.dtype is None else meta.dtype.numpy(),
            [-1 if util.is_dimension_dynamic(dim) else dim for dim in meta.shape or []],
        )
        for name, meta in metadata.items()
    ]


class DataLoader:
    """Generates inputs: bit for bit those that Polygraphy generates for the same shapes and arguments.

    It is a sequence: ``loader[2]`` returns the inputs of iteration 2, whether or not earlier ones were requested.

    Args:
        seed: The seed of iteration 0; iteration i has the seed ``seed + i``. 1 by default.
        iterations: How many iterations there are. 1 by default.
        input_metadata: Element types and shapes of inputs, by name or by a pattern for several, such as ``"token_*"``. By
            default, those of the model, in which unknown dimensions become their least size, or else the greatest, or what
            their names imply (the size of another input's dimension of that name, or a sum such as ``past + 1``), or 1.
        val_range: The least and the greatest value, or a dictionary of such pairs by input, in which "" stands for all
            others. Integers include both numbers, floating-point values are below the second one. (0, 1) by default.
        data_loader_backend_module: "numpy", or "torch" for tensors of PyTorch that its own generator fills.
        int_range: The same as ``val_range``, for integers only.
        float_range: The same as ``val_range``, for floating-point inputs only.
    """

    def __init__(
        self,
        seed: int | None = None,
        iterations: Size | None = None,
        input_metadata: TensorMetadata | None = None,
        val_range: Ranges | None = None,
        data_loader_backend_module: str | None = None,
        *,
        int_range: Ranges | None = None,
        float_range: Ranges | None = None,
    ) -> None:
        self.seed = util.default(seed, constants.DEFAULT_SEED)
        self.iterations = util.default(iterations, 1)
        self.user_input_metadata = util.default(input_metadata, TensorMetadata())
        self.input_metadata: TensorMetadata | None = None
        self._int_range, self._float_range = int_range, float_range
        self._val_range: Ranges = (0.0, 1.0) if val_range is None else val_range
        self.data_loader_backend_module = util.default(data_loader_backend_module, "numpy")
        if self.data_loader_backend_module not in ("numpy", "torch"):
            raise InputError(f"inputs can be arrays of 'numpy' or 'torch', not '{self.data_loader_backend_module}'")

    def __len__(self) -> int:
        return self.iterations

    def __iter__(self) -> Iterator[OrderedDict[str, Any]]:
        return (self[index] for index in range(self.iterations))

    def __getitem__(self, index: int) -> OrderedDict[str, Any]:
        """Returns the inputs of an iteration by name.

        Raises:
            IndexError: There is no such iteration. Negative numbers don't count from the end.
            InputError: A range or a shape isn't possible.
        """
        from assay import _assay

        if not 0 <= index < self.iterations:
            raise IndexError(f"there is no iteration {index}: the loader has {counted(self.iterations, 'iteration')}, counted from 0")
        metadata, shapes = self._inputs()
        types = {name: meta.dtype for name, meta in metadata.items()}
        ranges = {name: self._range(name, types.get(name)) for name in [*types, *self._names_with_ranges()]}
        generated = _assay.generate(specs_of(metadata), self.seed, index, (0.0, 1.0), ranges, shapes)
        if self.data_loader_backend_module == "torch":
            constant = {name for name, array in generated.items() if array.tolist() == shapes.get(name)}
            return _fill_by_torch(generated, ranges, constant, self.seed + index)
        return OrderedDict(generated)

    def _inputs(self) -> tuple[TensorMetadata, dict[str, list[int]]]:
        """Returns the inputs to generate, and the shapes that the user wants for them.

        Shapes for unknown inputs are included, and so are their ranges in ``__getitem__``: the extension warns of them.
        """
        if self.input_metadata is None and not self.user_input_metadata:
            raise InputError("the inputs are unknown: give input_metadata, or use the data loader in Comparator.run()")
        metadata = util.default(self.input_metadata, self.user_input_metadata)
        _, unmatched = util.match_keys(self.user_input_metadata, metadata)
        merged = TensorMetadata()
        shapes: dict[str, list[int]] = {}
        for name, meta in metadata.items():
            key = util.key_for(name, self.user_input_metadata)
            wanted = meta if key is None else self.user_input_metadata[key]
            merged.add(name, util.default(wanted.dtype, meta.dtype), meta.shape)
            if key is not None and wanted.shape is not None and not util.is_shape_dynamic(wanted.shape):
                shapes[name] = list(wanted.shape)
            elif meta.shape is not None and (bound := util.default(meta.shape.min, meta.shape.max)) is not None:
                shapes[name] = list(bound)
        shapes = shapes_by_names(merged, shapes)
        for name in unmatched:
            if name not in metadata:  # a name such as x[0] doesn't match itself
                shapes[name] = []
        return merged, shapes

    def _names_with_ranges(self) -> list[str]:
        given = (self._val_range, self._int_range, self._float_range)
        return [name for ranges in given if isinstance(ranges, dict) for name in ranges if name]

    def _range(self, name: str, dtype: Any) -> tuple[float, float]:
        is_integer = dtype is not None and dtype.is_integral
        ranges = util.default(self._int_range if is_integer else self._float_range, self._val_range)
        low, high = util.value_or_from_dict(ranges, name, (0.0, 1.0))
        return util.default(low, 0.0), util.default(high, 1.0)

    def __repr__(self) -> str:
        return (
            f"DataLoader(seed={self.seed}, iterations={self.iterations}, input_metadata={self.user_input_metadata!r}, "
            f"val_range={self._val_range})"
        )


def _fill_by_torch(
    arrays_by_name: dict[str, Any], ranges: dict[str, tuple[float, float]], constant: set[str], seed: int
) -> OrderedDict[str, Any]:
    """Returns tensors of these shapes and types with values of PyTorch's generator. `constant`: inputs that hold a shape."""
    import torch

    generator = torch.Generator().manual_seed(seed)
    filled: OrderedDict[str, Any] = OrderedDict()
    for name, array in arrays_by_name.items():
        tensor = arrays.to_torch(array)
        low, high = ranges[name]
        if tensor.dtype.is_floating_point:
            tensor = torch.rand(tensor.shape, generator=generator, dtype=tensor.dtype) * (high - low) + low
        elif name not in constant and not tensor.dtype.is_complex:
            least, most = (int(bool(end)) if tensor.dtype == torch.bool else int(end) for end in (low, high))
            tensor = torch.randint(least, most + 1, tensor.shape, generator=generator, dtype=tensor.dtype)
        filled[name] = tensor
    return filled


def shapes_by_names(metadata: TensorMetadata, given: dict[str, list[int]]) -> dict[str, list[int]]:
    """Returns the given shapes, and those of further inputs that follow from the names of dimensions."""
    from assay import _assay

    declared: list[tuple[str, list[int | str]]] = []
    for name, meta in metadata.items():
        if meta.shape is None:
            continue
        dims = (-1 if dim is None else dim for dim in meta.shape)
        declared.append((name, [dim if isinstance(dim, str) else int(dim) for dim in dims]))
    return _assay.shapes_by_names(declared, given)


class StreamingDataLoader:
    """Reads saved inputs iteration by iteration, so that only one is in memory.

    Args:
        paths: A file, a folder with a file for each iteration, or a list of them, whose iterations follow one another.
        allow_dirs: Whether folders are allowed.

    Attributes:
        input_metadata: The inputs of the model, which ``Comparator.run`` and others set; None if they are unknown. An array
            that isn't one of them is left out, with a warning, if it can't be read.
    """

    def __init__(self, paths: PathLike | Sequence[PathLike], allow_dirs: bool = True) -> None:
        self.paths = paths
        self.allow_dirs = allow_dirs
        self.input_metadata: TensorMetadata | None = None

    def __iter__(self) -> Iterator[OrderedDict[str, Any]]:
        """Yields the inputs of each iteration by name.

        Raises:
            NotFoundError: There is no such file.
            InputError: A file holds something else, or a folder isn't allowed.
        """
        from assay import _assay

        names = list(self.input_metadata or ())
        for path in util.list_of_paths(self.paths, self.allow_dirs):
            reader = _assay.InputsReader(path)
            while (inputs := reader.next(names)) is not None:
                yield OrderedDict(inputs)

    def __repr__(self) -> str:
        return f"StreamingDataLoader({self.paths!r}, allow_dirs={self.allow_dirs})"


def check_inputs(inputs: Any) -> None:
    """Raises InputError unless an object has the inputs of an iteration by name."""
    if isinstance(inputs, Mapping) or (hasattr(inputs, "keys") and hasattr(inputs, "items")):
        return
    raise InputError(
        f"the data loader returned {type_text(inputs)}, but each iteration must be a dictionary of "
        "arrays by name. For one iteration, pass a list with one dictionary"
    )


def declare_inputs(loader: Any, metadata: TensorMetadata) -> None:
    """Tells a data loader which inputs a model takes, unless it can't have attributes, as a list or a generator can't."""
    with contextlib.suppress(AttributeError):
        loader.input_metadata = metadata


def fit(inputs: Mapping[str, Any], metadata: TensorMetadata) -> dict[str, Any]:
    """Returns the inputs of an iteration: cast, transposed or reshaped to the inputs of a runner, if necessary."""
    from assay import _assay

    given = dict(inputs)
    specs = specs_of(metadata)
    if any(dtype is None for _, dtype, _ in specs):
        return given
    fitted = _assay.fit_inputs(given, specs)
    return {name: _of_kind(given.get(name), array) for name, array in fitted.items()}


def _of_kind(given: Any, fitted: Any) -> Any:
    """Returns a fitted array; in place of a tensor of PyTorch, a tensor, which is the given one if that has fitted."""
    if not util.is_torch(given):
        return fitted
    fits = arrays.dtype(given) == arrays.dtype(fitted) and arrays.shape(given) == arrays.shape(fitted)
    return given if fits else arrays.to_torch(fitted)


def fit_or_reload(inputs: Mapping[str, Any], metadata: TensorMetadata, loader: Any, index: int) -> dict[str, Any]:
    """Returns the inputs of an iteration: cast, transposed or reshaped to the inputs of a runner, if necessary.

    Those that still don't fit come from the data loader again, which is told the inputs of this runner. The others stay as
    they are, so that runners of different models share what they can.
    """
    try:
        return fit(inputs, metadata)
    except InputError:
        if isinstance(loader, (list, tuple)) or not hasattr(loader, "__getitem__"):
            raise
    declare_inputs(loader, metadata)
    reloaded = loader[index]
    shared = {name: inputs[name] for name in metadata if _fits(inputs, name, metadata)}
    replaced = [name for name in metadata if name not in shared and name in reloaded]
    G_LOGGER.warning(f"Earlier inputs don't fit this model, so the data loader is asked again for {replaced}")
    return fit({**reloaded, **shared}, metadata)


def _fits(inputs: Mapping[str, Any], name: str, metadata: TensorMetadata) -> bool:
    try:
        fit({name: inputs[name]}, TensorMetadata({name: metadata[name]}))
    except (KeyError, InputError):
        return False
    return True


class DataLoaderCache:
    """Passes the same inputs to every runner, fitted to the inputs of its model.

    Args:
        data_loader: An iterable of dictionaries of arrays. Its attribute ``input_metadata`` is set to the inputs of each
            runner.
        save_inputs_path: A file to which the inputs are saved, a folder if the path has no extension, or None.
    """

    def __init__(self, data_loader: Iterable[Any], save_inputs_path: PathLike | None = None) -> None:
        self.data_loader = data_loader
        self.save_inputs_path = save_inputs_path
        self.cache: Sequence[Mapping[str, Any]] | None = None
        self.input_metadata = TensorMetadata()

    def set_input_metadata(self, input_metadata: TensorMetadata) -> None:
        """Sets the inputs that the next runner takes. The first call loads all inputs."""
        self.input_metadata = input_metadata
        declare_inputs(self.data_loader, input_metadata)
        if self.cache is not None:
            return
        self.cache = list(self.data_loader)
        for inputs in self.cache:
            check_inputs(inputs)
        if not self.cache:
            raise InputError(NO_INPUTS)
        if self.save_inputs_path is not None:
            from assay import _assay

            path = os.path.abspath(self.save_inputs_path)
            os.makedirs(os.path.dirname(path), exist_ok=True)
            writer = _assay.InputsWriter(path)
            for inputs in self.cache:
                writer.add(dict(inputs))
            writer.finish()

    def __len__(self) -> int:
        return len(self.cache or [])

    def __getitem__(self, index: int) -> dict[str, Any]:
        """Returns the inputs of an iteration as the runner takes them; see :func:`fit_or_reload`."""
        return fit_or_reload((self.cache or [])[index], self.input_metadata, self.data_loader, index)

    def __iter__(self) -> Iterator[dict[str, Any]]:
        return (self[index] for index in range(len(self)))


check_arguments(__name__)
