"""The embedded mode as a newcomer meets it: start, memory, and what the browser loads."""

import gzip
import os
import resource
import shutil
import subprocess
import sys
import time
from pathlib import Path
from urllib.parse import urlsplit

from playwright.sync_api import sync_playwright

from tests.bench.report import Figure
from tests.bench.stack import cpu_seconds, memory_megabytes
from tests.journeys.conftest import ANA, FLAGS, PASSWORD, chromium
from tests.journeys.people import fill_login
from tests.product import ROOT, Product, wait_for

DIST = ROOT / "frontend" / "dist"
IDLE_SECONDS = 20.0


def measure() -> list[Figure]:
    """Start the product twice, leave it idle, then open its first pages in a browser."""
    product = Product()
    try:
        product.stop()
        migrating = _migrating_cpu(product.data_directory)
        # What the first start's worker reported would count for a minute.
        shutil.rmtree(product.data_directory / "valkey" / "appendonlydir", ignore_errors=True)
        started_at = time.monotonic()
        second_start = product.start()
        wait_for(lambda: product.get("/health/ready/")[0] == 200, "a worker", 60)
        until_ready, starting = time.monotonic() - started_at, cpu_seconds(product.process.pid)
        time.sleep(IDLE_SECONDS)
        pids = {product.process.pid: "up", **product.children()}
        memory = {process_name(line): memory_megabytes(pid) for pid, line in pids.items()}
        login, inbox = _scripts(product)
    finally:
        product.remove()
    return [
        Figure("second start to the first page", second_start, "s", 3),
        Figure("second start until it is ready to work", until_ready, "s"),
        Figure("second start, CPU of all processes until then", starting, "s"),
        Figure("migrate of an up-to-date database, CPU", migrating, "s", 3),
        *(Figure(f"embedded, idle memory of {name}", size, "MB") for name, size in memory.items()),
        Figure("embedded, idle memory of all", sum(memory.values()), "MB", 300),
        # Browsers take brotli wherever there is HTTPS, which is every real installation.
        Figure("scripts of /login, brotli", compressed_kilobytes(login, ".br"), "kB", 220),
        Figure("scripts of /login, gzip", compressed_kilobytes(login, ".gz"), "kB"),
        Figure("scripts of the inbox, brotli", compressed_kilobytes(inbox, ".br"), "kB", 360),
        Figure("scripts of the inbox, gzip", compressed_kilobytes(inbox, ".gz"), "kB"),
    ]


def _migrating_cpu(data_directory: Path) -> float:
    """Return the CPU seconds of `migrate` where nothing is pending."""
    before = _of_children()
    subprocess.run(
        [sys.executable, "manage.py", "migrate", "--verbosity=0"],
        cwd=ROOT,
        env=os.environ | {"DATA_DIR": str(data_directory), "DATABASE_URL": "", "SIMULATOR": "1"},
        check=True,
        timeout=60,
    )
    return _of_children() - before


def _of_children() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def process_name(command: str) -> str:
    """Return what a process of the embedded mode is called."""
    for part, name in (("valkey", "valkey"), ("config.serve", "web"), ("config.worker", "worker")):
        if part in command:
            return name
    return command


def _scripts(product: Product) -> tuple[set[str], set[str]]:
    """Return the scripts that a first visit of /login, and one of the inbox, loads."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium(), args=FLAGS)
        seen: set[str] = set()
        page = browser.new_context(base_url=product.address, locale="pt-BR").new_page()
        page.on(
            "request",
            lambda request: (
                seen.add(request.url) if urlsplit(request.url).path.endswith(".js") else None
            ),
        )
        page.goto("/login")
        page.wait_for_load_state("networkidle")
        login = set(seen)
        fill_login(page, ANA, PASSWORD)
        page.wait_for_url("**/tickets*")
        page.wait_for_load_state("networkidle")
        seen.clear()
        page.reload()
        page.wait_for_load_state("networkidle")
        inbox = set(seen)
        browser.close()
    return login, inbox


def compressed_kilobytes(urls: set[str], suffix: str = ".br") -> float:
    """Return the kilobytes of the scripts as they travel, compressed once at build time."""
    total = 0
    for url in urls:
        file = DIST / urlsplit(url).path.removeprefix("/static/app/")
        packed = Path(f"{file}{suffix}")
        if packed.is_file():
            total += packed.stat().st_size
        elif file.is_file():  # too small to be worth compressing
            total += len(gzip.compress(file.read_bytes()))
    return total / 1000
