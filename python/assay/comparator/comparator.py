"""Runs runners side by side and judges their results."""

from __future__ import annotations

import functools
import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from assay import util
from assay.backend.base import BaseRunner
from assay.comparator.compare import SimpleCompareFunc
from assay.comparator.data_loader import DataLoader, DataLoaderCache
from assay.comparator.isolate import run_isolated
from assay.comparator.struct import AccuracyResult, AccuracyResults, IterationResult, RunResults
from assay.exception import InputError
from assay.logger import G_LOGGER

CompareFunction = Callable[[IterationResult, IterationResult], Mapping[str, Any]]


class Comparator:
    """Runs runners with the same inputs, and compares what they return."""

    @staticmethod
    def run(
        runners: Sequence[BaseRunner],
        data_loader: Iterable[Mapping[str, Any]] | None = None,
        warm_up: int | None = None,
        use_subprocess: bool | None = None,
        subprocess_timeout: float | None = None,
        subprocess_polling_interval: float | None = None,
        save_inputs_path: str | None = None,
        save_outputs_path: str | None = None,
        save_input_blob_path: str | None = None,
    ) -> RunResults:
        """Runs the runners one after another. They must not be active.

        Args:
            runners: The runners, which may be your own subclasses of BaseRunner.
            data_loader: An iterable of dictionaries of arrays, one for each iteration. By default, one iteration of
                generated inputs. They are cast and reshaped to what each model takes.
            warm_up: How many runs with the first inputs come before the first iteration. 0 by default.
            use_subprocess: Whether runners that would run in this process get a process of their own, so that a crash is
                an EngineError. The engines of this package always run in worker processes. False by default.
            subprocess_timeout: Seconds for each such process; None if unlimited.
            subprocess_polling_interval: Has no effect: nothing polls.
            save_inputs_path: A file for the inputs.
            save_outputs_path: A file for the results.
            save_input_blob_path: A folder for the raw bytes of the inputs, <iteration>/<name>.bin.

        Raises:
            InputError: The inputs don't fit.
            EngineError: An engine failed.
        """
        inputs: Iterable[Mapping[str, Any]] = DataLoader() if data_loader is None else data_loader
        cache = DataLoaderCache(inputs, save_inputs_path)
        results = RunResults()
        for runner in runners:
            if not isinstance(runner, BaseRunner):
                raise InputError(f"{getattr(runner, 'name', runner)} is not a runner: derive its class from BaseRunner")

            G_LOGGER.start(f"{runner.name:35} | Activating and starting inference")
            run_it = functools.partial(_run, runner, cache, util.default(warm_up, 0))
            if use_subprocess and not getattr(runner, "is_isolated", False):
                iterations, cache.cache = run_isolated(run_it, runner.name, subprocess_timeout)
            else:
                iterations, _ = run_it()
            results.append((runner.name, iterations))
        if save_input_blob_path is not None:
            _save_blobs(cache, save_input_blob_path)
        if save_outputs_path is not None:
            results.save(save_outputs_path)
        return results

    @staticmethod
    def postprocess(
        run_results: RunResults, postprocess_func: Callable[[IterationResult], IterationResult]
    ) -> RunResults:
        """Replaces every iteration by what ``postprocess_func`` returns for it. Returns ``run_results``."""
        for _, iterations in run_results.items():
            iterations[:] = [postprocess_func(iteration) for iteration in iterations]
        return run_results

    @staticmethod
    def default_comparisons(run_results: RunResults) -> list[tuple[int, int]]:
        """Returns which runners are compared by default, as pairs of positions: each with the next one."""
        return [(index, index + 1) for index in range(len(run_results) - 1)]

    @staticmethod
    def compare_accuracy(
        run_results: RunResults,
        fail_fast: bool = False,
        comparisons: Sequence[tuple[int, int]] | None = None,
        compare_func: CompareFunction | Sequence[CompareFunction] | None = None,
        check_average: bool = False,
    ) -> AccuracyResults:
        """Compares the outputs of runners, iteration by iteration.

        Args:
            run_results: What ``run`` or ``RunResults.load`` returned.
            fail_fast: Whether to stop at the first iteration that differs.
            comparisons: Pairs of positions of runners; by default, each is compared with the next one.
            compare_func: A comparison function, or several. ``CompareFunc.simple()`` by default.
            check_average: Whether to judge the means of metrics over all iterations, instead of each iteration.

        Returns:
            The results of each comparison function. They are true if everything agrees.
        """
        chosen: Any = util.default(compare_func, SimpleCompareFunc())
        functions = list(chosen) if isinstance(chosen, (list, tuple)) else [chosen]
        aggregation = "average" if check_average else "per_sample"
        accuracies = AccuracyResults([AccuracyResult(aggregation=aggregation) for _ in functions])
        pairs = util.default(comparisons, Comparator.default_comparisons(run_results))
        for first, second in pairs:
            (name0, iterations0), (name1, iterations1) = run_results[first], run_results[second]
            G_LOGGER.start(f"Accuracy Comparison | {name0} vs. {name1}")
            if len(iterations0) != len(iterations1):
                G_LOGGER.warning(
                    f"{name0} has {len(iterations0)} iterations, but {name1} has {len(iterations1)}; "
                    "the others aren't compared"
                )
            for accuracy in accuracies:
                accuracy[name0, name1] = []
            for result0, result1 in zip(iterations0, iterations1):
                passed = True
                for accuracy, function in zip(accuracies, functions):
                    found = function(result0, result1)
                    accuracy[name0, name1].append(found)
                    passed = passed and all(map(bool, found.values()))
                if fail_fast and not passed:
                    return accuracies
            for accuracy in accuracies:
                passes, _, total = accuracy.stats((name0, name1))
                log = G_LOGGER.finish if passes == total else G_LOGGER.error
                log(f"Accuracy Summary | {name0} vs. {name1} | {passes} of {total} iterations passed")
        return accuracies

    @staticmethod
    def validate(
        run_results: RunResults,
        check_inf: bool | None = None,
        check_nan: bool | None = None,
        fail_fast: bool | None = None,
    ) -> bool:
        """Returns whether all outputs are free of certain values.

        Args:
            run_results: What ``run`` or ``RunResults.load`` returned.
            check_inf: Whether infinity is such a value. False by default.
            check_nan: Whether NaN is such a value. True by default.
            fail_fast: Whether to stop at the first output that has one.
        """
        checks = [("NaN", "isnan")] if util.default(check_nan, True) else []
        checks += [("infinity", "isinf")] if check_inf else []
        outputs = (
            (runner, name, array)
            for runner, iterations in run_results.items()
            for iteration in iterations
            for name, array in iteration.items()
        )
        valid = True
        for runner, name, array in outputs:
            for value, function in checks:
                if not _has(array, function):
                    continue
                G_LOGGER.error(f"{runner} | Output '{name}' holds {value}")
                valid = False
                if fail_fast:
                    return False
        return valid


def _has(array: Any, function: str) -> bool:
    import numpy as np

    array = np.asarray(array)
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
        results = []
        for inputs in cache:
            outputs = active.infer(inputs)
            results.append(IterationResult(outputs, active.inference_time, active.name))
        return results, cache.cache


def _save_blobs(cache: DataLoaderCache, folder: str) -> None:
    from assay import _assay

    for index, inputs in enumerate(cache.cache or []):
        _assay.save_blobs(os.path.abspath(folder), index, dict(inputs))
