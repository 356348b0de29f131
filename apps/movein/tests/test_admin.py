"""Imports in the Django admin: upload or address, dry run, report, import (rules/moving-in §10)."""

from pathlib import Path
from typing import Any

import pytest
from django.core.files.storage import default_storage
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import connection as database
from django.test import Client

from apps.accounts.models import User
from apps.audit.models import AuditEntry
from apps.common.leases import LeaseState
from apps.companies.models import Company
from apps.movein.models import MoveIn
from apps.movein.services import jobs
from apps.movein.services.jobs import MoveInRefused, check_address, run_due
from apps.movein.tests.conftest import dumped
from apps.movein.tests.shop import shop_a
from apps.tickets.models import Message

pytestmark = pytest.mark.django_db(transaction=True)
LIST, ADD = "/admin/movein/movein/", "/admin/movein/movein/add/"
PASSWORD = "s3nha-do-banco"


@pytest.fixture(autouse=True)
def _own_store(settings: Any, tmp_path: Any) -> None:
    settings.MEDIA_ROOT = str(tmp_path / "media")
    settings.DATA_DIR = tmp_path / "data"


@pytest.fixture
def operator(super_user: User, client: Client) -> Client:
    client.force_login(super_user)
    return client


def fields(**changes: Any) -> dict[str, Any]:
    return {"kind": "older", "name": "loja", **changes}


def page_of(client: Client, move_in: MoveIn) -> str:
    return client.get(f"{LIST}{move_in.pk}/change/").content.decode()


def test_an_upload_is_tried_read_and_imported(operator: Client, tmp_path: Path) -> None:
    content = Path(dumped(shop_a(), tmp_path / "dump.sql")).read_bytes()
    upload = SimpleUploadedFile("dump.sql", content)
    assert operator.post(ADD, fields(upload_file=upload)).status_code == 302
    move_in = MoveIn.objects.get()
    assert 'http-equiv="refresh"' in page_of(operator, move_in)
    go = f"{LIST}{move_in.pk}/go/"
    assert "Só se importa depois do ensaio" in operator.post(go, follow=True).content.decode()

    assert run_due(limit=1) == 1
    assert not Message.objects.exists()
    page = page_of(operator, move_in)
    assert "Ensaio: nada foi gravado" in page and "Importar agora" in page
    assert "Messages" in page

    assert operator.get(go).status_code == 405
    assert "A importação começou" in operator.post(go, follow=True).content.decode()
    assert run_due(limit=1) == 1
    move_in.refresh_from_db()
    assert (move_in.state, move_in.upload, move_in.goes) == (LeaseState.DONE, "", True)
    assert Company.objects.filter(name="Loja da Ana").exists() and Message.objects.count() == 8
    assert not default_storage.listdir(jobs.UPLOADS)[1]
    page = page_of(operator, move_in)
    assert "Importação concluída." in page and "Importar agora" not in page
    actions = AuditEntry.objects.filter(action__startswith="move_in").order_by("pk")
    assert list(actions.values_list("action", flat=True)) == ["move_in.planned", "move_in.started"]


def test_an_address_is_encrypted_masked_and_goes(
    operator: Client, settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings.ALLOW_PRIVATE_TARGETS = ["127.0.0.0/8"]
    address = f"postgres://dona:{PASSWORD}@127.0.0.1:1/loja"
    assert operator.post(ADD, fields(address=address)).status_code == 302
    move_in = MoveIn.objects.get()
    with database.cursor() as cursor:
        cursor.execute("SELECT address FROM movein_movein")
        assert PASSWORD not in cursor.fetchone()[0]
    run_due(limit=1)
    move_in.refresh_from_db()
    assert (move_in.state, move_in.address) == (LeaseState.FAILED, address)
    page = page_of(operator, move_in)
    assert PASSWORD not in page and "dona" in page and "could not be opened" in page
    assert PASSWORD not in move_in.last_error
    MoveIn.objects.update(expires_at=move_in.created_at)
    run_due(limit=1)
    move_in.refresh_from_db()
    assert move_in.address == ""


@pytest.mark.parametrize(
    "address",
    [
        "postgres://a:b@10.0.0.5/x",
        "mysql://a:b@localhost/x",
        "postgres://a:b@example.com/x?host=10.0.0.5",
        "postgres://a:b@example.com/x?passfile=/etc/passwd",
        "postgres:///x",
        "file:///etc/passwd",
        "postgres://a:b@[::1",
        "postgres://a:b@example.com:99999/x",
    ],
)
def test_other_addresses_are_refused(settings: Any, address: str) -> None:
    settings.ALLOW_PRIVATE_TARGETS = []
    with pytest.raises(MoveInRefused):
        check_address(address)


def test_the_operators_folder_is_not_left(operator: Client, settings: Any) -> None:
    folder = jobs.operator_folder()
    folder.mkdir(parents=True)
    (settings.DATA_DIR / "segredo").write_text("x")
    (folder / "link").symlink_to(settings.DATA_DIR / "segredo")
    # The form offers names only.
    assert operator.post(ADD, fields(file="../segredo")).status_code == 200
    assert operator.post(ADD, fields(file="link")).status_code == 302
    run_due(limit=1)
    move_in = MoveIn.objects.get()
    assert move_in.state == LeaseState.FAILED and "não está na pasta" in move_in.last_error


def test_one_source_is_chosen(operator: Client) -> None:
    answer = operator.post(ADD, fields(), follow=True)
    assert "só um deles" in answer.content.decode()
    answer = operator.post(
        ADD, fields(kind="company", address="postgres://a:b@example.com/x"), follow=True
    )
    assert "vem como arquivo" in answer.content.decode()
    assert not MoveIn.objects.exists()


def test_what_is_no_dump_is_said(operator: Client) -> None:
    operator.post(ADD, fields(upload_file=SimpleUploadedFile("a.sql", b"Oi")))
    operator.post(ADD, fields(kind="company", upload_file=SimpleUploadedFile("a.tar", b"Oi")))
    assert run_due(limit=1) + run_due(limit=1) == 2
    assert all(each.state == LeaseState.FAILED for each in MoveIn.objects.all())
    assert all(each.last_error for each in MoveIn.objects.all())


def test_a_removed_import_takes_its_upload_along(operator: Client) -> None:
    operator.post(ADD, fields(upload_file=SimpleUploadedFile("a.sql", b"Oi")))
    move_in = MoveIn.objects.get()
    assert default_storage.exists(move_in.upload)
    operator.post(f"{LIST}{move_in.pk}/delete/", {"post": "yes"})
    assert not MoveIn.objects.exists() and not default_storage.exists(move_in.upload)


def test_only_the_super_user_sees_imports(client: Client, admin: User, operator: Client) -> None:
    operator.post(ADD, fields(upload_file=SimpleUploadedFile("a.sql", b"Oi")))
    move_in = MoveIn.objects.get()
    stranger = Client()
    stranger.force_login(admin)
    for address in (LIST, ADD, f"{LIST}{move_in.pk}/change/"):
        assert stranger.get(address).status_code == 302
    assert stranger.post(f"{LIST}{move_in.pk}/go/").status_code == 302
    assert not MoveIn.objects.filter(goes=True).exists()
