"""What a run of tests leaves out because of its database."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

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
