#!/usr/bin/env python3
"""Compares `assay inspect` with the real Polygraphy: the same facts about the same files.

Usage: PYTHON inspect_polygraphy.py ASSAY, where PYTHON is an interpreter with Polygraphy. Exit status 77: it has none.
"""
import os
import re
import subprocess
import sys
import tempfile

try:
    import numpy as np
    import onnx
    from polygraphy.comparator import IterationResult, RunResults
    from polygraphy.json import save_json
except ImportError as missing:
    print(f"skipped: {missing}")
    sys.exit(77)

ASSAY = os.path.abspath(sys.argv[1])
POLYGRAPHY = os.path.join(os.path.dirname(sys.executable), "polygraphy")
failures = []


def run(program, *words, path=""):
    environment = dict(os.environ, PYTHONPATH=path, PYTHONDONTWRITEBYTECODE="1")
    done = subprocess.run([program, "inspect", *words], capture_output=True, text=True, env=environment, check=False)
    if done.returncode != 0:
        failures.append(f"{program} inspect {' '.join(words)}: exit status {done.returncode}: {done.stdout[-500:]}{done.stderr[-500:]}")
    return done.stdout


def expect_same(what, ours, theirs):
    if not theirs:
        failures.append(f"{what}: Polygraphy shows nothing to compare with")
    if ours != theirs:
        failures.append(f"{what}:\n  Assay:      {ours}\n  Polygraphy: {theirs}")


def arrays():
    """Returns arrays of many types and sizes."""
    random = np.random.RandomState(3)
    return {
        "f32": random.normal(size=(3, 211)).astype(np.float32),
        "f64": random.normal(size=9001),
        "f16": random.normal(size=(4, 7)).astype(np.float16),
        "large": (1000 + random.normal(size=(20, 1001))).astype(np.float32),
        "constant": np.full((5, 5), 7, np.float32),
        "i8": random.randint(-100, 100, (4, 99)).astype(np.int8),
        "i32": random.randint(-10**6, 10**6, 1000).astype(np.int32),
        "i64": random.randint(-10**9, 10**9, 8193),
        "bool": random.randint(0, 2, 50).astype(bool),
        "scalar": np.array(2.5, np.float32),
        "odd": np.array([np.inf, 1, np.nan, 2], np.float32),
    }


def statistics(text):
    """Returns what stands after "mean=" in each line."""
    return [found.strip() for found in re.findall(r"mean=.*", text)]


def bars(text):
    """Returns count and bar of each bin of each histogram. Polygraphy has none of an array with NaN or infinities."""
    text = re.sub(r"Histogram without the .*\n( *\(.*\) +\| +\d+ \| #*\n)+", "", text)
    return re.findall(r"\) +\| +(\d+) \| (#*)$", text, re.M)


def values(text):
    """Returns the lines of arrays, without indentation."""
    lines = [line.strip() for line in text.splitlines()]
    other = re.compile(r"\[[A-Z]\]|====|----|--|\(|Bin Range|$|.*(mean=|Runtime:)")
    return [line for line in lines if not other.match(line)]


def check_data(folder):
    inputs = [arrays(), {"f32": np.ones((2, 2), np.float32)}]
    save_json(inputs, f"{folder}/inputs.json")
    results = RunResults()
    results.append(("one", [IterationResult(arrays(), runner_name="one")]))
    results.append(("two", [IterationResult({"y": np.arange(6).reshape(2, 3)}, runner_name="two")]))
    results.save(f"{folder}/outputs.json")
    for file in ("inputs.json", "outputs.json"):
        for options in ([], ["--all"], ["--histogram"]):
            words = ["data", f"{folder}/{file}", *options]
            ours, theirs = run(ASSAY, *words), run(POLYGRAPHY, *words)
            expect_same(f"statistics, {words}", statistics(ours), statistics(theirs))
            if "--histogram" in options:
                expect_same(f"histograms, {words}", bars(ours), bars(theirs))
    for options in ([], ["-n", "1"], ["-n", "-1"], ["--line-width", "40"], ["-n", "-1", "--line-width", "-1"]):
        words = ["data", f"{folder}/inputs.json", "--show-values", *options]
        expect_same(f"values, {words}", values(run(ASSAY, *words)), values(run(POLYGRAPHY, *words)))


def weight(name, shape, zero_every_other, dtype=np.float32):
    """Returns an initializer; every other element along the first axis is zero if requested."""
    data = np.arange(1, np.prod(shape) + 1).reshape(shape).astype(dtype)
    if zero_every_other:
        data[::2] = 0
    return onnx.numpy_helper.from_array(data, name)


