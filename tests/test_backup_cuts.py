"""A restore that is cut off between two renames is taken back by the next."""

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from apps.common.moves import JOURNAL, Moves, cut_off_moves
from tests.installations import Installation, said
from tests.product import ROOT

# Like a machine that loses its power: after so many renames, or before they are forgotten.
CUT_OFF = """
import os, sys, django
django.setup()
from django.core.management import call_command
from apps.common import moves
move, left = moves._move, [int(sys.argv[2])]
def cut(source, target):
    if not left[0]:
        os._exit(9)
    left[0] -= 1
    move(source, target)
moves._move = cut
moves.Moves.end = lambda self: os._exit(9)
call_command("restore", sys.argv[1])
"""


@pytest.fixture(params=["sqlite", pytest.param("postgresql", marks=pytest.mark.postgres)])
def installation(request: pytest.FixtureRequest) -> Iterator[Installation]:
    kind = "postgres_installations" if request.param == "postgresql" else "installations"
    yield request.getfixturevalue(kind)("shop")


def in_force(installation: Installation) -> tuple[str, list[str], int]:
    """Return which data there are: the key, the files, and the rows of a table."""
    directory = installation.directory
    media = sorted(path.name for path in (directory / "media").rglob("*.txt"))
    (count,) = installation.rows("SELECT count(*) FROM django_content_type WHERE model = 'new'")[0]
    return (directory / "secret_key").read_text(), media, count


def add_row(installation: Installation) -> None:
    code = (
        "from django.contrib.contenttypes.models import ContentType;"
        "ContentType.objects.create(app_label='new', model='new')"
    )
    assert installation.manage("shell", "-v0", "-c", code).returncode == 0


@pytest.mark.xdist_group("backup cuts")
@pytest.mark.parametrize("renames", [1, 3, 4, 1000])
def test_a_restore_that_was_cut_off_is_taken_back_and_begun_anew(
    installation: Installation, tmp_path: Path, renames: int
) -> None:
    archive = tmp_path / "backup.tar"
    installation.make()
    directory = installation.directory
    (directory / "media" / "1").mkdir(parents=True)
    (directory / "media" / "1" / "old.txt").write_text("old")
    assert installation.manage("backup", str(archive)).returncode == 0
    of_archive = in_force(installation)
    (directory / "secret_key").write_text("another key")
    (directory / "media" / "1" / "new.txt").write_text("new")
    add_row(installation)
    former = in_force(installation)

    cut = subprocess.run(
        [sys.executable, "-c", CUT_OFF, str(archive), str(renames)],
        cwd=ROOT,
        env=installation.environment | {"DJANGO_SETTINGS_MODULE": "config.settings"},
        capture_output=True,
        check=False,
        timeout=300,
    )
    assert cut.returncode == 9, said(cut)
    checked = installation.manage("check")
    assert checked.returncode == 1
    assert "A restore was cut off" in said(checked)
    assert "Give `manage.py restore` again" in said(checked)

    copied = installation.manage("backup", str(tmp_path / "half.tar"))
    assert copied.returncode == 1
    assert "Restore again first" in said(copied)
    assert not (tmp_path / "half.tar").exists()

    told = installation.manage("restore", str(archive))
    assert told.returncode == 0, said(told)
    assert "A restore before this one was cut off" in said(told)
    assert in_force(installation) == of_archive
    assert not (directory / JOURNAL).exists()
    assert not list(directory.glob(".restore-*"))
    assert installation.manage("check").returncode == 0
    # Nothing of what there was is lost.
    kept = [path.read_text() for path in directory.glob("before-restore-*/secret_key")]
    assert former[0] in kept
    assert list(directory.glob("before-restore-*/media/1/new.txt"))


@pytest.mark.xdist_group("backup cuts")
@pytest.mark.parametrize("program", ["worker", "beat"])
def test_nothing_works_on_the_data_of_half_a_restore(tmp_path: Path, program: str) -> None:
    """Started again with the machine, a worker's files would go with what is taken back."""
    (tmp_path / JOURNAL).write_text("{}\n")
    environment = os.environ | {
        "DATA_DIR": str(tmp_path),
        "DATABASE_URL": f"sqlite:///{tmp_path}/balcao.sqlite3",
        "SECRET_KEY": "a key for the test only",
        "REDIS_URL": "redis://127.0.0.1:9/0",
        "SIMULATOR": "1",
        "PUBLIC_URL": "http://127.0.0.1:8000",
    }
    options = {"worker": ["--pool=solo"], "beat": [f"--schedule={tmp_path}/beat"]}[program]
    started = subprocess.run(
        [sys.executable, "-m", "celery", "--app=config.celery", program, *options],
        cwd=ROOT,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )
    assert started.returncode == 1, started.stderr
    assert "A restore was cut off" in started.stderr


def test_moves_are_taken_back_from_every_place_where_they_may_be_cut_off(tmp_path: Path) -> None:
    """Of another disk: copied in part, copied and not removed, removed in part."""
    journal, here, there = tmp_path / JOURNAL, tmp_path / "here", tmp_path / "there"
    here.mkdir()
    for name in ("partial", "whole", "half"):
        (here / name).mkdir()
        (here / name / "a").write_text(name)
        (here / name / "b").write_text(name)
    moves = Moves(journal, aside="x")
    moves.move(here / "whole", there / "whole")
    moves._write([str(here / "half"), str(there / "half")])
    (here / "half").rename(there / "half")
    (here / "half").mkdir()
    (here / "half" / "b").write_text("half")
    moves._write([str(here / "partial"), str(there / "partial")])
    (there / ".partial.partial").mkdir()
    (there / ".partial.partial" / "a").write_text("par")
    with journal.open("a") as file:
        file.write('["of which nothing was do')
    found = cut_off_moves(journal)
    assert found is not None
    assert found.told == {"aside": "x"}
    found.take_back()
    assert not there.exists()
    assert {path.name for path in here.iterdir()} == {"partial", "whole", "half"}
    assert all(
        (here / name / n).read_text() == name for name in ("partial", "whole", "half") for n in "ab"
    )
    assert cut_off_moves(journal) is None


def test_a_journal_that_was_cut_off_in_its_first_line_tells_of_nothing(tmp_path: Path) -> None:
    journal = tmp_path / JOURNAL
    journal.write_text('{"aside": "/var/lib/bal')
    assert cut_off_moves(journal) is None
    assert not journal.exists()
