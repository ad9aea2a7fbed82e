"""Reads the inputs and outputs of an ONNX model from its file. Field numbers are those of onnx.proto.

src/backend/serve/model_ports.h does the same for engines in C++.
"""
import mmap
from collections import namedtuple

from . import element_types
from .wire import Malformed, Message, fields, signed, to_text

# Unknown dimensions are -1. `kind` is "tensor" or another kind, such as "sequence(tensor(float32))".
Port = namedtuple("Port", "name type shape kind")

MOST_DEPTH = 16  # of nested types


def _shape(data):
    dims = []
    for field, dimension in fields(data):
        if field == 1:
            size = -1
            for part, value in fields(dimension):
                if part == 1:
                    size = max(-1, signed(value))
                elif part == 2:  # dim_param; another part, the denotation, doesn't count
                    size = -1
            dims.append(size)
    return dims


def _tensor(data):
    message = Message(data)
    return message.last(1, 0), _shape(message.last(2, b""))


def _type(data, depth=0):
    """Returns (element type, shape, kind)."""
    if depth > MOST_DEPTH:
        raise Malformed("a type is nested too deeply")
    for field, value in fields(data):
        if field == 1:
            return (*_tensor(value), "tensor")
        if field == 8:
            type_, shape = _tensor(value)
            return type_, shape, f"sparse_tensor({element_types.name_of(type_)})"
        if field in (4, 9):
            type_, shape, kind = _type(Message(value).last(1, b""), depth + 1)
            inner = f"tensor({element_types.name_of(type_)})" if kind == "tensor" else kind
            if field == 4:
                return 0, [], f"sequence({inner})"
            return type_, shape, f"optional({inner})"
        if field == 5:
            return 0, [], "map"
        if field == 7:
            return 0, [], "opaque"
    return 0, [], "tensor"


def _port(data):
    message = Message(data)
    return Port(message.text(1), *_type(message.last(2, b"")))


def read_ports(model):
    """Returns (inputs, outputs) of a serialized model, without inputs that are initializers. Raises Malformed."""
    graph = None
    for field, value in fields(model):
        if field == 7:
            graph = value
    if graph is None:
        raise Malformed("it has no graph")
    inputs, outputs, initializers = [], [], set()
    for field, value in fields(graph):
        if field == 5:
            initializers.add(_tensor_name(value))
        elif field == 15:
            initializers.add(_tensor_name(Message(value).last(1, b"")))
        elif field == 11:
            inputs.append(_port(value))
        elif field == 12:
            outputs.append(_port(value))
    return [port for port in inputs if port.name not in initializers], outputs


def _tensor_name(data):
    name = b""
    for field, value in fields(data):
        if field == 8:
            name = value
    return to_text(name)


def read_ports_of_file(path):
    with open(path, "rb") as file:
        try:
            mapped = mmap.mmap(file.fileno(), 0, prot=mmap.PROT_READ)
        except ValueError:  # an empty file
            raise Malformed("the file is empty") from None
        # The mapping isn't closed here, because views of it are still in use.
        return read_ports(mapped)
