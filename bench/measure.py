"""Runs a command and tells wall time and peak memory of its whole process tree."""
import os
import subprocess
import tempfile
import threading
import time
from dataclasses import dataclass


@dataclass
class Measured:
    seconds: float
    peak_bytes: int  # largest sum of resident memory over the tree, sampled; at least the largest single process
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
    try:
        with open(f"/proc/{pid}/statm") as statm:
            pages = statm.read().split()
        return (int(pages[1]) - int(pages[2])) * os.sysconf("SC_PAGESIZE"), int(pages[2]) * os.sysconf("SC_PAGESIZE")
    except (OSError, IndexError):
        return 0, 0


def run(command, cwd, env=None, sample_s=0.01, timeout_s=600):
    """Anonymous memory is summed over the processes; file and shared pages count once (the largest)."""
    # A process counts the memory of the one that forked it as its own, so a small program has to do that: time(1).
    with tempfile.NamedTemporaryFile("r") as report:
        return _run(["time", "-o", report.name, "-f", "%M", *command], report, cwd, env, sample_s, timeout_s)


def _run(command, report, cwd, env, sample_s, timeout_s):
    start = time.monotonic()
    process = subprocess.Popen(command, cwd=cwd, env=env, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    peak = 0
    done = threading.Event()

    def sample():
        nonlocal peak
        while not done.wait(sample_s):
            sizes = [_resident(pid) for pid in _tree(process.pid)[1:]] or [(0, 0)]
            peak = max(peak, sum(size[0] for size in sizes) + max(size[1] for size in sizes))

    sampler = threading.Thread(target=sample)
    sampler.start()
    killer = threading.Timer(timeout_s, process.kill)
    killer.start()
    output = process.stdout.read().decode(errors="replace")
    status = process.wait()
    seconds = time.monotonic() - start
    killer.cancel()
    done.set()
    sampler.join()
    largest = int(report.read().split()[-1]) * 1024
    return Measured(seconds, max(peak, largest), status, output)
