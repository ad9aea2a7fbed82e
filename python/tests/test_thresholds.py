"""Limits, and results that are judged again by other ones."""

from __future__ import annotations

import json
import subprocess
from collections import OrderedDict
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import assay
from assay import _assay
from assay.comparator import (
    AccuracyResults,
    BaseCompareFunc,
    Comparator,
    CompareResult,
    CosineSimilarityCompareFunc,
    CosineSimilarityThreshold,
    IndicesCompareFunc,
    IterationResult,
    L2CompareFunc,
    L2Result,
    L2Threshold,
    OutputCompareResult,
    PsnrCompareFunc,
    PsnrThreshold,
    RunResults,
    SimpleCompareFunc,
    SimpleThreshold,
    SnrCompareFunc,
    SnrThreshold,
    Threshold,
    UlpCompareFunc,
    UlpThreshold,
)
from models import REAL

ASSAY = _assay.libexec().parents[1] / "bin" / "assay"


def results() -> RunResults:
    """Two runners that differ by 0.1 and 0.3 in two iterations of x, and agree in y."""
    ones = np.ones(4, np.float32)
    return RunResults(
        [
            (name, [IterationResult({"x": ones + error, "y": ones}, 0.1, name) for error in errors])
            for name, errors in (("a", (0.0, 0.0)), ("b", (np.float32(0.1), np.float32(0.3))))
        ]
    )


@pytest.mark.parametrize(
    ("function", "expected"),
    [
        (SimpleCompareFunc(), SimpleThreshold("elemwise", 1e-5, 1e-5)),
        (SimpleCompareFunc(atol={"x": 1, "": 2}, check_error_stat="max"), SimpleThreshold("max", 1, 1e-5)),
        (L2CompareFunc(), L2Threshold(1e-5)),
        (L2CompareFunc({"": 5, "x": 3}), L2Threshold(3)),
        (CosineSimilarityCompareFunc(), CosineSimilarityThreshold(0.997)),
        (PsnrCompareFunc(40), PsnrThreshold(40)),
        (SnrCompareFunc(), SnrThreshold(20)),
        (UlpCompareFunc(7), UlpThreshold(7)),
    ],
)
def test_functions_return_their_limits(function: BaseCompareFunc, expected: Threshold) -> None:
    assert function.thresholds_for("x") == expected
    assert expected.metric_fields()
    with pytest.raises(NotImplementedError):
        IndicesCompareFunc().thresholds_for("x")


def test_results_describe_themselves() -> None:
    result = L2Result(0.5, L2Threshold(1.0))
    assert result and result.metric_fields() == ["l2_norm"] and result.metric_values() == {"l2_norm": 0.5}
    assert result.describe() == ("L2 norm: 0.5 (must be at most 1) | PASSED", True)
    result.set_thresholds(L2Threshold(0.1))
    assert not result and result.describe() == ("L2 norm: 0.5 (must be at most 0.1) | FAILED", False)
    assert L2Result(0.1 + 0.2, L2Threshold(0.3)).describe() == (
        "L2 norm: 0.30000000000000004 (must be at most 0.3) | FAILED",
        False,
    )
    assert OutputCompareResult(*[1.0] * 8, SimpleThreshold("max", 1, 1)).describe() is None


@pytest.mark.parametrize("function", [L2CompareFunc, CosineSimilarityCompareFunc, PsnrCompareFunc, SnrCompareFunc, UlpCompareFunc])
@pytest.mark.parametrize("first", [[], [np.inf], [np.nan], [0.0], [1.0, 2.0], [-0.0]])
@pytest.mark.parametrize("second", [[], [np.inf], [np.nan], [0.0], [1.0, 2.5], [1.0]])
def test_limits_judge_as_the_functions_do(function: Any, first: list[float], second: list[float]) -> None:
    sides = {"x": np.float32(first)}, {"x": np.float32(second)}
    comparison = _assay.Comparison(function.FUNCTION, {}, True, False, False, False)
    (judged,) = _assay.compare(comparison, {}, "a", sides[0], "b", sides[1])
    found = function()(IterationResult(sides[0]), IterationResult(sides[1]))["x"]
    assert bool(found) == judged[1]


def test_results_name_the_outputs(capsys: pytest.CaptureFixture[str]) -> None:
    first, second = IterationResult({"x": np.ones(2)}), IterationResult({"z": np.ones(2)})
    found = L2CompareFunc(find_output_func=lambda name, index, result: ["z"])(first, second)["x"]
    assert (found.output0_name, found.output1_name) == ("x", "z")


