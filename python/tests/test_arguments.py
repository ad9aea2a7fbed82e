"""Errors about arguments: they name the function, the argument and what it takes."""

from __future__ import annotations

import importlib
import inspect
import os
import pkgutil
import re
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any, Literal

import numpy as np
import pytest

import assay
from assay import parameters
from assay.arguments import Limits, kind_of
from assay.backend import onnx as backend
from assay.backend.onnxrt import OnnxrtRunner, SessionFromOnnx
from assay.common import TensorMetadata
from assay.comparator import CompareFunc, Comparator, DataLoader, IterationResult, L2CompareFunc, PostprocessFunc, RunResults
from assay.exception import ArgumentError
from models import chain

ROOT = Path(__file__).parents[2]
MODELS = "a path, bytes, an assay.Model, an onnx.ModelProto or a callable that returns one"


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: backend.fold_constants(chain(), num_passes="x"), "fold_constants(): num_passes must be an int of at least 0 or None, but is 'x' (str)"),
        (lambda: backend.FoldConstants(chain(), num_passes="x"), "FoldConstants(): num_passes must be an int of at least 0 or None, but is 'x' (str)"),
        (lambda: backend.fold_constants(chain(), size_threshold=-1), "fold_constants(): size_threshold must be an int of at least 0 or None, but is -1 (int)"),
        (lambda: backend.fold_constants(chain(), num_passes=2**40), "fold_constants() has an argument that is out of range: num_passes=1099511627776 (int)"),
        (lambda: backend.modify_outputs(chain(), ["b", 3]), "modify_outputs(): outputs[1] must be a string, but is 3 (int)"),
        (lambda: backend.modify_outputs(chain(), 3), "modify_outputs(): outputs must be a list of strings, a string or None, but is 3 (int)"),
        (lambda: RunResults.load("\ud800"), "RunResults.load(): src has the text '\\ud800', which isn't valid Unicode"),
        (lambda: Comparator.compare_accuracy(RunResults(), compare_func=3), "Comparator.compare_accuracy(): compare_func must be a function, a list of functions or None, but is 3 (int)"),
        (lambda: assay.reduce(chain(), print, journal="j", check_id="\ud800"), "reduce(): check_id has the text '\\ud800', which isn't valid Unicode"),
        (lambda: backend.save_onnx(chain(), 3), "save_onnx(): path must be a path, but is 3 (int)"),
        (lambda: backend.set_upper_bound(chain(), {"a": "b"}), "set_upper_bound(): upper_bounds['a'] must be an int of at least 1, but is 'b' (str)"),
        (lambda: DataLoader(iterations="3"), "DataLoader(): iterations must be an int of at least 0 or None, but is '3' (str)"),
        (lambda: DataLoader(val_range=3), "DataLoader(): val_range must be a tuple (a number or None, a number or None), a dictionary of tuples (a number or None, a number or None) or None, but is 3 (int)"),
        (lambda: DataLoader(input_metadata={"x": 3}), "DataLoader(): input_metadata must be a TensorMetadata or None, but is {'x': 3} (dict)"),
        (lambda: TensorMetadata({"x": 3}), "TensorMetadata(): ['x'] must be a MetadataTuple or a tuple of a type and a shape, but is 3 (int)"),
        (lambda: TensorMetadata().add("x", np.float32, 3), "TensorMetadata.add(): shape must be a list or None, but is 3 (int)"),
        (lambda: Comparator.compare_accuracy(3), "Comparator.compare_accuracy(): run_results must be a RunResults or a list, but is 3 (int)"),
        (lambda: RunResults([3]), "RunResults(): lst[0] must be a tuple (a string, a list of IterationResult objects), but is 3 (int)"),
        (lambda: IterationResult([3]), "IterationResult(): outputs must be a dictionary or None, but is [3] (list)"),
        (lambda: IterationResult({1: 2}), "IterationResult(): outputs has a key that must be a string, but is 1 (int)"),
        (lambda: L2CompareFunc("1"), "L2CompareFunc(): l2_threshold must be a number of at least 0, a dictionary of numbers of at least 0 or None, but is '1' (str)"),
        (lambda: CompareFunc.simple(rtol=-1), "SimpleCompareFunc(): rtol must be a number of at least 0, a dictionary of numbers of at least 0 or None, but is -1 (int)"),
        (lambda: CompareFunc.simple(atol={"y": float("nan")}), "SimpleCompareFunc(): atol['y'] must be a number of at least 0, but is nan (float)"),
        (lambda: CompareFunc.simple(rtol=np.ones(2)), "SimpleCompareFunc(): rtol must be a number of at least 0, a dictionary of numbers of at least 0 or None, but is a ndarray"),
        (lambda: CompareFunc.simple(error_quantile=2), "SimpleCompareFunc(): error_quantile must be a number from 0 to 1, a dictionary of numbers from 0 to 1 or None, but is 2 (int)"),
        (lambda: PostprocessFunc.top_k("1"), "PostprocessFunc.top_k(): k must be an int of at least 0, a tuple (an int of at least 0, an int), a dictionary of ints of at least 0 or tuples (an int of at least 0, an int) or None, but is '1' (str)"),
        (lambda: PostprocessFunc.top_k({"y": (-1, 0)}), "PostprocessFunc.top_k(): k['y'] must be an int of at least 0 or a tuple (an int of at least 0, an int), but is (-1, 0) (tuple)"),
        (lambda: SessionFromOnnx(chain(), threads="4"), "SessionFromOnnx(): threads must be an int of at least 0 or None, but is '4' (str)"),
        (lambda: SessionFromOnnx(chain(), providers=[3]), "SessionFromOnnx(): providers[0] must be a string or a tuple (a string, a dictionary), but is 3 (int)"),
        (lambda: OnnxrtRunner(chain(), name=3), "OnnxrtRunner(): name must be a string or None, but is 3 (int)"),
        (lambda: assay.locate(chain(), "onnxrt", 3), "locate(): second must be a string, a tuple (a string, a dictionary) or None, but is 3 (int)"),
        (lambda: assay.locate(chain(), "onnxrt", "reference", rtol="x"), "locate(): rtol must be a number of at least 0 or None, but is 'x' (str)"),
        (lambda: assay.reduce(chain(), print, jobs="2"), "reduce(): jobs must be an int of at least 1, but is '2' (str)"),
        (lambda: assay.reduce(chain(), print, values="zero"), "reduce(): values must be 'input', 'freeze' or 'auto' or None, but is 'zero' (str)"),
        (lambda: assay.reduce(chain(), print, jobs=0), "reduce(): jobs must be an int of at least 1, but is 0 (int)"),
        (lambda: assay.reduce(chain(), ["false", "a\udcffb"]), "reduce(): check has the text 'a\\udcffb', which isn't valid Unicode"),
        (lambda: RunResults([("a", [IterationResult({"\ud800": 1})])]).save("r.json"), "RunResults.save(): the RunResults has the text '\\ud800', which isn't valid Unicode"),
        (lambda: assay.reduce(chain(), print, fail_ratio=2), "reduce(): fail_ratio must be a number from 0 to 1, but is 2 (int)"),
        (lambda: assay.diff(chain(), chain(), ignore="names"), "diff(): ignore must be a list of strings, but is 'names' (str)"),
        (lambda: assay.Model(3), "Model(): source must be a path, bytes, an onnx.ModelProto or an assay.Model, but is 3 (int)"),
        (lambda: assay.reduce(3, print), f"reduce(): model must be {MODELS}, but is 3 (int)"),
        (lambda: assay.inspect(3), f"inspect(): model must be {MODELS}, but is 3 (int)"),
        (lambda: assay.diff(chain(), 4), f"diff(): second must be {MODELS}, but is 4 (int)"),
        (lambda: assay.locate(None, "onnxrt", "openvino"), f"locate(): model must be {MODELS}, but is None"),
        (lambda: assay.locate(chain(), "onnxrt", against=3), f"locate(): against must be {MODELS} or None, but is 3 (int)"),
        (lambda: assay.diagnose(3, "onnxrt"), f"diagnose(): model must be {MODELS}, but is 3 (int)"),
        (lambda: assay.inspect(lambda: 3), "an int isn't a model"),
        (lambda: backend.infer_shapes(3), f"infer_shapes(): model must be {MODELS}, but is 3 (int)"),
        (lambda: SessionFromOnnx(3), f"SessionFromOnnx(): model_bytes must be {MODELS}, but is 3 (int)"),
        (lambda: assay.Model(chain()).save(3), "Model.save(): path must be a path, but is 3 (int)"),
    ],
)  # fmt: skip
def test_the_argument_is_named(call: Callable[[], object], message: str) -> None:
    with pytest.raises(ArgumentError, match=re.escape(message)) as raised:
        call()
    assert isinstance(raised.value, TypeError) and isinstance(raised.value, assay.InputError)


