from collections import Counter
from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from apps.accounts.models import User
from apps.campaigns.models import (
    ENDED,
    Campaign,
    CampaignRecipient,
    CampaignSetting,
    ContactList,
    OptOut,
)
from apps.campaigns.services.running import (
    CampaignNotCancelled,
    CampaignNotRunning,
    cancel_campaign,
    restart_campaign,
)
from apps.campaigns.services.sending import send_due
from apps.campaigns.tests.conftest import Clock, Make
from apps.companies.models import Company, CompanySetting
from apps.connections.models import Connection
from apps.connections.providers.inbound import InboundMessage
from apps.tickets.models import Ack, Delivery, Message, Ticket
from apps.tickets.services.outbox.deliveries import deliver_due
from apps.tickets.services.outbox.statuses import advance, locked_messages
from apps.tickets.services.receiving.messages import receive_message
from apps.tickets.services.tickets.updates import delete_ticket
from tests.events import Told
from tests.factories import make_campaign, make_contact, make_contact_list, make_tag, make_ticket
from tests.graph import GraphServer

pytestmark = pytest.mark.django_db


def work() -> int:
    return send_due(limit=100)


def reread(campaign: Campaign) -> Campaign:
    return Campaign.objects.get(pk=campaign.pk)


def states(campaign: Campaign) -> list[str]:
    recipients = CampaignRecipient.objects.filter(campaign=campaign).order_by("id")
    return list(recipients.values_list("state", flat=True))


def settings(company: Company, **values: Any) -> None:
    for key, value in values.items():
        CampaignSetting.objects.update_or_create(
            company=company, key=key, defaults={"value": value}
        )


def people_of(company: Company, count: int) -> ContactList:
    """Make a list of so many people."""
    numbers = [f"55119{each:08d}" for each in range(count)]
    return make_contact_list(company, people=[("Maria Souza", number) for number in numbers])


def provider_takes_all() -> int:
    """Say of every message on its way that the provider took it."""
    rows = Message.objects.filter(source="campaign", ack=Ack.PENDING)
    waiting = list(rows.values_list("pk", flat=True))
    for pk in waiting:
        advance(locked_messages().get(pk=pk), ack=Ack.SENT, external_id=f"out-{pk}")
    return len(waiting)


def answer(connection: Connection, number: str, body: str, name: str = "in") -> None:
    receive_message(
        connection=connection,
        inbound=InboundMessage(
            external_id=f"{name}-{number}-{body}",
            sender=number,
            sender_name="",
            media_type="conversation",
            body=body,
            sent_at=timezone.now(),
        ),
    )


def run_through(clock: Clock, campaign: Campaign, **step: float) -> None:
    """Let time go by, and the provider take what is sent, until the campaign is over."""
    for _ in range(1000):
        work()
        provider_takes_all()
        if reread(campaign).status == "FINALIZADA":
            return
        clock.pass_time(**(step or {"seconds": 61}))
    pytest.fail("it never ends")


def test_a_last_message_that_ends_unheard_keeps_nobody_waiting_long(
    clock: Clock, due: Make, at_once: None
) -> None:
    campaign = due()
    for _ in range(3):
        work()
    assert states(campaign) == ["queued"] * 3
    # They end while the campaign is being looked at, so nobody wakes it.
    CampaignRecipient.objects.update(state="sent")
    clock.pass_time(seconds=10.5)
    work()
    assert reread(campaign).status == "FINALIZADA"


def test_everybody_gets_one_and_then_it_is_over(
    clock: Clock, admin: User, due: Make, told: list[Told], at_once: None
) -> None:
    campaign = due(texts=["Oi, {nome}! {numero} {nada}{{nada}}"])
    assert work() == 1
    assert states(campaign) == ["pending"] * 3
    assert reread(campaign).status == "EM_ANDAMENTO"
    work()
    assert states(campaign) == ["queued"] * 3
    assert provider_takes_all() == 3
    run_through(clock, campaign)
    assert states(campaign) == ["sent"] * 3
    assert reread(campaign).completed_at == clock.now
    assert [each.payload["record"]["status"] for each in told] == ["EM_ANDAMENTO", "FINALIZADA"]
    body = "Oi, Pessoa 1! 5511984321100 {nada}"
    assert Message.objects.earliest("id").body == body


