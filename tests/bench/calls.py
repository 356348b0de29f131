"""Calls at a steady rate, timed by a process of its own.

Who measures must not share an interpreter with the provider that a campaign is sent to.
"""

import json
import subprocess
import sys
import time
from itertools import count, cycle

import httpx

CALLS_A_SECOND, CALL_SECONDS = 20, 15.0
WARM_UP_CALLS = 5


def timed(address: str, token: str, paths: dict[str, str]) -> dict[str, list[float]]:
    """Return the milliseconds of calls by their name, which begin in turn at a steady rate."""
    asked = json.dumps([address, token, paths])
    command = [sys.executable, "-m", __name__]
    done = subprocess.run(command, input=asked, stdout=subprocess.PIPE, text=True, check=True)
    found: dict[str, list[float]] = json.loads(done.stdout)
    return found


def _timed(address: str, token: str, paths: dict[str, str]) -> dict[str, list[float]]:
    taken: dict[str, list[float]] = {name: [] for name in paths}
    headers = {"Authorization": f"Bearer {token}"}
    with httpx.Client(base_url=address, headers=headers, timeout=30) as client:
        for path in [*paths.values()] * WARM_UP_CALLS:
            client.get(path).raise_for_status()
        begun = time.perf_counter()
        due = count(0, 1 / CALLS_A_SECOND)
        for name, moment in zip(cycle(paths), due, strict=False):
            if moment >= CALL_SECONDS:
                break
            time.sleep(max(0.0, begun + moment - time.perf_counter()))
            started_at = time.perf_counter()
            client.get(paths[name]).raise_for_status()
            taken[name].append((time.perf_counter() - started_at) * 1000)
    return taken


if __name__ == "__main__":
    print(json.dumps(_timed(*json.load(sys.stdin))))
