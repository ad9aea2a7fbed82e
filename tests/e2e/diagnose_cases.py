#!/usr/bin/env python3
"""Diagnoses real failures of real engines, and healthy models, and compares the verdicts with what is known.

usage: diagnose_cases.py ASSAY SHARED_FOLDER ENGINES_PYTHON [--case NAME ...] [--healthy] [--kills N] [--table FILE]
ENGINES_PYTHON: the python3 of the environment that the cases' setup-engines.sh creates.
--healthy: diagnoses the healthy models, too; none may be called faulty. --kills: kills each diagnosis so many times at
random moments, and resumes it; the verdict has to be the same.
Exit status: 1 if a verdict is wrong or a case of --case doesn't exist, 77 if there are no cases or no engines."""
import argparse
import json
import os
import pathlib
import random
import signal
import subprocess
import sys
import tempfile
import time
import uuid

SKIPPED = 77
TIMEOUT = 600
HERE = pathlib.Path(__file__).resolve().parent
OPENCV = HERE / "opencv_engine.py"
CONVERTED = HERE / "converted_engine.py"

# Options; the file with inputs; words of the verdict, of which all have to be there; the exit status; the number of nodes
# that the graph of the minimal case has at most, as debug reduce alone finds it; "known": a part of the link to the public report;
# "keeps": a node that the minimal case must hold; "folder": the folder of the case, if not cases/; "engine": a module of
# that folder's engines/; "converter": that of converted_engine.py; "generated": a program of the case makes its model.
CASES = {
    "ort_qdq_conv_rounding": {
        "options": ["--onnxrt", "--atol", "0.1", "--rtol", "0.01"], "inputs": "tensors.npz", "nodes": 5,
        "words": ["computes Conv", "unless QDQSelectorActionTransformer is disabled"], "known": "32132",
        "level": "ORT_ENABLE_EXTENDED"},
    "flaky_dropout_train_basicpitch": {
        "options": ["--onnxrt", "--graph-optimization-level", "ORT_DISABLE_ALL"], "inputs": "inputs.npz", "nodes": 1,
        "words": ["is not deterministic", "graft_dropout_training"], "known": "5549"},
    "ort_notimpl_max_int16_densenet": {
        "options": ["--onnxrt"], "nodes": 1, "words": ["doesn't run the model", "Max(13)", "graft_max_int16"], "known": "15845"},
    "ort_fp16conv_typeerror_ultraface": {
        "options": ["--onnxrt"], "nodes": 1, "words": ["doesn't run the model", "tensor(float16)"], "known": "304"},
    "checker_topo_gpt2past": {"options": ["--onnxrt"], "nodes": 2, "words": ["The model is invalid", "not sorted"]},
    "ov_dynrank_if_silero16k": {
        "options": ["--openvino", "--input-shapes", "input:[1,512]", "state:[2,1,128]"], "nodes": 5,
        "words": ["doesn't run the model", "rank has to be known", "/model/decoder/decoder/2/Conv"], "known": "33027"},
    "ov_scan_body_qlstm": {
        "options": ["--openvino", "--onnxrt", "--atol", "0.006", "--rtol", "0.005"], "inputs": "tensors.npz", "nodes": 1,
        "words": ["OpenVINO", "at Scan"]},
    "ref_bn9_ultraface": {
        "options": ["--reference", "--onnxrt", "--atol", "1e-3", "--rtol", "1e-3"], "inputs": "inputs.npz", "nodes": 1,
        "words": ["reference evaluator computes BatchNormalization"], "known": "8442"},
    "cv_segv_magika_gelu_tanh": {
        "options": ["--python", OPENCV], "nodes": 9, "words": ["engine.py", "doesn't run the model", "signal 11"]},
    "cv_reduceprod_scalar_magika21": {
        "options": ["--python", OPENCV], "inputs": "tensors.npz", "nodes": 2,
        "words": ["engine.py", "doesn't run the model", "buf.shape() == m.shape()"]},
    "big_external_2gb": {
        "options": ["--onnxrt"], "generated": True, "nodes": 1, "keeps": "bad_max_int16",
        "words": ["doesn't run the model", "Max(13)", "bad_max_int16"],
        "known": "15845"},
    # By absolute tolerances, the rounding of large values would be the failure.
    "f16_bn_overflow_ppocr": {
        "options": ["--onnxrt", "--input-shapes", "x:[1,3,64,64]", "--compare", "cosine_similarity", "--cosine-similarity-threshold", "0.9"],
        "folder": "cases_b", "converter": "float16", "nodes": 13,
        "words": ["converted_engine.py", "computes BatchNormalization 'p2o.BatchNormalization.1'", "wrong"]},
    "iree_wrong_gh9671": {
        "options": ["--onnxrt", "--atol", "1e-2", "--rtol", "1e-2", "--input-shapes", "X1:[2,2,2]", "X2:[2,2]", "X3:[2,2,2]"],
        "folder": "cases_b", "engine": "eng_iree.py", "nodes": 9, "words": ["eng_iree.py", "wrong"]},
    "mnn_wrong_gelu_magika33": {
        "options": ["--onnxrt", "--atol", "1e-2", "--rtol", "1e-2"], "folder": "cases_b", "engine": "eng_mnn.py", "nodes": 3,
        "words": ["eng_mnn.py", "ApplyActivation_1/AddV2_1", "wrong"]},
    "quant_transpose_basicpitch": {
        "options": [], "folder": "cases_b", "converter": "quantize_static", "nodes": 6,
        "words": ["converted_engine.py", "doesn't run the model", "Invalid attribute perm"]},
    "sim_if_capture_silero16k": {
        "options": ["--input-shapes", "input:[1,512]", "state:[2,1,128]"], "folder": "cases_b", "converter": "onnxsim", "nodes": 4,
        "words": ["converted_engine.py", "doesn't run the model", "topologically sorted"]},
    "tract_if_nested_silerohalf": {
        "options": ["--onnxrt", "--input-shapes", "input:[1,512]", "state:[2,1,128]"], "folder": "cases_b", "engine": "eng_tract.py",
        "nodes": 7, "keeps": "If '/decoder/If'", "words": ["eng_tract.py", "doesn't run the model", "ToTypedTranslator", "If '/decoder/If'"]},
}

