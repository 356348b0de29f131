"""Rules of helps (rules/announcements §5)."""

from collections.abc import Mapping
from typing import Any

from django.db import transaction

from apps.accounts.models import User
from apps.announcements import events
from apps.announcements.models import Help
from apps.audit.services import record
from apps.common.errors import NotFound
from apps.companies.models import SUPER_COMPANY_ID


class HelpNotFound(NotFound):
    code = "ERR_NO_HELP_FOUND"
    message = "Ajuda não encontrada."


def get_help(help_id: int) -> Help:
    """Return a help; raises HelpNotFound."""
    found = Help.objects.filter(pk=help_id).first()
    if found is None:
        raise HelpNotFound
    return found


@transaction.atomic
def create_help(*, fields: Mapping[str, Any]) -> Help:
    """Create a help from fields of the model."""
    help = Help.objects.create(**fields)
    events.help_created(help)
    return help


@transaction.atomic
def update_help(*, help_id: int, fields: Mapping[str, Any]) -> Help:
    """Change the given fields; raises HelpNotFound."""
    help = _locked(help_id)
    for name, value in fields.items():
        setattr(help, name, value)
    help.save()
    events.help_updated(help)
    return help


@transaction.atomic
def delete_help(*, actor: User, help_id: int, ip_address: str | None = None) -> None:
    """Delete a help, audited; raises HelpNotFound."""
    help = _locked(help_id)
    record(
        action="help.deleted",
        actor=actor,
        company_id=SUPER_COMPANY_ID,
        target=help,
        detail={"title": help.title},
        ip_address=ip_address,
    )
    help.delete()
    events.help_deleted(help_id)


def _locked(help_id: int) -> Help:
    # Without the lock, saving could overwrite a concurrent change or restore a deleted help.
    help = Help.objects.select_for_update().filter(pk=help_id).first()
    if help is None:
        raise HelpNotFound
    return help
