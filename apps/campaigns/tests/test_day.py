"""Campaigns through a day and a night of a simulated clock: pace, hours, and an end for each."""

import random
from collections import Counter
from collections.abc import Iterator
from datetime import datetime, time, timedelta
from itertools import pairwise
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from django.db import transaction

from apps.campaigns.models import (
    Campaign,
    CampaignRecipient,
    CampaignSetting,
    ContactListItem,
    OptOut,
)
from apps.campaigns.pacing import Hours, Pace, next_send
from apps.campaigns.services.outcomes import settle
from apps.campaigns.services.sending import send_due
from apps.campaigns.tests.conftest import Clock
from apps.companies.models import Company, CompanySetting
from apps.connections.models import Connection
from apps.realtime import emit as realtime
from apps.tickets.models import Ack, Message
from tests.events import Listeners
from tests.factories import make_campaign, make_contact_list

SAO_PAULO = ZoneInfo("America/Sao_Paulo")
HOURS = Hours(time(8), time(20), SAO_PAULO)
AFTERNOON = datetime(2026, 11, 24, 15, tzinfo=SAO_PAULO)


def gaps_of(moments: list[datetime], after: int) -> tuple[list[float], list[float], list[float]]:
    """Return the seconds between sends: the short ones, the longer ones, and the nights."""
    short: list[float] = []
    longer: list[float] = []
    nights: list[float] = []
    for place, (before, moment) in enumerate(pairwise(moments), 1):
        gap = (moment - before).total_seconds()
        if before.astimezone(SAO_PAULO).date() != moment.astimezone(SAO_PAULO).date():
            nights.append(gap)
        else:
            (longer if place % after == 0 else short).append(gap)
    return short, longer, nights


def check_hours(moments: list[datetime]) -> None:
    """Nothing goes at night, and the morning begins with what the evening left."""
    assert all(HOURS.is_open(moment) for moment in moments)
    mornings = [
        moment
        for before, moment in pairwise(moments)
        if before.astimezone(SAO_PAULO).date() != moment.astimezone(SAO_PAULO).date()
    ]
    assert {moment.astimezone(SAO_PAULO).time() for moment in mornings} == {time(8)}


def test_ten_thousand_keep_the_pace_and_the_hours() -> None:
    pace, chance = Pace(5, 20, 20), random.Random(11)
    moments = [next_send(pace, HOURS, now=AFTERNOON, count=0, chance=chance.random())]
    for count in range(1, 10_000):
        now = moments[-1]
        moments.append(next_send(pace, HOURS, now=now, count=count, chance=chance.random()))
    check_hours(moments)
    short, longer, nights = gaps_of(moments, 20)
    # As many pauses in each second of the interval, give or take a tenth of them.
    seconds = Counter(int(gap) for gap in short)
    assert set(seconds) == set(range(5))
    assert all(abs(count - len(short) / 5) < len(short) / 50 for count in seconds.values())
    assert len(longer) + len(short) + len(nights) == 9_999
    assert 20 <= min(longer) <= max(longer) <= 25
    assert len(nights) == 1


PEOPLE, INTERVAL, AFTER, LONGER = 120, 600, 20, 120


def plan(acme: Company, qr: Connection, clock: Clock, count: int, **settings: int) -> Campaign:
    """Make a campaign from the afternoon on; some may not be written to."""
    clock.now = AFTERNOON
    for key, value in settings.items():
        CampaignSetting.objects.create(company=acme, key=key, value=value)
    CompanySetting.objects.create(company=acme, key="campaignSendingHours", value="08:00-20:00")
    listed = make_contact_list(acme)
    people = [
        ContactListItem(
            company=acme,
            contact_list=listed,
            name=f"Pessoa {each}",
            number=f"55119{each:08d}",
            canonical_number=f"55119{each:08d}",
            is_whatsapp_valid=each % 40 != 7,
        )
        for each in range(count)
    ]
    ContactListItem.objects.bulk_create(people, batch_size=1000)
    left = [OptOut(company=acme, canonical_number=each.canonical_number) for each in people[::60]]
    OptOut.objects.bulk_create(left)
    return make_campaign(acme, connection=qr, contact_list=listed, scheduled_at=AFTERNOON)


def provider_answers(chance: random.Random) -> None:
    """Let the provider take what waits, and refuse one in twenty of it."""
    waiting = list(Message.objects.filter(source="campaign", ack=Ack.PENDING))
    outcomes: dict[Ack, list[int]] = {Ack.SENT: [], Ack.ERROR: []}
    for message in waiting:
        message.ack = Ack.ERROR if chance.random() < 0.05 else Ack.SENT
        message.error_code = "131026" if message.ack == Ack.ERROR else ""
        outcomes[Ack(message.ack)].append(message.pk)
    with transaction.atomic():
        for ack, ids in outcomes.items():
            code = "131026" if ack == Ack.ERROR else ""
            Message.objects.filter(pk__in=ids).update(ack=ack, error_code=code)
        settle(waiting)


