#!/usr/bin/env python3
"""Locates differences whose place is known: real failures of real engines, and errors planted into an engine.

An answer is right if `assay debug locate` names the place in at most 2*log2(n) + 8 runs, and the saved piece differs when
it is loaded again; for real failures, the case's own check must confirm it. Cases whose engine the environment lacks are
skipped, with a message.
Exit status: 1 if an answer is wrong or a name of --only doesn't exist, 77 if there are no cases or no engines.

usage: locate_cases.py ASSAY SHARED_FOLDER ENGINES_PYTHON [--plants N] [--seed N] [--only NAME ...]
ENGINES_PYTHON: the python3 of the environment that the cases' setup-engines.sh creates."""
import argparse
import json
import math
import os
import pathlib
import random
import subprocess
import sys
import tempfile

SKIPPED = 77
HERE = pathlib.Path(__file__).resolve().parent
TIMEOUT = 300
OFF = ["--graph-optimization-level", "ORT_DISABLE_ALL"]

# Options, the file with inputs, and the expected answer: the verdict and the description of the first node. "worst":
# description of the node that matters most; "weights": the weights beyond float16 that it reads; "judged": the model
# that the case's own check judges, if it isn't the piece; "needs": modules; "engine": a module of the case's engines/;
# "folder": the folder of the case, if not in cases/; "open": the search may reach the limit of runs before it finds the
# place.
CASES = {
    "f16_bn_overflow_ppocr": {
        "options": ["--onnxrt", "--fp16", "--input-shapes", "x:[1,3,64,64]"], "folder": "cases_b", "verdict": "differ",
        "way": "all_at_once", "node": "Conv", "worst": "BatchNormalization", "weights": ["batch_norm"],
        "judged": "piece_against.onnx", "needs": ["onnxconverter_common"]},
    "mnn_wrong_gelu_magika33": {
        "options": ["--onnxrt", *OFF, "--atol", "1e-2", "--rtol", "1e-2"], "folder": "cases_b", "verdict": "differ",
        "engine": "eng_mnn.py", "needs": ["MNN"], "node": "", "log": ["which the model declares as int64"], "unchecked": True},
    "iree_wrong_gh9671": {
        "options": ["--onnxrt", *OFF, "--atol", "1e-2", "--rtol", "1e-2", "--input-shapes", "X1:[2,2,2]", "X2:[2,2]", "X3:[2,2,2]"],
        "folder": "cases_b", "verdict": "differ", "engine": "eng_iree.py", "needs": ["iree.compiler", "iree.runtime"], "node": "",
        "open": True},
    "ort_qdq_conv_rounding": {
        "options": ["--onnxrt=off:graph-optimization-level=ORT_DISABLE_ALL", "--onnxrt=all", "--atol", "0.1", "--rtol", "0.01"],
        "inputs": "tensors.npz", "verdict": "differ", "way": "bisection",
        "node": "MobilenetEdgeTPU/expanded_conv_2/project/BatchNorm/FusedBatchNormV3"},
    "ov_scan_body_qlstm": {
        "options": ["--openvino", "--openvino-config", "INFERENCE_PRECISION_HINT=f32", "--onnxrt", *OFF, "--atol", "0.006", "--rtol", "0.005"],
        "inputs": "tensors.npz", "verdict": "differ", "way": "all_at_once", "node": "Scan"},
    "ref_bn9_ultraface": {
        "options": ["--reference", "--onnxrt", *OFF, "--atol", "1e-3", "--rtol", "1e-3"],
        "inputs": "inputs.npz", "verdict": "differ", "way": "all_at_once", "node": "BatchNormalization '246' (node #1)", "born": 35},
    "flaky_dropout_train_basicpitch": {
        # Two consecutive runs are equal by chance about every third time.
        "options": ["--onnxrt", "--onnxrt", *OFF, "--repeat", "16"], "inputs": "inputs.npz", "verdict": "random",
        "node": "graft_dropout_training"},
}

