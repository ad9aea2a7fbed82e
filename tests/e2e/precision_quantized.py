#!/usr/bin/env python3
"""Quantizes real models with ONNX Runtime, and has `assay debug precision --quantized` name the nodes that have to stay in float32.

The wanted signal-to-noise ratio is a little better than that of the quantized model. An answer is right if the saved model has it,
computed here. In dynamic quantization, the model that ONNX Runtime quantizes again without the named nodes must have it, too. (In QDQ
format, ONNX Runtime still rounds what the named nodes read.)
Exit status: 1 if an answer is wrong; 77 if there are no models or no engine.

usage: precision_quantized.py ASSAY SHARED_FOLDER ENGINES_PYTHON
ENGINES_PYTHON: the python3 of an environment with numpy, onnx and onnxruntime."""
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

SKIPPED = 77
TIMEOUT = 600
CASES = [("fastestdet", "dynamic"), ("fastestdet", "QDQ"), ("dtln_1", "dynamic")]
# In dB.
WANTED = 5  # better than the quantized model
MARGIN = 0.5


def quantize(quantization, source, output, form, inputs, excluded=()):
    if form == "dynamic":
        quantization.quantize_dynamic(source, output, nodes_to_exclude=list(excluded))
        return

    class Reader(quantization.CalibrationDataReader):
        def __init__(self):
            self.rows = iter([inputs])

        def get_next(self):
            return next(self.rows, None)

    quantization.quantize_static(source, output, Reader(), nodes_to_exclude=list(excluded))


def signal_to_noise(numpy, expected, actual):
    """Returns the smallest ratio of the outputs, in dB."""
    ratios = []
    for left, right in zip(expected, actual):
        noise = numpy.square(left.astype(numpy.float64) - right).sum()
        ratios.append(10 * numpy.log10(numpy.square(left.astype(numpy.float64)).sum() / noise) if noise else numpy.inf)
    return min(ratios)


def judge_case(assay, folder, model, form):
    """Returns what is wrong; empty if nothing is."""
    import numpy
    import onnxruntime
    from onnxruntime import quantization

    def run(path):
        return onnxruntime.InferenceSession(str(path), providers=["CPUExecutionProvider"]).run(None, inputs)

    session = onnxruntime.InferenceSession(str(model), providers=["CPUExecutionProvider"])
    generator = numpy.random.default_rng(1)
    inputs = {value.name: generator.random([size if isinstance(size, int) else 1 for size in value.shape], dtype=numpy.float32)
              for value in session.get_inputs()}
    expected = run(model)
    numpy.savez(folder / "inputs.npz", **inputs)
    quantized, mixed, again = (folder / f"{name}.onnx" for name in ("quantized", "mixed", "again"))
    quantize(quantization, model, quantized, form, inputs)
    wanted = signal_to_noise(numpy, expected, run(quantized)) + WANTED
    command = [assay, "debug", "precision", model, "--quantized", quantized, "--onnxrt", "--load-inputs", "inputs.json",
               "--snr-threshold", str(wanted), "-o", mixed]
    convert = [assay, "data", "merge", folder / "inputs.npz", "-o", folder / "inputs.json"]
    subprocess.run(convert, cwd=folder, check=True, capture_output=True)
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=TIMEOUT)
    names = re.search(r"nodes_to_exclude=(\[.*\])", done.stdout + done.stderr)
    if done.returncode != 0 or not names:
        return f"status {done.returncode}: {done.stdout[-2000:]}{done.stderr[-2000:]}"
    excluded = json.loads(names.group(1))
    judged = [mixed]
    if form == "dynamic":
        quantize(quantization, model, again, form, inputs, excluded)
        judged.append(again)
    problems = []
    for path in judged:
        ratio = signal_to_noise(numpy, expected, run(path))
        print(f"{model.stem} {form}: {path.stem}: {ratio:.1f} dB with {len(excluded)} nodes in float32")
        if ratio < wanted - MARGIN:
            problems.append(f"{path.stem}: {ratio:.1f} dB instead of {wanted:.1f}")
    return ", ".join(problems)


def main():
    if len(sys.argv) == 5 and sys.argv[4] == "--inside":
        return run_cases()
    python = pathlib.Path(sys.argv[3])
    if not python.exists() or not pathlib.Path(sys.argv[2]).exists():
        return SKIPPED
    return subprocess.run([python, __file__, *sys.argv[1:4], "--inside"], check=False).returncode


def run_cases():
    assay, models = os.path.abspath(sys.argv[1]), pathlib.Path(sys.argv[2]).resolve() / "models"
    failed = 0
    for name, form in CASES:
        with tempfile.TemporaryDirectory() as folder:
            problem = judge_case(assay, pathlib.Path(folder), models / f"{name}.onnx", form)
        if problem:
            failed += 1
            print(f"{name} {form}: {problem}")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
