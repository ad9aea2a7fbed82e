"""Writes page_assets.h: the page's script and style sheet, their hashes for the content security policy, and the
licences of what the script contains. Called by CMake with the folder of the bundles, that of the packages from npm
(which may be missing), and the file to write."""

import base64
import hashlib
import pathlib
import sys

folder, packages, target = (pathlib.Path(argument) for argument in sys.argv[1:])


def constant(name: str, text: str) -> str:
    assert ')assets"' not in text
    # Compilers limit the length of one literal, not of adjacent ones.
    pieces = [text[begin : begin + 16000] for begin in range(0, len(text), 16000)] or [""]
    literal = "\n".join(f'R"assets({piece})assets"' for piece in pieces)
    return f"inline constexpr std::string_view {name} =\n{literal};\n"


def policy_hash(text: str) -> str:
    return "sha256-" + base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()


script = (folder / "page.js").read_text("utf-8")
style = (folder / "page.css").read_text("utf-8")
licences = ""
for name in ("uplot", "@dagrejs/dagre"):
    licence = packages / name / "LICENSE"
    if script and licence.exists():
        licences += f"{name}\n\n{licence.read_text('utf-8').strip()}\n\n"
target.parent.mkdir(parents=True, exist_ok=True)
target.write_text(
    "// Written by embed.py.\n#pragma once\n#include <string_view>\nnamespace assay::report {\n"
    + constant("kPageScript", script)
    + constant("kPageScriptHash", policy_hash(script))
    + constant("kPageStyle", style)
    + constant("kPageStyleHash", policy_hash(style))
    + constant("kPageLicences", licences.strip())
    + "}  // namespace assay::report\n",
    "utf-8",
)
