"""Writes format_cases.json: arrays, printing options, and the text that NumPy 2.4 prints for them. Run in this folder."""

import base64
import io
import json

import numpy as np

TYPES = ["float32", "float64", "float16", "int64", "int32", "int8", "uint8", "bool", "uint64", "complex64", "complex128",
         "str"]
WORDS = ["a", "bb", "c'c", 'd"d', "", "e\\e", "f\nf", "\u00e9", "\t"]
r = np.random.RandomState(11)


def numbers(kind, shape):
    a = r.standard_normal(shape)
    if kind == 1:
        a = a * 10.0 ** r.randint(-8, 9)
    if kind == 2:
        a = a * 10.0 ** np.asarray(r.randint(-6, 6, shape))
    if kind == 3:
        a = np.round(a * 10)
    if kind == 4:
        a = np.round(a, 2)
    if kind == 5:
        a = np.where(r.random_sample(shape) < 0.2, r.choice([np.nan, np.inf, -np.inf, 0.0, -0.0]), a)
    if kind == 6:
        a = a * 0 + r.choice([0.0, 1.0, -1.0, 1e10, 0.1, 123456.789])
    return a


def array(name, shape):
    if name == "bool":
        return np.asarray(r.randint(0, 2, shape)).astype(bool)
    if name == "str":
        return np.asarray(r.choice(WORDS, shape)) if 0 not in shape else np.zeros(shape, "U3")
    if "int" in name:
        limits = np.iinfo(name)
        high = int(min(limits.max, 10 ** r.randint(1, 19)))
        low = int(max(limits.min, -high)) if r.randint(2) else 0
        return np.asarray(r.randint(low, high, shape, dtype=name))
    a = numbers(r.randint(0, 7), shape)
    if name.startswith("complex"):
        a = a + 1j * r.standard_normal(shape) * 10.0 ** r.randint(-3, 3)
    with np.errstate(all="ignore"):
        return np.asarray(a).astype(name)


def encoded(a):
    file = io.BytesIO()
    np.save(file, a)
    return {"array": base64.b64encode(file.getvalue()).decode(), "polygraphy_class": "ndarray"}


cases = []
for number in range(120):
    shape = tuple(int(x) for x in r.choice([0, 1, 2, 3, 4, 5, 7, 12], r.randint(0, 5),
                                           p=[0.03, 0.12, 0.2, 0.2, 0.15, 0.1, 0.1, 0.1]))
    if np.prod(shape) > 150:
        shape = shape[:2]
    a = array(TYPES[number % len(TYPES)], shape)
    threshold, edge, width = int(r.choice([1000, 10, 0])), int(r.choice([3, 1, 2, 5])), int(r.choice([75, 40, 20, 120]))
    with np.printoptions(threshold=threshold, edgeitems=edge, linewidth=width):
        cases.append({"array": encoded(a), "threshold": threshold, "edge_items": edge, "line_width": width, "text": str(a)})
with open("format_cases.json", "w", encoding="utf-8") as file:
    json.dump(cases, file, indent=1)
