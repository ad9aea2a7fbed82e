"""Configurations: how TensorRT builds an engine."""

from __future__ import annotations

import contextlib
import os
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from assay import util
from assay.arguments import Size, check_arguments
from assay.backend.base.lazy import loader
from assay.backend.base.loader import BaseLoader
from assay.backend.common import InvokeFromScript
from assay.backend.trt.algorithm_selector import TacticSelector
from assay.backend.trt.calibrator import Calibrator
from assay.backend.trt.network import Network, script_options
from assay.backend.trt.profile import Profile, encode_profiles
from assay.backend.trt.remote import Builder, Remote
from assay.backend.trt.settings import (
    Settings,
    absolute_path,
    check,
    enumerator,
    enumerators,
    flags,
    merged,
    paths,
    script,
    words,
)
from assay.exception import InputError
from assay.tables import type_text

_CACHE = "--load-timing-cache"


class Config(Remote):
    """Describes a builder configuration, which TensorRT's worker creates.

    Attributes:
        settings: Its settings.
        profiles: Its optimisation profiles.
        calibrator: Calibrates int8, or None.
        options: Further options of the worker.
        algorithm_selector: Records or chooses tactics, or None.
    """

    KIND = "builder configuration"
    INSTEAD = "CreateConfig has its settings, and postprocess_config() lets a function of a Python file change it"

    settings: Settings
    profiles: list[Profile]
    calibrator: Calibrator | None
    options: dict[str, str]
    algorithm_selector: TacticSelector | None

    def __init__(
        self,
        settings: Settings | None = None,
        profiles: Sequence[Profile] = (),
        calibrator: Calibrator | None = None,
        options: dict[str, str] | None = None,
        algorithm_selector: TacticSelector | None = None,
    ) -> None:
        self._set(settings=settings or {}, profiles=list(profiles), calibrator=calibrator, options=options or {})
        self._set(algorithm_selector=algorithm_selector)

    def tactics(self) -> contextlib.AbstractContextManager[Settings]:
        """Returns a context for one build, with the worker's settings for recording or choosing tactics."""
        if self.algorithm_selector is None:
            return contextlib.nullcontext({})
        return self.algorithm_selector.settings()

    @contextlib.contextmanager
    def calibration(self, network: Network) -> Iterator[dict[str, str]]:
        """Returns a context in which the data for the calibration are in files, with the worker's option for them."""
        if self.calibrator is None or self.calibrator.has_cache:
            yield {}
            return
        if "python" in network.options or "python" in self.options:
            raise InputError(
                "with scripts, int8 is calibrated from a cache only. Give the calibrator the file of a cache that exists"
            )
        with tempfile.TemporaryDirectory(prefix="assay-") as folder:
            self.calibrator.save_batches(network, self.profiles, Path(folder))
            yield {"calibration_data": folder}

    def __repr__(self) -> str:
        return f"Config({self.settings})"


