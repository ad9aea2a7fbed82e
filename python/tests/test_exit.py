"""The interpreter exits while a daemon thread uses the package."""

import subprocess
import sys

import pytest

from models import REAL

# The daemon thread repeats a call forever, or is in one that never returns, or in Python code that a call executes. The
# main thread ends meanwhile.
PROGRAM = """
import sys, threading
import numpy as np
import assay
from assay.backend.onnxrt import OnnxrtRunner
from assay.logger import G_LOGGER

G_LOGGER.module_severity = G_LOGGER.CRITICAL
model, what = sys.argv[1:]
is_running = threading.Event()

def check(path):
    is_running.set()
    while True:
        pass

def work(*_):
    is_running.set()
    for _ in range(1_000_000):
        pass

class SlowArray:  # Python code converts it
    def __init__(self, array):
        self.array, self.dtype, self.shape = array, array.dtype, array.shape

    def __array__(self, dtype=None, copy=None):
        work()
        return self.array

def load():
    assay.Model(model).nodes

def infer():
    runner.infer(inputs)

def convert():
    runner.infer({name: SlowArray(array) for name, array in inputs.items()})

def reduce():
    assay.reduce(model, check, progress=False)

def log():
    G_LOGGER.module_severity = G_LOGGER.INFO
    G_LOGGER.log = work
    assay.reduce(model, lambda path: False, progress=False)

if what in ("infer", "convert"):
    runner = OnnxrtRunner(model)
    runner.activate()
    shapes = runner.get_input_metadata()
    inputs = {name: np.zeros([size if isinstance(size, int) else 1 for size in meta.shape], np.float32) for name, meta in shapes.items()}

def repeat():
    while True:
        globals()[what]()
        is_running.set()

threading.Thread(target=repeat, daemon=True).start()
is_running.wait()
"""


@pytest.mark.parametrize("what", ["load", "infer", "convert", "reduce", "log"])
def test_a_daemon_thread_may_be_running(what: str) -> None:
    command = [sys.executable, "-c", PROGRAM, REAL / "light_squeezenet.onnx", what]
    for _ in range(3):
        result = subprocess.run(command, capture_output=True, text=True, timeout=300)
        assert result.returncode == 0, result.stderr
