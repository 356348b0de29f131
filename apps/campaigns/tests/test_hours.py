"""What a young number and the sending hours hold back, and when it goes."""

from collections.abc import Callable, Iterator
from datetime import UTC, datetime, time, timedelta
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from django.db import connection as database
from django.db import transaction
from django.test.utils import CaptureQueriesContext

from apps.accounts.models import User
from apps.campaigns.models import ContactList
from apps.campaigns.tests.conftest import Clock, Make
from apps.campaigns.tests.test_sending import people_of, reread, states, work
from apps.companies.models import Company, CompanySetting
from apps.connections.models import Connection, SendPace
from apps.tickets.models import Delivery, DeliveryKind, Message, MessageSource, Ticket
from apps.tickets.services.outbox import Text, enqueue, write_message
from apps.tickets.services.outbox.deliveries import deliver_due
from conftest import ClientFor
from tests.factories import make_contact, make_ticket
from tests.gateway import SECRET, Gateway, make_qr_connection, running_gateway

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("at_once")]
SAO_PAULO = ZoneInfo("America/Sao_Paulo")
At = Callable[..., datetime]


@pytest.fixture
def gateway(settings: Any) -> Iterator[Gateway]:
    settings.GATEWAY_SECRET = SECRET
    with running_gateway() as gateway:
        yield gateway


@pytest.fixture
def hours(acme: Company) -> None:
    """Campaigns write from eight to eight."""
    CompanySetting.objects.create(company=acme, key="campaignSendingHours", value="08:00-20:00")


@pytest.fixture
def qr(acme: Company, gateway: Gateway) -> Connection:
    """A number that is no longer young."""
    return make_qr_connection(acme, number="5511988887777")


@pytest.fixture
def young(qr: Connection) -> Connection:
    """The same, that may begin with one person a day."""
    qr.warmup_contacts, qr.warmup_growth, qr.warmup_days = 1, 0, 5
    qr.save()
    return qr


@pytest.fixture
def at(clock: Clock, qr: Connection, gateway: Gateway) -> At:
    """Return a way to set the clock to an hour of one of the days to come, in São Paulo."""
    # Ahead of the real clock, by which what is written is due.
    first = (clock.now + timedelta(days=2)).astimezone(SAO_PAULO).date()

    def go(hour: int, minute: int = 0, *, day: int = 0) -> datetime:
        local = datetime.combine(first + timedelta(days=day), time(hour, minute), SAO_PAULO)
        clock.now = local.astimezone(UTC)
        gateway.own(qr)
        return clock.now

    return go


def drain() -> None:
    """Work until nothing is due, as a worker does."""
    while deliver_due(limit=4):
        pass


def sent(gateway: Gateway) -> list[str]:
    return [each.body["body"] for each in gateway.commands if each.name == "text"]


def ticket_of(connection: Connection, number: str, wrote_at: datetime | None = None) -> Ticket:
    contact = make_contact(connection.company, number=number)
    return make_ticket(
        connection.company,
        contact=contact,
        connection=connection,
        status="closed",
        last_inbound_at=wrote_at,
    )


@pytest.mark.usefixtures("hours")
def test_a_young_number_goes_on_in_the_morning_and_says_what_it_waits_for(
    young: Connection, gateway: Gateway, at: At, due: Make
) -> None:
    noon = at(12)
    ticket_of(young, "5511984321102", noon - timedelta(days=40))
    campaign = due(texts=["{{ms}}, {nome}"], scheduled_at=noon)
    work()
    work()
    # Who has written is under no ceiling.
    assert states(campaign) == ["queued", "pending", "queued"]
    drain()
    assert sent(gateway) == ["Boa tarde, Pessoa 1", "Boa tarde, Pessoa 3"]
    work()
    assert reread(campaign).wait_code == "daily_ceiling"
    morning = reread(campaign).next_attempt_at
    at(0, 5, day=1)
    assert (work(), deliver_due(limit=4)) == (0, 0)
    assert at(8, day=1) == morning
    work()
    drain()
    assert states(campaign) == ["sent"] * 3
    assert sent(gateway)[2:] == ["Bom dia, Pessoa 2"]


def test_without_sending_hours_it_goes_on_at_midnight(
    young: Connection, gateway: Gateway, at: At, due: Make
) -> None:
    campaign = due(scheduled_at=at(12))
    for _ in range(3):
        work()
    assert states(campaign) == ["queued", "pending", "pending"]
    assert reread(campaign).next_attempt_at == at(0, day=1)


def test_those_who_have_written_do_not_wait_behind_those_who_have_not(
    young: Connection, gateway: Gateway, at: At, acme: Company, due: Make
) -> None:
    noon = at(12)
    for last in (48, 49):
        ticket_of(young, f"55119{last:08d}", noon - timedelta(days=40))
    campaign = due(contact_list=people_of(acme, 50), scheduled_at=noon)
    for _ in range(3):
        work()
    queued = [place for place, state in enumerate(states(campaign)) if state == "queued"]
    assert queued == [0, 48, 49]


def test_what_stands_in_the_outbox_has_its_place(
    young: Connection, gateway: Gateway, at: At, due: Make
) -> None:
    noon = at(12)
    other = ticket_of(young, "5511977776666")
    write_message(Text("Olá"), ticket=other, user=None, source=MessageSource.API)
    campaign = due(scheduled_at=noon)
    work()
    work()
    assert states(campaign) == ["pending"] * 3
    assert reread(campaign).wait_code == "daily_ceiling"


