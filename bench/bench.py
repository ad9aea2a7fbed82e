"""Compares Assay and Polygraphy: bench.py --assay BIN --peer BIN --models FOLDER [--runs N] [--only WORD] [--table FILE]

Every row runs both commands alternately in one session and shows medians and their ratio (Assay / Polygraphy). A bar is the
ratio, or the absolute figure, that a row must not exceed. Rows are data: see ROWS. Prints a Markdown table; exits with status 1
if a bar is missed.
"""
import argparse
import os
import statistics
import sys
import tempfile
from dataclasses import dataclass, field

import make_models
import measure
from write_table import write_table

CHECKED = "polygraphy_debug.onnx"


@dataclass
class Row:
    name: str
    ours: list  # words; placeholders like {model} are filled in
    peer: list | None = None
    max_ratio: float | None = None  # of wall time
    max_seconds: float | None = None
    max_memory: float | None = None  # bytes
    value: str = "wall"  # or "own": wall time minus the time in checks
    runs: int = 3
    peer_runs: int | None = None
    status: int = 0
    env: dict = field(default_factory=dict)


ROWS = [
    Row("`--help`", ["{assay}", "--help"], ["{peer}", "--help"], max_ratio=0.1, runs=15),
    Row("`inspect model`, light_squeezenet", ["{assay}", "inspect", "model", "{squeezenet}"],
        ["{peer}", "inspect", "model", "{squeezenet}"], max_ratio=0.1, runs=15),
    Row("`inspect model`, 2.5 GB external weights", ["{assay}", "inspect", "model", "{external}"],
        ["{peer}", "inspect", "model", "{external}"], max_seconds=0.05, max_memory=60e6, runs=7, peer_runs=1),
    Row("`run --onnxrt`, light_squeezenet", ["{assay}", "run", "{squeezenet}", "--onnxrt"],
        ["{peer}", "run", "{squeezenet}", "--onnxrt"], runs=9),
    Row("`run --onnxrt --onnx-outputs mark all --save-outputs`, light_densenet121",
        ["{assay}", "run", "{densenet}", "--onnxrt", "--onnx-outputs", "mark", "all", "--save-outputs", "o.json"],
        ["{peer}", "run", "{densenet}", "--onnxrt", "--onnx-outputs", "mark", "all", "--save-outputs", "o.json"],
        max_ratio=0.2, runs=5),
    Row("`run --onnxrt --onnx-outputs mark all --memory-budget 960M`, tensors of 20 GiB (Polygraphy would hold them all)",
        ["{assay}", "run", "{chain}", "--onnxrt", "--onnx-outputs", "mark", "all", "--memory-budget", "960M"],
        max_memory=1.074e9, runs=1),
    Row("`surgeon sanitize --fold-constants`, 1 GB inline",
        ["{assay}", "surgeon", "sanitize", "{inline}", "--fold-constants", "-o", "folded.onnx"],
        ["{peer}", "surgeon", "sanitize", "{inline}", "--fold-constants", "-o", "folded.onnx"],
        max_ratio=0.2, max_memory=1.3 * 1.074e9, runs=3, peer_runs=1),
    Row("`surgeon extract`, last layer of 2.5 GB external weights",
        ["{assay}", "surgeon", "extract", "{external}", "--inputs", "r22:[1,5104]:float32", "-o", "layer.onnx"],
        ["{peer}", "surgeon", "extract", "{external}", "--inputs", "r22:[1,5104]:float32", "-o", "layer.onnx"],
        max_memory=400e6, runs=3, peer_runs=1),
    Row("`debug reduce`, light_densenet121, own time (without checks)",
        ["{assay}", "debug", "reduce", "{densenet}", "--mode", "bisect", "-o", "reduced.onnx", "--check", "{timed}"],
        ["{peer}", "debug", "reduce", "{densenet}", "--mode", "bisect", "-o", "reduced.onnx", "--check", "{timed}"],
        max_ratio=0.1, value="own", runs=3),
    Row("`debug reduce`, light_densenet121 with a NaN, each with its own `run --validate` as the check",
        ["{assay}", "debug", "reduce", "{nan}", "--mode", "bisect", "-o", "reduced.onnx",
         "--check", "{assay}", "run", CHECKED, "--onnxrt", "--validate"],
        ["{peer}", "debug", "reduce", "{nan}", "--mode", "bisect", "-o", "reduced.onnx",
         "--check", "{peer}", "run", CHECKED, "--onnxrt", "--validate"],
        max_ratio=0.1, runs=3, peer_runs=1),
    Row("the same with our default, `--mode minimal`, compared with Polygraphy's bisection",
        ["{assay}", "debug", "reduce", "{nan}", "-o", "reduced.onnx",
         "--check", "{assay}", "run", CHECKED, "--onnxrt", "--validate"],
        ["{peer}", "debug", "reduce", "{nan}", "--mode", "bisect", "-o", "reduced.onnx",
         "--check", "{peer}", "run", CHECKED, "--onnxrt", "--validate"],
        max_ratio=0.1, runs=3, peer_runs=2),
]

