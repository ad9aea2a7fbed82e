"""Tactic replays: which implementation TensorRT chose for each layer of an engine. They are recorded while an engine is
built, saved in Polygraphy's format, and replayed in another build::

    recorder = TacticRecorder("replay.json")
    engine_from_network(network, CreateConfig(algorithm_selector=recorder))
    engine_from_network(network, CreateConfig(algorithm_selector=TacticReplayer("replay.json")))

The worker does both. `assay inspect tactics` shows a replay, and `diff-tactics` what only bad replays have.
"""

from __future__ import annotations

import contextlib
import os
import tempfile
from collections import OrderedDict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from assay import util
from assay.backend.trt.remote import Remote
from assay.backend.trt.settings import Settings, words
from assay.exception import InputError, NotFoundError
from assay.serialization import Serializable, register


def _integer(value: Any, what: str) -> int:
    if isinstance(value, bool) or not isinstance(value, int):
        raise InputError(f"{what} must be an integer, but is {value!r}")
    return value


@register(
    "TensorInfo",
    lambda info: {
        "dtype": info.dtype,
        "strides": info.strides,
        "vectorized_dim": info.vectorized_dim,
        "components_per_element": info.components_per_element,
    },
    lambda members: TensorInfo(
        members["dtype"], members["strides"], members["vectorized_dim"], members["components_per_element"]
    ),
)
class TensorInfo:
    """An input or output of a layer as a tactic reads or writes it.

    Args:
        dtype: The element type: one of ``tensorrt.DataType``, or its name, such as "FLOAT" or "DataType.FLOAT".
        strides: The strides.
        vectorized_dim: The index of the dimension that is vectorised; -1 if there is none, None if it isn't known.
        components_per_element: The number of components per element, or None.
    """

    def __init__(
        self,
        dtype: Any,
        strides: Sequence[int],
        vectorized_dim: int | None,
        components_per_element: int | None,
    ) -> None:
        name = dtype if isinstance(dtype, str) else getattr(dtype, "name", None)
        if not isinstance(name, str):
            raise InputError(f"dtype must be an element type of TensorRT, but is {dtype!r}. Give its name, such as 'FLOAT'")
        if not isinstance(strides, Sequence) or isinstance(strides, str):
            raise InputError(f"strides must be a sequence of integers, but is {strides!r}")
        self.dtype = name if name.startswith("DataType.") else f"DataType.{name}"
        self.strides = tuple(_integer(stride, "a stride") for stride in strides)
        self.vectorized_dim = None if vectorized_dim is None else _integer(vectorized_dim, "vectorized_dim")
        self.components_per_element = (
            None if components_per_element is None else _integer(components_per_element, "components_per_element")
        )

    @staticmethod
    def from_trt(io_info: Any) -> TensorInfo:
        """Returns what a ``tensorrt.IAlgorithmIOInfo`` describes."""
        return TensorInfo(
            io_info.dtype,
            tuple(io_info.strides),
            getattr(io_info, "vectorized_dim", None),
            getattr(io_info, "components_per_element", None),
        )

    def __eq__(self, other: object) -> bool:
        return isinstance(other, TensorInfo) and vars(self) == vars(other)

    def __hash__(self) -> int:
        return hash(tuple(vars(self).values()))

    def __repr__(self) -> str:
        return f"TensorInfo({self.dtype}, {self.strides}, {self.vectorized_dim}, {self.components_per_element})"


def _tensors(given: Iterable[Any], what: str) -> tuple[TensorInfo, ...]:
    tensors = tuple(given)
    for index, tensor in enumerate(tensors):
        if not isinstance(tensor, TensorInfo):
            raise InputError(f"{what}[{index}] must be a TensorInfo, but is {tensor!r}")
    return tensors


@register(
    "Algorithm",
    lambda algorithm: {
        "implementation": algorithm.implementation,
        "tactic": algorithm.tactic,
        "inputs": algorithm.inputs,
        "outputs": algorithm.outputs,
    },
    lambda members: Algorithm(members["implementation"], members["tactic"], members["inputs"], members["outputs"]),
)
class Algorithm:
    """A tactic: what computes a layer.

    Args:
        implementation: The number of the implementation.
        tactic: The number of the tactic.
        inputs: The tensors that it reads.
        outputs: The tensors that it writes.
    """

    def __init__(
        self, implementation: int, tactic: int, inputs: Iterable[TensorInfo], outputs: Iterable[TensorInfo]
    ) -> None:
        self.implementation = _integer(implementation, "implementation")
        self.tactic = _integer(tactic, "tactic")
        self.inputs = _tensors(inputs, "inputs")
        self.outputs = _tensors(outputs, "outputs")

    @staticmethod
    def from_trt(context: Any, algorithm: Any) -> Algorithm:
        """Returns what a ``tensorrt.IAlgorithm`` describes, for a ``tensorrt.IAlgorithmContext``."""
        count = context.num_inputs + context.num_outputs
        tensors = [TensorInfo.from_trt(algorithm.get_algorithm_io_info(index)) for index in range(count)]
        variant = algorithm.algorithm_variant
        return Algorithm(
            variant.implementation, variant.tactic, tensors[: context.num_inputs], tensors[context.num_inputs :]
        )

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Algorithm) and vars(self) == vars(other)

    def __hash__(self) -> int:
        return hash(tuple(vars(self).values()))

    def __repr__(self) -> str:
        return f"Algorithm({self.implementation}, {self.tactic}, {self.inputs}, {self.outputs})"


