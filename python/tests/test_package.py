"""The package itself: what an import costs, what it exports, and where it finds its workers."""

import subprocess
import sys
from pathlib import Path

import pytest

import assay
from assay import _assay


def test_import_loads_neither_the_extension_nor_numpy() -> None:
    program = "import assay, sys; print([name for name in ('numpy', 'assay._assay') if name in sys.modules])"
    result = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert result.stdout.strip() == "[]"


def test_every_exported_name_exists() -> None:
    for name in assay.__all__:
        assert getattr(assay, name) is not None


def test_completion_offers_modules_that_can_be_used() -> None:
    program = (
        "import assay, importlib, pkgutil; "
        "found = [name for name in dir(assay) if type(getattr(assay, name)) is type(assay)]; "
        "print(*found); print(*dir(assay.backend)); "
        "assert all(type(getattr(assay.backend, name)) is type(assay) for name in dir(assay.backend)); "
        "assay.backend.onnx.util.get_num_nodes; "
        "assert {each.name for each in pkgutil.iter_modules(assay.__path__) if each.ispkg} <= {*found}; "
        "assert {each.name for each in pkgutil.iter_modules(assay.backend.__path__)} == {*dir(assay.backend)}"
    )
    result = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert result.returncode == 0, result.stderr
    modules, backends = result.stdout.splitlines()
    assert {"backend", "comparator", "logger"} <= set(modules.split()) and "onnxrt" in backends.split()
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        assay.backend.nothing


def test_versions_agree() -> None:
    assert assay.__version__ == _assay.__version__


def test_the_package_runs_as_the_command() -> None:
    command = [sys.executable, "-m", "assay"]
    result = subprocess.run([*command, "--version"], capture_output=True, text=True, check=True)
    assert assay.__version__ in result.stdout
    assert subprocess.run([*command, "no-such-tool"], capture_output=True, check=False).returncode == 2


def test_workers_are_found() -> None:
    assert (Path(_assay.libexec()) / "assay-worker-onnxruntime").exists()


def test_engines_of_this_interpreter_come_first() -> None:
    kind, _, library = _assay.engines()[0]
    assert kind == "onnxruntime"
    assert library.startswith(sys.prefix)
