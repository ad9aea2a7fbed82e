"""The module paths and names that ported programs import, and the small functions that they call."""

import importlib
import sys
from pathlib import Path

import numpy as np
import onnx
import pytest

import assay
from assay import constants, mod, util
from assay.backend.common import InvokeFromScript, invoke_from_script
from assay.backend.onnx import util as onnx_util
from assay.common import MetadataTuple, TensorMetadata
from assay.datatype import DataType
from models import REAL, chain, parse

# As they occur in public code after `from polygraphy.`
IMPORTS = [
    ("backend.base", "BaseLoader BaseRunner"),
    ("backend.base.loader", "BaseLoader"),
    ("backend.base.runner", "BaseRunner"),
    ("backend.common", "BytesFromPath SaveBytes InvokeFromScript bytes_from_path save_bytes invoke_from_script"),
    ("backend.common.loader", "BytesFromPath SaveBytes bytes_from_path"),
    ("backend.onnx", "OnnxFromPath FoldConstants ModifyOutputs GsFromOnnx SaveOnnx gs_from_onnx onnx_from_path save_onnx"),
    ("backend.onnx.loader", "OnnxFromPath fold_constants gs_from_onnx infer_shapes onnx_from_path save_onnx"),
    ("backend.onnxrt", "OnnxrtRunner SessionFromOnnx session_from_onnx"),
    ("backend.onnxrt.loader", "SessionFromOnnx"),
    ("backend.onnxrt.runner", "OnnxrtRunner"),
    ("backend.pluginref", "PluginRefRunner"),
    ("backend.pluginref.runner", "PluginRefRunner"),
    ("backend.trt", "CreateConfig EngineFromNetwork NetworkFromOnnxPath Profile SaveEngine TrtRunner create_config"),
    ("backend.trt", "CreateNetwork EngineFromBytes LoadPlugins ModifyNetworkOutputs engine_from_network save_engine"),
    ("backend.trt.algorithm_selector", "Algorithm TacticRecorder TacticReplayData TacticReplayer TensorInfo"),
    ("backend.trt.calibrator", "Calibrator"),
    ("backend.trt.config", "CreateConfig PostprocessConfig"),
    ("backend.trt.loader", "EngineFromBytes EngineFromNetwork NetworkFromOnnxBytes bytes_from_engine"),
    ("backend.trt.profile", "Profile ShapeTuple"),
    ("backend.trt.runner", "TrtRunner"),
    ("common", "TensorMetadata PolygraphyException"),
    ("common.struct", "BoundedShape MetadataTuple TensorMetadata"),
    ("comparator", "Comparator CompareFunc DataLoader IterationResult PostprocessFunc RunResults"),
    ("comparator.comparator", "Comparator"),
    ("comparator.compare", "CompareFunc OutputCompareResult"),
    ("comparator.data_loader", "DataLoader DataLoaderCache"),
    ("comparator.struct", "AccuracyResult IterationResult RunResults"),
    ("datatype", "DataType"),
    ("datatype.datatype", "DataType"),
    ("exception", "PolygraphyException"),
    ("exception.exception", "PolygraphyException PolygraphyInternalException"),
    ("func", "constantmethod extend"),
    ("func.func", "extend"),
    ("json", "from_json load_json save_json to_json"),
    ("logger", "G_LOGGER LogMode"),
    ("logger.logger", "G_LOGGER LogMode Logger"),
    ("mod", "import_from_script lazy_import version"),
    ("util.util", "default volume"),
    ("util", "default invoke_if_callable load_file save_file unique_list volume"),
]


@pytest.mark.parametrize(("module", "names"), IMPORTS)
def test_ported_imports_work(module: str, names: str) -> None:
    found = importlib.import_module(f"assay.{module}")
    for name in names.split():
        assert getattr(found, name) is not None


def test_metadata_of_a_graph() -> None:
    model = parse("g (float[n, 3] x, float[2] w, int64 s) => (float[] y, double z) <float[2] w = {1, 2}> { y = Relu(x) }")
    model.graph.output[1].type.tensor_type.ClearField("shape")
    inputs, outputs = onnx_util.get_input_metadata(model.graph), onnx_util.get_output_metadata(model.graph)
    assert list(inputs) == ["x", "s"]
    assert inputs["x"].dtype == np.float32 and inputs["x"].shape == ["n", 3]
    assert inputs["s"].dtype == np.int64 and inputs["s"].shape == []
    assert outputs["z"].dtype == np.float64 and outputs["z"].shape is None
    assert onnx_util.get_input_metadata(assay.Model(model).graph) == inputs


