"""Runs of several runners, comparisons, and the inputs for them. Reference values are Polygraphy's or NumPy's."""

from __future__ import annotations

import os
import pickle
import signal
import time
import warnings
from collections import OrderedDict
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import onnx
import pytest

from assay.backend.base import BaseRunner
from assay.backend.onnxrt import OnnxrtRunner, SessionFromOnnx
from assay.backend.reference import ReferenceRunner
from assay.backend.reference import SessionFromOnnx as ReferenceFromOnnx
from assay.common import TensorMetadata
from assay.comparator import (
    AccuracyResult,
    AccuracyResults,
    Comparator,
    CompareFunc,
    DataLoader,
    IterationResult,
    PostprocessFunc,
    RunResults,
)
from assay.comparator.result import CosineSimilarityThreshold, L2Threshold, PsnrThreshold, SimpleThreshold, SnrThreshold
from assay.exception import EngineError, Error, InputError, NotFoundError
from assay.logger import G_LOGGER
from models import parse
from test_runners import endless_loop


class OwnRunner(BaseRunner):
    """Calls a function of the input x."""

    def __init__(self, function: Any, name: str = "own") -> None:
        super().__init__(name=name)
        self._function = function

    def get_input_metadata_impl(self) -> TensorMetadata:
        return TensorMetadata().add("x", np.float32, [1, 1, 2, 2])

    def infer_impl(self, feed_dict: dict) -> dict:
        return {"y": self._function(feed_dict["x"])}


def results_of(first: Any, second: Any) -> RunResults:
    return RunResults([("a", [IterationResult({"x": first})]), ("b", [IterationResult({"x": second})])])


def test_engines_agree(identity: onnx.ModelProto) -> None:
    runners = [OnnxrtRunner(SessionFromOnnx(identity)), ReferenceRunner(ReferenceFromOnnx(identity))]
    results = Comparator.run(runners, data_loader=DataLoader(iterations=3), warm_up=1)
    assert [len(iterations) for iterations in results.values()] == [3, 3]
    accuracy = Comparator.compare_accuracy(results)
    assert accuracy
    assert accuracy.percentage() == 1
    assert accuracy.stats() == (3, 0, 3)


@pytest.mark.parametrize("isolated", [False, True])
def test_own_runners_are_compared(identity: onnx.ModelProto, isolated: bool) -> None:
    runners = [OnnxrtRunner(SessionFromOnnx(identity)), OwnRunner(lambda x: x + 1e-3)]
    results = Comparator.run(runners, use_subprocess=isolated)
    assert not Comparator.compare_accuracy(results)
    assert Comparator.compare_accuracy(results, compare_func=CompareFunc.simple(atol=1e-2))


class ReusingRunner(OwnRunner):
    """Returns the same array each time, which each run overwrites."""

    def __init__(self) -> None:
        super().__init__(None)
        self._buffer = np.zeros((1, 1, 2, 2), np.float32)

    def infer_impl(self, feed_dict: dict) -> dict:
        return {"y": np.multiply(feed_dict["x"], 2, out=self._buffer)}


@pytest.mark.parametrize("how", [{}, {"use_subprocess": True}, {"streaming": True}])
def test_runners_may_reuse_their_arrays(ones: np.ndarray, how: dict) -> None:
    found = Comparator.run([ReusingRunner()], [{"x": number * ones} for number in range(3)], **how)
    iterations = [each["own"][0] for each in found] if "streaming" in how else found["own"]
    assert [iteration["y"][0, 0, 0, 0] for iteration in iterations] == [0, 2, 4]


@pytest.mark.parametrize("streaming", [False, True])
def test_runners_may_be_a_generator(identity: onnx.ModelProto, streaming: bool) -> None:
    runners = (OwnRunner(lambda x, plus=plus: x + plus, name=f"plus {plus}") for plus in (0, 1))
    accuracy = Comparator.compare_accuracy(Comparator.run(runners, streaming=streaming))
    assert not accuracy
    assert accuracy.stats() == (0, 1, 1)


def test_a_run_without_runners_is_warned_about(capsys: pytest.CaptureFixture[str]) -> None:
    assert list(Comparator.run([])) == list(Comparator.run([], streaming=True)) == []
    assert capsys.readouterr().out.count("Nothing was run: Comparator.run() got no runners") == 2


