"""Networks: a model, and the changes that TensorRT's worker makes to the network that it parses from the model.

Functions return what Polygraphy's return: the builder, the network and the parser. All three are in the worker, so the
network here only describes what it will do. It is never changed; functions return a new one.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from assay import constants, util
from assay.arguments import check_arguments
from assay.backend.base import model_source
from assay.backend.common import InvokeFromScript
from assay.backend.trt.plugin_path import plugins_of
from assay.backend.trt.remote import Builder, Parser, Remote
from assay.backend.trt.settings import (
    Settings,
    check,
    element_type,
    enumerator,
    enumerators,
    flags,
    merged,
    script,
    words,
)
from assay.exception import InputError
from assay.model import Model, ValueInfo, called
from assay.tables import type_text

_SCRIPTS = "--trt-network-postprocess-script"


class Network(Remote):
    """Describes a network, which TensorRT's worker creates.

    Attributes:
        model: The path or bytes of the model, an ``assay.Model``, or the path of a script that creates the network.
        settings: The changes.
        options: Further options of the worker.
    """

    KIND = "network"
    INSTEAD = (
        "Use functions such as modify_network_outputs() and set_layer_precisions(), or postprocess_network() with a "
        "Python file"
    )

    model: Any
    settings: Settings
    options: dict[str, str]

    def __init__(self, model: Any, settings: Settings | None = None, options: dict[str, str] | None = None) -> None:
        self._set(model=model, settings=settings or {}, options=options or {})

    def with_settings(self, settings: Settings) -> Network:
        """Returns the network with further settings."""
        return Network(self.model, check(merged(self.settings, settings)), self.options)

    def inputs(self) -> Sequence[ValueInfo]:
        """Returns the inputs of the model.

        Raises:
            InputError: A script creates the network, so only the worker knows its inputs.
        """
        if "model_type" in self.options:
            raise InputError("a script makes this network, so its inputs aren't known here. Give their shapes yourself")
        return (self.model if isinstance(self.model, Model) else Model(self.model)).inputs

    def __repr__(self) -> str:
        model = f"<{len(self.model)} bytes>" if isinstance(self.model, bytes) else repr(self.model)
        return f"Network({model}, {self.settings})"


class NetworkParts(NamedTuple):
    """The result of functions that return networks: ``builder, network, parser = ...`` works."""

    builder: Builder
    network: Network
    parser: Parser


def parts_of(network: Network) -> NetworkParts:
    """Returns a network with stand-ins for the builder and the parser."""
    return NetworkParts(Builder(), network, Parser())


def network_of(given: Any) -> Network:
    """Returns the network in what functions accept as one.

    Args:
        given: What a function of this module returns, a tuple with such a network, a callable that returns one, or
            ``InvokeFromScript(FILE, FUNCTION)``: the worker then calls that function for the network.
    """
    if isinstance(given, InvokeFromScript):
        file, _, function = script(given, "load_network", "the function").rpartition(":")
        return Network(file, {}, {"model_type": "script", "function": function, **script_options()})
    made, _ = util.invoke_if_callable(given)
    for part in made if isinstance(made, tuple) else (made,):
        if isinstance(part, Network):
            return part
    raise InputError(
        f"{type_text(made)} isn't a network of assay.backend.trt. Give what network_from_onnx_path() or "
        "network_from_onnx_bytes() returns, or a loader of it"
    )


def script_options() -> dict[str, str]:
    """Returns the options of the worker for scripts: they run in this interpreter's program."""
    return {"python": sys.executable} if sys.executable else {}


def network_from_onnx_path(
    path: Any,
    flags: Sequence[Any] | None = None,
    plugin_instancenorm: bool | None = None,
    strongly_typed: bool | None = None,
    mark_unfused_tensors_as_debug_tensors: bool | None = None,
    enable_uint8_asymmetric_quantization_dla: bool | None = None,
    config: Any = None,
) -> NetworkParts:
    """Describes the network of an ONNX file.

    Args:
        path: The path of the model, or a callable that returns it.
        flags: Flags of the ONNX parser, by name or as ``trt.OnnxParserFlag``.
        plugin_instancenorm: Compute InstanceNormalization with a plug-in.
        strongly_typed: Compute each layer in the types that the model declares.
        mark_unfused_tensors_as_debug_tensors: Mark all unfused tensors for debugging.
        enable_uint8_asymmetric_quantization_dla: Allow uint8 and asymmetric quantization on the deep-learning
            accelerator.
        config: A configuration, or a callable that returns one. Has no effect: the parser gets the configuration that
            engine_from_network() takes.

    Returns:
        Stand-ins for the builder and the parser, and the network's description. All functions accept it as it is.

    Raises:
        NotFoundError: The model's file doesn't exist.
        InputError: TensorRT has no such flag.
    """
    source, _ = util.invoke_if_callable(path)
    return _from_onnx(
        _path_of(source),
        flags,
        {
            "--plugin-instancenorm": plugin_instancenorm,
            "--strongly-typed": strongly_typed,
            "--mark-unfused-tensors-as-debug-tensors": mark_unfused_tensors_as_debug_tensors,
            "--enable-uint8-asymmetric-quantization-dla": enable_uint8_asymmetric_quantization_dla,
        },
        config,
        plugins_of(source),
    )


