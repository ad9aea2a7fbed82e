"""Calibration of int8: from a cache, or with data that Assay hands to the worker in files."""

from __future__ import annotations

import os
import zipfile
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from assay.arguments import check_arguments
from assay.backend.trt.network import Network
from assay.backend.trt.profile import Profile
from assay.backend.trt.remote import Remote
from assay.backend.trt.settings import Settings, absolute_path, enumerator, words
from assay.common import TensorMetadata
from assay.comparator.data_loader import specs_of
from assay.exception import InputError
from assay.util import array as arrays

_TYPES = ("float32", "int32", "int64", "bool")  # TensorRT calibrates with these types only


class Calibrator(Remote):
    """Calibrates int8. The worker reads the cache if that file exists; else it calibrates with the data and writes it.

    Args:
        data_loader: An iterable of dictionaries of arrays, one for each batch: a list, or a
            :class:`assay.comparator.DataLoader`, which learns the model's inputs. All batches must have the same shapes.
            None if there is a cache.
        cache: The file of the calibration cache.
        BaseClass: The calibrator's class in TensorRT, or its name: "IInt8EntropyCalibrator2" by default,
            "IInt8MinMaxCalibrator", "IInt8EntropyCalibrator" or "IInt8LegacyCalibrator".
        batch_size: Must be None: the shapes of the batches decide.
        quantile: For IInt8LegacyCalibrator.
        regression_cutoff: For IInt8LegacyCalibrator.
        algo: Must be None: no class of TensorRT 10 uses it.
    """

    KIND = "calibrator"
    INSTEAD = "Its data loader and its cache are given to Calibrator"

    data_loader: Iterable[Mapping[str, Any]] | None
    settings: Settings
    cache: str | None

    def __init__(
        self,
        data_loader: Iterable[Mapping[str, Any]] | None = None,
        cache: str | os.PathLike[str] | None = None,
        BaseClass: Any = None,  # noqa: N803 (Polygraphy's name)
        batch_size: int | None = None,
        quantile: float | None = None,
        regression_cutoff: float | None = None,
        algo: Any = None,
    ) -> None:
        for name, value in (("batch_size", batch_size), ("algo", algo)):
            if value is not None:
                raise InputError(f"{name} has no effect in TensorRT 10. Leave it out")
        if data_loader is None and cache is None:
            raise InputError("a calibrator needs data or a cache. Give a data_loader, or the file of a cache")
        base = getattr(BaseClass, "__name__", None) or (None if BaseClass is None else enumerator(BaseClass))
        file = None if cache is None else absolute_path(cache, "cache")
        given = {"--calib-base-cls": base, "--quantile": quantile, "--regression-cutoff": regression_cutoff}
        self._set(data_loader=data_loader, cache=file, settings=words({"--calibration-cache": file, **given}))

    @property
    def has_cache(self) -> bool:
        """Whether the cache exists, so that no data are needed."""
        return self.cache is not None and os.path.exists(self.cache) and os.path.getsize(self.cache) > 0

    def save_batches(self, network: Network, profiles: Sequence[Profile], folder: Path) -> None:
        """Writes the data to files for the worker: "0.npz" and so on.

        Args:
            network: The network whose inputs the data are for.
            profiles: Those of the engine. Dynamic dimensions of generated inputs have the `opt` sizes of the last profile.
            folder: An existing folder.

        Raises:
            InputError: There are no data, or they don't fit the network's inputs.
        """
        from assay import _assay

        if self.data_loader is None:
            raise InputError(f"there is no calibration cache {self.cache}. Give a data_loader, which then writes it")
        metadata = _metadata(network, profiles[-1] if profiles else Profile())
        if getattr(self.data_loader, "input_metadata", self) is None:
            self.data_loader.input_metadata = metadata  # type: ignore[attr-defined]
        count = 0
        for batch in self.data_loader:
            inputs = {name: arrays.to_numpy(value) for name, value in batch.items()}
            _write_npz(folder / f"{count}.npz", _assay.fit_inputs(inputs, specs_of(metadata)))
            count += 1
        if count == 0:
            raise InputError("the calibrator's data loader has no inputs. A generator can be used only once: pass a list")

    def __repr__(self) -> str:
        return f"Calibrator(data_loader={self.data_loader!r}, cache={self.cache!r})"


def _metadata(network: Network, profile: Profile) -> TensorMetadata:
    metadata = TensorMetadata()
    for port in network.inputs():
        dtype = port.dtype if port.dtype in _TYPES else "float32"
        shapes = profile.shapes_of(port.name)
        metadata.add(port.name, dtype, port.shape if shapes is None else shapes.opt)
    return metadata


def _write_npz(file: Path, batch: Mapping[str, Any]) -> None:
    """Writes arrays of any names; ``numpy.savez`` can't write one that is called "file"."""
    import numpy as np

    with zipfile.ZipFile(file, "w") as archive:
        for name, array in batch.items():
            with archive.open(f"{name}.npy", "w", force_zip64=True) as entry:
                np.lib.format.write_array(entry, np.ascontiguousarray(array), allow_pickle=False)


check_arguments(__name__)
