"""Compares images by LPIPS. Except in the last test, a stand-in for the packages lpips and torch measures it
(tests/fakes/lpips): the mean square of the differences."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from assay.comparator import (
    AccuracyResults,
    Comparator,
    IterationResult,
    LpipsThreshold,
    PerceptualMetricsCompareFunc,
    PerceptualMetricsResult,
    RunResults,
)
from interrupts import last_line_of

STAND_IN = Path(__file__).parents[2] / "tests" / "fakes" / "lpips"

IMAGE = np.random.RandomState(1).rand(1, 3, 64, 64).astype(np.float32)
NOISY = np.clip(IMAGE + np.random.RandomState(2).randn(1, 3, 64, 64).astype(np.float32) / 10, 0, 1)


@pytest.fixture(scope="module")
def stand_in() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PYTHONPATH", str(STAND_IN))  # of the worker
        yield


def compare(first: Any, second: Any, **settings: Any) -> Any:
    function = PerceptualMetricsCompareFunc(**settings)
    return function(IterationResult({"y": first}), IterationResult({"y": second}))["y"]


def measure(first: Any, second: Any) -> float:
    result = compare(first, second)
    assert isinstance(result, PerceptualMetricsResult) and result.lpips is not None
    return result.lpips


@pytest.mark.usefixtures("stand_in")
def test_the_threshold_decides() -> None:
    expected = float((((IMAGE - NOISY) * 2) ** 2).mean())
    assert measure(IMAGE, NOISY) == pytest.approx(expected, rel=1e-5)
    assert compare(IMAGE, NOISY) and compare(IMAGE, NOISY, lpips_threshold={"y": 0.04})
    assert not compare(IMAGE, NOISY, lpips_threshold=0.01)
    assert PerceptualMetricsCompareFunc({"y": 0.2}).thresholds_for("z") == LpipsThreshold(0.1)


@pytest.mark.usefixtures("stand_in")
def test_images_are_brought_into_one_form() -> None:
    expected = pytest.approx(measure(IMAGE, NOISY), rel=1e-4)
    last = IMAGE.transpose(0, 2, 3, 1), NOISY.transpose(0, 2, 3, 1)
    assert measure(*last) == expected
    assert measure(last[0][0], last[1][0]) == expected
    assert measure(IMAGE[0], NOISY[0]) == expected
    assert measure(np.concatenate([IMAGE, IMAGE]), np.concatenate([NOISY, NOISY])) == expected
    assert measure(IMAGE * 255, NOISY * 255) == expected
    assert measure(IMAGE * 2 - 1, NOISY * 2 - 1) == expected
    assert measure(IMAGE.astype(np.float64), NOISY.astype(np.float64)) == expected
    assert measure(IMAGE.astype(np.float16), NOISY.astype(np.float16)) == pytest.approx(measure(IMAGE, NOISY), rel=1e-2)
    eight_bits = [(image * 255).astype(np.uint8) for image in (IMAGE, NOISY)]
    assert measure(*eight_bits) == pytest.approx(measure(IMAGE, NOISY), rel=1e-2)
    opaque = [np.concatenate([image, np.ones_like(image[:, :1])], axis=1) for image in (IMAGE, NOISY)]
    assert measure(*opaque) == expected
    red = IMAGE[:, :1], NOISY[:, :1]
    assert measure(*red) == pytest.approx(measure(*[np.repeat(image, 3, axis=1) for image in red]))
    two = IMAGE[:, :2], NOISY[:, :2]
    assert measure(*two) == pytest.approx(measure(*[image[:, [0, 1, 1]] for image in two]))


@pytest.mark.usefixtures("stand_in")
def test_both_images_are_scaled_alike() -> None:
    """If the second one alone were taken for an 8-bit image, it would be black."""
    assert measure(IMAGE, np.where(IMAGE == IMAGE.max(), np.float32(1.01), IMAGE)) < 0.01
    assert measure(IMAGE * 255, np.zeros_like(IMAGE)) > 0.5


@pytest.mark.usefixtures("stand_in")
@pytest.mark.parametrize("wrong", [np.nan, np.inf])
def test_what_is_not_finite_differs(wrong: float) -> None:
    broken = IMAGE.copy()
    broken[0, 0, 0, 0] = wrong
    assert not compare(broken, broken)


@pytest.mark.usefixtures("stand_in")
@pytest.mark.parametrize("shape", [(), (64, 64), (1, 5, 64, 64), (1, 1, 3, 64, 64), (1, 3, 0, 64)])
def test_what_is_not_an_image_differs(shape: tuple[int, ...], capfd: pytest.CaptureFixture[str]) -> None:
    assert compare(np.ones(shape, np.float32), np.ones(shape, np.float32)) is False
    assert f"an array of shape {shape} isn't an image" in "".join(capfd.readouterr())


@pytest.mark.usefixtures("stand_in")
def test_results_are_stored(tmp_path: Path) -> None:
    sides = [(name, [IterationResult({"y": image}, 0.1, name)]) for name, image in (("a", IMAGE), ("b", NOISY))]
    accuracy = Comparator.compare_accuracy(RunResults(sides), compare_func=PerceptualMetricsCompareFunc(0.01))
    accuracy.save(tmp_path / "accuracy.json")
    loaded: AccuracyResults = AccuracyResults.load(tmp_path / "accuracy.json")
    assert loaded == accuracy and not loaded
    assert loaded.reevaluate(LpipsThreshold(0.5))


def run(code: str, *folders: Path, **environment: str) -> subprocess.CompletedProcess[str]:
    """Runs the code in an interpreter without the stand-in, with modules of these folders."""
    code = "from assay.comparator import *; import numpy as np\n" + code
    search = os.pathsep.join([*map(str, folders), *filter(None, sys.path)])
    environment = {**os.environ, "PYTHONPATH": search, **environment}
    return subprocess.run([sys.executable, "-c", code], env=environment, text=True, capture_output=True, check=False)


@pytest.mark.parametrize(
    ("lpips", "message"),
    [
        ("import no_such_module", "needs the Python packages lpips, torch and torchvision, which .* lacks"),
        ("def LPIPS(**_): raise OSError('no network')", r"could not be loaded \(no network\). PyTorch downloads its weights"),
    ],
)
def test_what_is_missing_is_an_error(lpips: str, message: str, tmp_path: Path) -> None:
    (tmp_path / "lpips.py").write_text(lpips)
    (tmp_path / "torch.py").write_text("class hub:\n    get_dir = staticmethod(lambda: 'FOLDER')\n")
    code = "image = {'y': np.ones((3, 64, 64))}; PerceptualMetricsCompareFunc()(IterationResult(image), IterationResult(image))"
    done = run(code, tmp_path)
    assert done.returncode == 1 and "NotFoundError" in done.stderr
    assert re.search(message, done.stderr)


# `arrived` is a pipe, whose two ends wait for each other.
HANGS = """
import pathlib, threading
def hang(*_):
    pathlib.Path(__file__).with_name("arrived").write_text("")
    threading.Event().wait()