def network_from_onnx_bytes(
    model_bytes: Any,
    flags: Sequence[Any] | None = None,
    plugin_instancenorm: bool | None = None,
    strongly_typed: bool | None = None,
    mark_unfused_tensors_as_debug_tensors: bool | None = None,
    enable_uint8_asymmetric_quantization_dla: bool | None = None,
    config: Any = None,
) -> NetworkParts:
    """Describes the network of an ONNX model.

    Args:
        model_bytes: The bytes of the model, an ``onnx.ModelProto``, an ``assay.Model``, or a callable that returns one
            of these.
        flags: As for :func:`network_from_onnx_path`, like all that follow.
        plugin_instancenorm: Likewise.
        strongly_typed: Likewise.
        mark_unfused_tensors_as_debug_tensors: Likewise.
        enable_uint8_asymmetric_quantization_dla: Likewise.
        config: Likewise.
    """
    return _from_onnx(
        _model_of(model_bytes),
        flags,
        {
            "--plugin-instancenorm": plugin_instancenorm,
            "--strongly-typed": strongly_typed,
            "--mark-unfused-tensors-as-debug-tensors": mark_unfused_tensors_as_debug_tensors,
            "--enable-uint8-asymmetric-quantization-dla": enable_uint8_asymmetric_quantization_dla,
        },
        config,
    )


def _path_of(path: Any) -> str:
    if not isinstance(path, (str, os.PathLike)):
        raise InputError(
            f"network_from_onnx_path(): path must be a path, but is {type_text(path)}. "
            "network_from_onnx_bytes() takes models that are in memory"
        )
    return str(model_source(path)[0])


def _model_of(given: Any) -> Any:
    """Returns bytes, or an :class:`assay.Model`, whose weights stay in their files."""
    model = given if hasattr(type(given), "SerializeToString") else called(given)
    if isinstance(model, (str, os.PathLike)):
        raise InputError(
            "network_from_onnx_bytes(): model_bytes must be the bytes of a model, an onnx.ModelProto or an assay.Model, "
            f"but is {os.fspath(model)!r}. network_from_onnx_path() takes paths"
        )
    return model if type(model) is Model else model_source(model)[0]


def _from_onnx(
    model: Any,
    parser_flags: Sequence[Any] | None,
    given: Mapping[str, bool | None],
    config: Any,
    plugins: Settings | None = None,
) -> NetworkParts:
    # Config is in a module that imports this one. Callables aren't called: their calibration data may be a generator.
    if not (config is None or callable(config) or (isinstance(config, Remote) and not isinstance(config, Network))):
        raise InputError(f"config must be what create_config() returns, or a loader of it, but is {type_text(config)}")
    settings = words({"--onnx-flags": enumerators(parser_flags, "flags")})
    return parts_of(Network(model, check(merged(settings, flags(given), plugins or {}))))


def modify_network_outputs(
    network: Any,
    outputs: Sequence[str] | str | None = None,
    exclude_outputs: Sequence[str] | None = None,
    mark_layer_types: Sequence[Any] | None = None,
) -> NetworkParts:
    """Chooses the outputs of a network. It replaces an earlier choice.

    Args:
        network: A network, or a loader of it.
        outputs: Names of tensors, or patterns such as ``conv_*``, that become the outputs. ``constants.MARK_ALL`` stands
            for all tensors.
        exclude_outputs: Names or patterns of tensors that don't become outputs.
        mark_layer_types: Types of layers whose outputs become outputs, by name or as ``trt.LayerType``.
    """
    given = network_of(network)
    names = ["*"] if outputs == constants.MARK_ALL else outputs
    if isinstance(names, str) or (names is not None and not names):
        raise InputError(f"outputs must be a list of names or constants.MARK_ALL, but is {outputs!r}")
    chosen = {
        "--trt-outputs": names,
        "--trt-exclude-outputs": exclude_outputs,
        "--trt-outputs-by-type": enumerators(mark_layer_types, "mark_layer_types"),
    }
    others = {name: value for name, value in given.settings.items() if name not in chosen}
    return parts_of(Network(given.model, check(merged(others, words(chosen))), given.options))


