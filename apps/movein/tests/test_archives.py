"""A company's archive: who may have one, its job, its address, and when it goes."""

import io
import json
import tarfile
from datetime import timedelta
from typing import Any

import pytest
from django.core.files.base import ContentFile
from django.core.files.storage import default_storage
from django.utils import timezone

from apps.accounts.models import User
from apps.audit.models import AuditEntry
from apps.common.archives import BrokenArchive, unpack
from apps.common.backups import private_folder
from apps.common.leases import LeaseState
from apps.common.sweeps import sweep
from apps.companies.models import Company, CompanySetting
from apps.movein.models import CompanyArchive
from apps.movein.services import archive_writing, archives
from apps.movein.services.archives import write_due
from conftest import ClientFor
from tests import factories

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture(autouse=True)
def _own_store(settings: Any, tmp_path: Any) -> None:
    settings.MEDIA_ROOT = str(tmp_path / "media")
    settings.DATA_DIR = tmp_path / "data"


def fill(company: Company) -> None:
    ticket = factories.make_ticket(company)
    default_storage.save(f"{company.pk}/nota.pdf", ContentFile(b"%PDF-1.4"))
    factories.make_message(
        ticket, body="Segredo", media_path=f"{company.pk}/nota.pdf", media_name="nota.pdf"
    )
    factories.make_prompt(company, api_key="sk-segredo")
    factories.make_integration(company, signing_secret="assinatura")
    factories.make_webhook(company, secret="whsec")
    CompanySetting.objects.create(company=company, key="asaas", value="token-asaas")


def files_of(content: bytes) -> dict[str, bytes]:
    with tarfile.open(fileobj=io.BytesIO(content)) as tar:
        return {each.name: tar.extractfile(each).read() for each in tar}  # type: ignore[union-attr]


def test_an_admin_requests_downloads_and_deletes_an_archive(
    client_for: ClientFor, admin: User, outsider: User
) -> None:
    fill(admin.company)
    fill(outsider.company)
    client, other = client_for(admin), client_for(outsider)
    assert client.get("/api/company-archive").json() == {"archive": None}
    asked = client.post("/api/company-archive", {"withMedia": True}, "json")
    assert (asked.status_code, asked.json()["archive"]["state"]) == (201, "writing")
    assert asked.json()["archive"]["url"] is None
    again = client.post("/api/company-archive", {}, "json")
    assert (again.status_code, again.json()["code"]) == (409, "ERR_ARCHIVE_RUNS")

    assert write_due(limit=1) == 1
    told = client.get("/api/company-archive").json()["archive"]
    assert (told["state"], told["rowsDone"], told["filesDone"]) == ("ready", told["rowsTotal"], 1)
    assert {each["group"] for each in told["contents"]} >= {"people", "conversations", "bot"}
    address = f"/api/{told['url'].partition('/api/')[2]}"
    answer = client_for(None).get(address)
    content = b"".join(answer.streaming_content)  # type: ignore[attr-defined]
    assert answer["Content-Disposition"].startswith("attachment")
    assert len(content) == told["size"]

    # An outsider sees nothing of it, and a forged address opens nothing.
    assert other.get("/api/company-archive").json() == {"archive": None}
    assert other.delete("/api/company-archive").json()["code"] == "ERR_NO_ARCHIVE"
    forged = address.replace("-", "-0", 1)
    assert client_for(None).get(forged).status_code == 404

    files = files_of(content)
    manifest = json.loads(files["manifest.json"])
    assert (manifest["kind"], manifest["company"]) == ("company", admin.company.name)
    assert files["media/nota.pdf"] == b"%PDF-1.4"
    names = [json.loads(line)["name"] for line in files["users.jsonl"].splitlines()]
    assert names == list(
        User.objects.filter(company=admin.company).order_by("pk").values_list("name", flat=True)
    )
    for secret in (b"sk-segredo", b"assinatura", b"whsec", b"token-asaas", b"argon2"):
        assert secret not in content
    assert outsider.email.encode() not in content

    assert client.delete("/api/company-archive").json() == {"archive": None}
    assert not default_storage.listdir(f"{admin.company_id}/archives")[1]
    assert client_for(None).get(address).status_code == 404
    assert list(
        AuditEntry.objects.filter(action__startswith="company.archive")
        .order_by("pk")
        .values_list("action", "actor")
    ) == [("company.archive_requested", admin.pk), ("company.archive_deleted", admin.pk)]


def test_passwords_come_only_if_asked_and_files_only_if_wanted(
    client_for: ClientFor, admin: User
) -> None:
    fill(admin.company)
    body = {"withMedia": False, "withPasswords": True}
    assert client_for(admin).post("/api/company-archive", body, "json").status_code == 201
    write_due(limit=1)
    with default_storage.open(CompanyArchive.objects.get().path) as file:
        files = files_of(file.read())
    assert not [name for name in files if name.startswith("media/")]
    assert all("password" in json.loads(line) for line in files["users.jsonl"].splitlines())


