"""The annotations of the package are right: mypy --strict finds nothing, and programs can read them."""

import importlib
import inspect
import os
import pkgutil
import re
import subprocess
import sys
import typing
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import onnx

import assay
from assay.reduction import Mode


def public_functions() -> Iterator[Any]:
    """Yields the functions, classes, methods and properties of the package whose names don't begin with an underscore."""
    for found in pkgutil.walk_packages(assay.__path__, "assay."):
        if found.name in ("assay.__main__", "assay._assay"):
            continue
        for name, value in list(vars(importlib.import_module(found.name)).items()):
            if name.startswith("_") or getattr(value, "__module__", "") != found.name:
                continue
            if inspect.isfunction(value) or inspect.isclass(value):
                yield value
            for method, member in list(vars(value).items()) if inspect.isclass(value) else ():
                function = getattr(member, "__func__", getattr(member, "fget", member))
                if inspect.isfunction(function) and (not method.startswith("_") or method == "__init__"):
                    yield function


def test_annotations_can_be_read() -> None:
    """As editors, notebooks and Sphinx do."""
    unreadable, count = [], 0
    for function in public_functions():
        count += 1
        try:
            typing.get_type_hints(function)
        except Exception as error:
            unreadable.append(f"{function.__module__}.{function.__qualname__}: {error}")
    assert not unreadable and count > 300
    assert typing.get_type_hints(assay.Model.to_proto)["return"] is onnx.ModelProto
    assert typing.get_type_hints(assay.reduce)["mode"] == Mode


PROGRAM = """
import onnx
import assay
from assay.backend.onnx import FoldConstants, ModifyOutputs, OnnxFromPath, fold_constants, modify_outputs
from assay.comparator import AccuracyResults, RunResults

model = assay.Model("model.onnx")
message = onnx.load("model.onnx")
reveal_type(fold_constants(model))
reveal_type(fold_constants("model.onnx", num_passes=2))
reveal_type(modify_outputs(message, outputs=["y"]))
reveal_type(fold_constants(lambda: message))
fold_constants(model, num_pases=2)
reveal_type(AccuracyResults.load("accuracy.json"))
reveal_type(RunResults.from_json("{}"))
reveal_type(ModifyOutputs(OnnxFromPath("model.onnx"), outputs=["y"]))
reveal_type(FoldConstants(model=model))
FoldConstants(model, error_okay=True)
reveal_type(assay.backend.onnxrt.OnnxrtRunner("model.onnx"))
reveal_type(assay.logger.G_LOGGER)
"""


def run_mypy(target: Path, cache: Path) -> subprocess.CompletedProcess[str]:
    config = Path(__file__).parents[1] / "mypy.ini"
    package = Path(assay.__file__).parent  # of the build folder, which has the extension, too
    return subprocess.run(
        [sys.executable, "-m", "mypy", "--config-file", config, "--cache-dir", cache, target],
        cwd=package.parent,
        env={**os.environ, "MYPYPATH": str(package.parent)},
        capture_output=True,
        text=True,
        check=False,
    )


def test_mypy_finds_nothing(tmp_path: Path) -> None:
    result = run_mypy(Path(assay.__file__).parent, tmp_path)
    assert result.returncode == 0, result.stdout


def test_models_loaders_results_and_names_in_modules_have_their_types(tmp_path: Path) -> None:
    (tmp_path / "program.py").write_text(PROGRAM)
    shown = run_mypy(tmp_path / "program.py", tmp_path).stdout
    revealed = re.findall('Revealed type is "(.*)"', shown)
    models = ["assay.model.Model", "assay.model.Model", "onnx.onnx_ml_pb2.ModelProto", "Any"]
    results = ["assay.comparator.struct.AccuracyResults", "assay.comparator.struct.RunResults"]
    loaders = ["assay.backend.base.lazy.Loader[Any]"] * 2
    names_in_modules = ["assay.backend.onnxrt.OnnxrtRunner", "assay.logger.Logger"]
    assert revealed == models + results + loaders + names_in_modules, shown
    unknown = re.findall('error: Unexpected keyword argument "([a-z_]*)"', shown)
    assert unknown == ["num_pases", "error_okay"] and "incompatible type" not in shown, shown
