"""Names of Polygraphy for which there is nothing to do in another process. Using one says what to do instead."""

from __future__ import annotations

from typing import Any, Callable, NoReturn

from assay.exception import Error

_INSTEAD = {
    "FileReader": "Give the path of the engine to EngineFromPath",
    "CreateNetwork": "TensorRT's parser creates networks, and so can a Python file: InvokeFromScript(FILE, FUNCTION)",
    "create_network": "TensorRT's parser creates networks, and so can a Python file: InvokeFromScript(FILE, FUNCTION)",
    "get_trt_logger": "Its messages are logged by assay.logger.G_LOGGER",
}


def unavailable(name: str) -> Callable[..., Any]:
    """Returns a callable that raises an Error whenever it is called."""

    def refuse(*args: Any, **kwargs: Any) -> NoReturn:
        raise Error(f"{name} isn't available: TensorRT runs in a worker process. {_INSTEAD[name]}")

    refuse.__name__ = refuse.__qualname__ = name
    refuse.__doc__ = f"Raises an Error. {_INSTEAD[name]}."
    return refuse
