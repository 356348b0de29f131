"""What a gateway takes and does, against the WhatsApp of its own tests (gateway/tests/bench)."""

import json
import os
import subprocess
import tempfile
from pathlib import Path

from tests.bench.report import Figure
from tests.product import ROOT

# A connection is open again within a minute of its gateway's end: its lease, then the next call.
BUDGETS = {"open again after kill -9": 60.0}


def measure(shrink: int, seconds: float) -> list[Figure]:
    """Measure memory, messages a second and the time of a take-over; `shrink` divides the sizes."""
    with tempfile.TemporaryDirectory() as folder:
        found = Path(folder) / "figures"
        environment = {**os.environ, "BENCH_FIGURES": str(found), "BENCH_SHRINK": str(shrink)}
        _run(environment, seconds)
        rows = [json.loads(line) for line in found.read_text().splitlines()]
    return [
        Figure(
            row["name"],
            row["value"],
            row["unit"],
            next((most for part, most in BUDGETS.items() if part in row["name"]), None),
        )
        for row in rows
    ]


def _run(environment: dict[str, str], seconds: float) -> None:
    command = ["npm", "run", "--silent", "bench"]
    with subprocess.Popen(
        command,
        cwd=ROOT / "gateway",
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        start_new_session=True,
    ) as process:
        try:
            said, _ = process.communicate(timeout=seconds)
        except BaseException:
            # Its processes with it: they are of its own group.
            os.killpg(process.pid, 9)
            raise
    if process.returncode:
        raise RuntimeError(said[-600:])