class CreateConfig(BaseLoader):
    """Describes how an engine is built. Wrong values are errors at once, without TensorRT or a GPU.

    Settings that are enumerators in TensorRT may be given by name, in upper or lower case, or as objects of the package
    ``tensorrt``, which isn't needed for that.

    Args:
        tf32: Allow TF32.
        fp16: Allow float16.
        int8: Allow int8.
        fp8: Allow float8.
        bf16: Allow bfloat16.
        calibrator: Calibrates int8: a :class:`Calibrator`.
        use_dla: Run on the deep-learning accelerator (DLA) if possible; with TensorRT 10, in float16 unless `int8` is
            given.
        allow_gpu_fallback: Run on the GPU what the accelerator can't.
        profiles: Optimisation profiles (:class:`Profile`), for inputs with dynamic dimensions. By default, there is one, in
            which dynamic dimensions are 1.
        precision_constraints: Whether layers keep the types that they are given: "obey", "prefer" or "none".
        load_timing_cache: The file of a timing cache. If it doesn't exist, a warning is logged and none is used.
        algorithm_selector: Records or chooses tactics: a :class:`TacticRecorder` or a :class:`TacticReplayer`.
        sparse_weights: Allow kernels for sparse weights.
        tactic_sources: Use tactics of these sources only; [] for none. A list of TacticSource.
        restricted: Refuse what the safety runtime can't run.
        profiling_verbosity: How much the engine reports about its layers: "DETAILED" by default. A ProfilingVerbosity.
        memory_pool_limits: Bytes by memory pool, a MemoryPoolType: ``{"workspace": 1 << 30}``.
        refittable: Build an engine whose weights can be replaced.
        strip_plan: Build an engine without the weights that can be replaced.
        preview_features: Use these preview features only; [] for none. A list of PreviewFeature.
        engine_capability: The kind of runtime that will run the engine. An EngineCapability.
        direct_io: Don't reformat inputs and outputs.
        builder_optimization_level: How long to search for fast tactics: higher levels search longer.
        hardware_compatibility_level: Build an engine for other GPUs, too. A HardwareCompatibilityLevel.
        max_aux_streams: Use at most this many auxiliary streams.
        version_compatible: Build an engine for later versions of TensorRT, too.
        exclude_lean_runtime: Leave the lean runtime out of such an engine.
        quantization_flags: Set these flags only; [] for none. A list of QuantizationFlag.
        error_on_timing_cache_miss: Fail if a tactic isn't in the timing cache, which has to be given.
        disable_compilation_cache: Don't cache compiled kernels.
        progress_monitor: Must be None: the worker can't call it.
        weight_streaming: Build an engine that can stream weights from host memory.
        runtime_platform: The platform that will run the engine. A RuntimePlatform.
        tiling_optimization_level: How much to optimise tiling. A TilingOptimizationLevel.
        editable_timing_cache: Let the timing cache keep which tactics were chosen. Needs TensorRT 10.8.
        dla_core: The core of the accelerator, counted from 0. By default the first one.
        serialize_plugins: Libraries of plug-ins to load and to put into a version-compatible engine.

    Raises:
        InputError: A value is impossible, or settings contradict each other.
    """

    def __init__(
        self,
        tf32: bool | None = None,
        fp16: bool | None = None,
        int8: bool | None = None,
        fp8: bool | None = None,
        bf16: bool | None = None,
        calibrator: Any = None,
        use_dla: bool | None = None,
        allow_gpu_fallback: bool | None = None,
        *,
        profiles: Sequence[Profile] | None = None,
        precision_constraints: str | None = None,
        load_timing_cache: str | os.PathLike[str] | None = None,
        algorithm_selector: Any = None,
        sparse_weights: bool | None = None,
        tactic_sources: Sequence[Any] | None = None,
        restricted: bool | None = None,
        profiling_verbosity: Any = None,
        memory_pool_limits: Mapping[Any, Size] | None = None,
        refittable: bool | None = None,
        strip_plan: bool | None = None,
        preview_features: Sequence[Any] | None = None,
        engine_capability: Any = None,
        direct_io: bool | None = None,
        builder_optimization_level: int | None = None,
        hardware_compatibility_level: Any = None,
        max_aux_streams: int | None = None,
        version_compatible: bool | None = None,
        exclude_lean_runtime: bool | None = None,
        quantization_flags: Sequence[Any] | None = None,
        error_on_timing_cache_miss: bool | None = None,
        disable_compilation_cache: bool | None = None,
        progress_monitor: Any = None,
        weight_streaming: bool | None = None,
        runtime_platform: Any = None,
        tiling_optimization_level: Any = None,
        editable_timing_cache: bool | None = None,
        dla_core: int | None = None,
        serialize_plugins: Sequence[str | os.PathLike[str]] | None = None,
    ) -> None:
        _refuse_objects(algorithm_selector, progress_monitor, calibrator, int8)
        switched = flags(
            {
                "--tf32": tf32,
                "--fp16": fp16,
                "--int8": int8,
                "--fp8": fp8,
                "--bf16": bf16,
                "--use-dla": use_dla,
                "--allow-gpu-fallback": allow_gpu_fallback,
                "--sparse-weights": sparse_weights,
                "--trt-safety-restricted": restricted,
                "--refittable": refittable,
                "--strip-plan": strip_plan,
                "--direct-io": direct_io,
                "--version-compatible": version_compatible,
                "--exclude-lean-runtime": exclude_lean_runtime,
                "--error-on-timing-cache-miss": error_on_timing_cache_miss,
                "--disable-compilation-cache": disable_compilation_cache,
                "--weight-streaming": weight_streaming,
                "--editable-timing-cache": editable_timing_cache,
            }
        )
        chosen = {
            "--profiling-verbosity": profiling_verbosity,
            "--engine-capability": engine_capability,
            "--hardware-compatibility-level": hardware_compatibility_level,
            "--runtime-platform": runtime_platform,
            "--tiling-optimization-level": tiling_optimization_level,
        }
        if not isinstance(memory_pool_limits, (Mapping, type(None))):
            raise InputError(f"memory_pool_limits must be a dictionary of bytes by pool, but is {memory_pool_limits!r}")
        limits = (memory_pool_limits or {}).items()
        valued = words(
            {
                **{name: enumerator(value) for name, value in chosen.items() if value is not None},
                "--precision-constraints": precision_constraints,
                _CACHE: None if load_timing_cache is None else absolute_path(load_timing_cache, "load_timing_cache"),
                "--tactic-sources": enumerators(tactic_sources, "tactic_sources"),
                "--preview-features": enumerators(preview_features, "preview_features"),
                "--quantization-flags": enumerators(quantization_flags, "quantization_flags"),
                "--pool-limit": [f"{enumerator(pool)}:{size}" for pool, size in limits] or None,
                "--builder-optimization-level": builder_optimization_level,
                "--max-aux-streams": max_aux_streams,
                "--dla-core": dla_core,
                "--serialize-plugins": paths(serialize_plugins or [], "serialize_plugins") or None,
            }
        )
        calibration = {} if calibrator is None else calibrator.settings
        shapes = {} if profiles is None else encode_profiles(profiles)
        self._profiles = list(profiles or [])
        self._calibrator = calibrator
        self._algorithm_selector = algorithm_selector
        self._settings = check(merged(switched, valued, calibration, shapes))

    def call_impl(self, builder: Any = None, network: Any = None) -> Config:
        return Config(
            self._settings, self._profiles, self._calibrator, algorithm_selector=self._algorithm_selector
        )


