"""Loads and calls a user's module, and explains what is wrong with it.

    def load(path): ...                    loads a model's file; returns any object, the model
    def infer(model, feeds): ...           feeds: arrays by name; returns arrays by name, or a list in the outputs' order
    def infer(model, feeds, wanted): ...   the same, but only the outputs named in `wanted` are needed
    def load_bytes(data, folder): ...      optional: loads a model in memory, with external data below `folder` (or "")
    VERSION = "..."                        optional: shown next to the module's name
"""
import importlib
import inspect
import linecache
import os
import sys
import traceback
import types

from . import reference_errors

MOST_FRAMES = 6
# Modules of this package, by the name that stands for a path.
OWN_MODULES = {"reference": "the reference evaluator", "reference_float64": "the reference evaluator in float64",
               "lpips_distance": "LPIPS"}


class Wrong(Exception):
    """The module did something wrong. The text is for the user."""

    def __init__(self, message, out_of_memory=False):
        super().__init__(message)
        self.out_of_memory = out_of_memory


def _explain(error, what):
    """Describes what the module raised, and where."""
    text = "".join(traceback.format_exception_only(type(error), error)).strip()
    here = os.path.dirname(os.path.abspath(__file__))
    frames = [frame for frame in traceback.extract_tb(error.__traceback__)
              if os.path.dirname(os.path.abspath(frame.filename)) != here and not frame.filename.startswith("<frozen")]
    lines = [f"    {frame.filename}:{frame.lineno}, in {frame.name}: {frame.line}" for frame in frames[-MOST_FRAMES:]]
    if isinstance(error, SystemExit):
        if isinstance(error.code, str) and not lines:
            return error.code
        text = f"it called sys.exit({'' if error.code is None else repr(error.code)})"
    return "\n".join([f"{what} failed: {text}", *lines])


def guarded(what, function, *arguments, explain=_explain):
    """Returns the function's result. Raises Wrong for everything that it raises, described by explain(error, what)."""
    try:
        return function(*arguments)
    except Wrong:  # of a module of this package
        raise
    except MemoryError as error:
        raise Wrong(explain(error, what), out_of_memory=True) from None
    except BaseException as error:  # SystemExit and KeyboardInterrupt, too
        raise Wrong(explain(error, what)) from None


def _import(path):
    """Imports the file. Always compiles it, because Python's cache would miss a change within the same second."""
    with open(path, "rb") as file:
        code = compile(file.read(), path, "exec")
    module = types.ModuleType("assay_user_module")
    module.__file__ = path
    sys.modules[module.__name__] = module
    linecache.checkcache()
    exec(code, module.__dict__)
    return module


def _identity(path):
    status = os.stat(path)
    return status.st_dev, status.st_ino, status.st_size, status.st_mtime_ns


class Module:
    def __init__(self, path):
        self._path, self._file = path, None
        if path in OWN_MODULES:
            self.name = OWN_MODULES[path]
            try:
                self._module = importlib.import_module(f"assay_python.{path}")
            except SystemExit as error:
                raise Wrong(str(error.code)) from None
        else:
            self.name = os.path.basename(path)
            if not os.path.isfile(path):
                raise Wrong(f"there is no module {path}")
            self._file = _identity(path)
            sys.path[0] = os.path.dirname(os.path.abspath(path))  # as if the module were run as a script
            self._module = guarded(f"importing {path}", _import, path)
        for function in ("load", "infer"):
            if not callable(getattr(self._module, function, None)):
                raise Wrong(f"{path} has no function {function}(): it needs load(path) and infer(model, feeds)")
        self._takes_wanted = self._count_parameters() > 2
        self._explain = reference_errors.explain if path in OWN_MODULES else _explain
        self.loads_bytes = callable(getattr(self._module, "load_bytes", None))
        self.checks_outputs = getattr(self._module, "CHECK_OUTPUTS", True)

    def is_current(self):
        """Returns False if the user has changed the file since it was imported."""
        try:
            return self._file is None or self._file == _identity(self._path)
        except OSError:
            return False

    def _count_parameters(self):
        try:
            parameters = inspect.signature(self._module.infer).parameters.values()
        except (TypeError, ValueError):
            return 2
        return sum(parameter.kind in (parameter.POSITIONAL_ONLY, parameter.POSITIONAL_OR_KEYWORD)
                   for parameter in parameters)

    def version(self):
        python = "Python " + sys.version.split()[0]
        version = getattr(self._module, "VERSION", None)
        return python if version is None else f"{version} ({python})"

    def load(self, path):
        return guarded(f"load() of {self.name}", self._module.load, path, explain=self._explain)

    def load_bytes(self, data, folder):
        return guarded(f"load_bytes() of {self.name}", self._module.load_bytes, data, folder, explain=self._explain)

    def infer(self, model, feeds, wanted):
        arguments = (model, feeds, wanted) if self._takes_wanted else (model, feeds)
        return guarded(f"infer() of {self.name}", self._module.infer, *arguments, explain=self._explain)
