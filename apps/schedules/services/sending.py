"""Handing due schedules over to the outbox, each exactly once (specification 4 §8).

A due row is claimed; then one transaction writes the conversation's message, its delivery and the
schedule's new status. A worker that dies before it leaves an unsent row, whose claim runs out; one
that dies after it leaves a row of the outbox. What follows is the outbox's work.
"""

import logging
from dataclasses import replace
from datetime import timedelta

from django.conf import settings
from django.db import transaction
from django.utils import timezone

from apps.common.claiming import WorkQueue, retry_delay
from apps.common.errors import DomainError, NotFound
from apps.common.media import StoredMedia, open_media
from apps.companies.queries import zone_of
from apps.connections.models import Connection
from apps.contacts.models import Contact
from apps.schedules import events
from apps.schedules.models import Schedule, ScheduleState, ScheduleStatus
from apps.schedules.services.outcomes import fail
from apps.tickets.models import Ack, MediaState, Message, MessageSource, Ticket
from apps.tickets.services.deliveries import long_overdue
from apps.tickets.services.landing import landing_ticket, latest_connection_of
from apps.tickets.services.messages import (
    WITHOUT_CAPTION,
    is_voice,
    media_type_of,
    send_again,
    store_outgoing,
)
from apps.tickets.services.notices import protocol_of
from apps.tickets.services.window import OutsideWindow, is_window_open
from apps.tickets.variables import render, variables_for

logger = logging.getLogger(__name__)

SCHEDULES = WorkQueue(
    model=Schedule,
    unfinished="NOT work.state = 'done'",
    claimable=(
        # A claim leaves the time as it is: both kinds stand at the index's beginning.
        "work.next_attempt_at <= %(now)s"
        " AND (work.state = 'waiting' OR work.lease_expires_at < %(now)s)"
        " AND work.company_id IN (SELECT company.id FROM companies_company AS company"
        " WHERE company.is_enabled AND (company.id = 1 OR company.due_date >= %(oldest)s)"
        " AND company.id NOT IN (%(stopped)s))"
    ),
    counts=True,
)
# A fault of our own won't heal by itself.
MAX_ATTEMPTS = 8


class CannotSend(DomainError):
    """Why a schedule can't go out."""


class NoConnectionLeft(CannotSend):
    """Neither the contact's last connection nor a default one."""

    code = "ERR_NO_DEF_WAPP_FOUND"
    message = "Não há conexão para enviar. Conecte um número e escolha-o como padrão."


class NoNumber(CannotSend):
    """The contact lost its number meanwhile."""

    code = "ERR_WAPP_INVALID_CONTACT"
    message = "O contato não tem número. Informe um e envie novamente."


class FileGone(CannotSend):
    """The store has no such file any more."""

    code = "ERR_MEDIA_NOT_FOUND"
    message = "O arquivo do agendamento não está mais disponível. Anexe-o de novo."


class NothingToSay(CannotSend):
    """Nothing is left of the text once its variables are filled in."""

    code = "ERR_SCHEDULE_EMPTY"
    message = "A mensagem ficou vazia: as variáveis usadas não existem."


def send_due(*, owner: str, limit: int) -> int:
    """Claim up to `limit` due schedules and hand them over; returns how many were claimed.

    Never call it inside a transaction.
    """
    _settle_orphans()
    oldest, stopped_ids = long_overdue()
    queue = replace(SCHEDULES, claimable=SCHEDULES.claimable.replace("%(stopped)s", stopped_ids))
    claim, ids = queue.claim(
        owner=owner,
        lease=timedelta(seconds=settings.SCHEDULE_LEASE_SECONDS),
        limit=limit,
        parameters={"oldest": oldest.isoformat()},
    )
    for schedule_id in ids:
        try:
            _hand_over(schedule_id, claim)
        except Exception:
            logger.exception("Schedule %s failed by a fault of our own", schedule_id)
            _postpone(schedule_id, claim)
    return len(ids)


def _settle_orphans() -> None:
    """Say of schedules whose message was deleted on its way that nothing was sent."""
    orphans = Schedule.objects.filter(status=ScheduleStatus.QUEUED, message=None)
    if not orphans.exists():
        return
    with transaction.atomic():
        for schedule in orphans.select_for_update(skip_locked=True, of=("self",)).select_related(
            "contact", "user"
        ):
            fail(
                schedule,
                code="ERR_NO_TICKET_FOUND",
                reason="O atendimento foi excluído antes do envio.",
            )


def _hand_over(schedule_id: int, claim: str) -> None:
    """Do one claimed schedule, or say why it can't be done."""
    try:
        with transaction.atomic():
            planned = Schedule.objects.filter(pk=schedule_id).select_related("contact").first()
            if planned is None:
                return
            failed = _failed_message(planned)
            if failed is not None:
                connection: Connection | None = failed.connection
            else:
                connection = latest_connection_of(planned.contact)
            refusal = _refusal(planned, connection)
            # Tickets are locked before schedules, as everywhere; one that somebody changes or
            # deletes right now is left to them.
            ticket: Ticket | None = None
            if refusal is None and connection is not None:
                ticket = (
                    _locked_ticket_of(failed)
                    if failed is not None
                    else landing_ticket(contact=planned.contact, connection=connection)
                )
            schedule = _locked(schedule_id, claim)
            if schedule is None:
                raise _NotOurs
            if refusal is not None or connection is None or ticket is None:
                _give_up(schedule, refusal or NoConnectionLeft())
            elif failed is not None:
                _finish(schedule, _sent_again(failed, ticket, connection), connection)
            else:
                _finish(schedule, _write(schedule, ticket, connection), connection)
    except _NotOurs:
        return
    except CannotSend as refusal:
        with transaction.atomic():
            schedule = _locked(schedule_id, claim)
            if schedule is not None:
                _give_up(schedule, refusal)


