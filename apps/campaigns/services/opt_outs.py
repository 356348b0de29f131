"""Opt-outs that admins add, remove and export (rules/campaigns §7)."""

from collections.abc import Iterator
from datetime import tzinfo
from typing import Any

from django.db import transaction
from django.db.models import QuerySet

from apps.accounts.models import User
from apps.audit.services import record
from apps.billing.services import require_feature
from apps.campaigns.models import OptOut, OptOutSource
from apps.campaigns.queries.opt_outs import opt_outs_of
from apps.campaigns.services.opting_out import opt_out
from apps.common.csv_files import csv_head, csv_rows, plain_cell
from apps.common.errors import DomainError, NotFound
from apps.companies.queries import zone_of
from apps.contacts.numbers import canonical_number
from apps.contacts.services import kept_number
from apps.tickets.services.tickets.removals import locked_tickets

BATCH = 2000
HEADS = {
    "pt": ("nome", "numero", "como", "campanha", "desde"),
    "en": ("name", "number", "how", "campaign", "since"),
    "es": ("nombre", "número", "cómo", "campaña", "desde"),
}
SOURCES = {
    "pt": {
        OptOutSource.WORD: "respondeu a uma campanha",
        OptOutSource.ASKED: "confirmou a pergunta",
        OptOutSource.HAND: "incluído à mão",
        OptOutSource.META: "parou na Meta",
    },
    "en": {
        OptOutSource.WORD: "answered a campaign",
        OptOutSource.ASKED: "confirmed the question",
        OptOutSource.HAND: "added by hand",
        OptOutSource.META: "stopped at Meta",
    },
    "es": {
        OptOutSource.WORD: "respondió a una campaña",
        OptOutSource.ASKED: "confirmó la pregunta",
        OptOutSource.HAND: "agregado a mano",
        OptOutSource.META: "detuvo en Meta",
    },
}


class OptOutNotFound(NotFound):
    """The company has no such opt-out."""

    code = "ERR_NO_OPT_OUT_FOUND"
    message = "Descadastro não encontrado. Ele pode ter sido excluído."


class OptOutExists(DomainError):
    """The number has opted out already."""

    status = 409
    code = "ERR_OPT_OUT_EXISTS"
    message = "Este número já está descadastrado."

    def __init__(self) -> None:
        super().__init__(fields={"number": [self.message]})


def get_opt_out(*, company_id: int, opt_out_id: int) -> OptOut:
    """Return a company's opt-out; raises OptOutNotFound."""
    found = opt_outs_of(company_id).filter(pk=opt_out_id).first()
    if found is None:
        raise OptOutNotFound
    return found


@transaction.atomic
def add_opt_out(
    *, user: User, number: str, complete_numbers: bool = True, ip_address: str | None = None
) -> OptOut:
    """Exclude a typed number from all campaigns, also from running ones; audited.

    A number without country code gets the company's with `complete_numbers`; else it is refused.
    Raises PlanFeatureMissing, and for the number InvalidInput, NumberWithoutCountry, OptOutExists.
    """
    require_feature(company_id=user.company_id, feature="campaigns")
    canonical = canonical_number(
        kept_number(company_id=user.company_id, number=number, completes=complete_numbers)
    )
    # Lock order, as everywhere: tickets before recipients.
    locked_tickets(company=user.company_id, contact__canonical_number=canonical)
    is_new = opt_out(
        company_id=user.company_id, number=canonical, campaign_id=None, source=OptOutSource.HAND
    )
    if not is_new:
        raise OptOutExists
    added = opt_outs_of(user.company_id).get(canonical_number=canonical)
    _record("opt_out.created", user, added, ip_address)
    return added


@transaction.atomic
def remove_opt_out(*, user: User, opt_out_id: int, ip_address: str | None = None) -> None:
    """Let later campaigns write to a number again, audited; raises OptOutNotFound."""
    found = get_opt_out(company_id=user.company_id, opt_out_id=opt_out_id)
    _record("opt_out.deleted", user, found, ip_address)
    found.delete()


def _record(action: str, user: User, target: OptOut, ip_address: str | None) -> None:
    number = target.canonical_number
    record(
        action=action,
        actor=user,
        company_id=user.company_id,
        target=target,
        detail={"name": getattr(target, "contact_name", None) or number, "number": number},
        ip_address=ip_address,
    )


def export_opt_outs(
    *, actor: User, opt_outs: QuerySet[OptOut], language: str, ip_address: str | None = None
) -> Iterator[bytes]:
    """Return, in parts, a CSV file of some of a company's opt-outs, newest first.

    The export is audited at the call; rows are read while the parts are consumed. Times are in the
    company's zone.
    """
    record(
        action="opt_out.exported",
        actor=actor,
        company_id=actor.company_id,
        detail={"count": opt_outs.order_by().count()},
        ip_address=ip_address,
    )
    return _parts(opt_outs, language if language in HEADS else "pt", zone_of(actor.company_id))


def _parts(opt_outs: QuerySet[OptOut], language: str, zone: tzinfo) -> Iterator[bytes]:
    yield csv_head(HEADS[language])
    columns = ("pk", "contact_name", "canonical_number", "source", "campaign__name", "created_at")
    before: dict[str, int] = {}
    while rows := list(opt_outs.filter(**before).values_list(*columns)[:BATCH]):
        lines: list[list[Any]] = []
        for pk, name, number, source, campaign, created_at in rows:
            before = {"pk__lt": pk}
            lines.append(
                [
                    plain_cell(name or ""),
                    plain_cell(number),
                    SOURCES[language][OptOutSource(source)],
                    plain_cell(campaign or ""),
                    f"{created_at.astimezone(zone):%Y-%m-%d %H:%M:%S}",
                ]
            )
        yield csv_rows(lines)
