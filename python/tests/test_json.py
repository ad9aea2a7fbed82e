"""Classes of the caller as JSON, and small functions that ported programs call."""

from __future__ import annotations

import copy
import json
import os
import pickle
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import assay
from assay import mod, util
from assay.backend.trt import TacticReplayData
from assay.comparator import AccuracyResult, IterationResult, RunResults
from assay.json import Decoder, Encoder, add_json_methods, from_json, load_json, to_json


@add_json_methods("a pair")
class Pair:
    def __init__(self, first: Any, second: Any) -> None:
        self.first, self.second = first, second


@Encoder.register(Pair)
def encode_pair(pair: Pair) -> dict[str, Any]:
    return {"first": pair.first, "second": pair.second}


@Decoder.register(Pair, alias="OldPair")
def decode_pair(members: dict[str, Any]) -> Pair:
    return Pair(**members)


def test_registered_classes_survive_files(tmp_path: Path) -> None:
    pair = Pair(np.arange(3), {"inner": Pair(1, "b")})
    pair.save(tmp_path / "pair.json")  # type: ignore[attr-defined]
    loaded = Pair.load(tmp_path / "pair.json")  # type: ignore[attr-defined]
    assert loaded.first.tolist() == [0, 1, 2] and loaded.second["inner"].second == "b"
    assert isinstance(load_json(tmp_path / "pair.json"), Pair)
    text = json.dumps([pair], cls=Encoder)
    assert json.loads(text, object_pairs_hook=Decoder())[0].first.tolist() == [0, 1, 2]
    assert "".join(Encoder().iterencode(pair)) == json.dumps(pair, cls=Encoder)
    assert Pair.from_json(to_json(pair)).second["inner"].first == 1  # type: ignore[attr-defined]
    assert from_json(to_json(pair).replace('"Pair"', '"OldPair"')).first.tolist() == [0, 1, 2]


def test_a_file_of_another_class_is_refused(tmp_path: Path) -> None:
    with pytest.raises(assay.InputError, match="this JSON is a list, but should be a Pair"):
        Pair.from_json("[1]")  # type: ignore[attr-defined]
    with pytest.raises(assay.NotFoundError, match="gone.json"):
        Pair.load(tmp_path / "gone.json")  # type: ignore[attr-defined]
    with pytest.raises(assay.InputError, match="is a folder"):
        Pair.load(tmp_path)  # type: ignore[attr-defined]
    (tmp_path / "m.onnx").write_bytes(b"\xff\xfe")
    with pytest.raises(assay.InputError, match="m.onnx isn't a text file"):
        Pair.load(tmp_path / "m.onnx")  # type: ignore[attr-defined]
    RunResults().save(tmp_path / "results.json")
    for load, article in ((Pair.load, "a Pair"), (AccuracyResult.load, "an AccuracyResult")):  # type: ignore[attr-defined]
        with pytest.raises(assay.InputError, match=f"results.json is a RunResults, but should be {article}$"):
            load(tmp_path / "results.json")


def test_a_file_that_is_not_json_is_named(tmp_path: Path) -> None:
    (tmp_path / "cut.json").write_text('{"x": [1, 2')
    for load in (load_json, AccuracyResult.load):
        with pytest.raises(assay.InputError, match="cannot read .*cut.json: this isn't JSON: "):
            load(tmp_path / "cut.json")
    with open(tmp_path / "cut.json") as file, pytest.raises(assay.InputError, match="^this isn't JSON: "):
        load_json(file)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('[{"polygraphy_class": "Unknown", "x": 1}]', "class 'Unknown', which has no decoder"),
        ('{"__polygraphy_encoded_Unknown": "marker"}', "class 'Unknown', which has no decoder"),
        ('{"polygraphy_class": ["Pair"]}', "which has no decoder"),
        ('{"polygraphy_class": "Tensor", "tensor": "UEsDBA=="}', "a tensor of PyTorch, which isn't installed|that can't be read"),
    ],
)
def test_an_object_of_an_unknown_class_is_refused(text: str, message: str) -> None:
    with pytest.raises(assay.InputError, match=message):
        from_json(text)


def test_a_class_of_this_package_is_known_before_its_module_is_imported(tmp_path: Path) -> None:
    replay = TacticReplayData()
    replay.save(tmp_path / "replay.json")
    program = "import sys; from assay.comparator import AccuracyResults; AccuracyResults.load(sys.argv[1])"
    command = [sys.executable, "-c", program, str(tmp_path / "replay.json")]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.stderr.rstrip().endswith("replay.json is a TacticReplayData, but should be an AccuracyResults")


def test_old_files_name_classes_in_keys() -> None:
    array = json.loads(to_json(np.arange(3)))["array"]
    old = {"first": 1, "second": {"array": array, "__polygraphy_encoded_ndarray": "marker"}, "__polygraphy_encoded_Pair": "marker"}
    loaded = from_json(json.dumps(old))
    assert isinstance(loaded, Pair) and loaded.second.tolist() == [0, 1, 2]


def test_a_class_is_registered_once() -> None:
    with pytest.raises(assay.InputError, match="already an encoder of Pair"):
        Encoder.register(Pair)(encode_pair)
    with pytest.raises(assay.InputError, match="already a decoder of Pair"):
        Decoder.register(Pair)(decode_pair)


