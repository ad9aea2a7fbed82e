"""Runs runners side by side and judges their results."""

from __future__ import annotations

import functools
import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, Literal, Union, overload

from assay import util
from assay.arguments import Seconds, Size, check_arguments
from assay.backend.base import BaseRunner
from assay.comparator.compare import AllOf, SimpleCompareFunc
from assay.comparator.data_loader import DataLoader, DataLoaderCache
from assay.comparator.stream import Row, close, infer, rows_of, run_streaming
from assay.comparator.isolate import run_isolated
from assay.comparator.struct import AccuracyResult, AccuracyResults, IterationResult, RunResults
from assay.exception import Error, InputError
from assay.logger import G_LOGGER
from assay.tables import type_text
from assay.util import PathLike
from assay.util import array as arrays

Runs = Union[RunResults, Iterable[Any]]  # results, a stream of them, or a list of either
CompareFunction = Callable[[IterationResult, IterationResult], Mapping[str, Any]]
Postprocessing = Callable[[IterationResult], IterationResult]


class Comparator:
    """Runs runners with the same inputs, and compares what they return."""

    @overload
    @staticmethod
    def run(
        runners: Iterable[BaseRunner],
        data_loader: Iterable[Any] | None = None,
        warm_up: Size | None = None,
        use_subprocess: bool | None = None,
        subprocess_timeout: Seconds | None = None,
        subprocess_polling_interval: float | None = None,
        save_inputs_path: PathLike | None = None,
        save_outputs_path: PathLike | None = None,
        save_input_blob_path: PathLike | None = None,
        streaming: Literal[False] | None = None,
    ) -> RunResults: ...
    @overload
    @staticmethod
    def run(
        runners: Iterable[BaseRunner],
        data_loader: Iterable[Any] | None = None,
        warm_up: Size | None = None,
        use_subprocess: bool | None = None,
        subprocess_timeout: Seconds | None = None,
        subprocess_polling_interval: float | None = None,
        save_inputs_path: PathLike | None = None,
        save_outputs_path: PathLike | None = None,
        save_input_blob_path: PathLike | None = None,
        *,
        streaming: Literal[True],
    ) -> Iterator[RunResults]: ...
    @staticmethod
    def run(
        runners: Iterable[BaseRunner],
        data_loader: Iterable[Any] | None = None,
        warm_up: Size | None = None,
        use_subprocess: bool | None = None,
        subprocess_timeout: Seconds | None = None,
        subprocess_polling_interval: float | None = None,
        save_inputs_path: PathLike | None = None,
        save_outputs_path: PathLike | None = None,
        save_input_blob_path: PathLike | None = None,
        streaming: bool | None = None,
    ) -> Any:
        """Runs the runners one after another, or, with ``streaming``, side by side. They must not be active.

        Args:
            runners: The runners, which may be your own subclasses of BaseRunner.
            data_loader: An iterable of dictionaries of arrays, one for each iteration. By default, one iteration of
                generated inputs. They are cast and reshaped to what each model takes. If it can have attributes, its
                ``input_metadata`` is set to the inputs of the model.
            warm_up: How many runs with the first inputs come before the first iteration. 0 by default.
            use_subprocess: Whether runners that would run in this process get a process of their own, so that a crash is
                an EngineError. The engines of this package always run in worker processes. False by default.
            subprocess_timeout: With `use_subprocess`, seconds for each runner, whatever its engine; None if unlimited.
            subprocess_polling_interval: Has no effect: nothing polls.
            save_inputs_path: A file for the inputs. A path without an extension becomes a folder, with a file for each
                iteration.
            save_outputs_path: The same for the results.
            save_input_blob_path: A folder for the raw bytes of the inputs, <iteration>/<name>.bin.
            streaming: Whether to return an iterator that runs one iteration at a time in all runners, so that the results
                of one iteration are in memory. All engines are loaded at once then. False by default.

        Returns:
            :class:`RunResults`; with ``streaming``, an iterator over such objects, one for each iteration. Give it to
            ``compare_accuracy``, or consume it yourself. Files are complete once it has ended.

        Raises:
            InputError: The inputs don't fit.
            EngineError: An engine failed.
        """
        _refuse_equal_paths(
            save_inputs_path=save_inputs_path,
            save_outputs_path=save_outputs_path,
            save_input_blob_path=save_input_blob_path,
        )
        runners = list(runners)
        if not runners:
            G_LOGGER.warning("Nothing was run: Comparator.run() got no runners")
        inputs: Iterable[Mapping[str, Any]] = DataLoader() if data_loader is None else data_loader
        if streaming:
            if warm_up or use_subprocess:
                raise InputError("streaming has no warm_up and no use_subprocess. Leave them out, or set streaming=False")
            return run_streaming(runners, inputs, save_inputs_path, save_outputs_path, save_input_blob_path)
        cache = DataLoaderCache(inputs, save_inputs_path)
        results = RunResults()
        for runner in runners:
            G_LOGGER.start(f"{runner.name:35} | Activating and starting inference")
            run_it = functools.partial(_run, runner, cache, util.default(warm_up, 0))
            if use_subprocess and (subprocess_timeout is not None or not getattr(runner, "is_isolated", False)):
                iterations, cache.cache = run_isolated(run_it, runner.name, subprocess_timeout)
            else:
                iterations, _ = run_it()
            results.append((runner.name, iterations))
        if save_input_blob_path is not None:
            _save_blobs(cache, save_input_blob_path)
        if save_outputs_path is not None:
            _save_results(results, os.path.abspath(save_outputs_path))
        return results

    @overload
    @staticmethod
    def postprocess(run_results: RunResults, postprocess_func: Postprocessing) -> RunResults: ...
    @overload
    @staticmethod
    def postprocess(run_results: Iterable[Any], postprocess_func: Postprocessing) -> Any: ...
    @staticmethod
    def postprocess(run_results: Runs, postprocess_func: Postprocessing) -> Any:
        """Replaces the results of every iteration by what ``postprocess_func`` returns for them.

        Args:
            run_results: :class:`RunResults`, a stream of them, or a list of either.
            postprocess_func: The function.

        Returns:
            ``run_results``, changed; for a stream, another stream; for a list, a list.

        Raises:
            InputError: ``postprocess_func`` returns something else than results.
        """

        def changed(results: RunResults) -> RunResults:
            for _, iterations in results.items():
                iterations[:] = [_postprocessed(iteration, postprocess_func) for iteration in iterations]
            return results

        return _for_each(run_results, changed, changed)

    @staticmethod
    def default_comparisons(run_results: RunResults) -> list[tuple[int, int]]:
        """Returns which runners are compared by default, as pairs of positions: each with the next one."""
        return [(index, index + 1) for index in range(len(run_results) - 1)]

    @staticmethod
    def compare_accuracy(
        run_results: Runs,
        fail_fast: bool = False,
        comparisons: Sequence[tuple[int, int]] | None = None,
        compare_func: CompareFunction | Sequence[CompareFunction | None] | None = None,
        check_average: bool = False,
    ) -> AccuracyResults:
        """Compares the outputs of runners, iteration by iteration.

        Args:
            run_results: What ``run`` or ``RunResults.load`` returned, a stream of such objects, or a list of either, whose
                runners are compared with one another.
            fail_fast: Whether to stop at the first iteration that differs.
            comparisons: Pairs of positions of runners; by default, each is compared with the next one.
            compare_func: A comparison function, or several. None stands for ``SimpleCompareFunc()``, in a list, too, as in
                the scripts that ``polygraphy run --gen-script`` writes. ``CompareFunc.distance_metrics()`` and
                ``quality_metrics()`` stand for two functions each.
            check_average: Whether to judge the means of metrics over all iterations, instead of each iteration.

        Returns:
            The results of each comparison function. They are true if everything agrees, and also if there is nothing to
            compare, after a warning.

        Raises:
            InputError: A position in `comparisons` doesn't exist, or two results have no output in common.
        """
        if check_average and fail_fast:
            raise InputError("check_average needs all iterations, but fail_fast stops at the first one that differs")
        given: Any = compare_func if isinstance(compare_func, (list, tuple)) else [compare_func]
        functions = [each for function in given for each in _functions_in(util.default(function, SimpleCompareFunc()))]
        aggregation = "average" if check_average else "per_sample"
        accuracies = AccuracyResults([AccuracyResult(aggregation=aggregation) for _ in functions])
        pairs: list[tuple[int, int]] | None = None
        rows = rows_of(run_results)
        try:
            for row in rows:
                if pairs is None:
                    pairs = list(util.default(comparisons, [(index, index + 1) for index in range(len(row) - 1)]))
                    _check_pairs(pairs, len(row))
                    _begin(accuracies, row, pairs)
                complete = [pair for pair in pairs if all(row[index][1] is not None for index in pair)]
                if not complete:
                    break
                if not _compare_row(accuracies, functions, row, complete) and fail_fast:
                    return accuracies
        finally:
            rows.close()
        if not pairs:
            G_LOGGER.warning("Nothing was compared: fewer than two runners have results")
        _log_summary(accuracies, functions, check_average)
        return accuracies

    @overload
    @staticmethod
    def validate(
        run_results: RunResults,
        check_inf: bool | None = None,
        check_nan: bool | None = None,
        fail_fast: bool | None = None,
    ) -> bool: ...
    @overload
    @staticmethod
    def validate(
        run_results: Iterable[Any],
        check_inf: bool | None = None,
        check_nan: bool | None = None,
        fail_fast: bool | None = None,
    ) -> Any: ...
    @staticmethod
    def validate(
        run_results: Runs,
        check_inf: bool | None = None,
        check_nan: bool | None = None,
        fail_fast: bool | None = None,
    ) -> Any:
        """Returns whether all outputs are free of certain values.

        Args:
            run_results: What ``run`` or ``RunResults.load`` returned, a stream of such objects, or a list of either.
            check_inf: Whether infinity is such a value. False by default.
            check_nan: Whether NaN is such a value. True by default.
            fail_fast: Whether to stop at the first output that has one.

        Returns:
            True or False. For a stream, a stream of the same objects, which raises an Error at the first output that has
            such a value; for a list, a list.
        """
        checks = [("NaN", "isnan")] if util.default(check_nan, True) else []
        checks += [("infinity", "isinf")] if check_inf else []

        def valid(results: RunResults) -> bool:
            found = _special_values(results, checks)
            return next(found, None) is None if fail_fast else not list(found)

        def passed_on(results: RunResults) -> RunResults:
            message = next(_special_values(results, checks), None)
            if message is not None:
                raise Error(f"{message}. Leave validate() out to see the other outputs")
            return results

        return _for_each(run_results, valid, passed_on)


