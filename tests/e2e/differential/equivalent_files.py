"""Compares two files that two programs wrote for the same command. Returns a text that says what differs, or ""."""
import json
import pathlib

import numpy as np
import onnx
from onnx import numpy_helper
from polygraphy.comparator import RunResults
from polygraphy.json import load_json


def describe_port(port):
    kind = port.type.tensor_type
    shape = [d.dim_param or d.dim_value for d in kind.shape.dim] if kind.HasField("shape") else None
    return port.name, kind.elem_type, shape


def describe_node(node):
    attributes = sorted((a.name, a.SerializeToString(deterministic=True)) for a in node.attribute)
    return node.op_type, node.domain, node.name, list(node.input), list(node.output), attributes


def describe_model(path):
    graph = onnx.load(path).graph
    return {
        "inputs": [describe_port(port) for port in graph.input],
        "outputs": [describe_port(port) for port in graph.output],
        "nodes": [describe_node(node) for node in graph.node],
        "weights": sorted((w.name, numpy_helper.to_array(w).tobytes(), list(w.dims)) for w in graph.initializer),
    }


def describe_structure(path):
    """Describes each output by what computes it, so that neither names nor the order of nodes matter."""
    graph = onnx.load(path).graph
    known = {port.name: ("input", *describe_port(port)) for port in graph.input}
    known.update({w.name: ("weight", numpy_helper.to_array(w).tobytes()) for w in graph.initializer})
    producers = {name: (node, place) for node in graph.node for place, name in enumerate(node.output)}

    def describe(name):
        if name not in known:
            node, place = producers[name]
            _, _, _, inputs, _, attributes = describe_node(node)
            known[name] = (node.op_type, attributes, place, [describe(one) for one in inputs])
        return known[name]

    return [(describe(port.name), describe_port(port)[1:]) for port in graph.output]


def drop_types_that_polygraphy_lacks(found, expected):
    # Polygraphy writes marked outputs without a type, Assay with one, as ONNX demands (docs/differences.md).
    if len(found) != len(expected):
        return found
    return [ours if theirs[1] else (ours[0], *theirs[1:]) for ours, theirs in zip(found, expected)]


def describe_yaml(path):
    import yaml  # only guides that need it write such files

    return list(yaml.safe_load_all(path.read_text(encoding="utf-8")))


def describe_arrays(arrays):
    return {name: (str(np.asarray(a).dtype), np.shape(a), np.asarray(a).tobytes()) for name, a in arrays.items()}


def describe_lint(report):
    # The number of messages differs on purpose (docs/differences.md), the verdicts on nodes don't.
    return {key: sorted(nodes) for key, nodes in report["summary"].items()}


def describe_json(path):
    text = json.loads(pathlib.Path(path).read_text(encoding="utf-8"))
    if isinstance(text, dict) and "lint_entries" in text:
        return describe_lint(text)
    if isinstance(text, dict) and text.get("polygraphy_class") == "ShardHints":
        return dict(text, inputs=sorted(text["inputs"], key=str), outputs=sorted(text["outputs"], key=str))
    if isinstance(text, dict) and text.get("polygraphy_class") == "RunResults":  # names of runners contain the time
        return [[describe_arrays(one) for one in iterations] for _, iterations in RunResults.load(path).items()]
    if isinstance(text, list):
        return [describe_arrays(feed) for feed in load_json(path)]
    return text


def difference(ours, theirs, by_structure):
    models = describe_structure if by_structure else describe_model
    read = {".onnx": models, ".json": describe_json, ".yaml": describe_yaml}.get(ours.suffix)
    if ours.suffix == ".py":
        return ""  # a program of its own; that it works is tested with the command
    if ours.suffix == ".data":
        return ""  # weights, compared with their model
    if read is None:
        read = pathlib.Path.read_text
    found, expected = read(ours), read(theirs)
    if read is describe_model:
        found["outputs"] = drop_types_that_polygraphy_lacks(found["outputs"], expected["outputs"])
    if found == expected:
        return ""
    if isinstance(found, dict) and isinstance(expected, dict):
        keys = [key for key in {**found, **expected} if found.get(key) != expected.get(key)]
        found, expected = ({key: side.get(key) for key in keys} for side in (found, expected))
    return f"{ours.name}: {str(found)[:1500]}\n  Polygraphy: {str(expected)[:1500]}"
