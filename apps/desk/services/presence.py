"""Who is there: chosen by people, ended by closed browsers and by the clock (rules/desk §5).

Lock order: a seat before its ticks.
"""

import logging
from collections.abc import Callable, Iterable
from datetime import datetime, timedelta

from django.db import transaction
from django.utils import timezone

from apps.accounts.models import User
from apps.common.errors import DomainError, InvalidInput, NotFound
from apps.desk import events
from apps.desk.decisions.assignment import OfflineAction, Presence
from apps.desk.models import (
    AssignmentPolicy,
    PauseReason,
    PresencePeriod,
    Seat,
    TickKind,
)
from apps.desk.services import ticks
from apps.desk.services.known import known
from apps.tickets.services.tickets.snoozing import Holder

logger = logging.getLogger(__name__)

# A connected browser is known for so long; processes say so every 20 seconds
# (apps/realtime/attendance.py).
SEEN_FOR = timedelta(seconds=60)
# How long somebody without a queue of their own may be away.
DEFAULT_GRACE = timedelta(minutes=5)


class PersonNotFound(NotFound):
    code = "ERR_NO_USER_FOUND"
    message = "Usuário não encontrado."


class AssignmentOff(DomainError):
    """The company distributes nothing, so there is no presence to choose."""

    status = 409
    code = "ERR_ASSIGNMENT_OFF"
    message = "A distribuição automática está desligada nesta empresa."


def locked_seat(*, company_id: int, user_id: int) -> Seat:
    """Return a person's seat, locked until commit; made if it is missing. Raises PersonNotFound."""
    seats = Seat.objects.for_company(company_id).select_for_update(no_key=True)
    seat = seats.filter(user=user_id).first()
    if seat is None:
        if not User.objects.for_company(company_id).filter(pk=user_id).exists():
            raise PersonNotFound
        Seat.objects.bulk_create(
            [Seat(user_id=user_id, company_id=company_id)], ignore_conflicts=True
        )
        seat = seats.get(user=user_id)
    return seat


def choose_presence(
    *,
    company_id: int,
    user_id: int,
    presence: Presence,
    reason_id: int | None = None,
    minutes: int | None = None,
) -> Seat:
    """Set how a person is present, as that person or a supervisor chose.

    A pause needs its minutes, and a reason where the company has any. Raises AssignmentOff,
    PersonNotFound and InvalidInput.
    """
    if not known.is_on(company_id):
        raise AssignmentOff
    now = timezone.now()
    reason, until = "", None
    if presence == Presence.PAUSED:
        reason = _reason(company_id, reason_id)
        if minutes is None:
            sentence = "Informe quantos minutos dura a pausa."
            raise InvalidInput(sentence, fields={"minutes": [sentence]}, rule="required")
        until = now + timedelta(minutes=minutes)
    elif reason_id is not None or minutes is not None:
        sentence = "Só uma pausa tem motivo e fim."
        raise InvalidInput(sentence, fields={"presence": [sentence]}, rule="invalid")
    with transaction.atomic():
        seat = locked_seat(company_id=company_id, user_id=user_id)
        _set(seat, presence, now, reason=reason, until=until)
        return seat


def _reason(company_id: int, reason_id: int | None) -> str:
    reasons = PauseReason.objects.for_company(company_id)
    if reason_id is not None:
        found = reasons.filter(pk=reason_id).first()
        if found is None:
            sentence = "Este motivo não existe."
            raise InvalidInput(sentence, fields={"reasonId": [sentence]}, rule="does_not_exist")
        return found.name
    if reasons.exists():
        sentence = "Escolha o motivo da pausa."
        raise InvalidInput(sentence, fields={"reasonId": [sentence]}, rule="required")
    return ""


def _set(
    seat: Seat,
    presence: Presence,
    now: datetime,
    *,
    reason: str = "",
    until: datetime | None = None,
    is_away: bool = False,
) -> None:
    """Change a locked seat's presence, with its timeline, its ticks and the event."""
    is_same = (seat.presence, seat.reason, seat.until) == (presence, reason, until)
    if is_same and seat.is_away == is_away:
        return
    was_online = seat.presence == Presence.ONLINE
    if seat.presence != presence or seat.reason != reason:
        seat.since = now
        present = PresencePeriod.objects.filter(user=seat.user_id, ended_at=None)
        present.update(ended_at=now)
        PresencePeriod.objects.create(
            company_id=seat.company_id,
            user_id=seat.user_id,
            presence=presence,
            reason=reason,
            started_at=now,
        )
    seat.presence, seat.reason, seat.until, seat.is_away = presence, reason, until, is_away
    seat.save(update_fields=["presence", "reason", "until", "is_away", "since"])
    ids = {"company_id": seat.company_id, "user_id": seat.user_id}
    if until is not None:
        ticks.plan(TickKind.PAUSE, until, **ids)
    else:
        ticks.cancel([TickKind.PAUSE], [seat.user_id])
    if presence == Presence.OFFLINE:
        ticks.cancel([TickKind.SEEN], [seat.user_id])
        if graces := _graces(seat, action=OfflineAction.RETURN):
            ticks.plan(TickKind.LEAVE, seat.gone_at + min(graces), **ids)
    else:
        ticks.cancel([TickKind.LEAVE], [seat.user_id])
        _plan_seen(seat)
    if presence == Presence.ONLINE and not was_online:
        ticks.give_for(seat.company_id, [seat.user_id])
    events.presence_changed(seat)