def test_one_whose_time_has_not_come_waits(clock: Clock, due: Make) -> None:
    moment = clock.now + timedelta(hours=1)
    campaign = due(scheduled_at=moment)
    assert work() == 0
    clock.pass_time(hours=1)
    assert work() == 1
    assert reread(campaign).status == "EM_ANDAMENTO"


def test_nothing_opens_nor_reopens(clock: Clock, acme: Company, due: Make, at_once: None) -> None:
    campaign = due()
    contact = make_contact(acme, number="5511984321100")
    closed = make_ticket(acme, contact=contact, connection=campaign.connection, status="closed")
    work()
    work()
    closed.refresh_from_db()
    assert (closed.status, closed.unread_count) == ("closed", 0)
    assert set(Ticket.objects.values_list("status", flat=True)) == {"closed"}
    assert Ticket.objects.count() == 3


def test_an_answer_opens(clock: Clock, qr: Connection, due: Make, at_once: None) -> None:
    due()
    work()
    work()
    provider_takes_all()
    answer(qr, "5511984321100", "Quero!")
    live = Ticket.objects.exclude(status="closed")
    assert [ticket.contact.number for ticket in live] == ["5511984321100"]


def test_who_is_invalid_or_opted_out_is_skipped_with_a_reason(
    clock: Clock, acme: Company, due: Make, people: ContactList, at_once: None
) -> None:
    people.items.filter(number__endswith="0").update(is_whatsapp_valid=False)
    OptOut.objects.create(company=acme, canonical_number="5511984321101")
    campaign = due()
    run_through(clock, campaign)
    assert states(campaign) == ["skipped", "skipped", "sent"]
    reasons = CampaignRecipient.objects.order_by("id").values_list("reason_code", flat=True)
    assert list(reasons) == ["not_reachable", "opted_out", ""]


def test_who_carries_the_tag_and_is_in_the_list_is_written_to_once(
    clock: Clock, acme: Company, qr: Connection, due: Make, at_once: None
) -> None:
    tag = make_tag(acme)
    # The first one, before the ninth digit.
    both = make_contact(acme, number="551184321100", canonical_number="5511984321100")
    other = make_contact(acme, number="5511984321109")
    for contact in (both, other, other):
        make_ticket(acme, contact=contact, connection=qr, status="closed").tags.add(tag)
    make_contact(acme, number="5511984321108")
    campaign = due(tag=tag)
    run_through(clock, campaign)
    numbers = CampaignRecipient.objects.order_by("id").values_list("canonical_number", flat=True)
    assert list(numbers) == [f"551198432110{digit}" for digit in (0, 1, 2, 9)]


def test_somebody_with_the_longest_user_id_is_written_to_like_everybody(
    clock: Clock, acme: Company, qr: Connection, due: Make, at_once: None
) -> None:
    tag = make_tag(acme)
    lid = f"BR.ENT.{'7' * 128}"
    number = f"{lid}@lid"
    long = make_contact(acme, number=number, canonical_number=f"lid:{lid}", lid=lid)
    make_ticket(acme, contact=long, connection=qr, status="closed").tags.add(tag)
    campaign = due(tag=tag)
    run_through(clock, campaign)
    assert states(campaign) == ["sent"] * 4
    recipient = CampaignRecipient.objects.get(canonical_number=f"lid:{lid}")
    assert recipient.message is not None
    assert (recipient.number, recipient.message.contact) == (number, long)
    assert recipient.message.remote_jid == number


def test_recipients_are_those_of_the_start(
    clock: Clock, due: Make, people: ContactList, at_once: None
) -> None:
    campaign = due()
    work()
    people.items.all().delete()
    run_through(clock, campaign)
    assert states(campaign) == ["sent"] * 3


