"""Tickets that only a campaign began: no attendance until an answer (rules/campaigns §5)."""

from importlib import import_module

import pytest
from django.apps import apps

from apps.accounts.models import User
from apps.campaigns.tests.conftest import Clock, Make
from apps.campaigns.tests.test_sending import answer, provider_takes_all, work
from apps.companies.models import Company
from apps.connections.models import Connection
from apps.tickets.models import Ticket
from conftest import ClientFor
from tests.factories import make_message, make_ticket

pytestmark = pytest.mark.django_db


def test_who_has_not_answered_is_no_attendance(
    clock: Clock,
    acme: Company,
    qr: Connection,
    due: Make,
    at_once: None,
    admin: User,
    client_for: ClientFor,
) -> None:
    attended = make_ticket(acme, status="closed", user=admin)
    due()
    work()
    work()
    provider_takes_all()
    client = client_for(admin)

    def listed(**query: str) -> set[str]:
        answer = client.get("/api/tickets", {"showAll": "true", **query}).json()
        assert answer["count"] == len(answer["tickets"])
        return {row["contact"]["number"] for row in answer["tickets"]}

    def created_today() -> int:
        shown = client.get("/api/dashboard", {"days": 1}).json()
        return sum(hour["amount"] for hour in shown["hours"])

    written_to = {"5511984321100", "5511984321101", "5511984321102"}
    other = attended.contact.number
    assert created_today() == 1
    assert listed() == listed(status="closed") == {other}
    assert listed(status="closed", unansweredCampaigns="only") == written_to
    assert listed(status="closed", unansweredCampaigns="true") == {other, *written_to}
    assert listed(searchParam="551198432110") == written_to
    assert listed(searchParam="551198432110", unansweredCampaigns="false") == set()
    answer(qr, "5511984321100", "Quero!")
    assert created_today() == 2
    assert listed(status="pending") == {"5511984321100"}
    assert listed(unansweredCampaigns="only") == written_to - {"5511984321100"}
    client.put(
        f"/api/tickets/{Ticket.objects.get(status='pending').pk}",
        {"status": "closed"},
        format="json",
    )
    assert listed(status="closed") == {other, "5511984321100"}


def test_a_person_who_opens_it_makes_it_an_attendance(
    clock: Clock, due: Make, at_once: None, admin: User, client_for: ClientFor
) -> None:
    due()
    work()
    work()
    provider_takes_all()
    ticket = Ticket.objects.earliest("pk")
    assert ticket.unanswered_campaign
    body = {"status": "open", "userId": admin.pk}
    opened = client_for(admin).put(f"/api/tickets/{ticket.pk}", body, format="json")
    assert (opened.status_code, opened.json()["unansweredCampaign"]) == (200, False)


def test_tickets_of_earlier_campaigns_are_marked_by_the_update(
    clock: Clock, acme: Company, qr: Connection, due: Make, at_once: None
) -> None:
    due()
    work()
    work()
    provider_takes_all()
    answered = Ticket.objects.earliest("pk")
    make_message(answered, body="Quero!")
    Ticket.objects.update(unanswered_campaign=False)
    make_message(make_ticket(acme, status="closed"), from_me=True, source="schedule")
    update = import_module("apps.tickets.migrations.0003_unanswered_campaign")
    update.mark_campaigns(apps, None)
    marked = Ticket.objects.filter(unanswered_campaign=True)
    assert set(marked.values_list("contact__number", flat=True)) == {
        "5511984321100",
        "5511984321101",
        "5511984321102",
    } - {answered.contact.number}