def check_sparsity(folder):
    helper, FLOAT = onnx.helper, onnx.TensorProto.FLOAT
    nodes = [
        helper.make_node("MatMul", ["x", "sparse"], ["a"]),
        helper.make_node("MatMul", ["a", "dense"], ["b"]),
        helper.make_node("MatMul", ["b", "odd"], ["c"]),
        helper.make_node("Transpose", ["turned"], ["t"], perm=[1, 0]),
        helper.make_node("Gemm", ["x", "t"], ["d"], transB=1),
        helper.make_node("Cast", ["half"], ["h"], to=FLOAT),
        helper.make_node("MatMul", ["x", "h"], ["e"]),
        helper.make_node("Add", ["unused_by_products", "x"], ["f"]),
    ]
    initializers = [
        weight("sparse", (8, 8), True), weight("dense", (8, 6), False), weight("odd", (6, 2), True),
        weight("turned", (8, 8), True), weight("half", (8, 4), True, np.float16), weight("unused_by_products", (1, 8), False),
    ]  # fmt: skip
    value = lambda name: helper.make_tensor_value_info(name, FLOAT, None)  # noqa: E731
    graph = helper.make_graph(nodes, "g", [helper.make_tensor_value_info("x", FLOAT, [1, 8])],
                              [value(name) for name in "cdef"], initializers)  # fmt: skip
    onnx.save(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)]), f"{folder}/weights.onnx")
    ours = run(ASSAY, "sparsity", f"{folder}/weights.onnx")
    theirs = run(POLYGRAPHY, "sparsity", f"{folder}/weights.onnx")
    for our_words, their_words in ((r"(\w+) \[.*\| 2:4 sparse", r"Found sparse tensor: (\w+)"),
                                   (r"(\w+) \[.*\| not sparse", r"Found non-sparse tensor: (\w+)")):  # fmt: skip
        expect_same(their_words, sorted(re.findall(our_words, ours)), sorted(re.findall(their_words, theirs)))


def replay(tactics):
    """Returns a tactic replay in Polygraphy's form, from layer to tactic."""
    tensor = {"dtype": "DataType.FLOAT", "strides": [1, 2], "vectorized_dim": -1, "components_per_element": 1,
              "polygraphy_class": "TensorInfo"}  # fmt: skip
    layers = {name: {"implementation": 5, "tactic": tactic, "inputs": [tensor], "outputs": [tensor, tensor],
                     "polygraphy_class": "Algorithm"} for name, tactic in tactics.items()}  # fmt: skip
    return {"replay": layers, "polygraphy_class": "TacticReplayData"}


def check_tactics(folder):
    import json

    # Polygraphy reads the names of types in TensorRT, which needn't be there.
    os.makedirs(f"{folder}/stub")
    with open(f"{folder}/stub/tensorrt.py", "w") as file:
        file.write("import enum\n__version__ = '10.0.0'\n\n\nclass DataType(enum.Enum):\n    FLOAT = 0\n    HALF = 1\n")
    files = {"good/a.json": {"conv": 1, "gemm": 2}, "good/b.json": {"conv": 3},
             "bad/a.json": {"conv": 4, "gemm": 2}, "bad/b.json": {"conv": 4, "new": 7}}  # fmt: skip
    for name, tactics in files.items():
        os.makedirs(os.path.dirname(f"{folder}/{name}"), exist_ok=True)
        with open(f"{folder}/{name}", "w") as file:
            json.dump(replay(tactics), file)

    def facts(text):
        return re.findall(r"(?:Layer: (\w+))|(?:[Ii]mplementation:? (\d+), [Tt]actic:? (\d+))", text)

    for words in (["tactics", f"{folder}/good/a.json"], ["diff-tactics", "--dir", folder],
                  ["diff-tactics", "--good", f"{folder}/good/a.json", "--bad", f"{folder}/bad"]):  # fmt: skip
        theirs = facts(run(POLYGRAPHY, *words, path=f"{folder}/stub"))
        expect_same(str(words), facts(run(ASSAY, *words)), theirs)


with tempfile.TemporaryDirectory() as scratch:
    check_data(scratch)
    check_sparsity(scratch)
    check_tactics(scratch)
print("\n".join(failures) or "all as Polygraphy shows it")
sys.exit(1 if failures else 0)
