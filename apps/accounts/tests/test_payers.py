"""Sockets of an overdue company: its admins hear of payments, and of nothing else."""

import asyncio
from datetime import timedelta
from decimal import Decimal
from typing import Any

import pytest
from django.utils import timezone

from apps.accounts.consumers import identify, reload
from apps.accounts.models import Profile, User
from apps.accounts.services.sessions import OpenedSession, sign_in
from apps.accounts.tokens import make_access_token
from apps.billing import events as billing_events
from apps.billing.models import Invoice
from apps.companies.models import Company
from apps.companies.queries import zone_of
from apps.companies.services import end_overdue
from apps.realtime.rooms import company_room, payment_room
from apps.realtime.sockets import Client, Handshake
from tests.factories import PASSWORD, make_plan

pytestmark = pytest.mark.django_db


def due(company: Company, days: int) -> None:
    today = timezone.localdate(timezone=zone_of(company.pk))
    Company.objects.filter(pk=company.pk).update(due_date=today + timedelta(days=days))


def opened(user: User) -> OpenedSession:
    return sign_in(email=user.email, password=PASSWORD, ip_address=None)


def shows(token: str = "", cookie: str = "") -> Handshake:
    return Handshake(token=token, cookies={"jrt": cookie})


def test_the_token_for_paying_opens_the_room_of_payments_alone(acme: Company, admin: User) -> None:
    due(acme, -2)
    session = opened(admin)
    for handshake in (shows(session.access_token), shows(cookie=session.refresh_token)):
        viewer = identify(handshake)
        assert viewer == admin
        client = Client(viewer)
        for event, argument in (("joinTickets", "open"), ("joinNotification", "")):
            asyncio.run(client.hear(event, [argument]))
        asyncio.run(client.hear("userStatus", []))
        assert (client.rooms, client.wishes) == ({payment_room(acme.pk)}, {})
    admin.refresh_from_db()
    assert admin.online_until is None


def test_nobody_else_of_an_overdue_company_is_let_in(
    acme: Company, admin: User, agent: User
) -> None:
    tokens = [make_access_token(agent), make_access_token(agent, scope="billing")]
    cookie = opened(agent).refresh_token
    session = opened(admin)
    due(acme, -2)
    assert [identify(shows(token)) for token in tokens] == [None, None]
    assert identify(shows(cookie=cookie)) is None
    # Who is an admin no more is not let in with what one was.
    User.objects.filter(pk=admin.pk).update(profile=Profile.USER)
    assert identify(shows(session.access_token, session.refresh_token)) is None


def test_who_came_to_pay_hears_nothing_more_for_having_paid(acme: Company, admin: User) -> None:
    due(acme, -2)
    session = opened(admin)
    viewer = identify(shows(session.access_token))
    assert viewer is not None
    due(acme, 30)
    judged = reload(viewer)
    assert judged is not None
    assert Client(judged).rooms == {payment_room(acme.pk)}
    # One connects anew: the token for paying is good for nothing now, the session for all.
    assert identify(shows(session.access_token)) is None
    whole = identify(shows(cookie=session.refresh_token))
    assert whole is not None
    assert company_room(acme.pk) in Client(whole).rooms
    User.objects.filter(pk=admin.pk).update(profile=Profile.USER)
    assert reload(viewer) is None


def test_a_payment_is_told_to_those_two_rooms_of_its_company(
    acme: Company, globex: Company, events: list[dict[str, Any]]
) -> None:
    billing_events.paid(acme)
    [told] = [event for event in events if event["event"] == "payment"]
    assert set(told["rooms"]) == {company_room(acme.pk), payment_room(acme.pk)}
    assert payment_room(globex.pk) not in told["rooms"]


def test_sockets_are_cut_once_the_day_is_over(
    acme: Company, globex: Company, agent: User, admin: User, events: list[dict[str, Any]]
) -> None:
    viewer = identify(shows(opened(agent).access_token))
    boss = identify(shows(opened(admin).access_token))
    assert viewer is not None and boss is not None
    due(globex, 30)
    due(acme, -1)
    events.clear()
    assert end_overdue() == 1
    assert events == [{"event": "recheck_company", "id": acme.pk}]
    assert (reload(viewer), reload(boss)) == (None, None)


def test_an_overdue_companys_admin_finds_an_invoice_to_pay(acme: Company, admin: User) -> None:
    acme.plan = make_plan(value=Decimal("49.90"))
    acme.save()
    due(acme, -2)
    assert opened(admin).overdue is not None
    acme.refresh_from_db()
    invoice = Invoice.objects.for_company(acme.pk).get()
    assert (invoice.due_date, invoice.value) == (acme.due_date, Decimal("49.90"))
