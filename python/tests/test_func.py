"""The small modules: functions on functions, the log, element types, JSON."""

from __future__ import annotations

import contextlib
import io
import os
import signal
import sys
import threading
from pathlib import Path

import ml_dtypes
import numpy as np
import onnx
import pytest

from assay import func
from assay.backend.base import BaseLoader
from assay.common import TensorMetadata
from assay.datatype import DataType, DataTypeEntry
from assay.exception import Error, InputError, NotFoundError, PolygraphyInternalException
from assay.json import from_json, load_json, save_json, to_json
from assay.logger import G_LOGGER, Logger, LogMode


def test_extend_passes_results_on() -> None:
    @func.extend(lambda: (1, 2))
    def keep(first: int, second: int) -> None:
        assert (first, second) == (1, 2)

    @func.extend(lambda: 1)
    def replace(value: int) -> int:
        return value + 1

    @func.extend(lambda left, right: left + right)
    def with_arguments(left: int, right: int, total: int) -> int:
        return left * right + total

    assert keep() == (1, 2)
    assert replace() == 2
    assert with_arguments(2, right=3) == 11


def test_a_loader_with_any_arguments_is_extended() -> None:
    class Load(BaseLoader):
        def call_impl(self, first: int, second: int) -> int:
            return first + second

    @func.extend(Load())
    def load(first: int, second: int, total: int) -> list[int]:
        return [first, second, total]

    assert load(1, 2) == load(1, second=2) == load(first=1, second=2) == [1, 2, 3]


def test_extend_names_the_number_of_parameters() -> None:
    @func.extend(lambda: (1, 2))
    def wrong(first: int) -> None:
        pass

    with pytest.raises(Error, match="wrong accepts 1 parameter"):
        wrong()


def test_lazy_calls_later() -> None:
    calls: list[int] = []
    inner = func.lazy(lambda: calls.append(1) or 5)
    outer = func.lazy(lambda value, plus: value + plus, inner, plus=2)
    assert calls == []
    assert func.invoke(outer) == 7


