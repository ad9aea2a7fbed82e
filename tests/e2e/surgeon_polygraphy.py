#!/usr/bin/env python3
"""Runs `assay surgeon` and `assay convert` next to Polygraphy on the same models, and compares the files that they write.
ONNX's checker and ONNX Runtime judge the models.

usage: surgeon_polygraphy.py ASSAY PYTHON [TEST...]
PYTHON: a Python with Polygraphy, onnx-graphsurgeon and onnxruntime. Exit status 77 if there is none."""
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

SKIPPED = 77
ASSAY, PYTHON = sys.argv[1:3]
if pathlib.Path(sys.executable).resolve() != pathlib.Path(PYTHON).resolve() or "SURGEON_POLYGRAPHY" not in os.environ:
    probe = [PYTHON, "-c", "import onnx, onnxruntime, polygraphy, onnx_graphsurgeon"]
    if not PYTHON or subprocess.run(probe, stderr=subprocess.DEVNULL, check=False).returncode != 0:
        print("skipped: ASSAY_TEST_PYTHON names no Python with Polygraphy and onnxruntime")
        sys.exit(SKIPPED)
    os.execve(PYTHON, [PYTHON, *sys.argv], {**os.environ, "SURGEON_POLYGRAPHY": "1"})

import numpy as np
import onnx
import onnxruntime
from onnx import TensorProto, helper, numpy_helper

POLYGRAPHY = str(pathlib.Path(PYTHON).parent / "polygraphy")
FLOAT = TensorProto.FLOAT


def value(name, shape, kind=FLOAT):
    return helper.make_tensor_value_info(name, kind, shape)


class Builder:
    """Collects nodes, weights, inputs and outputs of a model."""

    def __init__(self, seed=1):
        self.nodes, self.inputs, self.outputs, self.weights = [], [], [], []
        self.random = np.random.RandomState(seed)

    def weight(self, name, shape, kind=np.float32, values=None):
        made = (self.random.rand(*shape) - 0.5) * 4 if values is None else values
        self.weights.append(numpy_helper.from_array(np.asarray(made).astype(kind), name))
        return name

    def input(self, name, shape, kind=FLOAT):
        self.inputs.append(value(name, shape, kind))
        return name

    def node(self, op, inputs, output, **attributes):
        self.nodes.append(helper.make_node(op, inputs, [output], name="node_" + output, **attributes))
        return output

    def output(self, op, inputs, output, kind=FLOAT, **attributes):
        self.outputs.append(value(self.node(op, inputs, output, **attributes), None, kind))

    def quantized(self, name, shape):
        """A weight behind QuantizeLinear and DequantizeLinear."""
        quantized = self.node("QuantizeLinear", [self.weight(name, shape), "scale", "zero"], name + "_q")
        return self.node("DequantizeLinear", [quantized, "scale", "zero"], name + "_dq")

    def save(self, path):
        graph = helper.make_graph(self.nodes, "g", self.inputs, self.outputs, self.weights)
        model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)
        outputs = list(onnx.shape_inference.infer_shapes(model, strict_mode=True).graph.output)
        model.graph.ClearField("output")
        model.graph.output.extend(outputs)
        onnx.save(model, path)


def two_of_four(values, axis):
    groups = np.moveaxis(values, axis, -1).reshape(-1, 4)
    return bool(((groups == 0).sum(1) >= 2).all())


def weights_of(path):
    return {w.name: w for w in onnx.load(path).graph.initializer}


def arrays_of(path):
    return {name: numpy_helper.to_array(w) for name, w in weights_of(path).items()}


def nodes_of(path):
    return [
        (n.op_type, n.name, list(n.input), list(n.output), sorted((a.name, a.SerializeToString()) for a in n.attribute))
        for n in onnx.load(path).graph.node
    ]


def run_model(path):
    """Returns the outputs for inputs that depend only on names and shapes."""
    options = onnxruntime.SessionOptions()
    options.log_severity_level = 3
    session = onnxruntime.InferenceSession(path, options, providers=["CPUExecutionProvider"])
    feeds = {}
    for port in session.get_inputs():
        random = np.random.RandomState(len(port.name)).rand(*port.shape)
        feeds[port.name] = random.astype({"tensor(float)": np.float32, "tensor(int64)": np.int64}[port.type])
    return dict(zip([o.name for o in session.get_outputs()], session.run(None, feeds)))


class SurgeonTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.addCleanup(os.chdir, os.getcwd())
        os.chdir(folder.name)

    def run_tool(self, program, *words):
        done = subprocess.run([program, *words], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
        self.assertEqual(done.returncode, 0, f"{program} {words}: {done.stdout[-2000:]}")
        return done.stdout

    def both(self, *words):
        """Runs both programs; -o is added. Returns the two files."""
        self.run_tool(ASSAY, *words, "-o", "assay.onnx")
        self.run_tool(POLYGRAPHY, *words, "-o", "polygraphy.onnx")
        return "assay.onnx", "polygraphy.onnx"

    def expect_runs_alike(self, before, after, **tolerance):
        expected, found = run_model(before), run_model(after)
        self.assertEqual(list(expected), list(found))
        for name, array in expected.items():
            np.testing.assert_allclose(found[name], array, err_msg=name, **tolerance)


class InsertTest(SurgeonTest):
    def setUp(self):
        super().setUp()
        model = Builder()
        model.input("x", (1, 4))
        model.weight("w", (1, 4))
        model.node("Add", ["x", "w"], "a")
        model.node("Abs", ["a"], "b")
        model.node("Neg", ["a"], "c")
        model.output("Add", ["b", "c"], "y")
        model.outputs.append(value("c", (1, 4)))
        model.save("m.onnx")

    def test_the_nodes_are_those_of_polygraphy(self):
        for words in (
            ["--inputs", "a", "--outputs", "b", "--op", "Foo", "--name", "new"],
            ["--inputs", "x", "--outputs", "y", "--op", "Foo"],
            ["--inputs", "a", "--outputs", "a", "--op", "Foo"],
            ["--inputs", "x", "--outputs", "x", "--op", "Foo"],
            ["--inputs", "w", "--outputs", "w", "--op", "Foo"],
            ["--inputs", "y", "--outputs", "y", "--op", "Foo"],
            ["--inputs", "a", "w", "--outputs", "b", "c", "--op", "Foo"],
            ["--inputs", "a", "--outputs", "b", "--op", "Foo", "--attrs", "k=1", "f=1.5", "s=hi", "q='5'", "l=[1,2]"]
            + ["fl=[1.0,2]", "st=['a','b']", "neg=-3", "t=True", "z=1e-3"],
        ):
            with self.subTest(words):
                ours, theirs = self.both("surgeon", "insert", "m.onnx", *words)
                self.assertEqual(nodes_of(ours), nodes_of(theirs))
                self.assertEqual(list(weights_of(ours)), list(weights_of(theirs)))
                names = [[o.name for o in onnx.load(m).graph.output] for m in (ours, theirs)]
                self.assertEqual(*names)

    def test_an_identity_changes_no_result(self):
        for tensor in "xabcyw":
            self.run_tool(ASSAY, "surgeon", "insert", "m.onnx", "-o", "out.onnx", "--op", "Identity", "--inputs", tensor,
                          "--outputs", tensor)
            onnx.checker.check_model("out.onnx", full_check=True)
            self.assertEqual(len(nodes_of("out.onnx")), 5)
            self.expect_runs_alike("m.onnx", "out.onnx")


class ExtractAndSanitizeTest(SurgeonTest):
    def setUp(self):
        super().setUp()
        model = Builder()
        model.input("x", (1, 4))
        model.weight("w", (1, 4))
        model.node("Add", ["x", "w"], "a")
        model.node("Abs", ["a"], "b")
        model.output("Mul", ["b", "w"], "y")
        model.output("Neg", ["w"], "n")
        model.save("m.onnx")

    @staticmethod
    def described(path):
        graph = onnx.load(path).graph
        ports = []
        for port in (*graph.input, *graph.output):
            kind = port.type.tensor_type
            ports.append((port.name, kind.elem_type, [d.dim_param or d.dim_value for d in kind.shape.dim]))
        return nodes_of(path), ports, list(weights_of(path))

    def test_the_models_are_those_of_polygraphy(self):
        for words in (
            ["extract", "--inputs", "a:auto:auto", "--outputs", "b:auto"],
            ["extract", "--inputs", "a:[2,3]:float16", "--outputs", "y:float16"],
            ["extract", "--inputs", "a:auto:auto", "--outputs", "y:auto", "--shape-inference"],
            ["extract", "--outputs", "n:auto", "--inputs"],
            ["extract", "--outputs", "b:auto", "--force-fallback-shape-inference", "--model-inputs", "x:[1,4]"],
            ["sanitize"],
            ["sanitize", "--cleanup"],
            ["sanitize", "--fold-constants", "--outputs", "a", "b", "--cleanup"],
            ["sanitize", "--fold-constants", "--num-passes", "1", "--partitioning", "recursive", "--no-shape-inference"],
            ["sanitize", "--fold-constants", "--num-passes", "0"],
            ["sanitize", "--override-input-shapes", "x:[3,4]"],
            ["sanitize", "--exclude-outputs", "n"],
            ["sanitize", "--outputs-by-type", "Add", "--cleanup"],
        ):
            with self.subTest(words):
                ours, theirs = self.both("surgeon", words[0], "m.onnx", *words[1:])
                self.assertEqual(self.described(ours), self.described(theirs))


def save_weights_of_all_kinds(path):
    """Saves a model with weights that are emptied, kept, sparse and dense, in every place."""
    m = Builder()
    m.input("x", (1, 4, 8, 8))
    m.input("x16", (16, 16))
    m.input("at", (1,), TensorProto.INT64)
    m.weight("scale", (), values=0.1)
    m.weight("zero", (), np.int8, 0)
    m.weight("bias", (4,))
    m.output("Conv", ["x", m.weight("conv", (4, 4, 3, 3)), "bias"], "o1")
    m.output("ConvTranspose", ["x", m.weight("conv_transpose", (4, 4, 3, 3))], "o2")
    m.output("Gemm", ["x16", m.weight("gemm_b", (16, 16)), m.weight("gemm_c", (16,))], "o3", transB=1)
    m.output("Gemm", [m.weight("gemm_a", (8, 16)), "x16"], "o4")
    m.output("MatMul", ["x16", m.weight("matmul", (16, 16))], "o5")
    m.output("MatMul", [m.weight("matmul_a", (16, 16)), "x16"], "o6")
    sparse = np.ones((16, 16))
    sparse[1::2] = 0
    m.output("MatMul", ["x16", m.weight("sparse", (16, 16), values=sparse)], "o7")
    m.output("MatMul", ["x16", m.node("Transpose", [m.weight("transposed", (16, 16))], "t1", perm=[1, 0])], "o8")
    m.output("MatMul", ["x16", m.quantized("quantized", (16, 16))], "o9")
    m.output("Conv", ["x", m.quantized("quantized_conv", (4, 4, 3, 3))], "o10")
    shared = m.node("Transpose", [m.weight("shared_transpose", (16, 16))], "t2", perm=[1, 0])
    m.output("MatMul", ["x16", shared], "o11")
    m.output("Add", ["x16", shared], "o12")
    for name, size in (("gather_large", 1024), ("gather_small", 1023)):
        m.output("Gather", [m.weight(name, (size,)), "at"], "o_" + name)
    m.output("Slice", [m.weight("slice", (64, 64)), "at", "at"], "o13")
    m.output("Add", ["x16", m.weight("add", (16, 16))], "o14")
    m.output("MatMul", ["x16", m.weight("odd", (16, 3))], "o15")
    m.output("MatMul", [m.input("x6", (2, 6)), m.weight("six", (6, 4))], "o16")
    m.output("MatMul", [m.node("Cast", ["x16"], "half", to=10), m.weight("float16", (16, 4), np.float16)], "o17",
             TensorProto.FLOAT16)
    m.output("MatMul", [m.node("Cast", ["x16"], "whole", to=6), m.weight("int32", (16, 4), np.int32)], "o18",
             TensorProto.INT32)
    ties = np.array([[1, 1, 1, -1], [1, -1, 0, 1], [1, 1, 0, -1], [1, -1, 1, 2]])
    m.output("MatMul", [m.input("x4", (2, 4)), m.weight("ties", (4, 4), values=ties)], "o19")
    m.weights.append(helper.make_tensor("in_a_list", FLOAT, [4, 2], [0.1, 0.9, 0.2, 0.8, 0.3, 0.7, 0.4, 0.6]))
    m.output("MatMul", ["x4", "in_a_list"], "o20")
    m.weight("unused", (64, 64))
    m.save(path)


class WeightsTest(SurgeonTest):
    def setUp(self):
        super().setUp()
        save_weights_of_all_kinds("m.onnx")

    def test_the_same_weights_are_emptied(self):
        pathlib.Path("keep.txt").write_text("conv\nno_such_weight\ngemm_c\n", encoding="utf-8")
        for words in ([], ["--exclude-list", "keep.txt"]):
            ours, theirs = map(weights_of, self.both("surgeon", "weight-strip", "m.onnx", *words))
            self.assertEqual(list(ours), list(theirs))
            for name, weight in theirs.items():
                self.assertEqual(ours[name].doc_string, weight.doc_string, name)
                self.assertEqual(ours[name].HasField("raw_data"), weight.HasField("raw_data"), name)
                self.assertEqual(len(ours[name].raw_data), len(weight.raw_data), name)
                self.assertEqual((ours[name].dims, ours[name].data_type), (weight.dims, weight.data_type), name)
            self.assertEqual(ours["sparse"].doc_string, "TRT_WEIGHTLESS/SPARSE_2_4")
            self.assertEqual(ours["conv"].doc_string, "" if words else "TRT_WEIGHTLESS/")

    def test_the_same_models_are_marked(self):
        for text in ("", "exported"):
            model = onnx.load("m.onnx")
            model.doc_string = text
            onnx.save(model, "m.onnx")
            ours, theirs = (onnx.load(path).doc_string for path in self.both("surgeon", "weight-strip", "m.onnx"))
            self.assertEqual(ours, theirs)

    def test_each_program_fills_what_the_other_emptied(self):
        before = arrays_of("m.onnx")
        stripped = self.both("surgeon", "weight-strip", "m.onnx")
        for path, program in zip(stripped, (POLYGRAPHY, ASSAY)):
            self.run_tool(program, "surgeon", "weight-reconstruct", path, "-o", "full.onnx")
            empty = {n for n, w in weights_of(path).items() if w.doc_string.startswith("TRT_WEIGHTLESS/")}
            self.assertGreater(len(empty), 12)
            for name, array in arrays_of("full.onnx").items():
                self.assertEqual((array.shape, array.dtype), (before[name].shape, before[name].dtype), name)
                if name in empty:
                    self.assertTrue(np.any(array != before[name]), name)
                else:
                    np.testing.assert_array_equal(array, before[name], name)
            self.assertTrue(two_of_four(arrays_of("full.onnx")["sparse"], 0))
            self.assertFalse(two_of_four(arrays_of("full.onnx")["matmul"], 0))
            onnx.checker.check_model("full.onnx", full_check=True)
            run_model("full.onnx")

    def test_weights_of_unknown_operators_are_emptied(self):
        m = Builder()
        m.input("x", (1, 16))
        for i, (op, domain) in enumerate((("Foo", ""), ("FastGelu", "com.microsoft"), ("Relu", "my.domain"))):
            m.nodes.append(helper.make_node(op, ["x", m.weight(op, (16,))], [f"o{i}"], domain=domain))
            m.outputs.append(value(f"o{i}", (1, 16)))
        graph = helper.make_graph(m.nodes, "g", m.inputs, m.outputs, m.weights)
        opsets = [helper.make_opsetid(domain, 1) for domain in ("com.microsoft", "my.domain")]
        onnx.save(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17), *opsets], ir_version=8), "c.onnx")
        ours, theirs = map(weights_of, self.both("surgeon", "weight-strip", "c.onnx"))
        self.assertEqual({n: w.doc_string for n, w in ours.items()}, {n: w.doc_string for n, w in theirs.items()})
        self.assertEqual(ours["Foo"].doc_string, "TRT_WEIGHTLESS/")

    def test_values_are_nearly_normal(self):
        self.run_tool(ASSAY, "surgeon", "weight-strip", "m.onnx", "-o", "empty.onnx")
        self.run_tool(ASSAY, "surgeon", "weight-reconstruct", "empty.onnx", "-o", "full.onnx")
        made = arrays_of("full.onnx")["slice"]
        self.assertLess(abs(made.mean()), 0.1)
        self.assertLess(abs(made.std() - 1), 0.05)

    def test_the_same_values_are_pruned(self):
        ours, theirs = map(arrays_of, self.both("surgeon", "prune", "m.onnx"))
        before = arrays_of("m.onnx")
        self.assertEqual(list(ours), list(theirs))
        for name, array in theirs.items():
            np.testing.assert_array_equal(ours[name], array, name)
        changed = {name for name in before if before[name].tobytes() != ours[name].tobytes()}
        self.assertTrue({"conv", "gemm_a", "gemm_b", "matmul", "matmul_a", "transposed", "quantized_conv"} <= changed)
        self.assertTrue({"six", "int32", "add", "sparse", "conv_transpose"}.isdisjoint(changed))
        onnx.checker.check_model("assay.onnx", full_check=True)
        run_model("assay.onnx")

    def test_external_weights_are_pruned_and_emptied(self):
        onnx.save(onnx.load("m.onnx"), "e.onnx", save_as_external_data=True, location="e.data", size_threshold=0)
        for tool in ("prune", "weight-strip"):
            self.run_tool(ASSAY, "surgeon", tool, "m.onnx", "-o", "inside.onnx")
            self.run_tool(ASSAY, "surgeon", tool, "e.onnx", "-o", "outside.onnx")
            inside, outside = map(weights_of, ("inside.onnx", "outside.onnx"))
            for name, weight in inside.items():
                raw = weight.raw_data if weight.HasField("raw_data") else numpy_helper.to_array(weight).tobytes()
                self.assertEqual(outside[name].raw_data, raw, name)
                self.assertEqual(outside[name].doc_string, weight.doc_string, name)

    def test_a_cycle_and_duplicate_names_stay(self):
        cycle = onnx.load("m.onnx")
        cycle.graph.node.append(helper.make_node("Add", ["to", "o5"], ["fro"]))
        cycle.graph.node.append(helper.make_node("MatMul", ["fro", "matmul"], ["to"]))
        onnx.save(cycle, "cycle.onnx")
        twice = onnx.load("m.onnx")
        twice.graph.initializer.append(twice.graph.initializer[2])
        onnx.save(twice, "twice.onnx")
        for path in ("cycle.onnx", "twice.onnx"):
            for words in (["surgeon", "prune"], ["surgeon", "weight-strip"], ["convert"]):
                self.run_tool(ASSAY, *words, path, "-o", "out.onnx")
                self.assertEqual(nodes_of("out.onnx"), nodes_of(path))
                self.assertEqual(len(onnx.load("out.onnx").graph.initializer), len(onnx.load(path).graph.initializer))
        words = [ASSAY, "surgeon", "insert", "cycle.onnx", "-o", "no.onnx", "--op", "F", "--inputs", "x", "--outputs", "x"]
        done = subprocess.run(words, capture_output=True, text=True, check=False)
        self.assertEqual(done.returncode, 1)
        self.assertIn("the graph has a cycle", done.stdout + done.stderr)
        self.assertFalse(os.path.exists("no.onnx"))


