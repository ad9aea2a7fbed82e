"""Writes the seeds of the fuzz targets to tests/fuzz/corpus: small valid inputs that libFuzzer varies.

Needs NumPy and the onnx package. Other files in the corpus are findings of the past, and stay.
"""

import base64
import io
import json
import pathlib
import sqlite3
import struct
import tempfile
import zipfile

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

CORPUS = pathlib.Path(__file__).parent / "corpus"


def seed(target: str, name: str, content: bytes | str) -> None:
    (CORPUS / target).mkdir(parents=True, exist_ok=True)
    (CORPUS / target / name).write_bytes(content.encode() if isinstance(content, str) else content)


def model(nodes, weights=(), functions=(), sparse=()) -> bytes:
    x = helper.make_tensor_value_info("x", TensorProto.FLOAT, ["n", 2])
    y = helper.make_tensor_value_info("y", TensorProto.FLOAT, None)
    graph = helper.make_graph(nodes, "g", [x], [y], list(weights), sparse_initializer=list(sparse))
    opsets = [helper.make_opsetid("", 17), helper.make_opsetid("local", 1)]
    return helper.make_model(graph, opset_imports=opsets, functions=list(functions), ir_version=8).SerializeToString()


def external(name: str, **entries: str) -> TensorProto:
    tensor = TensorProto(name=name, data_type=TensorProto.FLOAT, dims=[2, 2], data_location=TensorProto.EXTERNAL)
    for key, value in entries.items():
        tensor.external_data.add(key=key, value=value)
    return tensor


def models() -> dict[str, bytes]:
    add = helper.make_node("Add", ["x", "w"], ["y"], name="add")
    small = numpy_helper.from_array(np.ones((2, 2), np.float32), "w")
    floats = TensorProto(name="w", data_type=TensorProto.FLOAT, dims=[300, 2], float_data=[1.0] * 600)
    strings = helper.make_tensor("s", TensorProto.STRING, [2], ["a", "b"])
    packed = TensorProto(name="p", data_type=TensorProto.INT4, dims=[3], int32_data=[1, 2])
    body = helper.make_graph([helper.make_node("Identity", ["x"], ["z"])], "body", [],
                             [helper.make_tensor_value_info("z", TensorProto.FLOAT, None)])
    condition = numpy_helper.from_array(np.array(True), "c")
    sparse = helper.make_sparse_tensor(numpy_helper.from_array(np.ones(1, np.float32), "v"),
                                       numpy_helper.from_array(np.zeros(1, np.int64), "i"), [4])
    double = helper.make_function("local", "Double", ["a"], ["b"], [helper.make_node("Add", ["a", "a"], ["b"])],
                                  [helper.make_opsetid("", 17)])
    return {
        "small": model([add], [small]),
        "raw": model([add], [numpy_helper.from_array(np.ones((300, 2), np.float32), "w")]),
        "float_data": model([add], [floats]),
        "external": model([add], [external("w", location="weights.bin", offset="16", length="16")]),
        "outside": model([add], [external("w", location="../weights.bin")]),
        "too_long": model([add], [external("w", location="weights.bin", offset="18446744073709551600", length="32")]),
        "types": model([add], [small, strings, packed]),
        "bodies": model([helper.make_node("If", ["c"], ["y"], then_branch=body, else_branch=body)], [condition]),
        "function": model([helper.make_node("Double", ["x"], ["y"], domain="local")], functions=[double]),
        "sparse": model([helper.make_node("Relu", ["x"], ["y"])], sparse=[sparse]),
        "cycle": model([helper.make_node("Add", ["y", "b"], ["a"]), helper.make_node("Relu", ["a"], ["y"])]),
        "twice": model([add, add], [small, small]),
        **{f"as_{form}": onnx.serialization.registry.get(form).serialize_proto(
            onnx.load_model_from_string(model([add], [small]))) for form in ("textproto", "json", "onnxtxt")},
    }


def npy(array: np.ndarray, version=None) -> bytes:
    file = io.BytesIO()
    np.lib.format.write_array(file, array, version, allow_pickle=True)
    return file.getvalue()


def arrays() -> dict[str, bytes]:
    return {
        "float32": npy(np.arange(6, dtype=np.float32).reshape(2, 3)),
        "fortran": npy(np.asfortranarray(np.arange(6, dtype=np.float64).reshape(2, 3))),
        "big_endian": npy(np.arange(3, dtype=">i4")),
        "version_2": npy(np.arange(3, dtype=np.int8), (2, 0)),
        "version_3": npy(np.arange(3, dtype=np.float16), (3, 0)),
        "unicode": npy(np.array(["a", "bc\u00e9"])),
        "bytes": npy(np.array([b"a", b"bc"])),
        "bool": npy(np.array(True)),
        "complex": npy(np.array([1 + 2j])),
        "structured": npy(np.zeros(2, np.dtype([("bfloat16", "<u2")]))),
        "int4": npy(np.zeros(2, np.dtype([("int4", "|u1")]))),
        "void": npy(np.zeros(2, "V2")),
        "objects": npy(np.array([None], dtype=object)),
        "empty": npy(np.zeros((0, 3), np.float32)),
    }


