"""Runs a command and measures the wall time and the peak memory of its whole process tree."""
import os
import shutil
import signal
import subprocess
import tempfile
import threading
import time
from dataclasses import dataclass


@dataclass
class Measured:
    seconds: float
    peak_bytes: int  # largest sum of memory over the tree, sampled; at least the largest single process
    status: int
    output: str


def _tree(pid):
    pids, todo = [], [pid]
    while todo:
        current = todo.pop()
        pids.append(current)
        try:
            for task in os.listdir(f"/proc/{current}/task"):
                with open(f"/proc/{current}/task/{task}/children") as children:
                    todo += [int(child) for child in children.read().split()]
        except OSError:
            pass
    return pids


def _resident(pid):
    """Returns the bytes of anonymous memory and of mapped files."""
    fields = {"RssAnon": 0, "RssFile": 0}
    try:
        with open(f"/proc/{pid}/status") as status:
            for line in status:
                name, _, value = line.partition(":")
                if name in fields:
                    fields[name] = int(value.split()[0]) * 1024
    except OSError:
        pass
    return fields["RssAnon"], fields["RssFile"]


def _shared(pids):
    """Returns the bytes of all memory files (memfd) that these processes have open or mapped, each counted once."""
    sizes = {}
    for pid in pids:
        try:
            for fd in os.listdir(f"/proc/{pid}/fd"):
                if os.readlink(f"/proc/{pid}/fd/{fd}").startswith("/memfd:"):
                    info = os.stat(f"/proc/{pid}/fd/{fd}")
                    sizes[info.st_ino] = info.st_blocks * 512
            with open(f"/proc/{pid}/maps") as maps:
                for line in maps:
                    if "/memfd:" in line:
                        words = line.split()
                        begin, end = (int(word, 16) for word in words[0].split("-"))
                        sizes.setdefault(int(words[4]), end - begin)
        except (OSError, ValueError):
            pass
    return sum(sizes.values())


def run(command, cwd, env=None, sample_s=0.01, timeout_s=600):
    """Sums anonymous memory over the processes; counts mapped files once (the largest) and shared memory once.

    A command that takes longer than the timeout is killed with all its processes; its status is then negative."""
    # The kernel counts a parent's memory towards a forked process, so a small program has to fork: time(1). On a machine
    # without it, the peak is that of the samples alone.
    with tempfile.NamedTemporaryFile("r") as report:
        if shutil.which("time"):
            small = ["time", "-o", report.name, "-f", "%M"]
        else:
            small = ["sh", "-c", '"$@"; exit $?', "sh"]
        return _run([*small, *command], report, cwd, env, sample_s, timeout_s)


def _run(command, report, cwd, env, sample_s, timeout_s):
    start = time.monotonic()
    process = subprocess.Popen(command, cwd=cwd, env=env, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                               start_new_session=True)
    peak = 0
    done = threading.Event()

    def sample():
        nonlocal peak
        while not done.wait(sample_s):
            pids = _tree(process.pid)[1:]
            sizes = [_resident(pid) for pid in pids] or [(0, 0)]
            peak = max(peak, sum(size[0] for size in sizes) + max(size[1] for size in sizes) + _shared(pids))

    sampler = threading.Thread(target=sample)
    sampler.start()
    killer = threading.Timer(timeout_s, os.killpg, (process.pid, signal.SIGKILL))
    killer.start()
    output = process.stdout.read().decode(errors="replace")
    status = process.wait()
    seconds = time.monotonic() - start
    killer.cancel()
    done.set()
    sampler.join()
    words = report.read().split()  # empty if it was killed
    largest = int(words[-1]) * 1024 if words else 0
    return Measured(seconds, max(peak, largest), status, output)
