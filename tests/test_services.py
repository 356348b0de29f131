"""The servers of the tests keep out of each other's way."""

import os
import subprocess
import sys

import pytest

from tests import services

# Asks for so many ports of a range, prints them and stays until its input ends.
ASKING = """
import sys
from tests import services
services.PORTS = range(int(sys.argv[1]), int(sys.argv[2]))
print(*(services.free_port() for _ in range(4)), flush=True)
sys.stdin.read()
"""


def test_two_processes_are_never_given_the_same_port(monkeypatch: pytest.MonkeyPatch) -> None:
    # Eight ports for eight who ask, where nothing else of the tests, or of another run, looks.
    first = 10_000 + os.getpid() % 1_000 * 8
    ports = range(first, first + 8)
    monkeypatch.setattr(services, "PORTS", ports)
    command = [sys.executable, "-c", ASKING, str(ports.start), str(ports.stop)]
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as other:
        assert other.stdout is not None
        theirs = [int(port) for port in other.stdout.readline().split()]
        ours = [services.free_port() for _ in range(4)]
    assert sorted(theirs + ours) == list(ports)
