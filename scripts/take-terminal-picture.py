#!/usr/bin/env python3
"""Takes the picture of a terminal for the documentation: runs `assay debug reduce` on a real failure in a pseudo-terminal
and draws the last screen as SVG.

usage: take-terminal-picture.py ASSAY PICTURE.svg
The model is examples/models/qdq_multi_consumer.onnx, which ONNX Runtime computes wrong with its optimisations."""
import fcntl
import html
import os
import pathlib
import pty
import re
import shlex
import shutil
import struct
import sys
import tempfile
import termios

MODEL = pathlib.Path(__file__).resolve().parent.parent / "examples/models/qdq_multi_consumer.onnx"
COMMAND = ["assay", "debug", "reduce", MODEL.name, "-o", "reduced.onnx", "--hide-fail-output", "--check", "assay", "run",
           "polygraphy_debug.onnx", "--onnxrt", "--onnxrt=exact:graph-optimization-level=ORT_DISABLE_ALL", "--atol", "0.1"]
COLUMNS, ROWS = 120, 60
LARGEST = 200_000  # bytes
# What a line consists of: colours, other control sequences, and text.
PART = re.compile(r"\x1b\[([0-9;]*)m|\x1b\[[0-9;?]*[A-Za-z]|([^\x1b]+)")
COLOURS = {"31": "#ff8a80", "32": "#7fd6a0", "33": "#f0c36a", "36": "#6fc3df"}
CELL, LINE, MARGIN = 7.83, 18, 18  # pixels, of a font of 13 pixels


def run_in_terminal(command, folder, path):
    """Returns what the command writes to a terminal, and its exit status."""
    process, terminal = pty.fork()
    if process == 0:
        os.chdir(folder)
        os.execvpe(command[0], command, os.environ | {"PATH": path, "TERM": "xterm-256color"})
    fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", ROWS, COLUMNS, 0, 0))
    output = b""
    while True:
        try:
            read = os.read(terminal, 1 << 16)
        except OSError:  # Linux reports the end of a terminal in this way
            break
        if not read:
            break
        output += read
    return output.decode(), os.waitstatus_to_exitcode(os.waitpid(process, 0)[1])


def cells_of(line):
    """Returns the (character, colour) pairs that a line shows in the end: what follows the last "\\r"."""
    # Assay redraws its status line after a "\r", and erases it before a message.
    colour, cells = "", []
    for code, text in PART.findall(line.rstrip("\r").split("\r")[-1]):
        if text:
            cells += [(character, colour) for character in text]
        else:
            colour = COLOURS.get(code.split(";")[-1], "")
    return cells


def draw_line(cells, row):
    parts, start = [], 0
    for end in range(1, len(cells) + 1):
        if end == len(cells) or cells[end][1] != cells[start][1]:
            # SVG would collapse other spaces.
            text = html.escape("".join(character for character, _ in cells[start:end])).replace(" ", "\u00a0")
            colour = cells[start][1]
            parts.append(f'<tspan fill="{colour}">{text}</tspan>' if colour else text)
            start = end
    return f'<text x="{MARGIN}" y="{MARGIN + 44 + row * LINE}">{"".join(parts)}</text>'


def draw(output):
    prompt = [("$", COLOURS["32"]), *((character, "") for character in " " + shlex.join(COMMAND))]
    rows = []
    for cells in [prompt, *map(cells_of, output.rstrip().split("\n"))]:
        rows += [cells[at:at + COLUMNS] for at in range(0, max(len(cells), 1), COLUMNS)]
    width, height = 2 * MARGIN + COLUMNS * CELL, MARGIN + 44 + len(rows) * LINE
    dots = "".join(f'<circle cx="{22 + 20 * i}" cy="20" r="6" fill="{fill}"/>' for i, fill in enumerate(["#ff6159", "#ffbd2e", "#28c941"]))
    lines = "\n".join(draw_line(cells, row) for row, cells in enumerate(rows))
    return (f'<svg xmlns="http://www.w3.org/2000/svg" width="{width:.0f}" height="{height:.0f}" viewBox="0 0 {width:.0f} {height:.0f}" '
            f'role="img">\n<title>assay debug reduce in a terminal</title>\n<rect width="100%" height="100%" rx="9" fill="#12161c"/>\n{dots}\n'
            f'<g font-family="ui-monospace, SFMono-Regular, Menlo, Consolas, \'DejaVu Sans Mono\', monospace" font-size="13" fill="#e7ebf0">\n'
            f'{lines}\n</g>\n</svg>\n')


def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    assay, picture = pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(sys.argv[2])
    with tempfile.TemporaryDirectory() as folder:
        shutil.copy(MODEL, folder)
        output, status = run_in_terminal(COMMAND, folder, f"{assay.parent}{os.pathsep}{os.environ['PATH']}")
    if status != 0:
        sys.exit(f"error: the command failed with exit status {status}:\n{output}")
    svg = draw(output)
    if len(svg.encode()) > LARGEST:
        sys.exit(f"error: the picture has {len(svg.encode())} bytes, more than {LARGEST}")
    picture.write_text(svg, encoding="utf-8")
    print(f"{picture}: {len(svg.encode()) / 1000:.0f} kB")


if __name__ == "__main__":
    main()
