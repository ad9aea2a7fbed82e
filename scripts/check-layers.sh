#!/bin/bash
# check-layers.sh: checks that files include only what the DEPENDS of their rooms reach.
#
# A room (a folder of src/) includes its own headers and those of the rooms that the DEPENDS of its CMakeLists.txt
# reach, directly or through others. Some libraries belong to one room only (ONLY_IN). Headers that take long to compile
# must not be included in headers.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
python3 - << 'PYTHON'
import pathlib
import re
import sys

ONLY_IN = {"CLI/": {"cli"}, "spdlog/": {"cli"}, "onnxruntime_c_api.h": {"backend"}, "openvino/": {"backend"}, "NvInfer.h": {"backend_tensorrt_sdk"},
           "NvInferRuntime.h": {"backend_tensorrt_sdk"}, "NvOnnxParser.h": {"backend_tensorrt_sdk"}, "zip.h": {"tensor"},
           "pcre2.h": {"base"}, "sqlite3.h": {"reduce_verdicts"}, "xxhash.h": {"diff", "reduce_verdicts"}, "zlib.h": {"report_page"}}
NOT_IN_HEADERS = ("nlohmann/json.hpp",)

source = pathlib.Path("src")
folders = {file.parent for file in source.glob("*/**/CMakeLists.txt")}
rooms = {"_".join(folder.relative_to(source).parts): folder for folder in folders}  # reduce_judge: src/reduce/judge


def room_of(path: pathlib.Path) -> str:
    """Returns the innermost room that contains a file (a path relative to src/), or ""."""
    return next(("_".join(folder.parts) for folder in path.parents if source / folder in folders), "")


def arguments(room: str, keyword: str) -> set[str]:
    text = re.sub(r"#.*", "", (rooms[room] / "CMakeLists.txt").read_text())
    found = set()
    for call in re.findall(r"assay_room\(([^)]*)\)", text):
        words, inside = call.split(), False
        for word in words:
            if word in ("DEPENDS", "TEST_DEPENDS"):
                inside = word == keyword
            elif inside and word.startswith("assay_") and word.removeprefix("assay_") in rooms:
                found.add(word.removeprefix("assay_"))
    return found


def reachable(start: set[str], path: tuple[str, ...] = ()) -> set[str]:
    found = set(start)
    for room in start:
        if room in path:
            sys.exit(f"rooms depend on each other in a circle: {' -> '.join(path + (room,))}")
        found |= reachable(arguments(room, "DEPENDS"), path + (room,))
    return found


problems, count = [], 0
for room in sorted(rooms):
    allowed = reachable({room})
    allowed_in_tests = allowed | reachable(arguments(room, "TEST_DEPENDS"))
    for file in sorted(rooms[room].glob("**/*")):
        if file.suffix not in (".h", ".cc") or room_of(file.relative_to(source)) != room:
            continue
        count += 1
        here = allowed_in_tests if "test" in file.stem.split("_") else allowed
        for number, line in enumerate(file.read_text().splitlines(), 1):
            match = re.match(r'\s*#\s*include\s*[<"]([^>"]+)[>"]', line)
            if not match:
                continue
            header = match[1]
            owner = room_of(pathlib.Path(header))
            if owner in rooms and owner not in here:
                problems.append(f"{file}:{number}: {room} includes {header}, but doesn't depend on {owner}")
            for prefix, users in ONLY_IN.items():
                if (header == prefix or prefix.endswith("/") and header.startswith(prefix)) and room not in users:
                    problems.append(f"{file}:{number}: {header} may be included in {', '.join(sorted(users))} only")
            if file.suffix == ".h" and header in NOT_IN_HEADERS:
                problems.append(f"{file}:{number}: {header} takes long to compile: include it in the .cc, or json_fwd.hpp here")

print("\n".join(problems) if problems else f"{count} files in {len(rooms)} rooms include only what their rooms depend on")
sys.exit(bool(problems) or count == 0)
PYTHON
