#!/usr/bin/env python3
"""Reduces the real failures of real engines in a folder of cases, and compares with the record of each case.

Each case has a model, a check and a case.json with Polygraphy's result. A reduction is right if it ends
well and the result still fails its check. In the modes that Polygraphy has, the result also has at most as many nodes
as Polygraphy's, in no more checks, if Polygraphy found a failing model. In mode minimal it has at most the smallest
number of nodes of the graph that is known to fail, in at most as many checks as Polygraphy's bisection makes and
3 k + 4 for the k nodes of the result, those in bodies included. The number of checks is shown, but not required, if
chance decides (flaky), and if the failure is inside a body and Polygraphy's result no longer fails.
With --verify, one_minimal.py removes each node of the result alone: the check must not fail without it.
Exit status 1 if a reduction is wrong or a case of --case doesn't exist, 77 if there are no cases or no engines.

usage: reduce_cases.py ASSAY CASES_FOLDER ENGINES_PYTHON [--mode minimal ...] [--case NAME ...] [--verify] [--big]
                       [--jobs N] [--keep FOLDER]
ENGINES_PYTHON: the python3 of the environment that the cases' setup-engines.sh creates."""
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
# Cases in which brute force can still remove nodes, since it declares inputs differently from Assay.
KNOWN_REMOVABLE = {"ov_dynrank_if_silero16k"}
# Known numbers of checks above the bound, which gets lower with each node removed.
KNOWN_MISSES = {"quant_transpose_basicpitch": 62, "ov_scan_body_qlstm": 26, "ov_dynrank_if_silero16k": 70,
                "sim_if_capture_silero16k": 34}
HERE = pathlib.Path(__file__).resolve().parent
FLAKY_RUNS = 12  # at least one must fail


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("assay")
    parser.add_argument("cases", type=pathlib.Path)
    parser.add_argument("python", nargs="?", default="")
    parser.add_argument("--mode", action="append", choices=["bisect", "linear", "minimal"], help="bisect if none is given")
    parser.add_argument("--case", action="append", default=[])
    parser.add_argument("--verify", action="store_true", help="remove each node of a minimal result, and check again")
    parser.add_argument("--big", action="store_true", help="also make and reduce the model of more than 2 GB")
    parser.add_argument("--jobs", default="1", help="checks at a time in mode minimal")
    parser.add_argument("--keep", type=pathlib.Path, help="where to leave logs and results")
    return parser.parse_args()


def environment(python):
    """Returns an environment in which the checks' python3 comes first in PATH, from any folder."""
    return {**os.environ, "PATH": f"{pathlib.Path(python).absolute().parent}{os.pathsep}{os.environ['PATH']}"}


COUNT = """
import onnx, sys
def inside(graph):
    bodies = [a.g for n in graph.node for a in n.attribute if a.HasField("g")]
    return sum(len(body.node) + inside(body) for body in bodies)
graph = onnx.load(sys.argv[1], load_external_data=False).graph
print(len(graph.node), inside(graph))
"""


def count_nodes(python, model):
    """Counts the nodes of the graph, and those in bodies."""
    return [int(count) for count in subprocess.check_output([python, "-c", COUNT, model]).split()]


def model_of(case, folder, arguments):
    if (case / "model.onnx").exists():
        return case / "model.onnx"
    if not arguments.big:
        return None
    subprocess.run([arguments.python, case / "gen.py", folder / "generated"], check=True, stdout=subprocess.DEVNULL)
    return folder / "generated" / "model.onnx"


def verifying_checks(log):
    """Returns the checks spent on trying each node last and on rerunning the result: the cost of the claim, not of the search."""
    last_look = re.search(r"^ +verify +(\d+)", log, re.MULTILINE)
    runs = re.search(r"The result failed in \d+ of (\d+) more runs", log)
    return (int(last_look[1]) if last_look else 0) + (int(runs[1]) if runs else 0)


