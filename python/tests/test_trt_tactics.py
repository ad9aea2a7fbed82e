"""Tactic replays in assay.backend.trt. The last tests need the stand-in for TensorRT, as in test_trt_engine.py."""

from __future__ import annotations

import io
import json
import os
import subprocess
from enum import Enum
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from assay import _assay
from assay.backend import trt
from assay.backend.trt import Algorithm, TacticRecorder, TacticReplayData, TacticReplayer, TensorInfo
from assay.backend.trt.algorithm_selector import TacticRecorder as Recorder
from assay.backend.trt.engine import _Worker
from assay.exception import EngineError, Error, InputError, NotFoundError
from assay.json import from_json
from models import parse
from test_trt import has_worker
from test_trt_engine import MAJOR, STAND_IN


class DataType(Enum):
    """As in the package tensorrt."""

    FLOAT = 0
    HALF = 1


def info(dtype: Any = "FLOAT") -> TensorInfo:
    return TensorInfo(dtype, (3, 1), -1, 1)


def replay() -> TacticReplayData:
    return TacticReplayData().add("conv", Algorithm(5, -7, [info()], [info(DataType.HALF)])).add("relu", Algorithm(1, 2, [], []))


def test_replays_are_saved_as_polygraphy_does(tmp_path: Path) -> None:
    path = tmp_path / "replay.json"
    replay().save(path)
    tensor = {"strides": [3, 1], "vectorized_dim": -1, "components_per_element": 1, "polygraphy_class": "TensorInfo"}
    assert json.loads(path.read_text())["replay"]["conv"] == {
        "implementation": 5,
        "tactic": -7,
        "inputs": [{"dtype": "DataType.FLOAT", **tensor}],
        "outputs": [{"dtype": "DataType.HALF", **tensor}],
        "polygraphy_class": "Algorithm",
    }
    assert json.loads(path.read_text())["polygraphy_class"] == "TacticReplayData"
    loaded = TacticReplayData.load(path)
    assert loaded == replay() and list(loaded) == ["conv", "relu"] and isinstance(loaded["conv"], Algorithm)
    assert from_json(replay().to_json()) == replay()
    assert "Layer: conv" in str(loaded)


def test_the_command_line_reads_them(tmp_path: Path) -> None:
    replay().save(tmp_path / "replay.json")
    command = [_assay.libexec().parents[1] / "bin" / "assay", "inspect", "tactics", tmp_path / "replay.json"]
    shown = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    assert "Layer: conv" in shown and "implementation 5, tactic -7 | inputs: DataType.FLOAT strides (3, 1)" in shown


def test_algorithms_are_values() -> None:
    assert info("FLOAT") == info(DataType.FLOAT) == info("DataType.FLOAT") != info("HALF")
    assert len({info(), info(), info("HALF")}) == 2
    assert len({Algorithm(1, 2, [info()], []), Algorithm(1, 2, (info(),), ()), Algorithm(1, 3, [info()], [])}) == 2


def test_objects_of_tensorrt_are_understood() -> None:
    tensor = SimpleNamespace(dtype=DataType.HALF, strides=[4, 1], vectorized_dim=-1, components_per_element=1)
    algorithm = SimpleNamespace(
        algorithm_variant=SimpleNamespace(implementation=3, tactic=4), get_algorithm_io_info=lambda index: tensor
    )
    found = Algorithm.from_trt(SimpleNamespace(num_inputs=2, num_outputs=1), algorithm)
    half = TensorInfo("HALF", (4, 1), -1, 1)
    assert found == Algorithm(3, 4, [half, half], [half])


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: TensorInfo(3, (1,), -1, 1), "dtype must be an element type of TensorRT, but is 3"),
        (lambda: TensorInfo("FLOAT", 3, -1, 1), "strides must be a sequence of integers"),
        (lambda: TensorInfo("FLOAT", (1.5,), -1, 1), "a stride must be an integer, but is 1.5"),
        (lambda: Algorithm("a", 1, [], []), "implementation must be an integer"),
        (lambda: Algorithm(1, 1, [3], []), r"inputs\[0\] must be a TensorInfo, but is 3"),
        (lambda: TacticReplayData({"conv": 3}), "an Algorithm for the name of each layer"),
        (lambda: TacticReplayData().add(3, Algorithm(1, 1, [], [])), "an Algorithm for the name of each layer"),
        (lambda: TacticRecorder(3), "record must be a path, an open file or a TacticReplayData"),
        (lambda: TacticReplayer(3), "replay must be a path, an open file or a TacticReplayData"),
        (lambda: TacticReplayer(io.StringIO("{}")), "should be a TacticReplayData"),
        (lambda: trt.CreateConfig(algorithm_selector=object()), "Give a TacticRecorder or a TacticReplayer"),
    ],
)
def test_wrong_values_are_refused(call: Any, message: str) -> None:
    with pytest.raises(InputError, match=message):
        call()


