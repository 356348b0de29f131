"""What a sign-in costs the server and the database, of eight people at once.

The older product verifies a password with bcrypt at cost 8. That is measured in the same run, and
a sign-in may cost twice as much: a stronger hash should cost more.
"""

import time
from concurrent.futures import ThreadPoolExecutor

import bcrypt
import httpx

from tests import factories
from tests.bench.dataset import Business
from tests.bench.report import Figure
from tests.bench.stack import Stack

CLIENTS = 8
LOGINS_EACH = 8
# The CPU time is that of the best batch: whatever else runs on the machine only adds.
BATCHES = 3
LEAST_TIMES_BCRYPT = 0.5
SALT = bcrypt.gensalt(8)
NAME = f"sign-in, {CLIENTS} at once, CPU of server and database"


def measure(stack: Stack, business: Business) -> list[Figure]:
    """Have eight people sign in again and again, each in a browser of their own."""
    people = [factories.make_user(business.company).email for _ in range(CLIENTS)]
    with ThreadPoolExecutor(CLIENTS) as threads:

        def batch(count: int) -> tuple[float, float]:
            before = stack.cpu("web"), stack.cpu("postgres")
            list(threads.map(lambda email: _sign_in(stack, email, count), people))
            web, postgres = stack.cpu("web") - before[0], stack.cpu("postgres") - before[1]
            each = 1000 / (count * CLIENTS)
            return (web + postgres) * each, web * each

        batch(2)
        rounds = [(*batch(LOGINS_EACH), _verifying()) for _ in range(BATCHES)]
    cpu, web, verifying = (min(each) for each in zip(*rounds, strict=True))
    return [
        Figure(NAME, cpu, "ms"),
        Figure("… CPU of the server", web, "ms"),
        Figure("a bcrypt verification at cost 8, CPU", verifying, "ms"),
        Figure("bcrypt / sign-in", verifying / cpu, "×", LEAST_TIMES_BCRYPT, at_least=True),
    ]


def _verifying() -> float:
    """Return the CPU milliseconds of a verification with bcrypt at cost 8."""
    password = factories.PASSWORD.encode()
    known = bcrypt.hashpw(password, SALT)
    before = time.process_time()
    for _ in range(LOGINS_EACH):
        assert bcrypt.checkpw(password, known)
    return (time.process_time() - before) * 1000 / LOGINS_EACH


def _sign_in(stack: Stack, email: str, count: int) -> None:
    with httpx.Client(base_url=stack.web_address, timeout=60) as browser:
        for _ in range(count):
            body = {"email": email, "password": factories.PASSWORD}
            browser.post("/api/auth/login", json=body).raise_for_status()
