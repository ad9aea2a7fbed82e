"""Measures the overhead of Assay over TensorRT: tensorrt_time.py --assay BIN --library LIB --models MODEL... [--bare PROGRAM]
                                                        [--polygraphy BIN] [--runs N] [--table FILE]

Runs each model with `assay run --trt`, and for comparison with `polygraphy run --trt` if Polygraphy's Python can import tensorrt,
else with the bare program assay_bench_tensorrt, which builds the engine and runs it once. The bare program's time begins when it
opens the library and ends with the last output. Each run builds the engine, so no timing cache is used. Prints a Markdown table with medians of wall
time. Without a GPU it says what is missing and exits with status 0. Exits with status 1 if a model doesn't run, or if the limit is
missed: Assay takes at most 1.2 times as long.
"""
import argparse
import os
import statistics
import subprocess
import sys
import tempfile

import measure
from write_table import write_table

MOST = 1.2
# Words of Assay's errors about something that the machine lacks.
MISSING = ("has no worker for TensorRT", "TensorRT was not found", "there is no TensorRT at", "NVIDIA's driver")


class Failed(Exception):
    """A command that didn't run a model."""


def what_is_missing(assay, model, folder, environment):
    """Returns what the machine lacks to run models, or an empty string."""
    result = measure.run([assay, "run", model, "--trt"], folder, env=environment)
    if result.status != 0:
        for line in result.output.splitlines():
            if any(words in line for words in MISSING):
                return line
    return ""


def has_tensorrt(polygraphy):
    """Returns whether Polygraphy's Python, which is in the same folder, can import TensorRT."""
    python = os.path.join(os.path.dirname(polygraphy), "python")
    return subprocess.run([python, "-c", "import tensorrt"], capture_output=True, check=False).returncode == 0


def run(words, folder, environment):
    result = measure.run(words, folder, env=environment)
    if result.status != 0:
        raise Failed(f"{' '.join(words)} exited with status {result.status}\n{result.output[-2000:]}")
    return result


def measure_row(options, model, folder, environment):
    ours, others = [], []
    for _ in range(options.runs):
        ours.append(run([options.assay, "run", model, "--trt"], folder, environment).seconds)
        if options.polygraphy:
            others.append(run([options.polygraphy, "run", model, "--trt"], folder, environment).seconds)
        else:
            others.append(float(run([options.bare, options.library, model], folder, environment).output.split()[-1]))
    return statistics.median(ours), statistics.median(others)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--assay", required=True)
    parser.add_argument("--library", required=True, help="libnvinfer.so.10")
    parser.add_argument("--models", nargs="+", required=True)
    parser.add_argument("--bare", help="assay_bench_tensorrt")
    parser.add_argument("--polygraphy", help="polygraphy")
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--table", help="write the table to this file too")
    options = parser.parse_args()
    for name in ("assay", "library", "bare", "polygraphy"):
        if getattr(options, name):
            setattr(options, name, os.path.abspath(getattr(options, name)))
    environment = {**os.environ, "ASSAY_TENSORRT_LIB": options.library}
    models = [os.path.abspath(model) for model in options.models]
    with tempfile.TemporaryDirectory() as folder:
        missing = what_is_missing(options.assay, models[0], folder, environment)
        if missing:
            print(f"`run --trt` is left out: {missing}")
            return 0
        if options.polygraphy and not has_tensorrt(options.polygraphy):
            options.polygraphy = None
        if not (options.polygraphy or options.bare):
            print("`run --trt` is left out: Polygraphy can't import tensorrt, and there is no bare program (--bare)")
            return 0
        other = "Polygraphy" if options.polygraphy else "TensorRT alone"
        lines = [f"| what | Assay | {other} | ratio | limit | |", "|---|---|---|---|---|---|"]
        any_missed = False
        for model in models:
            row = f"| `run --trt`, {os.path.basename(model).removesuffix('.onnx')} |"
            try:
                ours, others = measure_row(options, model, folder, environment)
                missed = ours > MOST * others
                row += (f" {ours:.3f} s | {others:.3f} s | {ours / others:.2f} | ratio {MOST:g} | "
                        f"{'missed' if missed else 'met'} |")
            except Failed as failure:
                print(failure, file=sys.stderr)
                missed = True
                row += f" | | | ratio {MOST:g} | failed |"
            any_missed |= missed
            lines.append(row)
            print(row, flush=True)
    write_table(lines, options.table)
    return 1 if any_missed else 0


if __name__ == "__main__":
    sys.exit(main())
