"""The log of the package: ``G_LOGGER``.

Messages go to standard output as "[I] message", like those of the command line. ``G_LOGGER.module_severity`` is the
least severity that is shown.
"""

from __future__ import annotations

import contextlib
import enum
import logging
import os
import sys
import threading
import time
from collections.abc import Callable, Iterator
from typing import Any, TextIO, Union

from assay.exception import Error, InputError, PolygraphyInternalException

Message = Union[str, Callable[[], str]]


class LogMode(enum.IntEnum):
    """How often a message is logged."""

    EACH = 0  # every time
    ONCE = 1  # only the first time


class Logger:
    """Logs messages to standard output, and to a file if ``log_file`` is set.

    There is a method for each severity, such as ``info`` and ``warning``. A message is a string, or a function that
    returns one, which is only called if the message is shown.

    Args:
        severity: The least severity to show.
        timestamp: Put the time before each message.
        letter: Put the letter of the severity before each message.
    """

    ULTRA_VERBOSE = -20
    SUPER_VERBOSE = -10
    EXTRA_VERBOSE = 0
    VERBOSE = 10
    INFO = 20
    START = 22
    FINISH = 28
    WARNING = 30
    ERROR = 40
    CRITICAL = 50

    SEVERITY_LETTER_MAPPING = {
        ULTRA_VERBOSE: "[U]",
        SUPER_VERBOSE: "[S]",
        EXTRA_VERBOSE: "[X]",
        VERBOSE: "[V]",
        INFO: "[I]",
        START: "[I]",
        FINISH: "[I]",
        WARNING: "[W]",
        ERROR: "[E]",
        CRITICAL: "[!]",
    }

    # The levels of the module logging that stand for severities which it lacks: levels of 0 and less mean something else there.
    _LOGGING_LEVELS = {ULTRA_VERBOSE: 2, SUPER_VERBOSE: 4, EXTRA_VERBOSE: 6}

    def __init__(self, severity: int = INFO, timestamp: bool = False, letter: bool = True) -> None:
        self.timestamp = timestamp
        self.letter = letter
        self.use_python_logging_system = False
        self._severity = severity
        self._indent = 0
        self._once: set[str] = set()
        self._callbacks: list[Callable[[int], None]] = []
        self._path: str | None = None
        self._file: TextIO | None = None
        self._renew_lock()

    def _renew_lock(self) -> None:
        # The handler of a signal may log while the thread that it interrupts does.
        self._lock = threading.RLock()

    @property
    def module_severity(self) -> int:
        """The least severity that is shown. A dictionary sets its entry ``""``: there are no paths to distinguish."""
        return self._severity

    @module_severity.setter
    def module_severity(self, severity: int | dict[str, int]) -> None:
        chosen = severity.get("", Logger.INFO) if isinstance(severity, dict) else severity
        if not isinstance(chosen, int):
            raise InputError(f"a severity must be a number, such as G_LOGGER.WARNING, but is {chosen!r}")
        self._severity = chosen
        for callback in self._callbacks:
            callback(self._severity)

    severity = module_severity

    def least_severity(self) -> int:
        """Returns the least severity that reaches any destination."""
        return self._severity

    @property
    def log_file(self) -> str | None:
        """The path of a file that gets all messages, too, or None. Missing folders are created."""
        return self._path

    @log_file.setter
    def log_file(self, path: str | None) -> None:
        file = None
        if path is not None:
            os.makedirs(os.path.dirname(os.path.abspath(path)), exist_ok=True)
            file = open(path, "w", encoding="utf-8")  # noqa: SIM115
        with self._lock:
            before, self._file, self._path = self._file, file, path
        if before is not None:
            before.close()

    def register_callback(self, callback: Callable[[int], None]) -> None:
        """Calls ``callback(severity)`` now and whenever the severity changes."""
        self._callbacks.append(callback)
        callback(self._severity)

    @contextlib.contextmanager
    def indent(self, level: int = 1) -> Iterator[None]:
        """Indents messages by ``4 * level`` spaces in a ``with`` block."""
        self._indent += level
        try:
            yield
        finally:
            self._indent -= level

    @contextlib.contextmanager
    def verbosity(self, severity: int = CRITICAL) -> Iterator[None]:
        """Sets the severity in a ``with`` block."""
        before = self._severity
        self.module_severity = severity
        try:
            yield
        finally:
            self.module_severity = before

    def log(self, message: Message, severity: int, mode: LogMode = LogMode.EACH, **_: Any) -> None:
        """Logs a message, or what a function returns that is only called if the message is shown."""
        if severity < self._severity:
            return
        text = message() if callable(message) else str(message)
        if mode == LogMode.ONCE:
            if text in self._once:
                return
            self._once.add(text)
        prefix = self.SEVERITY_LETTER_MAPPING.get(severity, "") + " " if self.letter else ""
        if self.timestamp:
            prefix += time.strftime("[%X] ")
        spaces = " " * 4 * self._indent
        line = prefix + spaces + text.replace("\n", "\n" + " " * len(prefix) + spaces)
        if self.use_python_logging_system:
            logging.getLogger("Assay").log(self._LOGGING_LEVELS.get(severity, max(severity, 1)), line)
        with self._lock:
            if not self.use_python_logging_system:
                _print(line, sys.stderr if severity >= self.CRITICAL else sys.stdout)
            if self._file is not None:
                print(line, file=self._file, flush=True)

    def ultra_verbose(self, message: Message, mode: LogMode = LogMode.EACH) -> None:
        self.log(message, self.ULTRA_VERBOSE, mode)

    def super_verbose(self, message: Message, mode: LogMode = LogMode.EACH) -> None:
        self.log(message, self.SUPER_VERBOSE, mode)

    def extra_verbose(self, message: Message, mode: LogMode = LogMode.EACH) -> None:
        self.log(message, self.EXTRA_VERBOSE, mode)

    def verbose(self, message: Message, mode: LogMode = LogMode.EACH) -> None:
        self.log(message, self.VERBOSE, mode)

    def info(self, message: Message, mode: LogMode = LogMode.EACH) -> None:
        self.log(message, self.INFO, mode)

    def start(self, message: Message, mode: LogMode = LogMode.EACH) -> None:
        self.log(message, self.START, mode)

    def finish(self, message: Message, mode: LogMode = LogMode.EACH) -> None:
        self.log(message, self.FINISH, mode)

    def warning(self, message: Message, mode: LogMode = LogMode.EACH) -> None:
        self.log(message, self.WARNING, mode)

    def error(self, message: Message, mode: LogMode = LogMode.EACH) -> None:
        self.log(message, self.ERROR, mode)

    def critical(self, message: Message, ExceptionType: type[Exception] = Error) -> None:
        """Logs a message and raises an exception with it."""
        self.log(message, self.CRITICAL)
        raise ExceptionType(message() if callable(message) else message)

    exit = critical  # its name in older programs

    def internal_error(self, message: Message) -> None:
        """Raises PolygraphyInternalException: code that extends this package broke a rule."""
        raise PolygraphyInternalException(message() if callable(message) else message)


def _print(line: str, stream: Any) -> None:
    """Writes a line to a stream. Characters that its encoding lacks are written as escape sequences."""
    try:
        print(line, file=stream, flush=True)
    except UnicodeEncodeError:
        encoding = stream.encoding or "ascii"
        print(line.encode(encoding, "backslashreplace").decode(encoding), file=stream, flush=True)


G_LOGGER = Logger()
# In a fork, the thread that holds the lock may not exist.
os.register_at_fork(after_in_child=G_LOGGER._renew_lock)