@pytest.mark.parametrize(("first", "second"), [({}, {"y": 1}), ({"y": 1}, {})])
@pytest.mark.parametrize("function", [CompareFunc.simple(), CompareFunc.l2()])
def test_results_without_a_common_output_do_not_agree(first: dict, second: dict, function: Any) -> None:
    results = RunResults([(name, [IterationResult(side)]) for name, side in (("a", first), ("b", second))])
    with pytest.raises(InputError, match=r"no output of \[.*\] has a partner in \["):
        Comparator.compare_accuracy(results, compare_func=function)


def test_results_without_outputs_agree() -> None:
    results = RunResults([(name, [IterationResult({})]) for name in "ab"])
    assert Comparator.compare_accuracy(results)


@pytest.mark.parametrize("outputs", [None, [1.0]])
def test_a_runner_returns_a_dictionary(outputs: Any) -> None:
    class Forgetful(OwnRunner):
        def infer_impl(self, feed_dict: dict) -> Any:
            return outputs

    with pytest.raises(InputError, match=r"own .*infer_impl\(\) returned .* must return a dictionary"):
        Comparator.run([Forgetful(None)])


def test_a_crash_in_a_subprocess_is_an_error() -> None:
    with pytest.raises(EngineError) as raised:
        Comparator.run([OwnRunner(lambda _: os.abort())], use_subprocess=True)
    assert raised.value.outcome == "crashed"


def test_an_exception_in_a_subprocess_is_raised_here() -> None:
    def refuse(_: Any) -> None:
        raise InputError("not this one")

    with pytest.raises(InputError, match="not this one") as raised:
        Comparator.run([OwnRunner(refuse)], use_subprocess=True)
    assert ", in refuse" in str(raised.value.__cause__)  # the traceback in that process


class TwoPartError(Exception):
    def __init__(self, what: str, where: str) -> None:
        super().__init__(f"{what} in {where}")


def test_an_exception_that_cannot_be_pickled_keeps_its_message() -> None:
    def refuse(_: Any) -> None:
        raise TwoPartError("a bad value", "layer 3")

    with pytest.raises(Error, match="TwoPartError: a bad value in layer 3"):
        Comparator.run([OwnRunner(refuse)], use_subprocess=True)


def test_a_hanging_subprocess_is_killed() -> None:
    with pytest.raises(EngineError) as raised:
        Comparator.run([OwnRunner(lambda _: time.sleep(600))], use_subprocess=True, subprocess_timeout=0.5)
    assert raised.value.outcome == "timed out"


def test_a_hanging_engine_in_a_subprocess_is_killed() -> None:
    runner = OnnxrtRunner(SessionFromOnnx(endless_loop()))
    with pytest.raises(EngineError, match="took longer than 2 s and was killed") as raised:
        Comparator.run([runner], use_subprocess=True, subprocess_timeout=2)
    assert raised.value.outcome == "timed out" and not runner.is_active


def test_only_runners_are_run() -> None:
    with pytest.raises(InputError, match=r"runners\[0\] must be a BaseRunner, but is an object"):
        Comparator.run([object()])  # type: ignore[list-item]


def test_inputs_are_fitted_to_the_model(identity: onnx.ModelProto) -> None:
    data = [{"x": np.arange(4, dtype=np.int64)}]
    results = Comparator.run([OnnxrtRunner(SessionFromOnnx(identity), name="n")], data_loader=data)
    np.testing.assert_array_equal(results["n"][0]["y"], np.arange(4, dtype=np.float32).reshape(1, 1, 2, 2))


class OwnLoader:
    """Makes arrays of ones for whatever inputs the runner takes."""

    input_metadata: TensorMetadata

    def __iter__(self) -> Iterator[dict[str, np.ndarray]]:
        yield {name: np.ones(meta.shape, meta.dtype) for name, meta in self.input_metadata.items()}


class OwnSequence(OwnLoader):
    def __getitem__(self, index: int) -> dict[str, np.ndarray]:
        return [*self][index]


def negation(*shapes: list[int]) -> onnx.ModelProto:
    """Returns a model with one input and one output of each shape: x0, y0, x1, y1 and so on."""
    inputs, outputs = (", ".join(f"float{shape} {letter}{i}" for i, shape in enumerate(shapes)) for letter in "xy")
    return parse(f"g ({inputs}) => ({outputs}) {{ {' '.join(f'y{i} = Neg (x{i})' for i in range(len(shapes)))} }}")


