"""The end of a benchmark: its table once more, whole, and in a file that is never half written."""
import os


def write_table(lines, path):
    """Prints the lines of a Markdown table; writes them to `path` too, unless that is empty."""
    table = "\n".join(lines) + "\n"
    print("\n" + table)
    if path:
        with open(path + ".part", "w") as file:
            file.write(table)
        os.replace(path + ".part", path)
