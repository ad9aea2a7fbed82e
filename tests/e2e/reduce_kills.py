#!/usr/bin/env python3
"""Kills `assay debug reduce` at random moments, and starts the same command again until it succeeds.

Each reduction must leave the same model and the same replay file, byte for byte, as one without kills, and no other files.
After each kill, no process may remain: the check starts some that leave its session, lose their parents and drop their
environment. Kills come a random time after a random line of the log. No check may run twice except those in flight at a kill.
To verify that, the check logs when it begins and when it ends:

    begin RUN PID HASH          HASH: of the candidate's file; RUN: which start of assay this was
    end RUN PID HASH STATUS

In flight are checks that did not end, and the last `--jobs` that ended, as their verdicts may not have been recorded yet.
A file that the reduction without kills checks more than once may be checked as often here. One run may check any file as
often as the reduction without kills checks its result: looking ahead, it may have taken that file for the result.

usage: reduce_kills.py [--kills 20] [--jobs 2] [--seed N] [--keep FOLDER] ASSAY MODEL [-- OPTION ...]
MODEL has operators of the types MaxPool and Softmax; the check fails if both are present. If only one of them is present, and
not much else, it fails differently: a reduction that loses the searched failure at a kill would end up with that one."""
import argparse
import collections
import os
import pathlib
import random
import select
import signal
import subprocess
import sys
import tempfile
import time

CHECK = """#!/bin/sh
hash=$(sha256sum < "$1" | cut -c 1-32)
echo "begin $ASSAY_TEST_RUN $$ $hash" >> "$ASSAY_TEST_LOG"
setsid sleep "$ASSAY_TEST_TOKEN" &
(env -i setsid setsid sleep "$ASSAY_TEST_TOKEN" &)
case $hash in [0-7]*) sleep 0.01 ;; *) sleep 0.03 ;; esac
status=0
types=$(grep -ao -e MaxPool -e Softmax "$1" | sort -u | wc -l)
if [ "$types" -eq 2 ]; then
  echo "NOT_IMPLEMENTED: MaxPool before Softmax"
  status=3
elif [ "$types" -eq 1 ] && [ "$(grep -ao -e Conv -e Relu "$1" | wc -l)" -lt 20 ]; then
  echo "ShapeInferenceError: a piece of a model"
  status=4
fi
echo "end $ASSAY_TEST_RUN $$ $hash $status" >> "$ASSAY_TEST_LOG"
exit $status
"""
SEARCHED, OTHER = 3, 4  # exit statuses of the check
TIME_TO_DIE = 60  # seconds for all processes to end after a kill; far more than they need


class Wrong(Exception):
    """An observation differs from what is required."""


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("assay", type=pathlib.Path)
    parser.add_argument("model", type=pathlib.Path)
    parser.add_argument("--kills", type=int, default=20)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--keep", type=pathlib.Path, help="where to leave logs and results")
    parser.add_argument("options", nargs="*", help="more options for assay debug reduce")
    return parser.parse_args()


def read_bytes(path):
    """Returns no bytes if the process has ended meanwhile."""
    try:
        return path.read_bytes()
    except OSError:
        return b""


def end_all(strays):
    """Kills stray processes, so that a failing test leaves none."""
    for pid in strays:
        try:
            os.kill(pid, signal.SIGKILL)
        except ProcessLookupError:
            pass


def processes_with(token):
    """Returns the live processes that have the token in their arguments or their environment."""
    found = []
    for folder in pathlib.Path("/proc").iterdir():
        if not folder.name.isdigit() or int(folder.name) == os.getpid():
            continue
        if token in read_bytes(folder / "cmdline") + read_bytes(folder / "environ"):
            state = read_bytes(folder / "stat").rpartition(b")")[2].split()[:1]
            if state not in ([b"Z"], [b"X"], []):
                found.append(int(folder.name))
    return found


