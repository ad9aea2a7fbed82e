"""The functions, for programs that import the module in which Polygraphy defines them."""

from assay.json import Decoder, Encoder, add_json_methods, from_json, load_json, save_json, to_json

__all__ = ["Decoder", "Encoder", "add_json_methods", "from_json", "load_json", "save_json", "to_json"]