def _functions_in(function: CompareFunction) -> Sequence[CompareFunction]:
    return function.functions if isinstance(function, AllOf) else [function]


def _postprocessed(iteration: IterationResult, function: Postprocessing) -> IterationResult:
    found = function(iteration)
    if not isinstance(found, Mapping):
        raise InputError(
            f"a postprocessing function returned {type_text(found)}, but must return the results of the iteration. Return "
            "the object that it gets"
        )
    if isinstance(found, IterationResult):
        return found
    return IterationResult(found, iteration.runtime, iteration.runner_name)


def _for_each(runs: Any, of_results: Callable[[RunResults], Any], of_stream: Callable[[RunResults], RunResults]) -> Any:
    """Applies a function to results, to each element of a stream, or to each element of a list of either."""
    if isinstance(runs, RunResults):
        return of_results(runs)
    if isinstance(runs, (list, tuple)):
        return [_for_each(run, of_results, of_stream) for run in runs]
    return _mapped(runs, of_stream)


def _mapped(stream: Iterable[RunResults], function: Callable[[RunResults], RunResults]) -> Iterator[RunResults]:
    try:
        for results in stream:
            yield function(results)
    finally:
        close(stream)


def _name_of(function: CompareFunction) -> str:
    """Returns the name of a comparison function for messages: "simple" of one of the package."""
    return getattr(function, "FUNCTION", "") or getattr(function, "__name__", "") or type(function).__name__


