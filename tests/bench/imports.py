"""Files of 100,000 people: contacts and a contact list, the worker's memory, the inbox beside."""

import threading
import time
from collections.abc import Callable, Iterator
from typing import Any

import httpx
from django.db import connection as database

from apps.campaigns.models import ContactListItem
from apps.contacts.models import Contact
from tests.bench.dataset import Business
from tests.bench.history import read_list
from tests.bench.report import Figure, percentile
from tests.bench.stack import Stack, forget_peak_memory, memory_megabytes, peak_megabytes
from tests.factories import make_contact_list
from tests.product import wait_for
from tests.sheets import shared_xlsx

ROWS = 100_000
SECONDS = 300.0
# What reading may add to the worker, whose own rows of a batch and the file's texts are in it.
MOST_MEGABYTES, LIST_MS = 96, 150
Outcome = Callable[[], dict[str, Any]]


def strangers(count: int) -> Iterator[tuple[str, str, str]]:
    """Give people whom the company does not know."""
    for number in range(count):
        yield f"Pessoa {number}", f"55319{number:08}", f"p{number}@example.com"


def measure(stack: Stack, business: Business, token: str, *, rows: int) -> list[Figure]:
    """Measure both imports; raises AssertionError unless each row makes one person."""
    content = shared_xlsx(strangers(rows))
    headers = {"Authorization": f"Bearer {token}"}
    company = business.company
    with httpx.Client(base_url=stack.web_address, headers=headers, timeout=60) as client:

        def import_of_contacts() -> dict[str, Any]:
            told: dict[str, Any] = client.get("/api/contacts/imports/current").json()["import"]
            return told

        before = Contact.objects.for_company(company).count()
        figures = _imported(
            stack, client, token, content, rows, "/api/contacts/import-file", import_of_contacts
        )
        made = Contact.objects.for_company(company).count() - before
        assert made == rows, f"{made:,} contacts of {rows:,} rows"

        listed = make_contact_list(company, name=f"De {rows:,} linhas")
        address = f"/api/contact-lists/{listed.pk}"

        def import_of_list() -> dict[str, Any]:
            told: dict[str, Any] = client.get(address).json()["import"]
            return told

        figures += _imported(
            stack, client, token, content, rows, f"{address}/upload", import_of_list
        )
        made = ContactListItem.objects.filter(contact_list=listed).count()
        assert made == rows, f"{made:,} people of {rows:,} rows"
    database.close()
    return figures


def _imported(
    stack: Stack,
    client: httpx.Client,
    token: str,
    content: bytes,
    rows: int,
    address: str,
    outcome: Outcome,
) -> list[Figure]:
    """Upload the file and wait for its end, the open list being read all the while."""
    name = "contacts" if "contacts/" in address else "contact list"
    pid = stack.processes["worker"].pid
    quiet = memory_megabytes(pid)
    forget_peak_memory(pid)
    resting = peak_megabytes(pid)
    alone = read_list(stack, token, until=time.perf_counter() + 3)
    beside: list[float] = []
    is_over = threading.Event()
    reader = threading.Thread(target=lambda: beside.extend(read_list(stack, token, over=is_over)))
    started_at = time.perf_counter()
    reader.start()
    try:
        client.post(address, files={"file": ("pessoas.xlsx", content)}).raise_for_status()
        wait_for(lambda: outcome()["status"] in {"done", "failed"}, f"the {name}", SECONDS)
        taken = time.perf_counter() - started_at
    finally:
        is_over.set()
        reader.join()
    done = outcome()
    assert (done["status"], done["createdCount"]) == ("done", rows), done
    file = f"import of {rows:,} {name} rows"
    return [
        Figure(f"{file}, from the upload to its end", taken, "s"),
        Figure(f"{file}, rows a second", rows / taken, "1/s"),
        Figure(f"{file}, the file", len(content) / 1_000_000, "MB"),
        Figure(f"{file}, worker's memory before", quiet, "MB"),
        Figure(
            f"{file}, worker's peak above it", peak_megabytes(pid) - resting, "MB", MOST_MEGABYTES
        ),
        Figure(f"ticket list, p95, before the {name} import", percentile(alone, 0.95), "ms"),
        Figure(
            f"ticket list, p95, beside the {name} import", percentile(beside, 0.95), "ms", LIST_MS
        ),
    ]