@pytest.mark.parametrize("streaming", [False, True])
@pytest.mark.parametrize("make_loader", [OwnLoader, DataLoader])
def test_data_loaders_learn_the_inputs_of_each_run(make_loader: type, streaming: bool) -> None:
    loader = make_loader()
    for shape in ([2, 3], [4, 5]):
        results = Comparator.run([OnnxrtRunner(negation(shape), name="n")], loader, streaming=streaming)
        (result,) = results if streaming else [results]
        assert result["n"][0]["y0"].shape == tuple(shape)


@pytest.mark.parametrize("streaming", [False, True])
@pytest.mark.parametrize("make_loader", [OwnSequence, DataLoader])
def test_runners_of_other_models_get_inputs_that_fit_and_share_the_rest(make_loader: type, streaming: bool) -> None:
    models = [negation([2, 3], [4]), negation([5, 3], [4], [2])]
    runners = [OnnxrtRunner(model, name=name) for model, name in zip(models, "ab")]
    results = Comparator.run(runners, make_loader(), streaming=streaming)
    (result,) = results if streaming else [results]
    first, second = (iterations[0] for iterations in result.values())
    np.testing.assert_array_equal(first["y1"], second["y1"])
    assert (first["y0"].shape, second["y0"].shape, second["y2"].shape) == ((2, 3), (5, 3), (2,))
    expected = make_loader()
    expected.input_metadata = TensorMetadata().add("x0", np.float32, [5, 3]).add("x1", np.float32, [4]).add("x2", np.float32, [2])
    np.testing.assert_array_equal(second["y0"], -expected[0]["x0"])


def test_a_stream_generates_each_iteration_for_the_first_runner() -> None:
    runners = [OnnxrtRunner(negation(shape)) for shape in ([2, 3], [5, 3])]
    results = [list(result.values()) for result in Comparator.run(runners, DataLoader(iterations=2), streaming=True)]
    assert [[its[0]["y0"].shape for its in result] for result in results] == [[(2, 3), (5, 3)]] * 2


@pytest.mark.parametrize("streaming", [False, True])
def test_a_data_loader_without_inputs_is_refused(streaming: bool) -> None:
    with pytest.raises(InputError, match="the data loader has no inputs"):
        list(Comparator.run([OnnxrtRunner(negation([2]))], [], streaming=streaming))


def test_inputs_that_fit_no_other_model_are_refused() -> None:
    runners = [OnnxrtRunner(negation(shape)) for shape in ([2, 3], [4, 5])]
    with pytest.raises(InputError, match=r"input 'x0' has the shape \(2, 3\), but the model takes \(4, 5\).*`assay surgeon sanitize"):
        Comparator.run(runners, [{"x0": np.ones((2, 3), np.float32)}])


def test_generators_are_used_once_for_all_runners(identity: onnx.ModelProto, ones: np.ndarray) -> None:
    runners = [OnnxrtRunner(SessionFromOnnx(identity), name=name) for name in "ab"]
    results = Comparator.run(runners, data_loader=({"x": number * ones} for number in range(3)))
    for iterations in results.values():
        assert [iteration["y"][0, 0, 0, 0] for iteration in iterations] == [0, 1, 2]


def test_inputs_and_outputs_are_saved(identity: onnx.ModelProto, tmp_path: Path) -> None:
    from assay.json import load_json

    paths = [str(tmp_path / name) for name in ("inputs.json", "outputs.json", "blobs")]
    runner = OnnxrtRunner(SessionFromOnnx(identity), name="n")
    Comparator.run([runner], None, 0, None, None, None, paths[0], paths[1], paths[2])
    (inputs,) = load_json(paths[0])
    outputs = RunResults.load(paths[1])["n"][0]
    np.testing.assert_array_equal(inputs["x"], outputs["y"])
    assert np.fromfile(tmp_path / "blobs" / "0000000000" / "x.bin", np.float32).tolist() == inputs["x"].ravel().tolist()


def test_generated_inputs_are_those_of_polygraphy() -> None:
    metadata = TensorMetadata().add("x", np.float32, (1, 2))
    first, second = DataLoader(seed=1, iterations=2, input_metadata=metadata)
    for seed, inputs in ((1, first), (2, second)):
        expected = np.random.RandomState(seed).random_sample((1, 2)).astype(np.float32)
        np.testing.assert_array_equal(inputs["x"], expected)


def test_a_data_loader_has_its_iterations_only() -> None:
    loader = DataLoader(iterations=2, input_metadata=TensorMetadata().add("x", np.float32, (1,)))
    assert loader[1]["x"].shape == (1,)
    for index in (-1, 2):
        with pytest.raises(IndexError, match=f"no iteration {index}"):
            loader[index]


