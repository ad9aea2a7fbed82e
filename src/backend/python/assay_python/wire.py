"""Reads and writes protobuf's wire format, as far as the worker protocol and ONNX files use it.

The user's interpreter may not have the package protobuf. Source: protobuf.dev/programming-guides/encoding.
"""
import struct

VARINT, FIXED64, BYTES, FIXED32 = 0, 1, 2, 5


class Malformed(Exception):
    """The bytes aren't a message."""


def read_varint(data, at):
    """Returns the number at `at` and the position after it."""
    value = shift = 0
    while True:
        if at >= len(data) or shift > 63:
            raise Malformed("a number does not end")
        byte = data[at]
        at += 1
        value |= (byte & 0x7F) << shift
        if byte < 0x80:
            return value & 0xFFFFFFFFFFFFFFFF, at
        shift += 7


def fields(data):
    """Yields (number, value) of each field. The value is an int for varints, else a view of the bytes."""
    data = memoryview(data)
    at = 0
    while at < len(data):
        tag, at = read_varint(data, at)
        kind = tag & 7
        if kind == VARINT:
            value, at = read_varint(data, at)
        else:
            if kind == BYTES:
                length, at = read_varint(data, at)
            elif kind in (FIXED64, FIXED32):
                length = 8 if kind == FIXED64 else 4
            else:
                raise Malformed("a field has an unknown wire type")
            if length > len(data) - at:
                raise Malformed("a field is longer than the message around it")
            value = data[at:at + length]
            at += length
        yield tag >> 3, value


def signed(value):
    return value - (1 << 64) if value >= 1 << 63 else value


def numbers(values):
    """Returns the numbers of a repeated field, whether its `values` are packed or separate."""
    found = []
    for value in values:
        if isinstance(value, int):
            found.append(signed(value))
            continue
        at = 0
        while at < len(value):
            number, at = read_varint(value, at)
            found.append(signed(number))
    return found


class Message:
    """The fields of a message, by number."""

    def __init__(self, data):
        self._fields = {}
        for number, value in fields(data):
            self._fields.setdefault(number, []).append(value)

    def all(self, number):
        return self._fields.get(number, [])

    def last(self, number, otherwise):
        return self._fields.get(number, [otherwise])[-1]

    def text(self, number):
        return to_text(self.last(number, b""))


def to_text(data):
    # Names and messages may not be UTF-8; surrogateescape preserves such bytes.
    return bytes(data).decode("utf-8", "surrogateescape")


def to_bytes(text):
    return text if isinstance(text, bytes) else text.encode("utf-8", "surrogateescape")


def varint(value):
    value &= 0xFFFFFFFFFFFFFFFF
    out = bytearray()
    while value >= 0x80:
        out.append(value & 0x7F | 0x80)
        value >>= 7
    out.append(value)
    return bytes(out)


def number(field, value):
    return varint(field << 3 | VARINT) + varint(value)


def real(field, value):
    return varint(field << 3 | FIXED64) + struct.pack("<d", value)


def content(field, data):
    data = to_bytes(data)
    return varint(field << 3 | BYTES) + varint(len(data)) + data
