"""Converts what the functions of this package accept as a model, and their results back to the same kind."""

from __future__ import annotations

import importlib
import os
from typing import TYPE_CHECKING, Any, Callable, Concatenate, ParamSpec, Protocol, cast, overload

from assay.exception import ArgumentError
from assay.model import Model, PathLike, called
from assay.tables import type_text

if TYPE_CHECKING:
    import onnx

P = ParamSpec("P")


class ChangesModel(Protocol[P]):
    """A function that returns a changed model, of the kind that it is given. For type checkers and editors."""

    @overload
    def __call__(self, model: onnx.ModelProto, *args: P.args, **kwargs: P.kwargs) -> onnx.ModelProto: ...
    @overload
    def __call__(self, model: PathLike | bytes | Model, *args: P.args, **kwargs: P.kwargs) -> Model: ...
    @overload
    def __call__(self, model: Any, *args: P.args, **kwargs: P.kwargs) -> Any: ...


def same_kind(function: Callable[Concatenate[Any, P], Any]) -> ChangesModel[P]:
    """Declares that a function returns the kind of model that it is given. Returns the function itself."""
    return cast("ChangesModel[P]", function)


class Given:
    """A model as the caller gave it, and as an object of the extension.

    Paths, bytes and :class:`assay.Model` lead to an :class:`assay.Model`; an ``onnx.ModelProto`` to a new
    ``onnx.ModelProto``, also if PyTorch's exporter made the model, and an ONNX-GraphSurgeon graph to a new graph. A
    callable is called for the model.
    """

    def __init__(self, model: Any, external_data_dir: str | os.PathLike[str] | None = None) -> None:
        model = called(model)
        self.original = model
        self._wrap: Callable[[Model], Any] = lambda result: result
        if type(model) is Model:
            self.model = model
        elif isinstance(model, (str, os.PathLike)):
            self.model = self.original = Model(model, external_data_dir)
        elif isinstance(model, (bytes, bytearray, memoryview)):
            self.model = self.original = Model(bytes(model), external_data_dir)
        elif hasattr(type(model), "SerializeToString"):
            self.model = Model(model, external_data_dir)
            self._wrap = Model.to_proto
        elif type(model).__module__.startswith("onnx_graphsurgeon"):
            gs: Any = importlib.import_module("onnx_graphsurgeon")
            self.model = Model(gs.export_onnx(model, do_type_check=False))
            self._wrap = lambda result: gs.import_onnx(result.to_proto())
        else:
            raise ArgumentError(
                f"{type_text(model)} isn't a model. Give an assay.Model, an onnx.ModelProto, a path, or a "
                "callable that returns one of them"
            )

    def result(self, native: Any) -> Any:
        """Returns a model of the extension as the kind that was given."""
        return self._wrap(Model.from_native(native))
