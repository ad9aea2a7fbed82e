"""Prints the complete table at the end of a benchmark and writes it to a file atomically."""
import os


def write_table(lines, path):
    """Prints the lines of a Markdown table and writes them to `path`, unless it is empty."""
    table = "\n".join(lines) + "\n"
    print("\n" + table)
    if path:
        with open(path + ".part", "w") as file:
            file.write(table)
        os.replace(path + ".part", path)
