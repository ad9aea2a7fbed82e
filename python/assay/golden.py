"""Results that are known to be right, with which engines are compared."""

from __future__ import annotations

import contextlib
import os
import tempfile
from typing import Any, Iterator, Mapping, Sequence, Union

from assay.arguments import check_arguments
from assay.comparator import RunResults
from assay.exception import Error, InputError
from assay.model import PathLike
from assay.sides import numpy_arrays

Golden = Union[PathLike, RunResults, Mapping[str, Any], Sequence[Mapping[str, Any]]]


def golden_results(golden: Any) -> RunResults:
    """Returns results in memory as those of one runner.

    Raises:
        InputError: They are of several runners, or have no iteration.
    """
    if isinstance(golden, RunResults):
        results = golden
    else:
        iterations = [golden] if isinstance(golden, Mapping) else list(golden)
        results = RunResults()
        results.add([numpy_arrays(outputs) for outputs in iterations], runner_name="golden")
    if len(results) != 1 or not results[0][1]:
        runners = [name for name, _ in results]
        raise InputError(f"golden needs the results of one runner, with at least one iteration, but has {runners}")
    return results


@contextlib.contextmanager
def golden_file(golden: Any) -> Iterator[str]:
    """Provides the path of a file with the results, "" for None. Results in memory get a temporary file, whose name no
    error mentions, as the caller doesn't know it."""
    if golden is None or isinstance(golden, (str, os.PathLike)):
        yield os.fspath(golden or "")
        return
    with tempfile.NamedTemporaryFile(prefix="assay-", suffix=".json") as file:
        golden_results(golden).save(file.name)
        try:
            yield file.name
        except Error as error:
            error.args = (str(error).replace(file.name, "golden"), *error.args[1:])
            raise


check_arguments(__name__)
