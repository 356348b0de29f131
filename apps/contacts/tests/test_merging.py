"""Merging two contacts by hand, and taking it back (rules/contacts §10)."""

import random
import threading
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.db import IntegrityError, OperationalError, connections, transaction
from django.db.models import F, ForeignObjectRel
from django.utils import timezone

from apps.accounts.models import User
from apps.audit.models import AuditEntry
from apps.automation.models import WebhookDelivery
from apps.companies.models import Company
from apps.connections.models import Connection
from apps.connections.providers.inbound import InboundMessage
from apps.contacts.models import Contact, ContactField, ContactMerge, ContactPicture, TicketNote
from apps.contacts.services import (
    ContactNotFound,
    delete_contact,
    forget_merges,
    merge_by_hand,
    undo_merge,
    upsert_contact,
)
from apps.contacts.services.merging import MergeAlreadyUndone
from apps.contacts.services.moving import Merged
from apps.schedules.models import Schedule
from apps.tickets.models import Delivery, Message, MessageReaction, PollVote, Ticket, TrackingCycle
from apps.tickets.services.receiving.messages import receive_message
from conftest import ClientFor
from tests.factories import (
    make_connection,
    make_contact,
    make_message,
    make_schedule,
    make_tag,
    make_ticket,
    make_webhook,
    make_webhook_delivery,
)

pytestmark = pytest.mark.django_db
REFERRING: tuple[tuple[Any, str], ...] = (
    (Ticket, "contact"),
    (Message, "contact"),
    (Message, "participant"),
    (MessageReaction, "sender"),
    (PollVote, "sender"),
    (Delivery, "contact"),
    (Schedule, "contact"),
    (WebhookDelivery, "contact"),
    (ContactField, "contact"),
    (TicketNote, "contact"),
    (ContactMerge, "contact"),
)
FIELDS = ("name", "number", "canonical_number", "lid", "user_id", "username", "email", "created_at")


@pytest.fixture
def keep(acme: Company) -> Contact:
    return make_contact(acme, name="Ana Souza")


@pytest.fixture
def gone(acme: Company) -> Contact:
    return make_contact(acme, name="Ana", email="ana@example.com", username="ana", user_id="BR.1")


def rows_of(contact_id: int) -> dict[str, list[int]]:
    """Return what refers to a contact, by model and field."""
    return {
        f"{model.__name__}.{field}": sorted(
            model._default_manager.filter(**{field: contact_id}).values_list("pk", flat=True)
        )
        for model, field in REFERRING
    }


def fields_of(contact_id: int) -> list[Any]:
    row = Contact.objects.get(pk=contact_id)
    return [getattr(row, name) for name in FIELDS]


def merge(client: Any, keep: Contact, gone: Contact) -> Any:
    return client.post(f"/api/contacts/{keep.pk}/merge", {"contactId": gone.pk}, format="json")


def strayed_cycles() -> bool:
    """Tell whether a cycle has another contact than its ticket."""
    return TrackingCycle.objects.exclude(contact=F("ticket__contact")).exists()


def undo(client: Any, merge_id: int) -> Any:
    return client.post(f"/api/contacts/merges/{merge_id}/undo")


def live_on(contact: Contact, connection: Connection) -> list[int]:
    live = Ticket.objects.filter(contact=contact, connection=connection)
    return list(live.exclude(status="closed").values_list("pk", flat=True))


def test_all_that_refers_to_a_contact_is_among_what_moves() -> None:
    referring = {
        (relation.related_model, relation.field.name)
        for relation in Contact._meta.get_fields(include_hidden=True)
        if isinstance(relation, ForeignObjectRel)
    }
    # The looks at its picture end with the contact: the survivor has its own. Cycles follow their
    # tickets, which may begin new ones.
    assert referring == {*REFERRING, (ContactPicture, "contact"), (TrackingCycle, "contact")}