def test_selectors_say_what_they_hold(tmp_path: Path) -> None:
    with pytest.raises(NotFoundError, match="there is no tactic replay .*missing.json"):
        TacticReplayer(tmp_path / "missing.json")
    selector = TacticReplayer(io.StringIO(replay().to_json()))
    assert selector.data == replay()
    with pytest.raises(Error, match="algorithm selector is in a worker process, so 'select_algorithms' can't be used here"):
        selector.select_algorithms
    assert Recorder is TacticRecorder


needs_stand_in = pytest.mark.skipif(
    not (STAND_IN and has_worker() and MAJOR == 10),
    reason="needs TensorRT 10, its worker, which is built with NVIDIA's headers, and the variables that ctest sets",
)


@pytest.fixture
def network() -> Any:
    model = parse("g (float[2] x) => (float[2] y) { [rectify] t = Relu(x) [copy] y = Identity(t) }", 'opset_import: ["" : 17]')
    return trt.NetworkFromOnnxBytes(model)


def tactics(plan: bytes) -> list[int]:
    """Returns the tactics of an engine of the stand-in."""
    return [layer["tactic"] for layer in json.loads(plan.partition(b"\n")[2])["graph"]["layers"]]


@needs_stand_in
def test_tactics_are_recorded_and_replayed(network: Any, tmp_path: Path) -> None:
    path, text, data = tmp_path / "folder" / "replay.json", io.StringIO(), TacticReplayData()
    for record in (path, text, data):
        trt.engine_from_network(network, trt.CreateConfig(algorithm_selector=TacticRecorder(record)))
    assert TacticReplayData.load(path) == TacticReplayData.from_json(text.getvalue()) == data
    assert list(data) == ["rectify", "copy"] and data["rectify"].inputs == (TensorInfo("FLOAT", (1,), -1, 1),)
    old = data["copy"]
    other = Algorithm(old.implementation, -0x0123456789ABCDEF, old.inputs, old.outputs)  # the second of the stand-in
    config = trt.CreateConfig(algorithm_selector=TacticReplayer(data.add("copy", other)))
    assert tactics(trt.engine_bytes_from_network(network, config)) == [0, 1]
    assert tactics(trt.engine_from_network(network, config).serialize()) == [0, 1]
    wrong = data.add("copy", Algorithm(1, 1, [], []))
    with pytest.raises(EngineError, match="doesn't offer the tactic that the replay has for the layer 'copy'"):
        trt.engine_from_network(network, trt.CreateConfig(algorithm_selector=TacticReplayer(wrong)))


@needs_stand_in
def test_polygraphy_reads_what_the_worker_writes(network: Any, tmp_path: Path) -> None:
    python = os.environ.get("ASSAY_TEST_PYTHON", "")
    if not python:
        pytest.skip("ASSAY_TEST_PYTHON doesn't name a Python that has Polygraphy")
    replay = tmp_path / "replay.json"
    settings = {"--save-tactics": json.dumps([[str(replay)]])}
    _Worker().start(network().network.model, settings).close()
    # Polygraphy reads the names of types in TensorRT, which needn't be there.
    (tmp_path / "tensorrt.py").write_text("import enum\n__version__ = '10.0.0'\nDataType = enum.Enum('DataType', 'FLOAT HALF')\n")
    command = [Path(python).parent / "polygraphy", "inspect", "tactics", replay]
    environment = {**os.environ, "PYTHONPATH": str(tmp_path), "PYTHONDONTWRITEBYTECODE": "1"}
    shown = subprocess.run(command, capture_output=True, text=True, check=True, env=environment).stdout
    assert "Layer: rectify" in shown and "Implementation: 2147483650, Tactic: 0" in shown


@needs_stand_in
def test_nothing_is_recorded_of_a_failed_build(network: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(os.environ, "ASSAY_FAKE_TENSORRT", "fail_build")
    recorder = TacticRecorder(tmp_path / "replay.json")
    with pytest.raises(EngineError):
        trt.engine_from_network(network, trt.CreateConfig(algorithm_selector=recorder))
    assert not recorder.data and not (tmp_path / "replay.json").exists()
