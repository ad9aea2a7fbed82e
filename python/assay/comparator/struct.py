"""Results of runs and of comparisons."""

from __future__ import annotations

import contextlib
import os
import tempfile
from collections import OrderedDict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Union

from assay import util
from assay.arguments import check_arguments
from assay.comparator.accuracy_report import Judgement, RunnerPair, accuracy_html, accuracy_report
from assay.comparator.result import CompareResult, Threshold, UlpResult, UlpThreshold
from assay.exception import InputError, NotFoundError
from assay.serialization import Serializable, register, save_json
from assay.tables import counted, shape_text, short_html_table, type_text
from assay.util import PathLike

Thresholds = Union[Threshold, Mapping[str, Threshold]]


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

    def copy(self) -> IterationResult:
        """Returns a new object with the same arrays, runtime and runner."""
        return IterationResult(self, self.runtime, self.runner_name)

    def __eq__(self, other: object) -> bool:
        import numpy as np

        if not isinstance(other, IterationResult) or self.keys() != other.keys():
            return False
        return all(np.array_equal(array, other[name]) for name, array in self.items())

    def __ne__(self, other: object) -> bool:
        return not self == other  # OrderedDict's would need the truth of an array

    def __repr__(self) -> str:
        outputs = ", ".join(f"{name}: {_array_text(array)}" for name, array in self.items())
        return f"IterationResult({{{outputs}}}, runtime={self.runtime}, runner_name={self.runner_name!r})"


def _array_text(array: Any) -> str:
    return f"{array.dtype}{list(array.shape)}" if hasattr(array, "dtype") else type_text(array)


def _type_and_shape(array: Any) -> tuple[str, str]:
    return (str(array.dtype), shape_text(array.shape)) if hasattr(array, "dtype") else (type_text(array), "")


