"""Compares Assay and Polygraphy: bench.py --assay BIN --polygraphy BIN --models FOLDER [--runs N] [--only WORD] [--table FILE]

Every row runs both commands alternately in one session and shows medians and their ratio (Assay / Polygraphy); in rows with ¹,
Polygraphy runs only once. A limit is the ratio, or the absolute figure, that a row must not exceed. The rows are in rows.py. Prints
a Markdown table; exits with status 1 if a limit is missed.
"""
import argparse
import os
import statistics
import sys
import tempfile

import make_models
import measure
from rows import CHECKED, MADE, ROWS
from write_table import write_table

# Fails while the model still holds a certain weight. Records its duration, so that it can be subtracted.
TIMED_CHECK = """#!/usr/bin/env python3
import sys, time
start = time.monotonic()
found = b"conv4_12/x2_w_0" in open("polygraphy_debug.onnx", "rb").read()
open("check_seconds", "a").write(f"{time.monotonic() - start}\\n")
sys.exit(found)
"""


def check_status(what, result, wanted=0):
    if result.status != wanted:
        sys.exit(f"{what} exited with status {result.status}\n{result.output[-2000:]}")


def one_run(words, status, row, folder, start_of_check):
    # Each run needs an empty folder: both tools refuse to overwrite an old intermediate model.
    with tempfile.TemporaryDirectory(dir=folder) as cwd:
        result = measure.run(words, cwd)
        seconds = result.seconds
        checks = os.path.join(cwd, "check_seconds")
        if row.value == "own" and os.path.exists(checks):
            with open(checks) as lines:
                times = [float(line) for line in lines]
            seconds -= sum(times) + len(times) * start_of_check
    check_status(f"{row.name}: {' '.join(words)}", result, status)
    return seconds, result.peak_bytes


def make(words, fill, folder):
    check_status(" ".join(words), measure.run([word.format(**fill) for word in words], folder))


def median_of(runs, member):
    return statistics.median(run[member] for run in runs) if runs else float("nan")


def measure_row(row, fill, folder, runs, start_of_check):
    ours, theirs = [], []
    for i in range(runs or row.runs):
        ours.append(one_run([word.format(**fill) for word in row.ours], row.status, row, folder, start_of_check))
        if row.polygraphy and i < (row.polygraphy_runs or runs or row.runs):
            words = [word.format(**fill) for word in row.polygraphy]
            theirs.append(one_run(words, row.polygraphy_status, row, folder, start_of_check))
    return {"ours_s": median_of(ours, 0), "polygraphy_s": median_of(theirs, 0),
            "ours_b": median_of(ours, 1), "polygraphy_b": median_of(theirs, 1)}


def missed_limits(row, figures):
    missed = []
    if row.max_ratio is not None and figures["ours_s"] > row.max_ratio * figures["polygraphy_s"]:
        missed.append(f"time ratio over {row.max_ratio}")
    if row.max_seconds is not None and figures["ours_s"] > row.max_seconds:
        missed.append(f"over {row.max_seconds} s")
    if row.max_memory is not None and figures["ours_b"] > row.max_memory:
        missed.append(f"over {row.max_memory / 1e6:.0f} MB")
    return missed


def limit_text(row):
    limits = []
    if row.max_ratio is not None:
        limits.append(f"ratio {row.max_ratio:g}")
    if row.max_seconds is not None:
        limits.append(f"{row.max_seconds:g} s")
    if row.max_memory is not None:
        limits.append(f"{row.max_memory / 1e6:.0f} MB")
    return ", ".join(limits) or "-"


def measure_start(path, folder):
    """Returns the seconds that a check takes to start: they count as the check's own, but the check can't measure them."""
    with open(os.path.join(folder, CHECKED), "wb"):
        pass
    times = [measure.run([path], folder).seconds for _ in range(5)]
    os.remove(os.path.join(folder, "check_seconds"))
    return statistics.median(times)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--assay", required=True)
    parser.add_argument("--polygraphy", required=True)
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
    fill = {"assay": os.path.abspath(options.assay), "polygraphy": os.path.abspath(options.polygraphy), "timed": timed,
            "densenet": os.path.join(options.models, "light_densenet121.onnx"),
            "squeezenet": os.path.join(options.models, "light_squeezenet.onnx"),
            "nan": os.path.join(work, "densenet_nan.onnx"), "chain": os.path.join(work, "chain_20g.onnx"),
            "external": os.path.join(work, "external_2g5.onnx"), "inline": os.path.join(work, "inline_1g.onnx")}
    for name, (file, words) in MADE.items():
        fill[name] = os.path.join(work, file)
        if not os.path.exists(fill[name]):
            make(["{assay}", *words], fill, work)
    start_of_check = measure_start(timed, work)

    lines = ["| what | Assay | Polygraphy | ratio | Assay's memory | Polygraphy's memory | limit | |", "|---|---|---|---|---|---|---|---|"]
    any_missed = False
    for row in ROWS:
        if options.only not in row.name:
            continue
        figures = measure_row(row, fill, work, options.runs, start_of_check)
        missed = missed_limits(row, figures)
        any_missed |= bool(missed)
        name = row.name + (" ¹" if row.polygraphy and row.polygraphy_runs == 1 else "")
        lines.append(f"| {name} | {figures['ours_s']:.3f} s | {figures['polygraphy_s']:.3f} s | "
                     f"{figures['ours_s'] / figures['polygraphy_s']:.3f} | {figures['ours_b'] / 1e6:.0f} MB | "
                     f"{figures['polygraphy_b'] / 1e6:.0f} MB | {limit_text(row)} | {'missed: ' + ', '.join(missed) if missed else 'met'} |")
        print(lines[-1], flush=True)
    write_table(lines, options.table)
    return 1 if any_missed else 0


if __name__ == "__main__":
    sys.exit(main())
