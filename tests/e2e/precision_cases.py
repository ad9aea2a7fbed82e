#!/usr/bin/env python3
"""Plants overflows of float16 into real models and has `assay debug precision` name the nodes that need float32.

A plant multiplies a tensor by 2^20 in two steps and divides it again in two. The values fit into float16 except for those
after the second step, so the second and the third node have to stay in float32, and no others.
An answer is right if it names exactly these nodes, in at most 2*log2(n) + 8 runs plus 3 for each of them, all runs of the
engine counted, and if the saved model agrees with the original one in the engine.
Exit status: 1 if an answer is wrong, or if fewer than 12 models or not all of --only were judged; 77 if there are no models or
no engine.

usage: precision_cases.py ASSAY SHARED_FOLDER ENGINES_PYTHON [--only NAME ...] [--seed N]
ENGINES_PYTHON: the python3 of an environment with numpy, onnx and onnxruntime."""
import argparse
import math
import os
import pathlib
import random
import re
import subprocess
import sys
import tempfile

SKIPPED = 77
TIMEOUT = 300
WANTED = 12
# Runs besides those that the program reports: two of the reference, one that measures values.
OTHER_RUNS = 3
# Readers that pass an infinity on.
MOST_TRIED = 12  # tensors of a model
READERS = {"Conv", "MatMul", "Gemm", "Add", "Relu"}
MODELS = ["basic_pitch", "dtln_1", "dtln_2", "fastestdet", "gpt2_megatron", "gpt2_past", "light_densenet121", "light_inception_v2",
          "light_resnet50", "light_shufflenet", "light_squeezenet", "magika_v2_1", "magika_v3_3", "polygraphy_reduce_example",
          "qdq_multi_consumer", "test_training_model", "tiny_random_gpt2", "tiny_random_lfm2", "ultraface_rfb_320",
          "whisper_dummy_decoder"]


def make_inputs(model, numpy, onnx, seed):
    generator = numpy.random.default_rng(seed)
    weights = {weight.name for weight in model.graph.initializer}
    inputs = {}
    for value in model.graph.input:
        if value.name in weights:
            continue
        kind = value.type.tensor_type
        dtype = onnx.helper.tensor_dtype_to_np_dtype(kind.elem_type)
        shape = [size.dim_value if size.dim_value > 0 else 1 for size in kind.shape.dim]
        values = generator.random(shape) if dtype.kind == "f" else generator.integers(0, 2, shape)
        inputs[value.name] = values.astype(dtype)
    return inputs


def largest_values(model, inputs, numpy, onnx, onnxruntime):
    """Returns the largest absolute value of each float32 tensor that a node computes."""
    marked = onnx.ModelProto()
    marked.CopyFrom(model)
    have = {output.name for output in marked.graph.output}
    names = [name for node in model.graph.node for name in node.output if name]
    marked.graph.output.extend(onnx.ValueInfoProto(name=name) for name in names if name not in have)
    options = onnxruntime.SessionOptions()
    options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_DISABLE_ALL
    options.log_severity_level = 4
    session = onnxruntime.InferenceSession(marked.SerializeToString(), options, providers=["CPUExecutionProvider"])
    values = session.run(names, inputs)
    return {name: float(numpy.abs(value).max()) for name, value in zip(names, values)
            if isinstance(value, numpy.ndarray) and value.dtype == numpy.float32 and value.size}


def plant(model, tensor, number, onnx):
    """Scales a tensor up and down again. Returns the names of the nodes that overflow."""
    graph = model.graph
    at = next(i for i, node in enumerate(graph.node) if tensor in node.output)
    producer = graph.node[at]
    names = [f"planted_{number}_{step}" for step in ("raw", "up1", "up2", "down1")] + [tensor]
    producer.output[list(producer.output).index(tensor)] = names[0]
    for step in range(4):
        weight = f"planted_{number}_{'up' if step < 2 else 'down'}"
        node = onnx.helper.make_node("Mul", [names[step], weight], [names[step + 1]], name=f"planted_{number}_node_{step}")
        graph.node.insert(at + 1 + step, node)
    for weight, exponent in (("up", 10), ("down", -10)):
        graph.initializer.append(onnx.helper.make_tensor(f"planted_{number}_{weight}", onnx.TensorProto.FLOAT, [], [2.0 ** exponent]))
    model.ir_version = max(model.ir_version, 4)
    return {f"planted_{number}_node_1", f"planted_{number}_node_2"}


