"""What the extension defines, for type checkers. Sections follow the files of bindings/."""

from pathlib import Path

__version__: str

# installation.cc
def engines() -> list[tuple[str, str, str]]: ...
def libexec() -> Path: ...
