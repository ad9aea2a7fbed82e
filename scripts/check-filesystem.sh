#!/bin/bash
# check-filesystem.sh: rejects calls of std::filesystem that throw. Code returns errors (CONTRIBUTING.md). Nothing
# catches such an exception, so it would end the program.
#
# Nearly every function of std::filesystem has an overload that takes a std::error_code as its last argument instead.
# Functions of a file_status never throw, if the status was queried in that way.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
python3 - << 'PYTHON'
import pathlib
import re
import sys

FUNCTIONS = """absolute canonical copy copy_file copy_symlink create_directories create_directory create_directory_symlink
    create_hard_link create_symlink current_path directory_iterator equivalent exists file_size hard_link_count
    is_block_file is_character_file is_directory is_empty is_fifo is_other is_regular_file is_socket is_symlink
    last_write_time permissions proximate read_symlink recursive_directory_iterator relative remove remove_all rename
    resize_file space status symlink_status temp_directory_path weakly_canonical""".split()
CALL = re.compile(rf"\b(?:fs|filesystem)::({'|'.join(FUNCTIONS)})(?:\s+\w+)?\(")
CODE = re.compile(r"\berror_code\s*&?\s+(\w+)")
STATUS = re.compile(r"\b(?:file_status|auto)\s*&?\s+(\w+) = (?:fs|std::filesystem)::(?:symlink_)?status\(|\bfile_status\s*&?\s+(\w+)")


def last_argument(text: str, begin: int) -> str:
    """Returns the last argument of the call whose arguments begin there."""
    depth, start = 1, begin
    for at in range(begin, len(text)):
        depth += (text[at] in "([{") - (text[at] in ")]}")
        if depth == 0:
            return text[start:at].strip()
        if text[at] == "," and depth == 1:
            start = at + 1
    return ""


problems, count = [], 0
for file in sorted(pathlib.Path("src").rglob("*")):
    if file.suffix not in (".h", ".cc") or "test" in file.stem.split("_"):
        continue
    count += 1
    text = re.sub(r"//.*", "", file.read_text())
    codes = set(CODE.findall(text))
    statuses = {name for names in STATUS.findall(text) for name in names if name}
    for call in CALL.finditer(text):
        last = last_argument(text, call.end())
        of_status = call[1].startswith(("is_", "exists")) and (last in statuses or re.match(r"fs::(symlink_)?status\(", last))
        is_end = call[1].endswith("_iterator") and not last
        if last not in codes and not of_status and not is_end:
            line = text.count("\n", 0, call.start()) + 1
            problems.append(f"{file}:{line}: {call[1]}() without a std::error_code may throw")

print("\n".join(problems) if problems else f"{count} files call no function of std::filesystem that throws")
sys.exit(bool(problems) or count == 0)
PYTHON
