"""The loaders, for programs that import the module in which Polygraphy defines them."""

from assay.backend.common import (
    BytesFromPath,
    InvokeFromScript,
    SaveBytes,
    bytes_from_path,
    invoke_from_script,
    save_bytes,
)

__all__ = [
    "BytesFromPath",
    "InvokeFromScript",
    "SaveBytes",
    "bytes_from_path",
    "invoke_from_script",
    "save_bytes",
]