def test_shapes_may_be_integers_of_numpy() -> None:
    (inputs,) = DataLoader(input_metadata=TensorMetadata().add("x", np.float32, np.array([2, 3])))
    assert inputs["x"].shape == (2, 3)


def test_metadata_may_be_a_type_and_a_shape() -> None:
    metadata = TensorMetadata({"x": (np.float32, (1, 2))})
    metadata["y"] = (None, None)
    assert metadata == TensorMetadata().add("x", np.float32, (1, 2)).add("y", None, None)


def test_metadata_of_an_unknown_input_is_warned_about(
    identity: onnx.ModelProto, capsys: pytest.CaptureFixture[str]
) -> None:
    metadata = TensorMetadata().add("typo", np.float32, (1,))
    loader = DataLoader(iterations=2, input_metadata=metadata, val_range={"tipo": (1, 2), "": (0, 1)})
    Comparator.run([OnnxrtRunner(SessionFromOnnx(identity))], loader)
    output = capsys.readouterr().out
    assert output.count("The model has no input 'typo', for which a shape is given") == 1
    assert output.count("The model has no input 'tipo', for which a range is given") == 1


def test_ranges_of_inputs() -> None:
    metadata = TensorMetadata().add("i", np.int32, (100,)).add("f", np.float32, (100,))
    (inputs,) = DataLoader(input_metadata=metadata, int_range=(5, 7), float_range={"f": (-3, -2), "": (0, 1)})
    assert set(inputs["i"].tolist()) == {5, 6, 7}
    assert inputs["f"].min() >= -3
    assert inputs["f"].max() < -2


@pytest.mark.parametrize("number", [2**53 + 1, -(2**63), 2**63 - 1, np.int64(2**53 + 1), 2.0**53])
def test_ranges_keep_all_digits_of_integers(number: int | float) -> None:
    metadata = TensorMetadata().add("i", np.int64, (2,))
    (inputs,) = DataLoader(input_metadata=metadata, val_range=(number, number))
    assert inputs["i"].tolist() == [int(number)] * 2


def test_metrics_are_those_of_numpy() -> None:
    first, second = np.random.default_rng(0).random((2, 1000)).astype(np.float32)
    result = CompareFunc.simple()(IterationResult({"x": first}), IterationResult({"x": second}))["x"]
    errors = np.abs(first.astype(np.float64) - second)
    relative = errors / np.abs(second)
    assert result.max_absdiff == pytest.approx(errors.max(), rel=1e-6)
    assert result.mean_reldiff == pytest.approx(relative.mean(), rel=1e-6)
    assert result.median_absdiff == pytest.approx(np.median(errors), rel=1e-6)
    assert not result
    assert result.thresholds.atol == 1e-5


def test_tolerances_of_single_outputs() -> None:
    results = RunResults(
        [
            ("a", [IterationResult({"x": np.zeros(2, np.float32), "y": np.zeros(2, np.float32)})]),
            ("b", [IterationResult({"x": np.full(2, 0.1, np.float32), "y": np.full(2, 0.1, np.float32)})]),
        ]
    )
    accuracy = Comparator.compare_accuracy(results, compare_func=CompareFunc.simple(atol={"x": 0.2, "": 0.01}, rtol=0))
    (comparison,) = accuracy["a", "b"]
    assert {name: bool(result) for name, result in comparison.items()} == {"x": True, "y": False}


def test_tolerances_of_unknown_outputs_are_warned_about(capsys: pytest.CaptureFixture[str]) -> None:
    Comparator.compare_accuracy(results_of(1, 1), compare_func=CompareFunc.simple(rtol={"typo": 0.2, "": 0.01}))
    assert "There is no output 'typo', for which rtol is given. The outputs are ['x']" in capsys.readouterr().out


@pytest.mark.parametrize("stat", ["max", "mean", "median", "quantile"])
def test_statistics_decide(stat: str) -> None:
    results = results_of(np.float32([1, 1, 1, 1]), np.float32([1, 1, 1, 2]))
    passed = bool(Comparator.compare_accuracy(results, compare_func=CompareFunc.simple(check_error_stat=stat)))
    assert passed == (stat == "median")


