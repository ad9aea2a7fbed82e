"""Runs that hold the results of one iteration in memory at a time, and results as rows, one for each iteration."""

from __future__ import annotations

import contextlib
import copy
import os
from collections.abc import Generator, Iterable, Iterator, Mapping, Sequence
from typing import Any, Optional

from assay.backend.base import BaseRunner
from assay.comparator.data_loader import NO_INPUTS, check_inputs, declare_inputs, fit_or_reload
from assay.comparator.struct import IterationResult, RunResults
from assay.exception import InputError
from assay.logger import G_LOGGER
from assay.tables import type_text
from assay.util import PathLike, is_torch

# One iteration: each runner with its result, or None if it has fewer iterations than others.
Row = list[tuple[str, Optional[IterationResult]]]


def run_streaming(
    runners: Sequence[BaseRunner],
    inputs: Iterable[Mapping[str, Any]],
    inputs_path: PathLike | None,
    outputs_path: PathLike | None,
    blobs_path: PathLike | None,
) -> Generator[RunResults, None, None]:
    """Yields the results of each iteration. The arguments are those of :meth:`Comparator.run`."""
    from assay import _assay

    if not runners:
        return
    with contextlib.ExitStack() as stack:
        metadata = []
        for runner in runners:
            G_LOGGER.start(f"{runner.name:35} | Activating and starting inference")
            stack.enter_context(runner)
            metadata.append(runner.get_input_metadata())
        declare_inputs(inputs, metadata[0])
        inputs_file = None if inputs_path is None else _assay.InputsWriter(_new_file(inputs_path))
        outputs_file = None if outputs_path is None else _assay.ResultsWriter(_new_file(outputs_path))
        try:
            index = -1
            for index, given in enumerate(inputs):
                check_inputs(given)
                if inputs_file is not None:
                    inputs_file.add(dict(given))
                if blobs_path is not None:
                    _assay.save_blobs(os.path.abspath(blobs_path), index, dict(given))
                row = [
                    infer(runner, fit_or_reload(given, declared, inputs, index))
                    for runner, declared in zip(runners, metadata)
                ]
                declare_inputs(inputs, metadata[0])  # the loader may have been asked for the inputs of another runner
                if outputs_file is not None:
                    outputs_file.add([(dict(result), result.runtime, result.runner_name) for result in row])
                yield RunResults([(result.runner_name, [result]) for result in row])
            if index < 0:
                raise InputError(NO_INPUTS)
        finally:
            for file in (inputs_file, outputs_file):
                if file is not None:
                    file.finish()


def _new_file(path: PathLike) -> str:
    absolute = os.path.abspath(path)
    os.makedirs(os.path.dirname(absolute), exist_ok=True)
    return absolute


def infer(runner: BaseRunner, inputs: dict[str, Any], is_only_run: bool = False) -> IterationResult:
    """Runs a model once.

    Args:
        runner: An active runner.
        inputs: The inputs by name, as the model takes them.
        is_only_run: Whether the runner isn't used again while the result is needed. Otherwise its outputs are copied,
            since a runner of the user may return the same arrays each time. Runners of this package return new ones.
    """
    outputs = runner.infer(inputs)
    if not is_only_run and not getattr(runner, "is_isolated", False):
        outputs = {name: _copied(array) for name, array in outputs.items()}
    return IterationResult(outputs, runner.inference_time, runner.name)


def _copied(array: Any) -> Any:
    # copy.deepcopy() refuses tensors that PyTorch has computed with a gradient.
    return array.detach().clone() if is_torch(array) else copy.deepcopy(array)


def rows_of(runs: Any) -> Generator[Row, None, None]:
    """Yields the iterations of results, of a stream of results, or of a list of either, side by side.

    Streams are closed at the end, and when the generator is closed.
    """
    given = list(runs) if isinstance(runs, (list, tuple)) else [runs]
    streams = [_rows_of_one(run) for run in given]
    names: list[list[str]] = []
    warned = False
    try:
        while True:
            parts = [next(stream, None) for stream in streams]
            if all(part is None for part in parts):
                break
            if not names:
                names = [[name for name, _ in part or []] for part in parts]
            if not warned and any(result is None for part in parts for _, result in part or [("", None)]):
                warned = True
                G_LOGGER.warning("The runners have different numbers of iterations; those that some lack aren't compared")
            yield _joined(parts, names)
    finally:
        for stream, run in zip(streams, given):
            stream.close()
            close(run)


def _joined(parts: Sequence[Row | None], names: Sequence[Sequence[str]]) -> Row:
    row: Row = []
    for part, known in zip(parts, names):
        ended: Row = [(name, None) for name in known]
        found = ended if part is None else part
        if [name for name, _ in found] != list(known):
            raise InputError(
                f"an iteration has the runners {[name for name, _ in found]}, but the first one has {list(known)}. All "
                "iterations of a stream must have the same runners"
            )
        row += found
    return row


def _rows_of_one(run: Any) -> Generator[Row, None, None]:
    for results in _stream_of(run):
        if not isinstance(results, RunResults):
            raise InputError(f"a stream of results must have RunResults, but has {type_text(results)}")
        for index in range(max((len(iterations) for iterations in results.values()), default=0)):
            yield [(name, its[index] if index < len(its) else None) for name, its in results.items()]


def _stream_of(run: Any) -> Iterator[Any]:
    if isinstance(run, RunResults):
        return iter([run])
    if not hasattr(run, "__iter__"):
        raise InputError(f"results must be RunResults, a stream or a list of them, but this is {type_text(run)}")
    return iter(run)


def close(stream: Any) -> None:
    """Closes a generator, so that it completes the files that it writes even if it wasn't consumed to its end."""
    end = getattr(stream, "close", None)
    if callable(end):
        end()
