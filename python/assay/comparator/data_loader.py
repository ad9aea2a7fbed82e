"""Inputs: generated, or given by the caller."""

from __future__ import annotations

import os
from collections import OrderedDict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Union

from assay import constants, util
from assay.common import TensorMetadata
from assay.exception import InputError

Range = tuple[float, float]
Ranges = Union[Range, dict[str, Range]]


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
    """Generates inputs: bit for bit those that Polygraphy generates with the same arguments.

    It is a sequence: ``loader[2]`` returns the inputs of iteration 2, whatever was asked for before.

    Args:
        seed: The seed of iteration 0; iteration i has the seed ``seed + i``. 1 by default.
        iterations: How many iterations there are. 1 by default.
        input_metadata: Element types and shapes of inputs. By default, those of the model, with 1 for unknown
            dimensions.
        int_range: The least and the greatest value of integers, both included; for each input by its name, "" stands for
            all others. ``val_range`` by default.
        float_range: The same for floating-point inputs; values are below the second number.
        val_range: The same for all element types. (0, 1) by default.
        data_loader_backend_module: "numpy", or "torch" for tensors of PyTorch.
    """

    def __init__(
        self,
        seed: int | None = None,
        iterations: int | None = None,
        input_metadata: TensorMetadata | None = None,
        int_range: Ranges | None = None,
        float_range: Ranges | None = None,
        val_range: Ranges | None = None,
        data_loader_backend_module: str | None = None,
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
            IndexError: There are fewer iterations.
            InputError: A range or a shape isn't possible.
        """
        from assay import _assay

        if index >= self.iterations:
            raise IndexError(f"there are {self.iterations} iterations")
        metadata, shapes = self._inputs()
        ranges = {name: self._range(name, meta.dtype) for name, meta in metadata.items()}
        arrays = _assay.generate(specs_of(metadata), self.seed, index, (0.0, 1.0), ranges, shapes)
        if self.data_loader_backend_module == "torch":
            from assay.util.array import to_torch

            arrays = {name: to_torch(array) for name, array in arrays.items()}
        return OrderedDict(arrays)

    def _inputs(self) -> tuple[TensorMetadata, dict[str, list[int]]]:
        """Returns the inputs to generate, and the shapes that the user wants for them."""
        if self.input_metadata is None and not self.user_input_metadata:
            raise InputError("the inputs are unknown: give input_metadata, or use the data loader in Comparator.run()")
        metadata = util.default(self.input_metadata, self.user_input_metadata)
        merged, shapes = TensorMetadata(), {}
        for name, meta in metadata.items():
            wanted = self.user_input_metadata.get(name, meta)
            merged.add(name, util.default(wanted.dtype, meta.dtype), meta.shape)
            if wanted.shape is not None and not util.is_shape_dynamic(wanted.shape):
                shapes[name] = list(wanted.shape)
            elif meta.shape is not None and meta.shape.min is not None:
                shapes[name] = list(meta.shape.min)
        return merged, shapes

    def _range(self, name: str, dtype: Any) -> Range:
        is_integer = dtype is not None and dtype.is_integral
        ranges = util.default(self._int_range if is_integer else self._float_range, self._val_range)
        low, high = util.value_or_from_dict(ranges, name, (0.0, 1.0))
        return low, high

    def __repr__(self) -> str:
        return (
            f"DataLoader(seed={self.seed}, iterations={self.iterations}, input_metadata={self.user_input_metadata!r}, "
            f"val_range={self._val_range})"
        )


class DataLoaderCache:
    """Gives every runner the same inputs, fitted to what its model takes.

    Args:
        data_loader: An iterable of dictionaries of arrays. A :class:`DataLoader` learns the inputs from the first runner.
        save_inputs_path: A file to which the inputs are saved, or None.
    """

    def __init__(self, data_loader: Iterable[Mapping[str, Any]], save_inputs_path: str | None = None) -> None:
        self.data_loader = data_loader
        self.save_inputs_path = save_inputs_path
        self.cache: Sequence[Mapping[str, Any]] | None = None
        self.input_metadata = TensorMetadata()

    def set_input_metadata(self, input_metadata: TensorMetadata) -> None:
        """Sets the inputs that the next runner takes. The first call loads all inputs."""
        self.input_metadata = input_metadata
        if self.cache is not None:
            return
        if getattr(self.data_loader, "input_metadata", self) is None:
            self.data_loader.input_metadata = input_metadata  # type: ignore[attr-defined]
        self.cache = list(self.data_loader)
        for inputs in self.cache:
            if not isinstance(inputs, Mapping):
                raise InputError(
                    f"the data loader returned a {type(inputs).__name__}, but each iteration must be a dictionary of arrays "
                    "by name. For one iteration, pass a list with one dictionary"
                )
        if not self.cache:
            raise InputError("the data loader has no inputs. A generator can be used only once: pass a list")
        if self.save_inputs_path is not None:
            from assay import _assay

            path = os.path.abspath(self.save_inputs_path)
            os.makedirs(os.path.dirname(path), exist_ok=True)
            _assay.save_inputs([dict(inputs) for inputs in self.cache], path)

    def __len__(self) -> int:
        return len(self.cache or [])

    def __getitem__(self, index: int) -> dict[str, Any]:
        """Returns the inputs of an iteration: cast, transposed or reshaped to the inputs of the runner, if necessary."""
        from assay import _assay

        inputs = dict((self.cache or [])[index])
        specs = specs_of(self.input_metadata)
        if any(dtype is None for _, dtype, _ in specs) or any(map(util.is_torch, inputs.values())):
            return inputs
        return _assay.fit_inputs(inputs, specs)

    def __iter__(self) -> Iterator[dict[str, Any]]:
        return (self[index] for index in range(len(self)))
