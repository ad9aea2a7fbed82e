"""Optimisation profiles: the shapes of inputs for which an engine is built."""

from __future__ import annotations

import operator
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from assay import util
from assay.arguments import check_arguments
from assay.backend.trt.network import network_of
from assay.backend.trt.settings import Settings
from assay.exception import InputError, NotFoundError


@dataclass(frozen=True)
class ShapeTuple:
    """The shapes of an input in a profile. For an input that contains a shape (a shape tensor), these are its values.

    Attributes:
        min: The smallest one.
        opt: The one for which TensorRT optimises.
        max: The largest one.
    """

    min: tuple[int, ...]
    opt: tuple[int, ...]
    max: tuple[int, ...]

    def __iter__(self) -> Any:
        yield from (self.min, self.opt, self.max)


class Profile(dict[str, ShapeTuple]):
    """The shapes of inputs by name, or by a wildcard for several names, such as "past_*".

    If an input isn't in it, the dynamic dimensions of this input are 1.
    """

    def add(self, name: str, min: Sequence[int], opt: Sequence[int], max: Sequence[int]) -> Profile:
        """Adds the shapes of an input, and returns this profile.

        Args:
            name: The name of the input.
            min: The smallest shape.
            opt: The shape for which TensorRT optimises.
            max: The largest shape.

        Raises:
            InputError: One of them isn't a list of whole numbers.
        """
        self[name] = ShapeTuple(_sizes(name, "min", min), _sizes(name, "opt", opt), _sizes(name, "max", max))
        return self

    def fill_defaults(self, network: Any, default_shape_value: int | None = None) -> Profile:
        """Adds those inputs of a network with dynamic dimensions that the profile lacks, and returns this profile.

        Args:
            network: What :func:`assay.backend.trt.network_from_onnx_path` returns.
            default_shape_value: The size of dynamic dimensions. 1 by default.
        """
        for port in network_of(network).inputs():
            if self.shapes_of(port.name) is None and port.shape is not None and util.is_shape_dynamic(port.shape):
                shape = util.override_dynamic_shape(port.shape, default_shape_value)
                self.add(port.name, shape, shape, shape)
        return self

    def shapes_of(self, name: str) -> ShapeTuple | None:
        """Returns the shapes of an input: those of its name, or else of the longest wildcard that stands for it.

        Args:
            name: The name of the input.
        """
        key = util.key_for(name, self)
        return None if key is None else self[key]

    def __missing__(self, name: str) -> ShapeTuple:
        raise NotFoundError(f"the profile has no input '{name}'. It has: {', '.join(self) or 'none'}")

    def __repr__(self) -> str:
        calls = (f".add({name!r}, min={s.min}, opt={s.opt}, max={s.max})" for name, s in self.items())
        return "Profile()" + "".join(calls)


def _sizes(name: str, bound: str, shape: Any) -> tuple[int, ...]:
    try:
        return tuple(operator.index(size) for size in shape)
    except TypeError:
        raise InputError(
            f"the {bound} shape of '{name}' in a profile is {shape!r}. Give a list of whole numbers, such as (1, 3, 224, 224)"
        ) from None


def encode_profiles(profiles: Sequence[Profile]) -> Settings:
    """Returns the settings of the profiles, which belong together by their position."""
    if isinstance(profiles, Profile) or not all(isinstance(profile, Profile) for profile in profiles):
        raise InputError(f"profiles must be a list of Profile objects, but is {profiles!r}")
    settings: Settings = {}
    for bound in ("min", "opt", "max"):
        for profile in profiles:
            words = [f"{name}:[{','.join(map(str, getattr(shapes, bound)))}]" for name, shapes in profile.items()]
            settings.setdefault(f"--trt-{bound}-shapes", []).append(words)
    return settings


check_arguments(__name__)