def test_the_survivor_keeps_its_name_and_gets_what_it_lacks(
    client_for: ClientFor, admin: User, keep: Contact, gone: Contact, events: list[dict[str, Any]]
) -> None:
    ContactField.objects.create(contact=gone, name="CPF", value="123")
    number = gone.number
    answer = merge(client_for(admin), keep, gone)
    assert answer.status_code == 200, answer.content
    row, told = answer.json()["contact"], answer.json()["merge"]
    assert (row["name"], row["number"]) == ("Ana Souza", keep.number)
    assert (row["email"], row["username"], row["userId"]) == ("ana@example.com", "ana", "BR.1")
    lines = [(line["name"], line["value"]) for line in row["extraInfo"]]
    assert lines == [("CPF", "123"), ("Outro número", number)]
    assert (told["contactId"], told["name"], told["number"]) == (keep.pk, "Ana", number)
    assert told["user"] == {"id": admin.pk, "name": admin.name}
    assert not Contact.objects.filter(pk=gone.pk).exists()
    assert [event["payload"]["action"] for event in events] == ["delete", "update"]
    entry = AuditEntry.objects.get(action="contact.merged")
    assert (entry.object_id, entry.detail["otherName"]) == (str(keep.pk), "Ana")


def test_who_has_no_number_gets_the_others(
    client_for: ClientFor, admin: User, acme: Company, gone: Contact
) -> None:
    unnumbered = make_contact(acme, number="77@lid", canonical_number="lid:77", lid="77")
    answer = merge(client_for(admin), unnumbered, gone)
    row = answer.json()["contact"]
    assert (row["number"], row["userId"], row["extraInfo"]) == (gone.number, "BR.1", [])
    assert fields_of(unnumbered.pk)[3] == "77"
    assert upsert_contact(company_id=acme.pk, number=gone.number).pk == unnumbered.pk
    assert undo(client_for(admin), answer.json()["merge"]["id"]).status_code == 200
    assert fields_of(unnumbered.pk)[1:5] == ["77@lid", "lid:77", "77", None]
    assert fields_of(gone.pk)[1:5] == [gone.number, gone.number, None, "BR.1"]


def furnish(acme: Company, contact: Contact, dice: random.Random, lines: list[Connection]) -> None:
    """Give a contact tickets, messages and all else that may refer to it."""
    for line in lines:
        for status in ["closed"] * dice.randrange(3) + ["open"] * dice.randrange(2):
            ticket = make_ticket(acme, contact=contact, connection=line, status=status)
            ticket.tags.add(make_tag(acme))
            for _ in range(dice.randrange(4)):
                message = make_message(ticket)
                MessageReaction.objects.create(
                    message=message, sender=contact, from_me=False, emoji="👍"
                )
                Delivery.objects.create(
                    company=acme, connection=line, contact=contact, message=message, kind="read"
                )
            TicketNote.objects.create(company=acme, contact=contact, ticket=ticket, note="Oi")
            make_schedule(acme, contact=contact)
    ContactField.objects.create(contact=contact, name="Cidade", value="Recife")


def world_of(*contacts: Contact) -> list[Any]:
    """Return all that a merge could change of contacts."""
    tickets = Ticket.objects.filter(contact__in=contacts).order_by("pk")
    return [
        [(rows_of(contact.pk), fields_of(contact.pk)) for contact in contacts],
        list(tickets.values_list("pk", "status", "user", "last_message", "latest_message")),
    ]


