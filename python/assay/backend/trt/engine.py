"""Engines: built in a worker process, loaded from files and bytes, and saved."""

from __future__ import annotations

import contextlib
import mmap
import os
from collections.abc import Sequence
from typing import Any

from assay import util
from assay.arguments import check_arguments
from assay.backend.base import Session
from assay.backend.trt.config import config_of
from assay.backend.trt.network import network_of
from assay.backend.trt.plugin_path import plugins_of
from assay.backend.trt.profile import Profile
from assay.backend.trt.remote import Remote
from assay.backend.trt.settings import Settings, absolute_path, check, encode, enumerator, merged, words
from assay.exception import InputError, NotFoundError
from assay.tables import type_text
from assay.temporary_folder import TemporaryFolder

# Engines that only their runner opens: with the budget for streamed weights, or with the weights that the engine lacks.
_OPENED_BY_RUNNER = {"--weight-streaming", "--strip-plan"}
# Settings for building that a worker needs again to open the engine.
_KEPT = ("--plugins", "--mark-unfused-tensors-as-debug-tensors", "--dla-core")


class TrtSession(Session):
    """An engine that TensorRT has opened, in a worker process."""

    def _symbols(self, source: str | bytes) -> dict[str, tuple[int | str, ...]]:
        return {}  # engines have none


class Runtime(Remote):
    """Stands for a lean runtime, which the worker loads."""

    KIND = "runtime"
    INSTEAD = "engine_from_path() and the functions like it take it as `runtime`"

    path: str

    def __init__(self, path: str) -> None:
        self._set(path=path)

    def __repr__(self) -> str:
        return f"Runtime({self.path!r})"


class Engine(Remote):
    """A TensorRT engine that was built: its bytes, which a worker opens whenever the engine is run.

    Attributes:
        profiles: The profiles that it was built with, as far as they are known.
    """

    KIND = "engine"
    INSTEAD = "TrtRunner runs it, save_engine() saves it, and assay.inspect() shows its layers"

    profiles: list[Profile]
    _model: str | bytes
    _opening: Settings
    _worker: _Worker
    _folder: TemporaryFolder | None  # of the file, if it is temporary
    _ready: list[Session]  # the session in the worker that has built the engine, for the first run in this process
    _process: int  # the process that started that worker; a fork of it can't use the worker

    def __init__(
        self,
        model: str | bytes,
        opening: Settings | None = None,
        worker: _Worker | None = None,
        profiles: Sequence[Profile] = (),
        folder: TemporaryFolder | None = None,
        session: Session | None = None,
    ) -> None:
        self._set(
            _model=model,
            _opening=opening or {},
            _worker=worker or _Worker(),
            profiles=list(profiles),
            _folder=folder,
            _ready=[] if session is None else [session],
            _process=os.getpid(),
        )

    def open(self, run: Settings) -> Session:
        """Opens the engine in a worker.

        Args:
            run: Settings for running.
        """
        if self._process == os.getpid():
            with contextlib.suppress(IndexError):
                ready = self._ready.pop()
                if not run:
                    return ready
                ready.close()
        options = {"model_type": "engine", **encode(check(merged(self._opening, run)))}
        return self._worker.start(self._model, options)

    def create_execution_context(self) -> Engine:
        """Returns the engine, for programs that give TrtRunner a context of it: each runner creates a context of its own."""
        return self

    def with_opening(self, settings: Settings) -> Engine:
        """Returns the same engine, with further settings for opening it."""
        opening = check(merged(self._opening, settings))
        return Engine(self._model, opening, self._worker, self.profiles, self._folder)

    def describe(self, layers: bool, attributes: bool) -> tuple[str, str]:
        """Returns the engine's layers as JSON and as text, for :func:`assay.inspect`."""
        from assay import _assay

        options = {"model_type": "engine", **self._worker.options, **encode(self._opening)}
        return _assay.engine_layers(self._model, options, layers, attributes)

    def serialize(self) -> bytes:
        """Returns the engine's bytes, as ``trt.ICudaEngine.serialize`` does."""
        contents: bytes = self._model if isinstance(self._model, bytes) else util.load_file(self._model)
        return contents

    def save(self, dest: Any) -> None:
        """Saves the engine to a file."""
        if isinstance(self._model, bytes) or os.path.getsize(self._model) == 0:
            util.save_file(self.serialize(), dest)
            return
        with open(self._model, "rb") as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as contents:
            util.save_file(contents, dest)

    def __repr__(self) -> str:
        return f"Engine(<{len(self._model)} bytes>)" if isinstance(self._model, bytes) else f"Engine({self._model!r})"