class Reduction:
    """One reduction in a separate folder, started as often as necessary."""

    def __init__(self, folder, arguments, jobs):
        self.folder, self.jobs, self.runs = folder, jobs, 0
        self.token = f"{random.SystemRandom().randrange(10**8, 10**9)}"  # how long strays sleep: many years
        self.temporary = folder.parent / f"{folder.name}.tmp"
        folder.mkdir(parents=True)
        self.temporary.mkdir()
        self.log = folder.parent / f"{folder.name}.checks.txt"
        self.said = folder.parent / f"{folder.name}.said.txt"
        self.check = folder.parent / "check.sh"
        self.check.write_text(CHECK, encoding="utf-8")
        self.check.chmod(0o755)
        self.command = [arguments.assay.resolve(), "debug", "reduce", arguments.model.resolve(), "-o", "reduced.onnx", "-v",
                        "--jobs", str(jobs), *arguments.options, "--check", self.check, "{model}"]

    def start(self):
        self.runs += 1
        environment = {"PATH": "/usr/local/bin:/usr/bin:/bin", "HOME": str(self.folder.parent),
                       "TMPDIR": str(self.temporary), "ASSAY_TEST_TOKEN": self.token,
                       "ASSAY_TEST_LOG": str(self.log), "ASSAY_TEST_RUN": str(self.runs)}
        with open(self.said, "a", encoding="utf-8") as said:
            said.write(f"=== run {self.runs}\n")
        return subprocess.Popen(self.command, cwd=self.folder, env=environment, stdout=subprocess.PIPE,
                                stderr=subprocess.STDOUT)

    def take_lines(self, process, most=None):
        """Reads up to that many lines of the log, or all; returns how many there were."""
        count = 0
        with open(self.said, "ab") as said:
            while count != most and (line := process.stdout.readline()):
                said.write(line)
                count += 1
        return count

    def finish(self):
        """Runs the reduction to its end; returns the number of lines of its log."""
        process = self.start()
        lines = self.take_lines(process)
        if (status := process.wait()) != 0:
            raise Wrong(f"run {self.runs} ends with status {status}")
        if strays := processes_with(self.token.encode()):
            end_all(strays)
            raise Wrong(f"run {self.runs} has ended, and leaves the processes {strays}")
        return lines

    def kill_after(self, lines, seconds):
        """Kills the reduction that long after that line. Returns False if it has ended already."""
        process = self.start()
        self.take_lines(process, lines)
        try:
            process.wait(timeout=seconds)
        except subprocess.TimeoutExpired:
            process.send_signal(signal.SIGKILL)
        status = process.wait()
        self.take_lines(process)
        self.wait_for_strays()
        if status not in (0, -signal.SIGKILL):
            raise Wrong(f"run {self.runs} ends with status {status}")
        return status != 0

    def wait_for_strays(self):
        """Waits until all of its processes have ended."""
        until = time.monotonic() + TIME_TO_DIE
        while strays := processes_with(self.token.encode()):
            try:
                end = os.pidfd_open(strays[0])
            except ProcessLookupError:
                continue
            ready, _, _ = select.select([end], [], [], max(0, until - time.monotonic()))
            os.close(end)
            if not ready:
                names = [read_bytes(pathlib.Path(f"/proc/{pid}/cmdline")).replace(b"\0", b" ") for pid in strays]
                end_all(strays)
                raise Wrong(f"after the kill of run {self.runs} these processes stay: {names}")

    def ended(self):
        """Returns whether it was killed after its end: the result exists, and the journal doesn't."""
        return self.result().exists() and not (self.folder / "reduced.onnx.journal").exists()

    def result(self):
        return self.folder / "reduced.onnx"

    def replay(self):
        return self.folder / "polygraphy_debug_replay.json"

    def files(self):
        return sorted(path.name for folder in (self.folder, self.temporary) for path in folder.iterdir())

    def checks(self, event):
        """Returns (run, hash) of each check, in order of time."""
        if not self.log.exists():
            return []
        lines = [line.split() for line in self.log.read_text(encoding="utf-8").splitlines()]
        return [(int(run), candidate) for what, run, _, candidate, *_ in lines if what == event]

    def statuses(self):
        """Returns the exit statuses of completed checks."""
        lines = [line.split() for line in self.log.read_text(encoding="utf-8").splitlines()]
        return {int(line[4]) for line in lines if line[0] == "end"}

    def status_of_result(self):
        environment = {"PATH": "/usr/local/bin:/usr/bin:/bin", "ASSAY_TEST_LOG": "/dev/null", "ASSAY_TEST_RUN": "0",
                       "ASSAY_TEST_TOKEN": "0"}
        return subprocess.run([self.check, self.result()], env=environment, stdout=subprocess.DEVNULL,
                              check=False).returncode

    def verify(self, undisturbed, killed_runs):
        """Verifies the result; returns how many checks ran a second time."""
        if (status := self.status_of_result()) != SEARCHED:
            raise Wrong(f"the check of the result ends with status {status}, and the model's with {SEARCHED}: "
                        "another failure than the one that is searched")
        if self.result().read_bytes() != undisturbed.result().read_bytes():
            raise Wrong("the result is another one than without kills")
        if self.replay().read_bytes() != undisturbed.replay().read_bytes():
            raise Wrong("the replay file is another one than without kills")
        # After a kill at the very end, no further run could tidy up.
        if self.runs not in killed_runs and self.files() != undisturbed.files():
            raise Wrong(f"it leaves {self.files()}, and {undisturbed.files()} without kills")
        usual = collections.Counter(candidate for _, candidate in undisturbed.checks("end"))
        ended = collections.defaultdict(list)
        for run, candidate in self.checks("end"):
            ended[candidate].append(run)
        last = {run: [c for r, c in self.checks("end") if r == run][-self.jobs:] for run in killed_runs}
        made_again = 0
        # A check that looks ahead may be cancelled when it has written its last line, while its strays are being killed. It is
        # asked for again later, in the same run or, if that one is killed before, in the next.
        cancelled_late = 1 + sum(usual.values()) // 10
        for candidate, runs in ended.items():
            in_flight = sum(candidate in last[run] for run in set(runs) & set(killed_runs))
            ahead = min(len(runs) - len(set(runs)), max(usual.values()) - max(usual[candidate], 1))
            explained = max(usual[candidate], 1) + in_flight + ahead
            looked_ahead = len(runs) > len(set(runs)) or self.jobs > 1
            if len(runs) > explained and looked_ahead and cancelled_late > 0:
                cancelled_late -= 1
                explained += 1
            if len(runs) > explained:
                raise Wrong(f"the check of {candidate} came to its end in the runs {runs}. Without kills it does so "
                            f"{usual[candidate]} times; {in_flight} of these runs were killed while it was in flight, and "
                            f"looking ahead explains {ahead} more")
            made_again += max(0, len(runs) - max(usual[candidate], 1))
        return made_again