@pytest.mark.parametrize("seed", range(12))
def test_a_merge_and_its_undoing_leave_every_row_as_it_was(
    acme: Company, admin: User, connection: Connection, keep: Contact, gone: Contact, seed: int
) -> None:
    dice = random.Random(seed)
    lines = [connection, make_connection(acme)]
    for contact in (keep, gone):
        furnish(acme, contact, dice, lines)
    # Both answered one message of a group.
    group = make_contact(acme, is_group=True)
    shared = make_message(make_ticket(acme, contact=group, is_group=True), participant=gone)
    for contact in (keep, gone):
        MessageReaction.objects.create(message=shared, sender=contact, from_me=False, emoji="❤️")
    Ticket.objects.filter(status="open").update(user=admin)
    messages, before = Message.objects.count(), world_of(keep, gone)
    reactions = before[0][1][0].pop("MessageReaction.sender")
    made = merge_by_hand(contact_id=keep.pk, other_id=gone.pk, actor=admin)
    assert not any(rows_of(gone.pk).values())
    assert not strayed_cycles()
    assert Message.objects.count() == messages
    for line in lines:
        assert len(live_on(keep, line)) <= 1
    undo_merge(merge_id=made.pk, actor=admin)
    ContactMerge.objects.all().delete()
    after = world_of(keep, gone)
    again = after[0][1][0].pop("MessageReaction.sender")
    # The one that gave way to the survivor's is another row.
    assert len(again) == len(reactions)
    assert len(set(reactions) - set(again)) <= 1
    assert set(MessageReaction.objects.filter(message=shared).values_list("sender_id")) == {
        (keep.pk,),
        (gone.pk,),
    }
    assert after == before
    assert not strayed_cycles()
    unfinished = TrackingCycle.objects.filter(finished_at=None).values_list("ticket", flat=True)
    live = Ticket.objects.exclude(status="closed").values_list("pk", flat=True)
    assert sorted(unfinished) == sorted(live)


def test_merges_into_one_contact_are_undone_in_any_order(
    acme: Company, admin: User, keep: Contact, gone: Contact
) -> None:
    third = make_contact(acme)
    for contact in (keep, gone, third):
        make_message(make_ticket(acme, contact=contact, status="closed"))
    before = world_of(keep, gone, third)
    for first, second in ((0, 1), (1, 0)):
        made = [
            merge_by_hand(contact_id=keep.pk, other_id=other.pk, actor=admin)
            for other in (gone, third)
        ]
        undo_merge(merge_id=made[first].pk, actor=admin)
        undo_merge(merge_id=made[second].pk, actor=admin)
        ContactMerge.objects.all().delete()
        assert world_of(keep, gone, third) == before


def test_who_was_merged_away_comes_back_before_what_it_had_merged(
    client_for: ClientFor, acme: Company, admin: User, keep: Contact, gone: Contact
) -> None:
    client, third = client_for(admin), make_contact(acme)
    for contact in (keep, gone, third):
        make_message(make_ticket(acme, contact=contact, status="closed"))
    before = world_of(keep, gone, third)
    inner = merge_by_hand(contact_id=keep.pk, other_id=gone.pk, actor=admin)
    outer = merge_by_hand(contact_id=third.pk, other_id=keep.pk, actor=admin)
    [listed] = client.get(f"/api/contacts/{third.pk}/merges").json()
    assert listed["id"] == outer.pk
    refused = undo(client, inner.pk)
    assert (refused.status_code, refused.json()["code"]) == (409, "ERR_MERGE_NOT_LAST")
    undo_merge(merge_id=outer.pk, actor=admin)
    undo_merge(merge_id=inner.pk, actor=admin)
    ContactMerge.objects.all().delete()
    assert world_of(keep, gone, third) == before


def test_rows_that_moved_in_two_steps_all_go_back(keep: Contact, gone: Contact) -> None:
    first = ContactField.objects.create(contact=gone, name="Cidade", value="Recife")
    merged = Merged(keep, gone, is_kept=True)
    merged.move(ContactField, "contact")
    second = ContactField.objects.create(contact=gone, name="Bairro", value="Boa Vista")
    merged.move(ContactField, "contact")
    merged.move_back(ContactField, "contact")
    assert rows_of(gone.pk)["ContactField.contact"] == [first.pk, second.pk]


