"""What a sign-in costs the server and the database, of eight people at once."""

from concurrent.futures import ThreadPoolExecutor

import httpx

from tests import factories
from tests.bench.dataset import Business
from tests.bench.report import Figure
from tests.bench.stack import Stack

CLIENTS = 8
LOGINS_EACH = 8
# The CPU time is that of the best batch: whatever else runs on the machine only adds.
BATCHES = 3
# What the older product takes, with bcrypt at cost 8 (`older`).
BUDGET = 37.0
NAME = f"sign-in, {CLIENTS} at once, CPU of server and database"


def measure(stack: Stack, business: Business) -> list[Figure]:
    """Have eight people sign in again and again, each in a browser of their own."""
    people = [factories.make_user(business.company).email for _ in range(CLIENTS)]
    with ThreadPoolExecutor(CLIENTS) as threads:

        def batch(count: int) -> float:
            before = stack.cpu("web", "postgres")
            list(threads.map(lambda email: _sign_in(stack, email, count), people))
            return (stack.cpu("web", "postgres") - before) * 1000 / (count * CLIENTS)

        batch(2)
        cpu = min(batch(LOGINS_EACH) for _ in range(BATCHES))
    return [Figure(NAME, cpu, "ms", BUDGET)]


def _sign_in(stack: Stack, email: str, count: int) -> None:
    with httpx.Client(base_url=stack.web_address, timeout=60) as browser:
        for _ in range(count):
            body = {"email": email, "password": factories.PASSWORD}
            browser.post("/api/auth/login", json=body).raise_for_status()