PLANTED_MODELS = ["basic_pitch", "dtln_1", "fastestdet", "light_densenet121", "magika_v2_1", "magika_v3_3", "silero_vad_ifless",
                  "tiny_random_gpt2", "ultraface_rfb_320", "whisper_dummy_decoder"]

# Lists float results of nodes of the outer graph, and for each whether its first input is computed by a node for this
# node only.
LIST_TENSORS = """
import json, sys
import onnx
model = onnx.load(sys.argv[1])
graph = onnx.shape_inference.infer_shapes(model).graph
types = {v.name: v.type.tensor_type.elem_type for v in [*graph.value_info, *graph.output]}
readers = {}
for node in graph.node:
    for name in node.input:
        readers[name] = readers.get(name, 0) + 1
    if any(a.HasField("g") for a in node.attribute):
        readers.update({name: 99 for n in graph.node for name in n.output})  # bodies may read anything
outputs = {v.name for v in graph.output}
made = {name: node for node in graph.node for name in node.output if node.op_type != "Constant"}
found = []
for node in graph.node:
    for name in node.output:
        if name in made and types.get(name) == 1 and (readers.get(name) or name in outputs):
            first = node.input[0] if node.input else ""
            found.append([name, first in made and types.get(first) == 1 and readers.get(first) == 1 and first not in outputs])
print(json.dumps(found))
"""


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("assay")
    parser.add_argument("shared", type=pathlib.Path)
    parser.add_argument("python", nargs="?", default="")
    parser.add_argument("--plants", type=int, default=1, help="errors of each kind in each model")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", action="append", default=[], help="names of cases and models")
    return parser.parse_args()


def locate(arguments, folder, model, options, environment=None):
    interpreter = ["--python-interpreter", arguments.python] if {"--python", "--reference"} & set(map(str, options)) else []
    command = [arguments.assay, "debug", "locate", model, *options, *interpreter, "--format", "json", "-o", "piece.onnx"]
    done = subprocess.run([str(word) for word in command], cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                          env=environment, timeout=TIMEOUT, check=False)
    found = json.loads(done.stdout) if done.stdout.startswith("{") else {}
    found.setdefault("verdict", "error")  # {"error": ...} if the command fails
    return found | {"status": done.returncode, "log": done.stderr}


def faults(found):
    """Yields what is wrong with any answer that names a place."""
    if found["status"] != 1:
        yield f"exit status {found['status']}"
    limit = math.floor(2 * math.log2(found["nodes"])) + 8
    if found["runs"] > limit:
        yield f"{found['runs']} runs, at most {limit} are good"
    if not found["piece"]["confirmed"]:
        yield "the piece is not confirmed"
    if not found["verified"]:
        yield "the saved piece does not differ"


def open_faults(found):
    """Yields what is wrong with an answer that may have reached the limit of runs: it must say how to continue and at what cost."""
    if found["status"] != 1:
        yield f"exit status {found['status']}"
    if found["piece"]["confirmed"] and not found["piece"]["runs_exhausted"]:
        return
    if "debug reduce" not in found.get("next", "") or "--python" not in found.get("next", ""):
        yield "offers no reduction with the same engines"
    elif found["next_cost"]["checks"] < 1 or found["next_cost"]["seconds"] <= 0:
        yield "doesn't say what that costs"


def worst_faults(found, facts):
    worst = found["worst"]
    if facts.get("worst", "") not in worst["node"]:
        yield f"the worst is {worst['node']}"
    names = [weight["name"] for weight in worst.get("weights_beyond_float16", [])]
    for part in facts.get("weights", []):
        if not any(part in name for name in names):
            yield f"ties {names} to it, and not {part}"
    if worst["node"] not in found["piece"]["nodes"]:
        yield "the piece is without the worst"