class _NotOurs(Exception):
    """Changed, deleted or taken over meanwhile: nothing of ours may stay."""


def _locked(schedule_id: int, claim: str) -> Schedule | None:
    return (
        Schedule.objects.select_for_update(of=("self",), skip_locked=True)
        .select_related("contact", "user")
        .filter(pk=schedule_id, owner=claim, state=ScheduleState.CLAIMED)
        .first()
    )


def _failed_message(schedule: Schedule) -> Message | None:
    """Return the message that failed and is tried again, where its connection still exists."""
    message = (
        Message.objects.filter(pk=schedule.message_id).select_related("connection").first()
        if schedule.message_id is not None
        else None
    )
    return message if message is not None and message.connection is not None else None


def _locked_ticket_of(message: Message) -> Ticket:
    return Ticket.objects.select_for_update(no_key=True).get(pk=message.ticket_id)


def _refusal(schedule: Schedule, connection: Connection | None) -> DomainError | None:
    """Return why nothing may be sent now, before anything is made of it."""
    contact = schedule.contact
    if connection is None:
        return NoConnectionLeft()
    if not contact.number:
        return NoNumber()
    if not is_window_open(_conversation(contact, connection), connection):
        return OutsideWindow()
    if schedule.media_path:
        try:
            open_media(schedule.media_path).close()
        except NotFound:
            return FileGone()
    return None


def _conversation(contact: Contact, connection: Connection) -> Ticket:
    # The window belongs to the conversation, whichever of its tickets; none has to exist.
    return Ticket(company_id=contact.company_id, contact=contact, connection=connection)


def _sent_again(failed: Message, ticket: Ticket, connection: Connection) -> Message:
    message = Message.objects.select_for_update(no_key=True).get(pk=failed.pk)
    if message.ack != Ack.ERROR:
        return message  # somebody sent it again from the conversation
    return send_again(message=message, ticket=ticket, connection=connection)


def _write(schedule: Schedule, ticket: Ticket, connection: Connection) -> Message:
    """Write the message into its conversation; raises NothingToSay."""
    now = timezone.now().astimezone(zone_of(schedule.company_id))
    values = variables_for(name=schedule.contact.name, protocol=protocol_of(ticket), now=now)
    body = render(schedule.body, values).strip()
    if not body:
        raise NothingToSay
    if not schedule.media_path:
        return _store(Message(body=body), schedule, ticket, connection)
    media = StoredMedia(
        path=schedule.media_path,
        name=schedule.media_name,
        mime=schedule.media_mime,
        size=schedule.media_size or 0,
    )
    kind = media_type_of(media)
    if kind in WITHOUT_CAPTION:
        _store(Message(body=body), schedule, ticket, connection)
        body = media.name
    message = Message(
        body=body,
        media_type=kind,
        media_state=MediaState.READY,
        media_path=media.path,
        media_name=media.name,
        media_mime=media.mime,
        media_size=media.size,
    )
    schedule.is_media_shared = True
    return _store(message, schedule, ticket, connection, is_voice=is_voice(media))


def _store(
    message: Message,
    schedule: Schedule,
    ticket: Ticket,
    connection: Connection,
    *,
    is_voice: bool = False,
) -> Message:
    return store_outgoing(
        message,
        ticket=ticket,
        connection=connection,
        user=schedule.user,
        source=MessageSource.SCHEDULE,
        payload={"voice": True} if is_voice else {},
    )


def _finish(schedule: Schedule, message: Message, connection: Connection) -> None:
    """Record that the outbox has it, or had it already."""
    is_sent = message.ack >= Ack.SENT
    schedule.status = ScheduleStatus.SENT if is_sent else ScheduleStatus.QUEUED
    schedule.sent_at = timezone.now() if is_sent else None
    schedule.message, schedule.connection = message, connection
    _release(schedule)
    schedule.save()
    events.schedule_updated(schedule)


def _give_up(schedule: Schedule, refusal: DomainError) -> None:
    _release(schedule)
    schedule.save(update_fields=["state", "owner", "lease_expires_at"])
    fail(schedule, code=refusal.code, reason=refusal.sentence)


def _release(schedule: Schedule) -> None:
    schedule.state = ScheduleState.DONE
    schedule.owner, schedule.lease_expires_at = "", None


@transaction.atomic
def _postpone(schedule_id: int, claim: str) -> None:
    """Leave a schedule for later after a fault of our own; after many, say that it failed."""
    schedule = _locked(schedule_id, claim)
    if schedule is None:
        return
    if schedule.attempts >= MAX_ATTEMPTS:
        _give_up(schedule, CannotSend("Erro interno ao enviar a mensagem."))
        return
    schedule.state = ScheduleState.WAITING
    schedule.owner, schedule.lease_expires_at = "", None
    schedule.next_attempt_at = timezone.now() + timedelta(seconds=retry_delay(schedule.attempts))
    schedule.save(update_fields=["state", "owner", "lease_expires_at", "next_attempt_at"])