def test_the_pace_is_that_of_the_settings(
    clock: Clock, acme: Company, qr: Connection, monkeypatch: pytest.MonkeyPatch
) -> None:
    listed = people_of(acme, 200)
    settings(acme, messageInterval=10, longerIntervalAfter=20, greaterInterval=60)
    campaign = make_campaign(acme, connection=qr, contact_list=listed)
    started = clock.now
    work()
    moments = []
    while reread(campaign).status == "EM_ANDAMENTO":
        clock.now = max(clock.now, reread(campaign).next_attempt_at)
        before = Message.objects.count()
        work()
        if Message.objects.count() > before:
            assert Message.objects.count() == before + 1
            moments.append(clock.now)
        provider_takes_all()
    assert Counter(states(campaign)) == {"sent": 200}
    gaps = [
        (after - before).total_seconds()
        for before, after in zip([started, *moments], moments, strict=False)
    ]
    longer = gaps[20::20]
    short = [gap for place, gap in enumerate(gaps) if not place or place % 20]
    assert len(longer) == 9
    assert 60 <= min(longer) <= max(longer) <= 70
    assert 0 <= min(short) <= max(short) <= 10
    # Spread over the interval, not all at one end of it.
    assert 3.5 < sum(short) / len(short) < 6.5


def test_the_evening_s_rest_waits_for_the_morning_and_says_so(
    clock: Clock, acme: Company, due: Make, at_once: None
) -> None:
    # São Paulo is three hours behind.
    clock.now = clock.now.replace(hour=23, minute=0, second=0, microsecond=0)
    CompanySetting.objects.create(company=acme, key="campaignSendingHours", value="08:00-20:00")
    campaign = due(scheduled_at=clock.now)
    work()
    morning = clock.now + timedelta(hours=12)
    assert reread(campaign).next_send_at == morning
    assert work() == 0
    clock.now = morning
    work()
    assert states(campaign) == ["queued"] * 3


def test_cancelling_takes_back_what_waits_and_a_restart_goes_on_paced_from_then(
    clock: Clock, admin: User, acme: Company, due: Make, told: list[Told]
) -> None:
    settings(acme, messageInterval=20, longerIntervalAfter=0, greaterInterval=0)
    campaign = due()
    work()
    clock.now = reread(campaign).next_attempt_at
    work()
    provider_takes_all()
    clock.now = reread(campaign).next_attempt_at
    work()
    assert states(campaign) == ["sent", "queued", "pending"]
    cancel_campaign(user=admin, campaign_id=campaign.pk)
    assert states(campaign) == ["sent", "pending", "pending"]
    assert deliver_due(limit=10) == 0
    held = Message.objects.get(ack=Ack.ERROR)
    assert held.reason_code == "campaign_cancelled"
    clock.pass_time(days=2)
    assert work() == 0
    with pytest.raises(CampaignNotRunning):
        cancel_campaign(user=admin, campaign_id=campaign.pk)
    restart_campaign(user=admin, campaign_id=campaign.pk)
    with pytest.raises(CampaignNotCancelled):
        restart_campaign(user=admin, campaign_id=campaign.pk)
    upcoming = reread(campaign).next_send_at
    assert upcoming is not None
    assert clock.now <= upcoming <= clock.now + timedelta(seconds=20)
    run_through(clock, campaign)
    assert states(campaign) == ["sent"] * 3
    shown = [each.payload["record"]["status"] for each in told]
    assert shown == ["EM_ANDAMENTO", "CANCELADA", "EM_ANDAMENTO", "FINALIZADA"]


def test_what_is_being_sent_when_it_is_cancelled_goes_its_way(
    clock: Clock, admin: User, due: Make, at_once: None
) -> None:
    campaign = due()
    work()
    work()
    first = Delivery.objects.earliest("id")
    Delivery.objects.filter(pk=first.pk).update(
        state="sending", owner="w#1", lease_expires_at=clock.now + timedelta(seconds=60)
    )
    cancel_campaign(user=admin, campaign_id=campaign.pk)
    assert states(campaign) == ["queued", "pending", "pending"]
    advance(locked_messages().get(pk=first.message_id), ack=Ack.SENT, external_id="out-1")
    assert states(campaign) == ["sent", "pending", "pending"]


