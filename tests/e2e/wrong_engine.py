"""An engine with one wrong kernel, as a module for --python: ONNX Runtime with a model that is changed before loading.

Each test copies this file and adds ORDER = {...} at its start:
  tensor  the wrong result, scaled by 1.3 with 0.1 added
  fused   wrong only if the node that computes the tensor runs together with the one before it, and the tensor between them
          isn't an output, so that marking everything hides the error
  crash   more outputs than this crash the process
  refuse  more outputs than this are refused
  narrow  lacks int64 and returns int32 instead, like MNN
"""
import os

import numpy
import onnx
import onnxruntime

ORDER = globals().get("ORDER", {"tensor": ""})
ALONE = "/made_alone"  # debug locate runs suspects side by side, with renamed results


def plain(name):
    return name[:-len(ALONE)] if name.endswith(ALONE) else name


def is_wrong(graph, node):
    if not ORDER.get("fused"):
        return True
    made = {name for other in graph.node for name in other.output}
    outputs = {output.name for output in graph.output}
    return node.input[0] in made and node.input[0] not in outputs


def plant(model):
    graph = model.graph
    for index, node in enumerate(graph.node):
        for place, name in enumerate(node.output):
            if plain(name) != ORDER["tensor"] or not is_wrong(graph, node):
                continue
            node.output[place] = "wrong/raw"
            for key, value in (("wrong/scale", 1.3), ("wrong/shift", 0.1)):
                graph.initializer.append(onnx.numpy_helper.from_array(numpy.array(value, numpy.float32), key))
            graph.node.insert(index + 1, onnx.helper.make_node("Mul", ["wrong/raw", "wrong/scale"], ["wrong/scaled"]))
            graph.node.insert(index + 2, onnx.helper.make_node("Add", ["wrong/scaled", "wrong/shift"], [name]))
            model.ir_version = max(model.ir_version, 4)
            return


def start(model):
    outputs = len(model.graph.output)
    if outputs > ORDER.get("crash", outputs):
        os.abort()
    if outputs > ORDER.get("refuse", outputs):
        raise RuntimeError(f"{outputs} outputs are more than this engine takes")
    plant(model)
    options = onnxruntime.SessionOptions()
    options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_DISABLE_ALL
    options.log_severity_level = 4
    return onnxruntime.InferenceSession(model.SerializeToString(), options, providers=["CPUExecutionProvider"])


def load(path):
    return start(onnx.load(path))


def load_bytes(data, folder):
    model = onnx.load_model_from_string(bytes(data))
    if folder:
        onnx.external_data_helper.load_external_data_for_model(model, folder)
    return start(model)


def infer(model, feeds, wanted):
    results = dict(zip(wanted, model.run(wanted, feeds)))
    if ORDER.get("narrow"):
        results = {name: value.astype(numpy.int32) if value.dtype == numpy.int64 else value for name, value in results.items()}
    return results
