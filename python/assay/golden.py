"""Results that are known to be right, with which engines are compared."""

from __future__ import annotations

import tempfile
from typing import Any, Mapping, Sequence, Union

from assay.arguments import check_arguments
from assay.comparator import RunResults
from assay.exception import InputError
from assay.model import PathLike

Golden = Union[PathLike, RunResults, "Mapping[str, Any]", "Sequence[Mapping[str, Any]]"]


def golden_results(golden: Any) -> RunResults:
    """Returns results in memory as those of one runner.

    Raises:
        InputError: They are of several runners, or have no iteration.
    """
    from assay.location import numpy_arrays

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


def save_temporarily(results: RunResults) -> Any:
    """Returns a temporary file with the results, which exists as long as the object."""
    file = tempfile.NamedTemporaryFile(prefix="assay-", suffix=".json")
    results.save(file.name)
    return file


check_arguments(__name__)