def test_words_and_ranges_of_settings_are_checked() -> None:
    with pytest.raises(InputError, match="check_error_stat"):
        CompareFunc.simple(check_error_stat="most")
    with pytest.raises(InputError, match="error_quantile"):
        Comparator.compare_accuracy(results_of([1.0], [1.0]), compare_func=CompareFunc.simple(error_quantile=2))
    with pytest.raises(InputError, match="rtol must be a number of at least 0"):
        Comparator.compare_accuracy(results_of([1.0], [1.0]), compare_func=CompareFunc.simple(rtol=-1))


@pytest.mark.parametrize(
    ("function", "metric", "value"),
    [
        (CompareFunc.l2(), "l2_norm", np.sqrt(2)),
        (CompareFunc.cosine_similarity(), "cosine_similarity", 14 / np.sqrt(12 * 18)),
        (CompareFunc.ulp(), "max_ulp", None),
        (CompareFunc.snr(), "snr", None),
        (CompareFunc.psnr(), "psnr", None),
    ],
)
def test_single_metrics(function: Any, metric: str, value: float | None) -> None:
    first, second = np.float32([2, 2, 2]), np.float32([1, 2, 3])
    result = function(IterationResult({"x": first}), IterationResult({"x": second}))["x"]
    assert not result
    if value is not None:
        expected = value if metric == "l2_norm" else 12 / np.sqrt(12 * 14)
        assert getattr(result, metric) == pytest.approx(expected, rel=1e-5)
    assert function(IterationResult({"x": first}), IterationResult({"x": first}))["x"]


def test_functions_show_their_arguments() -> None:
    assert repr(CompareFunc.simple()) == "SimpleCompareFunc()"
    settings = {"rtol": 0.001, "atol": {"y": 0.1, "": 0.2}, "check_error_stat": "max"}
    function = CompareFunc.simple(False, **settings, fail_fast=True, nans_compare_equal=True)
    again = eval(repr(function), {"SimpleCompareFunc": CompareFunc.simple})
    assert vars(again) == vars(function) and "fail_fast=True" in repr(function)
    assert repr(CompareFunc.distance_metrics(l2_tolerance=0.5)) == "AllOf([L2CompareFunc(l2_threshold=0.5), CosineSimilarityCompareFunc()])"
    assert repr(PostprocessFunc.top_k((3, 1))) == "TopKPostprocessFunc(k=(3, 1))"


def test_several_functions_at_once() -> None:
    accuracy = Comparator.compare_accuracy(
        results_of(np.float32([1, 2]), np.float32([1, 2.001])), compare_func=[CompareFunc.simple(), CompareFunc.l2(0.1)]
    )
    assert [bool(each) for each in accuracy] == [False, True]


def test_rows_are_one_table(capsys: pytest.CaptureFixture[str]) -> None:
    results = results_of(np.float32([1, 2]), np.float32([1, 3]))
    functions = [CompareFunc.l2(0.5), lambda first, second: {"x": True}]
    accuracy = Comparator.compare_accuracy(results, compare_func=functions)
    of_pair = {"runner0": "a", "runner1": "b", "iteration": 0, "output": "x"}
    assert accuracy.rows() == [{**of_pair, "passed": False, "l2_norm": 1}, {**of_pair, "passed": True}]
    shown = capsys.readouterr().out
    assert "a vs. b | l2 | 0 of 1" in shown and "a vs. b | <lambda> | 1 of 1" in shown
    accuracy = Comparator.compare_accuracy(results, compare_func=CompareFunc.l2(0.5), check_average=True)
    assert accuracy.rows() == [{**of_pair, "iteration": None, "passed": False, "l2_norm": 1}]
    assert "a vs. b | 0 of 1" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("both", "limits"),
    [
        (CompareFunc.distance_metrics(), [L2Threshold(9), CosineSimilarityThreshold(-1)]),
        (CompareFunc.quality_metrics(), [PsnrThreshold(-99), SnrThreshold(-99)]),
    ],
)
def test_two_metrics_are_two_functions(both: Any, limits: list[Any], tmp_path: Path) -> None:
    results = results_of(np.float32([1, 2]), np.float32([1, 3]))
    accuracy = Comparator.compare_accuracy(results, compare_func=both, check_average=True)
    assert not any(accuracy)
    accuracy.save(tmp_path / "accuracy.json")
    back = AccuracyResults.load(tmp_path / "accuracy.json")
    assert not any(back) and len(back.reevaluate(limits)) == 2 and all(back)
    (first, second) = (iterations[0] for iterations in results.values())
    assert both(first, second) == {"x": False} and both(first, first) == {"x": True}


