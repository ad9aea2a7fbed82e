#!/usr/bin/env python3
"""Runs the commands of guides.py with Assay and with Polygraphy, both called `polygraphy`: they have to exit with the same
status and the same verdict, and write equivalent files.

usage: run_guides.py ASSAY PYTHON [WORD...]
PYTHON: a Python with Polygraphy, onnx-graphsurgeon and onnxruntime; exit status 77 if there is none.
WORD: runs only guides with this word in their name."""
import os
import pathlib
import re
import subprocess
import sys
import tempfile

SKIPPED = 77
ASSAY, PYTHON = sys.argv[1:3]
if "ASSAY_DIFFERENTIAL" not in os.environ:
    probe = [PYTHON, "-c", "import onnx, onnxruntime, polygraphy, onnx_graphsurgeon"]
    if not PYTHON or subprocess.run(probe, stderr=subprocess.DEVNULL, check=False).returncode != 0:
        print("skipped: ASSAY_TEST_PYTHON names no Python with Polygraphy, onnx-graphsurgeon and onnxruntime")
        sys.exit(SKIPPED)
    os.execve(PYTHON, [PYTHON, *sys.argv], {**os.environ, "ASSAY_DIFFERENTIAL": "1"})

import importlib.util

import equivalent_files
import onnx
from guides import FILES, GUIDES
from small_models import MODELS

# Written by one program only, on purpose: Assay's journal of verdicts.
OWN_FILES = (".journal",)
# In names of sorted artifacts.
TIME = re.compile(r"_\d\d-\d\d-\d\d_\d\d-\d\d-\d\d_")


class Side:
    """One of the two programs, in a folder of its own."""

    def __init__(self, root, name, program):
        self.folder = root / name
        self.folder.mkdir()
        programs = root / (name + "_bin")
        programs.mkdir()
        (programs / "polygraphy").symlink_to(program.absolute())
        (programs / "python3").write_text(f'#!/bin/sh\nexec "{PYTHON}" "$@"\n', encoding="utf-8")
        (programs / "python3").chmod(0o755)
        self.environment = {**os.environ, "PATH": f"{programs}:{os.environ['PATH']}"}
        for file, text in FILES.items():
            (self.folder / file).parent.mkdir(parents=True, exist_ok=True)
            (self.folder / file).write_text(text, encoding="utf-8")
        for file, build in MODELS.items():
            onnx.save(build(), self.folder / file)
        self.given = self.files()

    def files(self):
        """Returns the paths of all files by their names without times."""
        found = [path for path in self.folder.rglob("*") if path.is_file() and "__pycache__" not in path.parts]
        names = {TIME.sub("_TIME_", str(path.relative_to(self.folder))): path for path in found}
        return {name: path for name, path in names.items() if not name.endswith(OWN_FILES)}

    def new_files(self):
        return {name: path for name, path in self.files().items() if name not in self.given}

    def run(self, command):
        """Returns the exit status, the last verdict, and the output."""
        done = subprocess.run(["bash", "-c", command], cwd=self.folder, env=self.environment, text=True,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL, check=False)
        return done.returncode, re.findall(r"(PASSED|FAILED) \| Runtime", done.stdout)[-1:], done.stdout


def compare_files(ours, theirs, by_structure):
    found, expected = ours.new_files(), theirs.new_files()
    problems = [f"only Polygraphy wrote {name}" for name in sorted(expected.keys() - found.keys())]
    problems += [f"only Assay wrote {name}" for name in sorted(found.keys() - expected.keys())]
    for name in sorted(found.keys() & expected.keys()):
        problems.append(equivalent_files.difference(found[name], expected[name], by_structure))
    return [problem for problem in problems if problem]


def run_guide(guide, root):
    """Returns the number of commands, and what differed."""
    ours, theirs = Side(root, "assay", pathlib.Path(ASSAY)), Side(root, "polygraphy", pathlib.Path(PYTHON).parent / "polygraphy")
    problems = []
    for command in guide.commands:
        results = [side.run(command) for side in (ours, theirs)]
        # Polygraphy ends some errors with a traceback instead of a verdict.
        same_verdict = results[0][1] == results[1][1] or not results[1][1]
        if results[0][0] != results[1][0] or not same_verdict:
            problems.append(f"{command}\n  Assay: {results[0][:2]}, Polygraphy: {results[1][:2]}\n{results[0][2][-1500:]}"
                            f"\n{results[1][2][-1500:]}")
        problems += [f"{command}\n  {problem}" for problem in compare_files(ours, theirs, guide.by_structure)]
        if problems:
            break  # what follows works on these files
    return problems


def main():
    failed = ran = 0
    for guide in GUIDES:
        if not all(word in guide.name for word in sys.argv[3:]):
            continue
        if guide.needs and importlib.util.find_spec(guide.needs) is None:
            print(f"skipped: {guide.name}: Polygraphy needs the Python package {guide.needs}")
            continue
        with tempfile.TemporaryDirectory() as root:
            problems = run_guide(guide, pathlib.Path(root))
        ran += len(guide.commands)
        failed += bool(problems)
        print(f"{'FAILED' if problems else 'ok'}: {guide.name}", *problems, sep="\n  ", flush=True)
    print(f"{ran} commands in {len(GUIDES)} guides; {failed} guides differ")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
