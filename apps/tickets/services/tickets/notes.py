"""Notes in a conversation, for the team alone, and who is mentioned (rules/tickets §16).

A note is a line of the ticket's activity. Whoever reads the conversation therefore gets it with its
page, and nothing sends it: the outbox knows messages only.
"""

from collections.abc import Collection, Iterable, Sequence
from datetime import timedelta
from typing import Any
from uuid import UUID

from django.db import IntegrityError, transaction
from django.utils import timezone

from apps.accounts.models import User, UserQueue
from apps.accounts.permissions import Permission
from apps.common.errors import DomainError, InvalidInput, NoPermission
from apps.queues.models import Queue
from apps.tickets import events
from apps.tickets.models import NoteMention, Ticket, TicketActivity, TicketActivityKind
from apps.tickets.queries.access import (
    TicketNotFound,
    readable_ticket,
    readers_of,
    visible_to,
)
from apps.tickets.queries.finding import NoteNotFound
from apps.tickets.services.tickets.following import tell_of_change

MAX_MENTIONS = 100
MAX_AGE = timedelta(days=90)


class MentionNotReadable(DomainError):
    """Somebody is mentioned who may not read the conversation; the sentence names them."""

    code = "ERR_MENTION_NOT_READABLE"
    message = "Quem você mencionou não pode ler esta conversa."


def write_note(
    *,
    user: User,
    ticket_id: int,
    text: str,
    user_ids: Sequence[int] = (),
    queue_ids: Sequence[int] = (),
    client_id: UUID | None = None,
) -> TicketActivity:
    """Write a note in a conversation, and tell whom it mentions.

    The same `client_id` of the user again returns the stored note: the answer was lost. Anybody who
    may read the ticket writes notes, whatever its status. Raises TicketNotFound,
    TicketNotReadable, MentionNotReadable, and InvalidInput for a user or queue that the company
    does not have.
    """
    ticket = readable_ticket(user, pk=ticket_id)
    try:
        with transaction.atomic():
            if client_id is not None and (known := _written(ticket, user, client_id)):
                return known
            mentioned, readers = _mentioned(ticket, set(user_ids), set(queue_ids))
            note = TicketActivity.objects.create(
                ticket=ticket,
                kind=TicketActivityKind.NOTED,
                actor=user.person,
                detail={
                    **{"actor": user.name, "note": text.strip(), "mentions": mentioned},
                    **({"clientId": str(client_id)} if client_id else {}),
                },
            )
            told = [each for each in readers if each != user.pk]
            mentions = NoteMention.objects.bulk_create(
                NoteMention(
                    company_id=ticket.company_id,
                    user_id=each,
                    ticket=ticket,
                    note=note,
                    message_id=ticket.latest_message_id,
                )
                for each in told
            )
            events.note_written(ticket, note)
            events.mentioned(mentions)
            tell_of_change(ticket, note)
    except IntegrityError:
        # The ticket was deleted after it was read.
        raise TicketNotFound from None
    return note


def _written(ticket: Ticket, user: User, client_id: UUID) -> TicketActivity | None:
    """Return the user's note that is stored with this id; until the commit no other is written."""
    list(Ticket.objects.select_for_update(no_key=True).filter(pk=ticket.pk).values_list("pk"))
    notes = TicketActivity.objects.filter(ticket=ticket, kind=TicketActivityKind.NOTED)
    return notes.filter(actor=user.person, detail__clientId=str(client_id)).first()


def add_note(ticket: Ticket, text: str, *, by: str, name: str) -> TicketActivity:
    """Write a note that no person wrote; `by` says what did, and `name` which one of them."""
    note = TicketActivity.objects.create(
        ticket=ticket,
        kind=TicketActivityKind.NOTED,
        detail={"actor": name, "by": by, "note": text.strip(), "mentions": []},
    )
    events.note_written(ticket, note)
    tell_of_change(ticket, note)
    return note


def delete_note(*, user: User, ticket_id: int, note_id: int) -> None:
    """Delete the user's own note; with `tickets:delete` any.

    Raises TicketNotFound, TicketNotReadable, NoteNotFound and NoPermission.
    """
    ticket = readable_ticket(user, pk=ticket_id)
    with transaction.atomic():
        notes = TicketActivity.objects.filter(ticket=ticket, kind=TicketActivityKind.NOTED)
        note = notes.select_for_update().filter(pk=note_id).first()
        if note is None:
            raise NoteNotFound
        is_own = user.person is not None and note.actor_id == user.pk
        if not (is_own or user.may(Permission.DELETE_TICKETS)):
            raise NoPermission("Só quem escreveu a nota ou um administrador pode excluí-la.")
        told = list(note.mentions.values_list("user_id", flat=True))
        note.delete()
        events.note_deleted(ticket, note_id, told)


def mentions_of(user: User) -> list[NoteMention]:
    """Return the user's mentions of the last 90 days in tickets that they may read, newest
    first.
    """
    own = NoteMention.objects.for_company(user.company_id).filter(
        user=user.pk, created_at__gt=timezone.now() - MAX_AGE
    )
    own = own.filter(ticket__in=visible_to(user)).select_related("note")
    return list(own.order_by("-pk")[:MAX_MENTIONS])


def see_mentions(*, user: User, ticket_id: int) -> None:
    """Note that the user has opened the conversation in which they were mentioned.

    Raises TicketNotFound and TicketNotReadable.
    """
    ticket = readable_ticket(user, pk=ticket_id)
    own = NoteMention.objects.for_company(user.company_id).filter(user=user.pk, ticket=ticket)
    with transaction.atomic():
        if own.filter(seen_at=None).update(seen_at=timezone.now()):
            events.mentions_seen(ticket, user.pk)


def _mentioned(
    ticket: Ticket, user_ids: Collection[int], queue_ids: Collection[int]
) -> tuple[list[dict[str, Any]], list[int]]:
    """Return who is mentioned as the note keeps it, and the ids of the users to tell."""
    if not user_ids and not queue_ids:
        return [], []
    users = _named(User, ticket.company_id, user_ids, "userIds")
    queues = _named(Queue, ticket.company_id, queue_ids, "queueIds")
    members = dict.fromkeys(queue_ids, frozenset[int]())
    links = UserQueue.objects.filter(queue__in=queue_ids).values_list("queue_id", "user_id")
    for queue_id, user_id in links:
        members[queue_id] |= {user_id}
    readers = set(
        readers_of(ticket)
        .filter(pk__in={*user_ids, *(each for ids in members.values() for each in ids)})
        .values_list("pk", flat=True)
    )
    strangers = [name for pk, name in users.items() if pk not in readers]
    strangers += [queues[pk] for pk, ids in members.items() if not ids & readers]
    if strangers:
        raise MentionNotReadable(_sentence(strangers))
    kept = [{"kind": "user", "name": name} for name in users.values()]
    kept += [{"kind": "queue", "name": name} for name in queues.values()]
    return kept, sorted(readers)


def _named(model: Any, company_id: int, ids: Collection[int], field: str) -> dict[int, str]:
    """Return the names of the company's rows by id; raises InvalidInput if one is missing."""
    if not ids:
        return {}
    rows = model.objects.for_company(company_id).filter(pk__in=ids).order_by("name", "pk")
    found = dict(rows.values_list("pk", "name"))
    if len(found) < len(ids):
        sentence = "Quem foi mencionado não existe mais."
        raise InvalidInput(sentence, fields={field: [sentence]}, rule="does_not_exist")
    return found


def _sentence(names: Iterable[str]) -> str:
    return f"{', '.join(names)}: não pode ler esta conversa, e por isso não dá para mencionar aqui."
