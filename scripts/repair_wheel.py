"""Turns a wheel that was built on Debian 12 into one that runs on other machines.

usage: repair_wheel.py WHEEL FOLDER

auditwheel copies the shared libraries that other machines may lack into the wheel, under new names. This adds their
licences, as Debian's packages state them, and writes the wheel to FOLDER, where it replaces an existing file of the same name.
"""

import os
import pathlib
import re
import subprocess
import sys
import tempfile

from auditwheel.wheeltools import InWheelCtx

# Nothing in the wheel needs symbols that are newer than glibc 2.35 and the libstdc++ of GCC 12, although Debian 12 has
# glibc 2.36: auditwheel checks it.
PLATFORM = f"manylinux_2_35_{os.uname().machine}"
LARGEST = 25 * 2**20  # bytes


def package_of(library: str) -> str:
    """Returns the Debian package of a library that auditwheel copied as, for example, libfmt-4f700944.so.9.1.0."""
    original = re.sub(r"-[0-9a-f]{8}(?=\.so)", "", library)
    found = subprocess.run(["dpkg-query", "-S", f"*/{original}"], check=True, capture_output=True, text=True)
    return found.stdout.split(":")[0]


def add_licences(wheel: pathlib.Path, result: pathlib.Path) -> None:
    with InWheelCtx(wheel) as context:
        context.out_wheel = result
        (licences,) = context.path.glob("*.dist-info/licenses")
        for library in context.path.glob("*.libs/*"):
            package = package_of(library.name)
            (licences / package).mkdir(exist_ok=True)
            text = pathlib.Path("/usr/share/doc", package, "copyright").read_bytes()
            (licences / package / "copyright").write_bytes(text)


def main(wheel: pathlib.Path, folder: pathlib.Path) -> None:
    with tempfile.TemporaryDirectory(dir=folder) as scratch:
        repaired = pathlib.Path(scratch, "repaired")
        command = ["auditwheel", "repair", "--plat", PLATFORM, "--only-plat", "-w", repaired, wheel]
        result = subprocess.run([sys.executable, "-m", *command], capture_output=True, text=True)
        if result.returncode != 0:
            sys.exit(f"error: auditwheel cannot repair {wheel.name}\n{result.stderr}")
        (portable,) = repaired.glob("*.whl")
        finished = pathlib.Path(scratch, portable.name)
        add_licences(portable, finished)
        size = finished.stat().st_size
        if size > LARGEST:
            sys.exit(f"error: {portable.name} has {size / 2**20:.1f} MiB, more than {LARGEST / 2**20:.0f}")
        finished.rename(folder / portable.name)
    print(f"{folder / portable.name} ({size / 2**20:.1f} MiB)")


if __name__ == "__main__":
    main(pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(sys.argv[2]).resolve())
