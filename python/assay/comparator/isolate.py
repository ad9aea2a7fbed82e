"""Runs a Python function in a process of its own, so that a crash in it can be reported."""

from __future__ import annotations

import multiprocessing
import pickle
import traceback
from collections.abc import Callable
from multiprocessing.connection import Connection
from typing import Any

from assay.exception import EngineError, Error


def run_isolated(function: Callable[[], Any], name: str, timeout: float | None = None) -> Any:
    """Returns what a function returns in a fork of this process, or raises what it raises there.

    Args:
        function: The function. Its result must be picklable.
        name: What it runs, for messages.
        timeout: Seconds until the process is killed; None if unlimited.

    Raises:
        EngineError: The process crashed or took too long.
    """
    context = multiprocessing.get_context("fork")
    receiver, sender = context.Pipe(duplex=False)
    process = context.Process(target=_send_result, args=(function, sender), daemon=True)
    process.start()
    sender.close()
    try:
        if not receiver.poll(timeout):
            raise EngineError(f"{name} took longer than {timeout} s and was killed", outcome="timed out", phase="run")
        passed, result, lines = pickle.loads(receiver.recv_bytes())
    except EOFError:
        process.join()
        raise EngineError(f"{name} crashed: its process ended with {process.exitcode}", outcome="crashed") from None
    finally:
        process.kill()
        process.join()
        receiver.close()
    if not passed:
        raise result from _TracebackThere(lines)
    return result


class _TracebackThere(Exception):
    """The traceback of an exception in the other process, which Python prints as the cause: pickling drops it."""

    def __init__(self, lines: str) -> None:
        super().__init__(f"\n\n{lines}")


def _send_result(function: Callable[[], Any], sender: Connection) -> None:
    try:
        sender.send_bytes(_pickled(True, function(), ""))
    except Exception as error:
        sender.send_bytes(_pickled(False, error, traceback.format_exc()))


def _pickled(passed: bool, result: Any, lines: str) -> bytes:
    try:
        text = pickle.dumps((passed, result, lines))
        if not passed:
            pickle.loads(text)  # fails for exceptions whose constructors take other arguments than a message
        return text
    except Exception as error:
        problem = f"the result can't be passed on: {error}" if passed else f"{type(result).__name__}: {result}"
        return pickle.dumps((False, Error(problem), lines))
