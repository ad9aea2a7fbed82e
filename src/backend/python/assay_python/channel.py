"""The connection to Assay. A message is four bytes of length and a body; its shared memory is sent with it as a descriptor.
src/worker/channel.h and shared_memory.h are the other side.
"""
import array
import fcntl
import mmap
import os
import socket
import struct

F_ADD_SEALS, SEALS = 1033, 1 | 2 | 4 | 8  # of Linux: seal, shrink, grow, write
ALIGNMENT = 64
MOST_AT_ONCE = 1 << 30
LARGEST_BODY = 1 << 30  # bytes of a message; Assay takes no larger one


class Channel:
    def __init__(self, descriptor):
        os.set_inheritable(descriptor, False)  # processes that the module starts must not keep the connection open
        self._socket = socket.socket(fileno=descriptor)
        self._socket.setblocking(True)

    def receive(self):
        """Returns (body, descriptor or None), or None if Assay has disconnected."""
        header, descriptor = b"", None
        while len(header) < 4:
            data, extra, _, _ = self._socket.recvmsg(4 - len(header), socket.CMSG_SPACE(8))
            if not data:
                return None
            header += data
            for level, kind, content in extra:
                if level == socket.SOL_SOCKET and kind == socket.SCM_RIGHTS:
                    descriptors = array.array("i")
                    descriptors.frombytes(content[:len(content) - len(content) % descriptors.itemsize])
                    descriptor = descriptors[0]
        body = bytearray(struct.unpack("<I", header)[0])
        view = memoryview(body)
        while view:
            count = self._socket.recv_into(view)
            if count == 0:
                return None
            view = view[count:]
        return body, descriptor

    def send(self, body, descriptor=None):
        data = struct.pack("<I", len(body)) + body
        sent = 0
        if descriptor is not None:
            rights = [(socket.SOL_SOCKET, socket.SCM_RIGHTS, array.array("i", [descriptor]))]
            sent = self._socket.sendmsg([data], rights)
        self._socket.sendall(memoryview(data)[sent:])


def map_shared(descriptor):
    """Maps the bytes of a descriptor privately and closes it. Returns an empty view for None."""
    if descriptor is None:
        return memoryview(b"")
    try:
        size = os.fstat(descriptor).st_size
        if size == 0:
            return memoryview(b"")
        return memoryview(mmap.mmap(descriptor, size, flags=mmap.MAP_PRIVATE, prot=mmap.PROT_READ | mmap.PROT_WRITE))
    finally:
        os.close(descriptor)


class SharedWriter:
    """Collects pieces of bytes in shared memory, which is sealed and sent to Assay."""

    def __init__(self):
        self.descriptor = None
        self._size = 0

    def add(self, data):
        """Copies an object that has a buffer. Returns its offset."""
        view = memoryview(data).cast("B")
        offset = (self._size + ALIGNMENT - 1) // ALIGNMENT * ALIGNMENT
        if not view:
            return offset
        if self.descriptor is None:
            self.descriptor = os.memfd_create("assay", os.MFD_CLOEXEC | os.MFD_ALLOW_SEALING)
        self._size = offset + len(view)
        at = offset
        while view:
            count = os.pwrite(self.descriptor, view[:MOST_AT_ONCE], at)
            at, view = at + count, view[count:]
        return offset

    def seal(self):
        if self.descriptor is not None:
            fcntl.fcntl(self.descriptor, F_ADD_SEALS, SEALS)
        return self.descriptor

    def close(self):
        if self.descriptor is not None:
            os.close(self.descriptor)