def case_faults(found, facts, case, folder, python):
    if found["verdict"] != facts["verdict"]:
        yield f"verdict {found['verdict']}"
        return
    yield from open_faults(found) if facts.get("open") else faults(found)
    yield from worst_faults(found, facts)
    for text in facts.get("log", []):
        if found["log"].count(text) != 1:
            yield f"says '{text}' {found['log'].count(text)} times"
    if facts["node"] not in found["first"]["node"]:
        yield f"names {found['first']['node']}"
    if found["way"] != facts.get("way", found["way"]):
        yield f"way {found['way']}"
    born = sum(layer["born"] is True for layer in found["layers"])
    if born != facts.get("born", born):
        yield f"born at {born} layers"
    if facts.get("unchecked") or facts.get("open"):
        return
    environment = {**os.environ, "PATH": f"{pathlib.Path(python).parent}{os.pathsep}{os.environ['PATH']}"}
    judged = [subprocess.run([case / "check.sh", folder / facts.get("judged", "piece.onnx")], env=environment, stdout=subprocess.PIPE,
                             stderr=subprocess.STDOUT, text=True, check=False) for _ in range(1 if facts["verdict"] != "random" else 12)]
    if all(run.returncode != 1 for run in judged):
        yield f"the case's own check passes the piece: {judged[0].stdout}"


def show(name, found, wrong):
    mark = "   WRONG: " + "; ".join(wrong) if wrong else ""
    if found["verdict"] == "error":
        print(f"{name:60} error{mark}\n{found['log'][-2000:]}", flush=True)
        return
    where = found.get("first", {}).get("node", "-")
    print(f"{name:60} {found['nodes']:5} nodes, {found['runs']:3} runs of {found['runs_limit']:3}, {found['sessions']:3} sessions, "
          f"{found['seconds']:6.2f} s  {found.get('way', ''):12} {where[:60]}{mark}", flush=True)


def run_case(name, arguments):
    facts = CASES[name]
    case = arguments.shared / facts.get("folder", "cases") / name
    missing = [module for module in facts.get("needs", []) if not has_module(arguments.python, module)]
    if missing or not case.is_dir():
        print(f"{name:60} left out: no {', '.join(missing) or 'such case'}", flush=True)
        return None
    with tempfile.TemporaryDirectory() as temporary:
        folder = pathlib.Path(temporary)
        options = list(facts["options"])
        if "inputs" in facts:
            options += ["--load-inputs", inputs_of(case, facts, folder, arguments.python)]
        if "engine" in facts:
            options = ["--python", case.parent / "engines" / facts["engine"], *options]
        # The engines' modules import files next to the case.
        found = locate(arguments, folder, case / "model.onnx", options, {**os.environ, "PYTHONPATH": str(case)})
        wrong = list(case_faults(found, facts, case, folder, arguments.python))
        show(name, found, wrong)
        return not wrong