def test_webhook_events_that_waited_before_a_merge_go_back_with_those_that_it_wrote(
    acme: Company, admin: User, connection: Connection, keep: Contact, gone: Contact
) -> None:
    webhook = make_webhook(acme)
    for contact in (keep, gone):
        make_ticket(acme, contact=contact, connection=connection, status="open", user=admin)
    waiting = make_webhook_delivery(webhook, contact=gone)
    made = merge_by_hand(contact_id=keep.pk, other_id=gone.pk, actor=admin)
    closing = WebhookDelivery.objects.get(event="ticket.closed")
    assert rows_of(keep.pk)["WebhookDelivery.contact"] == [waiting.pk, closing.pk]
    undo_merge(merge_id=made.pk, actor=admin)
    assert {waiting.pk, closing.pk} <= set(rows_of(gone.pk)["WebhookDelivery.contact"])


def test_what_came_since_stays_with_the_survivor(
    client_for: ClientFor,
    acme: Company,
    admin: User,
    agent: User,
    connection: Connection,
    keep: Contact,
    gone: Contact,
) -> None:
    client = client_for(admin)
    theirs = make_ticket(acme, contact=gone, connection=connection, user=agent, status="open")
    old = make_message(theirs, body="De antes")
    merge_id = merge(client, keep, gone).json()["merge"]["id"]
    theirs.refresh_from_db()
    since = make_message(theirs, body="De depois")
    opened = make_ticket(acme, contact=keep, connection=make_connection(acme))
    note = TicketNote.objects.create(company=acme, contact=keep, ticket=opened, note="Nova")
    assert undo(client, merge_id).status_code == 200
    for row in (theirs, since, old, opened, note):
        row.refresh_from_db()
    assert (theirs.contact, old.contact, old.ticket) == (gone, gone, theirs)
    assert (theirs.status, theirs.latest_message, theirs.last_message) == ("open", old, "De antes")
    assert (since.contact, opened.contact, note.contact) == (keep, keep, keep)
    went_on = since.ticket
    assert (went_on.contact, went_on.status, went_on.user) == (keep, "open", agent)
    assert (went_on.latest_message, went_on.last_message) == (since, "De depois")
    assert TrackingCycle.objects.get(ticket=went_on).finished_at is None


def test_a_closed_ticket_that_went_on_meanwhile_is_closed_again(
    acme: Company, admin: User, connection: Connection, keep: Contact, gone: Contact
) -> None:
    theirs = make_ticket(acme, contact=gone, connection=connection, status="closed")
    made = merge_by_hand(contact_id=keep.pk, other_id=gone.pk, actor=admin)
    theirs.refresh_from_db()
    Ticket.objects.filter(pk=theirs.pk).update(status="pending")
    since = make_message(theirs)
    undo_merge(merge_id=made.pk, actor=admin)
    theirs.refresh_from_db()
    since.refresh_from_db()
    assert (theirs.contact, theirs.status) == (gone, "closed")
    assert (since.ticket.contact, since.ticket.status) == (keep, "pending")


def test_what_was_changed_since_is_not_taken_from_the_survivor(
    client_for: ClientFor, admin: User, keep: Contact, gone: Contact
) -> None:
    client = client_for(admin)
    merge_id = merge(client, keep, gone).json()["merge"]["id"]
    changes = {"name": "Ana S.", "email": "outra@example.com"}
    assert client.put(f"/api/contacts/{keep.pk}", changes, format="json").status_code == 200
    answer = undo(client, merge_id).json()
    assert (answer["contact"]["name"], answer["contact"]["email"]) == tuple(changes.values())
    assert (answer["contact"]["username"], answer["contact"]["userId"]) == ("", "")
    assert answer["contact"]["extraInfo"] == []
    assert (answer["restored"]["name"], answer["restored"]["email"]) == ("Ana", "ana@example.com")
    assert AuditEntry.objects.filter(action="contact.unmerged").count() == 1


