"""assay.reduce with commands `assay run ...`: it knows what they run, as `assay debug reduce` does."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Literal

import onnx
import pytest

import assay
from interrupts import last_line_of
from models import parse

ASSAY = [sys.executable, "-m", "assay"]


def with_factor(factor: str) -> onnx.ModelProto:
    return parse(
        f"""g (float[2] x, float[2] b) => (float[2] y) <float[2] k = {{{factor}}}> {{
              a = Neg(x)  s = Softplus(a)  p = Add(s, b)  m = Mul(p, k)  e = Exp(m)  t = Atan(e)  y = Sqrt(t) }}"""
    )


@pytest.fixture
def saved(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """In the working folder: inputs, and outputs of a model whose Mul computes something else."""
    monkeypatch.chdir(tmp_path)
    onnx.save(with_factor("2, 2"), "right.onnx")
    run = [*ASSAY, "run", "right.onnx", "--onnxrt", "--save-inputs", "in.json"]
    subprocess.run([*run, "--save-outputs", "last.json"], check=True)
    subprocess.run([*run, "--save-outputs", "all.json", "--onnx-outputs", "mark", "all"], check=True)


@pytest.mark.parametrize("more", [[], ["--load-inputs", "in.json"]])
@pytest.mark.parametrize("mode", ["minimal", "bisect"])
def test_saved_outputs_show_which_node_computes_something_else(
    saved: None, more: list[str], mode: Literal["minimal", "bisect"]
) -> None:
    check = ["assay", "run", "{model}", "--onnxrt", "--load-outputs", "all.json", *more]
    reduction = assay.reduce(with_factor("2, 3"), check, mode=mode)
    assert "Mul" in [node.op_type for node in reduction.model.nodes]
    if mode == "minimal":
        assert reduction.nodes_after == 1


def test_candidates_whose_outputs_were_not_saved_are_skipped(saved: None, capfd: pytest.CaptureFixture[str]) -> None:
    check = "assay run {model} --onnxrt --load-outputs last.json --load-inputs in.json"
    reduction = assay.reduce(with_factor("2, 3"), check)
    assert "Sqrt" in [node.op_type for node in reduction.model.nodes], "it computes the output that was saved"
    warning = "save all tensors with correct values (`--onnx-outputs mark all --save-outputs FILE`)"
    assert warning in capfd.readouterr().out, "these are words for a shell"


def test_constants_have_the_sizes_of_the_check() -> None:
    model = parse("g (float[n] x) => (float[n] y) { a = Neg(x)  b = Exp(x)  c = Sub(a, b)  y = Log(c) }")
    check = "assay run {model} --onnxrt --validate --input-shapes x:[3]"
    reduction = assay.reduce(model, check, values="freeze")
    assert [node.op_type for node in reduction.model.nodes] == ["Log"]
    (constant,) = reduction.model.to_proto().graph.initializer
    assert list(constant.dims) == [3]


def test_engines_and_files_are_looked_for_where_the_program_is_now(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    model = parse("g (float[2] x) => (float[2] y) { a = Neg(x)  y = Log(a) }")
    check = "assay run {model} --onnxrt --validate --data-loader-script in.py"
    for number in (1, 2):
        folder = tmp_path / str(number)
        folder.mkdir()
        monkeypatch.chdir(folder)
        Path("in.py").write_text(
            f"import numpy\ndef load_data():\n    yield {{'x': numpy.array([{number}, 2], numpy.float32)}}\n"
        )
        reduction = assay.reduce(model, check)
        (constant,) = reduction.model.to_proto().graph.initializer
        assert onnx.numpy_helper.to_array(constant).tolist() == [-number, -2]
    monkeypatch.setenv("ASSAY_ONNXRUNTIME_LIB", "/nowhere.so")
    with pytest.raises(assay.InputError, match="/nowhere.so"):
        assay.reduce(model, check)


HANGING_ENGINE = """
import threading
def load(path):
    open("started", "w").close()
    threading.Event().wait()
def infer(model, feeds):
    return {}
"""

INTERRUPTED = """
def interrupt_once_it_hangs():
    open("started").close()
    ctrl_c()
threading.Thread(target=interrupt_once_it_hangs, daemon=True).start()
assay.reduce("model.onnx", ["assay", "run", "{model}", "--python", "engine.py", "--python-interpreter", sys.executable])
"""


def test_ctrl_c_ends_an_engine_that_hangs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("engine.py").write_text(HANGING_ENGINE)
    onnx.save(with_factor("2, 3"), "model.onnx")
    os.mkfifo("started")
    assert last_line_of(INTERRUPTED) == "KeyboardInterrupt"