def _check_pairs(pairs: Sequence[tuple[int, int]], runners: int) -> None:
    for pair in pairs:
        if not all(-runners <= position < runners for position in pair):
            raise InputError(f"comparisons has the pair {pair}, but the positions of the runners are 0 to {runners - 1}")


def _begin(accuracies: AccuracyResults, row: Row, pairs: Sequence[tuple[int, int]]) -> None:
    for first, second in pairs:
        names = row[first][0], row[second][0]
        G_LOGGER.start(f"Accuracy Comparison | {names[0]} vs. {names[1]}")
        for accuracy in accuracies:
            accuracy[names] = []


def _compare_row(
    accuracies: AccuracyResults, functions: Sequence[CompareFunction], row: Row, pairs: Sequence[tuple[int, int]]
) -> bool:
    """Adds the comparisons of an iteration. Returns whether everything agrees."""
    passed = True
    for first, second in pairs:
        (name0, result0), (name1, result1) = row[first], row[second]
        assert result0 is not None and result1 is not None
        for accuracy, function in zip(accuracies, functions):
            found = function(result0, result1)
            if not isinstance(found, Mapping):
                raise InputError(
                    f"a comparison function returned {type_text(found)}, but must return a dictionary with a result for "
                    "each output"
                )
            accuracy[name0, name1].append(found)
            passed = passed and all(map(bool, found.values()))
    return passed


