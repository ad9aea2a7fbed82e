"""`python -m assay` runs the command `assay` that belongs to this package."""
import os
import sys

from assay import _assay

if __name__ == "__main__":
    program = _assay.libexec().parents[1] / "bin" / "assay"
    try:
        os.execv(program, [str(program), *sys.argv[1:]])
    except OSError as error:
        sys.exit(f"error: cannot start {program}: {error.strerror}. Install or build Assay again")
