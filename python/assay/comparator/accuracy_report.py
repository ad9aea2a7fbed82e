"""The report of comparisons: their metrics, limits and verdicts in tables."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from assay.arguments import check_arguments
from assay.comparator.result import CompareResult
from assay.comparator.struct import AccuracyResult, RunnerPair, judged
from assay.report import Report
from assay.tables import counted, short_html_table

Table = tuple[str, list[str], list[list[str]]]


def accuracy_report(results: Sequence[AccuracyResult]) -> Report:
    """Returns the report of the results of comparison functions."""
    from assay import _assay

    tables = _tables(results)
    sides = next((pair for result in results for pair in result), ("", ""))
    native = _assay.tables_report(_verdict(tables), all(map(bool, results)), sides, tables)
    return Report(native, f"comparison: {sides[0]} and {sides[1]}", "")


def accuracy_html(results: Sequence[AccuracyResult]) -> str:
    """Returns the same tables for notebooks, under the verdict."""
    tables = _tables(results)
    shown = "".join(short_html_table(*table) for table in tables)
    return f"<p>{_verdict(tables)}</p>{shown}"


def _tables(results: Sequence[AccuracyResult]) -> list[Table]:
    return [_table(result, pair) for result in results for pair in result]


def _verdict(tables: Sequence[Table]) -> str:
    verdicts = [row[2] == "agrees" for _, _, rows in tables for row in rows]
    return f"{sum(verdicts)} of {counted(len(verdicts), 'comparison')} {'agrees' if len(verdicts) == 1 else 'agree'}."


def _table(result: AccuracyResult, pair: RunnerPair) -> Table:
    rows = judged(result, pair)
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
