"""Answers requests with a user's module: worker.py MODULE CLEAN_UP_PROGRAM. assay-worker-python starts it.

This process is the worker itself, so Assay sees how it ends (a crash, os._exit) and what it prints.
"""
import os
import sys
import time

sys.path[0] = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))

CHANNEL = 3  # src/worker/child.h
START, LOAD, RUN = 0, 1, 3  # phases, src/worker/outcome.h

from assay_python import wire  # noqa: E402
from assay_python.channel import LARGEST_BODY, Channel, SharedWriter, map_shared  # noqa: E402


def refused(phase, message, out_of_memory=False):
    # proto3 omits zeros, but reads explicit ones correctly.
    body = wire.number(1, phase) + wire.content(3, message) + wire.number(4, int(out_of_memory))
    return wire.content(1, body)


def port_body(port):
    shape = b"".join(wire.varint(size) for size in port.shape)
    return wire.content(1, port.name) + wire.number(2, port.type) + wire.content(3, shape) + wire.content(4, port.kind)


class Server:
    """Answers are (body, descriptor of shared memory or None)."""

    def __init__(self, module_path, scratch_dir):
        from assay_python import element_types, outputs, ports, scratch
        from assay_python.module import Module, Wrong
        self._types, self._outputs, self._ports, self._wrong = element_types, outputs, ports, Wrong
        self._make_module = lambda: Module(module_path)
        self._module = self._make_module()
        self._scratch = scratch.Scratch(scratch_dir)
        self._model = None

    def version(self):
        return self._module.version()

    def answer(self, request, shared):
        (kind, body), = wire.fields(request)
        phase, function = {2: (LOAD, self._load), 3: (RUN, self._infer), 4: (RUN, self._unload)}[kind]
        try:
            return function(wire.Message(body), shared)
        except self._wrong as wrong:
            return refused(phase, str(wrong), wrong.out_of_memory), None
        except (self._types.NoSuchType, wire.Malformed, OSError) as error:
            return refused(phase, str(error)), None
        except MemoryError:
            return refused(phase, "no memory left", True), None
        except Exception as error:  # of a valid but unusual model, for example with fields of unknown wire types
            return refused(phase, f"{type(error).__name__}: {error}"), None

    def _unload(self, _message, _shared):
        self._model = None
        return wire.content(5, b""), None

    def _load(self, message, shared):
        self._model = None
        if not self._module.is_current():
            self._module = self._make_module()
        path, from_memory = message.text(1), message.last(2, 0)
        start = time.perf_counter()
        try:
            if not from_memory:
                path = os.path.abspath(path)
                inputs, outputs = self._ports.read_ports_of_file(path)
                model = self._module.load(path)
            else:
                data, folder = shared[:message.last(3, 0)], message.text(4)
                inputs, outputs = self._ports.read_ports(data)
                if self._module.loads_bytes:
                    model = self._module.load_bytes(bytes(data), folder)
                else:
                    model = self._module.load(self._scratch.write(data, folder))
        except wire.Malformed as error:
            raise self._wrong(f"the model is damaged or not an ONNX model: {error}") from None
        seconds = time.perf_counter() - start
        self._model, self._inputs, self._outputs_of_model = (model,), inputs, outputs
        body = b"".join(wire.content(1, port_body(port)) for port in inputs)
        body += b"".join(wire.content(2, port_body(port)) for port in outputs)
        return wire.content(3, body + wire.real(3, seconds)), None

    def _feeds(self, tensors, shared):
        feeds = {}
        known = {port.name: port for port in self._inputs}
        for data in tensors:
            message = wire.Message(data)
            name, number, shape = message.text(1), message.last(2, 0), wire.numbers(message.all(3))
            if name not in known:
                raise self._wrong(f"the model has no input '{name}': it has {self._outputs.list_names(known)}")
            self._check_feed(known[name], number, shape)
            if number == self._types.STRING:
                import numpy as np
                values = np.array([wire.to_text(value) for value in message.all(6)], dtype=object)
                feeds[name] = self._types.in_shape(values, shape)
            else:
                at, length = message.last(4, 0), message.last(5, 0)
                if length > 0 and at + length > len(shared):
                    raise wire.Malformed(f"the feed '{name}' refers to {length} bytes at offset {at}, "
                                         f"but only {len(shared)} were sent")
                feeds[name] = self._types.from_elements(shared[at:at + length], number, shape)
        for port in self._inputs:
            if port.name not in feeds:
                raise self._wrong(f"the input '{port.name}' is not fed: expected {self._types.name_of(port.type)}, "
                                  f"shape={self._outputs.format_shape(port.shape)}")
        return feeds

    @staticmethod
    def _is_tensor(port):
        return port.kind == "tensor" or port.kind.startswith("optional(tensor(")

    def _check_feed(self, port, number, shape):
        if not self._is_tensor(port):
            raise self._wrong(f"the input '{port.name}' is {port.kind}, and only tensors can be fed")
        if number != port.type:
            raise self._wrong(f"the input '{port.name}' has the wrong type: expected {self._types.name_of(port.type)}, "
                              f"given {self._types.name_of(number)}")
        if not self._outputs.shape_fits(shape, port.shape):
            raise self._wrong(f"the input '{port.name}' has the wrong shape: expected "
                              f"{self._outputs.format_shape(port.shape)}, given {self._outputs.format_shape(shape)}")

    def _wanted(self, names):
        known = {port.name: port for port in self._outputs_of_model}
        names = names or list(known)
        for name in names:
            if name not in known:
                raise self._wrong(f"the model has no output '{name}': it has {self._outputs.list_names(known)}")
        return {name: known[name] for name in names}

    def _infer(self, message, shared):
        if self._model is None:
            raise self._wrong("no model is loaded")
        feeds = self._feeds(message.all(1), shared)
        names = [wire.to_text(name) for name in message.all(2)]
        wanted = self._wanted(names)
        start = time.perf_counter()
        result = self._module.infer(self._model[0], feeds, list(wanted))
        seconds = time.perf_counter() - start
        writer = SharedWriter()
        try:
            tensors = []
            for name, value in self._outputs.by_name(result, self._outputs_of_model, wanted, self._module).items():
                if not names and not self._is_tensor(wanted[name]):
                    continue
                array, number = self._outputs.to_array(name, value, self._module)
                if self._module.checks_outputs:
                    self._outputs.check(name, array, number, wanted[name], self._module)
                tensors.append(wire.content(1, self._tensor_body(name, array, number, writer)))
            return wire.content(4, b"".join([*tensors, wire.real(2, seconds)])), writer.seal()
        except BaseException:
            writer.close()
            raise

    def _tensor_body(self, name, array, number, writer):
        shape = b"".join(wire.varint(size) for size in array.shape)
        body = wire.content(1, name) + wire.number(2, number) + wire.content(3, shape)
        if number == self._types.STRING:
            texts = (item if isinstance(item, bytes) else str(item) for item in array.reshape(-1).tolist())
            return body + b"".join(wire.content(6, text) for text in texts)
        elements = self._types.to_elements(array, number)
        return body + wire.number(4, writer.add(elements)) + wire.number(5, memoryview(elements).nbytes)


