"""The ports that tests get, and what a run leaves out because of its database."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests import services
from tests.product import ROOT

TESTS = """
import pytest

@pytest.mark.postgres
def test_of_postgresql():
    pass

def test_of_both():
    pass
"""


@pytest.mark.parametrize(
    ("address", "names"),
    [
        ("sqlite://:memory:", ["test_of_both"]),
        ("postgres://127.0.0.1/none", ["test_of_postgresql", "test_of_both"]),
    ],
)
def test_sqlite_runs_no_test_that_needs_postgresql(
    tmp_path: Path, address: str, names: list[str]
) -> None:
    (tmp_path / "test_two.py").write_text(TESTS)
    # Nothing else is loaded, and no server is started.
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "--collect-only", "-p", "tests.services"]
        + ["--rootdir", str(tmp_path), "-c", os.devnull, str(tmp_path)],
        env=os.environ
        | {
            "PYTHONPATH": str(ROOT),
            "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1",
            "DATABASE_URL": address,
            "REDIS_URL": "redis://127.0.0.1:1/0",
        },
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )
    assert re.findall(r"::(\w+)", done.stdout) == names, done.stdout + done.stderr


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