def test_a_lost_connection_is_waited_for_and_said(
    clock: Clock, admin: User, qr: Connection, acme: Company, due: Make, told: list[Told]
) -> None:
    settings(acme, messageInterval=0, longerIntervalAfter=1, greaterInterval=60)
    campaign = due()
    work()
    work()
    assert states(campaign) == ["queued", "pending", "pending"]
    Connection.objects.filter(pk=qr.pk).update(status="DISCONNECTED", reason_code="connection_lost")
    for _ in range(9):
        clock.pass_time(seconds=61)
        work()
    assert states(campaign) == ["queued", "pending", "pending"]
    assert reread(campaign).wait_code == "connection_lost"
    Connection.objects.filter(pk=qr.pk).update(status="CONNECTED", reason_code="")
    clock.pass_time(seconds=61)
    work()
    # Nothing has piled up: the next one, and then the pause.
    assert states(campaign) == ["queued", "queued", "pending"]
    assert [each.payload["record"]["waitCode"] for each in told] == ["", "connection_lost", ""]


def test_a_claim_whose_worker_hangs_is_taken_over(clock: Clock, due: Make, at_once: None) -> None:
    campaign = due()
    work()
    Campaign.objects.filter(pk=campaign.pk).update(
        state="claimed", owner="dead#1", lease_expires_at=clock.now + timedelta(seconds=5)
    )
    assert work() == 0
    clock.pass_time(seconds=6)
    assert work() == 1
    assert states(campaign) == ["queued"] * 3


def test_confirmation_goes_first_and_any_answer_lets_the_message_go(
    clock: Clock, qr: Connection, due: Make, at_once: None
) -> None:
    campaign = due(texts=["A oferta"], asking=["Posso mandar uma oferta?"])
    work()
    work()
    assert states(campaign) == ["asking"] * 3
    provider_takes_all()
    assert states(campaign) == ["asked"] * 3
    answer(qr, "5511984321101", "hein?")
    assert states(campaign) == ["asked", "confirmed", "asked"]
    clock.pass_time(seconds=61)
    work()
    assert states(campaign) == ["asked", "queued", "asked"]
    provider_takes_all()
    clock.pass_time(hours=23)
    work()
    assert states(campaign) == ["asked", "sent", "asked"]
    clock.pass_time(hours=1)
    work()
    assert states(campaign) == ["not_confirmed", "sent", "not_confirmed"]
    assert reread(campaign).status == "FINALIZADA"
    sent = Message.objects.filter(source="campaign", contact__number="5511984321101")
    assert [each.body for each in sent.order_by("id")] == ["Posso mandar uma oferta?", "A oferta"]


def test_who_asks_to_leave_is_answered_once_and_never_written_to_again(
    clock: Clock, acme: Company, qr: Connection, due: Make, at_once: None
) -> None:
    campaign = due(asking=["Posso?"])
    work()
    work()
    provider_takes_all()
    answer(qr, "5511984321101", " Pârar! ")
    answer(qr, "5511984321101", "PARAR")
    assert states(campaign) == ["asked", "skipped", "asked"]
    assert [each.canonical_number for each in OptOut.objects.all()] == ["5511984321101"]
    assert OptOut.objects.get().campaign == campaign
    words = Message.objects.filter(source="bot", body__startswith="Pronto!")
    assert words.count() == 1
    another = due()
    run_through(clock, another)
    assert states(another) == ["sent", "skipped", "sent"]


