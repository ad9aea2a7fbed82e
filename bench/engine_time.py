"""Measures the overhead of Assay over the engines: engine_time.py --assay BIN --polygraphy BIN --models MODEL... [--runs N] [--table FILE]

Runs each model with `assay run`, and with a bare program that only loads the model in the engine and runs it once. The bare
program's time begins with the first call of the engine and ends with the last, without the start of Python. Polygraphy doesn't
support OpenVINO, and runs ONNX Runtime the same number of times instead. Prints a Markdown table with medians of wall time and of the peak memory of all processes.
OpenVINO is the library named by ASSAY_OPENVINO_LIB, with its default settings. Exits with status 1 if a limit is missed: a model of
100 MB or more takes at most 1.3 times the time and the memory of the bare program; both engines on a smaller model take at most a
fifth of Polygraphy's time.
"""
import argparse
import ctypes
import os
import statistics
import sys
import tempfile
import time

import measure
from write_table import write_table

MOST_BESIDE_ENGINES = 1.3
MOST_BESIDE_POLYGRAPHY = 0.2
LARGE = 100e6  # bytes
ENGINES = [["--onnxrt"], ["--openvino"], ["--onnxrt", "--openvino"]]


def check(library, status):
    if status != 0:
        library.ov_get_last_err_msg.restype = ctypes.c_char_p
        sys.exit(f"OpenVINO: {status}: {library.ov_get_last_err_msg()}")


def bare_openvino(model):
    """Uses the C API, so that the Python package needn't be installed."""
    library = ctypes.CDLL(os.environ["ASSAY_OPENVINO_LIB"])
    made = [ctypes.c_void_p() for _ in range(4)]
    core, read, compiled, request = made
    check(library, library.ov_core_create(ctypes.byref(core)))
    check(library, library.ov_core_read_model(core, model.encode(), None, ctypes.byref(read)))
    check(library, library.ov_core_compile_model(core, read, b"CPU", ctypes.c_size_t(0), ctypes.byref(compiled)))
    check(library, library.ov_compiled_model_create_infer_request(compiled, ctypes.byref(request)))
    check(library, library.ov_infer_request_infer(request))
    return made  # kept by the caller while the other engine works, as in Assay


def bare_onnxruntime(model, numpy, onnxruntime):
    session = onnxruntime.InferenceSession(model)
    types = {"tensor(float)": numpy.float32, "tensor(int64)": numpy.int64}
    feeds = {port.name: numpy.ones([size if isinstance(size, int) else 1 for size in port.shape], types[port.type])
             for port in session.get_inputs()}
    session.run(None, feeds)
    return session


def bare(engines, model):
    if "--onnxrt" in engines:
        import numpy
        import onnxruntime
    start = time.monotonic()
    kept = []
    if "--onnxrt" in engines:
        kept.append(bare_onnxruntime(model, numpy, onnxruntime))
    if "--openvino" in engines:
        kept.append(bare_openvino(model))
    print(time.monotonic() - start, flush=True)
    os._exit(0)


def run(words, folder, expected=(0,)):
    result = measure.run(words, folder, env=dict(os.environ))
    if result.status not in expected:
        sys.exit(f"{' '.join(words)} exited with status {result.status}\n{result.output[-2000:]}")
    return result


def measure_row(options, engines, model, folder):
    ours, alone, theirs = [], [], []
    for _ in range(options.runs):
        # Engines may agree or differ (status 0 or 1).
        ours.append(run([options.assay, "run", model, *engines, "--rtol", "inf"], folder, (0, 1)))
        alone.append(run([sys.executable, os.path.abspath(__file__), "--bare", *engines, "--models", model], folder))
        theirs.append(run([options.polygraphy, "run", model, *["--onnxrt"] * len(engines)], folder, (0, 1)))
    median = statistics.median
    return {"ours": median(r.seconds for r in ours), "alone": median(float(r.output.split()[-1]) for r in alone),
            "polygraphy": median(r.seconds for r in theirs), "ours_b": median(r.peak_bytes for r in ours),
            "alone_b": median(r.peak_bytes for r in alone), "polygraphy_b": median(r.peak_bytes for r in theirs)}


def main():
    parser = argparse.ArgumentParser(allow_abbrev=False)
    parser.add_argument("--assay")
    parser.add_argument("--polygraphy")
    parser.add_argument("--models", nargs="+", required=True)
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--table", help="write the table to this file too")
    parser.add_argument("--bare", action="store_true", help="be the bare program")
    parser.add_argument("--onnxrt", action="store_true")
    parser.add_argument("--openvino", action="store_true")
    options = parser.parse_args()
    if options.bare:
        bare([name for name in ("--onnxrt", "--openvino") if getattr(options, name[2:])], options.models[0])
    if "ASSAY_OPENVINO_LIB" not in os.environ:
        sys.exit("ASSAY_OPENVINO_LIB is not set: set it to the path of OpenVINO's libopenvino_c.so")
    options.assay, options.polygraphy = os.path.abspath(options.assay), os.path.abspath(options.polygraphy)

    lines = ["| model | engines | Assay | engines alone | ratio | Assay's memory | engines alone | ratio | Polygraphy, ONNX Runtime as often | ratio | limit | |",
             "|---|---|---|---|---|---|---|---|---|---|---|---|"]
    missed = False
    with tempfile.TemporaryDirectory() as folder:
        for model in options.models:
            for engines in ENGINES:
                figures = measure_row(options, engines, os.path.abspath(model), folder)
                time_ratio, memory_ratio = figures["ours"] / figures["alone"], figures["ours_b"] / figures["alone_b"]
                polygraphy_ratio = figures["ours"] / figures["polygraphy"]
                limit, wrong = "-", []
                if os.path.getsize(model) >= LARGE:
                    limit = f"{MOST_BESIDE_ENGINES} of the engines"
                    wrong = [word for word, ratio in (("time", time_ratio), ("memory", memory_ratio))
                             if ratio > MOST_BESIDE_ENGINES]
                elif len(engines) > 1:
                    limit = f"{MOST_BESIDE_POLYGRAPHY} of Polygraphy"
                    wrong = ["time"] if polygraphy_ratio > MOST_BESIDE_POLYGRAPHY else []
                missed |= bool(wrong)
                lines.append(f"| {os.path.basename(model)} | {' '.join(engines)} | {figures['ours']:.3f} s | {figures['alone']:.3f} s | "
                             f"{time_ratio:.2f} | {figures['ours_b'] / 1e6:.0f} MB | {figures['alone_b'] / 1e6:.0f} MB | "
                             f"{memory_ratio:.2f} | {figures['polygraphy']:.3f} s, {figures['polygraphy_b'] / 1e6:.0f} MB | {polygraphy_ratio:.2f} | "
                             f"{limit} | {'missed: ' + ', '.join(wrong) if wrong else 'met' if limit != '-' else ''} |")
                print(lines[-1], flush=True)
    write_table(lines, options.table)
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