def test_none_stands_for_the_default_function() -> None:
    results = results_of(np.float32([1, 2]), np.float32([1, 2.001]))
    first, second = Comparator.compare_accuracy(results, compare_func=[None, CompareFunc.l2(0.1)])
    assert not first and second
    assert not Comparator.compare_accuracy(results, compare_func=[None])


def test_functions_of_the_caller() -> None:
    def same_shape(first: IterationResult, second: IterationResult) -> OrderedDict[str, bool]:
        return OrderedDict((name, array.shape == second[name].shape) for name, array in first.items())

    assert Comparator.compare_accuracy(results_of(np.ones(2), np.zeros(2)), compare_func=same_shape)
    assert not Comparator.compare_accuracy(results_of(np.ones(2), np.zeros(3)), compare_func=same_shape)


def test_what_functions_of_the_caller_return_is_checked() -> None:
    for wrong in (None, True):
        with pytest.raises(InputError, match="must return a dictionary with a result for each output"):
            Comparator.compare_accuracy(results_of(1, 1), compare_func=lambda first, second: wrong)  # noqa: B023
        with pytest.raises(InputError, match="Return the object that it gets"):
            Comparator.postprocess(results_of(1, 1), lambda result: wrong)  # noqa: B023


def test_a_function_may_return_a_plain_dictionary() -> None:
    results = Comparator.postprocess(results_of(1.0, 1.0), lambda result: {"half": result["x"] / 2})
    assert results["a"][0] == IterationResult({"half": 0.5})
    assert Comparator.compare_accuracy(results)


