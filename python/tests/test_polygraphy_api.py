"""Everything that Polygraphy exports exists here, with the same parameters, or is in a table of deliberate differences.

Polygraphy's names are read from the source of the one that scripts/setup.sh installs; it isn't imported, so TensorRT,
PyTorch and TensorFlow aren't needed.
"""

from __future__ import annotations

import ast
import fnmatch
import importlib
import inspect
import os
import re
import subprocess
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import pytest

# What is missing or different on purpose, and how docs/coming-from-polygraphy.md says so.
DIFFERENCES = {
    "backend.pyt*": "`backend.tf`, `backend.pyt`",
    "backend.tensorrt_rtx*": "`backend.tensorrt_rtx`",
    "backend.tf*": "`backend.tf`, `backend.pyt`",
    "backend.onnx.loader.*.load": "`load` of these loader classes",
    "backend.trt.config.CreateConfig(**kwargs)": "`backend.trt`: `CreateConfig`",
    "backend.trt.config.create_config(*)": "`backend.trt`: `CreateConfig`",
    "backend.trt.config.PostprocessConfig.call_impl(*)": "`PostprocessConfig`",
    "backend.trt.file_reader.*": "`FileReader`",
    "backend.trt.loader.CreateNetwork*": "`CreateNetwork`",
    "backend.trt.loader.create_network*": "`CreateNetwork`",
    "backend.trt.profile.Profile.to_trt": "`Profile.to_trt`",
    "common.struct.FormattedArray*": "`common.FormattedArray`",
    "cuda*": "`cuda`",
    "datatype.datatype.DataTypeEntry(*)": "`datatype.DataType`",
    "util.array.*": "`util.array`",
    "util.util.*": "`util`",
}
# Modules that users don't import themselves. Their names are compared in the package that exports them.
INNER = {"mod.exporter": "mod", "backend.trt.util": "backend.trt", "backend.trt.file_reader": "backend.trt"}


class Parameter(NamedTuple):
    name: str  # with its stars
    default: str | None  # the source of it


class Exported(NamedTuple):
    module: str
    name: str
    parameters: list[Parameter] | None  # None: not a function
    is_method: bool = False

    @property
    def path(self) -> str:
        return f"{self.module}.{self.name}"


@cache
def sources() -> dict[str, ast.Module]:
    """Returns the syntax trees of Polygraphy's modules."""
    python = os.environ.get("ASSAY_TEST_PYTHON", "")
    if not python:
        pytest.skip("ASSAY_TEST_PYTHON doesn't name a Python that has Polygraphy")
    program = "import importlib.util as u; print(u.find_spec('polygraphy').submodule_search_locations[0])"
    found = subprocess.run([python, "-c", program], capture_output=True, text=True, check=True)
    root = Path(found.stdout.strip())
    trees = {}
    for file in sorted(root.rglob("*.py")):
        parts = file.relative_to(root).with_suffix("").parts
        if parts[0] != "tools" and parts[-1] != "__init__":
            trees[".".join(parts)] = ast.parse(file.read_text())
    return trees


def parameters_of(function: ast.FunctionDef, bound: bool) -> list[Parameter]:
    given = function.args
    positional = given.posonlyargs + given.args
    defaults = [None] * (len(positional) - len(given.defaults)) + [ast.unparse(each) for each in given.defaults]
    found = [Parameter(each.arg, default) for each, default in zip(positional, defaults)][bound:]
    found += [Parameter("*" + each.arg, None) for each in [given.vararg] if each is not None]
    for each, default in zip(given.kwonlyargs, given.kw_defaults):
        found.append(Parameter(each.arg, None if default is None else ast.unparse(default)))
    return found + [Parameter("**" + each.arg, None) for each in [given.kwarg] if each is not None]


def decorators(node: ast.FunctionDef | ast.ClassDef) -> str:
    return " ".join(map(ast.unparse, node.decorator_list))


