"""Polls and the votes on them: who chose what, and only the last of each counts."""

import json
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from django.db import connection as database
from django.test.utils import CaptureQueriesContext

from apps.accounts.models import User
from apps.companies.models import Company
from apps.connections.models import Connection
from apps.connections.providers.inbound import InboundMessage, InboundPoll
from apps.contacts.models import Contact
from apps.contacts.services import merge_by_hand, undo_merge
from apps.tickets.models import EarlyReference, Message, Poll, PollVote, Ticket
from apps.tickets.serializers import message_row
from apps.tickets.services.messages.history import import_history
from apps.tickets.services.receiving.messages import receive_message
from apps.tickets.tests.conftest import Emitted
from conftest import ClientFor
from tests.factories import make_contact

pytestmark = pytest.mark.django_db
DATA = Path(__file__).parents[2] / "connections" / "tests" / "data" / "poll_votes.json"
MADE = json.loads(DATA.read_text())
NUMBER = "5511999990000"
SAID = InboundMessage(
    external_id=MADE["pollId"],
    sender=NUMBER,
    sender_name="Maria",
    media_type="conversation",
    body="Almoço?\n1. Pizza\n2. Salada\n3. Nenhuma das duas, é cedo",
    sent_at=datetime(2026, 9, 20, 12, tzinfo=UTC),
    data={"poll": {"name": "Almoço?", "options": MADE["options"], "selectable": 0}},
    poll=InboundPoll(MADE["secret"]),
)


def cast(name: str, **changes: Any) -> InboundMessage:
    """Return one of the votes that were made for the poll."""
    vote = MADE["votes"][name]["vote"]
    filled = replace(
        SAID,
        external_id=f"VOTE-{name}",
        body="",
        data=None,
        poll=None,
        from_me=name == "ours",
        votes_on=vote["to"],
        vote=json.dumps(vote),
    )
    return replace(filled, **changes)


def receive(connection: Connection, *reports: InboundMessage) -> None:
    for report in reports:
        receive_message(connection=connection, inbound=report)


def votes() -> list[tuple[list[int], bool, str]]:
    row = message_row(Message.objects.get())
    return [(each["options"], each["fromMe"], each["name"]) for each in row["pollVotes"]]


def test_a_vote_is_shown_live_and_makes_no_message(
    connection: Connection, emitted: Emitted
) -> None:
    receive(connection, SAID)
    ticket = Ticket.objects.get()
    emitted.clear()
    receive(connection, cast("number"))
    assert votes() == [([1], False, "Maria")]
    [(name, payload)] = emitted
    assert (name, payload["action"]) == ("appMessage", "update")
    assert payload["message"]["pollVotes"] == [{"options": [1], "fromMe": False, "name": "Maria"}]
    after = Ticket.objects.get()
    assert (after.unread_count, after.last_message) == (ticket.unread_count, ticket.last_message)


def test_the_last_vote_of_each_counts_in_whatever_order_they_come(connection: Connection) -> None:
    receive(connection, SAID, cast("number"), cast("ours"), cast("lid"))
    assert votes() == [([0, 2], False, "Maria"), ([0], True, "")]
    receive(connection, cast("number"))
    assert votes() == [([0, 2], False, "Maria"), ([0], True, "")]


def test_a_vote_that_is_taken_back_goes_and_stays_gone(connection: Connection) -> None:
    receive(connection, SAID, cast("number"), cast("withdrawn"))
    assert votes() == []
    receive(connection, cast("lid"))
    assert votes() == []


def test_votes_wait_for_their_poll(connection: Connection, emitted: Emitted) -> None:
    receive(connection, cast("lid"), cast("number"), cast("ours"))
    assert not Message.objects.exists()
    assert not emitted
    receive(connection, SAID)
    assert votes() == [([0, 2], False, "Maria"), ([0], True, "")]
    assert not EarlyReference.objects.exists()


def test_a_poll_of_the_past_is_voted_on_and_tells_nobody(
    connection: Connection, emitted: Emitted
) -> None:
    past = [replace(each, is_history=True) for each in (SAID, cast("number"))]
    import_history(connection=connection, messages=past)
    assert votes() == [([1], False, "Maria")]
    assert not emitted
    receive(connection, cast("lid"))
    assert votes() == [([0, 2], False, "Maria")]
    assert len(emitted) == 1


def test_what_is_no_poll_or_not_opened_by_its_secret_has_no_votes(connection: Connection) -> None:
    receive(connection, replace(SAID, poll=None), cast("number"))
    assert votes() == []
    Message.objects.all().delete()
    receive(connection, replace(SAID, poll=InboundPoll("AAAA")), cast("number"))
    assert (votes(), PollVote.objects.count()) == ([], 0)


def test_its_secret_is_encrypted_and_in_no_answer(connection: Connection) -> None:
    receive(connection, SAID)
    with database.cursor() as cursor:
        cursor.execute("SELECT secret FROM tickets_poll")
        [[stored]] = cursor.fetchall()
    assert MADE["secret"] not in stored
    assert Poll.objects.get().secret == MADE["secret"]
    assert MADE["secret"] not in json.dumps(message_row(Message.objects.get()), default=str)


def test_votes_of_a_page_are_one_more_query_however_many(
    client_for: ClientFor, admin: User, connection: Connection
) -> None:
    receive(connection, replace(SAID, external_id="TEXT", data=None, poll=None))
    client, path = client_for(admin), f"/api/messages/{Ticket.objects.get().pk}"
    client.get(path)
    counts = []
    for step in range(3):
        with CaptureQueriesContext(
            database,
        ) as queries:
            client.get(path)
        counts.append(len(queries))
        receive(connection, replace(SAID, external_id=f"POLL-{step}"))
        poll = Poll.objects.order_by("pk").last()
        assert poll is not None
        for place in range(step + 1):
            voter = make_contact(connection.company, name=f"Pessoa {place}")
            PollVote.objects.create(
                poll=poll, from_me=False, sender=voter, options=[0], voted_at=SAID.sent_at
            )
    assert counts == [counts[0], counts[0] + 1, counts[0] + 1]


def test_who_is_merged_keeps_the_later_vote_and_gets_both_back(
    acme: Company, admin: User, connection: Connection
) -> None:
    receive(connection, SAID, cast("lid"))
    keep = make_contact(acme, name="Maria do celular")
    gone = Contact.objects.get(number=NUMBER)
    PollVote.objects.create(
        poll=Poll.objects.get(), from_me=False, sender=keep, options=[1], voted_at=SAID.sent_at
    )
    before = sorted(PollVote.objects.values_list("sender__name", "options"))
    merge = merge_by_hand(contact_id=keep.pk, other_id=gone.pk, actor=admin)
    assert votes() == [([0, 2], False, keep.name)]
    undo_merge(merge_id=merge.pk, actor=admin)
    assert sorted(PollVote.objects.values_list("sender__name", "options")) == before
