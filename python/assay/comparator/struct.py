"""Results of runs and of comparisons."""

from __future__ import annotations

import contextlib
import os
import tempfile
import time
from collections import OrderedDict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Union

from assay import util
from assay.exception import InputError, NotFoundError
from assay.json import Serializable, register

RunnerPair = tuple[str, str]


def _decode_iteration(members: dict[str, Any]) -> IterationResult:
    return IterationResult(members["outputs"], members.get("runtime"), members.get("runner_name"))


@register(
    "IterationResult",
    lambda result: {
        "outputs": {name: {"values": array, "polygraphy_class": "LazyArray"} for name, array in result.items()},
        "runtime": result.runtime,
        "runner_name": result.runner_name,
    },
    _decode_iteration,
)
class IterationResult(OrderedDict[str, Any], Serializable):
    """The outputs of one run of a model, by name.

    Args:
        outputs: An array for each output.
        runtime: Seconds that the model took, or None.
        runner_name: The runner that computed them; "custom_runner" by default.
    """

    def __init__(
        self, outputs: Mapping[str, Any] | None = None, runtime: float | None = None, runner_name: str | None = None
    ) -> None:
        super().__init__(outputs or {})
        self.runtime = runtime
        self.runner_name = util.default(runner_name, "custom_runner")

    def __eq__(self, other: object) -> bool:
        import numpy as np

        if not isinstance(other, IterationResult) or list(self) != list(other):
            return False
        return all(np.array_equal(array, other[name]) for name, array in self.items())

    def __repr__(self) -> str:
        outputs = ", ".join(f"{name}: {array.dtype}{list(array.shape)}" for name, array in self.items())
        return f"IterationResult({{{outputs}}}, runtime={self.runtime}, runner_name={self.runner_name!r})"


RunnerResults = list[IterationResult]


def _decode_run_results(members: dict[str, Any]) -> RunResults:
    return RunResults([(name, list(iterations)) for name, iterations in members["lst"]])


