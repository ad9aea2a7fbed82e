"""assay.inspect for engines of TensorRT: from the JSON of TensorRT's inspector, and from engines with the stand-in."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

import assay
from assay.backend import trt
from assay.engine_inspection import EngineInspection
from test_trt_engine import STAND_IN, config, loader, model  # noqa: F401 (fixtures)
from test_trt import has_worker

SAVED = Path(__file__).parents[2] / "src" / "tensorrt" / "testdata"


def test_saved_layers_are_described() -> None:
    found = assay.inspect(SAVED / "engine_detailed.json")
    assert isinstance(found, EngineInspection)
    assert len(found.layers) == found.details["layer_count"] == sum(found.operators.values())
    assert not found.names_only and all(layer.op_type for layer in found.layers)
    assert [value.name for value in found.inputs] and [value.name for value in found.outputs]
    assert found.layers[0].inputs[0].dtype
    text = str(assay.inspect(SAVED / "engine_detailed.json", show=["layers"]))
    assert found.layers[0].name in text and found.layers[0].name not in str(found)
    assert "<table>" in found._repr_html_()


def test_names_alone_are_described() -> None:
    found = assay.inspect(str(SAVED / "engine_names.json"))
    assert found.names_only and found.layers[0].name
    assert found.layers[0].op_type == ""


def test_a_damaged_file_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "layers.json").write_text("{")
    with pytest.raises(assay.InputError, match="layers.json|complete"):
        assay.inspect(tmp_path / "layers.json")
    with pytest.raises(assay.NotFoundError, match="gone.plan"):
        assay.inspect(tmp_path / "gone.plan")


@pytest.mark.skipif(not (STAND_IN and has_worker()), reason="needs TensorRT's worker and the stand-in for TensorRT")
def test_engines_are_described(loader: object, tmp_path: Path) -> None:  # noqa: F811
    engine = trt.engine_from_network(loader, config())
    found = assay.inspect(engine)
    assert [value.name for value in found.inputs] == ["x"] and found.layers
    path = tmp_path / "m.plan"
    trt.save_engine(engine, path)
    shutil.copy(path, tmp_path / "m.engine")
    for given in (path, str(tmp_path / "m.engine"), trt.engine_from_bytes(path.read_bytes())):
        assert assay.inspect(given) == found