def test_who_wrote_from_the_others_number_since_is_that_contact(
    acme: Company, admin: User, connection: Connection, keep: Contact, gone: Contact
) -> None:
    make_ticket(acme, contact=gone, connection=connection)
    made = merge_by_hand(contact_id=keep.pk, other_id=gone.pk, actor=admin)
    newcomer = upsert_contact(company_id=acme.pk, number=gone.number, name="Aninha")
    said = make_message(make_ticket(acme, contact=newcomer, connection=connection))
    _, restored = undo_merge(merge_id=made.pk, actor=admin)
    said.refresh_from_db()
    assert (restored.pk, restored.name, restored.number) == (gone.pk, "Ana", gone.number)
    assert (said.contact_id, said.ticket.contact_id) == (gone.pk, gone.pk)
    assert not Contact.objects.filter(pk=newcomer.pk).exists()
    assert len(live_on(gone, connection)) == 1
    assert upsert_contact(company_id=acme.pk, number=gone.number).pk == gone.pk


def test_a_number_that_the_survivor_took_by_hand_stays_there(
    client_for: ClientFor, admin: User, keep: Contact, gone: Contact
) -> None:
    client = client_for(admin)
    merge_id = merge(client, keep, gone).json()["merge"]["id"]
    changes = {"name": keep.name, "number": gone.number}
    assert client.put(f"/api/contacts/{keep.pk}", changes, format="json").status_code == 200
    answer = undo(client, merge_id).json()
    assert answer["contact"]["number"] == gone.number
    assert (answer["restored"]["number"], answer["restored"]["userId"]) == ("", "BR.1")


@pytest.mark.parametrize(
    ("other", "status", "code"),
    [
        (lambda keep, acme, globex: keep, 400, "ERR_MERGE_SAME_CONTACT"),
        (lambda keep, acme, globex: make_contact(acme, is_group=True), 400, "ERR_MERGE_GROUP"),
        (lambda keep, acme, globex: make_contact(globex), 404, "ERR_NO_CONTACT_FOUND"),
    ],
)
def test_a_merge_that_can_not_be_is_refused_and_changes_nothing(
    client_for: ClientFor,
    admin: User,
    acme: Company,
    globex: Company,
    keep: Contact,
    events: list[dict[str, Any]],
    other: Callable[[Contact, Company, Company], Contact],
    status: int,
    code: str,
) -> None:
    gone = other(keep, acme, globex)
    before = Contact.objects.count()
    answer = merge(client_for(admin), keep, gone)
    assert (answer.status_code, answer.json()["code"]) == (status, code)
    assert (Contact.objects.count(), ContactMerge.objects.count(), events) == (before, 0, [])
    assert not AuditEntry.objects.exists()


def test_users_see_merges_and_do_not_make_or_undo_them(
    client_for: ClientFor, admin: User, agent: User, acme: Company, keep: Contact, gone: Contact
) -> None:
    client = client_for(agent)
    assert merge(client, keep, gone).status_code == 403
    made = merge_by_hand(contact_id=keep.pk, other_id=gone.pk, actor=admin)
    [row] = client.get(f"/api/contacts/{keep.pk}/merges").json()
    assert (row["id"], row["name"]) == (made.pk, "Ana")
    assert undo(client, made.pk).status_code == 403


def test_a_merge_is_undone_once(
    client_for: ClientFor, admin: User, keep: Contact, gone: Contact
) -> None:
    client = client_for(admin)
    merge_id = merge(client, keep, gone).json()["merge"]["id"]
    assert undo(client, merge_id).status_code == 200
    answer = undo(client, merge_id)
    assert (answer.status_code, answer.json()["code"]) == (409, "ERR_MERGE_ALREADY_UNDONE")
    assert client.get(f"/api/contacts/{keep.pk}/merges").json() == []
    stored = ContactMerge.objects.get()
    assert (stored.gone, stored.filled, stored.rows, stored.notes) == ({}, {}, {}, {})


def test_a_merge_is_undone_within_a_day_and_then_forgotten(
    client_for: ClientFor, admin: User, keep: Contact, gone: Contact
) -> None:
    client = client_for(admin)
    merge_id = merge(client, keep, gone).json()["merge"]["id"]
    assert forget_merges(now=timezone.now()) == 0
    ContactMerge.objects.update(created_at=timezone.now() - timedelta(hours=24))
    answer = undo(client, merge_id)
    assert (answer.status_code, answer.json()["code"]) == (409, "ERR_MERGE_TOO_OLD")
    assert client.get(f"/api/contacts/{keep.pk}/merges").json() == []
    assert forget_merges(now=timezone.now()) == 1
    answer = undo(client, merge_id)
    assert (answer.status_code, answer.json()["code"]) == (404, "ERR_NO_MERGE_FOUND")


