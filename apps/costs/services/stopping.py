"""Stops automatic texts to save what they cost, and sends them again (rules/costs §7)."""

from typing import Any

from django.db import transaction
from django.utils import timezone

from apps.accounts.models import User
from apps.audit.services import record
from apps.common.errors import DomainError, NotFound
from apps.companies.services import change_setting
from apps.connections.services import change_texts, lock_company
from apps.costs.models import StoppedText
from apps.costs.queries.places import OFF, Place, PlaceKind, Places
from apps.queues.services.queues import update_queue
from apps.tickets.origins import is_stoppable


class TextNotSent(NotFound):
    """The company sends no such text, or has not stopped it."""

    code = "ERR_NO_AUTOMATIC_TEXT"
    message = "Este texto não é enviado, ou não foi parado por aqui."


class TextIsNeeded(DomainError):
    """A contact would not know how to go on without this text."""

    status = 409
    code = "ERR_AUTOMATIC_TEXT_NEEDED"
    message = "Este texto não pode ser parado: sem ele o contato não sabe como continuar."


def stop_text(*, actor: User, origin: str, ip_address: str | None = None) -> None:
    """Stop a text of the actor's company wherever it is set; what it said is kept.

    `origin` is as in the ledger. Raises TextIsNeeded for menus and answers, TextNotSent for what is
    set nowhere.
    """
    if not is_stoppable(origin):
        raise TextIsNeeded
    company_id: int = actor.company_id
    with transaction.atomic():
        lock_company(company_id)
        sent = [each for each in Places(company_id).of(origin) if each.is_sent]
        if not sent:
            raise TextNotSent
        for each in sent:
            _write(each, "", actor, ip_address)
        before = StoppedText.objects.for_company(company_id).filter(origin=origin).first()
        StoppedText.objects.update_or_create(
            company_id=company_id,
            origin=origin,
            defaults={"kept": _kept(sent, before), "stopped_at": timezone.now()},
        )
        _record("costs.text_stopped", actor, origin, sent, ip_address)


def resume_text(*, actor: User, origin: str, ip_address: str | None = None) -> None:
    """Send a stopped text again as it was; places that have another text by now keep that.

    Raises TextNotSent for a text that was not stopped.
    """
    company_id: int = actor.company_id
    with transaction.atomic():
        lock_company(company_id)
        stop = StoppedText.objects.for_company(company_id).filter(origin=origin).first()
        if stop is None:
            raise TextNotSent
        kept = {(each["kind"], each["id"]): each["text"] for each in stop.kept}
        empty = [
            each for each in Places(company_id).of(origin) if each.key in kept and not each.is_sent
        ]
        for each in empty:
            _write(each, kept[each.key], actor, ip_address)
        stop.delete()
        _record("costs.text_resumed", actor, origin, empty, ip_address)


def _write(place: Place, text: str, actor: User, ip_address: str | None) -> None:
    if place.kind == PlaceKind.SETTING:
        change_setting(company_id=actor.company_id, key=place.field, value=text or OFF)
    elif place.id is None:
        raise TypeError(place)
    elif place.kind == PlaceKind.QUEUE:
        update_queue(company_id=actor.company_id, queue_id=place.id, fields={place.field: text})
    else:
        change_texts(
            actor=actor,
            connection_id=place.id,
            texts={place.field: text},
            ip_address=ip_address,
        )


def _kept(sent: list[Place], before: StoppedText | None) -> list[dict[str, Any]]:
    """Return what to keep: the texts of now, and those kept earlier that nothing has replaced."""
    kept = [{"kind": each.kind.value, "id": each.id, "text": each.text} for each in sent]
    now = {each.key for each in sent}
    earlier = before.kept if before else []
    return [*kept, *(each for each in earlier if (each["kind"], each["id"]) not in now)]


def _record(
    action: str, actor: User, origin: str, places: list[Place], ip_address: str | None
) -> None:
    record(
        action=action,
        actor=actor,
        company_id=actor.company_id,
        detail={
            "origin": origin,
            "name": ", ".join(each.name for each in places if each.id is not None),
            "places": [{"kind": each.kind.value, "id": each.id} for each in places],
        },
        ip_address=ip_address,
    )