def measure_undisturbed(folder, arguments):
    undisturbed = Reduction(folder / "undisturbed", arguments, arguments.jobs)
    start = time.monotonic()
    lines = undisturbed.finish()
    seconds = time.monotonic() - start
    if OTHER not in undisturbed.statuses():
        raise Wrong("no candidate fails in the other way: nothing tempts a reduction to forget what it searches")
    if (status := undisturbed.status_of_result()) != SEARCHED:
        raise Wrong(f"the check of the result ends with status {status} without kills")
    one_job = Reduction(folder / "one-job", arguments, 1)
    one_job.finish()
    if one_job.result().read_bytes() != undisturbed.result().read_bytes():
        raise Wrong(f"the result with --jobs 1 is another one than with --jobs {arguments.jobs}")
    if one_job.replay().read_bytes() != undisturbed.replay().read_bytes():
        raise Wrong(f"the replay file with --jobs 1 is another one than with --jobs {arguments.jobs}")
    return undisturbed, lines, seconds


def kill_and_finish(reduction, kills, lines, seconds, chance):
    """Kills up to `kills` times, then lets it end; returns the killed runs."""
    killed = []
    while len(killed) < kills and reduction.kill_after(chance.randrange(lines), chance.uniform(0, 2 * seconds / lines)):
        killed.append(reduction.runs)
        if reduction.ended():
            return killed
    if not reduction.ended():
        reduction.finish()
    return killed


def run(folder, arguments):
    chance = random.Random(arguments.seed)
    undisturbed, lines, seconds = measure_undisturbed(folder, arguments)
    usual = len(undisturbed.checks("end"))
    print(f"undisturbed: {usual} checks in {seconds:.2f} s, {undisturbed.result().stat().st_size} bytes", flush=True)
    kills = reductions = runs = checks = made_again = 0
    while kills < arguments.kills:
        reductions += 1
        reduction = Reduction(folder / f"{reductions}", arguments, arguments.jobs)
        try:
            killed = kill_and_finish(reduction, min(arguments.kills - kills, chance.randint(1, 6)), lines, seconds, chance)
            made_again += reduction.verify(undisturbed, killed)
        except Wrong as wrong:
            raise Wrong(f"reduction {reductions}: {wrong}\n{reduction.said.read_text(encoding='utf-8')[-3000:]}") from wrong
        kills += len(killed)
        runs += reduction.runs
        checks += len(reduction.checks("end"))
    print(f"{kills} kills in {reductions} reductions ({runs} starts): each ended with the same model, and left no process and "
          f"no file; {checks} checks came to their end, {made_again} of them a second time, in flight at a kill or looking ahead")


def main():
    arguments = parse_arguments()
    with tempfile.TemporaryDirectory() as temporary:
        folder = pathlib.Path(temporary)
        if arguments.keep:
            folder = arguments.keep.resolve()
            folder.mkdir(parents=True)
        try:
            run(folder, arguments)
        except Wrong as wrong:
            print(f"WRONG (seed {arguments.seed}): {wrong}")
            return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
