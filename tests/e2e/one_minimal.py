#!/usr/bin/env python3
"""Verifies by brute force that no node of a failing model can be removed. Shares no code with the reducer: uses only onnx.

Each node is removed alone: those of the graph, of its bodies, and of local functions. The outputs of the node become
inputs of the model with the type and shape that the model declares, or else that onnx infers on the unchanged model. A
Constant also becomes an initializer. Tensors without readers are removed if they are inputs or initializers, and become
outputs if a node computes them. Then the check must not fail. With --bypass, readers of the node's output also read each
input of the same type and shape instead; with --values, they also read the recorded value.

In a local function, an output of a removed node becomes a new input of the function and of all calls around it.
A node is skipped, and named, if no candidate without it can be built because the types of its outputs are unknown.
The only node of the graph always counts as needed, since there is no candidate without it.

usage: one_minimal.py MODEL [--runs N] [--bypass] [--values FILE.npz] [--keep FOLDER] [--json] -- CHECK...
The check gets the candidate's file as its last argument; exit status 1 means that the failure occurs.
Exit status: 0 if no node can be removed, 1 if some can, 2 if the model itself doesn't fail or can't be read."""
import argparse
import copy
import itertools
import json
import pathlib
import subprocess
import sys
import tempfile

import onnx

FAILS = 1
GRAPH_TYPES = (onnx.AttributeProto.GRAPH, onnx.AttributeProto.GRAPHS)


def bodies_of(node):
    for attribute in node.attribute:
        if attribute.type == onnx.AttributeProto.GRAPH:
            yield attribute.g
        yield from attribute.graphs


def graphs_in(nodes):
    """Yields all bodies inside some nodes, outer ones first."""
    for node in nodes:
        for body in bodies_of(node):
            yield body
            yield from graphs_in(body.node)


def read_names(nodes):
    """Returns the names that nodes and their bodies read, including outputs of the bodies."""
    names = set()
    for node in nodes:
        names.update(node.input)
        for body in bodies_of(node):
            names |= read_names(body.node) | {output.name for output in body.output}
    return names - {""}


class Types:
    """The type and shape of each tensor, determined once for the whole model: as declared, otherwise as inferred."""

    def __init__(self, model):
        self.known = {}
        self.take(model)
        try:
            self.take(onnx.shape_inference.infer_shapes(model, data_prop=True))
        except Exception:  # some failures are models that onnx refuses
            pass

    def take(self, model):
        graphs = [model.graph, *graphs_in(model.graph.node)]
        for graph in graphs:
            for info in itertools.chain(graph.input, graph.output, graph.value_info):
                self.add(info.name, info.type)
            for weight in graph.initializer:
                self.add(weight.name, onnx.helper.make_tensor_type_proto(weight.data_type, weight.dims))

    def add(self, name, kind):
        """Keeps the first complete type; a type without a rank is replaced by one with a rank."""
        usable = kind.WhichOneof("value") is not None
        if kind.HasField("tensor_type"):
            usable = kind.tensor_type.elem_type != onnx.TensorProto.UNDEFINED
        old = self.known.get(name)
        has_rank = kind.HasField("tensor_type") and kind.tensor_type.HasField("shape")
        if usable and (old is None or (has_rank and not old.tensor_type.HasField("shape"))):
            self.known[name] = copy.deepcopy(kind)

    def of(self, name):
        kind = self.known.get(name)
        return None if kind is None else onnx.helper.make_value_info(name, kind)

    def same(self, one, other):
        """Returns whether two tensors have the same type and the same known shape."""
        a, b = self.known.get(one), self.known.get(other)
        if a is None or b is None or a.SerializeToString() != b.SerializeToString():
            return False
        return a.HasField("tensor_type") and a.tensor_type.HasField("shape")


class Place:
    """The place of a node: in the graph, in a body (a path of node and body numbers), or in a local function."""

    def __init__(self, path, number, function=None):
        self.path, self.number, self.function = path, number, function

    def owner(self, model):
        owner = model.graph if self.function is None else model.functions[self.function]
        for node, body in self.path:
            owner = list(bodies_of(owner.node[node]))[body]
        return owner

    def outer(self, model):
        return model.graph if self.function is None else model.functions[self.function]

    def describe(self, model):
        node = self.owner(model).node[self.number]
        inside = " in a body" if self.path else ""
        if self.function is not None:
            inside += f" in the function '{model.functions[self.function].name}'"
        return f"{node.op_type} '{node.name or (node.output or [''])[0]}'{inside}"


def places(model):
    def walk(owner, path, function):
        for number, node in enumerate(owner.node):
            yield Place(path, number, function)
            for index, body in enumerate(bodies_of(node)):
                yield from walk(body, path + [(number, index)], function)

    yield from walk(model.graph, [], None)
    for number, function in enumerate(model.functions):
        yield from walk(function, [], number)


