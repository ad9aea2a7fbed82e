#!/usr/bin/env python3
"""Prints a Markdown table that compares how two builds of Assay reduce real failures.

Both reduce each case of each folder in mode minimal, one after the other, and brute force (one_minimal.py) finds out whether
a node of the result can be removed. The number after a plus sign counts nodes in bodies. "Bound" is the number of checks of
Polygraphy's bisection plus 3 k + 4 for the k nodes of the second result, if Polygraphy's result still fails.

usage: reduce_table.py [--before ASSAY] --after ASSAY ENGINES_PYTHON FOLDER... [--case NAME ...] [--details] [--keep FOLDER]
--details adds seconds and Assay's final message, for the second build."""
import argparse
import pathlib
import sys
import tempfile
import types

import reduce_cases


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("python", help="the python3 of the environment with the engines")
    parser.add_argument("folders", nargs="+", type=pathlib.Path)
    parser.add_argument("--before", type=pathlib.Path)
    parser.add_argument("--after", type=pathlib.Path, required=True)
    parser.add_argument("--case", action="append", default=[])
    parser.add_argument("--details", action="store_true")
    parser.add_argument("--big", action="store_true", help="also make and reduce the model of more than 2 GB")
    parser.add_argument("--keep", type=pathlib.Path, help="where to leave logs and results")
    return parser.parse_args()


def reduce_by(assay, case, name, arguments):
    options = types.SimpleNamespace(assay=str(assay.resolve()), python=str(pathlib.Path(arguments.python).absolute()), big=arguments.big, verify=True,
                                    jobs="1")
    with tempfile.TemporaryDirectory() as temporary:
        folder = pathlib.Path(temporary)
        if arguments.keep:
            folder = (arguments.keep / name / case.name).resolve()
            folder.mkdir(parents=True)
        return reduce_cases.examine(case, folder, "minimal", options)


def with_bodies(nodes, inside):
    return f"{nodes} + {inside}" if inside else f"{nodes}"


def outcome(result):
    """Formats nodes and checks, and what is wrong with the result."""
    if result["status"] != 0:
        return f"error after {result['checks']}"
    notes = []
    if not result["fails"]:
        notes.append("no longer fails")
    if removable := result.get("verified", {}).get("removable"):
        notes.append(f"{len(removable)} can go")
    text = f"{with_bodies(result['nodes'], result['inside'])}, {result['checks']}"
    return f"{text} ({'; '.join(notes)})" if notes else text


def details(result):
    found = result.get("verified", {})
    notes = found.get("removable", []) + [f"not verified: {what}" for what in found.get("untried", [])]
    return [f"{result['seconds']:.0f}", result["words"].replace("|", "/"), "; ".join(notes)]


def row(case, facts, results, arguments):
    polygraphy = facts["peer"].get("bisect", {})
    polygraphy_nodes = polygraphy.get("nodes") if reduce_cases.polygraphy_fails(polygraphy) else "no result"
    least = facts["minimal_nodes"]
    bound = reduce_cases.most_checks(results[-1], facts) if reduce_cases.polygraphy_fails(polygraphy) else None
    cells = [f"`{case.name}`", with_bodies(facts["nodes"], facts.get("subgraph_nodes")), f"{least}",
             f"{polygraphy_nodes}, {polygraphy.get('checks', '-')}", *(outcome(result) for result in results), f"{bound or '-'}"]
    return cells + (details(results[-1]) if arguments.details else [])


def main():
    arguments = parse_arguments()
    builds = [("before", arguments.before)] if arguments.before else []
    builds.append(("after", arguments.after))
    header = ["failure", "nodes", "known minimum", "Polygraphy's bisect: nodes, checks",
              *(f"{name}: nodes, checks" for name, _ in builds), "bound"]
    header += ["seconds", "words", "can go"] if arguments.details else []
    print("| " + " | ".join(header) + " |\n" + "|---" * len(header) + "|", flush=True)
    for folder in arguments.folders:
        for case in reduce_cases.cases_in(folder.resolve()):
            if arguments.case and case.name not in arguments.case:
                continue
            results = [reduce_by(assay, case, name, arguments) for name, assay in builds]
            if None not in results:
                print("| " + " | ".join(row(case, reduce_cases.facts_of(case), results, arguments)) + " |", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
