"""Importing an older product's installation, or telling what an import would do."""

from collections.abc import Callable
from pathlib import Path

from django.db import IntegrityError
from django.utils import timezone

from apps.accounts.models import User
from apps.common.errors import DomainError
from apps.companies.models import SUPER_COMPANY_ID, Company
from apps.connections.models import Connection
from apps.contacts.models import Contact
from apps.movein.mapping.columns import NEEDED, strangers
from apps.movein.models import LegacySource
from apps.movein.readers import SourceUnreadable, open_reader
from apps.movein.services.report import Report, report_of
from apps.movein.services.run import Run, RunsElsewhere
from apps.movein.services.steps import steps_for
from apps.queues.models import Queue
from apps.tickets.models import Ticket


class ImportRefused(DomainError):
    """The source can't be read, is not of the family, or is being imported by another run."""

    code = "ERR_MOVE_IN"


def import_source(
    *,
    address: str,
    name: str,
    goes: bool,
    media: Path | None = None,
    say: Callable[[str], None] = lambda _line: None,
) -> Report:
    """Import a source, or with `goes` off only report; raises ImportRefused.

    `name` names the installation: a second run under the same name goes on where the first one
    stopped, and adds what is new. Nothing is sent, and nobody is told.
    """
    if media is not None and not media.is_dir():
        raise ImportRefused(f"{media} is not a folder.")
    try:
        reader = open_reader(address)
    except SourceUnreadable as error:
        raise ImportRefused(str(error)) from error
    try:
        missing = [each for each in NEEDED if each not in reader.tables()]
        if missing:
            raise ImportRefused(
                f"This is no database of the family: it has no table {', '.join(missing)}."
            )
        source = _source(name, goes=goes)
        run = Run(reader=reader, source=source, is_dry=not goes, media=media, say=say)
        try:
            for step in steps_for(reader, has_media=media is not None, is_dry=not goes):
                run.carry_out(step)
        except (IntegrityError, RunsElsewhere) as error:
            if isinstance(error, IntegrityError) and "legacy" not in str(error):
                raise
            raise ImportRefused("Another run imports this source at this moment.") from error
        except SourceUnreadable as error:
            raise ImportRefused(str(error)) from error
        finally:
            run.close()
        if goes:
            source.finished_at = timezone.now()
            source.save(update_fields=["finished_at"])
        return report_of(
            source,
            list(run.tables.values()),
            is_dry=not goes,
            strangers=strangers(reader.tables()),
            counted={each: reader.count(each) for each in reader.tables()},
        )
    finally:
        reader.close()


def _source(name: str, *, goes: bool) -> LegacySource:
    known = LegacySource.objects.filter(name=name).first()
    if known is not None and (goes or known.tables.exists()):
        return known
    source = LegacySource(name=name, keeps_ids=_is_empty())
    if goes:
        source.save()
    return source


def _is_empty() -> bool:
    """Tell whether nothing is here but what `bootstrap` makes."""
    others = (
        Company.objects.exclude(pk=SUPER_COMPANY_ID),
        User.objects.exclude(is_super=True),
        *(model._default_manager.all() for model in (Queue, Connection, Contact, Ticket)),
        LegacySource.objects.all(),
    )
    return not any(each.exists() for each in others)
