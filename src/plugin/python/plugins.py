"""Finds and replaces sub-graphs that plug-ins can compute, with the plug-ins' own patterns.

Usage: python3 plugins.py match MODEL PLUGIN_FOLDER RESULT CONFIG PLUGIN...
       python3 plugins.py instances MODEL PLUGIN_FOLDER RESULT CONFIG
       python3 plugins.py replace MODEL PLUGIN_FOLDER RESULT CONFIG OUTPUT [NUMBER...]

A plug-in is a folder PLUGIN_FOLDER/<name> with a file pattern.py, which has get_plugin_metadata() and
get_matching_subgraphs(graph), and may have replace_with_plugin(graph, input_tensors, output_tensors, attrs, op).

match writes CONFIG, one YAML document per plug-in that matches. replace reads it and writes the model OUTPUT; with
numbers, it replaces only these instances, counted over all documents from 0. Both write RESULT, a JSON list of {"name",
"found", "replaced"}. instances checks CONFIG, and RESULT is a JSON list of its instances.

Exit status 3: a package is missing; 4: a plug-in breaks these rules; 5: CONFIG does. The last line says what is wrong.
1: a plug-in raised, and its traceback was printed.
"""

import importlib
import importlib.util
import json
import math
import os
import re
import sys
import types

LARGEST_MESSAGE = 2**31 - 2**26  # bytes; protobuf's limit is 2 GiB
FREE_INITIALIZERS = 4  # the IR version since which initializers needn't be inputs
# Characters that YAML doesn't allow, or takes for line breaks.
NOT_IN_YAML = re.compile("[\x7f-\x9f\u2028\u2029\ud800-\udfff\ufeff\ufffe\uffff]")


class BadPlugin(Exception):
    """Says what is wrong with a plug-in."""


class BadConfig(Exception):
    """Says what is wrong with the file of sub-graphs."""


def provide_lazy_import():
    """Patterns usually get their packages through Polygraphy, which may not be installed."""
    if importlib.util.find_spec("polygraphy") is not None:
        return
    polygraphy, mod = types.ModuleType("polygraphy"), types.ModuleType("polygraphy.mod")
    mod.lazy_import = lambda name, *_, **__: importlib.import_module(re.match(r"[\w.]+", name).group())
    polygraphy.mod = mod
    sys.modules.update({"polygraphy": polygraphy, "polygraphy.mod": mod})


class Plugin:
    def __init__(self, folder, name):
        self.name = name
        path = os.path.join(folder, name, "pattern.py")
        if not os.path.isfile(path):
            raise BadPlugin(f"there is no plug-in '{name}': {path} is missing")
        spec = importlib.util.spec_from_file_location(f"assay_plugin_{name}", path)
        self.module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(self.module)

    def function(self, name, required=True):
        found = getattr(self.module, name, None)
        if required and not callable(found):
            raise BadPlugin(f"the plug-in '{self.name}' has no function {name}()")
        return found


def find_plugin(folder, name):
    """Returns the plug-in in the folder `name`, or the one whose metadata has that name, which match() writes."""
    if not os.path.isfile(os.path.join(folder, name, "pattern.py")):
        for other in sorted(os.listdir(folder)):
            if os.path.isfile(os.path.join(folder, other, "pattern.py")):
                plugin = Plugin(folder, other)
                if plugin.function("get_plugin_metadata")().get("name") == name:
                    return plugin
    return Plugin(folder, name)


def match(gs, model, folder, config, names):
    results, documents = [], []
    for name in names:
        plugin = Plugin(folder, name)
        # A pattern may change the graph, so each gets its own.
        instances = plugin.function("get_matching_subgraphs")(gs.import_onnx(model)) or []
        results.append({"name": name, "found": len(instances)})
        if instances:
            metadata = plugin.function("get_plugin_metadata")()
            documents.append(document_text(metadata["name"], metadata["op"], instances))
    with open(config, "w", encoding="utf-8") as file:
        file.write("---\n".join(documents))
    return results


def document_text(name, op, instances):
    """Returns a YAML document."""
    lines = [f"name: {value_text(name)}", f"op: {value_text(op)}", "instances:"]
    for instance in instances:
        for key, start in (("inputs", "- "), ("outputs", "  "), ("attributes", "  ")):
            if key in instance:
                lines.append(f"{start}{key}: {value_text(instance[key])}")
    return "\n".join(lines) + "\n"