def test_functions_on_arrays() -> None:
    array = np.float32([[1, -2, 3], [4, np.nan, np.inf]])
    assert util.array.isnan(array).tolist() == np.isnan(array).tolist()
    assert util.array.any(util.array.isinf(array)) and util.array.size(array) == 6
    assert util.array.dtype(array) == "float32" and util.array.cast(array, "float64").dtype == np.float64
    finite = array[0]
    assert (util.array.max(finite), util.array.min(finite), util.array.argmax(finite)) == (3, -2, 2)
    assert util.array.median(finite) == 1 and util.array.abs(finite).tolist() == [1, 2, 3]
    assert util.array.where(finite > 0, finite, 0).tolist() == [1, 0, 3]
    assert util.array.view(np.uint8([0, 0, 128, 63]), "float32", (1,)).tolist() == [1]
    values, indices = util.array.topk(finite, 2, 0)
    assert values.tolist() == [3, 1] and indices.tolist() == [2, 0]
    for integers in (np.uint8([0, 255, 7]), np.int8([-128, 5, 0])):  # whose negatives overflow
        assert util.array.topk(integers, 2, 0)[1].tolist() == [1, 2]
    assert util.array.unravel_index(4, (2, 3)) == (1, 1)
    with pytest.raises(AttributeError, match="no attribute 'fft'"):
        util.array.fft


def test_small_functions(tmp_path: Path) -> None:
    assert util.find_str_in_iterable("Out", ["x", "output_0"]) == "output_0"
    assert util.find_str_in_iterable("q", ["x", "y"], 1) == "y" and util.find_str_in_iterable("q", ["x"], 1) is None
    assert util.match_keys(["a*", "b"], ["a1", "a2"]) == ({"a1": "a*", "a2": "a*"}, ["b"])
    assert util.unpack_args((1,), 2) == (1, None) and util.unpack_args((1, 2, 3), 2) == (1, 2)
    assert util.add_file_suffix("a/b.json", "-1") == "a/b-1.json" and util.sanitize_filename("a/b") == "a_b"
    (tmp_path / "m.onnx").write_bytes(b"123")
    assert util.find_in_dirs("*.onnx", [tmp_path / "gone", tmp_path]) == [str(tmp_path / "m.onnx")]
    assert util.get_file_size(tmp_path / "m.onnx") == 3 and util.get_file_size(tmp_path / "gone") == 0
    assert util.indent_block("a\nb") == "    a\n    b"
    assert util.is_sequence([]) and not util.is_sequence("ab") and not util.is_sequence({})


def test_saving_keeps_what_is_at_the_path(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"old")
    (tmp_path / "file").chmod(0o604)
    (tmp_path / "link").symlink_to("file")
    util.save_file(memoryview(b"new"), tmp_path / "link")
    assert (tmp_path / "link").is_symlink() and (tmp_path / "file").read_bytes() == b"new"
    assert (tmp_path / "file").stat().st_mode & 0o777 == 0o604
    os.mkfifo(tmp_path / "pipe")
    reader = os.open(tmp_path / "pipe", os.O_RDONLY | os.O_NONBLOCK)
    util.save_file("text", tmp_path / "pipe", "w")
    assert os.read(reader, 10) == b"text" and (tmp_path / "pipe").is_fifo()
    os.close(reader)
    assert sorted(os.listdir(tmp_path)) == ["file", "link", "pipe"]
    with pytest.raises(assay.Error, match="cannot write: it is a folder"):
        util.save_file(b"", tmp_path)


def test_an_open_file_is_read_from_its_beginning(tmp_path: Path) -> None:
    results = RunResults([("a", [IterationResult({"x": np.arange(3)}, runner_name="a")])])
    with open(tmp_path / "results.json", "w+") as file:
        results.save(file)
        end = file.tell()
        assert RunResults.load(file) == results
        assert file.tell() == end
    with open(tmp_path / "list.json", "w+") as file:
        file.write("[1, 2]")
        assert load_json(file) == [1, 2]


def test_runners_of_the_same_name_keep_their_iterations(tmp_path: Path) -> None:
    first, second = IterationResult({"x": np.zeros(2)}, runner_name="a"), IterationResult({"x": np.ones(2)}, runner_name="a")
    results = RunResults([("a", [first]), ("a", [second])])
    assert RunResults.from_json(results.to_json()) == results
    results.save(tmp_path / "results.json")
    assert [name for name, iterations in load_json(tmp_path / "results.json").items() if len(iterations) == 1] == ["a", "a"]


def test_tactics_are_read_without_importing_their_module(tmp_path: Path) -> None:
    path = tmp_path / "tactics.json"
    path.write_text('{"replay": {}, "polygraphy_class": "TacticReplayData"}')
    code = f"import assay.json; print(type(assay.json.load_json({str(path)!r})).__name__)"
    assert subprocess.run([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True, check=True).stdout == "TacticReplayData\n"


def test_what_json_lacks_is_refused() -> None:
    assert from_json(to_json({np.int64(1): np.float32(0.5), None: True})) == {"1": 0.5, "null": True}
    for value, message in (
        ({(1, 2): 3}, "JSON has no entries whose key is a tuple"),
        ({1, 2}, "a set can't be written as JSON"),
        ([1 + 2j], "a complex can't be written as JSON"),
        (np.complex64(1), "a complex64 can't be written as JSON"),
    ):
        with pytest.raises(assay.InputError, match=message):
            to_json(value)
    with pytest.raises(TypeError):
        load_json(0)  # would read and close the standard input


def test_lazy_modules_are_copied() -> None:
    lazy = mod.lazy_import("math")
    for made in (copy.copy(lazy), copy.deepcopy(lazy), pickle.loads(pickle.dumps(lazy))):
        assert made.pi == lazy.pi


def test_copies_of_results_have_everything() -> None:
    result = IterationResult({"x": np.zeros(2)}, 0.5, "a").copy()
    assert (list(result), result.runtime, result.runner_name) == (["x"], 0.5, "a")
    accuracy = AccuracyResult({("a", "b"): []}, "average").copy()
    assert (list(accuracy), accuracy.aggregation) == ([("a", "b")], "average")