@register("RunResults", lambda results: {"lst": list(results)}, _decode_run_results)
class RunResults(Serializable):
    """The results of runners: like a dictionary of lists of :class:`IterationResult` by runner, and like a list of
    pairs ``(runner, iterations)`` in the order in which the runners ran.

    ``save`` and ``load`` exchange files with Polygraphy and with the command line.
    """

    def __init__(self, lst: Sequence[tuple[str, RunnerResults]] | None = None) -> None:
        self.lst: list[tuple[str, RunnerResults]] = list(lst or [])

    def items(self) -> Iterator[tuple[str, RunnerResults]]:
        """Returns the pairs of runner and iterations."""
        return iter(self.lst)

    def keys(self) -> Iterator[str]:
        """Returns the names of the runners."""
        return (name for name, _ in self.lst)

    def values(self) -> Iterator[RunnerResults]:
        """Returns the iterations of each runner."""
        return (iterations for _, iterations in self.lst)

    def append(self, pair: tuple[str, RunnerResults]) -> None:
        """Adds a runner and its iterations."""
        self.lst.append(pair)

    def extend(self, pairs: Iterable[tuple[str, RunnerResults]]) -> None:
        """Adds several runners and their iterations."""
        self.lst.extend(pairs)

    def update(self, other: RunResults) -> None:
        """Adds the runners of another object, or replaces those of the same name."""
        for name, iterations in other.items():
            self[name] = iterations

    def add(self, out_list: Sequence[Mapping[str, Any]], runtime: float | None = None, runner_name: str | None = None) -> None:
        """Adds a runner from dictionaries of arrays, one for each iteration.

        Args:
            out_list: The outputs of each iteration.
            runtime: Seconds that an iteration took.
            runner_name: The runner; by default, a new name.
        """
        name = util.default(runner_name, f"custom_runner-{len(self.lst)}-{time.strftime('%X')}")
        self[name] = [IterationResult(outputs, runtime, name) for outputs in out_list]

    @staticmethod
    def concat(runs: Sequence[RunResults]) -> RunResults:
        """Returns the iterations of several objects, joined by runner."""
        joined = RunResults()
        for run in runs:
            for name, iterations in run.items():
                joined[name] = (joined[name] if name in joined else []) + list(iterations)
        return joined

    def split(self) -> list[RunResults]:
        """Returns an object for each iteration, with all runners that have it."""
        count = max((len(iterations) for iterations in self.values()), default=0)
        return [
            RunResults([(name, [iterations[index]]) for name, iterations in self.lst if index < len(iterations)])
            for index in range(count)
        ]

    def save(self, dest: Any) -> None:
        """Writes the results to a file, given by its path or as an open file."""
        from assay import _assay

        runners = [
            (name, [(dict(each), each.runtime, each.runner_name) for each in iterations]) for name, iterations in self.lst
        ]
        if not hasattr(dest, "write"):
            path = os.path.abspath(os.fspath(dest))
            os.makedirs(os.path.dirname(path), exist_ok=True)
            _assay.save_results(runners, path)
            return
        with tempfile.NamedTemporaryFile("r", suffix=".json", encoding="utf-8") as file:
            _assay.save_results(runners, file.name)
            with open(file.name, encoding="utf-8") as written:
                dest.write(written.read())

    def to_json(self) -> str:
        """Returns the results as JSON."""
        import io

        text = io.StringIO()
        self.save(text)
        return text.getvalue()

    @classmethod
    def load(cls, src: Any) -> RunResults:
        """Reads results from a file, a folder of files, or an open file."""
        from assay import _assay

        if hasattr(src, "read"):
            results: RunResults = cls.from_json(src.read())
            return results
        return RunResults(
            [
                (name, [IterationResult(outputs, runtime, runner) for outputs, runtime, runner in iterations])
                for name, iterations in _assay.load_results(os.path.abspath(os.fspath(src)))
            ]
        )

    def __iter__(self) -> Iterator[tuple[str, RunnerResults]]:
        return iter(self.lst)

    def __len__(self) -> int:
        return len(self.lst)

    def __contains__(self, name: object) -> bool:
        return any(name == each for each in self.keys())

    def __getitem__(self, key: Union[str, int]) -> Any:
        if isinstance(key, int):
            return self.lst[key]
        return self.lst[self._index(key)][1]

    def __setitem__(self, key: Union[str, int], value: Any) -> None:
        if isinstance(key, int):
            self.lst[key] = value
            return
        with contextlib.suppress(NotFoundError):
            self.lst[self._index(key)] = (key, value)
            return
        self.lst.append((key, value))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, RunResults) and self.lst == other.lst

    def __repr__(self) -> str:
        return f"RunResults({self.lst!r})"

    def _index(self, name: str) -> int:
        for index, (each, _) in enumerate(self.lst):
            if each == name:
                return index
        raise NotFoundError(f"{name} does not exist in this RunResults instance. Its runners are {list(self.keys())}")


Comparison = Mapping[str, Any]  # the result for each output