def archive(compression: int, entries: dict[str, bytes]) -> bytes:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", compression) as out:
        for name, content in entries.items():
            out.writestr(zipfile.ZipInfo(name), content, compression)
    return file.getvalue()


def ndarray(array: np.ndarray, **members) -> dict:
    return {"array": base64.b64encode(npy(array)).decode(), "polygraphy_class": "ndarray", **members}


def results() -> dict[str, str]:
    array = np.arange(2, dtype=np.float32)
    lazy = {"values": ndarray(array), "polygraphy_class": "LazyArray"}
    iteration = {"outputs": {"y": lazy}, "runtime": 0.5, "runner_name": "r", "polygraphy_class": "IterationResult"}
    run = {"lst": [["r", [iteration]], ["s", []]], "polygraphy_class": "RunResults"}
    old = json.dumps(run).replace('"polygraphy_class": "ndarray"', '"__polygraphy_encoded_ndarray": "constructor"')
    tensor = {"values": ndarray(array), "polygraphy_class": "Tensor"}
    return {
        "results": json.dumps(run),
        "results_old": old,
        "inputs": json.dumps([{"x": ndarray(array)}, {"x": ndarray(array), "z": lazy}]),
        "iteration": json.dumps({"x": ndarray(array)}, indent=1),
        "numbers": '[{"x": NaN, "y": -Infinity, "z": 1e400}]',
        "torch": json.dumps([{"x": tensor}]),
        "accuracy": '{"lst": [], "polygraphy_class": "AccuracyResults"}',
    }


def journal(page: int) -> bytes:
    schema = ("CREATE TABLE verdicts (identity BLOB NOT NULL, candidate BLOB NOT NULL, kind BLOB NOT NULL, text BLOB NOT NULL, "
              "output BLOB NOT NULL, seconds REAL NOT NULL, PRIMARY KEY (identity, candidate))")
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "journal"
        database = sqlite3.connect(path)
        for statement in (f"PRAGMA page_size = {page}", "PRAGMA application_id = 0x41737379", "PRAGMA user_version = 2", schema):
            database.execute(statement)
        rows = [(b"identity", b"a", b"fails", b"exit status 1", b"o" * 600, 0.5), (b"other", b"a", b"passes", b"", b"", 0.25)]
        database.executemany("INSERT INTO verdicts VALUES (?, ?, ?, ?, ?, ?)", rows)
        database.commit()
        database.close()
        return path.read_bytes()


def field(number: int, content: bytes | int) -> bytes:
    def varint(value: int) -> bytes:
        out = b""
        while value >= 128:
            out, value = out + bytes([value & 127 | 128]), value >> 7
        return out + bytes([value])
    if isinstance(content, int):
        return varint(number << 3) + varint(content)
    return varint(number << 3 | 2) + varint(len(content)) + content


def messages() -> dict[str, bytes]:
    tensor = field(1, b"x") + field(2, 1) + field(3, b"\x02") + field(4, 0) + field(5, 8)
    port = field(1, b"x") + field(2, 1) + field(3, b"\x02") + field(4, b"tensor")
    texts = field(1, b"s") + field(2, 8) + field(3, b"\x01") + field(6, b"a")
    requests = [field(1, field(1, 1) + field(2, b"/lib.so") + field(3, b"a") + field(4, b"b")), field(2, field(1, b"/m.onnx")),
                field(3, field(1, tensor) + field(2, b"y")), field(4, b"")]
    replies = [field(1, field(1, 1) + field(2, 3) + field(3, b"no")), field(2, field(1, b"1.0")),
               field(3, field(1, port) + field(2, port)), field(4, field(1, tensor) + field(1, texts)), field(5, b"")]
    found = {f"request_{i}": b"\x00\x40" + body for i, body in enumerate(requests)}
    found |= {f"reply_{i}": b"\x01\x40" + body for i, body in enumerate(replies)}
    packet = struct.pack("<I", len(requests[0])) + requests[0]
    return found | {"socket": b"\x02" + packet + packet, "cut": b"\x02" + packet[:-3], "long": b"\x02\xff\xff\xff\xff" + packet}