def function_types(model, index, types):
    """Infers the types inside a function for its first call."""
    function = model.functions[index]
    nodes = list(model.graph.node) + [node for graph in graphs_in(model.graph.node) for node in graph.node]
    call = next((node for node in nodes if (node.op_type, node.domain) == (function.name, function.domain)), None)
    if call is None:
        return None
    inputs = [types.known.get(given) for given in call.input][:len(function.input)]
    if len(inputs) < len(function.input) or None in inputs:
        return None
    body = onnx.ModelProto(ir_version=model.ir_version, opset_import=function.opset_import)
    body.functions.extend(model.functions)
    body.graph.name = "body"
    body.graph.node.extend(function.node)
    given = {attribute.name: attribute for attribute in [*function.attribute_proto, *call.attribute]}
    for node in body.graph.node:
        for attribute in list(node.attribute):
            if not attribute.ref_attr_name:
                continue
            name, value = attribute.name, given.get(attribute.ref_attr_name)
            node.attribute.remove(attribute)
            if value is not None:
                node.attribute.add().CopyFrom(value)
                node.attribute[-1].name = name
    body.graph.input.extend(onnx.helper.make_value_info(name, kind) for name, kind in zip(function.input, inputs))
    for name, outer in zip(function.output, call.output):
        if outer in types.known:
            body.graph.output.append(onnx.helper.make_value_info(name, types.known[outer]))
    return Types(body)


def calls_of(nodes, function):
    for node in nodes:
        if (node.op_type, node.domain) == (function.name, function.domain):
            yield node
        for body in bodies_of(node):
            yield from calls_of(body.node, function)


def add_input(model, index, info):
    """Makes a tensor an input of the graph, or of a function and of all that calls it."""
    if index is None:
        if info.name not in {given.name for given in model.graph.input}:
            model.graph.input.append(info)
        return
    function = model.functions[index]
    if info.name in function.input:
        return
    function.input.append(info.name)
    for caller in [None, *range(len(model.functions))]:
        nodes = model.graph.node if caller is None else model.functions[caller].node
        calls = list(calls_of(nodes, function))
        for call in calls:
            call.input.extend([""] * (len(function.input) - 1 - len(call.input)))
            call.input.append(info.name)
        if calls:
            add_input(model, caller, info)


def rename_uses(owner, old, new):
    """Replaces a tensor by another one in all its readers and in the outputs of bodies."""
    for node in owner.node:
        for position, name in enumerate(node.input):
            if name == old:
                node.input[position] = new
        for body in bodies_of(node):
            rename_uses(body, old, new)
            for output in body.output:
                if output.name == old:
                    output.name = new


def tidy(model, before, types):
    """Handles tensors without readers after a removal: drops inputs and initializers, turns results of nodes into outputs."""
    graph = model.graph
    was_read = read_names(before.graph.node) | {output.name for output in before.graph.output}
    is_read = read_names(graph.node) | {output.name for output in graph.output}
    lost = was_read - is_read
    for values in (graph.input, graph.initializer):
        for value in [value for value in values if value.name in lost]:
            values.remove(value)
    made = [name for node in graph.node for name in node.output if name]
    unread = [name for name in made if name in lost]
    if not graph.output and not unread:
        unread = [name for name in made if name not in is_read]
    for name in unread:
        graph.output.append(types.of(name) or onnx.ValueInfoProto(name=name))


class Neighbours:
    def __init__(self, model, bypass, values):
        self.model, self.bypass, self.values = model, bypass, values
        self.types = Types(model)
        self.inside = [function_types(model, index, self.types) for index in range(len(model.functions))]

    def types_at(self, place):
        return self.types if place.function is None else self.inside[place.function]

    def of(self, place):
        """Yields the candidates without a node: what replaces it, and the model."""
        types = self.types_at(place)
        node = place.owner(self.model).node[place.number]
        if types is None:
            return
        if node.op_type == "Constant" and place.function is None:
            yield "an initializer", self.without(place, types, as_initializer)
        yield "an input", self.without(place, types, as_input)
        if any(output in self.values for output in node.output):
            yield "its value", self.without(place, types, self.as_value)
        if self.bypass or place.path:
            for source in sorted({name for name in node.input if name}):
                if node.output and types.same(source, node.output[0]):
                    yield f"'{source}'", self.without(place, types, bypass_by(source))

    def without(self, place, types, supply):
        """Returns None if the candidate can't be built."""
        model = copy.deepcopy(self.model)
        owner = place.owner(model)
        node = copy.deepcopy(owner.node[place.number])
        del owner.node[place.number]
        handed_on = set(output if isinstance(output, str) else output.name for output in owner.output)
        read = read_names(owner.node) | (handed_on if owner is not model.graph else set())
        needed = [name for name in node.output if name and name in read]
        if not supply(model, place, node, needed, types):
            return None
        if owner is model.graph:
            gone = set(node.output)
            kept = [copy.deepcopy(output) for output in model.graph.output if output.name not in gone]
            del model.graph.output[:]
            model.graph.output.extend(kept)
        tidy(model, self.model, self.types)
        return model if model.graph.output else None

    def as_value(self, model, place, node, needed, types):
        if place.function is not None or not all(name in self.values for name in needed):
            return False
        for name in needed:
            model.graph.initializer.append(onnx.numpy_helper.from_array(self.values[name], name))
        return True


