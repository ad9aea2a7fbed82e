#!/usr/bin/env python3
"""Writes small_values.json: nodes on a few whole numbers, and what the onnx package's reference evaluator computes.

Made with onnx 1.23.2 and NumPy 2.4.6.
"""
import json
import pathlib

import numpy as np
import onnx.parser
from onnx.reference import ReferenceEvaluator

I64, I32, BOOL = np.int64, np.int32, np.bool_
NAMES = {np.dtype(I64): "int64", np.dtype(I32): "int32", np.dtype(np.uint8): "uint8", np.dtype(BOOL): "bool"}


def a(values, dtype=I64):
    return np.array(values, dtype=dtype)


GRID = a([[1, 2, 3], [4, 5, 6]])
CASES = [
    ("Shape(a)", [GRID]), ("Shape <start = 1> (a)", [GRID]), ("Shape <start = -1, end = 9> (a)", [GRID]),
    ("Size(a)", [GRID]), ("Identity(a)", [GRID]),
    ("Cast <to = 6> (a)", [a([3, -4])]), ("Cast <to = 9> (a)", [a([0, 7])]), ("Cast <to = 2> (a)", [a([3, 200])]),
    ("Gather(a, b)", [a([5, 6, 7]), a(1)]), ("Gather(a, b)", [a([5, 6, 7]), a([-1, 0])]),
    ("Gather <axis = 1> (a, b)", [GRID, a([[2, 0]])]), ("Gather(a, b)", [GRID, a(-1, I32)]),
    ("Concat <axis = 0> (a, b)", [a([1]), a([2, 3])]), ("Concat <axis = -1> (a, b)", [GRID, a([[7], [8]])]),
    ("Slice(a, b, c)", [a([1, 2, 3, 4]), a([1]), a([3])]),
    ("Slice(a, b, c)", [a([1, 2, 3, 4]), a([-2]), a([9223372036854775807])]),
    ("Slice(a, b, c, d, e)", [a([1, 2, 3, 4]), a([-1]), a([-9223372036854775807]), a([0]), a([-1])]),
    ("Slice(a, b, c, d, e)", [a([1, 2, 3, 4, 5]), a([0]), a([5]), a([0]), a([2])]),
    ("Slice(a, b, c)", [a([1, 2, 3, 4]), a([3]), a([1])]),
    ("Squeeze(a)", [a([[[4]]])]), ("Squeeze(a, b)", [a([[4], [5]]), a([1])]), ("Squeeze(a, b)", [a([[4], [5]]), a([-1])]),
    ("Unsqueeze(a, b)", [a(4), a([0])]), ("Unsqueeze(a, b)", [GRID, a([0, -1])]),
    ("Reshape(a, b)", [GRID, a([3, -1])]), ("Reshape(a, b)", [GRID, a([0, 3, 1])]), ("Reshape(a, b)", [a([7]), a([], I64)]),
    ("Expand(a, b)", [a([[1], [2]]), a([1, 3])]), ("Expand(a, b)", [a(4), a([2, 2])]),
    ("ConstantOfShape <value = int64[1] {5}> (a)", [a([2, 2])]), ("ConstantOfShape <value = bool[1] {1}> (a)", [a([3])]),
    ("Add(a, b)", [GRID, a([10, 20, 30])]), ("Add(a, b)", [a([2147483647], I32), a(1, I32)]),
    ("Sub(a, b)", [a([[1], [2]]), a([5, 6])]), ("Mul(a, b)", [GRID, a(-2)]), ("Div(a, b)", [a([7, 8, 9]), a(2)]),
    ("Min(a, b, c)", [a([1, 9]), a(5), a([[3], [4]])]), ("Max(a)", [a([1, 9])]), ("Max(a, b)", [a([1, 9]), a(5)]),
    ("Equal(a, b)", [a([1, 2]), a(2)]), ("Less(a, b)", [a([1, 2]), a(2)]), ("LessOrEqual(a, b)", [a([1, 2]), a(1)]),
    ("Greater(a, b)", [a([1, 2]), a(1)]), ("GreaterOrEqual(a, b)", [a([1, 2]), a(2)]),
    ("And(a, b)", [a([1, 0], BOOL), a(1, BOOL)]), ("Or(a, b)", [a([1, 0], BOOL), a(0, BOOL)]),
    ("Not(a)", [a([1, 0], BOOL)]), ("Neg(a)", [a([1, -2])]),
    ("Where(a, b, c)", [a([1, 0], BOOL), a([[1, 2], [3, 4]]), a(9)]), ("Where(a, b, c)", [a(0, BOOL), a([1]), a([2])]),
    ("Range(a, b, c)", [a(0), a(5), a(2)]), ("Range(a, b, c)", [a(3), a(-3), a(-2)]), ("Range(a, b, c)", [a(3), a(0), a(1)]),
    ("ReduceProd(a)", [GRID]), ("ReduceProd <keepdims = 0> (a, b)", [GRID, a([1])]), ("ReduceSum(a, b)", [GRID, a([-2])]),
    ("ReduceSum <noop_with_empty_axes = 1> (a)", [GRID]), ("ReduceMax <keepdims = 0> (a)", [GRID]),
    ("ReduceMin(a, b)", [GRID, a([0])]),
]


def encoded(array):
    array = np.asarray(array)
    return {"type": NAMES[array.dtype], "shape": list(array.shape), "data": [int(v) for v in array.ravel()]}


rows = []
for text, arrays in CASES:
    inputs = dict(zip("abcde", arrays))
    types = {"uint8": "uint8"} | {name: name for name in NAMES.values()}
    ports = ", ".join(
        f"{types[NAMES[v.dtype]]}{'[' + ','.join(map(str, v.shape)) + ']'} {k}" if v.ndim else f"{NAMES[v.dtype]} {k}"
        for k, v in inputs.items())
    model = f'<ir_version: 8, opset_import: ["" : 18]>\ng ({ports}) => (int64[N] y) {{ y = {text} }}'
    (value,) = ReferenceEvaluator(onnx.parser.parse_model(model)).run(None, inputs)
    rows.append({"model": model, "inputs": [encoded(v) for v in inputs.values()], "output": encoded(value)})
lines = ",\n".join(json.dumps(row) for row in rows)
pathlib.Path(__file__).with_name("small_values.json").write_text(f"[\n{lines}\n]\n")
