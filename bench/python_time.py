"""Measures what the Python package costs, next to ONNX Runtime in the same process and to Polygraphy.

python_time.py --package FOLDER [--only NAME...] [--elements N] [--runs N] [--table FILE]

FOLDER contains the package, such as build/release/python. The interpreter must have Polygraphy and ONNX Runtime. What is
compared alternates, and the fastest run of each counts, so that other work on the machine disturbs neither. In `compare`,
Polygraphy has one run only, since it takes minutes. Prints a Markdown table; exits with status 1 if a limit is missed.

  import   `import assay`, in new processes                                     at most 60 ms
  infer    OnnxrtRunner.infer of a small model, beyond InferenceSession.run     at most 150 us
  input    the same for an input of 100 MB, of which the model reads the shape  at most one copy into new memory
  compare  Comparator.compare_accuracy of two results of 1 GiB each             20 times faster than Polygraphy
"""
import argparse
import json
import os
import subprocess
import sys
import time

from write_table import write_table

TOLERANCE = 0.2  # of the time of a copy, which varies by more than that on a busy machine

IMPORT = "import time; start = time.perf_counter(); import {}; print(time.perf_counter() - start)"

INFER = """
import json, sys, time
import numpy as np, onnx, onnx.parser, onnxruntime
sys.path.insert(0, sys.argv[1])
from assay.backend.onnxrt import OnnxrtRunner, SessionFromOnnx
from polygraphy.backend.onnxrt import OnnxrtRunner as PolygraphyRunner

model = onnx.parser.parse_model(
    f'<ir_version: 8, opset_import: ["" : 17]> g (float[n] x) => ({sys.argv[2]} y) {{ y = {sys.argv[3]}(x) }}')
array = np.random.default_rng(1).random(int(sys.argv[4]), np.float32)
direct = onnxruntime.InferenceSession(model.SerializeToString())
with OnnxrtRunner(SessionFromOnnx(model)) as ours, PolygraphyRunner(direct) as polygraphy:
    calls = {
        "direct": lambda: direct.run(None, {"x": array}),
        "assay": lambda: ours.infer({"x": array}),
        "polygraphy": lambda: polygraphy.infer({"x": array}),
        "copy": array.copy,
    }
    times = {name: [] for name in calls}
    for _ in range(int(sys.argv[5])):
        for name, call in calls.items():
            start = time.perf_counter()
            call()
            times[name].append(time.perf_counter() - start)
print(json.dumps({name: min(values) for name, values in times.items()}))
"""

COMPARE = """
import json, sys, time
import numpy as np
sys.path.insert(0, sys.argv[1])
import assay.comparator, polygraphy.comparator
size = int(sys.argv[2])
random = np.random.default_rng(1)
first = random.standard_normal(size, dtype=np.float32)
second = first * np.float32(1 + 1e-6)
times = {"assay": [], "polygraphy": []}
for run in range(int(sys.argv[3])):
    for name in times if run == 0 else ["assay"]:
        package = getattr(sys.modules[name], "comparator")
        results = package.RunResults([(key, [package.IterationResult({"y": array}, runner_name=key)])
                                      for key, array in (("a", first), ("b", second))])
        start = time.perf_counter()
        assert package.Comparator.compare_accuracy(results)
        times[name].append(time.perf_counter() - start)
print(json.dumps({name: min(values) for name, values in times.items()}))
"""


def last_line(words, package=""):
    done = subprocess.run([sys.executable, *words], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                          env={**os.environ, "PYTHONPATH": package, "CUDA_VISIBLE_DEVICES": ""})
    if done.returncode != 0:
        sys.exit(f"exit status {done.returncode}\n{done.stdout[-3000:]}")
    return json.loads(done.stdout.splitlines()[-1])


def measure_import(options):
    times = {"assay": [], "polygraphy": []}
    for _ in range(4 * options.runs):
        for name, values in times.items():
            values.append(last_line(["-c", IMPORT.format(name)], options.package))
    ours, polygraphy = (min(values) for values in times.values())
    return "`import`", f"{ours * 1e3:.1f} ms", f"{polygraphy * 1e3:.1f} ms", "60 ms", ours <= 0.060


def infer(options, output, operator, elements, runs):
    found = last_line(["-c", INFER, options.package, output, operator, str(elements), str(runs)])
    return found["assay"] - found["direct"], found["polygraphy"] - found["direct"], found["copy"]


def measure_infer(options):
    ours, polygraphy, _ = infer(options, "float[n]", "Relu", 64, 400 * options.runs)
    return ("`infer` of a small model, beyond ONNX Runtime", f"{ours * 1e6:.0f} us", f"{polygraphy * 1e6:.0f} us", "150 us",
            ours <= 150e-6)


def measure_input(options):
    ours, polygraphy, copy = infer(options, "int64[1]", "Shape", 25_000_000, 4 * options.runs)
    return ("`infer` of an input of 100 MB, beyond ONNX Runtime", f"{ours * 1e3:.1f} ms", f"{polygraphy * 1e3:.1f} ms",
            f"{copy * 1e3:.1f} ms, one copy", ours <= copy * (1 + TOLERANCE))


def measure_compare(options):
    found = last_line(["-c", COMPARE, options.package, str(options.elements), str(options.runs)])
    ratio = found["polygraphy"] / found["assay"]
    return (f"`compare_accuracy` of two results of {options.elements * 4 / 2**30:g} GiB", f"{found['assay']:.2f} s",
            f"{found['polygraphy']:.1f} s", f"20 times faster; it is {ratio:.0f}", ratio >= 20)


MEASUREMENTS = {"import": measure_import, "infer": measure_infer, "input": measure_input, "compare": measure_compare}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--package", required=True)
    parser.add_argument("--only", nargs="*", choices=MEASUREMENTS, default=list(MEASUREMENTS))
    parser.add_argument("--elements", type=int, default=1 << 28, help="of each result that is compared")
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--table", default="")
    options = parser.parse_args()
    options.package = os.path.abspath(options.package)
    start = time.monotonic()
    rows = [MEASUREMENTS[name](options) for name in options.only]
    lines = ["| what | Assay | Polygraphy | limit | |", "|---|---|---|---|---|"]
    lines += [f"| {what} | {ours} | {polygraphy} | {limit} | {'met' if met else 'missed'} |"
              for what, ours, polygraphy, limit, met in rows]
    write_table(lines, options.table)
    print(f"measured in {time.monotonic() - start:.0f} s")
    sys.exit(0 if all(row[-1] for row in rows) else 1)


if __name__ == "__main__":
    main()
