"""An engine whose converter is a separate program, as a module for --python: copy it and change CONVERT and RUN.

    assay debug locate model.onnx --python converter_engine.py --onnxrt

load() runs the converter in a temporary folder and keeps the file that it writes. infer() runs the engine on it, and
inputs and outputs pass as .npz files. Both programs come from the environment, as command lines with these words in them:

    CONVERT   {model} the ONNX file, {converted} where the result has to go
    RUN       {converted}, {inputs} and {outputs}: arrays by name

An engine that has a Python package needs no RUN: load the converted file in load(), and call the package in infer().
"""
import os
import shlex
import subprocess
import tempfile

import numpy

CONVERT = os.environ.get("CONVERT", "convert-model {model} {converted}")
RUN = os.environ.get("RUN", "run-model {converted} {inputs} {outputs}")
SECONDS = 300
LINES_SHOWN = 10

# What the engine takes in the place of types that it lacks. What it returns in their place needs no care: Assay converts
# int32 to int64 and the like, with a warning, and refuses what cannot stand for the declared type.
TAKES = {"int64": numpy.int32, "float64": numpy.float32}


def call(command, folder, expected, **files):
    """Runs a command line; the file that it has to write is `expected`."""
    words = [word.format(**files) for word in shlex.split(command)]
    done = subprocess.run(words, cwd=folder, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                          timeout=SECONDS, check=False)
    if done.returncode != 0 or not os.path.exists(expected):
        said = "\n".join(done.stdout.decode(errors="replace").splitlines()[-LINES_SHOWN:])
        # The exit status and the last lines tell failures apart: a reduction that follows keeps to this one.
        raise RuntimeError(f"{words[0]} exited with status {done.returncode} and wrote "
                           f"{'its result' if os.path.exists(expected) else 'nothing'}:\n{said}")


def load(path):
    # The file is kept in memory: a folder would stay behind if this process were killed.
    with tempfile.TemporaryDirectory() as folder:
        converted = os.path.join(folder, "model.bin")
        call(CONVERT, folder, converted, model=os.path.abspath(path), converted=converted)
        with open(converted, "rb") as file:
            return file.read()


def infer(model, feeds, wanted):
    with tempfile.TemporaryDirectory() as folder:
        converted, inputs, outputs = (os.path.join(folder, name) for name in ("model.bin", "in.npz", "out.npz"))
        with open(converted, "wb") as file:
            file.write(model)
        numpy.savez(inputs, **{name: value.astype(TAKES.get(value.dtype.name, value.dtype)) for name, value in feeds.items()})
        call(RUN, folder, outputs, converted=converted, inputs=inputs, outputs=outputs)
        with numpy.load(outputs) as results:
            return {name: results[name] for name in wanted}