OPTION_VALUES = [
    ("dimensions", 0, "[1,3,-1,batch]"), ("shapes", 1, "x:[1,3,224,224]\na:b:0:(2,)"), ("ranges", 2, "[0,1]\nx:[-1e3,inf]"),
    ("numbers", 3, "1e-5\nx:0.5"), ("words", 4, "max\nx:mean"), ("meta", 5, "x:[1,n]:float32\ny:auto:auto"),
    ("types", 6, "x:int4\ny:bfloat16"), ("attributes", 7, "axis=1\nmode=linear\npads=[0,0,1,1]\nl=['a',\"b\"]\nf=[1,2.5,nan]"),
    ("runner", 8, "old:lib=/opt/libonnxruntime.so,threads=1,providers=A,B")]

PATTERNS = [("plain", 0, "conv[0-9]+$\nconv1"), ("lookahead", 0, "(?!x)\\w+(?<=a)\nbanana"), ("repeat", 0, "(a|b)*?c{1,3}\nabcc"),
            ("unicode", 0, "\\A.\u00e9\\Z\nc\u00e9"), ("names", 0, "(?P<n>a)(?P=n)|\\bx\\b\naa"), ("wild", 1, "conv*[!0-9]?\nconv_a1"),
            ("ranges", 1, "[a-c][]-][z-a]\nb]"), ("not_utf8", 1, "*\n\u00ff")]

OUTPUT = """\x1b[31m[E] Conv 'conv_1': NOT_IMPLEMENTED at conv.cpp:38, 0x7ffe12 [ShapeInferenceError] (node_3)\x1b[0m
[W] warning: "a:0" is unused; Traceback (most recent call last):
  File "/tmp/x.py", line 3, in <module>
RuntimeError: Assertion `n > 0' failed. MISMATCH 1e-05 vs 2.5 in 12:03:55
"""


def accuracy(outputs: dict, **members) -> dict:
    return {"lst": [[["first", "second"], [outputs, {}]]], "polygraphy_class": "AccuracyResult", **members}


def accuracies() -> dict[str, str]:
    def results(*functions) -> str:
        return json.dumps({"lst": list(functions), "polygraphy_class": "AccuracyResults"})
    l2 = {"l2_norm": 0.5, "thresholds": {"threshold": 1e-5}, "polygraphy_class": "DistanceMetricsResult"}
    ulp = {"max_ulp": 2.0, "thresholds": {"threshold": 1}}
    names = [f"{stat}_{kind}" for stat in ("max", "mean", "median", "quantile") for kind in ("absdiff", "reldiff")]
    simple = {**dict.fromkeys(names, 0.5), "thresholds": {}, "passed": None}
    return {
        "simple": results(accuracy({"y": simple, "z": {**simple, "passed": True}})),
        "verdicts": results(accuracy({"y": True, "z": False})),
        "l2": results(accuracy({"y": l2, "z": True}), accuracy({"y": l2}, aggregation="average")),
        "ours": results(accuracy({"y": True}, assay_metrics=[[{"y": ulp}]])),
        "mixed": results(accuracy({"y": simple, "z": l2})),
        "mixed_with_more": results(accuracy({"y": l2, "z": simple})),
        "null": results(accuracy({"y": {**l2, "l2_norm": None}})),
    }


def diagnosis() -> str:
    step = {"name": "finite", "question": "Is everything finite?", "mark": "good", "answer": "Yes.", "seconds": 0.5, "cut_short": False,
            "tables": [{"title": "t", "columns": ["a"], "rows": [["1"]]}]}
    check = {"seconds": 0.5, "nodes": 3, "failed": True, "pass": "nodes"}
    layer = {"tensor": "y", "absolute": None, "relative": 0.5, "norm": 0.25, "agrees": False, "origin": "born"}
    facts = {
        "defect": "", "defect_node": "", "defect_is_official": False, "failure": "differs", "side": 0, "good": -2, "good_is_sure": True,
        "message": "m", "details": "d", "phase": "", "hung_s": 0.0, "refuses_all": False, "output": "y", "note": "", "is_moved": False,
        "moves_all": False, "floor": "", "no_floor": "", "versions": {"onnxrt": "1.20.1"}, "slowest_s": 0.25, "engine_s": {"onnxrt": 0.25},
        "setting": {"text": "", "options": {"a": "b"}, "level": "", "optimizers": ["o"], "plain": {}},
        "place": {"node": "Conv 'c' (node #3)", "node_title": "Conv 'c'", "node_op_type": "Conv", "tensor": "y", "together": [], "model": "", "inputs": "", "golden": "", "nodes": 1},
        "layers": [layer],
        "minimal": {"file": "m.onnx", "nodes": 1, "complete": True, "lines": ["Conv 'c'"], "outer": [{"op_type": "Conv", "title": "Conv 'c'", "text": "Conv 'c' (node #0)"}], "command": "", "check": "", "folder": "",
                    "checks": [check], "proof": []},
        "known": {"what": "", "link": ""},
    }
    return json.dumps({"version": 2, "identity": "i", "steps": [step], "facts": facts, "facts_before_cut": facts})


