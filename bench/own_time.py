"""Measures the time of `debug reduce` itself on large graphs: own_time.py --assay BIN [--work FOLDER] [--runs N] [--table FILE]

The check is a shell script that greps names in the candidate, so nearly all time is the reducer's own: wall time minus the
sum of the checks, both as printed in its last lines. Models: make_transformer.py. Prints a Markdown table; exits with status 1
if a limit is missed. CPU time, checks included, shows how much other work on the machine disturbed the wall time.
"""
import argparse
import math
import os
import re
import statistics
import subprocess
import sys
import tempfile
from dataclasses import dataclass

import make_transformer
from write_table import write_table

# Fails while the file contains all names.
CHECK = """#!/bin/sh
for needle in $NEEDLES; do
  grep -q "$needle" "$ASSAY_MODEL" || exit 0
done
exit 1
"""
MAX_SECONDS = {10_000: 2.0, 100_000: 20.0}
MAX_GROWTH = 10 * math.log(100_000) / math.log(10_000)  # n log n
MAX_EXTERNAL_MEMORY = 300e6


@dataclass
class Measured:
    own: float
    checks: int
    cpu: float
    peak_bytes: int  # peak of the largest process
    written_bytes: int
    left: str


def reduce(assay, model, needles, check):
    with tempfile.TemporaryDirectory(dir=os.path.dirname(model)) as folder:
        report = os.path.join(folder, "time")
        words = ["time", "-o", report, "-f", "%U %S %M %O", assay, "debug", "reduce", model, "-o", "reduced.onnx",
                 "--check", check]
        done = subprocess.run(words, cwd=folder, env={**os.environ, "NEEDLES": " ".join(needles)},
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        if done.returncode != 0:
            sys.exit(f"{' '.join(words)} exited with status {done.returncode}\n{done.stdout[-3000:]}")
        with open(report) as lines:
            user, system, peak, blocks = lines.read().split()
    checks, seconds = re.findall(r"(\d+) checks? \(.*\) took ([\d.]+) s", done.stdout)[-1]
    runtime = re.findall(r"Runtime: ([\d.]+)s", done.stdout)[-1]
    left = re.findall(r"Reduced \d+ nodes? to (\d+)", done.stdout)
    return Measured(float(runtime) - float(seconds), int(checks), float(user) + float(system), int(peak) * 1024,
                    int(blocks) * 512, left[-1] if left else "?")


def median_of(runs):
    middle = statistics.median_low(run.own for run in runs)
    return next(run for run in runs if run.own == middle)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--assay", required=True)
    parser.add_argument("--work", default=None, help="folder for the models; kept")
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--table", help="write the table to this file too")
    options = parser.parse_args()
    assay = os.path.abspath(options.assay)
    work = os.path.abspath(options.work or os.path.join(tempfile.gettempdir(), "assay-bench"))
    make_transformer.main(work)
    check = os.path.join(work, "grep_check.sh")
    with open(check, "w") as script:
        script.write(CHECK)
    os.chmod(check, 0o755)

    lines = ["| model | culprits | own time | CPU | checks | nodes left | memory | written | limit | |",
             "|---|---|---|---|---|---|---|---|---|---|"]
    wrong = False

    def measure(name, file, culprits, limit, is_met):
        nonlocal wrong
        needles = [f"node{place}_out" for place in culprits]
        result = median_of([reduce(assay, os.path.join(work, file), needles, check) for _ in range(options.runs)])
        met = is_met(result)
        wrong |= not met
        lines.append(f"| {name} | {len(needles)} | {result.own:.2f} s | {result.cpu:.2f} s | {result.checks} | "
                     f"{result.left} | {result.peak_bytes / 1e6:.0f} MB | {result.written_bytes / 1e6:.0f} MB | {limit} | "
                     f"{'met' if met else 'missed'} |")
        print(lines[-1], flush=True)
        return result

    for where in ([0.5], [0.1, 0.9]):
        results = {}
        for nodes, seconds in MAX_SECONDS.items():
            places = [int(nodes * part) for part in where]
            results[nodes] = measure(f"{nodes} nodes", f"transformer_{nodes}.onnx", places, f"{seconds:g} s",
                                     lambda result: result.own < seconds)
        growth = results[100_000].own / results[10_000].own
        cpu = results[100_000].cpu / results[10_000].cpu
        met = growth <= MAX_GROWTH
        wrong |= not met
        lines.append(f"| growth | {len(where)} | {growth:.1f} | {cpu:.1f} | | | | | {MAX_GROWTH:.1f} | "
                     f"{'met' if met else 'missed'} |")
        print(lines[-1], flush=True)
    measure("5 GB of external weights", "external_5g.onnx", [600], f"{MAX_EXTERNAL_MEMORY / 1e6:.0f} MB",
            lambda result: result.peak_bytes < MAX_EXTERNAL_MEMORY)

    write_table(lines, options.table)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
