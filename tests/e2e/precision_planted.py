#!/usr/bin/env python3
"""Plants float16 overflows in twelve models, of several sizes and structures: `assay debug precision --mode minimal` has to
name exactly the planted nodes, in at most 2 log2(n) + 8 runs and 3 more for each of them.

usage: precision_planted.py ASSAY PYTHON [WORD...]
PYTHON: a Python with the onnx package; exit status 77 if there is none. WORD: only models with this word in their name."""
import math
import os
import pathlib
import re
import subprocess
import sys
import tempfile

SKIPPED = 77
ASSAY, PYTHON = str(pathlib.Path(sys.argv[1]).absolute()), sys.argv[2]
if "PRECISION_PLANTED" not in os.environ:
    if not PYTHON or subprocess.run([PYTHON, "-c", "import onnx"], stderr=subprocess.DEVNULL, check=False).returncode:
        print("skipped: ASSAY_TEST_PYTHON names no Python with the onnx package")
        sys.exit(SKIPPED)
    os.execve(PYTHON, [PYTHON, *sys.argv], {**os.environ, "PRECISION_PLANTED": "1"})

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

SHAPE = (4, 16)


class Builder:
    """Adds nodes whose values stay around 1, but for those that are planted."""

    def __init__(self):
        self.nodes, self.weights, self.planted = [], [], []
        self.random = np.random.RandomState(5)
        for name, value in (("up", 1024), ("down", 1 / 1024), ("half", 0.5)):
            self.weights.append(numpy_helper.from_array(np.float32(value), name))

    def node(self, op, *inputs, **attributes):
        name = f"n{len(self.nodes)}"
        self.nodes.append(helper.make_node(op, inputs, [name + "_out"], name=name, **attributes))
        return name + "_out"

    def weight(self, shape):
        name = f"w{len(self.weights)}"
        values = (self.random.rand(*shape) / shape[0] * 2).astype(np.float32)
        self.weights.append(numpy_helper.from_array(values, name))
        return name

    def plant(self, tensor):
        """Multiplies by 2^20 and divides again: the two nodes next to the large tensor need float32."""
        tensor = self.node("Mul", tensor, "up")
        self.planted += [f"n{len(self.nodes)}", f"n{len(self.nodes) + 1}"]
        tensor = self.node("Mul", self.node("Mul", tensor, "up"), "down")
        return self.node("Mul", tensor, "down")

    def chain(self, tensor, length):
        """None of its operators saturates, which would hide an overflow."""
        for step in range(length):
            op = ("Sqrt", "Relu", "Mul", "Add")[step % 4]
            tensor = self.node(op, tensor, *(["half"] if op in ("Mul", "Add") else []))
        return tensor

    def dense(self, tensor):
        return self.node("Relu", self.node("MatMul", tensor, self.weight((16, 16))))

    def block(self, tensor):
        """A residual block with a normalisation."""
        inner = self.dense(self.dense(tensor))
        mean = self.node("ReduceMean", inner, axes=[1], keepdims=1)
        return self.node("Sqrt", self.node("Abs", self.node("Add", tensor, self.node("Sub", inner, mean))))

    def attention(self, tensor):
        q, k, v = (self.node("MatMul", tensor, self.weight((16, 16))) for _ in range(3))
        shares = self.node("Softmax", self.node("MatMul", q, self.node("Transpose", k, perm=[1, 0])))
        return self.node("Sqrt", self.node("Abs", self.node("Add", tensor, self.node("MatMul", shares, v))))

    def save(self, output, path):
        graph = helper.make_graph(
            [*self.nodes, helper.make_node("Identity", [output], ["y"], name="last")], "planted",
            [helper.make_tensor_value_info("x", TensorProto.FLOAT, SHAPE)],
            [helper.make_tensor_value_info("y", TensorProto.FLOAT, None)], self.weights)
        model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)
        onnx.save(onnx.shape_inference.infer_shapes(model), path)


def chain(length, *places):
    """A chain with plants after these shares of its length."""
    def build(b):
        tensor, done = b.node("Identity", "x"), 0
        for place in places:
            tensor = b.plant(b.chain(tensor, int(length * place) - done))
            done = int(length * place)
        return b.chain(tensor, length - done)
    return build


def blocks(count, *planted, kind=Builder.block):
    def build(b):
        tensor = b.node("Identity", "x")
        for number in range(count):
            tensor = kind(b, tensor)
            if number in planted:
                tensor = b.plant(tensor)
        return tensor
    return build


def branches(count, length, *planted):
    """Branches that are added up; those in `planted` overflow."""
    def build(b):
        start, ends = b.node("Sigmoid", "x"), []
        for number in range(count):
            end = b.chain(start, length)
            ends.append(b.plant(end) if number in planted else end)
        return b.node("Sqrt", b.node("Sum", *ends))
    return build


MODELS = {
    "short chain": chain(8, 0.5),
    "chain": chain(60, 0.3),
    "chain, at its end": chain(100, 1.0),
    "chain, two places": chain(120, 0.2, 0.8),
    "long chain": chain(400, 0.7),
    "very long chain, three places": chain(1000, 0.1, 0.5, 0.9),
    "residual blocks": blocks(6, 2),
    "many residual blocks, two places": blocks(40, 3, 30),
    "attention": blocks(4, 1, kind=Builder.attention),
    "many layers of attention": blocks(24, 20, kind=Builder.attention),
    "branches": branches(8, 6, 5),
    "many branches, three of which overflow": branches(30, 10, 2, 11, 29),
}


def run_model(name, build, folder):
    """Returns what is wrong, or ""."""
    builder = Builder()
    builder.save(build(builder), folder / "model.onnx")
    done = subprocess.run([ASSAY, "debug", "precision", "model.onnx", "--onnxrt", "--mode", "minimal"], cwd=folder,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
    found = re.search(r"(?:has|have) to stay in float32, found in (\d+) runs?:((?:\n    .*)+)", done.stdout)
    if done.returncode != 0 or not found:
        return f"no answer: {done.stdout[-1500:]}"
    names = re.findall(r"'(\w+)' \(node", found[2])
    nodes, runs = len(builder.nodes) + 1, int(found[1])
    most = 2 * math.log2(nodes) + 8 + 3 * len(builder.planted)
    print(f"{name}: {nodes} nodes, {len(builder.planted)} planted, {runs} runs, at most {most:.0f}", flush=True)
    if sorted(names) != sorted(builder.planted):
        return f"found {sorted(names)}, planted {sorted(builder.planted)}"
    return "" if runs <= most else "too many runs"


def main():
    failed = 0
    for name, build in MODELS.items():
        if not all(word in name for word in sys.argv[3:]):
            continue
        with tempfile.TemporaryDirectory() as folder:
            problem = run_model(name, build, pathlib.Path(folder))
        if problem:
            print(f"FAILED: {name}: {problem}", flush=True)
            failed += 1
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