def value_text(value):
    """Returns JSON that is YAML 1.1, too, except for infinity and NaN, which are YAML's words.

    PyYAML takes 1e-05 for a string, and an escaped surrogate pair for two characters.
    """
    if isinstance(value, dict):
        return "{" + ", ".join(f"{value_text(str(key))}: {value_text(item)}" for key, item in value.items()) + "}"
    if isinstance(value, (list, tuple)):
        return "[" + ", ".join(map(value_text, value)) + "]"
    if isinstance(value, float):
        return yaml_float(value)
    return NOT_IN_YAML.sub(lambda found: f"\\u{ord(found[0]):04x}", json.dumps(value, ensure_ascii=False))


def yaml_float(value):
    if not math.isfinite(value):
        return ".nan" if math.isnan(value) else ".inf" if value > 0 else "-.inf"
    text = float.__repr__(value)
    return text if "." in text else text.replace("e", ".0e")


def read_config(path):
    try:
        with open(path, encoding="utf-8") as file:
            text = file.read()
    except UnicodeError as error:
        raise BadConfig("the file is not text in UTF-8") from error
    try:
        import yaml
    except ImportError:
        return [read_document(part) for part in re.split(r"^---.*\n", text, flags=re.M) if part.strip()]
    try:
        return [document for document in yaml.safe_load_all(text) if document is not None]
    except (yaml.YAMLError, ValueError) as error:  # ValueError: such as a date that doesn't exist
        raise BadConfig(f"the file is not YAML: {error}") from error


NUMBER_WORDS = re.compile(r'"(?:[^"\\]|\\.)*"|-?\.inf|\.nan')  # and strings, in which these aren't words


def json_number_word(found):
    return {".nan": "NaN", ".inf": "Infinity", "-.inf": "-Infinity"}.get(found[0], found[0])


def read_document(text):
    """Reads what document_text() writes, for machines without PyYAML."""
    document, instances = {}, []
    for line in filter(str.strip, text.splitlines()):
        parts = re.fullmatch(r"(- |  )?(\w+):\s*(.*)", line)
        try:
            start, key, value = parts.groups()
            value = json.loads(NUMBER_WORDS.sub(json_number_word, value)) if value else None
            if start == "- ":
                instances.append({})
            (instances[-1] if start else document)[key] = value
        except (AttributeError, IndexError, ValueError) as error:
            raise BadConfig(f"cannot read '{line}' without PyYAML, which Python lacks") from error
    if "instances" in document and document["instances"] is None:
        document["instances"] = instances
    return document


def checked_documents(folder, config):
    """Yields each document of CONFIG with its plug-in."""
    for document in read_config(config):
        if not isinstance(document, dict) or not {"name", "op", "instances"} <= set(document):
            raise BadConfig("a document lacks name, op or instances")
        check_types(document)
        yield document, find_plugin(folder, document["name"])


def check_types(document):
    for key in ("name", "op"):
        if not isinstance(document[key], str):
            raise BadConfig(f"{key} is {document[key]!r}, which is not text")
    instances = document["instances"] or []
    if not isinstance(instances, list) or not all(isinstance(instance, dict) for instance in instances):
        raise BadConfig("instances is not a list of mappings, each with inputs and outputs")
    for instance in instances:
        for side in ("inputs", "outputs"):
            names = instance.get(side)
            if not isinstance(names, list) or not all(isinstance(name, str) for name in names):
                raise BadConfig(f"the {side} of an instance are not a list of names of tensors, each a text")
        if not isinstance(instance.get("attributes") or {}, dict):
            raise BadConfig("the attributes of an instance are not a mapping of names to values")


def list_instances(gs, model, folder, config):
    tensors = gs.import_onnx(model).tensors()
    results = []
    for document, plugin in checked_documents(folder, config):
        for instance in document["instances"] or []:
            for side in ("inputs", "outputs"):
                find_tensors(tensors, instance[side])
            results.append({"plugin": plugin.name, "op": document["op"], "inputs": instance["inputs"],
                            "outputs": instance["outputs"], "attributes": instance.get("attributes") or {}})  # fmt: skip
    return shown(results)