def start(module_path, scratch_dir):
    """Returns (server, version), or (None, what is wrong with the interpreter or the module)."""
    try:
        import numpy  # noqa: F401
    except ImportError as error:
        return None, (f"{sys.executable} has no NumPy, which every module needs ({error}). Install it: "
                      f"{sys.executable} -m pip install numpy, or name another interpreter with --python-interpreter")
    from assay_python.module import Wrong
    try:
        server = Server(module_path, scratch_dir)
        return server, server.version()
    except Wrong as wrong:
        return None, str(wrong)


def main():
    channel = Channel(CHANNEL)
    server, text = start(*sys.argv[1:3])
    if server is None:
        channel.send(refused(START, text))
    else:
        channel.send(wire.content(2, wire.content(1, text)))
    while True:
        received = channel.receive()
        if received is None or server is None:
            break
        body, descriptor = received
        answer, shared = server.answer(body, map_shared(descriptor))
        if len(answer) > LARGEST_BODY:
            answer = refused(RUN, "a message of more than 1 GiB cannot be sent. "
                                  "Only strings make messages that large: use fewer or shorter ones")
        channel.send(answer, shared)
        if shared is not None:
            os.close(shared)
    # Skips the module's destructors: nothing needs them any more, and one of them might crash.
    os._exit(0)


if __name__ == "__main__":
    main()
