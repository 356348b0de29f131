"""A worker killed while it writes a company's archive: another writes it (rules/moving-out §4)."""

from typing import Any

import pytest
from django.core.files.storage import default_storage

from apps.accounts.models import User
from apps.movein.mapping.tables import BY_NAME
from apps.movein.models import CompanyArchive
from apps.movein.services.archives import request_archive
from apps.tickets.models import Message
from tests.factories import make_ticket
from tests.test_crash import Run, graph, run_worker, wait_for

pytestmark = [
    pytest.mark.postgres,
    pytest.mark.django_db(transaction=True),
    pytest.mark.xdist_group("processes"),
]
__all__ = ["graph", "run_worker"]

COUNT = 60_000


def is_begun() -> bool:
    archive = CompanyArchive.objects.get()
    return 0 < archive.rows_done < COUNT and archive.state == "claimed"


def is_over() -> bool:
    return CompanyArchive.objects.get().state == "done"


def test_an_archive_of_a_killed_worker_is_written_by_another(
    admin: User, run_worker: Run, settings: Any, tmp_path: Any
) -> None:
    settings.MEDIA_ROOT, settings.DATA_DIR = tmp_path / "media", tmp_path
    ticket = make_ticket(admin.company)
    Message.objects.bulk_create(
        Message(company=admin.company, ticket=ticket, contact=ticket.contact, body=str(number))
        for number in range(COUNT)
    )
    request_archive(actor=admin, has_media=True, has_passwords=False)
    worker = run_worker()
    wait_for(is_begun, "the archive to be begun")
    worker.kill()
    worker.wait()
    assert list(tmp_path.glob(".company-archive-*"))
    run_worker()
    wait_for(is_over, "the archive to be written")
    archive = CompanyArchive.objects.get()
    assert archive.tables["messages"] == BY_NAME["messages"].rows(admin.company_id).count() == COUNT
    assert default_storage.size(archive.path) == archive.size
    assert not list(tmp_path.glob(".company-archive-*"))
