"""Taking in a company's archive, or telling what that would do (rules/moving-out §5)."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from uuid import UUID

from django.conf import settings
from django.db import DatabaseError, IntegrityError
from django.utils import timezone

from apps.common.archives import MEDIA, BrokenArchive, unpack
from apps.common.backups import private_folder
from apps.companies.models import Company
from apps.movein.mapping.archive_values import PLAN_FIELDS, PLAN_LIMITS
from apps.movein.mapping.tables import BY_NAME, COMPANY, columns_of
from apps.movein.models import LegacyRow, LegacySource
from apps.movein.readers import SourceUnreadable
from apps.movein.readers.archives import ArchiveReader
from apps.movein.services.archive_steps import steps_of
from apps.movein.services.archive_writing import KIND, SCHEMA
from apps.movein.services.importing import ImportRefused
from apps.movein.services.report import Report, report_of
from apps.movein.services.run import Run, RunsElsewhere


@dataclass(frozen=True)
class Manifest:
    """What an archive tells about itself: `tables` are its rows by table."""

    archive: UUID
    company: str
    plan: Mapping[str, Any]
    tables: Mapping[str, int]
    has_media: bool


def import_archive(
    *,
    path: Path,
    goes: bool,
    say: Callable[[str], None] = lambda _line: None,
) -> Report:
    """Take in an archive as a new company, or with `goes` off only report; raises ImportRefused.

    It is unpacked into a folder of DATA_DIR.

    A second run of the same archive goes on where the first one stopped. Nothing is sent, and
    nobody is told.
    """
    try:
        with private_folder("company-import") as folder, path.open("rb") as file:
            manifest = manifest_of(unpack(file, folder, _check))
            source = _source(manifest, goes=goes)
            if goes and source.pk is None:
                # What can't be read is found before anything is written.
                _take_in(manifest, folder, source, goes=False, say=say)
                source.save()
            return _take_in(manifest, folder, source, goes=goes, say=say)
    except (BrokenArchive, SourceUnreadable) as error:
        raise ImportRefused(str(error)) from error
    except OSError as error:
        raise ImportRefused(f"The archive could not be read: {error}.") from error


def _check(told: dict[str, Any]) -> None:
    manifest_of(told)


def manifest_of(told: dict[str, Any]) -> Manifest:
    """Return the manifest of a company's archive that this version can read.

    Raises BrokenArchive.
    """
    if told.get("kind") != KIND:
        raise BrokenArchive("This is no archive of a company: `manage.py restore` reads backups.")
    version, schema = str(told.get("version"))[:40], told.get("schema")
    tables, plan = told.get("tables"), told.get("plan")
    if type(schema) is int and schema > SCHEMA:
        raise _newer(version)
    if not (isinstance(tables, dict) and isinstance(plan, dict) and set(PLAN_FIELDS) >= set(plan)):
        raise BrokenArchive("The archive's manifest is damaged.")
    if set(tables) - set(BY_NAME):
        raise _newer(version)
    if any(type(each) is not int or each < 0 for each in tables.values()):
        raise BrokenArchive("The archive's manifest is damaged.")
    if tables.get(COMPANY) != 1 or not {"name", *PLAN_LIMITS} <= set(plan):
        raise BrokenArchive("The archive is not of one company.")
    try:
        archive = UUID(str(told.get("archive")))
    except ValueError as error:
        raise BrokenArchive("The archive's manifest is damaged.") from error
    return Manifest(
        archive, str(told.get("company"))[:100], plan, tables, told.get("has_media") is True
    )


def _newer(version: str) -> BrokenArchive:
    return BrokenArchive(
        f"The archive was made by Balcão {version}, which is newer than this one"
        f" ({settings.VERSION}): update first."
    )


def _take_in(
    manifest: Manifest,
    folder: Path,
    source: LegacySource,
    *,
    goes: bool,
    say: Callable[[str], None] = lambda _line: None,
) -> Report:
    keys = {name: columns_of(name)[0].name for name in BY_NAME}
    reader = ArchiveReader(folder, keys=keys, counts=manifest.tables)
    media = folder / MEDIA
    media.mkdir(exist_ok=True)
    run = Run(
        reader=reader,
        source=source,
        is_dry=not goes,
        media=media if manifest.has_media else None,
        say=say,
    )
    try:
        (company,) = reader.rows(COMPANY)
        for step in steps_of(dict(manifest.plan), company["id"], is_dry=not goes):
            run.carry_out(step)
    except (IntegrityError, RunsElsewhere) as error:
        if isinstance(error, IntegrityError) and "legacy" not in str(error):
            raise ImportRefused(
                f"Rows of the archive contradict each other: {_first_line(error)}"
            ) from error
        raise ImportRefused("Another run imports this archive at this moment.") from error
    except DatabaseError as error:
        raise ImportRefused(f"A row can't be stored: {_first_line(error)}") from error
    finally:
        run.close()
    if goes:
        source.finished_at = timezone.now()
        source.save(update_fields=["finished_at"])
    return report_of(source, list(run.tables.values()), is_dry=not goes, strangers=(), counted={})


def _first_line(error: Exception) -> str:
    return (str(error).splitlines() or [""])[0][:200]


def _source(manifest: Manifest, *, goes: bool) -> LegacySource:
    """Return the source of an archive, an unsaved one unless something of it came already.

    What was deleted here may come again.
    """
    name = f"{manifest.company[:50]} ({manifest.archive})"
    known = LegacySource.objects.filter(name=name).first()
    if known is not None:
        rows = LegacyRow.objects.filter(source=known, table=COMPANY)
        here = Company.objects.filter(pk__in=rows.values_list("our_id", flat=True), deleted_at=None)
        if not rows.exists() or here.exists():
            return known
        if goes:
            known.delete()
    return LegacySource(name=name)
