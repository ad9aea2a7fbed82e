"""Writes all backend tests of the installed onnx package into a folder: for ASSAY_ONNX_BACKEND_TESTS.

    pip install onnx==1.23.* ml_dtypes pillow && python make_backend_models.py FOLDER

The tests of single operators ("node") are not files of the package: it makes them when they are wanted. They come with inputs
and the outputs that are expected, laid out as ONNX does: node/NAME/test_data_set_0/input_0.pb (a TensorProto), and with
node/NAME/tolerance.txt, the relative and the absolute one. Values that are no tensors are left out.
"""

import pathlib
import shutil
import sys

import numpy as np
import onnx.backend.test
from onnx import numpy_helper
from onnx.backend.test import loader

out = pathlib.Path(sys.argv[1])


def write_values(folder, kind, ports, values):
    for index, (port, value) in enumerate(zip(ports, values)):
        if not port.type.HasField("tensor_type") or value is None or isinstance(value, (list, dict)):
            continue
        if not isinstance(value, onnx.TensorProto):
            value = numpy_helper.from_array(np.asarray(value), port.name)
        value.name = port.name
        (folder / f"{kind}_{index}.pb").write_bytes(value.SerializeToString())


data = pathlib.Path(onnx.backend.test.__file__).parent / "data"
for source in sorted(data.rglob("*.onnx")):
    target = out / source.relative_to(data)
    target.parent.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(source, target)
for case in loader.load_model_tests(kind="node"):
    folder = out / "node" / case.name
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "model.onnx").write_bytes(case.model.SerializeToString())
    (folder / "tolerance.txt").write_text(f"{case.rtol} {case.atol}\n")
    for index, (inputs, outputs) in enumerate(case.data_sets):
        values = folder / f"test_data_set_{index}"
        values.mkdir(exist_ok=True)
        write_values(values, "input", case.model.graph.input, inputs)
        write_values(values, "output", case.model.graph.output, outputs)
print(len(list(out.rglob("*.onnx"))), "models")