def test_missing_and_unknown_arguments_are_those_of_python() -> None:
    with pytest.raises(TypeError, match="missing 1 required positional argument: 'path'"):
        backend.save_onnx(chain())  # type: ignore[call-arg]
    with pytest.raises(TypeError, match="unexpected keyword argument 'passes'"):
        backend.FoldConstants(chain(), passes=3)  # type: ignore[call-arg]


@pytest.mark.parametrize(
    ("annotation", "accepted", "refused"),
    [
        ("int", [1, True, np.int64(3)], ["1", 1.5, None, [1]]),
        ("float", [1, 1.5, np.float32(2), np.array(2)], ["1", None, [1.0], np.ones(2)]),
        ("bool | None", [True, None, np.bool_(True), 1], ["yes", []]),
        ("str | os.PathLike[str]", ["a", Path("a")], [b"a", 3]),
        ("Sequence[str]", [["a"], ("a",), {"a": 1}.keys(), iter("ab")], ["a", 3, [3], b"a"]),
        ("tuple[int, ...]", [(1, 2), [1]], [("a",), 3]),
        ("Mapping[str, float]", [{}, {"a": 1}, IterationResult()], [[], {"a": "b"}, {1: 2}, "a"]),
        ("tuple[float, str]", [(1, "a"), [1, "a"]], [(1,), ("a", 1), 3]),
        ("Callable[[int], int] | None", [len, None], [3]),
        ("RunResults", [RunResults()], [[], None]),
        ("Annotated[int, Limits(1, 3)] | None", [1, 3, None], [0, 4, "a"]),
        ("Literal['a', 'b'] | None", ["a", None], ["c", 3]),
        ("Any", [None, 3], []),
        ("Unknown", [None, 3], []),
    ],
)
def test_annotations_are_compared_leniently(annotation: str, accepted: list[Any], refused: list[Any]) -> None:
    names = {"os": os, "Sequence": Sequence, "Mapping": Mapping, "Callable": Callable, "RunResults": RunResults, "Any": Any}
    names |= {"Annotated": Annotated, "Limits": Limits, "Literal": Literal}
    kind = kind_of(annotation, names)
    assert [value for value in accepted if not kind.accepts(value)] == []
    assert [value for value in refused if kind.accepts(value)] == []