def test_ctrl_c_in_a_message_of_a_comparison_is_not_lost(monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(message: str, *_: object) -> None:
        if "Tolerances" in message:
            signal.raise_signal(signal.SIGINT)

    monkeypatch.setattr(G_LOGGER, "log", interrupted)
    with pytest.raises(KeyboardInterrupt):
        Comparator.compare_accuracy(results_of(np.ones(2), np.ones(2)))


def test_results_are_equal_or_not() -> None:
    first, same, other = (IterationResult({"x": np.float32([1, value])}) for value in (2, 2, 3))
    assert first == same and not first != same
    assert first != other and not first == other
    assert first != {"x": 1}
    assert RunResults([("a", [first])]) != RunResults([("a", [other])])


def test_results_without_a_runner_have_polygraphys_name() -> None:
    results = RunResults()
    results.add([{"x": np.ones(1)}])
    results.add([{"x": np.zeros(1)}])
    assert list(results.keys()) == ["custom_runner"]
    assert results["custom_runner"][0].runner_name == "custom_runner"
    assert results["custom_runner"][0]["x"] == [0]


def test_results_that_are_empty_or_lists() -> None:
    for call in (AccuracyResults().percentage, AccuracyResults().stats):
        with pytest.raises(InputError, match="no comparisons"):
            call()
    assert repr(IterationResult({"y": [1, 2]})).startswith("IterationResult({y: a list}")


def test_partners_of_outputs_can_be_chosen() -> None:
    first = IterationResult({"a": np.float32([1]), "b": np.float32([2])})
    second = IterationResult({"c": np.float32([2]), "d": np.float32([1])})
    find = {"a": "d", "b": ["c"]}
    results = CompareFunc.simple(find_output_func=lambda name, *_: find.get(name))(first, second)
    assert all(results.values())
    assert list(results) == ["a", "b"]


def test_partners_that_do_not_exist_are_skipped(capsys: pytest.CaptureFixture[str]) -> None:
    first = IterationResult({"a": np.float32([1]), "b": np.float32([2])})
    second = IterationResult({"c": np.float32([1])})
    find = {"a": ["z", "c"], "b": [None]}
    results = CompareFunc.simple(find_output_func=lambda name, *_: find[name])(first, second)
    assert list(results) == ["a"] and results["a"]
    assert "'a' isn't compared with 'z', which find_output_func returned" in capsys.readouterr().out
    with pytest.raises(InputError, match="no output of .* has a partner"):
        CompareFunc.simple(find_output_func=lambda *_: "z")(first, second)


def test_averages_are_judged() -> None:
    def result(value: float) -> IterationResult:
        return IterationResult({"x": np.float32([value])})

    results = RunResults([("a", [result(1), result(1)]), ("b", [result(1), result(1.5)])])
    function = CompareFunc.l2(l2_threshold=0.3)
    assert not Comparator.compare_accuracy(results, compare_func=function)
    assert Comparator.compare_accuracy(results, compare_func=function, check_average=True)


def test_heat_maps_are_saved(tmp_path: Path) -> None:
    function = CompareFunc.simple(save_heatmaps=tmp_path)
    Comparator.compare_accuracy(results_of(np.ones((4, 4), np.float32), np.zeros((4, 4), np.float32)), compare_func=function)
    assert [file.suffix for file in tmp_path.iterdir()] == [".svg", ".svg"]


def test_nans_are_equal_on_request() -> None:
    results = results_of(np.float32([1, np.nan]), np.float32([1, np.nan]))
    assert not Comparator.compare_accuracy(results, compare_func=CompareFunc.simple())
    assert Comparator.compare_accuracy(results, compare_func=CompareFunc.simple(nans_compare_equal=True))


def test_top_k() -> None:
    results = results_of(np.float32([[1, 5, 3]]), np.float32([[1, 4, 3]]))
    Comparator.postprocess(results, PostprocessFunc.top_k(k=2))
    assert results["a"][0]["x"].tolist() == [[1, 2]]
    assert Comparator.compare_accuracy(results, compare_func=CompareFunc.indices())


@pytest.mark.parametrize("k", [(1, 0), [1, 0]])
def test_top_k_along_an_axis(k: Any) -> None:
    scores = np.float32([[1, 5], [2, 3]])
    results = Comparator.postprocess(results_of(scores, scores), PostprocessFunc.top_k(k={"x": k}))
    assert results["a"][0]["x"].tolist() == [[1, 0]]


@pytest.mark.parametrize(("value", "with_inf", "valid"), [(np.nan, False, False), (np.inf, False, True), (np.inf, True, False)])
def test_validation(value: float, with_inf: bool, valid: bool) -> None:
    results = results_of(np.float32([1, value]), np.int32([1]))
    assert Comparator.validate(results, check_inf=with_inf) == valid


def test_results_survive_files(tmp_path: Path) -> None:
    results = results_of(np.float32([1, 2]), np.int64([[3]]))
    path = tmp_path / "folder" / "results.json"
    results.save(path)
    assert RunResults.load(path) == results
    assert RunResults.from_json(results.to_json()) == results
    with open(path) as file:
        assert RunResults.load(file) == results


def test_results_are_joined() -> None:
    results, more = results_of([1.0], [1.0]), RunResults([("c", [IterationResult({"x": np.float32([1])})])])
    results.extend(more)
    assert list(results.keys()) == ["a", "b", "c"]
    same = Comparator.compare_accuracy(results_of(np.float32([1]), np.float32([1])))
    different = Comparator.compare_accuracy(results_of(np.float32([1]), np.float32([2])))
    joined = AccuracyResults()
    joined.append(same[0])
    assert joined
    joined.extend(different)
    assert len(joined) == 2
    assert not joined


@pytest.mark.parametrize("loader", [{"x": np.ones((1, 1, 2, 2), np.float32)}, [5], [[np.ones(1)]]])
def test_inputs_that_arent_dictionaries_are_refused(identity: onnx.ModelProto, loader: Any) -> None:
    with pytest.raises(InputError, match="each iteration must be a dictionary of arrays"):
        Comparator.run([OnnxrtRunner(SessionFromOnnx(identity))], data_loader=loader)


def test_accuracy_survives_files(tmp_path: Path) -> None:
    functions = [CompareFunc.simple(), CompareFunc.l2(), CompareFunc.indices()]
    accuracy = Comparator.compare_accuracy(results_of(np.float32([1, 2]), np.float32([1, 3])), compare_func=functions)
    accuracy.save(tmp_path / "accuracy.json")
    back = AccuracyResults.load(tmp_path / "accuracy.json")
    assert back.to_json() == accuracy.to_json()
    assert [bool(each) for each in back] == [False, False, False]
    assert back["a", "b"][0]["x"].max_absdiff == 1
    assert back == accuracy and pickle.loads(pickle.dumps(accuracy)) == accuracy
    assert back[0] != accuracy[1] and back != AccuracyResults(accuracy.lst[:2])
    back[0].reevaluate(SimpleThreshold("max", 5, 5))
    assert back != accuracy


def test_accuracy_is_compared_with_its_aggregation_and_with_anything() -> None:
    accuracy = AccuracyResult({("a", "b"): []})
    average = AccuracyResult({("a", "b"): []}, "average")
    assert accuracy == AccuracyResult(accuracy) and not accuracy != AccuracyResult(accuracy)
    assert accuracy != average and not accuracy == average
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert accuracy != 5 and not accuracy == 5


def test_a_text_isnt_a_tolerance() -> None:
    with pytest.raises(InputError, match="atol must be a number.* but is 'much'"):
        Comparator.compare_accuracy(results_of([1.0], [1.0]), compare_func=CompareFunc.simple(atol="much"))


def test_pairs_of_runners_must_exist(capsys: pytest.CaptureFixture[str]) -> None:
    results = results_of(1, 1)
    assert Comparator.compare_accuracy(results, comparisons=[(1, 0)])
    with pytest.raises(InputError, match=r"the pair \(0, 2\), but the positions of the runners are 0 to 1"):
        Comparator.compare_accuracy(results, comparisons=[(0, 2)])
    assert "Nothing was compared" not in capsys.readouterr().out
    Comparator.compare_accuracy(RunResults(results.lst[:1]))
    assert "[W] Nothing was compared" in capsys.readouterr().out


def test_a_folder_without_results_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "notes.txt").touch()
    with pytest.raises(InputError, match="no .json or .npz files"):
        RunResults.load(tmp_path)


