"""Keeps the processes of the embedded product running: logs, restarts, orderly shutdown.

Plain Python without Django and threads, because it forks and should stay small.
"""

import contextlib
import ctypes
import os
import selectors
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from types import FrameType

POLL_SECONDS = 0.2
FIRST_DELAY_SECONDS = 0.5
LONGEST_DELAY_SECONDS = 30.0
STEADY_SECONDS = 60.0
GRACE_SECONDS = 10.0

_PR_SET_PDEATHSIG = 1
# Loaded before any fork, so that nothing is imported between fork and exec.
_libc = ctypes.CDLL(None) if sys.platform == "linux" else None
_supervisor_pid = os.getpid()


def _die_with_supervisor() -> None:
    """Make Linux kill this child when the supervisor ends, even by kill -9."""
    if _libc is not None:
        _libc.prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
        if os.getppid() != _supervisor_pid:  # the supervisor ended before `prctl`
            os._exit(1)


def stop_with_parent() -> None:
    """Make Linux send SIGTERM to this process when its parent ends, even by kill -9."""
    if _libc is not None:
        _libc.prctl(_PR_SET_PDEATHSIG, signal.SIGTERM)


@dataclass
class Child:
    """A supervised process; `stage` orders the shutdown, lower stages stop first."""

    name: str
    command: Sequence[str]
    environment: Mapping[str, str]
    stage: int = 0
    is_kept: bool = True
    process: subprocess.Popen[bytes] = field(init=False)
    output: int = field(init=False)  # the reading end of its log, -1 once it ended
    started_at: float = field(init=False)
    restart_at: float = 0.0
    delay: float = FIRST_DELAY_SECONDS
    unfinished_line: bytes = b""

    def __post_init__(self) -> None:
        self.start()

    def start(self) -> None:
        """Start the process in a session of its own."""
        self.restart_at = 0.0
        self.started_at = time.monotonic()
        self.output, writing = os.pipe()
        self.process = subprocess.Popen(  # noqa: S603  the command is ours
            self.command,
            env=dict(self.environment),
            stdin=subprocess.DEVNULL,
            stdout=writing,
            stderr=writing,
            start_new_session=True,
            preexec_fn=_die_with_supervisor,  # noqa: PLW1509  there are no threads here
        )
        os.close(writing)
        os.set_blocking(self.output, False)

    def is_running(self) -> bool:
        return self.process.poll() is None

    def signal(self, number: int) -> None:
        """Send a signal to the process and its descendants."""
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self.process.pid, number)


class Stopped(Exception):
    """A signal asked the supervisor to end."""


class Supervisor:
    """Starts children in groups of their own, so that a terminal's Ctrl-C reaches it alone."""

    def __init__(self) -> None:
        self.children: list[Child] = []
        self._selector = selectors.DefaultSelector()
        self._stop_requested = False
        for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
            signal.signal(number, self._on_signal)

    def _on_signal(self, number: int, frame: FrameType | None) -> None:
        self._stop_requested = True

    def keep(
        self, name: str, command: Sequence[str], environment: Mapping[str, str], *, stage: int = 0
    ) -> Child:
        """Start a child that is restarted whenever it ends."""
        child = Child(name, command, environment, stage)
        self.children.append(child)
        self._listen(child)
        return child

    def run(self, name: str, command: Sequence[str], environment: Mapping[str, str]) -> int:
        """Run one command to its end and return its exit code; raises Stopped on a signal."""
        child = Child(name, command, environment, is_kept=False)
        self.children.append(child)
        self._listen(child)
        while child.is_running():
            self.tick()
        self._drain(child)
        self.children.remove(child)
        return child.process.returncode

    def tick(self) -> None:
        """Forward logs and restart what ended, for a moment; raises Stopped on a signal."""
        for key, _ in self._selector.select(POLL_SECONDS):
            self._forward(key.data)
        if self._stop_requested:
            raise Stopped
        now = time.monotonic()
        for child in self.children:
            if child.is_running() or not child.is_kept:
                continue
            if child.restart_at == 0.0:
                self._plan_restart(child, now)
            elif now >= child.restart_at:
                self._drain(child)
                child.start()
                self._listen(child)

    def wait_until(self, is_ready: Callable[[], bool]) -> None:
        while not is_ready():
            self.tick()

    def forever(self) -> None:
        """Tick until a signal comes."""
        while True:
            self.tick()

    def stop(self) -> None:
        """Stop all children stage by stage; kill those that exceed the grace period."""
        for stage in sorted({child.stage for child in self.children}):
            running = [c for c in self.children if c.stage == stage and c.is_running()]
            for child in running:
                child.signal(signal.SIGTERM)
            deadline = time.monotonic() + GRACE_SECONDS
            while any(c.is_running() for c in running) and time.monotonic() < deadline:
                for key, _ in self._selector.select(POLL_SECONDS / 4):
                    self._forward(key.data)
            for child in running:
                child.signal(signal.SIGKILL)
                child.process.wait()
                self._drain(child)

    def _plan_restart(self, child: Child, now: float) -> None:
        if now - child.started_at > STEADY_SECONDS:
            child.delay = FIRST_DELAY_SECONDS
        child.restart_at = now + child.delay
        say(f"{child.name} ended ({child.process.returncode}), again in {child.delay:g} s")
        child.delay = min(child.delay * 2, LONGEST_DELAY_SECONDS)

    def _listen(self, child: Child) -> None:
        self._selector.register(child.output, selectors.EVENT_READ, child)

    def _forward(self, child: Child) -> bool:
        """Print what the child wrote, line by line; return whether there was anything."""
        try:
            chunk = os.read(child.output, 65536)
        except BlockingIOError:
            return False
        *lines, child.unfinished_line = (child.unfinished_line + chunk).split(b"\n")
        if not chunk:
            self._close(child)
        for line in lines:
            say(line.decode(errors="replace").rstrip(), child.name)
        return bool(chunk)

    def _drain(self, child: Child) -> None:
        while child.output >= 0 and self._forward(child):
            pass
        if child.output >= 0:
            self._close(child)

    def _close(self, child: Child) -> None:
        self._selector.unregister(child.output)
        os.close(child.output)
        child.output = -1
        if child.unfinished_line:
            say(child.unfinished_line.decode(errors="replace"), child.name)
            child.unfinished_line = b""


def say(line: str, name: str = "balcao") -> None:
    """Print one line of the log under the name of its process."""
    with contextlib.suppress(BrokenPipeError):  # the reader of the log may end; the product goes on
        sys.stdout.write(f"{name:<8}| {line}\n")
        sys.stdout.flush()
