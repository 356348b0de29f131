"""Who leaves while a message to them is on its way."""

from collections.abc import Sequence
from datetime import timedelta

import pytest
from django.db import transaction

from apps.campaigns.models import CampaignRecipient, OptOut
from apps.campaigns.services.sending import send_due
from apps.campaigns.tests.conftest import Clock, Make
from apps.campaigns.tests.test_sending import answer, provider_takes_all, reread, states
from apps.companies.models import Company
from apps.connections.models import Connection, SendPace
from apps.tickets.models import Ack, Delivery, Message
from apps.tickets.services.outbox.deliveries import deliver_due
from apps.tickets.services.outbox.statuses import advance, locked_messages
from tests.factories import make_connection

pytestmark = pytest.mark.django_db
SECOND = "5511984321101"


def hand_over() -> None:
    """Start what is due and put it into the outbox."""
    for _ in range(2):
        send_due(limit=10)


def waiting() -> Sequence[str]:
    """Return what campaigns have in the outbox, by the numbers that it goes to."""
    rows = Delivery.objects.unfinished().filter(message__source="campaign").order_by("id")
    return list(rows.values_list("contact__number", flat=True))


def withdrawn() -> Message:
    return Message.objects.get(source="campaign", ack=Ack.ERROR)


@pytest.mark.usefixtures("at_once")
def test_a_message_that_waits_in_the_outbox_does_not_go(
    clock: Clock, qr: Connection, due: Make
) -> None:
    campaign = due()
    hand_over()
    assert states(campaign) == ["queued"] * 3
    answer(qr, SECOND, "SAIR")
    assert states(campaign) == ["queued", "skipped", "queued"]
    assert waiting() == ["5511984321100", "5511984321102"]
    assert (withdrawn().contact.number, withdrawn().reason_code) == (SECOND, "opted_out")
    recipient = CampaignRecipient.objects.get(state="skipped")
    assert (recipient.reason_code, recipient.error_reason) == ("opted_out", "")
    assert (recipient.message, recipient.variant) == (None, None)
    # It is confirmed all the same, and the campaign ends without it.
    assert Delivery.objects.unfinished().filter(message__source="bot").count() == 1
    provider_takes_all()
    clock.pass_time(seconds=61)
    send_due(limit=10)
    assert states(campaign) == ["sent", "skipped", "sent"]
    assert reread(campaign).status == "FINALIZADA"


@pytest.mark.usefixtures("at_once")
def test_a_request_for_a_confirmation_is_taken_back_too(
    clock: Clock, qr: Connection, due: Make
) -> None:
    campaign = due(asking=["Posso?"])
    hand_over()
    assert states(campaign) == ["asking"] * 3
    answer(qr, SECOND, "SAIR")
    assert states(campaign) == ["asking", "skipped", "asking"]
    assert waiting() == ["5511984321100", "5511984321102"]
    assert (withdrawn().body, withdrawn().reason_code) == ("Posso?", "opted_out")


@pytest.mark.usefixtures("at_once")
def test_the_word_lets_nothing_go_that_a_young_number_holds(
    clock: Clock, qr: Connection, due: Make
) -> None:
    campaign = due()
    hand_over()
    qr.warmup_contacts = 1
    qr.save()
    SendPace.objects.create(
        connection=qr,
        first_date=clock.now.date() - timedelta(days=1),
        day_ends_at=clock.now + timedelta(hours=6),
        day_contacts=[0] * 30,
    )
    clock.pass_time(minutes=5)  # what was written just now has the real clock's time
    while deliver_due(limit=10):
        pass
    held = Delivery.objects.filter(message__reason_code="daily_ceiling")
    assert held.filter(next_attempt_at__gt=clock.now).count() == 3
    answer(qr, SECOND, "SAIR")
    answer(qr, "5511984321102", "Oi!")
    assert states(campaign) == ["queued", "skipped", "queued"]
    due_now = Delivery.objects.unfinished().filter(
        message__source="campaign", next_attempt_at__lte=clock.now
    )
    # Who wrote anything else is no new conversation.
    assert [each.contact.number for each in due_now] == ["5511984321102"]
    assert withdrawn().contact.number == SECOND


@pytest.mark.usefixtures("at_once")
def test_other_numbers_of_the_company_keep_from_writing_as_well(
    clock: Clock, acme: Company, qr: Connection, due: Make
) -> None:
    campaigns = [due(), due(connection=make_connection(acme, name="B", provider="beta"))]
    hand_over()
    answer(qr, SECOND, "SAIR")
    assert [states(each) for each in campaigns] == [["queued", "skipped", "queued"]] * 2
    assert SECOND not in waiting()


@pytest.mark.usefixtures("at_once")
def test_what_is_being_sent_right_now_goes_its_way(clock: Clock, qr: Connection, due: Make) -> None:
    campaign = due()
    hand_over()
    sending = Delivery.objects.get(contact__number=SECOND)
    sending.state, sending.owner = "sending", "w#1"
    sending.lease_expires_at = clock.now + timedelta(seconds=60)
    sending.save()
    answer(qr, SECOND, "SAIR")
    assert states(campaign) == ["queued"] * 3
    with transaction.atomic():
        message = locked_messages().get(pk=sending.message_id)
        advance(message, ack=Ack.SENT, external_id="out-1")
    assert states(campaign) == ["queued", "sent", "queued"]
    assert OptOut.objects.get().canonical_number == SECOND