def test_a_deleted_contact_takes_its_merges_along(
    admin: User, keep: Contact, gone: Contact
) -> None:
    merge_by_hand(contact_id=keep.pk, other_id=gone.pk, actor=admin)
    delete_contact(contact=keep, actor=admin)
    assert not ContactMerge.objects.exists()


def at_once(*deeds: Callable[[], Any]) -> list[Any]:
    """Do all at the same moment; returns what each gave or raised."""
    start = threading.Barrier(len(deeds))
    done: list[Any] = [None] * len(deeds)

    def run(place: int, deed: Callable[[], Any]) -> None:
        start.wait()
        try:
            done[place] = deed()
        except Exception as error:
            done[place] = error
        finally:
            connections.close_all()

    threads = [threading.Thread(target=run, args=each) for each in enumerate(deeds)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return done


@pytest.mark.postgres
@pytest.mark.django_db(transaction=True)
def test_of_merges_of_one_pair_at_once_one_is_done(
    acme: Company, admin: User, connection: Connection, keep: Contact, gone: Contact
) -> None:
    for contact in (keep, gone):
        make_message(make_ticket(acme, contact=contact, connection=connection))
    pairs = [(keep.pk, gone.pk), (gone.pk, keep.pk)] * 3
    done = at_once(
        *(
            lambda pair=pair: merge_by_hand(contact_id=pair[0], other_id=pair[1], actor=admin)
            for pair in pairs
        )
    )
    [made] = [each for each in done if isinstance(each, ContactMerge)]
    assert sum(isinstance(each, ContactNotFound) for each in done) == len(pairs) - 1
    assert Contact.objects.get().pk == made.contact_id
    assert Message.objects.filter(contact=made.contact_id).count() == 2
    undone = at_once(*[lambda: undo_merge(merge_id=made.pk, actor=admin)] * 4)
    assert sum(isinstance(each, MergeAlreadyUndone) for each in undone) == 3
    assert Message.objects.filter(contact=keep).count() == 1
    assert Message.objects.filter(contact=gone).count() == 1


@pytest.mark.postgres
@pytest.mark.django_db(transaction=True)
def test_messages_that_come_while_contacts_are_merged_and_parted_are_stored_once(
    acme: Company, admin: User, connection: Connection, keep: Contact, gone: Contact
) -> None:
    for contact in (keep, gone):
        make_message(make_ticket(acme, contact=contact, connection=connection))
    count = 20

    def write(number: str) -> int:
        tries = 0
        for place in range(count):
            inbound = InboundMessage(
                external_id=f"wamid.{number}.{place}",
                sender=number,
                sender_name="",
                sent_at=timezone.now(),
                body="Oi",
                media_type="conversation",
            )
            while True:
                tries += 1
                try:
                    with transaction.atomic():
                        receive_message(connection=connection, inbound=inbound)
                    break
                except (IntegrityError, OperationalError):  # as the worker tries it again
                    continue
        return tries

    def merge_and_part() -> None:
        for _ in range(5):
            made = merge_by_hand(contact_id=keep.pk, other_id=gone.pk, actor=admin)
            undo_merge(merge_id=made.pk, actor=admin)

    done = at_once(lambda: write(keep.number), lambda: write(gone.number), merge_and_part)
    assert [each for each in done if isinstance(each, Exception)] == []
    assert Message.objects.count() == 2 + 2 * count
    for message in Message.objects.select_related("ticket"):
        assert message.contact_id == message.ticket.contact_id
    for contact in (keep, gone):
        assert len(live_on(contact, connection)) == 1
        theirs = Message.objects.filter(contact=contact, external_id__contains=contact.number)
        assert theirs.count() == count
