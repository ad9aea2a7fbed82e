"""An engine with a separate converter program, as a module for --python: copy it and change CONVERT and RUN.

    assay debug locate model.onnx --python converter_engine.py --onnxrt

load() runs the converter in a temporary folder and keeps its output in memory. infer() runs the engine on it; inputs and
outputs are .npz files. The environment variables hold the command lines of both programs, with these placeholders:

    CONVERT   {model}: the ONNX file; {converted}: the file to write
    RUN       {converted}; {inputs} and {outputs}: .npz files with arrays by name

An engine with a Python package needs no RUN: load the converted file in load(), and call the package in infer().
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

# Replacements for types that the engine lacks. Outputs need no such table: Assay converts int32 to int64 and the like,
# with a warning, and rejects types that can't be converted to the declared one.
TAKES = {"int64": numpy.int32, "float64": numpy.float32}


def call(command, folder, expected, **files):
    """Runs a command line, which must write the file `expected`."""
    words = [word.format(**files) for word in shlex.split(command)]
    try:
        done = subprocess.run(words, cwd=folder, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                              timeout=SECONDS, check=False)
    except FileNotFoundError:
        raise RuntimeError(f"there is no program {words[0]}. Set CONVERT and RUN to your command lines") from None
    if done.returncode != 0 or not os.path.exists(expected):
        said = "\n".join(done.stdout.decode(errors="replace").splitlines()[-LINES_SHOWN:])
        # A reduction uses the exit status and the last lines to recognise this failure.
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
