"""A file of contacts whose worker is killed in the middle: every row once (rules/contacts §12)."""

from typing import Any

import pytest
from rest_framework.test import APIClient

from apps.accounts.models import User
from apps.companies.models import Company
from apps.contacts.models import Contact, ContactImport
from conftest import ClientFor
from tests.sheets import people, upload_of
from tests.test_crash import Run, graph, run_worker, wait_for

pytestmark = [
    pytest.mark.postgres,
    pytest.mark.django_db(transaction=True),
    pytest.mark.xdist_group("processes"),
]
__all__ = ["graph", "run_worker"]

COUNT = 10_000


def is_begun() -> bool:
    return 0 < ContactImport.objects.get().rows_read < COUNT


def is_over() -> bool:
    return ContactImport.objects.get().state == "done"


def test_a_killed_workers_file_is_gone_on_from(
    client_for: ClientFor, agent: User, acme: Company, run_worker: Run, settings: Any, tmp_path: Any
) -> None:
    settings.MEDIA_ROOT = tmp_path / "media"
    client: APIClient = client_for(agent)
    lines = [f"{name};{number};{email}" for name, number, email in people(COUNT)]
    content = "\n".join(["nome;numero;email", *lines]).encode()
    file = {"file": upload_of(content, "contatos.csv")}
    assert client.post("/api/contacts/import-file", file, format="multipart").status_code == 202
    worker = run_worker()
    wait_for(is_begun, "the import to begin")
    worker.kill()
    worker.wait()
    half = ContactImport.objects.get()
    assert (half.state, half.rows_read < COUNT) == ("claimed", True)
    run_worker()
    wait_for(is_over, "the import to be gone on from")
    done = ContactImport.objects.get()
    assert (done.rows_read, done.created_count, done.failed_count) == (COUNT, COUNT, 0)
    assert Contact.objects.for_company(acme).count() == COUNT
