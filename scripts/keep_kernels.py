"""Clears the GPU code for other architectures than one in a library of NVIDIA's, in place: keep_kernels.py LIBRARY 90

A library such as TensorRT 10.6's libnvinfer_builder_resource has the kernels of all architectures, each in a "fatbin": a
list of entries, each for one architecture. NVIDIA's driver takes the entry of its GPU. The others become zeros, which
compress to nothing; all sizes and places stay. A fatbin without an entry for this architecture isn't changed, since the
driver may compile its PTX. Prints how many bytes were cleared.
"""

import mmap
import struct
import sys

FATBIN = struct.Struct("<IHHQ")  # magic number, version, size of this header, size of the entries
MAGIC = 0xBA55ED50
ENTRY = struct.Struct("<HHIQ")  # kind, version, size of this header, size of the code after it
ARCHITECTURE = struct.Struct("<I")
ARCHITECTURE_AT = 28  # in the entry
MACHINE_CODE = 2  # kind of an entry; 1 is PTX


def entries_of(data, begin):
    """Returns kind, architecture, begin and end of the code of each entry; None if there is no fatbin at `begin`."""
    if begin + FATBIN.size > len(data):
        return None
    _, version, header, size = FATBIN.unpack_from(data, begin)
    end = begin + header + size
    if version != 1 or header != FATBIN.size or end > len(data):
        return None
    entries = []
    at = begin + header
    while at < end:
        if at + ARCHITECTURE_AT + ARCHITECTURE.size > end:
            return None
        kind, _, header, size = ENTRY.unpack_from(data, at)
        code = at + header
        if kind not in (1, MACHINE_CODE) or header < ARCHITECTURE_AT + ARCHITECTURE.size or code + size > end:
            return None
        entries.append((kind, ARCHITECTURE.unpack_from(data, at + ARCHITECTURE_AT)[0], code, code + size))
        at = code + size
    return entries


def clear_others(data, architecture):
    """Clears the code of other entries in all fatbins that have machine code for the architecture. Returns its size."""
    cleared = 0
    at = data.find(struct.pack("<I", MAGIC))
    while at >= 0:
        entries = entries_of(data, at) or []
        mine = (MACHINE_CODE, architecture)
        if mine in {entry[:2] for entry in entries}:
            for kind, own, begin, end in entries:
                if (kind, own) != mine:
                    data[begin:end] = bytes(end - begin)
                    cleared += end - begin
        at = data.find(struct.pack("<I", MAGIC), entries[-1][3] if entries else at + 4)
    return cleared


if __name__ == "__main__":
    with open(sys.argv[1], "r+b") as file, mmap.mmap(file.fileno(), 0) as library:
        print(clear_others(library, int(sys.argv[2])))