"""

INTERRUPTED = """
import pathlib
import numpy as np
from assay.comparator import IterationResult, PerceptualMetricsCompareFunc
def interrupt_later():
    pathlib.Path(sys.argv[1], "arrived").read_text()
    ctrl_c()
threading.Thread(target=interrupt_later, daemon=True).start()
image = IterationResult({"y": np.ones((3, 64, 64), np.float32)})
print(PerceptualMetricsCompareFunc()(image, image))
"""


@pytest.mark.parametrize(
    "lpips",
    [
        pytest.param("LPIPS = lambda **_: hang()", id="loading"),
        pytest.param("class LPIPS:\n    def __init__(self, **_): pass\n    def eval(self): return hang", id="measuring"),
    ],
)
def test_ctrl_c_ends_it(lpips: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    os.mkfifo(tmp_path / "arrived")
    (tmp_path / "lpips.py").write_text(HANGS + lpips)
    (tmp_path / "torch.py").write_text((STAND_IN / "torch.py").read_text())
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join([str(tmp_path), *filter(None, sys.path)]))
    assert last_line_of(INTERRUPTED, tmp_path) == "KeyboardInterrupt"


@pytest.mark.skipif(find_spec("lpips") is None, reason="the package lpips isn't installed")
def test_the_real_network_measures_it(tmp_path: Path) -> None:
    """The weights of AlexNet are made up, so that they needn't be downloaded."""
    import lpips
    import torch
    import torchvision

    weights = tmp_path / "hub" / "checkpoints" / "alexnet-owt-7be5be79.pth"
    weights.parent.mkdir(parents=True)
    torch.manual_seed(0)
    torch.save(torchvision.models.alexnet().state_dict(), weights)
    np.savez(tmp_path / "images.npz", a=IMAGE, b=NOISY)
    code = f"images = np.load({str(tmp_path / 'images.npz')!r})\n" + (
        "print(PerceptualMetricsCompareFunc()(IterationResult({'y': images['a']}), IterationResult({'y': images['b']}))['y'].lpips)"
    )
    done = run(code, TORCH_HOME=str(tmp_path))
    assert done.returncode == 0, done.stderr
    with pytest.MonkeyPatch.context() as patch, torch.no_grad():
        patch.setenv("TORCH_HOME", str(tmp_path))
        network = lpips.LPIPS(net="alex", verbose=False)
        expected = network(*(torch.from_numpy(image * 2 - 1) for image in (IMAGE, NOISY))).item()
    assert float(done.stdout.split()[-1]) == pytest.approx(expected, rel=1e-5) and expected > 0
