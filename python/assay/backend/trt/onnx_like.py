"""Networks of TensorRT as models in ONNX's format, to be looked at."""

from __future__ import annotations

from typing import Any

from assay.arguments import check_arguments
from assay.backend.base import model_source
from assay.backend.trt.network import network_of
from assay.backend.trt.settings import check, encode
from assay.model import Model


def onnx_like_from_network(network: Any, *, device: int = 0) -> Model:
    """Returns the network as a model with a node for each layer.

    The operator of a node is the kind of its layer, such as "CONVOLUTION", and its attributes are those of the layer. These
    operators aren't ONNX's: look at the model with :func:`assay.inspect`, save it, or compare it with another one with
    :func:`assay.diff`, but don't run it. If a script makes the network, the layers' weights are left out.

    Args:
        network: A network, or a loader of it.
        device: The number of the GPU.

    Returns:
        The model, which can be used like an ``onnx.ModelProto``.

    Raises:
        NotFoundError: This installation has no worker for TensorRT, or the library is missing.
        EngineError: There is no GPU or driver, or TensorRT doesn't accept the model or the settings.
    """
    from assay import _assay

    made = network_of(network)
    by_script = "model_type" in made.options
    source, folder = (made.model, "") if by_script else model_source(made.model)
    options = {**({"device": str(device)} if device else {}), **made.options, **encode(check(made.settings))}
    return Model.from_native(_assay.network_model(source, folder, options, not by_script))


check_arguments(__name__)