class _Worker:
    """How workers for an engine are started."""

    def __init__(self, device: int = 0, time_limit: float | None = None, memory_limit: int | None = None) -> None:
        self.options = {"device": str(device)} if device else {}
        self._time_limit, self._memory_limit = time_limit, memory_limit

    def start(self, model: Any, options: dict[str, str]) -> Session:
        return TrtSession("trt", model, {**self.options, **options}, self._time_limit, self._memory_limit)


def engine_of(given: Any) -> Engine:
    """Returns the engine in what functions accept as one: an engine, its bytes, or a callable that returns one."""
    made, _ = util.invoke_if_callable(given)
    if isinstance(made, Engine):
        return made
    if isinstance(made, (bytes, bytearray, memoryview)):
        return Engine(bytes(made))
    raise InputError(
        f"{type_text(made)} isn't an engine of assay.backend.trt. Give what engine_from_network(), "
        "engine_from_path() or engine_from_bytes() returns, or a loader of it"
    )


def engine_from_network(
    network: Any,
    config: Any = None,
    save_timing_cache: str | os.PathLike[str] | None = None,
    runtime: Any = None,
    dla_workspace_allocation_strategy: Any = None,
    *,
    device: int = 0,
    time_limit: float | None = None,
    memory_limit: int | None = None,
) -> Engine:
    """Builds an engine, in a worker process.

    Args:
        network: A network, or a loader of it.
        config: A configuration, or a callable that returns one, such as :class:`CreateConfig`.
        save_timing_cache: Save the timing cache to this file, or add to it.
        runtime: A lean runtime that opens the engine: what :func:`load_runtime` returns, or a loader of it.
        dla_workspace_allocation_strategy: Must be None: only TensorRT 11.3 and later have it, and the worker can't set it.
        device: The number of the GPU.
        time_limit: Seconds for building, and for each run; None if unlimited.
        memory_limit: Bytes of memory for the worker; None if unlimited.

    Raises:
        NotFoundError: This installation has no worker for TensorRT, or the library is missing.
        EngineError: There is no GPU or driver, or TensorRT doesn't accept the model or the settings.
        InputError: A value is impossible.
    """
    opening = _opening(runtime, dla_workspace_allocation_strategy)
    return _build(network, config, save_timing_cache, opening, _Worker(device, time_limit, memory_limit), opens=True)


def _build(
    network: Any,
    config: Any,
    save_timing_cache: str | os.PathLike[str] | None,
    opening: Settings,
    worker: _Worker,
    opens: bool,
) -> Engine:
    """Builds an engine.

    Args:
        network: As for :func:`engine_from_network`.
        config: Likewise.
        save_timing_cache: Likewise.
        opening: Settings for opening the engine.
        worker: Builds it.
        opens: Whether the worker opens the engine, too, for the first run. It doesn't if weights are to be streamed, which
            may not fit into the GPU's memory, or were left out: then the runner's settings are needed.
    """
    made = network_of(network)
    chosen = config_of(config, made)
    cache = None if save_timing_cache is None else absolute_path(save_timing_cache, "save_timing_cache")
    saving = words({"--save-timing-cache": cache})
    settings = check(merged(made.settings, chosen.settings, opening, saving))
    folder = TemporaryFolder()
    file = os.path.join(folder.name, "engine.plan")
    with chosen.calibration(made) as data, chosen.tactics() as tactics:
        options = {**made.options, **chosen.options, **encode(merged(settings, tactics)), **data, "save_built": file}
        if opens and _OPENED_BY_RUNNER.isdisjoint(settings):
            session = worker.start(made.model, options)
        else:
            worker.start(made.model, {**options, "build_only": "on"}).close()
            session = None
    kept = merged(opening, {name: settings[name] for name in _KEPT if name in settings})
    return Engine(file, kept, worker, chosen.profiles, folder, session)