def test_outside_the_window_only_a_template_goes(
    clock: Clock, acme: Company, connection: Connection, due: Make, at_once: None
) -> None:
    contact = make_contact(acme, number="5511984321102")
    make_ticket(
        acme,
        contact=contact,
        connection=connection,
        status="closed",
        last_inbound_at=clock.now - timedelta(hours=1),
    )
    campaign = due(connection=connection)
    run_through(clock, campaign)
    assert states(campaign) == ["skipped", "skipped", "sent"]
    reasons = CampaignRecipient.objects.order_by("id").values_list("reason_code", flat=True)
    assert list(reasons) == ["window_closed", "window_closed", ""]
    # Who is not written to gets neither a contact nor a ticket.
    assert Ticket.objects.count() == 1


def test_one_that_fails_ends_with_its_reason(clock: Clock, due: Make, at_once: None) -> None:
    campaign = due()
    work()
    work()
    message = Message.objects.earliest("id")
    advance(
        locked_messages().get(pk=message.pk),
        ack=Ack.ERROR,
        error_code="131026",
        error_reason="Fora do WhatsApp",
    )
    run_through(clock, campaign)
    assert states(campaign) == ["failed", "sent", "sent"]
    failed = CampaignRecipient.objects.get(state="failed")
    assert (failed.error_code, failed.error_reason) == ("131026", "Fora do WhatsApp")


def test_one_whose_ticket_is_deleted_on_its_way_ends(
    clock: Clock, admin: User, due: Make, at_once: None
) -> None:
    campaign = due()
    work()
    work()
    ticket = Ticket.objects.earliest("id")
    delete_ticket(user=admin, ticket_id=ticket.pk)
    run_through(clock, campaign)
    assert sorted(states(campaign)) == ["failed", "sent", "sent"]


def test_one_due_while_the_system_was_down_starts_and_nothing_fires_at_once(
    clock: Clock, due: Make
) -> None:
    campaign = due(scheduled_at=clock.now - timedelta(days=3))
    work()
    upcoming = reread(campaign).next_send_at
    assert upcoming is not None
    assert clock.now <= upcoming <= clock.now + timedelta(seconds=20)


def test_no_more_than_the_outbox_may_hold_stand_in_it(
    clock: Clock, acme: Company, qr: Connection, at_once: None
) -> None:
    listed = people_of(acme, 120)
    campaign = make_campaign(acme, connection=qr, contact_list=listed)
    work()
    for _ in range(5):
        work()
        clock.pass_time(seconds=2)
    assert Counter(states(campaign)) == {"queued": 50, "pending": 70}
    # A few that left are not worth handing others over; once they are some, it is filled up again.
    queued = CampaignRecipient.objects.filter(campaign=campaign, state="queued").order_by("pk")
    ids = list(queued.values_list("pk", flat=True))
    for count, standing in ((9, 41), (1, 50)):
        gone, ids = ids[:count], ids[count:]
        CampaignRecipient.objects.filter(pk__in=gone).update(state="failed")
        clock.pass_time(seconds=2)
        work()
        assert Counter(states(campaign))["queued"] == standing
    run_through(clock, campaign, seconds=2)
    assert set(states(campaign)) <= set(ENDED)
    assert Message.objects.count() == 120


def test_companies_that_do_not_pay_wait(clock: Clock, acme: Company, due: Make) -> None:
    due()
    acme.is_enabled = False
    acme.save()
    assert work() == 0


def test_everything_arrives_at_the_provider(
    acme: Company, connection: Connection, graph: GraphServer, at_once: None
) -> None:
    contact = make_contact(acme, number="5511984321107", name="Maria")
    make_ticket(
        acme,
        contact=contact,
        connection=connection,
        status="closed",
        last_inbound_at=timezone.now(),
    )
    listed = make_contact_list(acme, people=[("Pessoa 1", contact.number)])
    campaign = make_campaign(acme, connection=connection, contact_list=listed)
    work()
    work()
    assert deliver_due(limit=10) == 1
    assert [each["text"]["body"] for each in graph.messages] == ["Oi, Pessoa 1!"]
    assert states(campaign) == ["sent"]
    Campaign.objects.update(next_attempt_at=timezone.now())
    work()
    assert reread(campaign).status == "FINALIZADA"