def test_all_public_functions_check_their_arguments() -> None:
    """A new module of the package must end with check_arguments(__name__)."""
    without = {"assay.arguments", "assay.check", "assay.datatype", "assay.logger", "assay.tables", "assay.parameters"}
    unchecked: list[str] = []
    for found in pkgutil.walk_packages(assay.__path__, "assay."):
        if found.name == "assay._assay" or found.name in without or found.name.startswith(("assay.util", "assay.func")):
            continue
        module = importlib.import_module(found.name)
        for name, value in vars(module).items():
            is_ours = inspect.isfunction(value) and value.__module__ == found.name and not name.startswith("_")
            if is_ours and not hasattr(value, "__wrapped__") and set(value.__annotations__) - {"return"}:
                unchecked.append(f"{found.name}.{name}")
    missing = sorted({name for name in unchecked if name.split(".")[-2] not in HELPERS})
    assert not missing, f"not checked: {missing}"


# Modules whose functions only other modules of the package call.
HELPERS = {
    "isolate", "stream", "kinds", "lazy", "settings", "sides", "plugin_path", "unavailable", "engine_inspection", "mod",
    "serialization"
}


def test_messages_name_parameters_instead_of_options(tmp_path: Path) -> None:
    message = "Name it with --external-data-dir; `assay run --seed 3` shows more, and --unknown-option doesn't"
    assert parameters.in_python(message) == (
        "Name it with external_data_dir of assay.Model(); `assay run --seed 3` shows more, and --unknown-option doesn't"
    )
    assert parameters.in_python("Try `assay debug reduce`, or `assay inspect`") == "Try assay.reduce(), or `assay inspect`"
    for message in (
        "Output of the check:\nthere is no option --seed",
        "the check can't judge any model: no such tensor: nothing (in --seed)",
    ):
        assert parameters.in_python(message) == message
    assert parameters.in_python("the check can't run: there is no option --seed (in --check). Use --fail-code 2") == (
        "the check can't run: there is no option --seed (in check). Use fail_codes 2"
    )
    model = chain()
    weight = model.graph.initializer.add(name="big", data_type=1, dims=[4096], data_location=1)
    weight.external_data.add(key="location", value="gone.bin")
    path = tmp_path / "m.onnx"
    path.write_bytes(model.SerializeToString())
    with pytest.raises(assay.NotFoundError, match=r"external_data_dir of assay.Model\(\), or load .* ignore_external_data"):
        assay.Model(path)