# Models that aren't healthy: those that ONNX Runtime refuses (one for training, two with operators of an extension, a
# function whose types don't fit, and two that need inputs of certain sizes), and the models of the cases
# checker_topo_gpt2past, ort_qdq_conv_rounding and ov_scan_body_qlstm.
NOT_HEALTHY = {"test_training_model", "bert_tokenizer", "super_resolution_ppp", "nested_local_function", "silero_vad_ifless",
               "silero_vad_16k_op15", "gpt2_past", "qdq_multi_consumer", "qlstm_tract"}


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("assay")
    parser.add_argument("shared", type=pathlib.Path)
    parser.add_argument("python", nargs="?", default="")
    parser.add_argument("--case", action="append", default=[])
    parser.add_argument("--healthy", action="store_true")
    parser.add_argument("--kills", type=int, default=0)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--table", type=pathlib.Path)
    return parser.parse_args()


def environment(arguments, more):
    folder = str(pathlib.Path(arguments.python).parent)
    return os.environ | {"PATH": folder + os.pathsep + os.environ["PATH"]} | more


def run(command, folder, arguments, more, kill_after=None):
    """Returns (exit status, standard output), or None if the process was killed."""
    process = subprocess.Popen([str(word) for word in command], cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                               text=True, env=environment(arguments, more))
    try:
        output, _ = process.communicate(timeout=kill_after or TIMEOUT)
        return process.returncode, output
    except subprocess.TimeoutExpired:
        process.send_signal(signal.SIGKILL)
        process.communicate()
        return None


def diagnose(arguments, folder, model, options, seconds=0.0, more=None):
    """Returns what was found. `seconds`: how long a diagnosis that isn't killed takes. `more`: for the environment."""
    more = {"ASSAY_TEST_RUN": uuid.uuid4().hex} | (more or {})
    command = [arguments.assay, "diagnose", model, *options, "--format", "json", "-o", "diagnosis"]
    start, kills, left = time.monotonic(), 0, []
    chance = random.Random(arguments.seed)
    # Of many moments, most are early: each resumed run takes as long again.
    longest = seconds * min(1, 4 / max(arguments.kills, 1))
    for _ in range(arguments.kills if seconds else 0):
        if run(command + (["--resume"] if (folder / "diagnosis").exists() else []), folder, arguments, more,
               kill_after=max(chance.random() * longest, 0.1)) is not None:
            break  # it was faster
        kills += 1
        left += no_process_left(more["ASSAY_TEST_RUN"])
    done = run(command + (["--resume"] if (folder / "diagnosis").exists() else []), folder, arguments, more)
    if done is None:
        return {"status": None, "verdict": f"not done after {TIMEOUT} s", "seconds": TIMEOUT}
    status, output = done
    found = json.loads(output) if output.startswith("{") else {}
    found.setdefault("verdict", found.get("error", {}).get("message", "no output"))
    return found | {"status": status, "seconds": time.monotonic() - start, "kills": kills, "left": left}