def test_ulp_distances_are_stored_as_the_command_stores_them(tmp_path: Path) -> None:
    found = Comparator.compare_accuracy(results(), compare_func=[UlpCompareFunc(10), L2CompareFunc(1)])
    found.save(tmp_path / "python.json")
    stored = json.loads((tmp_path / "python.json").read_text())["lst"][0]
    assert stored["lst"] == [[["a", "b"], [{"x": False, "y": True}] * 2]]  # what Polygraphy can load
    assert stored["assay_metrics"][0][0]["y"] == {"max_ulp": 0, "thresholds": {"threshold": 10}}
    loaded: AccuracyResults = AccuracyResults.load(tmp_path / "python.json")
    assert loaded == found and loaded.rows() == found.rows() and AccuracyResults.from_json(found.to_json()) == found
    assert loaded.reevaluate(UlpThreshold(1e8)) and not found
    results().save(tmp_path / "runs.json")
    words = ["--load-outputs", tmp_path / "runs.json", "--compare", "ulp", "--ulp-tolerance", "10"]
    command = [ASSAY, "run", REAL / "light_squeezenet.onnx", *words, "--save-accuracy-results", tmp_path / "command.json"]
    if ASSAY.exists():
        assert subprocess.run(command, capture_output=True).returncode == 1
        assert AccuracyResults.load(tmp_path / "command.json").rows() == found[0].rows()


def test_stored_metrics_are_judged_again(tmp_path: Path) -> None:
    functions = [SimpleCompareFunc(check_error_stat="max"), L2CompareFunc(), SnrCompareFunc()]
    accuracy = Comparator.compare_accuracy(results(), compare_func=functions)
    accuracy.save(tmp_path / "accuracy.json")
    loaded: AccuracyResults = AccuracyResults.load(tmp_path / "accuracy.json")
    assert not loaded
    assert loaded.reevaluate([L2Threshold(0.7), SimpleThreshold("mean", 0.2, 0)]) is loaded
    assert [each.metric_fields()[0] for each in loaded] == ["l2_norm", "max_absdiff"]
    assert loaded[0] and not loaded[1]
    assert loaded[1].stats() == (1, 1, 2)
    assert loaded.reevaluate(SimpleThreshold("median", 0.31, 0))
    assert loaded.reevaluate({"x": SimpleThreshold("max", 1, 0), "": SimpleThreshold("max", 0, 0)})


def test_means_are_judged_again() -> None:
    accuracy = Comparator.compare_accuracy(results(), compare_func=L2CompareFunc(0.5), check_average=True)[0]
    assert accuracy  # 0.2 and 0.6
    described = accuracy.describe_average()
    assert described["x"] == ("L2 norm: 0.4 (must be at most 0.5) | PASSED", True) and described["y"][1]
    assert not accuracy.reevaluate(L2Threshold(0.5), aggregation="per_sample")
    assert accuracy.reevaluate(L2Threshold(0.5), aggregation="average")


@pytest.mark.parametrize(
    ("function", "thresholds", "message"),
    [
        (L2CompareFunc(), SnrThreshold(1), "no comparison has the metrics \\['snr'\\]"),
        (L2CompareFunc(), {}, "is empty"),
        (L2CompareFunc(), {"x": L2Threshold(1)}, "no limits for the output 'y'"),
        (SimpleCompareFunc(), SimpleThreshold("elemwise", 1, 1), "the max, mean or median"),
        (SimpleCompareFunc(), SimpleThreshold("quantile", 1, 1), "have no quantile"),
        (SimpleCompareFunc(), 5, "thresholds must be"),
    ],
)
def test_what_the_metrics_do_not_tell_is_refused(function: Any, thresholds: Any, message: str) -> None:
    accuracy = Comparator.compare_accuracy(results(), compare_func=function)
    with pytest.raises(assay.InputError, match=message):
        accuracy.reevaluate(thresholds)
    assert not accuracy


@pytest.mark.parametrize("second", [SnrThreshold(1), SimpleThreshold("elemwise", 1, 1)])
def test_nothing_is_judged_again_if_some_limits_are_refused(second: Threshold) -> None:
    accuracy = Comparator.compare_accuracy(results(), compare_func=[L2CompareFunc(), SimpleCompareFunc()])
    with pytest.raises(assay.InputError):
        accuracy.reevaluate([L2Threshold(1e9), second], aggregation="average")
    assert len(accuracy) == 2 and not accuracy[0]
    assert [each.aggregation for each in accuracy] == ["per_sample", "per_sample"]


def test_limits_of_the_caller() -> None:
    class MeanThreshold(Threshold):
        METRIC_FIELDS = ("mean",)

        def passed(self, metric_values: dict[str, float | None]) -> bool:
            value = metric_values["mean"]
            return value is not None and value < 0.19

    class MeanResult(CompareResult):
        THRESHOLD = MeanThreshold

        def __init__(self, mean: float, thresholds: Any = None) -> None:
            super().__init__(thresholds)
            self.mean = mean

    def compare(first: IterationResult, second: IterationResult) -> OrderedDict[str, Any]:
        return OrderedDict(
            (name, MeanResult(float(abs(first[name] - second[name]).mean()), MeanThreshold())) for name in first
        )

    accuracy = Comparator.compare_accuracy(results(), compare_func=compare)
    assert accuracy.stats() == (1, 1, 2)
    assert not accuracy.reevaluate(MeanThreshold(), aggregation="average")  # the mean is 0.2