# Options in messages of the rooms that have no parameter here: other spellings, engines' flags, and what only commands do.
NO_PARAMETER = set(
    """abs-tol all-tensor-datatypes all-tensor-dtypes all-tensor-formats best calibration-base-class clean-up
    compare compare-func-script exclude-list execution-providers force-fallback-shape-inference format gpus help
    infinities-compare-equal inline-functions iter-weights l2-tolerance limit load-debug-replay load-tactic-replay load-tactics
    lpips-tolerance memory-budget memory-pool-limit nans-compare-equal onnxrt op openvino override-input-shapes pluginref
    postprocess-func-script precision psnr-tolerance python reference rel-tol report repro
    save-debug-replay save-tactic-replay save-tactics snr-tolerance tensor-datatypes trt trt-cpps trt-npps
    trt-optional-profiles validate visual-port""".split()
)
ROOMS = "base tensor model edit worker backend data stats compare run diff inspect surgeon reduce locate diagnose blame lint pages tensorrt".split()


def test_every_option_in_a_message_has_a_parameter_or_none() -> None:
    found = set()
    for file in [file for room in ROOMS for kind in ("*.cc", "*.h") for file in (ROOT / "src" / room).rglob(kind)]:
        lines = [] if file.name.endswith("_test.cc") else file.read_text().splitlines()
        code = "\n".join(line for line in lines if not line.strip().startswith("//"))
        for text in re.findall(r'"((?:[^"\\\n]|\\.)*)"', code):
            found |= set(re.findall(r"(?<![\w-])--([a-z0-9]+(?:-[a-z0-9]+)*)", re.sub("`[^`]*`", "", text)))
    unknown = found - set(parameters.PARAMETERS) - NO_PARAMETER
    assert not unknown, f"add these to assay/parameters.py, or to NO_PARAMETER: {sorted(unknown)}"


def test_options_in_the_table_exist_and_lead_to_parameters() -> None:
    """So that neither a renamed option nor a renamed parameter leaves a row behind."""
    sources = "".join(file.read_text() for file in (ROOT / "src").rglob("*.cc"))
    sources += "".join(file.read_text() for file in (ROOT / "src").rglob("*.h"))
    ours = "".join(file.read_text() for file in (ROOT / "python" / "assay").rglob("*.py") if file.name != "parameters.py")
    for option, parameter in parameters.PARAMETERS.items():
        assert re.search(rf"--{option}(?![\w-])", sources), option
        words = re.findall(r"\w*_\w*|(?<=of )\w+|\w+(?=\(\))", parameter) or [parameter]
        assert all(re.search(rf"\b{word}\b", ours) for word in words), parameter