def _log_summary(accuracies: AccuracyResults, functions: Sequence[CompareFunction], check_average: bool) -> None:
    for names in accuracies.lst[0] if accuracies.lst else ():
        for accuracy, function in zip(accuracies, functions):
            passes, _, total = accuracy.stats(names)
            log = G_LOGGER.finish if passes == total else G_LOGGER.error
            which = f"{_name_of(function)} | " if len(functions) > 1 else ""
            log(f"Accuracy Summary | {names[0]} vs. {names[1]} | {which}{passes} of {total} iterations passed")
            for line, passed in accuracy.describe_average(names).values() if check_average else ():
                (G_LOGGER.finish if passed else G_LOGGER.error)(line)


def _special_values(results: RunResults, checks: Sequence[tuple[str, str]]) -> Iterator[str]:
    """Yields a line, which it logs, for each output that has such a value."""
    for runner, iterations in results.items():
        for iteration in iterations:
            for name, array in iteration.items():
                for value, function in checks:
                    if _has(array, function):
                        message = f"{runner} | Output '{name}' holds {value}"
                        G_LOGGER.error(message)
                        yield message


def _refuse_equal_paths(**paths: PathLike | None) -> None:
    given = [(name, os.path.realpath(path)) for name, path in paths.items() if path is not None]
    for index, (name, path) in enumerate(given):
        for other, other_path in given[index + 1 :]:
            if path == other_path:
                raise InputError(f"{name} and {other} are the same path, {path}. Use different ones")


def _save_results(results: RunResults, path: str) -> None:
    """Saves results to a file, or to a folder with a file for each iteration."""
    from assay import _assay

    if not _assay.is_folder_form(path):
        results.save(path)
        return
    writer = _assay.ResultsWriter(path)
    for single in results.split():
        writer.add([(dict(its[0]), its[0].runtime, its[0].runner_name) for its in single.values()])
    writer.finish()


def _has(array: Any, function: str) -> bool:
    import numpy as np

    array = arrays.to_numpy(array)
    has_special = array.dtype.kind in "fc" or array.dtype.name.startswith(("bfloat", "float"))
    return has_special and bool(getattr(np, function)(array).any())


def _run(
    runner: BaseRunner, cache: DataLoaderCache, warm_up: int
) -> tuple[list[IterationResult], Sequence[Mapping[str, Any]] | None]:
    """Returns the results, and the inputs, which another process may have loaded."""
    with runner as active:
        cache.set_input_metadata(active.get_input_metadata())
        for _ in range(warm_up):
            active.infer(cache[0])
        results = [infer(active, inputs, is_only_run=len(cache) == 1) for inputs in cache]
        return results, cache.cache


def _save_blobs(cache: DataLoaderCache, folder: PathLike) -> None:
    from assay import _assay

    for index, inputs in enumerate(cache.cache or []):
        _assay.save_blobs(os.path.abspath(folder), index, dict(inputs))


check_arguments(__name__)
