#!/usr/bin/env python3
"""Tests one_minimal.py on models whose removable nodes are known: it must name exactly these.

usage: one_minimal_test.py PYTHON
PYTHON: a Python with onnx. Exit status 77 if it lacks onnx."""
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

HERE = pathlib.Path(__file__).resolve().parent
SKIPPED = 77

# Fails if the model contains nodes of all these operators.
CHECK = """
import onnx, sys
def types(nodes):
    for node in nodes:
        yield node.op_type
        for attribute in node.attribute:
            yield from types(attribute.g.node)
model = onnx.load(sys.argv[-1])
found = set(types(model.graph.node))
for function in model.functions: found |= set(types(function.node))
sys.exit(1 if set(sys.argv[1].split(",")) <= found else 0)
"""

# Fails every third time it runs on a failing candidate.
FLAKY = """
import pathlib, sys
counter = pathlib.Path(__file__).with_suffix(".count")
count = int(counter.read_text()) + 1 if counter.exists() else 1
counter.write_text(str(count))
sys.exit(1 if count % 3 == 0 and "Abs" in {n.op_type for n in __import__("onnx").load(sys.argv[-1]).graph.node} else 0)
"""

CHAIN = """<ir_version: 8, opset_import: ["" : 17]> g (float[2] x) => (float[2] y)
  { a = Abs(x) b = Neg(a) y = Exp(b) }"""
SPLIT = """<ir_version: 8, opset_import: ["" : 17]> g (float[4] x) => (float[2] y, float[2] one)
  { one, two = Split<axis = 0>(x) s = Add(one, two) y = Exp(s) }"""
CAPTURED = """<ir_version: 8, opset_import: ["" : 17]> g (float[2] x, bool c) => (float[2] y)
  { a = Abs(x) y = If (c) <then_branch = t () => (float[2] p) { n = Neg(a) p = Sin(n) },
                           else_branch = e () => (float[2] q) { q = Cos(a) }> }"""
FUNCTION = """<ir_version: 8, opset_import: ["" : 17, "my" : 1]> g (float[2] x) => (float[2] y)
  { a = Abs(x) y = my.f(a) }
  <domain: "my", opset_import: ["" : 17]> f (v) => (w) { n = Neg(v) w = Sin(n) }"""
UNKNOWN = """<ir_version: 8, opset_import: ["" : 17, "else" : 1]> g (float[2] x) => (float[2] y)
  { a = else.Made(x) y = Exp(a) }"""


class OneMinimal(unittest.TestCase):
    python = sys.executable

    def run_on(self, text, check, *options, words=()):
        with tempfile.TemporaryDirectory() as name:
            folder = pathlib.Path(name)
            (folder / "check.py").write_text(check, encoding="utf-8")
            make = "import onnx, sys; onnx.save(onnx.parser.parse_model(sys.argv[1]), sys.argv[2])"
            subprocess.run([self.python, "-c", make, text, folder / "model.onnx"], check=True)
            return subprocess.run([self.python, HERE / "one_minimal.py", folder / "model.onnx", "--json", *options,
                                   "--", self.python, folder / "check.py", *words],
                                  capture_output=True, text=True, check=False)

    def expect(self, run, removable, nodes=None, untried=()):
        self.assertEqual(run.returncode, 1 if removable else 0, run.stdout + run.stderr)
        found = json.loads(run.stdout)
        self.assertEqual([line.split(":")[0] for line in found["removable"]], removable)
        self.assertEqual(found["untried"], list(untried))
        if nodes is not None:
            self.assertEqual(found["nodes"], nodes)

    def test_names_the_one_node_that_can_go(self):
        self.expect(self.run_on(CHAIN, CHECK, words=["Abs,Exp"]), ["Neg 'b'"], 3)

    def test_accepts_a_model_in_which_each_node_is_needed(self):
        self.expect(self.run_on(CHAIN, CHECK, words=["Abs,Neg,Exp"]), [], 3)

    def test_supplies_all_outputs_of_a_node_of_which_one_is_an_output_of_the_model(self):
        self.expect(self.run_on(SPLIT, CHECK, words=["Add,Exp"]), ["Split 'one'"], 3)

    def test_supplies_what_a_body_captures_and_looks_into_bodies(self):
        self.expect(self.run_on(CAPTURED, CHECK, words=["If,Sin,Cos"]), ["Abs 'a'", "Neg 'n' in a body"], 5)

    def test_lets_a_body_hand_on_another_tensor_of_the_same_type(self):
        self.expect(self.run_on(CAPTURED, CHECK, words=["Abs,If,Neg,Cos"]), ["Sin 'p' in a body"])

    def test_removes_nodes_of_local_functions(self):
        self.expect(self.run_on(FUNCTION, CHECK, words=["f,Sin,Abs"]), ["Neg 'n' in the function 'f'"], 4)

    def test_names_nodes_whose_outputs_have_no_known_type(self):
        self.expect(self.run_on(UNKNOWN, CHECK, words=["Exp"]), [], 2, ["Made 'a'"])

    def test_takes_the_only_node_for_needed(self):
        one = """<ir_version: 8, opset_import: ["" : 17]> g (float[2] x) => (float[2] y) { y = Exp(x) }"""
        self.expect(self.run_on(one, CHECK, words=["Exp"]), [], 1)

    def test_runs_a_flaky_check_often_enough(self):
        self.expect(self.run_on(CHAIN, FLAKY, "--runs", "3"), ["Neg 'b'", "Exp 'y'"])

    def test_a_model_that_does_not_fail_is_an_error(self):
        run = self.run_on(CHAIN, CHECK, words=["Sin"])
        self.assertEqual(run.returncode, 2)
        self.assertIn("doesn't fail its check", run.stderr)

    def test_bypasses_only_if_asked(self):
        check = """
import onnx, sys
graph = onnx.load(sys.argv[-1]).graph
reads_input = {"x"}
for node in graph.node:
    if reads_input & set(node.input): reads_input |= set(node.output)
sys.exit(1 if graph.node[-1].op_type == "Exp" and "y" in reads_input and graph.input[0].name == "x" else 0)
"""
        self.expect(self.run_on(CHAIN, check), [])
        self.expect(self.run_on(CHAIN, check, "--bypass"), ["Abs 'a'", "Neg 'b'"])


if __name__ == "__main__":
    python = sys.argv.pop(1) if len(sys.argv) > 1 else ""
    if not python or subprocess.run([python, "-c", "import onnx"], stderr=subprocess.DEVNULL, check=False).returncode:
        print("skipped: there is no Python with onnx")
        sys.exit(SKIPPED)
    OneMinimal.python = os.path.abspath(python)
    unittest.main()