def _refuse_objects(algorithm_selector: Any, progress_monitor: Any, calibrator: Any, int8: bool | None) -> None:
    """Refuses objects that TensorRT would have to call."""
    if not isinstance(algorithm_selector, (TacticSelector, type(None))):
        raise InputError(
            f"TensorRT's worker process can't call {type_text(algorithm_selector)}. Give a TacticRecorder or a "
            "TacticReplayer of assay.backend.trt"
        )
    if progress_monitor is not None:
        raise InputError("TensorRT's worker process can't call a progress monitor. Leave it out")
    if calibrator is None:
        return
    if not isinstance(calibrator, Calibrator):
        raise InputError(
            f"TensorRT's worker process can't call {type_text(calibrator)}. Give an assay.backend.trt.Calibrator"
        )
    if not int8:
        raise InputError("a calibrator has no effect without int8=True")


def create_config(builder: Any = None, network: Any = None, *args: Any, **kwargs: Any) -> Config:
    """Describes how an engine is built.

    Args:
        builder: What comes with the network; it isn't needed.
        network: Likewise.
        *args: Those of :class:`CreateConfig`.
        **kwargs: Likewise.
    """
    return CreateConfig(*args, **kwargs).call_impl(builder, network)


def config_of(given: Any, network: Any) -> Config:
    """Returns the configuration in what functions accept as one.

    Args:
        given: None, a configuration, a callable that returns one for a builder and a network, or
            ``InvokeFromScript(FILE, FUNCTION)``: the worker then calls that function.
        network: The network.
    """
    if given is None:
        return Config()
    if isinstance(given, InvokeFromScript):
        word = script(given, "load_config", "the function")
        return Config({"--trt-config-script": [[word]]}, options=script_options())
    made, _ = util.invoke_if_callable(given, Builder(), network)
    if isinstance(made, Config):
        return made
    raise InputError(
        f"{type_text(made)} isn't a configuration of assay.backend.trt. Give CreateConfig(...), or a callable that "
        "returns what it returns"
    )


def postprocess_config(config: Any, func: Any, builder: Any = None, network: Any = None) -> Config:
    """Lets a function of a Python file change a configuration. It runs in the worker and uses the package tensorrt.

    Args:
        config: A configuration, or a loader of it.
        func: "FILE", "FILE:FUNCTION" or ``InvokeFromScript(FILE, FUNCTION)``. The function gets the builder, the network
            and the configuration, and is called "postprocess_config" by default. Functions of this process can't be
            called.
        builder: What comes with the network; it isn't needed.
        network: Likewise.
    """
    name = "--trt-config-postprocess-script"
    word = script(func, "postprocess_config", "the function that changes a configuration")
    given = config_of(config, network)
    if name in given.settings:
        raise InputError("only one function can change a configuration. Call both from one function")
    settings = check(merged(given.settings, {name: [[word]]}))
    options = {**given.options, **script_options()}
    return Config(settings, given.profiles, given.calibrator, options, given.algorithm_selector)


PostprocessConfig = loader("PostprocessConfig", postprocess_config)


check_arguments(__name__)
