"""Measures comparing two float32 tensors of 1 GiB in memory, against Polygraphy and against copying one of them.

compare_tensors.py --bench PROGRAM --python PYTHON [--elements N] [--runs N] [--table FILE]

PROGRAM: assay_bench_compare; PYTHON: a Python with Polygraphy. Both compare with `simple` and its defaults and print all
statistics. Prints a Markdown table; exits with status 1 if comparing takes more than four times as long as copying one tensor
into new memory, or more than 200 MB.
"""
import argparse
import collections
import statistics
import subprocess
import sys

from write_table import write_table

MAX_RATIO = 4
MAX_MEMORY = 200e6

POLYGRAPHY = """
import resource, sys, time
import numpy as np
from polygraphy.comparator import CompareFunc
from polygraphy.comparator.struct import IterationResult
size = int(sys.argv[1])
random = np.random.default_rng(1)
first = random.standard_normal(size, dtype=np.float32)
for name, error in (("agree", 5e-6), ("differ", 1e-3)):
    second = random.random(size, dtype=np.float32)
    second -= np.float32(0.5)
    second *= np.float32(2 * error)
    second += np.float32(1)
    second *= first
    start = time.monotonic()
    CompareFunc.simple()(IterationResult({"y": first}, runner_name="a"), IterationResult({"y": second}, runner_name="b"))
    print(name, time.monotonic() - start)
print("extra_bytes", (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024) - 2 * first.nbytes)
"""


def lines_of(words):
    done = subprocess.run(words, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    if done.returncode != 0:
        sys.exit(f"{words[0]} exited with status {done.returncode}\n{done.stdout[-3000:]}")
    values = collections.defaultdict(list)
    for line in done.stdout.splitlines():
        words = line.split()
        if len(words) == 2 and words[0] in ("copy", "copy_again", "agree", "differ", "measure", "extra_bytes"):
            values[words[0]].append(float(words[1]))
    return values


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--bench", required=True)
    parser.add_argument("--python", required=True)
    parser.add_argument("--elements", type=int, default=1 << 28)
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--table", default="")
    arguments = parser.parse_args()
    ours = lines_of([arguments.bench, str(arguments.elements), str(arguments.runs)])
    polygraphy = lines_of([arguments.python, "-c", POLYGRAPHY, str(arguments.elements)])
    copy = statistics.median(ours["copy"])
    memory = ours["extra_bytes"][0]
    lines = [f"Copying one tensor of {arguments.elements * 4 / 2**30:g} GiB takes {copy:.3f} s into new memory, "
             f"{statistics.median(ours['copy_again']):.3f} s into memory already in use.", "",
             "| what | Assay | times a copy | Polygraphy | Assay's memory besides the tensors | Polygraphy's | limit | |",
             "|---|---|---|---|---|---|---|---|"]
    missed = memory > MAX_MEMORY
    for name, what in (("agree", "`simple` of tensors that agree"), ("differ", "`simple` of tensors that differ")):
        seconds = statistics.median(ours[name])
        met = seconds <= MAX_RATIO * copy
        missed = missed or not met
        lines.append(f"| {what} | {seconds:.3f} s | {seconds / copy:.1f} | {polygraphy[name][0]:.1f} s | {memory / 1e6:.0f} MB "
                     f"| {polygraphy['extra_bytes'][0] / 1e6:.0f} MB | {MAX_RATIO} copies, {MAX_MEMORY / 1e6:.0f} MB "
                     f"| {'met' if met and memory <= MAX_MEMORY else 'missed'} |")
    seconds = statistics.median(ours["measure"])
    lines.append(f"| one pass for a table of layers | {seconds:.3f} s | {seconds / copy:.1f} | | | | | |")
    write_table(lines, arguments.table)
    sys.exit(1 if missed else 0)


if __name__ == "__main__":
    main()