def test_names_of_tensors() -> None:
    assert onnx_util.all_tensor_names(chain()) == ["a", "b", "c", "y"]
    assert onnx_util.all_tensor_names(chain(), include_inputs=True) == ["a", "b", "c", "y", "x"]
    model = onnx.load(REAL / "light_squeezenet.onnx")
    expected = [name for node in model.graph.node if node.op_type != "Constant" for name in node.output]
    assert onnx_util.all_tensor_names(model) == expected


def test_a_model_as_text() -> None:
    assert "Op: Relu" not in onnx_util.str_from_onnx(chain())
    assert "Op: Relu" in onnx_util.str_from_onnx(chain(), show_layers=True)


def test_objects_of_scripts(tmp_path: Path) -> None:
    (tmp_path / "script.py").write_text("def double(x): return 2 * x")
    assert mod.import_from_script(tmp_path / "script.py", "double")(4) == 8
    with pytest.raises(assay.NotFoundError, match="triple"):
        mod.import_from_script(tmp_path / "script.py", "triple")
    with pytest.raises(assay.NotFoundError, match="nowhere.py"):
        mod.import_from_script(tmp_path / "nowhere.py", "double")


def test_a_class_of_a_script_is_created_and_called(tmp_path: Path) -> None:
    script = tmp_path / "script.py"
    script.write_text("class Scaled:\n    factor = 3\n    def __call__(self, x): return self.factor * x\nscaled = Scaled()")
    assert InvokeFromScript(script, "Scaled")(4) == invoke_from_script(script, "Scaled", 4) == 12
    assert InvokeFromScript(script, "scaled")(4) == 12


def test_scripts_import_modules_from_their_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "neighbour_of_a_script.py").write_text("factor = 3")
    (tmp_path / "script.py").write_text("import neighbour_of_a_script as n\ndef triple(x): return n.factor * x")
    (tmp_path / "broken.py").write_text("open('nowhere.txt')")
    before = list(sys.path)
    monkeypatch.chdir("/")
    assert mod.import_from_script(tmp_path / "script.py", "triple")(4) == 12
    with pytest.raises(FileNotFoundError, match="nowhere.txt"):
        mod.import_from_script(tmp_path / "broken.py", "triple")
    assert sys.path == before


def test_lazy_modules_say_whether_they_exist_and_work(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(tmp_path)
    (tmp_path / "lacks_a_library.py").write_text("raise OSError('liblacking.so: cannot open shared object file')")
    (tmp_path / "works_here.py").write_text("")
    for name, is_installed, is_importable in (
        ("works_here", True, True),
        ("lacks_a_library", True, False),
        ("nowhere_to_be_found", False, False),
        ("nowhere_to_be_found.inside", False, False),
    ):
        lazy = mod.lazy_import(f"{name}>=1.0")
        assert lazy.is_installed() == is_installed
        assert name not in sys.modules
        assert lazy.is_importable() == is_importable
    monkeypatch.delitem(sys.modules, "works_here")


def test_shapes() -> None:
    assert util.override_dynamic_shape(("n", 3, -1, None)) == [1, 3, 1, 1]
    assert util.override_dynamic_shape((-1, 3), default_shape_value=7) == [7, 3]
    assert (util.volume(obj=(2, 3)), util.default(None, default=4), constants.DEFAULT_SHAPE_VALUE) == (6, 4, 1)


def test_shape_and_type_of_a_declaration_or_a_weight() -> None:
    declared = onnx.helper.make_tensor_value_info("x", onnx.TensorProto.FLOAT16, ["n", 3, None])
    weight = onnx.numpy_helper.from_array(np.zeros((2, 0), np.int8), "w")
    assert (onnx_util.get_shape(declared), onnx_util.get_dtype(declared)) == (["n", 3, -1], DataType.FLOAT16)
    assert (onnx_util.get_shape(weight), onnx_util.get_dtype(weight)) == ([2, 0], DataType.INT8)


@pytest.mark.parametrize(
    "older, newer",
    [("1.9", "1.10"), ("0.1a0", "0.1b0"), ("0.1b0", "0.1rc0"), ("0.1b0", "0.1b1"), ("0.1rc1", "0.1.0"), ("0.post0", "0.post1")],
)
def test_versions_are_ordered(older: str, newer: str) -> None:
    assert mod.version(older) < mod.version(newer)
    assert mod.version("1.13.1+cu117") == (1, 13, 1)


def test_declarations_take_what_add_takes() -> None:
    given = MetadataTuple(np.float32, (1, None))
    assert TensorMetadata().add("x", np.float32, (1, None))["x"] == given
    assert (given.dtype, given.shape, given.shape.max) == (DataType.FLOAT32, [1, None], None)
    assert MetadataTuple(None, None).shape is None
