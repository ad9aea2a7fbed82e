"""The modules of the package form layers, so that each can be read without those above it."""

import ast
from graphlib import TopologicalSorter
from pathlib import Path

import assay

ROOT = Path(assay.__file__).parent
# They import what they contain only when it is asked for.
LAZY = {"assay", "assay.backend"}


def imports(module: str, file: Path, modules: dict[str, Path]) -> set[str]:
    """Returns the modules of the package that a module imports, inside functions, too."""
    found = set()
    for node in ast.walk(ast.parse(file.read_text())):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            inside = {f"{node.module}.{alias.name}" for alias in node.names}
            found |= {name if name in modules else str(node.module) for name in inside}
    return (found & set(modules)) - LAZY - {module}


def test_no_module_imports_one_that_imports_it() -> None:
    modules = {}
    for file in ROOT.rglob("*.py"):
        name = ".".join(("assay", *file.relative_to(ROOT).with_suffix("").parts)).removesuffix(".__init__")
        modules[name] = file
    graph = {name: imports(name, file, modules) for name, file in modules.items() if name not in LAZY}
    order = list(TopologicalSorter(graph).static_order())  # raises CycleError
    assert order.index("assay.model") < order.index("assay.difference")
