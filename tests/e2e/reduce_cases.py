#!/usr/bin/env python3
"""Reduces the real failures of real engines in a folder of cases, and compares with what is written down about each.

Each case has a model, a check and a case.json that says what Polygraphy made of it. A reduction is right where it ends
well and the result still fails its check; with at most as many nodes, in no more checks, as Polygraphy needed where it
found a failing model. Exit status 1 where one is wrong, 77 where there are no cases or no engines.

usage: reduce_cases.py ASSAY CASES_FOLDER ENGINES_PYTHON [--mode linear] [--case NAME ...] [--big] [--keep FOLDER]
ENGINES_PYTHON: the python3 of the environment that the cases' setup-engines.sh makes."""
import argparse
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import time

SKIPPED = 77


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("assay")
    parser.add_argument("cases", type=pathlib.Path)
    parser.add_argument("python", nargs="?", default="")
    parser.add_argument("--mode", default="bisect")
    parser.add_argument("--case", action="append", default=[])
    parser.add_argument("--big", action="store_true", help="also make and reduce the model of more than 2 GB")
    parser.add_argument("--keep", type=pathlib.Path, help="where to leave logs and results")
    return parser.parse_args()


def environment(python):
    """The checks call python3: theirs has to be found first."""
    return {**os.environ, "PATH": f"{pathlib.Path(python).parent}{os.pathsep}{os.environ['PATH']}"}


def count_nodes(python, model):
    code = "import onnx, sys; print(len(onnx.load(sys.argv[1], load_external_data=False).graph.node))"
    return int(subprocess.check_output([python, "-c", code, model]))


def model_of(case, folder, arguments):
    if (case / "model.onnx").exists():
        return case / "model.onnx"
    if not arguments.big:
        return None
    subprocess.run([arguments.python, case / "gen.py", folder / "generated"], check=True, stdout=subprocess.DEVNULL)
    return folder / "generated" / "model.onnx"


def reduce(case, model, folder, arguments):
    check = case / "check.sh"
    command = [arguments.assay, "debug", "reduce", model, "-o", "reduced.onnx", "--mode", arguments.mode,
               "--hide-fail-output", "--check", check, "polygraphy_debug.onnx"]
    start = time.monotonic()
    with open(folder / "log.txt", "w", encoding="utf-8") as log:
        status = subprocess.run(command, cwd=folder, env=environment(arguments.python), stdout=log,
                                stderr=subprocess.STDOUT, check=False).returncode
    result = {"status": status, "seconds": time.monotonic() - start, "checks": 0, "nodes": None, "fails": False}
    counted = re.search(r"(\d+) checks \(.*\) took ([\d.]+) s", (folder / "log.txt").read_text(encoding="utf-8"))
    if counted:
        result["checks"] = int(counted[1])
        result["own"] = result["seconds"] - float(counted[2])
    if status == 0:
        result["nodes"] = count_nodes(arguments.python, folder / "reduced.onnx")
        verdict = subprocess.run([check, folder / "reduced.onnx"], env=environment(arguments.python), cwd=folder,
                                 stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
        result["fails"] = verdict.returncode == 1
    return result


def faults(result, peer, flaky):
    if result["status"] != 0:
        yield f"exit status {result['status']}"
        return
    if flaky:  # with a failure that comes and goes, chance decides which way both tools turn
        return
    if not result["fails"]:
        yield "the result does not fail"
    if peer.get("rc") != 0 or not peer.get("result_still_fails"):
        return
    if result["nodes"] > peer["nodes"]:
        yield f"{result['nodes']} nodes, Polygraphy has {peer['nodes']}"
    if result["checks"] > peer["checks"]:
        yield f"{result['checks']} checks, Polygraphy needs {peer['checks']}"


def run_case(case, arguments):
    facts = json.loads((case / "case.json").read_text(encoding="utf-8"))
    with tempfile.TemporaryDirectory() as temporary:
        folder = pathlib.Path(temporary)
        if arguments.keep:
            folder = (arguments.keep / arguments.mode / case.name).resolve()
            folder.mkdir(parents=True)
        model = model_of(case, folder, arguments)
        if model is None:
            return None
        result = reduce(case, model, folder, arguments)
        peer = facts["peer"].get(arguments.mode, {})
        wrong = list(faults(result, peer, facts.get("flaky", False)))
        print(f"{case.name:35} {facts['nodes']:5} nodes -> {result['nodes'] or '-':>4} in {result['checks']:3} checks, "
              f"{result['seconds']:6.1f} s (own {result.get('own', 0):5.2f} s)   Polygraphy: "
              f"{peer.get('nodes', 'error'):>5} in {peer.get('checks', '-'):>3}, {peer.get('wall_s', 0):6.1f} s"
              f"{'   WRONG: ' + '; '.join(wrong) if wrong else ''}", flush=True)
        if wrong and not arguments.keep:
            print((folder / "log.txt").read_text(encoding="utf-8")[-3000:])
        return not wrong


def main():
    arguments = parse_arguments()
    arguments.cases = arguments.cases.resolve() if arguments.cases.is_dir() else None
    if arguments.cases is None or not arguments.python or not pathlib.Path(arguments.python).exists():
        print("skipped: no folder of cases, or no engines for them")
        return SKIPPED
    arguments.assay = str(pathlib.Path(arguments.assay).resolve())
    cases = [path.parent for path in sorted(arguments.cases.glob("*/case.json"))]
    cases = [case for case in cases if not arguments.case or case.name in arguments.case]
    outcomes = [outcome for outcome in (run_case(case, arguments) for case in cases) if outcome is not None]
    print(f"{sum(outcomes)} of {len(outcomes)} as they should be")
    return 0 if outcomes and all(outcomes) else 1


if __name__ == "__main__":
    sys.exit(main())