def test_the_order_of_outputs_makes_no_difference() -> None:
    first, second = np.float32([1, 2]), np.float32([3])
    result = IterationResult({"x": first, "y": second})
    assert result == IterationResult({"y": second, "x": first})
    assert result != IterationResult({"y": first, "x": second}) and result != IterationResult({"x": first})


def test_a_missing_runner_is_named() -> None:
    with pytest.raises(NotFoundError, match="c does not exist in this"):
        results_of([1.0], [1.0])["c"]


def test_integers_of_shape_1_are_generated_unless_the_user_gives_that_shape() -> None:
    loader = DataLoader(val_range=(0, 127))
    loader.input_metadata = TensorMetadata().add("i", np.int64, (1,)).add("j", np.int64, (3,))
    random = np.random.RandomState(1)
    assert {name: array.tolist() for name, array in loader[0].items()} == {
        name: random.randint(0, 128, size).tolist() for name, size in (("i", 1), ("j", 3))
    }
    given = DataLoader(val_range=(0, 127), input_metadata=TensorMetadata().add("i", np.int64, (1,)))
    assert given[0]["i"].tolist() == [1]  # as in Polygraphy, the value of an input that holds a shape


def test_metadata_may_have_patterns() -> None:
    model = TensorMetadata().add("in_a", np.float32, (-1,)).add("in_b", np.float32, (-1,)).add("x[0]", np.float32, (-1,))
    given = TensorMetadata().add("in_*", np.float16, (2,)).add("in_b", np.float64, (3,)).add("x[0]", None, (4,)).add("i*", None, (5,))
    loader = DataLoader(input_metadata=given)
    loader.input_metadata = model
    arrays = {name: (array.dtype, array.shape) for name, array in loader[0].items()}
    assert arrays == {"in_a": (np.float16, (2,)), "in_b": (np.float64, (3,)), "x[0]": (np.float32, (4,))}


@pytest.mark.parametrize(
    "least, greatest, expected", [((2,), (4,), (2,)), ((2,), None, (2,)), (None, (4,), (4,)), (None, None, (1,))]
)
def test_unknown_dimensions_take_a_bound(least: Any, greatest: Any, expected: Any) -> None:
    loader = DataLoader(input_metadata=TensorMetadata().add("x", np.float32, (-1,), min_shape=least, max_shape=greatest))
    assert loader[0]["x"].shape == expected


def test_unknown_dimensions_take_what_their_names_imply() -> None:
    model = TensorMetadata().add("x", np.float32, ("batch", 3)).add("past", np.float32, (2, "past + batch"))
    loader = DataLoader(input_metadata=TensorMetadata().add("x", np.float32, (4, 3)))
    loader.input_metadata = model
    assert {name: array.shape for name, array in loader[0].items()} == {"x": (4, 3), "past": (2, 5)}
    loader = DataLoader()
    loader.input_metadata = TensorMetadata().add("mask", np.float32, (None, "past + 1"))
    assert loader[0]["mask"].shape == (1, 2)


def test_a_model_runs_whose_dimensions_are_sums() -> None:
    model = parse("g (float[past] x, float[total] mask) => (float y) <int64 one = {1}> { y = Gather(mask, one) }")
    model.graph.input[1].type.tensor_type.shape.dim[0].dim_param = "past + 1"
    results = Comparator.run([OnnxrtRunner(model)], data_loader=DataLoader())
    assert results[0][1][0]["y"].shape == ()
