"""What the extension defines, for type checkers. Sections follow the files of bindings/."""

from pathlib import Path
from typing import Any

__version__: str

# arrays.cc
def dtype_name(dtype: Any) -> str: ...
def round_trip(array: Any) -> Any: ...

# compare.cc
def compare(
    function: str,
    settings: dict[str, dict[str, Any]],
    check_shapes: bool,
    infinities_equal: bool,
    fail_fast: bool,
    pictures: dict[str, str],
    first_runner: str,
    first: dict[str, Any],
    second_runner: str,
    second: dict[str, Any],
) -> list[tuple[str, bool, list[float | None] | None, list[float] | None]]: ...
def top_k(array: Any, count: int, axis: int) -> Any: ...

# data.cc
_Spec = tuple[str, Any, list[int]]
_Iteration = tuple[dict[str, Any], float | None, str]

def generate(
    specs: list[_Spec],
    seed: int,
    iteration: int,
    others: tuple[float, float],
    ranges: dict[str, tuple[float, float]],
    shapes: dict[str, list[int]],
) -> dict[str, Any]: ...
def fit_inputs(inputs: dict[str, Any], specs: list[_Spec]) -> dict[str, Any]: ...
def load_results(path: str) -> list[tuple[str, list[_Iteration]]]: ...
def save_results(runners: list[tuple[str, list[_Iteration]]], path: str) -> None: ...
def load_inputs(path: str) -> list[dict[str, Any]]: ...
def save_inputs(iterations: list[dict[str, Any]], path: str) -> None: ...
def save_blobs(folder: str, iteration: int, inputs: dict[str, Any]) -> None: ...

# declared_shapes.cc
def declared_shapes(source: str | bytes) -> dict[str, list[int | str]]: ...

# installation.cc
def engines() -> list[tuple[str, str, str]]: ...
def libexec() -> Path: ...

# session.cc
class Session:
    def __init__(
        self,
        runner: str,
        options: dict[str, str],
        model: str | bytes,
        folder: str = "",
        time_limit: float | None = None,
        memory_limit: int | None = None,
    ) -> None: ...
    @property
    def inputs(self) -> list[tuple[str, str, list[int], str]]: ...
    @property
    def outputs(self) -> list[tuple[str, str, list[int], str]]: ...
    @property
    def engine_version(self) -> str: ...
    @property
    def load_time(self) -> float: ...
    def infer(self, feeds: dict[str, Any], outputs: list[str] | None = None) -> tuple[dict[str, Any], float]: ...
    def close(self) -> None: ...
