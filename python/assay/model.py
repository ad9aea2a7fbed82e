"""Models whose weights stay on disk."""

from __future__ import annotations

import os
import sys
from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Union

from assay.arguments import Size, check_arguments, wrong_type
from assay.exception import InputError, ModelError
from assay.mod import LazyModule
from assay.tables import counted, shape_text, short_html_table

PathLike = Union[str, os.PathLike[str]]

if TYPE_CHECKING:
    import onnx

    from assay._assay import NativeModel

    Source = Union[PathLike, bytes, onnx.ModelProto, "Model"]
else:  # importing both takes long, but typing.get_type_hints() must find them
    onnx = LazyModule("onnx")
    NativeModel = Source = Any

_MOST_OPERATORS = 20  # in the HTML form


@dataclass(frozen=True)
class ValueInfo:
    """An input or output of a graph.

    Attributes:
        name: Its name.
        dtype: The element type as NumPy spells it ("float32"), or "" if it is unknown or the value isn't a tensor.
        shape: A number of elements, a symbol, or -1 (unknown) for each dimension; None if not even the rank is known.
    """

    name: str
    dtype: str
    shape: tuple[int | str, ...] | None


@dataclass(frozen=True)
class Node:
    """A node of a graph, by the names of what it reads and computes. An omitted optional input has the name ""."""

    name: str
    op_type: str
    domain: str
    inputs: tuple[str, ...]
    outputs: tuple[str, ...]


@dataclass(frozen=True)
class Initializer:
    """A weight, without its values. `nbytes` is the size of its elements in bytes."""

    name: str
    dtype: str
    shape: tuple[int, ...]
    nbytes: int