def looks(clock: Clock, campaign: Campaign, most: int) -> Iterator[dict[str, Any]]:
    """Let a worker look whenever the campaign asks for it; gives what stands after each look."""
    for _ in range(most):
        send_due(limit=1)
        found = Campaign.objects.filter(pk=campaign.pk)
        row = found.values("status", "steps_count", "next_attempt_at", "started_at").get()
        yield dict(row)
        if row["status"] == "FINALIZADA":
            return
        clock.now = max(clock.now, row["next_attempt_at"])
    pytest.fail("It never ends")


@pytest.mark.django_db(transaction=True)
@pytest.mark.postgres
def test_a_campaign_over_a_day_keeps_pace_and_hours_and_each_ends_once(
    acme: Company, qr: Connection, clock: Clock
) -> None:
    campaign = plan(
        acme,
        qr,
        clock,
        PEOPLE,
        messageInterval=INTERVAL,
        longerIntervalAfter=AFTER,
        greaterInterval=LONGER,
    )
    chance = random.Random(3)
    moments: list[datetime] = []
    for row in looks(clock, campaign, 20 * PEOPLE):
        if row["steps_count"] > len(moments):
            # One at a time, whatever else the look had to do.
            assert row["steps_count"] == len(moments) + 1
            moments.append(clock.now)
        provider_answers(chance)
    check_hours(moments)
    short, longer, nights = gaps_of(moments, AFTER)
    assert len(nights) == 1
    assert 0 <= min(short) <= max(short) <= INTERVAL
    assert LONGER <= min(longer) <= max(longer) <= LONGER + INTERVAL
    # Spread over the interval; beyond these bounds lie five times its deviation.
    assert INTERVAL * 0.35 < sum(short) / len(short) < INTERVAL * 0.65
    states = Counter(CampaignRecipient.objects.values_list("state", "reason_code"))
    assert states["skipped", "not_reachable"] == PEOPLE / 40
    assert states["skipped", "opted_out"] == PEOPLE / 60
    sent = Counter(state for state, _ in states.elements())
    assert sent["sent"] + sent["failed"] == len(moments)
    assert sum(sent.values()) == PEOPLE
    assert sent["failed"] > 0
    # Each of them got one message.
    texts = Message.objects.filter(source="campaign").values_list("contact_id", flat=True)
    assert len(texts) == len(set(texts)) == len(moments)
    assert clock.now - AFTERNOON < timedelta(days=2)


MANY, AT_ONCE, PAUSE = 10_000, 40, 100


@pytest.fixture
def unheard(listeners: Listeners, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody listens: to judge each event of ten thousand messages takes longer than they do."""
    monkeypatch.setattr(realtime, "_publish", lambda *_: None)


@pytest.mark.django_db(transaction=True)
@pytest.mark.postgres
@pytest.mark.usefixtures("unheard")
def test_each_of_ten_thousand_ends_once_and_goes_at_a_moment_that_the_settings_allow(
    acme: Company, qr: Connection, clock: Clock
) -> None:
    """As above without a random pause, so that forty are handed over at a time."""
    settings = {"messageInterval": 0, "longerIntervalAfter": AT_ONCE, "greaterInterval": PAUSE}
    campaign = plan(acme, qr, clock, MANY, **settings)
    chance = random.Random(5)
    for _ in looks(clock, campaign, MANY):
        provider_answers(chance)
    recipients = CampaignRecipient.objects.filter(campaign=campaign)
    assert set(recipients.values_list("state", flat=True)) == {"sent", "failed", "skipped"}
    reasons = Counter(recipients.filter(state="skipped").values_list("reason_code", flat=True))
    assert reasons == {"not_reachable": MANY // 40, "opted_out": len(range(0, MANY, 60))}
    written = recipients.exclude(state="skipped")
    count = MANY - sum(reasons.values())
    assert written.count() == count
    assert 0.03 < written.filter(state="failed").count() / count < 0.07
    # One message each, and no other.
    assert written.values("message").distinct().count() == count
    assert Message.objects.filter(source="campaign").count() == count
    assert Message.objects.values("contact").distinct().count() == count

    # The histogram: how many went at one moment, and how far the next moment is.
    queued = written.values_list("queued_at", flat=True)
    together = Counter(moment for moment in queued if moment is not None)
    moments = sorted(together)
    check_hours(moments)
    full = -(-count // AT_ONCE)
    assert len(moments) == full
    assert Counter(together.values()) == {AT_ONCE: count // AT_ONCE, **rest_of(count, AT_ONCE)}
    gaps = Counter((after - before).total_seconds() for before, after in pairwise(moments))
    nights = [gap for gap in gaps if gap > PAUSE]
    assert [gaps[gap] for gap in nights] == [1]
    assert gaps[PAUSE] == full - 2
    assert clock.now - AFTERNOON < timedelta(days=1)


def rest_of(count: int, size: int) -> dict[int, int]:
    """Return the last, smaller group, where there is one."""
    return {count % size: 1} if count % size else {}