class ConvertTest(SurgeonTest):
    def setUp(self):
        super().setUp()
        model = Builder()
        model.input("x", (1, 4, 8, 8))
        model.node("Conv", ["x", model.weight("w", (8, 4, 3, 3)), model.weight("b", (8,))], "a")
        model.node("Relu", ["a"], "r")
        model.node("Reshape", ["r", model.weight("shape", (2,), np.int64, [1, -1])], "flat")
        model.output("MatMul", ["flat", model.weight("m", (288, 5))], "y")
        model.save("m.onnx")

    def graphs(self, *words):
        return [onnx.load(path).graph for path in self.both("convert", "m.onnx", *words)]

    def test_the_model_stays_as_it_is(self):
        ours, theirs = self.both("convert", "m.onnx")
        self.assertEqual(nodes_of(ours), nodes_of(theirs))
        self.expect_runs_alike("m.onnx", ours)
        self.assertEqual(pathlib.Path("m.onnx").read_bytes(), pathlib.Path(ours).read_bytes())

    def test_shapes_are_those_of_polygraphy(self):
        shapes = []
        for graph in self.graphs("--shape-inference"):
            shapes.append({v.name: [d.dim_value for d in v.type.tensor_type.shape.dim] for v in graph.value_info})
        self.assertEqual(shapes[0], shapes[1])
        self.assertEqual(shapes[0]["a"], [1, 8, 6, 6])

    def test_marked_outputs_are_those_of_polygraphy(self):
        for words, expected in (
            (["--onnx-outputs", "r", "a"], {"r", "a"}),
            (["--onnx-outputs", "*"], {"a", "r", "flat", "y"}),
            (["--onnx-outputs", "mark", "all", "--onnx-exclude-outputs", "flat"], {"a", "r", "y"}),
            (["--onnx-outputs", "r", "--onnx-exclude-outputs", "y"], {"r"}),
            (["--onnx-outputs-by-type", "relu"], {"r"}),
        ):
            names = [{o.name for o in graph.output} for graph in self.graphs(*words)]
            with self.subTest(words):
                self.assertEqual(names[0], names[1])
                self.assertEqual(names[0], expected)

    def test_float16_is_inside_only(self):
        self.run_tool(ASSAY, "convert", "m.onnx", "-o", "half.onnx", "--fp-to-fp16", "--onnx-outputs", "r", "y")
        self.run_tool(ASSAY, "convert", "m.onnx", "-o", "marked.onnx", "--onnx-outputs", "r", "y")
        onnx.checker.check_model("half.onnx", full_check=True)
        self.expect_runs_alike("marked.onnx", "half.onnx", rtol=1e-2, atol=2e-2)
        graph = onnx.load("half.onnx").graph
        self.assertEqual({v.type.tensor_type.elem_type for v in [*graph.input, *graph.output]}, {FLOAT})
        self.assertEqual(arrays_of("half.onnx")["w"].dtype, np.float16)
        np.testing.assert_array_equal(arrays_of("half.onnx")["w"], arrays_of("m.onnx")["w"].astype(np.float16))
        self.assertLess(os.path.getsize("half.onnx"), os.path.getsize("m.onnx") * 0.7)

    def test_weights_go_to_a_file_and_come_back(self):
        self.run_tool(ASSAY, "convert", "m.onnx", "-o", "e.onnx", "--save-external-data", "e.data",
                      "--external-data-size-threshold", "17")  # the 16 bytes of a shape stay in the model
        self.assertLess(os.path.getsize("e.onnx"), 1024)
        self.assertGreater(os.path.getsize("e.data"), 6000)
        self.expect_runs_alike("m.onnx", "e.onnx")
        self.run_tool(ASSAY, "convert", "e.onnx", "-o", "back.onnx")
        for name, array in arrays_of("m.onnx").items():
            np.testing.assert_array_equal(arrays_of("back.onnx")[name], array)

    def test_what_needs_tensorrt_is_refused_without_it(self):
        for words, reason in (
            (["-o", "m.engine", "--trt-lib", "none"], "TensorRT"),
            (["-o", "m.plan", "--trt-lib", "none"], "TensorRT"),
            (["-o", "n.onnx", "--convert-to", "trt", "--trt-lib", "none"], "TensorRT"),
            (["-o", "n.onnx", "--convert-to", "onnx-like-trt-network", "--trt-lib", "none"], "TensorRT"),
            (["-o", "n.onnx", "--fp16"], "a setting of TensorRT, which doesn't run"),
            (["-o", "m.what"], "the extension '.what' does not say what to convert to"),
        ):
            done = subprocess.run([ASSAY, "convert", "m.onnx", *words], capture_output=True, text=True, check=False)
            self.assertEqual(done.returncode, 1)
            self.assertIn(reason, done.stdout + done.stderr)
        self.assertEqual(os.listdir(), ["m.onnx"])
        self.run_tool(ASSAY, "convert", "m.onnx", "-o", "m.bin", "--convert-to", "onnx")
        onnx.checker.check_model("m.bin")


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], *sys.argv[3:]])
