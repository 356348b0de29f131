from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from datetime import datetime, timedelta
from typing import Any

from django.core.files.uploadedfile import UploadedFile
from django.db import transaction
from django.utils import timezone

from apps.accounts.models import User
from apps.billing.services import require_feature, require_room
from apps.common.errors import DomainError, InvalidInput, NotFound
from apps.common.media import StoredMedia, delete_media, store_media
from apps.common.wakeups import wake
from apps.contacts.models import Contact
from apps.contacts.services import ContactNotFound
from apps.schedules import events
from apps.schedules.models import UNSENT, Schedule, ScheduleStatus
from apps.schedules.queries import schedules_for
from apps.tickets.queries.access import TicketNotFound, contacts_for, visible_to

# Minutes may pass between choosing 'now' in a dialog and saving it.
PAST_GRACE = timedelta(minutes=2)


class ScheduleNotFound(NotFound):
    """No such schedule in the company."""

    code = "ERR_NO_SCHEDULE_FOUND"
    message = "Agendamento não encontrado."


class ContactGone(InvalidInput):
    """The company has no such contact, or no longer."""

    code = ContactNotFound.code
    message = ContactNotFound.message


class ContactWithoutNumber(InvalidInput):
    """The contact has no number to send to."""

    code = "ERR_CONTACT_WITHOUT_NUMBER"
    message = "Este contato não tem número. Informe um antes de agendar a mensagem."


class ScheduleInPast(DomainError):
    """The time to send at is in the past."""

    code = "ERR_SCHEDULE_IN_PAST"
    message = "Este horário já passou. Escolha um horário no futuro."


class ScheduleAlreadySent(DomainError):
    status = 409
    code = "ERR_SCHEDULE_ALREADY_SENT"
    message = "Esta mensagem já foi enviada e não pode mais ser alterada."


class ScheduleBeingSent(DomainError):
    """A worker has claimed the schedule, or its message is in the outbox."""

    status = 409
    code = "ERR_SCHEDULE_BEING_SENT"
    message = "Esta mensagem está sendo enviada neste momento. Aguarde o resultado."


class ScheduleNotFailed(DomainError):
    """Only a failed schedule can be sent again."""

    status = 409
    code = "ERR_SCHEDULE_NOT_FAILED"
    message = "Só um agendamento com erro de envio pode ser enviado novamente."


def get_schedule(*, user: User, schedule_id: int) -> Schedule:
    """Return a schedule that the user may see, with contact and user; raises ScheduleNotFound."""
    found = schedules_for(user).filter(pk=schedule_id).first()
    if found is None:
        raise ScheduleNotFound
    return found


def create_schedule(
    *, user: User, fields: Mapping[str, Any], file: UploadedFile[Any] | None = None
) -> Schedule:
    """Schedule a message (`contact_id`, `body`, `send_at`, optionally `ticket_id`), with its file.

    Raises InvalidInput for a ticket that the user can't see or that is another contact's,
    ContactGone, ContactWithoutNumber, ScheduleInPast, PlanLimitReached, PlanFeatureMissing,
    MediaTooLarge, MediaTypeRefused.
    """
    with _stored(user.company_id, file) as media, transaction.atomic():
        return _create(user, fields, media)


def _create(user: User, fields: Mapping[str, Any], media: StoredMedia | None) -> Schedule:
    company_id = user.company_id
    contact = _contact(user, fields["contact_id"])
    _check_ticket(user, contact.pk, fields.get("ticket_id"))
    _check_time(fields["send_at"])
    _require_room(company_id)
    schedule = Schedule(
        company_id=company_id,
        contact=contact,
        user=user.person,
        ticket_id=fields.get("ticket_id"),
        body=fields["body"],
        send_at=fields["send_at"],
        next_attempt_at=fields["send_at"],
    )
    if media is not None:
        _put_media(schedule, media)
    schedule.save()
    events.schedule_created(schedule)
    _wake_if_due(schedule.send_at)
    return schedule


def update_schedule(
    *,
    user: User,
    schedule_id: int,
    changes: Mapping[str, Any],
    file: UploadedFile[Any] | None = None,
) -> Schedule:
    """Change an unsent schedule, or schedule a failed one again. Omitted fields do not change.

    Raises ScheduleNotFound, ScheduleAlreadySent, ScheduleBeingSent and what `create_schedule`
    raises.
    """
    with _stored(user.company_id, file) as media, transaction.atomic():
        return _update(user, schedule_id, changes, media)


def _update(
    user: User, schedule_id: int, changes: Mapping[str, Any], media: StoredMedia | None
) -> Schedule:
    schedule = _changeable(user, schedule_id)
    if changes.get("contact_id", schedule.contact_id) != schedule.contact_id:
        schedule.contact = _contact(user, changes["contact_id"])
        schedule.ticket = None  # it was the other contact's
    if changes.get("ticket_id") is not None and changes["ticket_id"] != schedule.ticket_id:
        _check_ticket(user, schedule.contact_id, changes["ticket_id"])
        schedule.ticket_id = changes["ticket_id"]
    send_at = changes.get("send_at", schedule.send_at)
    has_failed = schedule.status == ScheduleStatus.ERROR
    # An unchanged time is not checked: it may be past because the company is overdue.
    if has_failed or send_at != schedule.send_at:
        _check_time(send_at)
    schedule.send_at = send_at
    schedule.body = changes.get("body", schedule.body)
    require_feature(company_id=user.company_id, feature="schedules")
    if has_failed:
        # The failed message stays in the conversation; the next attempt writes another one.
        schedule.message = None
        _require_room(user.company_id)
    if media is not None:
        _put_media(schedule, media)
    _arm(schedule, at=send_at)
    return schedule


