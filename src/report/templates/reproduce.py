#!/usr/bin/env python3
"""Shows what README.md tells, with ONNX Runtime's own Python package and NumPy alone.

Usage: python3 reproduce.py [FOLDER]      FOLDER has model.onnx and data/; without it, that of this file
Ends with 0 where nothing is wrong, 1 where the failure is there, 2 where it cannot be tried; a crash of the engine is a
crash of this program.
"""
import os
import struct
import sys

import numpy as np
import onnxruntime as ort

#@SETTINGS@

NUMPY_TYPES = {1: "<f4", 2: "u1", 3: "i1", 4: "<u2", 5: "<i2", 6: "<i4", 7: "<i8", 9: "?", 10: "<f2", 11: "<f8",
               12: "<u4", 13: "<u8", 14: "<c8", 15: "<c16"}
STRING = 8
BITS = {16: 16, 17: 8, 18: 8, 19: 8, 20: 8, 24: 8}  # bfloat16, the float8 types
FOLDER = sys.argv[1] if len(sys.argv) > 1 else os.path.dirname(os.path.abspath(__file__))


def stop(message):
    print("CANNOT BE TRIED:", message)
    sys.exit(2)


def load(entry):
    """The values of (name, number of the ONNX type, shape, file)."""
    name, number, shape, file = entry
    path = os.path.join(FOLDER, file)
    if number == STRING:
        with open(path, "rb") as stream:
            data = stream.read()
        texts, at = [], 0
        while at < len(data):
            (length,) = struct.unpack_from("<Q", data, at)
            texts.append(data[at + 8:at + 8 + length].decode())
            at += 8 + length
        return np.array(texts, dtype=object).reshape(shape)
    if number in NUMPY_TYPES:
        return np.fromfile(path, dtype=NUMPY_TYPES[number]).reshape(shape)
    if number in BITS:
        return np.fromfile(path, dtype="u1" if BITS[number] == 8 else "<u2").reshape(shape)
    return stop(f"NumPy has no type for '{name}'; use reproduce.cc")


def providers():
    chosen = []
    for wanted in PROVIDERS:
        fitting = [name for name in ort.get_available_providers() if wanted.lower() in name.lower()]
        if not fitting:
            stop(f"this ONNX Runtime has no execution provider '{wanted}': it has {ort.get_available_providers()}")
        if fitting[0] not in chosen:
            chosen.append(fitting[0])
    return chosen or ["CPUExecutionProvider"]


def run():
    """The outputs of the model by name; those that are no tensors are left out."""
    options = ort.SessionOptions()
    options.log_severity_level = 3
    options.graph_optimization_level = ort.GraphOptimizationLevel(GRAPH_OPTIMIZATION_LEVEL)
    options.intra_op_num_threads = INTRA_OP_THREADS
    for key, value in SESSION_CONFIG.items():
        options.add_session_config_entry(key, value)
    session = ort.InferenceSession(os.path.join(FOLDER, "model.onnx"), options, providers=providers())
    wanted = {entry.name for entry in session.get_inputs()}
    entries = [entry for entry in INPUTS if entry[0] in wanted]
    names = [entry.name for entry in session.get_outputs()]
    if any(number in BITS for _, number, _, _ in entries):
        feeds = {entry[0]: ort.OrtValue.ortvalue_from_numpy_with_onnx_type(load(entry), entry[1])
                 if entry[1] in BITS else ort.OrtValue.ortvalue_from_numpy(load(entry)) for entry in entries}
        outputs = [value.numpy() for value in session.run_with_ort_values(names, feeds)]
    else:
        outputs = session.run(names, {entry[0]: load(entry) for entry in entries})
    return {name: value for name, value in zip(names, outputs) if isinstance(value, np.ndarray)}


def tolerance(table, name):
    return table.get(name, table[""])


def describe(value):
    text = f"{value.dtype}, shape={value.shape}"
    if value.size and value.dtype.kind in "fiu":
        numbers = value.astype(np.float64)
        finite = numbers[np.isfinite(numbers)]
        text += f", min={finite.min():.6g}, max={finite.max():.6g}" if finite.size else ""
        text += f", {value.size - finite.size} not finite" if finite.size < value.size else ""
    return text


def agree(name, seen, expected):
    if seen.shape != expected.shape:
        print(f"'{name}': the shape is {seen.shape}, expected {expected.shape}")
        return False
    if seen.dtype.kind not in "fiubc" or expected.dtype.kind not in "fiubc":
        same = bool(np.array_equal(seen, expected))
        print(f"'{name}': {'as expected' if same else 'not as expected'}")
        return same
    if np.array_equal(seen, expected):
        print(f"'{name}': as expected")
        return True
    kind = np.complex128 if "c" in (seen.dtype.kind, expected.dtype.kind) else np.float64
    with np.errstate(all="ignore"):
        error = np.abs(seen.astype(kind) - expected.astype(kind))
        right = (error <= tolerance(ATOL, name)) | (error / np.abs(expected.astype(kind)) <= tolerance(RTOL, name))
    wrong = int(right.size - np.count_nonzero(right))
    if wrong:
        at = tuple(int(i) for i in np.unravel_index(int(np.argmax(np.where(right, -1, error))), error.shape))
        print(f"'{name}': {wrong} of {right.size} elements differ, most at {at}: {seen[at]}, expected {expected[at]}")
    else:
        print(f"'{name}': as expected, within tolerances")
    return wrong == 0


def main():
    print(f"onnxruntime {ort.__version__}, numpy {np.__version__}, Python {sys.version.split()[0]}")
    try:
        outputs = run()
    except Exception as error:  # ONNX Runtime's have no base of their own
        print(f"FAILED: {type(error).__name__}: {error}")
        return 1
    for name, value in outputs.items():
        print(f"'{name}': {describe(value)}")
    failed = False
    if VALIDATE:
        for name, value in outputs.items():
            if value.dtype.kind == "f" and not np.all(np.isfinite(value)):
                print(f"'{name}': has NaN or infinity")
                failed = True
    for entry in EXPECTED:
        if entry[0] in outputs and (entry[1] in NUMPY_TYPES or entry[1] == STRING):
            failed |= not agree(entry[0], outputs[entry[0]], load(entry))
    print("FAILED" if failed else "The model ran, and nothing was wrong that this program looks at")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
