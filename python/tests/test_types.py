"""The annotations of the package are right: mypy --strict finds nothing."""

import os
import subprocess
import sys
from pathlib import Path

import assay


def test_mypy_finds_nothing(tmp_path: Path) -> None:
    config = Path(__file__).parents[1] / "mypy.ini"
    package = Path(assay.__file__).parent  # of the build folder, which has the extension, too
    result = subprocess.run(
        [sys.executable, "-m", "mypy", "--config-file", config, "--cache-dir", tmp_path, package],
        cwd=package.parent,
        env={**os.environ, "MYPYPATH": str(package.parent)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert result.returncode == 0, result.stdout