@transaction.atomic
def retry_schedule(*, user: User, schedule_id: int) -> Schedule:
    """Send a failed schedule again now, reusing the failed message if its connection still exists.

    Raises ScheduleNotFound, ScheduleNotFailed, PlanLimitReached, PlanFeatureMissing.
    """
    schedule = _locked(user, schedule_id)
    if schedule.status != ScheduleStatus.ERROR:
        raise ScheduleNotFailed
    _require_room(user.company_id)
    _arm(schedule, at=timezone.now())
    return schedule


@transaction.atomic
def delete_schedule(*, user: User, schedule_id: int) -> None:
    """Delete a schedule; a sent message stays in its conversation.

    Raises ScheduleNotFound and, while it is being sent, ScheduleBeingSent.
    """
    schedule = _locked(user, schedule_id)
    _check_not_on_its_way(schedule)
    _forget_file(schedule)
    schedule.delete()
    events.schedule_deleted(company_id=user.company_id, schedule_id=schedule_id)


def attach_media(*, user: User, schedule_id: int, file: UploadedFile[Any]) -> Schedule:
    """Give a schedule a file, replacing the one it has.

    Raises ScheduleNotFound, ScheduleAlreadySent, ScheduleBeingSent, MediaTooLarge,
    MediaTypeRefused.
    """
    _check_changeable(get_schedule(user=user, schedule_id=schedule_id))
    with _stored(user.company_id, file) as media, transaction.atomic():
        schedule = _changeable(user, schedule_id)
        if media is not None:
            _put_media(schedule, media)
        _save_media(schedule)
    return schedule


@transaction.atomic
def remove_media(*, user: User, schedule_id: int) -> Schedule:
    """Remove a schedule's file, if it has one.

    Raises ScheduleNotFound, ScheduleAlreadySent, ScheduleBeingSent.
    """
    schedule = _changeable(user, schedule_id)
    if schedule.media_path:
        _forget_file(schedule)
        schedule.put_media(None)
        schedule.is_media_shared = False
        _save_media(schedule)
    return schedule


@contextmanager
def _stored(company_id: int, file: UploadedFile[Any] | None) -> Iterator[StoredMedia | None]:
    """Store a file, if one is given; an error inside the block deletes it again."""
    if file is None:
        yield None
        return
    media = store_media(
        company_id=company_id, content=file, name=file.name or "", mime=file.content_type or ""
    )
    try:
        yield media
    except BaseException:
        delete_media(media.path)
        raise


def _put_media(schedule: Schedule, media: StoredMedia) -> None:
    """Set the schedule's file, replacing the one it has; the caller saves."""
    _forget_file(schedule)
    schedule.put_media(media)
    schedule.is_media_shared = False


def _locked(user: User, schedule_id: int) -> Schedule:
    found = schedules_for(user).select_for_update(of=("self",))
    schedule = found.filter(pk=schedule_id).first()
    if schedule is None:
        raise ScheduleNotFound
    return schedule


def _changeable(user: User, schedule_id: int) -> Schedule:
    schedule = _locked(user, schedule_id)
    _check_changeable(schedule)
    return schedule


def _check_changeable(schedule: Schedule) -> None:
    if schedule.status == ScheduleStatus.SENT:
        raise ScheduleAlreadySent
    _check_not_on_its_way(schedule)


def _check_not_on_its_way(schedule: Schedule) -> None:
    if schedule.status == ScheduleStatus.QUEUED or schedule.is_held:
        raise ScheduleBeingSent


def _contact(user: User, contact_id: int) -> Contact:
    contact = contacts_for(user).filter(pk=contact_id).first()
    if contact is None:
        raise ContactGone(fields={"contactId": [ContactGone.message]})
    if not contact.number:
        raise ContactWithoutNumber(fields={"contactId": [ContactWithoutNumber.message]})
    return contact


def _check_ticket(user: User, contact_id: int, ticket_id: int | None) -> None:
    if ticket_id is None:
        return
    if not visible_to(user).filter(pk=ticket_id, contact=contact_id).exists():
        sentence = TicketNotFound.message
        raise InvalidInput(sentence, fields={"ticketId": [sentence]}, rule="does_not_exist")


def _check_time(send_at: datetime) -> None:
    if send_at < timezone.now() - PAST_GRACE:
        raise ScheduleInPast(fields={"sendAt": [ScheduleInPast.message]})


def _require_room(company_id: int) -> None:
    require_feature(company_id=company_id, feature="schedules")
    rows = Schedule.objects.for_company(company_id).unsent()
    require_room(company_id=company_id, resource="schedules", rows=rows)


def _arm(schedule: Schedule, *, at: datetime) -> None:
    schedule.status = ScheduleStatus.PENDING
    schedule.sent_at = None
    schedule.error_code = schedule.error_reason = ""
    schedule.reason_code = schedule.reason_detail = ""
    schedule.save()
    Schedule.objects.filter(pk=schedule.pk).start_over(at)
    events.schedule_updated(schedule)
    _wake_if_due(at)


def _wake_if_due(at: datetime) -> None:
    if at <= timezone.now():
        wake("schedules.send")


def _save_media(schedule: Schedule) -> None:
    names = ["media_path", "media_name", "media_mime", "media_size", "is_media_shared"]
    if schedule.status not in UNSENT and schedule.message_id is not None:
        # With another file a new message is written; the failed message keeps its own file.
        schedule.message = None
        names.append("message")
    schedule.save(update_fields=names)
    events.schedule_updated(schedule)


def _forget_file(schedule: Schedule) -> None:
    path = schedule.media_path
    if path and not schedule.is_media_shared:
        transaction.on_commit(lambda: delete_media(path), robust=True)