# Fails while the model still holds a certain weight. Records its duration, so that it can be subtracted.
TIMED_CHECK = """#!/usr/bin/env python3
import sys, time
start = time.monotonic()
found = b"conv4_12/x2_w_0" in open("polygraphy_debug.onnx", "rb").read()
open("check_seconds", "a").write(f"{time.monotonic() - start}\\n")
sys.exit(found)
"""


def one_run(words, row, folder, log):
    # Each run needs an empty folder: both tools refuse to overwrite an old intermediate model.
    with tempfile.TemporaryDirectory(dir=folder) as cwd:
        result = measure.run(words, cwd, env={**os.environ, **row.env})
        seconds = result.seconds
        checks = os.path.join(cwd, "check_seconds")
        if row.value == "own" and os.path.exists(checks):
            with open(checks) as lines:
                times = [float(line) for line in lines]
            # Starting the check's interpreter counts as the check's time, too.
            seconds -= sum(times) + len(times) * log["start_of_check"]
    if result.status != row.status:
        sys.exit(f"{row.name}: {' '.join(words)} exited with status {result.status}\n{result.output[-2000:]}")
    return seconds, result.peak_bytes


def measure_row(row, fill, folder, runs, log):
    ours, peers = [], []
    for i in range(runs or row.runs):
        ours.append(one_run([word.format(**fill) for word in row.ours], row, folder, log))
        if row.peer and i < (row.peer_runs or runs or row.runs):
            peers.append(one_run([word.format(**fill) for word in row.peer], row, folder, log))
    median = lambda runs, k: statistics.median(run[k] for run in runs) if runs else float("nan")
    return {"ours_s": median(ours, 0), "peer_s": median(peers, 0), "ours_b": median(ours, 1), "peer_b": median(peers, 1)}


def missed_bars(row, figures):
    missed = []
    if row.max_ratio is not None and figures["ours_s"] > row.max_ratio * figures["peer_s"]:
        missed.append(f"time ratio over {row.max_ratio}")
    if row.max_seconds is not None and figures["ours_s"] > row.max_seconds:
        missed.append(f"over {row.max_seconds} s")
    if row.max_memory is not None and figures["ours_b"] > row.max_memory:
        missed.append(f"over {row.max_memory / 1e6:.0f} MB")
    return missed


def bar_text(row):
    bars = []
    if row.max_ratio is not None:
        bars.append(f"ratio {row.max_ratio:g}")
    if row.max_seconds is not None:
        bars.append(f"{row.max_seconds:g} s")
    if row.max_memory is not None:
        bars.append(f"{row.max_memory / 1e6:.0f} MB")
    return ", ".join(bars) or "-"


def start_of_check(path, folder):
    with open(os.path.join(folder, CHECKED), "wb"):
        pass
    times = [measure.run([path], folder).seconds for _ in range(5)]
    os.remove(os.path.join(folder, "check_seconds"))
    return statistics.median(times)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--assay", required=True)
    parser.add_argument("--peer", required=True)
    parser.add_argument("--models", required=True, help="folder with light_densenet121.onnx and light_squeezenet.onnx")
    parser.add_argument("--work", default=None, help="folder for the large models; kept")
    parser.add_argument("--runs", type=int)
    parser.add_argument("--only", default="")
    parser.add_argument("--table", help="write the table to this file too")
    options = parser.parse_args()

    work = options.work or os.path.join(tempfile.gettempdir(), "assay-bench")
    os.makedirs(work, exist_ok=True)
    make_models.main(work, options.models)
    timed = os.path.join(work, "timed_check.py")
    with open(timed, "w") as script:
        script.write(TIMED_CHECK)
    os.chmod(timed, 0o755)
    fill = {"assay": os.path.abspath(options.assay), "peer": os.path.abspath(options.peer), "timed": timed,
            "densenet": os.path.join(options.models, "light_densenet121.onnx"),
            "squeezenet": os.path.join(options.models, "light_squeezenet.onnx"),
            "nan": os.path.join(work, "densenet_nan.onnx"), "chain": os.path.join(work, "chain_20g.onnx"),
            "external": os.path.join(work, "external_2g5.onnx"), "inline": os.path.join(work, "inline_1g.onnx")}
    log = {"start_of_check": start_of_check(timed, work)}

    lines = ["| what | Assay | Polygraphy | ratio | Assay's memory | Polygraphy's memory | bar | |", "|---|---|---|---|---|---|---|---|"]
    any_missed = False
    for row in ROWS:
        if options.only not in row.name:
            continue
        figures = measure_row(row, fill, work, options.runs, log)
        missed = missed_bars(row, figures)
        any_missed |= bool(missed)
        lines.append(f"| {row.name} | {figures['ours_s']:.3f} s | {figures['peer_s']:.3f} s | "
                     f"{figures['ours_s'] / figures['peer_s']:.3f} | {figures['ours_b'] / 1e6:.0f} MB | "
                     f"{figures['peer_b'] / 1e6:.0f} MB | {bar_text(row)} | {'missed: ' + ', '.join(missed) if missed else 'met'} |")
        print(lines[-1], flush=True)
    write_table(lines, options.table)
    return 1 if any_missed else 0


if __name__ == "__main__":
    sys.exit(main())