def _graces(seat: Seat, *, action: OfflineAction | None = None) -> list[timedelta]:
    """Return the graces of the person's queues, or of all queues with an action."""
    policies = AssignmentPolicy.objects.for_company(seat.company_id)
    if action is not None:
        return [each.rules.grace for each in policies.filter(offline_action=action)]
    return [each.rules.grace for each in policies.filter(queue__users=seat.user_id)]


def browsers_came(people: Iterable[tuple[int, int]]) -> None:
    """Take in that browsers of these people (company and user) are open from now on.

    Whom a closed browser had set to offline is online again.
    """
    _one_by_one(people, _came)


def _one_by_one(people: Iterable[tuple[int, int]], take_in: Callable[[int, int], None]) -> None:
    """Take in people, each in a transaction; one that fails does not keep back the others."""
    for company_id, user_id in sorted(people):
        try:
            if known.is_on(company_id):
                with transaction.atomic():
                    take_in(company_id, user_id)
        except Exception:  # who is still there is told again
            logger.exception("The browser of user %s could not be taken in", user_id)


def _came(company_id: int, user_id: int) -> None:
    now = timezone.now()
    try:
        seat = locked_seat(company_id=company_id, user_id=user_id)
    except PersonNotFound:  # deleted since
        return
    was_connected = seat.is_connected(now)
    seat.seen_until = now + SEEN_FOR
    seat.save(update_fields=["seen_until"])
    if seat.presence == Presence.OFFLINE and seat.is_away:
        _set(seat, Presence.ONLINE, now)
        return
    _plan_seen(seat)
    if seat.presence == Presence.ONLINE and not was_connected:
        ticks.give_for(company_id, [user_id])


def browsers_stay(people: Iterable[tuple[int, int]]) -> None:
    """Take in that browsers of these people are still open, also if that was not known."""
    now = timezone.now()
    present = [each for each in people if known.is_on(each[0])]
    if not present:
        return
    seen = Seat.objects.filter(user__in=[pk for _, pk in present], seen_until__gt=now)
    with transaction.atomic():
        # Many at once: it waits for nobody who holds one of them.
        free = seen.order_by("user_id").select_for_update(no_key=True, skip_locked=True)
        ids = set(free.values_list("user_id", flat=True))
        Seat.objects.filter(user__in=ids).update(seen_until=now + SEEN_FOR)
    browsers_came([each for each in present if each[1] not in ids])


def browsers_went(people: Iterable[tuple[int, int]]) -> None:
    """Take in that the last browsers of these people in a process were closed.

    Nothing more is given to them, and after the grace they are offline, unless another process
    says meanwhile that it has one.
    """
    _one_by_one(people, _went)


def _went(company_id: int, user_id: int) -> None:
    seats = Seat.objects.for_company(company_id).select_for_update(no_key=True)
    seat = seats.filter(user=user_id).first()
    if seat is not None:
        seat.seen_until = timezone.now()
        seat.save(update_fields=["seen_until"])
        _plan_seen(seat)


def _plan_seen(seat: Seat) -> None:
    """Have a locked seat looked at when its browser has been closed for the grace."""
    if seat.presence != Presence.OFFLINE:
        grace = min(_graces(seat), default=DEFAULT_GRACE)
        ids = {"company_id": seat.company_id, "user_id": seat.user_id}
        ticks.plan(TickKind.SEEN, (seat.seen_until or seat.since) + grace, **ids)


def look_for(seat: Seat) -> None:
    """Set a locked seat to offline if its browser has been closed for the grace."""
    now = timezone.now()
    grace = min(_graces(seat), default=DEFAULT_GRACE)
    if seat.presence == Presence.OFFLINE:
        return
    if (seat.seen_until or seat.since) + grace > now:
        _plan_seen(seat)
    else:
        _set(seat, Presence.OFFLINE, now, is_away=True)


def leave_all(company_id: int) -> None:
    """Set everybody of a company to offline, until a browser of theirs is heard of again."""
    present = Seat.objects.for_company(company_id).exclude(presence=Presence.OFFLINE)
    for pk in list(present.values_list("pk", flat=True)):
        with transaction.atomic():
            seat = Seat.objects.select_for_update(no_key=True).filter(pk=pk).first()
            if seat is not None:
                _set(seat, Presence.OFFLINE, timezone.now(), is_away=True)


def note_holder(holder: Holder) -> None:
    """Correct whether the holder of a ticket that wakes is away: who pauses is not."""
    if known.is_on(holder.company_id):
        present = Seat.objects.filter(user=holder.user_id).exclude(presence=Presence.OFFLINE)
        holder.is_away = not present.exists()


def end_pause(seat: Seat) -> None:
    """End a locked seat's pause: online again, or offline where no browser is open."""
    now = timezone.now()
    if seat.presence != Presence.PAUSED or seat.until is None or seat.until > now:
        return
    if seat.is_connected(now):
        _set(seat, Presence.ONLINE, now)
    else:
        _set(seat, Presence.OFFLINE, now, is_away=True)