def tensors() -> dict[str, bytes]:
    def tensor(data_type, **members) -> bytes:
        return TensorProto(data_type=data_type, dims=[2], **members).SerializeToString()
    values = helper.make_tensor_sequence_value_info("s", TensorProto.FLOAT, [2])
    return {
        "raw": tensor(TensorProto.FLOAT, name="x", raw_data=bytes(8)),
        "float_data": tensor(TensorProto.FLOAT, name="x", float_data=[1, 2]),
        "int64_data": tensor(TensorProto.INT64, int64_data=[1, -1]),
        "strings": tensor(TensorProto.STRING, string_data=[b"a", b"\xff"]),
        "packed": tensor(TensorProto.INT4, int32_data=[0x21]),
        "named_like_a_file": tensor(TensorProto.BOOL, name="input_1", int32_data=[0, 1]),
        "external": external("x", location="weights.bin").SerializeToString(),
        "not_a_tensor": values.SerializeToString(),
    }


def hints() -> dict:
    tensor = {"name": "q", "seq_len_idx": 0, "rank": 2, "polygraphy_class": "ShardTensor"}
    layer = {"q": "q", "gather_kv": True, "gather_q": False, "replace": None, "polygraphy_class": "AttentionLayerHint"}
    collectives = {"group_size": 2, "root": -1, "nb_rank": 1, "reduce_op": "max", "groups": [0, 1],
                   "polygraphy_class": "DistCollective"}
    return {"parallelism": "CP", "attention_layers": [layer], "dist_collectives": collectives, "inputs": [tensor],
            "outputs": [tensor], "k_seq_len_idx": 0, "v_seq_len_idx": 0, "kv_rank": None, "polygraphy_class": "ShardHints"}


def main() -> None:
    for name, content in models().items():
        seed("model", name, content)
        if name in ("small", "types", "bodies", "sparse"):
            seed("wire", name, content)
    for name, content in arrays().items():
        seed("npy", name, content)
    entries = {"a.npy": arrays()["float32"], "b.npy": arrays()["bool"]}
    seed("npz", "stored", archive(zipfile.ZIP_STORED, entries))
    seed("npz", "deflated", archive(zipfile.ZIP_DEFLATED, entries))
    seed("npz", "other_entries", archive(zipfile.ZIP_STORED, {"a.txt": b"text", "folder/": b""}))
    for name, text in results().items():
        seed("saved_data", name, text)
    for name, text in accuracies().items():
        seed("accuracy_results", name, text)
    for name, content in tensors().items():
        seed("data_set", name, content)
    seed("diagnosis", "one_step", diagnosis())
    seed("journal", "pages_of_512", journal(512))
    seed("journal", "pages_of_4096", journal(4096))
    seed("journal", "empty", b"")
    for name, content in messages().items():
        seed("protocol", name, content)
    for name, choice, text in OPTION_VALUES:
        seed("option_values", name, bytes([choice]) + text.encode())
    for name, choice, text in PATTERNS:
        seed("patterns", name, bytes([choice]) + text.encode())
    seed("check_output", "errors", OUTPUT)
    seed("check_output", "crash", "terminate called after throwing\nSegmentation fault (core dumped)\nsrc/a.cc:12: f(): Assertion `x' failed.\n")
    verdicts = {"_N0_outputs": {"state": {"num_nodes": 4}, "iteration_info": {"iteration": 0}, "success": True},
                "_N1": {"state": {}, "iteration_info": {"iteration": 1}, "success": False, "unresolved": True}}
    seed("replay", "two", json.dumps(verdicts))
    info = {"dtype": "DataType.FLOAT", "strides": [3, 1], "vectorized_dim": -1, "components_per_element": 1,
            "polygraphy_class": "TensorInfo"}
    algorithm = {"implementation": 1, "tactic": -2, "inputs": [info], "outputs": [info], "polygraphy_class": "Algorithm"}
    seed("tactics", "one", json.dumps({"replay": {"layer": algorithm}, "polygraphy_class": "TacticReplayData"}))
    seed("hints", "one_layer", json.dumps(hints()))
    for name in ("engine_detailed", "engine_names", "engine_profiles", "engine_ranges"):
        seed("engine_info", name, (CORPUS.parents[2] / "src/tensorrt/testdata" / f"{name}.json").read_bytes())


if __name__ == "__main__":
    main()
