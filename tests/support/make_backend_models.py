"""Writes all backend test models of the installed onnx package into a folder: for ASSAY_ONNX_BACKEND_TESTS.

    pip install onnx==1.23.* ml_dtypes pillow && python make_backend_models.py FOLDER

The models of single operators ("node") are not files of the package: it makes them when they are wanted.
"""

import pathlib
import shutil
import sys

import onnx.backend.test
from onnx.backend.test import loader

out = pathlib.Path(sys.argv[1])
data = pathlib.Path(onnx.backend.test.__file__).parent / "data"
for source in sorted(data.rglob("*.onnx")):
    target = out / source.relative_to(data)
    target.parent.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(source, target)
for case in loader.load_model_tests(kind="node"):
    target = out / "node" / case.name / "model.onnx"
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_bytes(case.model.SerializeToString())
print(len(list(out.rglob("*.onnx"))), "models")