def as_input(model, place, node, needed, types):
    infos = [types.of(name) for name in needed]
    if None in infos:
        return False
    for info in infos:
        add_input(model, place.function, info)
    return True


def as_initializer(model, place, node, needed, types):
    attribute = node.attribute[0]
    if attribute.name == "value":
        value = copy.deepcopy(attribute.t)
    elif attribute.name in ("value_float", "value_floats", "value_int", "value_ints"):
        whole = attribute.name.startswith("value_int")
        items = onnx.helper.get_attribute_value(attribute)
        dims = [] if not attribute.name.endswith("s") else [len(items)]
        value = onnx.helper.make_tensor("", onnx.TensorProto.INT64 if whole else onnx.TensorProto.FLOAT, dims,
                                        items if dims else [items])
    else:
        return False
    value.name = node.output[0]
    place.owner(model).initializer.append(value)
    return True


def bypass_by(source):
    def supply(model, place, node, needed, types):
        if needed != [name for name in needed if name == node.output[0]]:
            return False
        owner = place.owner(model)
        rename_uses(owner, node.output[0], source)
        if place.path:
            for output in owner.output:
                output.name = source if output.name == node.output[0] else output.name
        elif place.function is not None:
            owner.output[:] = [source if name == node.output[0] else name for name in owner.output]
        return True
    return supply


class Check:
    def __init__(self, command, runs, folder):
        self.command, self.runs, self.folder, self.made = command, runs, folder, 0

    def fails(self, model, file):
        """Returns the number of runs until one failed; 0 if none did."""
        if isinstance(model, onnx.ModelProto):
            onnx.save(model, file)
        for run in range(1, self.runs + 1):
            self.made += 1
            status = subprocess.run([*self.command, str(file)], cwd=self.folder, stdout=subprocess.DEVNULL,
                                    stderr=subprocess.DEVNULL, check=False).returncode
            if status == FAILS:
                return run
        return 0


def examine(model, check, bypass, values, keep):
    """Yields for each node: its description, how it can be removed (else None), and whether any candidate was judged."""
    neighbours = Neighbours(model, bypass, values)
    for number, place in enumerate(places(model)):
        if place.owner(model) is model.graph and len(model.graph.node) == 1:
            yield place.describe(model), None, 1
            continue
        tried, way = 0, None
        for way_number, (supplied, candidate) in enumerate(neighbours.of(place)):
            if candidate is None:
                continue
            tried += 1
            file = (keep or check.folder) / f"without_{number}_{way_number}.onnx"
            if check.fails(candidate, file):
                way = supplied
                break
            if not keep:
                file.unlink()
        yield place.describe(model), way, tried


def parse_arguments():
    words = sys.argv[1:]
    at = words.index("--") if "--" in words else len(words)
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("model", type=pathlib.Path)
    parser.add_argument("--runs", type=int, default=1, help="run each candidate up to N times; one failing run counts")
    parser.add_argument("--bypass", action="store_true", help="also let readers read an input of the node")
    parser.add_argument("--values", type=pathlib.Path, help="recorded tensors (.npz) that may take a node's place")
    parser.add_argument("--keep", type=pathlib.Path, help="the folder in which the candidates stay")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    arguments = parser.parse_args(words[:at])
    arguments.check = words[at + 1:]
    if not arguments.check:
        parser.error("there is no check; name it after --")
    return arguments


def main():
    arguments = parse_arguments()
    try:
        model = onnx.load(arguments.model)
        values = {}
        if arguments.values:
            import numpy
            values = numpy.load(arguments.values)
    except Exception as error:
        print(f"error: can't read {arguments.model}: {error}", file=sys.stderr)
        return 2
    if arguments.keep:
        arguments.keep.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as folder:
        check = Check(arguments.check, arguments.runs, pathlib.Path(folder))
        if not check.fails(None, arguments.model.resolve()):
            print(f"error: {arguments.model} doesn't fail its check in {arguments.runs} runs", file=sys.stderr)
            return 2
        rows = list(examine(model, check, arguments.bypass, values, arguments.keep and arguments.keep.resolve()))
    removable = [f"{what}: its readers get {way}" for what, way, _ in rows if way is not None]
    untried = [what for what, _, tried in rows if not tried]
    if arguments.json:
        print(json.dumps({"nodes": len(rows), "removable": removable, "untried": untried, "checks": check.made}))
    else:
        for line in removable:
            print(f"can go: {line}")
        for line in untried:
            print(f"not tried: {line}")
        print(f"{len(rows)} nodes, {len(removable)} can go, {len(untried)} were not tried, {check.made} checks")
    return 1 if removable else 0


if __name__ == "__main__":
    sys.exit(main())