def shown(value):
    """Returns the value with YAML's words and text for what JSON doesn't have: infinity and dates, for example."""
    if isinstance(value, dict):
        return {str(key): shown(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return list(map(shown, value))
    if isinstance(value, float):
        return value if math.isfinite(value) else yaml_float(value)
    return value if value is None or isinstance(value, (str, int)) else str(value)


def replace(gs, onnx, model, folder, config, output, *numbers):
    graph = gs.import_onnx(model)
    tensors = graph.tensors()
    chosen = {int(number) for number in numbers}
    results, before = [], 0
    for document, plugin in checked_documents(folder, config):
        function = plugin.function("replace_with_plugin", required=False) or replace_nodes
        instances = list(enumerate(document["instances"] or [], before))
        before += len(instances)
        instances = [instance for number, instance in instances if not numbers or number in chosen]
        replaced = 0
        for instance in instances:
            sides = [find_tensors(tensors, instance[side]) for side in ("inputs", "outputs")]
            if function is replace_nodes:
                check_attributes(onnx, instance.get("attributes") or {})
            if function(graph=graph, input_tensors=sides[0], output_tensors=sides[1],
                        attrs=instance.get("attributes"), op=document["op"]):  # fmt: skip
                replaced += 1
        results.append({"name": plugin.name, "found": len(instances), "replaced": replaced})
    exported = gs.export_onnx(graph)
    restore_details(onnx, model, exported)
    size = sum(len(weight.raw_data) for weight in exported.graph.initializer)
    onnx.save(exported, output, save_as_external_data=size > LARGEST_MESSAGE)
    return results


def check_attributes(onnx, attributes):
    for name, value in attributes.items():
        try:
            onnx.helper.make_attribute(name, value)
        except (TypeError, ValueError) as error:
            raise BadConfig(f"attribute {name} is {value!r}, which ONNX doesn't have: attributes are numbers, text or "
                            "lists of one of these") from error  # fmt: skip


def restore_details(onnx, model, exported):
    """Copies what GraphSurgeon doesn't keep: metadata, descriptions, and which inputs have a value in the model."""
    copy_fields(model, exported, "domain", "model_version", "doc_string", "metadata_props")
    copy_fields(model.graph, exported.graph, "metadata_props")
    restore_nodes(model.graph, exported.graph)
    graph = exported.graph
    inputs = {value.name: value for value in graph.input}
    weights = {weight.name: (weight.data_type, weight.dims) for weight in graph.initializer}
    weights.update((sparse.values.name, (sparse.values.data_type, sparse.dims)) for sparse in graph.sparse_initializer)
    before = [value for value in model.graph.input if value.name in inputs or value.name in weights]
    after = [inputs.pop(value.name, value) for value in before] + list(inputs.values())
    if model.ir_version < FREE_INITIALIZERS:
        for name in weights.keys() - {value.name for value in after}:
            after.append(onnx.helper.make_tensor_value_info(name, *weights[name]))
    kept = onnx.GraphProto(input=after)  # copies, since the list that holds them is cleared
    del graph.input[:]
    graph.input.extend(kept.input)


def restore_nodes(graph, exported):
    nodes = {(node.op_type, node.domain, *node.output): node for node in graph.node}
    for node in exported.node:
        before = nodes.get((node.op_type, node.domain, *node.output))
        if before is None:
            continue
        copy_fields(before, node, "doc_string", "metadata_props")
        bodies = {attribute.name: attribute.g for attribute in before.attribute}
        for attribute in node.attribute:
            if attribute.HasField("g") and attribute.name in bodies:
                restore_nodes(bodies[attribute.name], attribute.g)


def copy_fields(source, target, *names):
    for name in names:
        if name not in source.DESCRIPTOR.fields_by_name:  # older versions of the onnx package have fewer fields
            continue
        if name == "metadata_props":
            del target.metadata_props[:]
            target.metadata_props.extend(source.metadata_props)
        elif source.HasField(name):
            setattr(target, name, getattr(source, name))


def find_tensors(tensors, names):
    missing = [name for name in names if name not in tensors]
    if missing:
        raise BadConfig(f"the model has no tensor {', '.join(missing)}")
    return [tensors[name] for name in names]


def replace_nodes(graph, input_tensors, output_tensors, attrs, op):
    """Makes one node compute the outputs. What nothing needs any more is removed."""
    # An earlier instance may have replaced the nodes that compute these tensors.
    if not all(tensor.inputs or tensor in graph.inputs for tensor in output_tensors):
        return False
    if not all(tensor.inputs or tensor in graph.inputs or hasattr(tensor, "values") for tensor in input_tensors):
        return False
    for tensor in output_tensors:
        tensor.inputs.clear()
    graph.layer(op=op, inputs=input_tensors, outputs=output_tensors, attrs=attrs or {})
    graph.cleanup().toposort()
    return True


def main(action, model, folder, result, config, *more):
    try:
        import onnx
        import onnx_graphsurgeon as gs
    except ImportError as error:
        print(f"{sys.executable} has no package {error.name}", file=sys.stderr)
        return 3
    provide_lazy_import()
    try:
        model = onnx.load(model)
        if action == "match":
            results = match(gs, model, folder, config, more)
        elif action == "instances":
            results = list_instances(gs, model, folder, config)
        else:
            results = replace(gs, onnx, model, folder, config, *more)
    except BadConfig as error:
        print(*str(error).split(), file=sys.stderr)  # on one line
        return 5
    except BadPlugin as error:
        print(error, file=sys.stderr)
        return 4
    with open(result, "w", encoding="utf-8") as file:
        json.dump(results, file)
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
