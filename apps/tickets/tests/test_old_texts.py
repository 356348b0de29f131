"""Texts that were stored before they had a bound are cut once, by a migration."""

from importlib import import_module
from typing import Any

import pytest
from django.apps import apps

from apps.accounts.models import User
from apps.common.search import LONGEST_TEXT
from apps.companies.models import Company
from apps.tickets.models import Message, Ticket
from apps.tickets.models.messages import LONGEST_PREVIEW
from conftest import ClientFor
from tests.factories import make_message, make_ticket

pytestmark = pytest.mark.django_db
update: Any = import_module("apps.tickets.migrations.0018_bounded_texts")

LONG = "é" * 300_000


def test_the_bounds_are_those_of_today() -> None:
    assert (update.LONGEST_TEXT, update.LONGEST_PREVIEW) == (LONGEST_TEXT, LONGEST_PREVIEW)


def test_an_old_long_text_hangs_no_browser_any_more(
    client_for: ClientFor, admin: User, acme: Company, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(update, "BATCH", 2)
    ticket = make_ticket(acme)
    short = [make_message(ticket, body=f"oi {number}") for number in range(3)]
    long = make_message(ticket)
    large = {"name": LONG, "forwarded": True}
    Message.objects.filter(pk=long.pk).update(body=LONG, search_text=LONG, data=large)
    card = make_message(ticket, body="cartão")
    Message.objects.filter(pk=card.pk).update(data={"name": LONG})
    small = {"latitude": 1, "name": "a" * 900}
    place = make_message(ticket, body="lugar")
    Message.objects.filter(pk=place.pk).update(data=small)
    Ticket.objects.filter(pk=ticket.pk).update(last_message=LONG)
    before = Message.objects.values("body", "search_text", "data", "updated_at")
    untouched = {each.pk: before.get(pk=each.pk) for each in (*short, place)}

    for _ in range(2):
        update.cut_long_texts(apps, None)
        long.refresh_from_db()
        card.refresh_from_db()
        assert (long.body, long.search_text) == (LONG[:LONGEST_TEXT], LONG[:LONGEST_TEXT])
        assert (long.data, card.data) == ({"forwarded": True}, None)
        assert {pk: before.get(pk=pk) for pk in untouched} == untouched
    shown = client_for(admin).get(f"/api/messages/{ticket.pk}")
    assert len(shown.content) < 4 * LONGEST_TEXT
    listed = client_for(admin).get("/api/tickets", {"showAll": "true"}).json()["tickets"]
    assert [len(each["lastMessage"]) for each in listed] == [LONGEST_PREVIEW]


def test_a_new_installation_has_nothing_to_cut() -> None:
    update.cut_long_texts(apps, None)
    assert not Message.objects.exists()