def _milliseconds(seconds: float | None) -> str:
    return "" if seconds is None else f"{seconds * 1000:.3g} ms"


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
            runner_name: The runner, whose results are replaced if there are any; "custom_runner" by default.
        """
        name = util.default(runner_name, "custom_runner")
        self[name] = [IterationResult(outputs, runtime, name) for outputs in out_list]

    @staticmethod
    def concat(runs: Iterable[RunResults]) -> RunResults:
        """Returns the iterations of several objects, joined by runner."""
        joined = RunResults()
        for run in runs:
            for name, iterations in run.items():
                joined[name] = (joined[name] if name in joined else []) + list(iterations)
        return joined

    def split(self) -> Iterator[RunResults]:
        """Yields an object for each iteration, with all runners that have it."""
        count = max((len(iterations) for iterations in self.values()), default=0)
        for index in range(count):
            yield RunResults([(name, [iterations[index]]) for name, iterations in self.lst if index < len(iterations)])

    def save(self, dest: Any) -> None:
        """Writes the results to a file, given by its path or as an open file."""
        from assay import _assay

        runners = [
            (name, [(dict(each), each.runtime, each.runner_name) for each in iterations]) for name, iterations in self.lst
        ]
        if len(set(self.keys())) < len(self.lst):  # the extension would give one of them the iterations of both
            save_json(self, dest)
            return
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
            results: RunResults = cls.from_json(util.load_file(src))
            return results
        return RunResults(
            [
                (name, [IterationResult(outputs, runtime, runner) for outputs, runtime, runner in iterations])
                for name, iterations in _assay.load_results(os.path.abspath(os.fspath(src)))
            ]
        )

    @staticmethod
    def load_streaming(path: PathLike | Sequence[PathLike], allow_dirs: bool = True) -> Iterator[RunResults]:
        """Reads results iteration by iteration, so that only one is in memory.

        Args:
            path: A file, a folder with a file for each iteration, or a list of them, whose iterations follow one another.
            allow_dirs: Whether folders are allowed.

        Yields:
            An object for each iteration, with all runners that have it.

        Raises:
            NotFoundError: There is no such file.
            InputError: A file holds something else, or a folder isn't allowed.
        """
        from assay import _assay

        for file in util.list_of_paths(path, allow_dirs):
            reader = _assay.ResultsReader(file)
            runners = reader.runners()
            for index in range(max((count for _, count in runners), default=0)):
                yield RunResults(
                    [
                        (name, [IterationResult(*reader.read(position, index))])
                        for position, (name, count) in enumerate(runners)
                        if index < count
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

    def _repr_html_(self) -> str:
        rows = [
            (runner, index, output, *_type_and_shape(array), _milliseconds(iteration.runtime))
            for runner, iterations in self.lst
            for index, iteration in enumerate(iterations)
            for output, array in iteration.items()
        ]
        title = f"Results of {counted(len(self.lst), 'runner')}"
        return short_html_table(title, ("Runner", "Iteration", "Output", "Type", "Shape", "Time of the iteration"), rows)

    def _index(self, name: str) -> int:
        for index, (each, _) in enumerate(self.lst):
            if each == name:
                return index
        raise NotFoundError(f"{name} does not exist in this RunResults instance. Its runners are {list(self.keys())}")


Comparison = Mapping[str, Any]  # the result for each output


def _encode_accuracy(result: AccuracyResult) -> dict[str, Any]:
    """Returns the members as the command line writes them: Polygraphy has no metric for ULP distances, so its part of the file
    has verdicts, and the metrics are stored separately."""
    lst = [(list(pair), comparisons) for pair, comparisons in result.items()]
    if not any(isinstance(each, UlpResult) for _, comparisons in lst for comparison in comparisons for each in comparison.values()):
        return {"lst": lst, "aggregation": result.aggregation}
    return {
        "lst": [[pair, [{name: bool(each) for name, each in one.items()} for one in comparisons]] for pair, comparisons in lst],
        "assay_metrics": [[{name: _ulp_members(each) for name, each in one.items()} for one in comparisons] for _, comparisons in lst],
        "aggregation": result.aggregation,
    }


def _ulp_members(result: Any) -> Any:
    if not isinstance(result, UlpResult):
        return bool(result)
    limits = {} if result.thresholds is None else vars(result.thresholds)
    return {**result.metric_values(), "thresholds": dict(limits)}


def _decode_accuracy(members: dict[str, Any]) -> AccuracyResult:
    lst = [(tuple(pair), comparisons) for pair, comparisons in members["lst"]]
    for (_, comparisons), all_metrics in zip(lst, members.get("assay_metrics", [])):
        for comparison, metrics in zip(comparisons, all_metrics):
            for name, values in metrics.items():
                if isinstance(values, dict) and "max_ulp" in values:
                    comparison[name] = UlpResult(values["max_ulp"], UlpThreshold(values["thresholds"].get("threshold", 0.0)))
    return AccuracyResult(lst, members.get("aggregation", "per_sample"))


@register("AccuracyResult", _encode_accuracy, _decode_accuracy)
class AccuracyResult(OrderedDict[RunnerPair, list[Comparison]], Serializable):
    """The results of one comparison function: for each pair of runners, a list with a dictionary for each iteration, which
    has a result for each output. It is true if everything agrees.

    Args:
        dct: The contents.
        aggregation: "per_sample" judges each iteration by itself, "average" the means of the metrics over all of them.
    """

    def __init__(self, dct: Any = None, aggregation: str = "per_sample") -> None:
        super().__init__({} if dct is None else dct)
        self.aggregation = aggregation

    def copy(self) -> AccuracyResult:
        """Returns a new object with the same comparisons and aggregation."""
        return AccuracyResult(self, self.aggregation)

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
        if len(self) == 0:
            return 1.0
        passed, _, total = self.stats(runner_pair)
        return passed / total if total else 1.0

    def output_names(self) -> list[str]:
        """Returns the names of all outputs that were compared."""
        return util.unique_list(
            name for comparisons in self.values() for comparison in comparisons for name in comparison
        )

    def average_results(self, runner_pair: RunnerPair | None = None) -> OrderedDict[str, Any]:
        """Returns, for each output, a result whose metrics are the means over the iterations. Outputs without metrics are
        judged by all iterations.

        Args:
            runner_pair: The runners; by default, the first pair.
        """
        comparisons = self[self._pair(runner_pair)]
        averages: OrderedDict[str, Any] = OrderedDict()
        for name in util.unique_list(name for comparison in comparisons for name in comparison):
            results = [comparison[name] for comparison in comparisons if name in comparison]
            metrics = [result for result in results if isinstance(result, CompareResult)]
            results_without_metrics = [result for result in results if not isinstance(result, CompareResult)]
            if metrics and all(results_without_metrics):
                averages[name] = metrics[0].averaged_with(metrics[1:])
            else:
                averages[name] = all(map(bool, results))
        return averages

    def describe_average(self, runner_pair: RunnerPair | None = None) -> OrderedDict[str, tuple[str, bool]]:
        """Returns, for each output, a line about the mean of its metric and the limit, and whether it is within. Outputs
        that have no metric, or more than one (:class:`OutputCompareResult`), are left out.

        Args:
            runner_pair: The runners; by default, the first pair.
        """
        described: OrderedDict[str, tuple[str, bool]] = OrderedDict()
        for name, result in self.average_results(runner_pair).items():
            line = result.describe() if isinstance(result, CompareResult) else None
            if line is not None:
                described[name] = line
        return described

    def rows(self) -> list[dict[str, Any]]:
        """Returns a dictionary for each output of each iteration, as :meth:`AccuracyResults.rows` describes it."""
        return [
            {
                "runner0": pair[0],
                "runner1": pair[1],
                "iteration": iteration,
                "output": output,
                "passed": bool(result),
                **(result.metric_values() if isinstance(result, CompareResult) else {}),
            }
            for pair, judged in _judgements([self])
            for iteration, output, result in judged
        ]

    def metric_fields(self) -> list[str]:
        """Returns the names of the metrics that were compared; none if the results are only True or False."""
        results = (result for each in self.values() for comparison in each for result in comparison.values())
        return next((result.metric_fields() for result in results if isinstance(result, CompareResult)), [])

    def reevaluate(self, thresholds: Thresholds, aggregation: str | None = None) -> AccuracyResult:
        """Judges the stored metrics by other limits, in place, and returns this object.

        Args:
            thresholds: The limits, or a dictionary of limits by output; "" stands for all others.
            aggregation: "per_sample" or "average"; by default, it stays.

        Raises:
            InputError: An output has no limits, or not the metrics that they are for.
        """
        _judge_again([(self, thresholds)], aggregation)
        return self

    def save_report(self, path: PathLike) -> None:
        """Writes the metrics, limits and verdicts as an HTML page, one file with tables.

        Args:
            path: The file, which is replaced if it exists.
        """
        accuracy_report(_judgements([self])).save(path)

    def _repr_html_(self) -> str:
        return accuracy_html(_judgements([self]))

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, dict):
            return NotImplemented
        return super().__eq__(other) and self.aggregation == getattr(other, "aggregation", self.aggregation)

    def __ne__(self, other: object) -> bool:
        return not self == other

    def _pair(self, pair: RunnerPair | None) -> RunnerPair:
        if pair is None and len(self) == 0:
            raise InputError("there are no comparisons in this AccuracyResult")
        return next(iter(self)) if pair is None else pair


def _judgements(results: Sequence[AccuracyResult]) -> list[tuple[RunnerPair, list[Judgement]]]:
    """Returns the results that decide about each pair of runners of each comparison function."""
    return [(pair, _judged(result, pair)) for result in results for pair in result]


def _judged(result: AccuracyResult, pair: RunnerPair) -> list[Judgement]:
    if result.aggregation == "average":
        return [(None, output, each) for output, each in result.average_results(pair).items()]
    return [
        (iteration, output, each)
        for iteration, comparison in enumerate(result[pair])
        for output, each in comparison.items()
    ]


def _agree(comparison: Comparison) -> bool:
    return all(map(bool, comparison.values()))


def _judge_again(pairs: Sequence[tuple[AccuracyResult, Thresholds]], aggregation: str | None) -> None:
    """Judges stored metrics by other limits. If this raises an error, nothing has changed."""
    if aggregation not in (None, "per_sample", "average"):
        raise InputError(f"aggregation must be 'per_sample' or 'average', but is '{aggregation}'")
    changes = [
        (result, _limits_of(name, result, thresholds))
        for accuracy, thresholds in pairs
        for comparisons in accuracy.values()
        for comparison in comparisons
        for name, result in comparison.items()
    ]
    for result, limits in changes:
        result.set_thresholds(limits)
    for accuracy, _ in pairs:
        accuracy.aggregation = util.default(aggregation, accuracy.aggregation)


def _limits_of(name: str, result: Any, thresholds: Thresholds) -> Threshold:
    """Returns the limits for a result of an output."""
    limits = util.value_or_from_dict(thresholds, name)
    if limits is None:
        raise InputError(f"there are no limits for the output '{name}'. Give some for it, or for '', which is all others")
    if not isinstance(result, CompareResult):
        raise InputError(
            f"the result of the output '{name}' has no metrics: the shapes differ, or the function only says whether "
            "outputs agree. Compare the outputs again"
        )
    fields = result.metric_fields()
    if not set(limits.metric_fields()) <= set(fields):
        raise InputError(
            f"the result of the output '{name}' has the metrics {fields}, but the limits are for "
            f"{limits.metric_fields()}. Give limits for its metrics"
        )
    checked: Threshold = limits
    checked.passed(result.metric_values())  # fails if the metrics don't tell
    return checked


@register(
    "AccuracyResults",
    lambda results: {"lst": list(results)},
    lambda members: AccuracyResults(members["lst"]),
)
class AccuracyResults(Serializable):
    """The results of several comparison functions: a list of :class:`AccuracyResult`. It is true if everything agrees.

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
        return self.lst[key] if isinstance(key, int) else self._first()[key]

    def _repr_html_(self) -> str:
        return accuracy_html(_judgements(self.lst))

    def _first(self) -> AccuracyResult:
        if not self.lst:
            raise InputError("there are no comparisons in this AccuracyResults")
        return self.lst[0]

    def append(self, result: AccuracyResult) -> None:
        """Adds what a comparison function found."""
        self.lst.append(result)

    def extend(self, results: Iterable[AccuracyResult]) -> None:
        """Adds what several comparison functions found."""
        self.lst.extend(results)

    def percentage(self, runner_pair: RunnerPair | None = None) -> float:
        """Returns the fraction of the iterations that agree, from 0 to 1."""
        return self._first().percentage(runner_pair)

    def stats(self, runner_pair: RunnerPair | None = None) -> tuple[int, int, int]:
        """Returns how many iterations agree, how many differ, and how many there are."""
        return self._first().stats(runner_pair)

    def output_names(self) -> list[str]:
        """Returns the names of all outputs that were compared."""
        return util.unique_list(name for result in self.lst for name in result.output_names())

    def rows(self) -> list[dict[str, Any]]:
        """Returns a dictionary for each output of each iteration, for ``pandas.DataFrame(results.rows())``.

        The keys are "runner0", "runner1", "iteration" (None if the means over all iterations are judged), "output",
        "passed", and the names of the metrics of the comparison function.
        """
        return [row for result in self.lst for row in result.rows()]

    def reevaluate(self, thresholds: Thresholds | Sequence[Thresholds], aggregation: str | None = None) -> AccuracyResults:
        """Judges stored metrics by other limits, in place, and returns this object. The limits choose the comparisons by
        their metrics; comparisons that none of them is for are removed.

        Args:
            thresholds: Limits, as for :meth:`AccuracyResult.reevaluate`, or a list of them in any order.
            aggregation: "per_sample" or "average"; by default, it stays.

        Raises:
            InputError: No comparison has the metrics of some of the limits.
        """
        given: Any = [thresholds] if isinstance(thresholds, (Threshold, Mapping)) else list(thresholds)
        remaining = list(self.lst)
        pairs: list[tuple[AccuracyResult, Thresholds]] = []
        for limits in given:
            first = next(iter(limits.values()), None) if isinstance(limits, Mapping) else limits
            if first is None:
                raise InputError("a dictionary of limits is empty. Give the limits of at least one output, or of ''")
            fields = first.metric_fields()
            match = next((result for result in remaining if result.metric_fields() == fields), None)
            if match is None:
                known = [result.metric_fields() for result in self.lst]
                raise InputError(f"no comparison has the metrics {fields}. The metrics are {known}")
            remaining.remove(match)
            pairs.append((match, limits))
        _judge_again(pairs, aggregation)
        self.lst = [match for match, _ in pairs]
        return self

    def save_report(self, path: PathLike) -> None:
        """Writes the metrics, limits and verdicts as an HTML page, one file with tables.

        Args:
            path: The file, which is replaced if it exists.
        """
        accuracy_report(_judgements(self.lst)).save(path)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, AccuracyResults) and self.lst == other.lst

    def __repr__(self) -> str:
        return f"AccuracyResults({self.lst!r})"


check_arguments(__name__)
