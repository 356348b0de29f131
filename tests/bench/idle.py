"""What the embedded mode costs while nobody does anything: shares of one core."""

import os
import time
from pathlib import Path

from tests.bench.embedded import process_name
from tests.bench.report import Figure
from tests.product import Product, wait_for

SETTLE_SECONDS = 10.0
SECONDS = 30.0
TICKS = os.sysconf("SC_CLK_TCK")


def measure() -> list[Figure]:
    """Start the product, leave it alone, and read what each process used."""
    product = Product()
    try:
        wait_for(lambda: product.get("/health/ready/")[0] == 200, "a worker", 60)
        time.sleep(SETTLE_SECONDS)
        pids = {product.process.pid: "up", **product.children()}
        before, started_at = {pid: _used(pid) for pid in pids}, time.monotonic()
        time.sleep(SECONDS)
        taken = time.monotonic() - started_at
        shares = {
            process_name(line): (_used(pid) - before[pid]) / taken * 100
            for pid, line in pids.items()
        }
    finally:
        product.remove()
    budgets = {"worker": 1.0}
    return [
        *(
            Figure(f"embedded, idle CPU of {name}", share, "% core", budgets.get(name))
            for name, share in shares.items()
        ),
        Figure("embedded, idle CPU of all", sum(shares.values()), "% core", 1.0),
    ]


def _used(pid: int) -> float:
    """Return the CPU seconds of one process."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return sum(map(int, fields[11:13])) / TICKS