@pytest.mark.usefixtures("hours")
def test_a_campaign_goes_on_when_a_new_ceiling_leaves_room(
    young: Connection,
    gateway: Gateway,
    at: At,
    due: Make,
    client_for: ClientFor,
    admin: User,
    django_capture_on_commit_callbacks: Any,
) -> None:
    campaign = due(scheduled_at=at(12))
    for _ in range(3):
        work()
    with django_capture_on_commit_callbacks(execute=True):
        client_for(admin).put(f"/api/whatsapp/{young.pk}", {"warmupContacts": 2}, format="json")
    work()
    assert states(campaign) == ["queued", "queued", "pending"]


@pytest.mark.usefixtures("hours")
def test_what_the_ceiling_holds_in_the_outbox_waits_for_the_hours_too(
    qr: Connection, gateway: Gateway, at: At, due: Make
) -> None:
    campaign = due(scheduled_at=at(12))
    work()
    work()
    assert states(campaign) == ["queued"] * 3
    # Its ceiling came after they were handed over.
    Connection.objects.filter(pk=qr.pk).update(warmup_contacts=1, warmup_growth=0, warmup_days=9)
    drain()
    assert len(sent(gateway)) == 1
    for day, count in ((1, 2), (2, 3)):
        at(0, day=day)
        drain()
        assert len(sent(gateway)) == count - 1
        held = Message.objects.filter(reason_code="sending_hours", ack=0)
        assert held.count() == 4 - count
        # The night takes nobody's place of the day.
        assert SendPace.objects.get().day_ends_at == at(0, day=day)
        assert deliver_due(limit=4) == 0
        at(8, day=day)
        drain()
        assert len(sent(gateway)) == count


@pytest.mark.usefixtures("hours")
def test_a_number_that_comes_back_at_night_sends_the_rest_in_the_morning(
    qr: Connection, gateway: Gateway, at: At, agent: User, due: Make
) -> None:
    campaign = due(scheduled_at=at(19, 59))
    work()
    work()
    Connection.objects.filter(pk=qr.pk).update(status="DISCONNECTED")
    at(21)
    drain()
    Connection.objects.filter(pk=qr.pk).update(status="CONNECTED")
    at(21, 5)
    drain()
    assert sent(gateway) == []
    row = Message.objects.get(contact__number="5511984321101")
    assert row.reason_code == "sending_hours"
    # Whoever is talked to meanwhile does not wait for it.
    write_message(Text("Já vejo"), ticket=row.ticket, user=agent, source=MessageSource.AGENT)
    drain()
    assert sent(gateway) == ["Já vejo"]
    assert deliver_due(limit=4) == 0  # and nothing is claimed before the morning
    # What is done to the message itself does wait for it.
    with transaction.atomic():
        enqueue(row, kind=DeliveryKind.DELETE)
    assert deliver_due(limit=4) == 0
    Delivery.objects.get(kind=DeliveryKind.DELETE).delete()
    at(8, day=1)
    drain()
    assert sorted(sent(gateway)[1:]) == [f"Oi, Pessoa {each}!" for each in (1, 2, 3)]
    assert states(campaign) == ["sent"] * 3
    assert set(Message.objects.values_list("reason_code", flat=True)) == {""}


@pytest.mark.usefixtures("hours")
def test_hours_that_were_lifted_meanwhile_keep_nothing_back(
    qr: Connection, gateway: Gateway, at: At, due: Make
) -> None:
    due(scheduled_at=at(19, 59))
    work()
    work()
    CompanySetting.objects.filter(key="campaignSendingHours").update(value="")
    at(21)
    drain()
    assert len(sent(gateway)) == 3


def test_the_hours_cost_a_delivery_no_statement(
    qr: Connection, gateway: Gateway, at: At, acme: Company, due: Make
) -> None:
    counted = []
    for day, value in enumerate(("", "", "08:00-20:00")):  # all is known from the first on
        CompanySetting.objects.update_or_create(
            company=acme, key="campaignSendingHours", defaults={"value": value}
        )
        due(scheduled_at=at(12, day=day))
        work()
        work()
        with CaptureQueriesContext(database) as captured:
            assert deliver_due(limit=10) == 3
        counted.append(len(captured))
        assert len(sent(gateway)) == 3 * (day + 1)
        work()
    assert counted[1] == counted[2]


def test_a_full_outbox_that_waits_itself_is_not_looked_at_all_the_time(
    qr: Connection, gateway: Gateway, at: At, acme: Company, due: Make
) -> None:
    noon = at(12)
    listed: ContactList = people_of(acme, 60)
    campaign = due(contact_list=listed, scheduled_at=noon)
    for _ in range(2):
        work()
    assert states(campaign).count("queued") == 50
    assert reread(campaign).next_attempt_at == noon + timedelta(seconds=0.5)
    Message.objects.update(reason_code="daily_ceiling")
    Delivery.objects.update(next_attempt_at=at(0, day=1))
    at(13)
    work()
    assert reread(campaign).wait_code == "daily_ceiling"
    assert reread(campaign).next_attempt_at == at(13, 1)