def test_an_unknown_field_is_refused(client_for: ClientFor, admin: User) -> None:
    answer = client_for(admin).post("/api/company-archive", {"withTokens": True}, "json")
    assert answer.status_code == 400
    assert not CompanyArchive.objects.exists()


def test_an_archive_goes_after_its_days_with_its_file(admin: User) -> None:
    archives.request_archive(actor=admin, has_media=True, has_passwords=False)
    write_due(limit=1)
    path = CompanyArchive.objects.get().path
    assert "movein.write_archives" not in sweep()
    CompanyArchive.objects.update(expires_at=timezone.now() - timedelta(seconds=1))
    assert "movein.write_archives" in sweep()
    write_due(limit=1)
    assert not CompanyArchive.objects.exists() and not default_storage.exists(path)


def test_a_deleted_archive_that_is_being_written_leaves_nothing(
    admin: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    fill(admin.company)
    archives.request_archive(actor=admin, has_media=True, has_passwords=False)
    write = archive_writing.CompanyArchiveWriter.write

    def write_and_lose(writer: Any, folder: Any) -> Any:
        path = write(writer, folder)
        archives.delete_archive(actor=admin)
        return path

    monkeypatch.setattr(archive_writing.CompanyArchiveWriter, "write", write_and_lose)
    write_due(limit=1)
    assert not CompanyArchive.objects.exists()
    assert not default_storage.listdir(f"{admin.company_id}/archives")[1]


def test_what_fails_is_tried_again_and_said_at_last(
    client_for: ClientFor, admin: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: Any) -> None:
        raise OSError("No space left on device")

    archives.request_archive(actor=admin, has_media=True, has_passwords=False)
    monkeypatch.setattr(archive_writing.CompanyArchiveWriter, "write", fail)
    for _ in range(archives.MAX_ATTEMPTS):
        CompanyArchive.objects.update(next_attempt_at=timezone.now())
        assert write_due(limit=1) == 1
    told = client_for(admin).get("/api/company-archive").json()["archive"]
    assert (told["state"], told["errorCode"]) == ("failed", "ERR_ARCHIVE_FAILED")
    monkeypatch.undo()
    assert client_for(admin).post("/api/company-archive", {}, "json").status_code == 201
    write_due(limit=1)
    assert CompanyArchive.objects.get().state == LeaseState.DONE


def test_an_archive_that_ends_its_worker_each_time_fails(admin: User) -> None:
    archives.request_archive(actor=admin, has_media=True, has_passwords=False)
    CompanyArchive.objects.update(attempts=archives.MAX_ATTEMPTS)
    write_due(limit=1)
    archive = CompanyArchive.objects.get()
    assert (archive.state, archive.error_code) == (LeaseState.FAILED, "ERR_ARCHIVE_FAILED")


def test_a_header_of_an_archive_is_never_read_at_length(tmp_path: Any) -> None:
    """`tarfile` would read the records of the next file into memory."""
    entry = tarfile.TarInfo("records")
    entry.type, entry.size = tarfile.XHDTYPE, 10 * 1024 * 1024
    content = entry.tobuf(tarfile.USTAR_FORMAT) + bytes(entry.size + 10240)
    with pytest.raises(BrokenArchive, match="header"):
        unpack(io.BytesIO(content), tmp_path, lambda _manifest: None)


def test_a_folder_that_a_killed_process_left_goes_and_a_used_one_stays(settings: Any) -> None:
    left = settings.DATA_DIR / ".company-archive-left"
    left.mkdir(parents=True)
    (left / "users.jsonl").write_text("{}")
    with private_folder("company-archive") as first:
        assert not left.exists()
        with private_folder("company-archive") as second:
            assert first.is_dir() and second.is_dir()
    assert not list(settings.DATA_DIR.iterdir())


def test_a_sparse_file_is_no_part_of_an_archive(tmp_path: Any) -> None:
    """GNU's sparse files unpack to any length from some bytes."""
    entry = tarfile.TarInfo("manifest.json")
    entry.type, entry.size = tarfile.GNUTYPE_SPARSE, 0
    header = bytearray(entry.tobuf(tarfile.GNU_FORMAT))
    header[386:410] = b"00000000000\x0000000000000\x00"
    header[483:495] = b"77777777777\x00"
    header[148:156] = b"        "
    header[148:156] = f"{sum(header):06o}\0 ".encode()
    with pytest.raises(BrokenArchive, match=r"which no archive of Balcão does|damaged"):
        unpack(io.BytesIO(bytes(header) + bytes(10240)), tmp_path, lambda _manifest: None)