class Model:
    """An ONNX model whose large weights (of 1 KiB or more) stay in their files.

    Loading a model reads its nodes and no weights, so it takes milliseconds for any number of gigabytes. The functions
    of :mod:`assay.backend.onnx` accept models, never change them, and return new ones that share the weights.

    A model can be used like an ``onnx.ModelProto``: it has the attributes of one (``graph``, ``opset_import``,
    ``SerializeToString``, ...), and ``isinstance(model, onnx.ModelProto)`` holds. The first use of such an attribute
    reads all weights into a message, which the model then keeps. Changes to that message are changes to the model.
    ``nodes``, ``inputs``, ``outputs`` and ``initializers`` don't need the message. They build their tuples each time they
    are used, and serialise the message if there is one, since it may have changed: in a loop, keep them in a variable.

    ``==`` compares with another model or an ``onnx.ModelProto`` as :func:`assay.diff` does: two models are equal if it finds no
    change, wherever their weights are stored. It reads the weights of both. Like a message, a model has no hash.

    Args:
        source: The path of a model, the bytes of a serialized one, an ``onnx.ModelProto``,
            which is copied, or another model. Also the ``ONNXProgram`` that ``torch.onnx.export`` returns, and an
            ``onnx_ir.Model``.
        external_data_dir: The folder of its external data. For paths, this is the model's folder by default; for bytes
            and messages there is no default, and external data isn't loaded.
        ignore_external_data: Load the graph only, not even checking that files of weights exist.

    Raises:
        NotFoundError: The file or its external data is missing.
        ModelError: It isn't an ONNX model, or is damaged.
    """

    def __init__(
        self,
        source: Source,
        external_data_dir: PathLike | None = None,
        ignore_external_data: bool = False,
    ) -> None:
        from assay import _assay

        folder = None if external_data_dir is None else os.path.abspath(external_data_dir)
        source = as_message(source)
        self._native: NativeModel | None = None
        self._proto: onnx.ModelProto | None = None
        self._path: str | None = None  # as the caller wrote it
        self._engine_path: str | None = None  # absolute; None if an engine would read other weights next to that file
        if type(source) is Model:
            self._native, self._path, self._engine_path = source.native, source.path, source.engine_path
        elif isinstance(source, (str, os.PathLike)):
            self._path = os.fspath(source)
            file = os.path.abspath(self._path)  # the working folder of this process may change
            self._native = _assay.load_model(file, folder, ignore_external_data)
            self._engine_path = file if folder in (None, os.path.dirname(file)) else None
        elif isinstance(source, (bytes, bytearray, memoryview)):
            self._native = _assay.model_from_bytes(bytes(source), folder)
        elif hasattr(source, "SerializeToString"):
            self._native = _assay.model_from_bytes(serialize(source), folder)
        else:
            raise wrong_type("Model", "source", "a path, bytes, an onnx.ModelProto or an assay.Model", source)

    @classmethod
    def from_native(cls, native: NativeModel) -> Model:
        """Wraps an object of the extension."""
        model = cls.__new__(cls)
        model._native, model._proto, model._path, model._engine_path = native, None, None, None
        return model

    @classmethod
    def from_proto(cls, proto: onnx.ModelProto, external_data_dir: PathLike | None = None) -> Model:
        """Copies a message. Its weights are then in a file in memory, to which the model refers."""
        return cls(proto, external_data_dir)

    def to_proto(self) -> onnx.ModelProto:
        """Returns a new ``onnx.ModelProto`` with all weights inside. It must take less than 2 GiB."""
        import onnx

        proto: onnx.ModelProto = onnx.ModelProto.FromString(self.to_bytes())
        return proto

    def to_bytes(self) -> bytes:
        """Returns the serialized model with all weights inside. It must take less than 2 GiB."""
        if self._proto is not None:
            return serialize(self._proto)
        if (size := self.native.inline_bytes()) >= 2**31:
            raise ModelError(
                f"the weights of the model take {size / 2**30:.1f} GiB, but a message can hold at most "
                "2 GiB. Write the model with save_onnx() and pass on its path; `nodes`, `inputs` and the functions of "
                "assay.backend.onnx need no message"
            )
        return self.native.to_bytes()

    def save(
        self,
        path: PathLike,
        external_data_path: PathLike | None = None,
        size_threshold: Size = 1024,
        all_tensors_to_one_file: bool = True,
    ) -> None:
        """Writes the model to a file, atomically. The parameters are those of :func:`assay.backend.onnx.save_onnx`."""
        weights = None if external_data_path is None else os.fspath(external_data_path)
        self.native.save(os.fspath(path), weights, size_threshold, all_tensors_to_one_file)

    def engine_source(self) -> tuple[str | bytes, str]:
        """Returns what an engine loads: a path, or bytes and the folder of the large weights, to which they refer."""
        if self._engine_path is not None:
            return self._engine_path, ""
        source, folder = self.native.by_reference()
        return _OwningBytes(source, self.native) if folder else source, folder

    @property
    def engine_path(self) -> str | None:
        """The absolute path of a file that an engine can load, for functions of this package. None if there is no such
        file, or if the folder of the external data was given: an engine would read that next to the file."""
        return self._engine_path

    @property
    def native(self) -> NativeModel:
        """The object of the extension, for functions of this package."""
        if self._native is None:
            from assay import _assay

            assert self._proto is not None
            return _assay.model_from_bytes(serialize(self._proto), None)
        return self._native

    @property
    def path(self) -> str | None:
        """The file that the model was loaded from, or None if it was changed since or didn't come from a file."""
        return self._path

    @property
    def name(self) -> str:
        """The name of the graph."""
        return self.native.graph_name()

    @property
    def opset(self) -> int:
        """The version of ONNX's own operator set that the model imports, or 0."""
        return self.native.opset()

    @property
    def nodes(self) -> tuple[Node, ...]:
        """The nodes of the graph, in the order of the file; not those in bodies of If, Loop and Scan."""
        nodes = self.native.nodes()
        return tuple(Node(name, op, domain, tuple(ins), tuple(outs)) for name, op, domain, ins, outs in nodes)

    @property
    def inputs(self) -> tuple[ValueInfo, ...]:
        """The inputs of the graph without those that are initializers, too."""
        return tuple(_value(*value) for value in self.native.inputs())

    @property
    def outputs(self) -> tuple[ValueInfo, ...]:
        """The outputs of the graph."""
        return tuple(_value(*value) for value in self.native.outputs())

    @property
    def initializers(self) -> tuple[Initializer, ...]:
        """The weights of the graph."""
        weights = self.native.initializers()
        return tuple(Initializer(name, dtype, tuple(shape), nbytes) for name, dtype, shape, nbytes in weights)

    def __repr__(self) -> str:
        native = self.native
        ports = [", ".join(map(_port, values)) for values in (self.inputs, self.outputs)]
        where = f" from {self._path!r}" if self._path else ""
        what = f"{counted(native.count_nodes(), 'node')}, ({ports[0]}) -> ({ports[1]})"
        return f"<assay.Model {native.graph_name()!r}{where}: {what}>"

    def _repr_html_(self) -> str:
        native = self.native
        operators = Counter(node.op_type for node in self.nodes).most_common()
        used = ", ".join(f"{operator} {count}" for operator, count in operators[:_MOST_OPERATORS])
        hidden = len(operators) - _MOST_OPERATORS
        weights = self.initializers
        notes = [
            f"Operators: {used}" + (f", and {hidden} more" if hidden > 0 else ""),
            f"{counted(len(weights), 'initializer')} of {sum(weight.nbytes for weight in weights):,} bytes, opset {native.opset()}",
        ]
        if self._path:
            notes.append(f"File: {self._path}")
        rows = [("input", value.name, value.dtype, shape_text(value.shape)) for value in self.inputs]
        rows += [("output", value.name, value.dtype, shape_text(value.shape)) for value in self.outputs]
        title = f"{native.graph_name()}: {counted(native.count_nodes(), 'node')}"
        return short_html_table(title, ("", "Name", "Type", "Shape"), rows, notes)

    def __getattr__(self, name: str) -> Any:
        # Programs that show objects ask for many attributes. Those that a message lacks mustn't read the weights.
        if name.startswith("_") or not _has_attribute(name):
            raise AttributeError(f"'Model' object has no attribute '{name}'")
        return getattr(self._message(), name)

    def __setattr__(self, name: str, value: Any) -> None:
        if name.startswith("_"):
            super().__setattr__(name, value)
        else:  # an attribute of this object alone would look like a change of the model
            setattr(self._message(), name, value)

    # onnx.checker, onnx.shape_inference and others ask for the class of what they are given.
    @property  # type: ignore[misc]
    def __class__(self) -> type:
        onnx = sys.modules.get("onnx")
        return Model if onnx is None else onnx.ModelProto

    def __dir__(self) -> list[str]:  # otherwise, completion would offer the methods of a message alone
        message: Any = getattr(sys.modules.get("onnx"), "ModelProto", None)
        return sorted({*dir(Model), *(() if message is None else [*dir(message), *message.DESCRIPTOR.fields_by_name])})

    def __eq__(self, other: object) -> bool:  # so models have no hash, like messages, which can change, too
        if other is self:
            return True
        message: Any = getattr(sys.modules.get("onnx"), "ModelProto", Model)
        if not isinstance(other, (Model, message)):
            return NotImplemented
        from assay import _assay

        return _assay.equal_models(self.native, Model(other).native)

    def __copy__(self) -> Model:
        return self.__deepcopy__({})

    def __deepcopy__(self, memo: dict[int, Any]) -> Model:
        model = Model.from_native(self.native)
        model._path, model._engine_path = self._path, self._engine_path
        return model

    def __reduce__(self) -> tuple[Any, ...]:
        return (Model, (self.to_bytes(),))

    def _message(self) -> onnx.ModelProto:
        if self._proto is None:
            self._proto = self.to_proto()
            self._native, self._path, self._engine_path = None, None, None  # the caller may change the message
        return self._proto