@register(
    "AccuracyResult",
    lambda result: {"lst": [[list(pair), each] for pair, each in result.items()], "aggregation": result.aggregation},
    lambda members: AccuracyResult(
        [(tuple(pair), each) for pair, each in members["lst"]], members.get("aggregation", "per_sample")
    ),
)
class AccuracyResult(OrderedDict[RunnerPair, list[Comparison]], Serializable):
    """What one comparison function found: for each pair of runners, a list with a dictionary for each iteration, which
    has a result for each output. It is true if everything agrees.

    Args:
        dct: The contents.
        aggregation: "per_sample" judges each iteration by itself, "average" the means of the metrics over all of them.
    """

    def __init__(self, dct: Any = None, aggregation: str = "per_sample") -> None:
        super().__init__({} if dct is None else dct)
        self.aggregation = aggregation

    def __bool__(self) -> bool:
        if self.aggregation == "average":
            return all(all(map(bool, self.average_results(pair).values())) for pair in self)
        return all(_agree(comparison) for comparisons in self.values() for comparison in comparisons)

    def stats(self, runner_pair: RunnerPair | None = None) -> tuple[int, int, int]:
        """Returns how many iterations agree, how many differ, and how many there are.

        Args:
            runner_pair: The runners; by default, the first pair.
        """
        comparisons = self[self._pair(runner_pair)]
        passed = sum(map(_agree, comparisons))
        return passed, len(comparisons) - passed, len(comparisons)

    def percentage(self, runner_pair: RunnerPair | None = None) -> float:
        """Returns the fraction of the iterations that agree, from 0 to 1; 1 if there are no iterations."""
        passed, _, total = self.stats(runner_pair)
        return passed / total if total else 1.0

    def output_names(self) -> list[str]:
        """Returns the names of all outputs that were compared."""
        return util.unique_list(
            name for comparisons in self.values() for comparison in comparisons for name in comparison
        )

    def average_results(self, runner_pair: RunnerPair | None = None) -> OrderedDict[str, Any]:
        """Returns a result for each output whose metrics are the means over the iterations. Outputs without metrics are
        judged by all iterations."""
        comparisons = self[self._pair(runner_pair)]
        averages: OrderedDict[str, Any] = OrderedDict()
        for name in util.unique_list(name for comparison in comparisons for name in comparison):
            results = [comparison[name] for comparison in comparisons if name in comparison]
            metrics = [result for result in results if hasattr(result, "averaged_with")]
            if metrics and all(results[index] for index in range(len(results)) if results[index] not in metrics):
                averages[name] = metrics[0].averaged_with(metrics[1:])
            else:
                averages[name] = all(map(bool, results))
        return averages

    def _pair(self, pair: RunnerPair | None) -> RunnerPair:
        if pair is None and len(self) == 0:
            raise InputError("there are no comparisons in this AccuracyResult")
        return next(iter(self)) if pair is None else pair


def _agree(comparison: Comparison) -> bool:
    return all(map(bool, comparison.values()))


@register(
    "AccuracyResults",
    lambda results: {"lst": list(results)},
    lambda members: AccuracyResults(members["lst"]),
)
class AccuracyResults(Serializable):
    """What several comparison functions found: a list of :class:`AccuracyResult`. It is true if everything agrees.

    ``percentage``, ``stats`` and pairs of runners as indices refer to the first comparison function.
    """

    def __init__(self, lst: Sequence[AccuracyResult] | None = None) -> None:
        self.lst = list(lst or [])

    def __bool__(self) -> bool:
        return all(map(bool, self.lst))

    def __len__(self) -> int:
        return len(self.lst)

    def __iter__(self) -> Iterator[AccuracyResult]:
        return iter(self.lst)

    def __getitem__(self, key: Union[int, RunnerPair]) -> Any:
        return self.lst[key] if isinstance(key, int) else self.lst[0][key]

    def append(self, result: AccuracyResult) -> None:
        """Adds what a comparison function found."""
        self.lst.append(result)

    def extend(self, results: Iterable[AccuracyResult]) -> None:
        """Adds what several comparison functions found."""
        self.lst.extend(results)

    def percentage(self, runner_pair: RunnerPair | None = None) -> float:
        """Returns the fraction of the iterations that agree, from 0 to 1."""
        return self.lst[0].percentage(runner_pair)

    def stats(self, runner_pair: RunnerPair | None = None) -> tuple[int, int, int]:
        """Returns how many iterations agree, how many differ, and how many there are."""
        return self.lst[0].stats(runner_pair)

    def output_names(self) -> list[str]:
        """Returns the names of all outputs that were compared."""
        return util.unique_list(name for result in self.lst for name in result.output_names())

    def __repr__(self) -> str:
        return f"AccuracyResults({self.lst!r})"
