"""Putting due schedules into the outbox, each exactly once (rules/schedules §3).

A worker claims a due row. One transaction then writes the message, its delivery and the schedule's
new status. A worker that dies before the commit leaves an unsent row, whose lease expires; one that
dies after it leaves a row of the outbox. The outbox does the rest.
"""

import logging
from collections.abc import Sequence
from datetime import timedelta

from django.db import transaction
from django.utils import timezone

from apps.common.errors import DomainError, NotFound
from apps.common.leases import Claim, LeasedWork, retry_delay
from apps.common.media import open_media
from apps.common.reasons import Reason, ReasonCode
from apps.companies.queries import companies_that_send
from apps.connections.models import Connection
from apps.schedules import events
from apps.schedules.models import Schedule, ScheduleStatus
from apps.schedules.services.outcomes import fail
from apps.tickets.models import Ack, Message, MessageSource, Ticket
from apps.tickets.origins import Origin
from apps.tickets.services.messages.addressing import (
    check_window,
    latest_connection_of,
    ticket_for_sending,
)
from apps.tickets.services.outbox import (
    Content,
    captioned,
    send_again,
    texts_of,
    write_message,
)
from apps.tickets.services.outbox.variables import filled_in

logger = logging.getLogger(__name__)

SCHEDULES = LeasedWork(
    model=Schedule,
    lease_setting="SCHEDULE_LEASE_SECONDS",
    only="work.company_id IN (%(companies)s)",
    counts=False,
)
# After so many internal errors the schedule fails: they rarely go away by themselves.
MAX_ATTEMPTS = 8


class CannotSend(DomainError):
    """A schedule can't be sent."""


class NoConnectionLeft(CannotSend):
    """The contact's last connection is gone and the company has no default one."""

    code = "ERR_NO_DEF_WAPP_FOUND"
    message = "Não há conexão para enviar. Conecte um número e escolha-o como padrão."


class NoNumber(CannotSend):
    """The contact no longer has a number."""

    code = "ERR_WAPP_INVALID_CONTACT"
    message = "O contato não tem número. Informe um e envie novamente."


class FileGone(CannotSend):
    """The file is no longer in the media store."""

    code = "ERR_MEDIA_NOT_FOUND"
    message = "O arquivo do agendamento não está mais disponível. Anexe-o de novo."


class NothingToSay(CannotSend):
    """The text is empty once its variables are filled in."""

    code = "ERR_SCHEDULE_EMPTY"
    message = "A mensagem ficou vazia: as variáveis usadas não existem."


def send_due(*, limit: int) -> int:
    """Claim up to `limit` due schedules and put them into the outbox; returns their number.

    Never call it inside a transaction.
    """
    _settle_orphans()
    paying = companies_that_send(timezone.now()).values("pk")
    with SCHEDULES.claimed(limit, companies=paying) as claim:
        for schedule_id in claim.ids:
            try:
                _process(schedule_id, claim)
            except Exception:
                logger.exception("Schedule %s failed by a fault of our own", schedule_id)
                _postpone(schedule_id, claim)
        return len(claim.ids)


def _settle_orphans() -> None:
    """Fail schedules whose message was deleted before it was sent."""
    orphans = Schedule.objects.filter(status=ScheduleStatus.QUEUED, message=None)
    if not orphans.exists():
        return
    with transaction.atomic():
        for schedule in orphans.select_for_update(skip_locked=True, of=("self",)).select_related(
            "contact", "user"
        ):
            fail(
                schedule,
                "O atendimento foi excluído antes do envio.",
                code="ERR_NO_TICKET_FOUND",
                reason=Reason(ReasonCode.TICKET_DELETED),
            )


def _process(schedule_id: int, claim: Claim[Schedule]) -> None:
    """Send one claimed schedule, or record why it can't be sent."""
    planned = Schedule.objects.filter(pk=schedule_id).select_related("contact").first()
    if planned is None:
        return
    claim.begin(planned, MAX_ATTEMPTS)
    try:
        with transaction.atomic():
            _send(planned, claim)
    except _ClaimLost:
        return
    except DomainError as refusal:
        with transaction.atomic():
            schedule = _locked(schedule_id, claim)
            if schedule is not None:
                _give_up(claim, schedule, refusal)