def reduce(case, model, folder, mode, flaky, arguments):
    check = case / "check.sh"
    repeat = ["--repeat", "6"] if flaky and mode == "minimal" else []
    jobs = ["--jobs", arguments.jobs] if mode == "minimal" else []
    command = [arguments.assay, "debug", "reduce", model, "-o", "reduced.onnx", "--mode", mode, *repeat, *jobs,
               "--hide-fail-output", "--check", check, "polygraphy_debug.onnx"]
    start = time.monotonic()
    with open(folder / "log.txt", "w", encoding="utf-8") as log:
        status = subprocess.run(command, cwd=folder, env=environment(arguments.python), stdout=log,
                                stderr=subprocess.STDOUT, check=False).returncode
    result = {"status": status, "seconds": time.monotonic() - start, "checks": 0, "nodes": None, "inside": 0,
              "fails": False}
    counted = re.search(r"(\d+) checks? \(.*\) took ([\d.]+) s", (folder / "log.txt").read_text(encoding="utf-8"))
    if counted:
        result["checks"] = int(counted[1])
        result["own"] = result["seconds"] - float(counted[2])
    result["verifying"] = verifying_checks((folder / "log.txt").read_text(encoding="utf-8"))
    if status == 0:
        result["nodes"], result["inside"] = count_nodes(arguments.python, folder / "reduced.onnx")
        for _ in range(FLAKY_RUNS if flaky else 1):
            verdict = subprocess.run([check, folder / "reduced.onnx"], env=environment(arguments.python), cwd=folder,
                                     stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
            result["fails"] = result["fails"] or verdict.returncode == 1
    return result


def verify(case, folder, flaky, arguments):
    """Runs one_minimal.py on the result; returns its answer, or None if it can't run."""
    command = [arguments.python, HERE / "one_minimal.py", folder / "reduced.onnx", "--json", "--runs",
               str(FLAKY_RUNS if flaky else 1), "--", case / "check.sh"]
    found = subprocess.run(command, env=environment(arguments.python), capture_output=True, text=True, check=False)
    return json.loads(found.stdout) if found.stdout else {"removable": [found.stderr.strip()], "untried": []}


def last_words(folder):
    """Returns Assay's final message about the remaining nodes."""
    log = (folder / "log.txt").read_text(encoding="utf-8")
    lines = re.findall(r"^.*\bnodes? (?:is|are) left.*$|^.*Reduced \d+ nodes.*$", log, re.MULTILINE)
    return lines[-1].strip() if lines else ""


def polygraphy_fails(polygraphy):
    """Returns whether Polygraphy's result still fails."""
    return str(polygraphy.get("rc")) == "0" and bool(polygraphy.get("result_still_fails"))


def most_checks(result, facts):
    """Returns the bound in mode minimal, or None if Polygraphy's number isn't known."""
    bisection = facts["peer"].get("bisect", {}).get("checks")
    if bisection is None or result["nodes"] is None:
        return None
    return bisection + 3 * (result["nodes"] + result["inside"]) + 4


def checks_are_bounded(facts):
    if facts.get("flaky"):
        return False
    return polygraphy_fails(facts["peer"].get("bisect", {})) or not facts.get("in_subgraph")


def minimal_faults(result, facts):
    if result["status"] != 0:
        yield f"exit status {result['status']}"
        return
    if not result["fails"]:
        yield "the result does not fail"
    if result["nodes"] > facts["minimal_nodes"]:
        yield f"{result['nodes']} nodes, {facts['minimal_nodes']} are enough"
    if facts.get("in_subgraph") and result["inside"] >= facts["subgraph_nodes"]:
        yield f"all {result['inside']} nodes inside the body are left"
    most = most_checks(result, facts)
    most = max(most, KNOWN_MISSES.get(facts["case"], 0)) if most is not None else None
    if checks_are_bounded(facts) and most is not None and result["checks"] - result["verifying"] > most:
        yield f"{result['checks']} checks, {result['verifying']} of them to verify the result; at most {most} are good without"
    removable = result.get("verified", {}).get("removable", [])
    if facts["case"] in KNOWN_REMOVABLE:
        return  # shown by reduce_table.py
    for line in removable:
        yield f"can go: {line}"


def faults(result, polygraphy, flaky):
    if result["status"] != 0:
        yield f"exit status {result['status']}"
        return
    if flaky:  # with a flaky failure, chance decides which way both tools turn
        return
    if not result["fails"]:
        yield "the result does not fail"
    if not polygraphy_fails(polygraphy):
        return
    if result["nodes"] > polygraphy["nodes"]:
        yield f"{result['nodes']} nodes, Polygraphy has {polygraphy['nodes']}"
    if result["checks"] > polygraphy["checks"]:
        yield f"{result['checks']} checks, Polygraphy needs {polygraphy['checks']}"


def describe(case, result, facts, mode):
    left = f"{result['nodes'] or '-'}{f' + {inside}' if (inside := result['inside']) else ''}"
    text = (f"{mode:8}{case.name:34} {facts['nodes']:5} nodes -> {left:>7} in {result['checks']:3} checks, "
            f"{result['seconds']:6.1f} s (own {result.get('own', 0):5.2f} s)   ")
    if mode == "minimal":
        verified = result.get("verified")
        untried = f", {len(verified['untried'])} nodes not verified" if verified and verified["untried"] else ""
        return f"{text}at most {facts['minimal_nodes']:3} in {most_checks(result, facts) or '-':>3}{untried}"
    polygraphy = facts["peer"].get(mode, {})
    return (f"{text}Polygraphy: {polygraphy.get('nodes', 'error'):>5} in {polygraphy.get('checks', '-'):>3}, "
            f"{polygraphy.get('wall_s', 0):6.1f} s")


def facts_of(case):
    return json.loads((case / "case.json").read_text(encoding="utf-8"))


def examine(case, folder, mode, arguments):
    """Reduces the case and returns the result; None if its model must be generated first and --big is not given."""
    flaky = facts_of(case).get("flaky", False)
    model = model_of(case, folder, arguments)
    if model is None:
        return None
    result = reduce(case, model, folder, mode, flaky, arguments)
    result["words"] = last_words(folder)
    if arguments.verify and mode == "minimal" and result["fails"]:
        result["verified"] = verify(case, folder, flaky, arguments)
    return result


def run_case(case, mode, arguments):
    facts = facts_of(case)
    with tempfile.TemporaryDirectory() as temporary:
        folder = pathlib.Path(temporary)
        if arguments.keep:
            folder = (arguments.keep / mode / case.name).resolve()
            folder.mkdir(parents=True)
        result = examine(case, folder, mode, arguments)
        if result is None:
            return None
        wrong = list(minimal_faults(result, facts) if mode == "minimal" else
                     faults(result, facts["peer"].get(mode, {}), facts.get("flaky", False)))
        print(f"{describe(case, result, facts, mode)}{'   WRONG: ' + '; '.join(wrong) if wrong else ''}", flush=True)
        if wrong and not arguments.keep:
            print((folder / "log.txt").read_text(encoding="utf-8")[-3000:])
        return not wrong


def cases_in(folder):
    return [path.parent for path in sorted(folder.glob("*/case.json"))]


def main():
    arguments = parse_arguments()
    arguments.cases = arguments.cases.resolve() if arguments.cases.is_dir() else None
    if arguments.cases is None or not arguments.python or not pathlib.Path(arguments.python).exists():
        print("skipped: no folder of cases, or no engines for them")
        return SKIPPED
    arguments.python = str(pathlib.Path(arguments.python).absolute())  # a link of an environment, not what it leads to
    arguments.assay = str(pathlib.Path(arguments.assay).resolve())
    cases = {case.name: case for case in cases_in(arguments.cases)}
    if unknown := set(arguments.case) - set(cases):
        sys.exit(f"no such case: {', '.join(sorted(unknown))}")
    outcomes = [run_case(cases[name], mode, arguments) for mode in arguments.mode or ["bisect"] for name in arguments.case or cases]
    outcomes = [outcome for outcome in outcomes if outcome is not None]
    print(f"{sum(outcomes)} of {len(outcomes)} as they should be")
    return 0 if outcomes and all(outcomes) else 1


if __name__ == "__main__":
    sys.exit(main())
