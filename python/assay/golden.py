"""Results that are known to be right, with which engines are compared."""

from __future__ import annotations

import contextlib
import os
import tempfile
from typing import Any, Iterator, Mapping, Sequence, Union

from assay.arguments import check_arguments
from assay.comparator import RunResults
from assay.exception import Error, InputError
from assay.logger import G_LOGGER
from assay.model import Model, PathLike
from assay.sides import numpy_arrays

Golden = Union[PathLike, RunResults, Mapping[str, Any], Sequence[Mapping[str, Any]]]


def check_golden_inputs(golden: Any, inputs: Any, model: Model) -> None:
    """Warns if results are compared with outputs for generated inputs. Commands and data loaders generate the same, so
    that is right for results that were saved.

    Raises:
        InputError: `golden` is an empty path, or has arrays, but the inputs that they were computed for are missing.
    """
    if golden == "":
        raise InputError("`golden` is an empty path. Give the path of a file of results, or leave it out")
    if golden is None or inputs is not None or not model.inputs:
        return
    if not isinstance(golden, (str, os.PathLike, RunResults)):
        raise InputError(
            "`golden` has arrays, but not the inputs that they were computed for. Give these as `inputs`, e.g. "
            f"inputs={{{model.inputs[0].name!r}: array}}; if they were generated, inputs=DataLoader()"
        )
    G_LOGGER.warning(
        "golden is compared with outputs for generated inputs. If it has the results for others, give these as `inputs`"
    )


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
