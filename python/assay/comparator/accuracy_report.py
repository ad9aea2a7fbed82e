"""The report of comparisons: their metrics, limits and verdicts in tables."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import starmap
from typing import Any, Union

from assay.arguments import check_arguments
from assay.comparator.result import CompareResult
from assay.report import Report
from assay.tables import counted, short_html_table

RunnerPair = tuple[str, str]
Judgement = tuple[Union[int, None], str, Any]  # the iteration, or None for the means over all; the output; its result
Judgements = Sequence[tuple[RunnerPair, Sequence[Judgement]]]
Table = tuple[str, list[str], list[list[str]]]


def accuracy_report(judgements: Judgements) -> Report:
    """Returns the report of the results of comparison functions."""
    from assay import _assay

    sides = judgements[0][0] if judgements else ("", "")
    agree = all(result for _, rows in judgements for _, _, result in rows)
    native = _assay.tables_report(_verdict(judgements), agree, sides, list(starmap(_table, judgements)))
    return Report(native, f"comparison: {sides[0]} and {sides[1]}", "")


def accuracy_html(judgements: Judgements) -> str:
    """Returns the same tables for notebooks, under the verdict."""
    tables = "".join(short_html_table(*_table(*each)) for each in judgements)
    return f"<p>{_verdict(judgements)}</p>{tables}"


def _verdict(judgements: Judgements) -> str:
    verdicts = [bool(result) for _, rows in judgements for _, _, result in rows]
    return f"{sum(verdicts)} of {counted(len(verdicts), 'comparison')} {'agrees' if len(verdicts) == 1 else 'agree'}."


def _table(pair: RunnerPair, rows: Sequence[Judgement]) -> Table:
    metrics = list(dict.fromkeys(name for _, _, each in rows for name, value in _metrics(each).items() if value is not None))
    columns = ["Output", "Iteration", "Verdict", *metrics, *(["Limits"] if metrics else [])]
    return f"{pair[0]} and {pair[1]}", columns, [_row(*row, metrics) for row in rows]


def _row(iteration: int | None, output: str, result: Any, metrics: list[str]) -> list[str]:
    values = _metrics(result)
    row = [output, "mean" if iteration is None else str(iteration), "agrees" if result else "differs"]
    row += ["" if values.get(name) is None else f"{values[name]:.5g}" for name in metrics]
    return row + ([_limits(result)] if metrics else [])


def _metrics(result: Any) -> dict[str, float | None]:
    return dict(result.metric_values()) if isinstance(result, CompareResult) else {}


def _limits(result: Any) -> str:
    limits = vars(result.thresholds) if isinstance(result, CompareResult) and result.thresholds is not None else {}
    return ", ".join(f"{name}={value}" for name, value in limits.items())


check_arguments(__name__)
