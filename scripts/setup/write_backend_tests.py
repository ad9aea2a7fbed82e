"""Writes the models of ONNX's backend tests to a folder: KIND/NAME/model.onnx.

Those of single operators exist only as Python code since ONNX 1.23; the others are copied with their inputs and outputs.
"""

import pathlib
import shutil
import sys

import onnx.backend.test
from onnx.backend.test.loader import load_model_tests


def main(target: pathlib.Path) -> None:
    data = pathlib.Path(onnx.backend.test.__file__).parent / "data"
    for kind in ("light", "pytorch-converted", "pytorch-operator", "simple"):
        shutil.copytree(data / kind, target / kind)
    for case in load_model_tests(kind="node"):
        folder = target / "node" / case.name
        folder.mkdir(parents=True)
        (folder / "model.onnx").write_bytes(case.model.SerializeToString(deterministic=True))


if __name__ == "__main__":
    main(pathlib.Path(sys.argv[1]))
