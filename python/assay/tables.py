"""Tables of results: as text for terminals, as HTML for notebooks."""

from __future__ import annotations

from html import escape
from typing import Any, Sequence

MOST_ROWS = 50  # of a table in a notebook that may get long


def text_table(header: Sequence[str], rows: Sequence[Sequence[Any]]) -> str:
    """Returns lines with aligned columns."""
    cells = [[str(cell) for cell in row] for row in rows]
    widths = [max(len(line[column]) for line in [list(header), *cells]) for column in range(len(header))]
    lines = [[cell.ljust(width) for cell, width in zip(line, widths)] for line in [list(header), *cells]]
    return "\n".join("  ".join(line).rstrip() for line in lines)


def html_table(title: str, header: Sequence[str], rows: Sequence[Sequence[Any]], notes: Sequence[str] = ()) -> str:
    """Returns a paragraph and a table, unless it has no rows. All texts are escaped: names in models can be anything."""
    head = "".join(f"<th>{escape(cell)}</th>" for cell in header)
    body = "".join("<tr>" + "".join(f"<td>{escape(str(cell))}</td>" for cell in row) + "</tr>" for row in rows)
    below = "".join(f"<p>{escape(note)}</p>" for note in notes)
    table = f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>" if rows else ""
    return f"<p><b>{escape(title)}</b></p>{table}{below}"


def short_html_table(title: str, header: Sequence[str], rows: Sequence[Sequence[Any]], notes: Sequence[str] = ()) -> str:
    """Returns a table with the first rows only. A note says how many are left out."""
    hidden = len(rows) - MOST_ROWS
    more = [f"{counted(hidden, 'more row')} not shown."] if hidden > 0 else []
    return html_table(title, header, rows[:MOST_ROWS], [*more, *notes])


def shape_text(shape: Sequence[int | str] | None) -> str:
    """Returns "[1, n, ?]", or "" if not even the rank is known."""
    return "" if shape is None else "[" + ", ".join("?" if size == -1 else str(size) for size in shape) + "]"


def counted(count: int, noun: str) -> str:
    """Returns "1 node" or "2 nodes"."""
    return f"{count} {noun}" if count == 1 else f"{count} {noun}s"


def type_text(value: object) -> str:
    """Returns the type of an object with its article: "an int"."""
    name = type(value).__name__
    return "None" if value is None else f"{'an' if name[:1].lower() in 'aeiou' else 'a'} {name}"