def no_process_left(mark):
    """Waits until no process has this value in its environment. Returns what remains after a minute."""
    for _ in range(600):
        found = []
        for process in pathlib.Path("/proc").glob("[0-9]*"):
            try:
                if mark.encode() in (process / "environ").read_bytes():
                    found.append(f"{process.name}: {(process / 'cmdline').read_bytes()!r}")
            except OSError:
                continue  # it has ended
        if not found:
            return []
        time.sleep(0.1)
    return found


def faults(found, expected):
    if found["status"] != 1:
        yield f"exit status {found['status']}"
    for word in expected["words"]:
        if word not in found["verdict"]:
            yield f"the verdict lacks '{word}'"
    facts = found.get("facts", {})
    lines = facts.get("minimal", {}).get("lines", [])
    nodes = sum(not line.startswith(" ") for line in lines)  # those of bodies are indented
    if not 0 < nodes <= expected["nodes"]:
        yield f"the minimal case has {nodes} nodes, not {expected['nodes']}"
    if not any(expected.get("keeps", "") in line for line in lines):
        yield f"the minimal case lacks {expected.get('keeps')}"
    if expected.get("known", "") not in facts.get("known", {}).get("link", ""):
        yield "the public report is not found"
    if expected.get("level", "") not in facts.get("setting", {}).get("level", ""):
        yield "the optimisation level is not named"


def check_case(arguments, name, expected):
    source = arguments.shared / expected.get("folder", "cases") / name
    options, more = list(expected["options"]), {"PYTHONPATH": str(source)}  # the engines' modules import files of the case
    if "engine" in expected:
        options = ["--python", source.parent / "engines" / expected["engine"], *options]
    if "converter" in expected:
        options, more["CONVERTER"] = ["--python", CONVERTED, *options], expected["converter"]
    if "inputs" in expected:
        options += ["--load-inputs", source / expected["inputs"]]
    with tempfile.TemporaryDirectory() as made:
        model = source / "model.onnx"
        if expected.get("generated"):
            subprocess.run([arguments.python, source / "gen.py", made], check=True, stdout=subprocess.DEVNULL)
            model = pathlib.Path(made) / "model.onnx"
        with tempfile.TemporaryDirectory() as folder:
            found = diagnose(arguments, pathlib.Path(folder), model, options, more=more)
        wrong = list(faults(found, expected))
        if arguments.kills:
            with tempfile.TemporaryDirectory() as folder:
                killed = diagnose(arguments, pathlib.Path(folder), model, options, found["seconds"], more)
            print(f"{name} was killed {killed['kills']} times", flush=True)
            # Two runs of a flaky engine may differ in the piece that is reduced.
            wrong += [f"after {killed['kills']} kills: {fault}" for fault in faults(killed, expected)]
            if killed["verdict"] != found["verdict"] and found.get("facts", {}).get("failure") != "random":
                wrong.append(f"after {killed['kills']} kills, the verdict is: {killed['verdict']}")
            wrong += [f"a process is left: {process}" for process in killed["left"]]
    return found, wrong


def check_healthy(arguments, model):
    with tempfile.TemporaryDirectory() as folder:
        found = diagnose(arguments, pathlib.Path(folder), model, ["--onnxrt"])
    return found, [] if found["status"] == 0 else [f"exit status {found['status']}"]


def main():
    arguments = parse_arguments()
    arguments.assay = pathlib.Path(arguments.assay).resolve()
    if not arguments.python or not (arguments.shared / "cases").is_dir():
        print("there are no cases, or no environment with their engines")
        return SKIPPED
    jobs = {name: lambda name=name: check_case(arguments, name, CASES[name]) for name in CASES}
    if arguments.healthy:
        jobs |= {model.stem: lambda model=model: check_healthy(arguments, model)
                 for model in sorted((arguments.shared / "models").glob("*.onnx")) if model.stem not in NOT_HEALTHY}
    if unknown := set(arguments.case) - set(jobs):
        sys.exit(f"no such case: {', '.join(sorted(unknown))}")
    rows, failed = [], 0
    for name in arguments.case or jobs:
        found, wrong = jobs[name]()
        failed += bool(wrong)
        nodes = found.get("facts", {}).get("minimal", {}).get("nodes", 0)
        print(f"{'FAILED' if wrong else 'passed'} {name} ({found['seconds']:.0f} s): {found['verdict']}", flush=True)
        for fault in wrong:
            print(f"    {fault}", flush=True)
        rows.append(f"| `{name}` | {found['verdict']} | {nodes or ''} | {found['seconds']:.0f} |")
    if arguments.table:
        arguments.table.write_text("\n".join(rows) + "\n")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
