"""JSON with arrays, in Polygraphy's format: files of either tool can be read by the other.

An array is an object {"array": base64 of a .npy file, "polygraphy_class": "ndarray"}. Tensors of PyTorch are written as
arrays, too, which every program can read; those that Polygraphy wrote are read as tensors. Objects of this package have
methods ``save``, ``load``, ``to_json`` and ``from_json``; the functions here serve anything else that holds arrays, such as
a list of dictionaries of inputs.
"""

# The classes that files may hold are registered when these modules are imported.
from assay import comparator as _comparator  # noqa: F401
from assay.backend.trt import algorithm_selector as _algorithm_selector  # noqa: F401
from assay.serialization import (
    Decoder,
    Encoder,
    Serializable,
    add_json_methods,
    from_json,
    load_json,
    register,
    save_json,
    to_json,
)

__all__ = [
    "Decoder",
    "Encoder",
    "Serializable",
    "add_json_methods",
    "from_json",
    "load_json",
    "register",
    "save_json",
    "to_json",
]