class _OwningBytes(bytes):
    """Bytes that refer to weights in files. Keeps these files in their places, which may be temporary."""

    _owner: NativeModel

    def __new__(cls, content: bytes, owner: NativeModel) -> _OwningBytes:
        made = super().__new__(cls, content)
        made._owner = owner
        return made


def _has_attribute(name: str) -> bool:
    """Returns whether an ``onnx.ModelProto`` has an attribute."""
    import onnx

    return name in onnx.ModelProto.DESCRIPTOR.fields_by_name or hasattr(onnx.ModelProto, name)


def as_message(model: Any) -> Any:
    """Returns what PyTorch's exporter builds, a program or the ``onnx_ir.Model`` in it, as an ``onnx.ModelProto``, and
    anything else as it is."""
    if hasattr(type(model), "model_proto"):  # torch.onnx.ONNXProgram
        return model.model_proto
    onnx_ir: Any = sys.modules.get("onnx_ir")
    return onnx_ir.to_proto(model) if isinstance(model, getattr(onnx_ir, "Model", ())) else model


def called(value: Any) -> Any:
    """Returns what a callable returns, or the value itself, by :func:`as_message`: programs are callable, too."""
    message = as_message(value)
    return as_message(message()) if callable(message) else message


def serialize(proto: Any) -> bytes:
    """Returns the bytes of a message; an error above 2 GiB says what to do."""
    try:
        return bytes(proto.SerializeToString())
    except Exception as error:
        raise InputError(
            f"the onnx.ModelProto can't be serialized: {error}. If it takes more than 2 GiB, save it with external "
            "data (onnx.save) and pass the path"
        ) from error


def _value(name: str, dtype: str, shape: list[int | str] | None) -> ValueInfo:
    return ValueInfo(name, dtype, None if shape is None else tuple(shape))


def _port(value: ValueInfo) -> str:
    return f"{value.name}: {value.dtype or '?'}{shape_text(value.shape)}"


check_arguments(__name__)
