"""Loads models for the reference evaluator, and makes up for what it doesn't know.

- It knows the default domain of operators only as "", but ONNX's specification (IR.md, "Operator sets") lets a model
  call this domain "ai.onnx", too.
- It takes functions of one name for the same function even if their overloads differ, and fails on many attributes of
  functions. So functions are inlined.
- It lacks DequantizeLinear before operator set 19, and so refuses most quantized models. Set 19 only added types and
  float16 scales."""
import onnx
import onnx.defs
import onnx.external_data_helper
import onnx.reference
import onnx.reference.ops.op_dequantize_linear as dequantize

try:
    import onnx.inliner
except ImportError:  # before onnx 1.15
    onnx.inliner = None

DEFAULT = "ai.onnx"


def _rename_in(nodes):
    for node in nodes:
        if node.domain == DEFAULT:
            node.domain = ""
        for attribute in node.attribute:
            if attribute.HasField("g"):
                _rename_in(attribute.g.node)
            for graph in attribute.graphs:
                _rename_in(graph.node)


def _with_default_domain(model):
    for part in (model, *model.functions):
        for opset in part.opset_import:
            if opset.domain == DEFAULT:
                opset.domain = ""
    _rename_in(model.graph.node)
    for function in model.functions:
        _rename_in(function.node)
    return model


def _overload(node_or_function):
    return getattr(node_or_function, "overload", "")  # since onnx 1.16


def _set_defaults(nodes, functions):
    """ONNX's inliner forgets the values that attributes have by default, so calls get them here."""
    for node in nodes:
        function = functions.get((node.domain, node.op_type, _overload(node)))
        if function is not None:
            given = {attribute.name for attribute in node.attribute}
            node.attribute.extend(default for default in function.attribute_proto if default.name not in given)
        for attribute in node.attribute:
            if attribute.HasField("g"):
                _set_defaults(attribute.g.node, functions)
            for graph in attribute.graphs:
                _set_defaults(graph.node, functions)


def _without_functions(model):
    if not model.functions or onnx.inliner is None:
        return model
    functions = {(function.domain, function.name, _overload(function)): function for function in model.functions}
    for part in (model.graph, *model.functions):
        _set_defaults(part.node, functions)
    try:
        return onnx.inliner.inline_local_functions(model)
    except Exception:  # too large to be copied, or invalid: the evaluator tries it as it is
        return model


def _prepare(model):
    return _without_functions(_with_default_domain(model))


def from_file(path):
    return _prepare(onnx.load(path))


def from_bytes(data, folder):
    model = onnx.load_model_from_string(bytes(data))
    if folder:
        onnx.external_data_helper.load_external_data_for_model(model, folder)
    return _prepare(model)


def evaluator(model):
    version = max((opset.version for opset in model.opset_import if opset.domain == ""), default=1)
    if version >= 19 or not hasattr(dequantize, "DequantizeLinear_19"):  # before onnx 1.16, there was one for all sets
        return onnx.reference.ReferenceEvaluator(model)
    schema = onnx.defs.get_schema("DequantizeLinear", 19, "")
    added = type("DequantizeLinear", (dequantize.DequantizeLinear_19,), {"op_schema": schema})
    return onnx.reference.ReferenceEvaluator(model, new_ops=[added])