def engine_bytes_from_network(
    network: Any,
    config: Any = None,
    save_timing_cache: str | os.PathLike[str] | None = None,
    *,
    device: int = 0,
    time_limit: float | None = None,
    memory_limit: int | None = None,
) -> bytes:
    """Builds an engine in a worker process, and returns its bytes.

    Args:
        network: A network, or a loader of it.
        config: As for :func:`engine_from_network`, like all that follow.
        save_timing_cache: Likewise.
        device: Likewise.
        time_limit: Seconds for building; None if unlimited.
        memory_limit: Likewise.
    """
    worker = _Worker(device, time_limit, memory_limit)
    return _build(network, config, save_timing_cache, {}, worker, opens=False).serialize()


def engine_from_bytes(
    serialized_engine: Any,
    runtime: Any = None,
    dla_workspace_allocation_strategy: Any = None,
    *,
    device: int = 0,
    time_limit: float | None = None,
    memory_limit: int | None = None,
) -> Engine:
    """Returns an engine that was built before. A worker opens it when it is run.

    Args:
        serialized_engine: The bytes of the engine, or a callable that returns them.
        runtime: As for :func:`engine_from_network`, like all that follow.
        dla_workspace_allocation_strategy: Likewise.
        device: Likewise.
        time_limit: Seconds for opening it, and for each run; None if unlimited.
        memory_limit: Likewise.
    """
    given = engine_of(serialized_engine)
    opening = merged(given._opening, _opening(runtime, dla_workspace_allocation_strategy))
    return Engine(given._model, opening, _Worker(device, time_limit, memory_limit), given.profiles, given._folder)


def engine_from_path(
    path: Any,
    runtime: Any = None,
    dla_workspace_allocation_strategy: Any = None,
    *,
    device: int = 0,
    time_limit: float | None = None,
    memory_limit: int | None = None,
) -> Engine:
    """Returns the engine in a file. A worker opens it when it is run.

    Args:
        path: The path of the file, or a callable that returns it.
        runtime: As for :func:`engine_from_bytes`, like all that follow.
        dla_workspace_allocation_strategy: Likewise.
        device: Likewise.
        time_limit: Likewise.
        memory_limit: Likewise.

    Raises:
        NotFoundError: The engine's file doesn't exist.
        InputError: The path is something else.
    """
    source, _ = util.invoke_if_callable(path)
    if not isinstance(source, (str, os.PathLike)):
        raise InputError(
            f"engine_from_path(): path must be a path, but is {type_text(source)}. "
            "engine_from_bytes() takes engines that are in memory"
        )
    file = os.path.abspath(os.fspath(source))
    if not os.path.isfile(file):
        raise NotFoundError(f"there is no engine {file}. Check the path")
    opening = _opening(runtime, dla_workspace_allocation_strategy)
    return Engine(file, merged(opening, plugins_of(source)), _Worker(device, time_limit, memory_limit))


def save_engine(engine: Any, path: Any) -> Engine:
    """Saves an engine to a file, and returns it.

    Args:
        engine: An engine, its bytes, or a loader of one of these.
        path: The file, which appears under its name once it is complete; or an open file.
    """
    made = engine_of(engine)
    made.save(path)
    return made


def bytes_from_engine(engine: Any) -> bytes:
    """Returns the bytes of an engine.

    Args:
        engine: An engine, or a loader of it.
    """
    return engine_of(engine).serialize()


def load_runtime(path: Any) -> Runtime:
    """Names a lean runtime, which opens version-compatible engines without a runtime of their own.

    Args:
        path: The path of its library, such as libnvinfer_lean.so.
    """
    file = absolute_path(path, "path")
    if not os.path.isfile(file):
        raise NotFoundError(f"there is no runtime {file}. Check the path")
    return Runtime(file)


def _opening(runtime: Any, dla_strategy: Any) -> Settings:
    made, _ = util.invoke_if_callable(runtime)
    if made is not None and not isinstance(made, Runtime):
        raise InputError(
            f"TensorRT's worker process can't use {type_text(made)}. Give what load_runtime() returns as runtime"
        )
    strategy = None if dla_strategy is None else enumerator(dla_strategy)
    library = None if made is None else made.path
    return check(words({"--load-runtime": library, "--dla-workspace-allocation-strategy": strategy}))


check_arguments(__name__)