def matters(model, tensor, inputs, numpy, onnx, onnxruntime):
    """Returns whether an overflow planted behind a tensor changes the outputs: infinities may be masked, for example."""
    outputs = []
    for rounded in (False, True):
        changed = onnx.ModelProto()
        changed.CopyFrom(model)
        plant(changed, tensor, 0, onnx)
        if rounded:
            at = next(i for i, node in enumerate(changed.graph.node) if node.name == "planted_0_node_2")
            changed.graph.node[at].input[0] = "rounded"
            for name, to in (("rounded", onnx.TensorProto.FLOAT), ("half", onnx.TensorProto.FLOAT16)):
                source = "half" if name == "rounded" else "planted_0_up2"
                changed.graph.node.insert(at, onnx.helper.make_node("Cast", [source], [name], to=to))
        options = onnxruntime.SessionOptions()
        options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_DISABLE_ALL
        options.log_severity_level = 4
        session = onnxruntime.InferenceSession(changed.SerializeToString(), options, providers=["CPUExecutionProvider"])
        outputs.append(session.run(None, inputs))
    return not all(numpy.allclose(first, second, rtol=1e-2, atol=1e-2) for first, second in zip(*outputs)
                   if isinstance(first, numpy.ndarray))


def run(words, folder):
    return subprocess.run(words, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=TIMEOUT, check=False)


def judge(name, assay, shared, folder, seed, modules):
    """Returns a line for people, and whether the answer is right; None if the model can't be used."""
    numpy, onnx, onnxruntime = modules
    path = shared / "models" / f"{name}.onnx"
    model = onnx.load(path)
    engine = ["--onnxrt", "--load-inputs", "inputs.npz"]
    inputs = make_inputs(model, numpy, onnx, seed)
    numpy.savez(folder / "inputs.npz", **inputs)
    plain = run([assay, "debug", "precision", path, *engine, "--mode", "bisect"], folder)
    if plain.returncode not in (0, 1):
        return f"{name}: exit status {plain.returncode}: {plain.stdout[-600:]}", False
    if "No node has to stay in float32" not in plain.stdout:
        return f"{name}: skipped, it needs float32 by itself or doesn't run: {plain.stdout.splitlines()[-1][:150]}", None
    largest = largest_values(model, inputs, numpy, onnx, onnxruntime)
    readers = {}
    for node in model.graph.node:
        for tensor in node.input:
            readers.setdefault(tensor, []).append(node.op_type)
    fitting = [tensor for tensor, value in largest.items()
               if 0.2 < value < 50 and readers.get(tensor) and set(readers[tensor]) <= READERS]
    random.Random(f"{seed} {name}").shuffle(fitting)
    wanted = 1 + len(name) % 3
    chosen = []
    for tensor in fitting[:MOST_TRIED]:
        if len(chosen) < wanted and matters(model, tensor, inputs, numpy, onnx, onnxruntime):
            chosen.append(tensor)
    if not chosen:
        return f"{name}: skipped, no overflow of a tensor changes the outputs", None
    expected = set()
    for number, tensor in enumerate(chosen):
        expected |= plant(model, tensor, number, onnx)
    onnx.save(model, folder / "planted.onnx")
    done = run([assay, "debug", "precision", "planted.onnx", *engine, "-o", "mixed.onnx"], folder)
    counted = re.search(r"of (\d+) nodes (?:has|have) to stay in float32, found in (\d+) run", done.stdout)
    if done.returncode != 0 or counted is None:
        return f"{name}: exit status {done.returncode}: {done.stdout[-600:]}", False
    named = set(re.findall(r"^    \w+ '(.*)' \(node #", done.stdout, re.MULTILINE))
    runs = int(counted[2]) + OTHER_RUNS
    limit = math.floor(2 * math.log2(int(counted[1]))) + 8 + 3 * len(expected)
    right = named == expected and runs <= limit
    text = f"{name}: {counted[1]} nodes, {len(expected)} need float32, {runs} runs of at most {limit}"
    if not right:
        text += f": WRONG, names {sorted(named)} instead of {sorted(expected)}\n{done.stdout[-1500:]}"
    same = run([assay, "run", "mixed.onnx", *engine], folder)
    if same.returncode != 0:
        return f"{text}: the saved model fails: {same.stdout[-600:]}", False
    return text, right


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("assay")
    parser.add_argument("shared", nargs="?", default="")
    parser.add_argument("python", nargs="?", default="")
    parser.add_argument("--only", nargs="*", default=[])
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    shared = pathlib.Path(options.shared)
    if not (shared / "models").is_dir() or not os.path.exists(options.python):
        print("skipped: no shared models or no Python with engines")
        return SKIPPED
    if pathlib.Path(sys.prefix) != pathlib.Path(options.python).parent.parent:
        os.execv(options.python, [options.python, __file__, *sys.argv[1:]])
    import numpy
    import onnx
    import onnxruntime
    right = wrong = 0
    for name in options.only or MODELS:
        with tempfile.TemporaryDirectory() as folder:
            text, verdict = judge(name, os.path.abspath(options.assay), shared, pathlib.Path(folder), options.seed,
                                  (numpy, onnx, onnxruntime))
        print(text, flush=True)
        right += verdict is True
        wrong += verdict is False
    print(f"{right} right, {wrong} wrong")
    return 1 if wrong or right < (len(options.only) or WANTED) else 0


if __name__ == "__main__":
    sys.exit(main())
