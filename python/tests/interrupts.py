"""Ctrl-C in a program that calls Assay, at a known moment."""

import subprocess
import sys

# A program sends itself the signal with ctrl_c(), from a function that Assay calls, or as soon as a message is logged.
PROLOGUE = """
import os, signal, sys, threading, time
import assay
from assay.logger import G_LOGGER
arrived = threading.Event()
def interrupt(number, frame):
    arrived.set()
    raise KeyboardInterrupt
signal.signal(signal.SIGINT, interrupt)
def ctrl_c():
    os.kill(os.getpid(), signal.SIGINT)
    arrived.wait(60)  # the caller is running when the signal arrives,
    main = threading.main_thread().ident
    while sys._current_frames()[main].f_code is interrupt.__code__:
        time.sleep(0)  # and still when the handler has ended, of which Assay hears before Python code runs again
def ctrl_c_at(message):
    def log(text, severity):
        if message in text and not arrived.is_set():
            ctrl_c()
    G_LOGGER.log = log
"""


def last_line_of(program: str, *arguments: object) -> str:
    """Runs PROLOGUE and `program` in a Python of its own, and returns the last line of the output, with the errors in the
    next lines if there is none. The program finds the arguments in sys.argv[1:]; "KeyboardInterrupt" means that it raised one."""
    indented = "".join(f"    {line}\n" for line in program.strip().splitlines())
    whole = f'{PROLOGUE}try:\n{indented}except KeyboardInterrupt:\n    print("KeyboardInterrupt")\n'
    command = [sys.executable, "-c", whole, *map(str, arguments)]
    result = subprocess.run(command, capture_output=True, text=True, timeout=300)
    return result.stdout.splitlines()[-1] if result.stdout else result.stderr
