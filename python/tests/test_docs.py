"""Runs the examples of docs/python.md that need no TensorRT, in their order, in one folder."""

import importlib
import re
import shutil
from pathlib import Path
from typing import Any

import pytest

from models import REAL

DOCS = Path(__file__).parents[2] / "docs"


def test_the_examples_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    examples = re.findall(r"^```python\n(.*?)^```", (DOCS / "python.md").read_text(), re.DOTALL | re.MULTILINE)
    assert len(examples) == 5
    monkeypatch.chdir(tmp_path)
    shutil.copy(REAL / "light_squeezenet.onnx", "model.onnx")
    shown = []
    for number, example in enumerate(examples[:4]):  # the fifth is in test_trt_engine.py
        names: dict[str, Any] = {}
        exec(compile(example, f"example {number + 1}", "exec"), names)
        shown.append(capsys.readouterr().out)
    assert "changes" in shown[0]
    assert "the outputs " in shown[1] and shown[1].splitlines()[-1].startswith("differ ")
    assert "Reduced 105 nodes to 1 (minimal)" in shown[2]
    assert Path("reduced.onnx").exists()
    assert "Does it run?" in shown[3]
    assert Path("diagnosis/diagnosis.json").exists()


def test_the_example_of_the_readme_runs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    [example] = re.findall(r"^```python\n(.*?)^```", (DOCS.parent / "README.md").read_text(), re.DOTALL | re.MULTILINE)
    monkeypatch.chdir(tmp_path)
    shutil.copy(REAL / "light_squeezenet.onnx", "model.onnx")
    shutil.copy(REAL.parents[1] / "examples" / "models" / "densenet_max_int16.onnx", "failing.onnx")
    exec(compile(example, "README.md", "exec"), {})
    shown = capsys.readouterr().out
    assert "to 1 (minimal)" in shown and "NOT_IMPLEMENTED" in shown
    assert "DIFFERENCE: tensor" in shown and Path("reduced.onnx").exists()


def test_every_name_that_the_table_calls_the_same_exists() -> None:
    table = (DOCS / "coming-from-polygraphy.md").read_text()
    module, checked = "", 0
    for row in re.findall(r"^\| (`[^|]*) \| the same", table, re.MULTILINE):
        named = re.match(r"`([a-z][\w.]*)`: (.*)", row)
        if named:
            module, row = named.groups()
        for name in re.findall(r"`([\w.]+)`", row):
            path = name if named is None and "." in name else f"{module}.{name}" if name != module else name
            home, _, attribute = path.rpartition(".")
            try:
                importlib.import_module(f"assay.{path}")
            except ImportError:
                assert hasattr(importlib.import_module(f"assay.{home}"), attribute), path
            checked += 1
    assert checked > 30
