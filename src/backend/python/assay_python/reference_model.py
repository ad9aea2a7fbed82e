"""Loads models for the reference evaluator, which knows the default domain of operators only as "".

ONNX's specification (IR.md, "Operator sets") lets a model call this domain "ai.onnx", too."""
import onnx
import onnx.external_data_helper

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


def from_file(path):
    return _with_default_domain(onnx.load(path))


def from_bytes(data, folder):
    model = onnx.load_model_from_string(bytes(data))
    if folder:
        onnx.external_data_helper.load_external_data_for_model(model, folder)
    return _with_default_domain(model)