def _send(planned: Schedule, claim: Claim[Schedule]) -> None:
    failed = _failed_message(planned)
    connection = failed.connection if failed else latest_connection_of(planned.contact)
    if connection is None:
        raise NoConnectionLeft
    _check(planned, connection)
    # Lock order, as everywhere: tickets before schedules. A schedule that is being changed or
    # deleted is skipped.
    if failed:
        ticket = Ticket.objects.select_for_update(no_key=True).get(pk=failed.ticket_id)
    else:
        ticket = ticket_for_sending(contact=planned.contact, connection=connection)
    schedule = _locked(planned.pk, claim)
    if schedule is None:
        raise _ClaimLost
    if failed:
        message = _sent_again(failed, ticket, connection)
    else:
        message = _write(schedule, ticket)
    _finish(claim, schedule, message, connection)


class _ClaimLost(Exception):
    """The schedule was changed, deleted or claimed by another worker: roll back."""


def _locked(schedule_id: int, claim: Claim[Schedule]) -> Schedule | None:
    return (
        claim.held(schedule_id)
        .select_for_update(of=("self",), skip_locked=True)
        .select_related("contact", "user")
        .first()
    )


def _failed_message(schedule: Schedule) -> Message | None:
    """Return the failed message to send again, if its connection still exists."""
    message = (
        Message.objects.filter(pk=schedule.message_id).select_related("connection").first()
        if schedule.message_id is not None
        else None
    )
    return message if message is not None and message.connection is not None else None


def _check(schedule: Schedule, connection: Connection) -> None:
    """Check that the schedule can be sent, before any row is written; raises DomainError."""
    if not schedule.contact.number:
        raise NoNumber
    check_window(contact=schedule.contact, connection=connection)
    if schedule.media_path:
        try:
            open_media(schedule.media_path).close()
        except NotFound as error:
            raise FileGone from error


def _sent_again(failed: Message, ticket: Ticket, connection: Connection) -> Message:
    message = Message.objects.select_for_update(no_key=True).get(pk=failed.pk)
    if message.ack != Ack.ERROR:
        return message  # somebody sent it again from the conversation
    return send_again(message=message, ticket=ticket, connection=connection)


def _write(schedule: Schedule, ticket: Ticket) -> Message:
    """Write the message into its conversation; raises NothingToSay."""
    body = filled_in(ticket, schedule.body).strip()
    if not body:
        raise NothingToSay
    contents: Sequence[Content] = texts_of(body)
    if schedule.media is not None:
        contents = captioned(schedule.media, body)
        schedule.is_media_shared = True
    written = [
        write_message(
            content,
            ticket=ticket,
            user=schedule.user,
            source=MessageSource.SCHEDULE,
            origin=Origin.SCHEDULE.of(schedule.pk),
        )
        for content in contents
    ]
    return written[-1]


def _finish(
    claim: Claim[Schedule], schedule: Schedule, message: Message, connection: Connection
) -> None:
    """Record that the message is in the outbox, or was sent already."""
    is_sent = message.ack >= Ack.SENT
    schedule.status = ScheduleStatus.SENT if is_sent else ScheduleStatus.QUEUED
    schedule.sent_at = timezone.now() if is_sent else None
    schedule.message, schedule.connection = message, connection
    schedule.save(update_fields=["status", "sent_at", "message", "connection", "is_media_shared"])
    claim.finish(schedule)
    events.schedule_updated(schedule)


def _give_up(claim: Claim[Schedule], schedule: Schedule, refusal: DomainError) -> None:
    claim.fail(schedule, refusal.sentence)
    fail(schedule, refusal.sentence, code=refusal.code, reason=Reason(refusal.code))


@transaction.atomic
def _postpone(schedule_id: int, claim: Claim[Schedule]) -> None:
    """Retry a schedule later after an internal error; after `MAX_ATTEMPTS` let it fail."""
    schedule = _locked(schedule_id, claim)
    if schedule is None:
        return
    fault = CannotSend("Erro interno ao enviar a mensagem.")
    if schedule.attempts >= MAX_ATTEMPTS:
        _give_up(claim, schedule, fault)
        return
    until = timezone.now() + timedelta(seconds=retry_delay(schedule.attempts))
    claim.retry_later(schedule, until, fault.sentence)