def postprocess_network(network: Any, func: Any, name: str | None = None) -> NetworkParts:
    """Lets a function of a Python file change a network. It runs in the worker and uses the package tensorrt.

    Args:
        network: A network, or a loader of it. Its outputs, precisions and types mustn't have been set yet: the function
            runs before these are.
        func: "FILE", "FILE:FUNCTION" or ``InvokeFromScript(FILE, FUNCTION)``. The function gets the network as
            ``network=`` and is called "postprocess" by default. Functions of this process can't be called.
        name: Accepted for compatibility.
    """
    given = network_of(network)
    word = script(func, "postprocess", "the function that changes a network")
    later = next((setting for setting in given.settings if setting in _AFTER_SCRIPTS), None)
    if later is not None:
        raise InputError(
            f"a function of a script runs before {_AFTER_SCRIPTS[later]}() takes effect. Call postprocess_network() first, "
            f"and then {_AFTER_SCRIPTS[later]}()"
        )
    changed = given.with_settings({_SCRIPTS: [[word]]})
    return parts_of(Network(changed.model, changed.settings, {**changed.options, **script_options()}))


# Settings that the worker applies after it has called the functions of scripts, and the functions that set them.
_AFTER_SCRIPTS = {
    "--trt-outputs": "modify_network_outputs",
    "--trt-exclude-outputs": "modify_network_outputs",
    "--trt-outputs-by-type": "modify_network_outputs",
    "--layer-precisions": "set_layer_precisions",
    "--tensor-dtypes": "set_tensor_datatypes",
    "--all-tensor-dtypes": "set_tensor_datatypes",
    "--tensor-formats": "set_tensor_formats",
    "--all-tensor-formats": "set_tensor_formats",
    "--decomposable-attentions": "set_decomposable_attentions",
    "--mark-debug": "mark_debug",
}


def set_layer_precisions(network: Any, layer_precisions: Mapping[str, Any]) -> NetworkParts:
    """Sets the types in which layers compute. CreateConfig's `precision_constraints` says how binding they are.

    Args:
        network: A network, or a loader of it.
        layer_precisions: Element types by the names of layers, or patterns of names: ``{"conv_*": "float32"}``.
            Patterns skip layers that compute integers, booleans or shapes.
    """
    return _change(network, "--layer-precisions", _pairs(layer_precisions, element_type))


def set_tensor_datatypes(network: Any, tensor_datatypes: Any) -> NetworkParts:
    """Sets the element types of inputs and outputs.

    Args:
        network: A network, or a loader of it.
        tensor_datatypes: Element types by name or pattern, or one for all inputs and outputs.
    """
    if isinstance(tensor_datatypes, Mapping):
        return _change(network, "--tensor-dtypes", _pairs(tensor_datatypes, element_type))
    return _change(network, "--all-tensor-dtypes", [element_type(tensor_datatypes)])


def set_tensor_formats(network: Any, tensor_formats: Mapping[str, Sequence[Any]] | Sequence[Any]) -> NetworkParts:
    """Sets the formats that inputs and outputs may have.

    Args:
        network: A network, or a loader of it.
        tensor_formats: Lists of formats by name or pattern, or one list for all inputs and outputs. Formats are names,
            such as "LINEAR", or ``trt.TensorFormat``.
    """
    if isinstance(tensor_formats, Mapping):
        pairs = _pairs(tensor_formats, lambda formats: f"[{','.join(enumerators(formats, 'tensor_formats') or [])}]")
        return _change(network, "--tensor-formats", pairs)
    return _change(network, "--all-tensor-formats", enumerators(tensor_formats, "tensor_formats") or [])


def mark_debug(network: Any, mark_debug: Sequence[str]) -> NetworkParts:
    """Marks tensors for debugging: runs return them like outputs, and TensorRT's fusions stay as they are.

    Args:
        network: A network, or a loader of it.
        mark_debug: Names of tensors, or patterns.
    """
    if isinstance(mark_debug, str):
        raise InputError(f"mark_debug must be a list of names, but is {mark_debug!r}. Write [{mark_debug!r}]")
    return _change(network, "--mark-debug", list(mark_debug))


def set_decomposable_attentions(network: Any) -> NetworkParts:
    """Lets TensorRT decompose attention for which it has no fused kernel.

    Args:
        network: A network, or a loader of it.
    """
    return parts_of(network_of(network).with_settings({"--decomposable-attentions": [[]]}))


def _change(network: Any, setting: str, given: list[str]) -> NetworkParts:
    if not given:
        raise InputError(f"{_AFTER_SCRIPTS[setting]}() has nothing to set: the argument is empty. Leave the call out")
    return parts_of(network_of(network).with_settings({setting: [given]}))


def _pairs(values: Mapping[str, Any], text_of: Any) -> list[str]:
    return [f"{name}:{text_of(value)}" for name, value in values.items()]


check_arguments(__name__)
