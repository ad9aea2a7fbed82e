"""save_report(): results as HTML files, with the data that the command's --report writes."""

import base64
import copy
import json
import pickle
import re
import subprocess
import sys
import zlib
from pathlib import Path
from typing import Any

import numpy as np
import onnx
import pytest

import assay
from assay import _assay
from assay.backend.onnxrt import OnnxrtRunner
from assay.comparator import Comparator, CompareFunc, IterationResult, L2Threshold, RunResults
from assay.report import call_text
from models import REAL, chain, parse

ASSAY = _assay.libexec().parents[1] / "bin" / "assay"
NEEDS_COMMAND = pytest.mark.skipif(not ASSAY.exists(), reason="the command isn't built")


def changed() -> onnx.ModelProto:
    model = chain()
    model.graph.node[1].op_type = "Sigmoid"
    return model


def has_no_neg(path: str) -> bool:
    return "Neg" not in [node.op_type for node in onnx.load(path).graph.node]


def columns(html: str) -> dict[str, Any]:
    """Returns the data of the page's views, as src/report/page/columns.h describes it, and the texts."""
    found = re.search(r'<script type="application/octet-stream" id="data">([^<]*)</script>', html)
    if found is None or not found[1]:
        return {}
    block = zlib.decompress(base64.b64decode(found[1]))
    length = int.from_bytes(block[:4], "little")
    start = (4 + length + 7) // 8 * 8
    types = {"f64": "<f8", "i32": "<i4", "u32": "<u4", "u8": "u1"}
    read = {
        name: np.frombuffer(block, types[kind], count, start + offset)
        for name, (kind, offset, count) in json.loads(block[4 : 4 + length]).items()
    }
    ends = read.pop("text_ends")
    text = read.pop("text_bytes").tobytes()
    return {**read, "texts": [text[begin:end].decode() for begin, end in zip([0, *ends], ends)]}


def saved(result: Any, folder: Path) -> str:
    path = folder / "python.html"
    result.save_report(path)
    return path.read_text()


def of_command(folder: Path, *words: str) -> str:
    path = folder / "command.html"
    subprocess.run([str(ASSAY), *words, "--report", str(path)], capture_output=True, check=False)
    return path.read_text()


def body(html: str) -> str:
    """Returns the sections before the environment, without times."""
    main = html[html.index("<main") : html.index('<section id="environment"')]
    return re.sub(r'<span class="time">[^<]*</span>|\d+ min \d+ s|[\d.]+ m?s\b', "", main)


@NEEDS_COMMAND
def test_pages_are_those_of_the_command(tmp_path: Path) -> None:
    a, b = (str(tmp_path / name) for name in ("a.onnx", "b.onnx"))
    onnx.save(chain(), a)
    onnx.save(changed(), b)
    for result, words in (
        (assay.inspect(a), ["inspect", "model", a]),
        (assay.diff(a, b), ["diff", a, b]),
        (assay.locate(a, "onnxrt", against=b), ["debug", "locate", a, "--onnxrt", "--against", b]),
        (
            assay.locate(a, "onnxrt", "reference"),
            ["debug", "locate", a, "--onnxrt", "--reference", "--python-interpreter", sys.executable],
        ),
    ):
        html, expected = saved(result, tmp_path), of_command(tmp_path, *words)
        assert re.sub(r"<h3>.*?</h3>", "", body(html)) == re.sub(r"<h3>.*?</h3>", "", body(expected)), words
        ours, theirs = columns(html), columns(expected)
        assert ours["texts"] == theirs["texts"] and list(ours) == list(theirs) and len(ours["tensor_name"]) > 0
        for name in set(ours) - {"texts"}:
            np.testing.assert_array_equal(ours[name], theirs[name], f"{words}: {name}")


def test_the_page_of_a_reduction(tmp_path: Path) -> None:
    html = saved(assay.reduce(chain(), has_no_neg), tmp_path)
    assert "1 of 4 nodes shows the failure" in html and "The smallest model that still fails is" not in html
    data = columns(html)
    assert len(data["check_nodes"]) == len(data["check_failed"]) > 1 and "Neg" in data["texts"]
    check = ["python3", "-c", "import sys; sys.exit(1)", "{model}"]
    html = saved(assay.reduce(chain(), check, output=tmp_path / "r.onnx", max_checks=3), tmp_path)
    assert f"The smallest model that still fails is <code>{tmp_path}/r.onnx</code>" in html
    assert f"python3 -c &#39;import sys; sys.exit(1)&#39; {tmp_path}/r.onnx" in html
    assert "max_checks" in html and "--max-checks" not in html