def methods_of(cls: ast.ClassDef) -> dict[str, Exported]:
    """Returns the public methods of a class and of its bases in Polygraphy."""
    known = {node.name: node for tree in sources().values() for node in tree.body if isinstance(node, ast.ClassDef)}
    found: dict[str, Exported] = {}
    for base in map(ast.unparse, cls.bases):
        if base in known and known[base] is not cls:
            found.update(methods_of(known[base]))
    for node in cls.body:
        if isinstance(node, ast.FunctionDef) and (node.name == "__init__" or not node.name.startswith("_")):
            how = decorators(node)
            parameters = None if "property" in how or ".setter" in how else parameters_of(node, "staticmethod" not in how)
            found[node.name] = Exported("", node.name, parameters, is_method="static" not in how and "class" not in how)
    if "add_json_methods" in decorators(cls):
        found.update({name: Exported("", name, None) for name in ("to_json", "from_json", "save", "load")})
    return found


def exported() -> Iterator[Exported]:
    """Yields what Polygraphy's modules export: functions, classes, and their public methods."""
    for module, tree in sources().items():
        for node in tree.body:
            if not isinstance(node, (ast.FunctionDef, ast.ClassDef)) or "mod.export(" not in decorators(node):
                continue
            if isinstance(node, ast.FunctionDef):
                # The functions for arrays are made by a decorator, and have other parameters.
                yield Exported(module, node.name, None if "dispatch" in decorators(node) else parameters_of(node, False))
                continue
            methods = methods_of(node)
            constructor = methods.pop("__init__", Exported("", "", []))
            yield Exported(module, node.name, constructor.parameters)
            yield from (each._replace(module=module, name=f"{node.name}.{each.name}") for each in methods.values())
            if "funcify=True" in decorators(node):
                both = (constructor.parameters or []) + (methods["call_impl"].parameters or [])
                given = re.search(r"func_name='(\w+)'", decorators(node))
                name = re.sub("(?<!^)(?=[A-Z])", "_", node.name).lower() if given is None else given[1]
                yield Exported(module, name, sorted(both, key=rank))


def rank(parameter: Parameter) -> int:
    return 2 if parameter.name.startswith("*") else parameter.default is not None


def gaps_of(each: Exported) -> Iterator[str]:
    """Yields what is missing here of something that Polygraphy exports."""
    try:
        ours: Any = importlib.import_module(f"assay.{INNER.get(each.module, each.module)}")
        for part in each.name.split("."):
            ours = getattr(ours, part)
    except (ImportError, AttributeError):
        yield each.path
        return
    if each.parameters is None:
        return
    try:
        known = list(inspect.signature(ours).parameters.values())[each.is_method :]
    except ValueError:  # the constructor of a dictionary
        return
    kinds = {parameter.kind for parameter in known}
    names = [parameter.name for parameter in known]
    for position, (name, default) in enumerate(each.parameters):
        if name.startswith("*"):
            if (inspect.Parameter.VAR_KEYWORD if name.startswith("**") else inspect.Parameter.VAR_POSITIONAL) not in kinds:
                yield f"{each.path}({name})"
        elif name not in names or names.index(name) != position:
            yield f"{each.path}({name})"
        elif default is not None and not is_default(known[position].default, default):
            yield f"{each.path}({name})"


def is_default(ours: Any, theirs: str) -> bool:
    try:
        return repr(ast.literal_eval(theirs)) == repr(ours)
    except ValueError:  # an expression
        return ours is not inspect.Parameter.empty


def test_what_polygraphy_exports_exists() -> None:
    found = [gap for each in exported() for gap in gaps_of(each)]
    assert len(found) > 20, "Polygraphy's exports weren't found"
    unknown = [gap for gap in found if not any(fnmatch.fnmatchcase(gap, pattern) for pattern in DIFFERENCES)]
    assert not unknown, "\n".join(["not here, or other parameters:", *unknown])
    gone = [pattern for pattern in DIFFERENCES if not fnmatch.filter(found, pattern)]
    assert not gone, f"these differences don't exist any more: {gone}"


@pytest.mark.parametrize("words", sorted(set(DIFFERENCES.values())))
def test_differences_are_documented(words: str) -> None:
    assert words in (Path(__file__).parents[2] / "docs" / "coming-from-polygraphy.md").read_text()
