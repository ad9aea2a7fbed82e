"""Writes a model in memory to a file, for modules that read files.

The model and copies of its weight files are put in a folder that Assay has created for the worker, and removes: engines
need the weights below the model's folder and refuse links.
"""
import fcntl
import os
import shutil

KEY = b"\x0a\x08location\x12"  # StringStringEntryProto: "location", then the length of the value
FICLONE = 0x40049409


def external_locations(model):
    """Returns the files that a serialized model names, found by their encoding. Wrong matches name no file and are
    skipped later."""
    found, at = [], model.find(KEY)
    while at >= 0:
        start = at + len(KEY)
        length = shift = 0
        while start < len(model) and shift < 32:
            byte = model[start]
            start += 1
            length |= (byte & 0x7F) << shift
            shift += 7
            if byte < 0x80:
                break
        location = model[start:start + length]
        if len(location) == length and location not in found:
            found.append(location)
        at = model.find(KEY, at + 1)
    return [os.fsdecode(location) for location in found]


def _stays_below(location):
    return location and not os.path.isabs(location) and ".." not in location.split("/") and "\0" not in location


def _copy(source, target):
    with open(source, "rb") as old, open(target, "wb") as new:
        try:
            fcntl.ioctl(new, FICLONE, old.fileno())
            return
        except OSError:
            pass  # the file system can't share blocks
    shutil.copyfile(source, target)


class Scratch:
    def __init__(self, folder):
        self._folder = folder  # empty if Assay couldn't create one
        self._copied = {}  # by path in the folder: the identity of the file that was copied

    def write(self, model, external_folder):
        """Writes the model to a file next to its weights. Returns the path."""
        if not self._folder:
            raise OSError("the model can't be written to a file for the module, since no temporary folder could be created: "
                          "set TMPDIR to a folder with space, or define load_bytes() in the module")
        model = bytes(model)
        locations = external_locations(model) if external_folder else []
        for location in locations:
            if _stays_below(location):
                self._bring(location, os.path.join(external_folder, location))
        name = "model.onnx"
        while name in locations:
            name = "_" + name
        path = os.path.join(self._folder, name)
        with open(path, "wb") as file:
            file.write(model)
        return path

    def _bring(self, location, source):
        try:
            status = os.stat(source)
        except OSError:
            return  # the module will fail to find it, and report that
        identity = (status.st_dev, status.st_ino, status.st_size, status.st_mtime_ns)
        if self._copied.get(location) == identity:
            return
        target = os.path.join(self._folder, location)
        os.makedirs(os.path.dirname(target), exist_ok=True)
        _copy(source, target)
        self._copied[location] = identity
