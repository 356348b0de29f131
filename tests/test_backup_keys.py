"""What was stored encrypted is read after a restore, wherever the keys were set."""

import tarfile
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.installations import Installation, said
from tests.test_backups import rewritten

pytestmark = pytest.mark.xdist_group("backups")

STORED = "the token of a connection"
STORE = f"""
from apps.connections.models import Connection
from tests import factories
company = factories.make_company(name="Acme")
connection = factories.make_connection(company, queues=[factories.make_queue(company)])
Connection.objects.filter(pk=connection.pk).update(access_token={STORED!r})
"""
READ = """
from apps.connections.models import Connection
print("read:", Connection.objects.get().access_token)
"""
WRITE_ANEW = """
from apps.connections.models import Connection
Connection.objects.get().save()
"""
FROM_ENVIRONMENT = {"SECRET_KEY": "the key of the former machine"}
OF_THEIR_OWN = {**FROM_ENVIRONMENT, "FIELD_ENCRYPTION_KEYS": "newest of the former, older"}
ANOTHER = {"SECRET_KEY": "the key of the new machine"}
KEYS = {"SECRET_KEY", "FIELD_ENCRYPTION_KEYS"}
KEY_FILES = {"secret_key", "field_keys"}


@pytest.fixture(params=["sqlite", pytest.param("postgresql", marks=pytest.mark.postgres)])
def place(request: pytest.FixtureRequest) -> Iterator[Callable[..., Installation]]:
    """Return a way to have an installation of either kind, with these variables."""
    kind = "postgres_installations" if request.param == "postgresql" else "installations"
    build = request.getfixturevalue(kind)

    def build_with(name: str, **variables: str) -> Installation:
        installation: Installation = build(name)
        kept = {k: v for k, v in installation.environment.items() if k not in KEYS}
        installation.environment = kept | variables
        return installation

    yield build_with


def run(installation: Installation, code: str) -> str:
    done = installation.manage("shell", "-v0", "-c", code)
    assert done.returncode == 0, said(done)
    return said(done)


def backed_up(installation: Installation, archive: Path) -> set[str]:
    """Store something, make an archive, and return the names in it."""
    installation.directory.mkdir(mode=0o700)
    installation.make_tables()
    run(installation, STORE)
    backup = installation.manage("backup", str(archive))
    assert backup.returncode == 0, said(backup)
    with tarfile.open(archive) as tar:
        return set(tar.getnames())


def test_a_new_machine_with_keys_of_its_own_reads_what_was_encrypted(
    place: Callable[..., Installation], tmp_path: Path
) -> None:
    archive = tmp_path / "backup.tar"
    assert backed_up(place("shop", **OF_THEIR_OWN), archive) >= KEY_FILES
    new = place("elsewhere", **ANOTHER)
    told = new.manage("restore", str(archive))
    assert told.returncode == 0, said(told)
    assert "everybody signs in again" in said(told)
    assert "read with the archive's keys" in said(told)
    keys = new.directory / "field_keys"
    assert keys.stat().st_mode & 0o077 == 0
    assert f"read: {STORED}" in run(new, READ)

    # What is written from now on needs the new machine's key alone.
    run(new, WRITE_ANEW)
    keys.unlink()
    assert f"read: {STORED}" in run(new, READ)


def test_a_new_machine_without_keys_takes_over_those_of_the_environment(
    installations: Callable[[str], Installation], tmp_path: Path
) -> None:
    archive = tmp_path / "backup.tar"
    former, new = installations("shop"), installations("elsewhere")
    former.environment |= FROM_ENVIRONMENT
    backed_up(former, archive)
    told = new.manage("restore", str(archive))
    assert told.returncode == 0, said(told)
    assert (new.directory / "secret_key").read_text() == FROM_ENVIRONMENT["SECRET_KEY"]
    # Nothing more is needed than what the secret key encrypts.
    assert not (new.directory / "field_keys").exists()
    assert f"read: {STORED}" in run(new, READ)


def test_an_archive_without_keys_says_what_is_missing(
    installations: Callable[[str], Installation], tmp_path: Path
) -> None:
    """As those that were made before they held them."""
    archive = tmp_path / "backup.tar"
    former, new = installations("shop"), installations("elsewhere")
    former.environment |= FROM_ENVIRONMENT
    backed_up(former, archive)
    older = tmp_path / "older.tar"
    older.write_bytes(without_keys(archive.read_bytes()))
    new.environment |= ANOTHER
    told = new.manage("restore", str(older))
    assert told.returncode == 0, said(told)
    assert "encrypted with a key that is not set here" in said(told)


def without_keys(content: bytes) -> bytes:
    """Return an archive as it was written before it held keys."""

    def change(name: str, body: bytes) -> bytes | None:
        if name in KEY_FILES:
            return None
        if name != "checksums.sha256":
            return body
        lines = body.decode().splitlines(keepends=True)
        return "".join(line for line in lines if line.split()[1] not in KEY_FILES).encode()

    return rewritten(content, change)