def test_the_page_of_a_reduction_has_the_versions_of_its_engines(tmp_path: Path) -> None:
    def has_no_neg_in(path: str) -> bool:
        with OnnxrtRunner(path):
            return has_no_neg(path)

    version = next(version for kind, version, _ in _assay.engines() if kind == "onnxruntime")
    html = saved(assay.reduce(chain(), has_no_neg_in), tmp_path)
    assert "ONNX Runtime" in html and version in html and onnx.__version__ in html
    html = saved(assay.reduce(chain(), has_no_neg), tmp_path)
    assert "ONNX Runtime" not in html and "onnx (Python package)" in html
    if ASSAY.exists():
        model = parse("g (float[4] x) => (float[4] y) { a = Cast<to = 5>(x)  b = Max(a, a)  y = Cast<to = 1>(b) }")
        html = saved(assay.reduce(model, [str(ASSAY), "run", "{model}", "--onnxrt"]), tmp_path)
        assert "ONNX Runtime" in html and version in html


def test_the_page_of_a_diagnosis(tmp_path: Path) -> None:
    found = assay.diagnose(chain(), "onnxrt", skip=["repeat", "settings"])
    html = saved(found, tmp_path)
    assert found.verdict in html and "Does it run?" in html and "Relu" in columns(html)["texts"]
    refused = parse("g (float[4] x) => (float[4] y) { a = Cast<to = 5>(x)  b = Max(a, a)  y = Cast<to = 1>(b) }")
    html = saved(assay.diagnose(refused, "onnxrt", skip=["repeat", "settings"]), tmp_path)
    assert "Minimal case" in html and len(columns(html)["check_nodes"]) > 0


def test_the_page_of_comparisons(tmp_path: Path) -> None:
    def results(name: str, value: float) -> tuple[str, list[IterationResult]]:
        return name, [IterationResult({"y": np.full(3, value, np.float32), "z": np.ones(2, np.float32)}, runner_name=name)]

    runs = RunResults([results("<a>", 1), results("b", 1.5)])
    accuracy = Comparator.compare_accuracy(runs, compare_func=CompareFunc.l2(l2_threshold=0.1))
    html = saved(accuracy, tmp_path)
    assert "1 of 2 comparisons agree." in html and "&lt;a&gt; and b" in html and "<a>" not in html
    cells = re.findall(r"<td[^>]*>([^<]*)</td>", html)
    assert cells == ["y", "0", "differs", "0.86603", "threshold=0.1", "z", "0", "agrees", "0", "threshold=0.1"]
    html = saved(accuracy.reevaluate(L2Threshold(1.0)), tmp_path)
    assert "2 of 2 comparisons agree." in html and "No problem found" in html
    assert "2 of 2 comparisons agree." in saved(accuracy[0], tmp_path)
    simple = Comparator.compare_accuracy(runs)
    assert "check_error_stat=elemwise" in saved(simple, tmp_path)


def test_the_call_takes_the_place_of_the_command_line(tmp_path: Path) -> None:
    html = saved(assay.diff(REAL / "light_squeezenet.onnx", chain(), ignore=["names"]), tmp_path)
    call = f"assay.diff(&#39;{REAL / 'light_squeezenet.onnx'}&#39;, "
    assert f"<code>{call}" in html and "ignore=[&#39;names&#39;])</code>" in html
    assert "<title>assay.diff: light_squeezenet.onnx and g</title>" in html
    assert "ONNX (the library in Assay)" in html
    located = saved(assay.locate(chain(), "onnxrt", "reference"), tmp_path)
    assert "<dt>ONNX Runtime</dt>" in located and "<title>assay.locate: g</title>" in located


def test_calls_as_text() -> None:
    values = {name: None for name in ("against", "golden", "inputs", "input_shapes", "rtol", "atol", "output")}
    values |= {"model": assay.Model(chain()), "first": "onnxrt", "second": ("onnxrt", {"threads": 1}), "fp16": False}
    values |= {"seed": 1, "repeats": 5, "rtol": 1e-3, "inputs": {"x": np.ones(4, np.float32)}}
    assert call_text(assay.locate, values) == (
        "assay.locate(<model 'g'>, 'onnxrt', ('onnxrt', {'threads': 1}), inputs={'x': <array float32 (4,)>}, "
        "rtol=0.001, repeats=5)"
    )


def test_results_can_be_copied_and_sent(tmp_path: Path) -> None:
    found = assay.locate(chain(), "onnxrt", "reference")
    for same in (copy.copy(found), copy.deepcopy(found)):
        assert same == found and "assay.locate" in saved(same, tmp_path)
    sent = pickle.loads(pickle.dumps(found))
    assert sent == found
    with pytest.raises(assay.InputError, match="another process"):
        sent.save_report(tmp_path / "r.html")


def test_places_that_cannot_be_written(tmp_path: Path) -> None:
    found = assay.inspect(chain())
    with pytest.raises(assay.Error, match=str(tmp_path)):
        found.save_report(tmp_path)
    with pytest.raises(assay.exception.ArgumentError, match="path must be a path, but is 3"):
        found.save_report(3)  # type: ignore[arg-type]
