#!/usr/bin/env python3
"""Compares the time of `assay diagnose` with the sum of the times of its steps, run by hand one after another.

usage: diagnose_by_hand.py ASSAY SHARED_FOLDER ENGINES_PYTHON
Prints a row of the table in docs/diagnose.md for each case. By hand, every step is a command of its own, with the engines
and the data of the diagnosis; the reduction is the command that the diagnosis shows. Exit status 77: there are no cases."""
import json
import os
import pathlib
import shlex
import subprocess
import sys
import tempfile
import time

PLAIN = "--onnxrt=plain:graph-optimization-level=ORT_DISABLE_ALL"
# The options of the diagnosis, and the commands that take the steps before the reduction.
CASES = {
    "ort_qdq_conv_rounding": {
        "options": "--onnxrt --load-inputs {case}/tensors.npz --atol 0.1 --rtol 0.01",
        "by_hand": ["check lint {model}",
                    "run {model} --onnxrt --load-inputs {case}/tensors.npz",
                    *["run {model} --onnxrt --onnxrt --load-inputs {case}/tensors.npz"] * 3,
                    "run {model} --onnxrt --validate --load-inputs {case}/tensors.npz",
                    "run {model} --onnxrt --reference --load-inputs {case}/tensors.npz --atol 0.1 --rtol 0.01",
                    "run {model} --onnxrt " + PLAIN + " --load-inputs {case}/tensors.npz --atol 0.1 --rtol 0.01",
                    "debug optimizers {model} --onnxrt --load-inputs {case}/tensors.npz --atol 0.1 --rtol 0.01",
                    "debug locate {model} --onnxrt " + PLAIN + " --load-inputs {case}/tensors.npz --atol 0.1 --rtol 0.01 -o piece.onnx"]},
    "ref_bn9_ultraface": {
        "options": "--reference --onnxrt --load-inputs {case}/inputs.npz --atol 1e-3 --rtol 1e-3",
        "by_hand": ["check lint {model}",
                    "run {model} --reference --onnxrt --load-inputs {case}/inputs.npz",
                    *["run {model} --reference --onnxrt --reference --onnxrt --load-inputs {case}/inputs.npz"] * 3,
                    "run {model} --reference --onnxrt --validate --load-inputs {case}/inputs.npz",
                    "run {model} --reference --onnxrt --openvino --load-inputs {case}/inputs.npz --atol 1e-3 --rtol 1e-3",
                    "debug locate {model} --reference --onnxrt --load-inputs {case}/inputs.npz --atol 1e-3 --rtol 1e-3 -o piece.onnx"]},
    "ort_fp16conv_typeerror_ultraface": {
        "options": "--onnxrt",
        "by_hand": ["check lint {model}",
                    "run {model} --onnxrt",
                    "run {model} --openvino",
                    "run {model} --reference",
                    "run {model} " + PLAIN,
                    "run {model} --onnxrt=basic:graph-optimization-level=ORT_ENABLE_BASIC",
                    "run {model} --onnxrt=one:threads=1"]},
}


def timed(command, folder, environment):
    start = time.monotonic()
    done = subprocess.run(command, cwd=folder, env=environment, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, check=False)
    return time.monotonic() - start, done.stdout


def reduction_of(found, folder):
    """Returns the diagnosis's reduction as a command that starts from scratch and writes results of other names."""
    words = shlex.split(found["facts"]["minimal"]["command"])[1:]
    written = {str(pathlib.Path(folder, "diagnosis", name)) for name in ("minimal.onnx", "polygraphy_debug.onnx", "bug_report")}
    return [word.replace("diagnosis/", "diagnosis/again_") if str(pathlib.Path(folder, word)) in written else word for word in words]


def measure(assay, case, facts, environment):
    with tempfile.TemporaryDirectory() as folder:
        names = {"case": case, "model": case / "model.onnx"}
        command = ["diagnose", str(names["model"]), *facts["options"].format(**names).split(), "-o", "diagnosis", "--format", "json"]
        whole, output = timed([assay, *command], folder, environment)
        found = json.loads(output)
        parts = [timed([assay, *step.format(**names).split()], folder, environment)[0] for step in facts["by_hand"]]
        parts.append(timed([assay, *reduction_of(found, folder)], folder, environment)[0])
        if not pathlib.Path(folder, "diagnosis/again_minimal.onnx").exists():
            sys.exit(f"{case.name}: the reduction by hand has no result")
    return whole, sum(parts)


def main():
    assay, shared, python = sys.argv[1:]
    cases = pathlib.Path(shared).resolve() / "cases"
    if not python or not cases.is_dir():
        sys.exit(77)
    environment = os.environ | {"PATH": f"{pathlib.Path(python).parent}{os.pathsep}{os.environ['PATH']}"}
    for name, facts in CASES.items():
        whole, parts = measure(str(pathlib.Path(assay).resolve()), cases / name, facts, environment)
        print(f"| `{name}` | {whole:.1f} | {parts:.1f} | {whole / parts:.2f} |", flush=True)


if __name__ == "__main__":
    main()