@register(
    "TacticReplayData",
    lambda replay: {"replay": dict(replay)},
    lambda members: TacticReplayData(members["replay"]),
)
class TacticReplayData(OrderedDict[str, Algorithm], Serializable):
    """The tactic of each layer, by its name.

    ``save`` and ``load`` exchange files with Polygraphy and with the command line.

    Args:
        replay: Tactics to begin with.
    """

    def __init__(self, replay: Mapping[str, Algorithm] | None = None) -> None:
        super().__init__()
        self.update(replay or {})

    def __setitem__(self, name: str, algorithm: Algorithm) -> None:
        if not isinstance(name, str) or not isinstance(algorithm, Algorithm):
            raise InputError(f"a replay must have an Algorithm for the name of each layer, but got {name!r}: {algorithm!r}")
        super().__setitem__(name, algorithm)

    def add(self, name: str, algorithm: Algorithm) -> TacticReplayData:
        """Sets the tactic of a layer.

        Args:
            name: The layer.
            algorithm: Its tactic.

        Returns:
            This replay.
        """
        self[name] = algorithm
        return self

    def __str__(self) -> str:
        return "\n".join(f"Layer: {name}\n    Algorithm: {algorithm}" for name, algorithm in self.items())


class TacticSelector(Remote):
    """Records or chooses tactics in TensorRT's worker. The base of TacticRecorder and TacticReplayer.

    Attributes:
        data: The tactics.
    """

    KIND = "algorithm selector"
    INSTEAD = "`data` has the tactics, as a TacticReplayData"

    data: TacticReplayData

    def settings(self) -> contextlib.AbstractContextManager[Settings]:
        """Returns a context for one build: the worker's settings for it."""
        raise NotImplementedError


class TacticRecorder(TacticSelector):
    """Records which tactics TensorRT chooses, for ``CreateConfig(algorithm_selector=...)``.

    Args:
        record: Where to store the tactics after each build: a path, a file that is open for writing text, or a
            :class:`TacticReplayData`.
    """

    def __init__(self, record: Any) -> None:
        is_data = isinstance(record, TacticReplayData)
        if not is_data and not isinstance(record, (str, os.PathLike)) and not hasattr(record, "write"):
            raise InputError(f"record must be a path, an open file or a TacticReplayData, but is {record!r}")
        self._set(data=record if is_data else TacticReplayData(), path=None if is_data else record)

    path: Any

    @contextlib.contextmanager
    def settings(self) -> Iterator[Settings]:
        with tempfile.TemporaryDirectory(prefix="assay-") as folder:
            file = os.path.join(folder, "replay.json")
            yield words({"--save-tactics": file})
            self.data.update(TacticReplayData.load(file))
        if self.path is not None:
            self.data.save(self.path)

    def __repr__(self) -> str:
        return f"TacticRecorder({self.data if self.path is None else self.path!r})"


class TacticReplayer(TacticSelector):
    """Makes TensorRT choose the tactics of a replay, for ``CreateConfig(algorithm_selector=...)``.

    A layer that isn't in the replay is left to TensorRT, with a warning. If TensorRT doesn't offer a tactic of the replay,
    the build fails.

    Args:
        replay: A path, a file that is open for reading text, or a :class:`TacticReplayData`.

    Raises:
        NotFoundError: There is no such file.
        InputError: It isn't a replay.
    """

    def __init__(self, replay: Any) -> None:
        if isinstance(replay, (str, os.PathLike)) and not os.path.isfile(replay):
            raise NotFoundError(f"there is no tactic replay {os.fspath(replay)!r}. Check the path")
        is_readable = isinstance(replay, (str, os.PathLike)) or hasattr(replay, "read")
        if not is_readable and not isinstance(replay, TacticReplayData):
            raise InputError(f"replay must be a path, an open file or a TacticReplayData, but is {replay!r}")
        self._set(data=TacticReplayData.load(replay) if is_readable else replay)

    @contextlib.contextmanager
    def settings(self) -> Iterator[Settings]:
        with tempfile.TemporaryDirectory(prefix="assay-") as folder:
            file = os.path.join(folder, "replay.json")
            util.save_file(self.data.to_json(), file, "w")
            yield words({"--load-tactics": file})

    def __repr__(self) -> str:
        return f"TacticReplayer(<{len(self.data)} layers>)"


__all__ = ["Algorithm", "TacticRecorder", "TacticReplayData", "TacticReplayer", "TensorInfo"]
