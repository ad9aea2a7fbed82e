"""Measures how much faster a reduction is with more jobs: jobs.py --assay BIN [--work FOLDER] [--runs N] [--table FILE]

Uses two checks with the same verdicts, which fail while a candidate still holds three nodes of a transformer of 1,000:
  busy     uses one core for half a second, so two jobs on two cores should halve the time
  sleeping sleeps for half a second, like a check that waits for another machine; 16 jobs
Prints a Markdown table of wall times, checks that ran (cancelled ones included), and nodes of the result, which must be the
same for every number of jobs. Exits with status 1 if they differ or a limit is missed.
"""
import argparse
import os
import re
import statistics
import subprocess
import sys
import tempfile
import time

import make_transformer
from write_table import write_table

# Only small shell commands, so that 16 checks at once cost hardly more than their half second.
CHECK = """#!/bin/sh
printf . >> {ran}
{wait}
for needle in {needles}; do
  grep -qa "$needle" "$ASSAY_MODEL" || exit 0
done
exit 1
"""
BUSY = "{python} -S -c 'import time\nwhile time.process_time() < {seconds}: pass'"
KINDS = {"busy": BUSY, "sleeping": "sleep {seconds}"}
# kind of check, jobs, times faster than with one
LIMITS = [("busy", 2, 1.6), ("sleeping", 16, 6.0)]


def reduce(options, kind, jobs):
    with tempfile.TemporaryDirectory() as folder:
        ran = os.path.join(folder, "ran")
        check = os.path.join(folder, "check.sh")
        wait = KINDS[kind].format(python=sys.executable, seconds=options.seconds)
        with open(check, "w") as script:
            script.write(CHECK.format(ran=ran, wait=wait, needles=" ".join(options.needles)))
        os.chmod(check, 0o755)
        words = [options.assay, "debug", "reduce", os.path.abspath(options.model), "-o", "reduced.onnx", "--jobs",
                 str(jobs), "--hide-fail-output", *options.more, "--check", check]
        start = time.monotonic()
        done = subprocess.run(words, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        seconds = time.monotonic() - start
        if done.returncode != 0:
            sys.exit(f"{' '.join(words)} exited with status {done.returncode}\n{done.stdout[-3000:]}")
        left = re.findall(r"Reduced \d+ nodes? to (\d+)", done.stdout)
        with open(os.path.join(folder, "reduced.onnx"), "rb") as result:
            return seconds, os.path.getsize(ran), left[-1] if left else "?", result.read()


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--assay", required=True)
    parser.add_argument("--work", default=None, help="folder for the model; kept")
    parser.add_argument("--culprits", nargs="+", type=int, default=[110, 480, 871],
                        help="nodes of the 1,000 that a failing candidate holds")
    parser.add_argument("--seconds", type=float, default=0.5, help="duration of a check")
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--table", help="write the table to this file too")
    parser.add_argument("more", nargs="*", help="more options for debug reduce, after --")
    options = parser.parse_args()
    options.assay = os.path.abspath(options.assay)
    work = os.path.abspath(options.work or os.path.join(tempfile.gettempdir(), "assay-bench"))
    make_transformer.main(work, ["transformer_1000"])
    options.model = os.path.join(work, "transformer_1000.onnx")
    # A node's name followed by the tag of its operator, since names of tensors start in the same way.
    options.needles = [f"'node{place}\"'" for place in options.culprits]

    lines = ["| checks | jobs | wall time | checks that ran | nodes left | times faster | limit | |",
             "|---|---|---|---|---|---|---|---|"]
    wrong = False
    for kind, jobs, limit in LIMITS:
        medians, results = {}, set()
        for count in (1, jobs):
            runs = [reduce(options, kind, count) for _ in range(options.runs)]
            results |= {run[3] for run in runs}
            medians[count] = statistics.median(run[0] for run in runs)
            faster = medians[1] / medians[count]
            missed = count > 1 and faster < limit
            differs = len(results) > 1
            wrong |= missed or differs
            verdict = "the results differ" if differs else "missed" if missed else "met" if count > 1 else ""
            lines.append(f"| {kind} for {options.seconds:g} s | {count} | {medians[count]:.2f} s | "
                         f"{statistics.median(run[1] for run in runs):g} | {runs[0][2]} | {faster:.2f} | "
                         f"{limit if count > 1 else ''} | {verdict} |")
            print(lines[-1], flush=True)
    write_table(lines, options.table)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