@pytest.mark.parametrize("checks", [None, "0", "1"])
def test_constant_methods_are_checked_on_request(checks: str | None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("POLYGRAPHY_INTERNAL_CORRECTNESS_CHECKS", raising=False)
    if checks is not None:
        monkeypatch.setenv("POLYGRAPHY_INTERNAL_CORRECTNESS_CHECKS", checks)

    class Counter:
        count = 0

        @func.constantmethod
        def next(self) -> int:
            self.count += 1
            return self.count

    if checks != "1":
        assert Counter().next() == 1
        return
    with pytest.raises(PolygraphyInternalException, match="mutated in a constant method: next"):
        Counter().next()


def test_messages_below_the_severity_are_not_built(capsys: pytest.CaptureFixture[str]) -> None:
    log = Logger()
    log.verbose(lambda: pytest.fail("built"))
    with log.verbosity(Logger.VERBOSE), log.indent():
        log.verbose(lambda: "first\nsecond")
    log.info("once", mode=LogMode.ONCE)
    log.info("once", mode=LogMode.ONCE)
    assert capsys.readouterr().out == "[V]     first\n        second\n[I] once\n"


def test_the_log_has_a_file_and_callbacks(tmp_path: Path) -> None:
    log = Logger()
    seen: list[int] = []
    log.register_callback(seen.append)
    log.log_file = str(tmp_path / "log.txt")
    log.module_severity = Logger.ERROR
    log.warning("hidden")
    with pytest.raises(Error, match="end"):
        log.critical("end")
    with pytest.raises(Error, match="old name"):
        log.exit("old name")
    assert (tmp_path / "log.txt").read_text() == "[!] end\n[!] old name\n"
    assert seen == [Logger.INFO, Logger.ERROR]


def test_characters_that_the_stream_lacks_are_escaped() -> None:
    stream = io.TextIOWrapper(io.BytesIO(), encoding="ascii")
    with contextlib.redirect_stdout(stream):
        Logger().info("\u2713 \ud800")
    assert stream.buffer.getvalue() == b"[I] \\u2713 \\ud800\n"


def test_the_file_of_the_log_can_be_changed(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    log = Logger()
    first, second = tmp_path / "deep" / "first.txt", tmp_path / "second.txt"
    log.log_file = str(first)
    log.info("1")
    opened = log._file
    log.log_file = str(second)
    assert opened is not None and opened.closed
    log.use_python_logging_system = True
    log.info("2")
    log.log_file = None
    log.info("3")
    assert (first.read_text(), second.read_text(), log.log_file) == ("[I] 1\n", "[I] 2\n", None)


def test_a_message_may_interrupt_another_one(monkeypatch: pytest.MonkeyPatch) -> None:
    log, written = Logger(), []

    class Output:
        def write(self, text: str) -> None:
            if not written:
                written.append("")
                log.info("of a signal handler")
            written.append(text)

        def flush(self) -> None:
            pass

    monkeypatch.setattr("sys.stdout", Output())
    thread = threading.Thread(target=log.info, args=["interrupted"], daemon=True)
    thread.start()
    thread.join(60)
    assert "".join(written).split("\n") == ["[I] of a signal handler", "[I] interrupted", ""]


def test_a_fork_logs_although_another_thread_was_logging(monkeypatch: pytest.MonkeyPatch) -> None:
    writing, ended = threading.Event(), threading.Event()

    class Output:
        def write(self, text: str) -> None:
            writing.set()
            ended.wait(60)

        def flush(self) -> None:
            pass

    monkeypatch.setattr("sys.stdout", Output())
    thread = threading.Thread(target=G_LOGGER.info, args=["from another thread"])
    thread.start()
    writing.wait(60)
    child = os.fork()
    if child == 0:
        signal.alarm(60)
        ended.set()
        G_LOGGER.info("from a fork")
        os._exit(0)
    ended.set()
    thread.join()
    assert os.waitpid(child, 0)[1] == 0


def test_severities_have_the_levels_of_logging_that_polygraphy_uses(caplog: pytest.LogCaptureFixture) -> None:
    log = Logger(severity=Logger.ULTRA_VERBOSE)
    log.use_python_logging_system = True
    caplog.set_level(1)
    for severity in Logger.SEVERITY_LETTER_MAPPING:
        log.log("message", severity)
    assert [record.levelno for record in caplog.records] == [2, 4, 6, 10, 20, 22, 28, 30, 40, 50]
    with pytest.raises(InputError, match="a severity must be a number"):
        log.module_severity = "error"


def test_element_types_by_any_name() -> None:
    for name in ("float32", np.float32, np.dtype("float32"), "tensor(float)", onnx.TensorProto.FLOAT):
        assert DataType.from_dtype(name) is DataType.FLOAT32
    assert DataType.from_dtype(ml_dtypes.bfloat16) is DataType.BFLOAT16
    assert DataType.BFLOAT16.numpy() == ml_dtypes.bfloat16
    for entry in vars(DataType).values():
        if isinstance(entry, DataTypeEntry):
            assert DataType.from_dtype(entry.numpy()) is entry
    assert DataType.FLOAT16 == np.float16
    assert np.zeros(1, dtype=DataType.INT8).dtype == np.int8
    for name, message in (("datetime64[s]", "no element type 'datetime64"), ("float99", "no element type 'float99'"), (99, "99")):
        with pytest.raises(InputError, match=message):
            DataType.from_dtype(name)
    assert DataType.FLOAT16 != "float99"


def test_a_type_that_needs_ml_dtypes_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "ml_dtypes", None)
    with pytest.raises(NotFoundError, match="type bfloat16 need the Python package ml_dtypes.*pip install ml_dtypes"):
        DataType.BFLOAT16.numpy()


def test_metadata_unpacks() -> None:
    metadata = TensorMetadata.from_feed_dict({"x": np.zeros((2, 3), np.int64)})
    dtype, shape = metadata["x"]
    assert dtype == np.int64
    assert shape == [2, 3]
    assert str(metadata) == "{x [dtype=int64, shape=(2, 3)]}"


def test_metadata_shows_bounds() -> None:
    bounded = TensorMetadata().add("x", np.float16, ("N", 3), min_shape=(1, 3), max_shape=(4, 3))
    assert repr(bounded) == "TensorMetadata().add('x', DataType.FLOAT16, ['N', 3], min_shape=(1, 3), max_shape=(4, 3))"
    assert repr(TensorMetadata().add("x", np.int8, None)) == "TensorMetadata().add('x', DataType.INT8, None)"


def test_metadata_shows_descriptions() -> None:
    described = TensorMetadata().add("x", np.float32, (1,), docstring="pixels")
    assert str(described) == "{x [dtype=float32, shape=(1,), pixels]}"
    assert repr(described) == "TensorMetadata().add('x', DataType.FLOAT32, [1], docstring='pixels')"


def test_json_keeps_arrays(tmp_path: Path) -> None:
    inputs = [{"x": np.float32([[1, 2]]), "n": 1, "t": ("a", None)}]
    save_json(inputs, tmp_path / "deep" / "inputs.json")
    (back,) = load_json(tmp_path / "deep" / "inputs.json")
    np.testing.assert_array_equal(back["x"], inputs[0]["x"])
    assert back["x"].dtype == np.float32
    assert (back["n"], back["t"]) == (1, ["a", None])


@pytest.mark.parametrize("name", ["bfloat16", "float8_e5m2", "int4"])
@pytest.mark.parametrize("shape", [(2, 2), (), (0, 3)])
def test_json_keeps_types_of_ml_dtypes(tmp_path: Path, name: str, shape: tuple[int, ...]) -> None:
    array = np.ones(shape, getattr(ml_dtypes, name))
    save_json({"x": array}, tmp_path / "x.json")
    back = load_json(tmp_path / "x.json")["x"]
    assert (back.dtype, back.shape) == (array.dtype, array.shape)
    np.testing.assert_array_equal(back.astype(float), array.astype(float))


def test_json_takes_unnamed_pairs_of_bytes_for_bfloat16() -> None:
    array = np.array([1, -2], ml_dtypes.bfloat16)
    back = from_json(to_json({"x": array.view("V2")}))["x"]
    assert back.dtype == array.dtype
    assert back.tolist() == [1, -2]


def test_json_keeps_strings_that_models_compute() -> None:
    assert from_json(to_json({"x": np.array(["a", "long"], object)}))["x"].tolist() == ["a", "long"]


def test_json_refuses_what_it_cannot_hold() -> None:
    with pytest.raises(InputError, match="array of objects"):
        to_json({"a": np.array([{}], object)})
    with pytest.raises(InputError, match="set"):
        to_json({"a": {1, 2}})
    with pytest.raises(InputError, match="isn't JSON"):
        from_json("{")
