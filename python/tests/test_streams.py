"""Runs, results and inputs that pass iteration by iteration."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import numpy as np
import onnx
import pytest

import assay
from assay.backend.onnxrt import OnnxrtRunner
from assay.backend.reference import ReferenceRunner
from assay.comparator import Comparator, CompareFunc, DataLoader, IterationResult, RunResults, StreamingDataLoader


def runners(model: onnx.ModelProto) -> list[Any]:
    return [OnnxrtRunner(model, name="onnxrt"), ReferenceRunner(model, name="reference")]


def run(name: str, *values: float) -> RunResults:
    return RunResults([(name, [IterationResult({"y": np.float32([value])}, 0.5, name) for value in values])])


def test_streamed_results_are_those_of_a_run(scale: onnx.ModelProto) -> None:
    stream = Comparator.run(runners(scale), DataLoader(iterations=3), streaming=True)
    singles = list(stream)
    assert [list(single.keys()) for single in singles] == [["onnxrt", "reference"]] * 3
    whole = Comparator.run(runners(scale), DataLoader(iterations=3))
    joined = RunResults.concat(singles)
    assert [iterations for _, iterations in joined.items()] == [iterations for _, iterations in whole.items()]


@pytest.mark.parametrize("suffix", ["", ".json"])
def test_names_of_files_need_not_be_unicode(scale: onnx.ModelProto, tmp_path: Path, suffix: str) -> None:
    inputs, outputs = (tmp_path / os.fsdecode(b"\xff" + name + suffix.encode()) for name in (b"i", b"o"))
    results = Comparator.run(runners(scale), save_inputs_path=inputs, save_outputs_path=outputs)
    assert RunResults.load(outputs) == RunResults.load(os.fsencode(outputs)) == results
    assert list(RunResults.load_streaming(outputs)) == [results]
    assert len(list(StreamingDataLoader(inputs))) == 1


def test_runners_of_a_stream_are_deactivated_when_it_is_closed(scale: onnx.ModelProto) -> None:
    active = runners(scale)
    stream = Comparator.run(active, DataLoader(iterations=5), streaming=True)
    next(stream)
    assert all(runner.is_active for runner in active)
    stream.close()
    assert not any(runner.is_active for runner in active)


@pytest.mark.parametrize("names", [("inputs", "outputs"), ("inputs.json", "outputs.json")])
@pytest.mark.parametrize("streaming", [False, True])
def test_inputs_and_outputs_are_saved_and_streamed(
    scale: onnx.ModelProto, tmp_path: Path, names: tuple[str, str], streaming: bool
) -> None:
    inputs, outputs = (tmp_path / name for name in names)
    found = Comparator.run(
        runners(scale), DataLoader(iterations=2), save_inputs_path=inputs, save_outputs_path=outputs, streaming=streaming
    )
    results = list(found) if streaming else list(found.split())
    assert (inputs.is_dir(), outputs.is_dir()) == (inputs.suffix == "",) * 2
    loaded = [dict(each) for each in StreamingDataLoader(inputs)]
    expected = DataLoader(iterations=2)
    expected.input_metadata = runners(scale)[0].__enter__().get_input_metadata()
    assert [each["x"].tolist() for each in loaded] == [each["x"].tolist() for each in expected]
    assert list(RunResults.load_streaming(outputs)) == results
    assert RunResults.load(outputs) == RunResults.concat(results)


def test_files_of_a_folder_and_of_a_list_follow_one_another(tmp_path: Path) -> None:
    for index, value in enumerate((1.0, 2.0)):
        run("a", value).save(tmp_path / f"{index}.json")
    both = list(RunResults.load_streaming(tmp_path))
    assert [single["a"][0]["y"][0] for single in both] == [1, 2]
    again = RunResults.load_streaming([tmp_path / "1.json", str(tmp_path / "0.json")])
    assert [single["a"][0]["y"][0] for single in again] == [2, 1]
    for stream in (RunResults.load_streaming(tmp_path, allow_dirs=False), StreamingDataLoader(tmp_path, allow_dirs=False)):
        with pytest.raises(assay.InputError, match="is a folder"):
            list(stream)
    with pytest.raises(assay.NotFoundError, match="nowhere.json"):
        list(StreamingDataLoader(tmp_path / "nowhere.json"))


def test_streams_are_compared(scale: onnx.ModelProto) -> None:
    stream = Comparator.run(runners(scale), DataLoader(iterations=3), streaming=True)
    accuracy = Comparator.compare_accuracy(stream)
    assert accuracy
    assert accuracy.stats() == (3, 0, 3)


def test_runs_of_a_list_are_compared_with_one_another() -> None:
    saved, live = run("saved", 1, 2, 3), iter([run("live", 1), run("live", 2), run("live", 4)])
    accuracy = Comparator.compare_accuracy([saved, live])
    assert list(accuracy[0]) == [("saved", "live")]
    assert accuracy.stats() == (2, 1, 3)


def test_a_longer_stream_is_warned_about(capsys: pytest.CaptureFixture[str]) -> None:
    accuracy = Comparator.compare_accuracy([run("a", 1), iter([run("b", 1), run("b", 2)])])
    assert accuracy.stats() == (1, 0, 1)
    assert "different numbers of iterations" in capsys.readouterr().out


def test_iterations_of_a_stream_have_the_same_runners() -> None:
    with pytest.raises(assay.InputError, match="All iterations of a stream must have the same runners"):
        Comparator.compare_accuracy([run("a", 1, 2), iter([run("b", 1), run("c", 2)])])


def test_the_first_difference_ends_and_closes_a_stream() -> None:
    consumed = []

    def stream() -> Any:
        try:
            for value in (1, 2, 3):
                consumed.append(value)
                both = run("a", value)
                both.extend(run("b", 1))
                yield both
        finally:
            consumed.append("closed")

    accuracy = Comparator.compare_accuracy(stream(), fail_fast=True)
    assert not accuracy
    assert consumed == [1, 2, "closed"]


def test_streams_are_postprocessed_and_validated() -> None:
    def doubled(result: IterationResult) -> IterationResult:
        return IterationResult({"y": result["y"] * 2}, result.runtime, result.runner_name)

    stream = Comparator.postprocess(iter([run("a", 1), run("a", np.nan), run("a", 3)]), doubled)
    valid = Comparator.validate(stream)
    assert next(valid)["a"][0]["y"][0] == 2
    with pytest.raises(assay.Error, match="a | Output 'y' holds NaN"):
        next(valid)
    assert Comparator.validate([run("a", 1), run("b", np.nan)]) == [True, False]


def test_what_contradicts_a_stream_is_refused(scale: onnx.ModelProto, tmp_path: Path) -> None:
    with pytest.raises(assay.InputError, match="streaming has no warm_up"):
        Comparator.run(runners(scale), warm_up=1, streaming=True)
    with pytest.raises(assay.InputError, match="save_inputs_path and save_outputs_path are the same path"):
        Comparator.run(runners(scale), save_inputs_path=tmp_path / "x", save_outputs_path=tmp_path / "x")
    with pytest.raises(assay.InputError, match="check_average needs all iterations"):
        Comparator.compare_accuracy(run("a", 1), fail_fast=True, check_average=True, compare_func=CompareFunc.l2())


def test_a_file_is_complete_after_a_stream_was_left_early(scale: onnx.ModelProto, tmp_path: Path) -> None:
    file = tmp_path / "outputs.json"
    stream = Comparator.run(runners(scale), DataLoader(iterations=5), save_outputs_path=file, streaming=True)
    next(stream)
    next(stream)
    stream.close()
    assert [len(iterations) for _, iterations in RunResults.load(file).items()] == [2, 2]
    assert json.loads(file.read_text())["polygraphy_class"] == "RunResults"