def has_module(python, module):
    return subprocess.run([python, "-c", f"import {module}"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                          check=False).returncode == 0


def inputs_of(case, facts, folder, python):
    """Saves only the recorded tensors that the model takes, since a file of all is large."""
    code = ("import numpy, onnx, sys\nrecorded = numpy.load(sys.argv[2])\n"
            "numpy.savez(sys.argv[3], **{i.name: recorded[i.name] for i in onnx.load(sys.argv[1]).graph.input if i.name in recorded})")
    subprocess.run([python, "-c", code, case / "model.onnx", case / facts["inputs"], folder / "inputs.npz"], check=True)
    return folder / "inputs.npz"


def plant_faults(found, order):
    if found["verdict"] != "differ":
        yield f"verdict {found['verdict']}"
        return
    yield from faults(found)
    if found["first"]["tensor"] != order["tensor"]:
        yield f"names {found['first']['tensor']}"
    if found["only_place"] is False:
        yield "another place is said to be wrong, too"
    if order.get("fused") and found["way"] != "bisection":
        yield f"way {found['way']}"
    if not order.get("fused") and len(found["piece"]["nodes"]) > 1 and not order.get("refuse") and not order.get("crash"):
        yield f"a piece of {len(found['piece']['nodes'])} nodes"


def vanished_faults(found, run):
    """Yields what is wrong with an answer without a place: a plain run has to agree, or to fail in an engine, too."""
    if found["verdict"] == "agree" and run.returncode != 0:
        yield f"sees no difference, and assay run ends with {run.returncode}: {run.stdout[-600:]}"
    if found["verdict"] == "error" and (found["status"] != 1 or run.returncode != 1 or "the engine " not in run.stdout):
        yield f"exit status {found['status']}, and assay run ends with {run.returncode}: {run.stdout[-600:]}"


def run_plant(model, order, arguments):
    """Returns None if a plain run, too, shows no difference or fails: the error doesn't reach the outputs, or the model doesn't run."""
    with tempfile.TemporaryDirectory() as temporary:
        folder = pathlib.Path(temporary)
        engine = (HERE / "wrong_engine.py").read_text(encoding="utf-8")
        (folder / "engine.py").write_text(f"ORDER = {order!r}\n{engine}", encoding="utf-8")
        found = locate(arguments, folder, model, ["--python", "engine.py", "--onnxrt", *OFF])
        if found["verdict"] == "agree" or (found["verdict"] == "error" and "the whole model" not in found["log"]):
            command = [arguments.assay, "run", model, "--python", "engine.py", "--onnxrt", *OFF, "--python-interpreter", arguments.python]
            run = subprocess.run(command, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=TIMEOUT,
                                 check=False)
            wrong = list(vanished_faults(found, run))
            if not wrong:
                return None
        else:
            wrong = list(plant_faults(found, order))
        kind = next((key for key in ("fused", "crash", "refuse", "narrow") if order.get(key)), "kernel")
        show(f"{model.stem}, {kind}: {order['tensor'][-30:]}", found, wrong)
        return not wrong


def plants(model, arguments):
    # Each model has its own seed, so that running it alone repeats what it did among all.
    dice = random.Random(f"{arguments.seed} {model.stem}")
    tensors = json.loads(subprocess.check_output([arguments.python, "-c", LIST_TENSORS, model]))
    fusible = [name for name, fuses in tensors if fuses]
    for _ in range(arguments.plants):
        if tensors:
            yield {"tensor": dice.choice(tensors)[0]}
            yield {"tensor": dice.choice(tensors)[0], dice.choice(["crash", "refuse"]): 12}
        if fusible:
            yield {"tensor": dice.choice(fusible), "fused": True}
        if tensors:
            yield {"tensor": dice.choice(tensors)[0], "narrow": True}


def main():
    arguments = parse_arguments()
    if not (arguments.shared / "cases").is_dir() or not arguments.python or not pathlib.Path(arguments.python).exists():
        print("skipped: no folder of cases, or no engines for them")
        return SKIPPED
    arguments.shared = arguments.shared.resolve()
    arguments.assay = str(pathlib.Path(arguments.assay).resolve())

    if unknown := set(arguments.only) - {*CASES, *PLANTED_MODELS}:
        sys.exit(f"no such case or model: {', '.join(sorted(unknown))}")
    outcomes = []
    for name in arguments.only or [*CASES, *PLANTED_MODELS]:
        if name in CASES:
            outcomes.append(run_case(name, arguments))
        else:
            model = arguments.shared / "models" / f"{name}.onnx"
            outcomes += [run_plant(model, order, arguments) for order in plants(model, arguments)]
    judged = [outcome for outcome in outcomes if outcome is not None]
    print(f"{sum(judged)} of {len(judged)} as they should be; {len(outcomes) - len(judged)} more can't be seen or run here")
    return 0 if judged and all(judged) else 1


if __name__ == "__main__":
    sys.exit(main())
