"""Sending running campaigns: recipients go to the outbox, each exactly once (rules/campaigns §4).

A worker claims a due campaign. One transaction then writes the messages of the next recipients,
their deliveries, the recipients' new state and the time of the next message (`handover`). A worker
that dies before the commit leaves pending recipients; one that dies after it leaves rows of the
outbox. Cancelling waits for that one transaction at most.
"""

import logging
from contextlib import suppress
from datetime import datetime, timedelta

from django.db import transaction
from django.db.models import Exists, OuterRef
from django.utils import timezone

from apps.campaigns import events
from apps.campaigns.models import (
    IN_OUTBOX,
    TO_GO,
    Campaign,
    CampaignRecipient,
    CampaignStatus,
    RecipientState,
)
from apps.campaigns.pacing import next_opening, together
from apps.campaigns.services.handover import (
    BATCH,
    ClaimLost,
    NoRoom,
    Refused,
    Run,
    hand_over,
    leave_until,
    locked_campaign,
    refuse,
)
from apps.campaigns.services.outcomes import ANSWER_TIME, is_over, settle_overdue
from apps.campaigns.services.starting import start_campaign
from apps.campaigns.services.stopping import stop_campaign
from apps.campaigns.services.template_holds import look_at_template
from apps.common.errors import DomainError
from apps.common.leases import (
    DEADLY_ATTEMPTS,
    Claim,
    LeasedWork,
    WorkerDied,
)
from apps.common.reasons import ReasonCode
from apps.common.wakeups import wake
from apps.companies.queries import companies_that_send
from apps.connections.models import ConnectionStatus, ProviderKind
from apps.connections.queries import COUNTED, connections_that_send, portfolio_of
from apps.connections.services import TemplateMediaNotFound, TemplatesUnavailable
from apps.contacts.models import Contact
from apps.tickets.models import Delivery, DeliveryKind, Ticket
from apps.tickets.queries.inbox import WINDOW
from apps.tickets.services.outbox import room_for_new_people

logger = logging.getLogger(__name__)

CAMPAIGNS = LeasedWork(
    model=Campaign,
    lease_setting="SCHEDULE_LEASE_SECONDS",
    only="work.company_id IN (%(companies)s)",
    counts=False,
)
# The most steps of one claim, if the settings ask for no pause.
MAX_STEPS = 50
# Recipients of a campaign that may be in the outbox: at least the first number. For an official
# connection as many as it sends in a second, up to the second number. That is more than leaves
# until the next look, and cancelling withdraws all of them. Free places are filled once there are
# `WORTH_FILLING`, because a small handover costs as much as a large one.
LEAST_AHEAD, MOST_AHEAD = 50, 200
FULL_SECONDS = 0.5
WORTH_FILLING = BATCH // 2
# Time until the next look at a campaign that has nothing to hand over; and at one that is blocked
# or whose last messages are in the outbox.
LOOK_SECONDS = 60.0
BLOCKED_SECONDS = 10.0


def send_due(*, limit: int) -> int:
    """Claim up to `limit` due campaigns and advance each; returns their number.

    Never call it inside a transaction.
    """
    paying = companies_that_send(timezone.now()).values("pk")
    with CAMPAIGNS.claimed(limit, companies=paying) as claim:
        for campaign_id in claim.ids:
            with suppress(ClaimLost):
                _attempt(campaign_id, claim)
        return len(claim.ids)


def _attempt(campaign_id: int, claim: Claim[Campaign]) -> None:
    try:
        try:
            _process(campaign_id, claim)
        except WorkerDied as death:
            stop_campaign(campaign_id, claim, death)
    except ClaimLost:
        raise
    except Exception:
        logger.exception("Campaign %s is put off by a fault of our own", campaign_id)
        _postpone(campaign_id, claim)


def _process(campaign_id: int, claim: Claim[Campaign]) -> None:
    campaign = Campaign.objects.filter(pk=campaign_id).select_related("connection").first()
    if campaign is None:
        return
    claim.begin(campaign, DEADLY_ATTEMPTS)
    if campaign.status == CampaignStatus.SCHEDULED:
        with transaction.atomic():
            campaign = locked_campaign(campaign_id, claim)
            start_campaign(campaign)
            leave_until(claim, campaign, campaign.next_send_at or timezone.now())
        return
    run = Run(campaign, claim)
    settle_overdue(campaign, timezone.now())
    for _ in range(MAX_STEPS):
        if not _go_on(run):
            return
    claim.retry_later(campaign, timezone.now(), "", attempts=0)
    wake("campaigns.send")


def _go_on(run: Run) -> bool:
    """Hand over the recipients who are due; returns whether others may follow at once."""
    campaign, now = run.campaign, timezone.now()
    if campaign.template_look_at is not None:
        held = _template_obstacle(run, now)
        if held is not None:
            _wait(run, *held)
            return False
    planned = _next_ones(campaign, together(run.pace, campaign.steps_count, BATCH))
    if not planned and is_over(campaign):
        _finish(run)
        return False
    if not planned:
        _wait(run, _next_look(campaign, now), "")
        return False
    if campaign.next_send_at is not None and campaign.next_send_at > now:
        _wait(run, campaign.next_send_at, "")
        return False
    obstacle = _obstacle(run, now)
    if obstacle is not None:
        until, reason = obstacle
        _wait(run, until, reason)
        return False
    planned = planned[: _room(campaign)]
    if not planned:
        _wait(run, *_next_room(campaign, now))
        return False
    planned, more_from = _admitted(campaign, planned)
    if not planned:
        _wait(run, next_opening(run.hours, more_from), ReasonCode.DAILY_CEILING)
        return False
    is_full = False
    while planned:
        try:
            return hand_over(run, planned)
        except Refused as refusal:
            refuse(run, refusal)
            planned = [each for each in planned if each.pk not in refusal.endings]
        except NoRoom:
            if is_full or not (planned := _who_takes_no_room(campaign, len(planned))):
                _wait(run, _room_at(campaign, now), ReasonCode.PORTFOLIO_LIMIT)
                return False
            is_full = True
    return True


def _next_ones(campaign: Campaign, most: int) -> list[CampaignRecipient]:
    """Return the next recipients, first those who have confirmed."""
    recipients = CampaignRecipient.objects.filter(campaign=campaign)
    confirmed = recipients.filter(state=RecipientState.CONFIRMED)
    found = list(confirmed.order_by("confirmed_at", "id")[:most])
    if len(found) < most:
        pending = recipients.filter(state=RecipientState.PENDING)
        found += pending.order_by("id")[: most - len(found)]
    return found


def _room(campaign: Campaign) -> int:
    """Return how many more recipients may be in the outbox, 0 while it is nearly full.

    The outbox sends them as fast as the number may.
    """
    connection = campaign.connection
    ahead = LEAST_AHEAD
    if connection is not None and connection.provider == ProviderKind.OFFICIAL:
        ahead = max(ahead, min(connection.sends_per_second or MOST_AHEAD, MOST_AHEAD))
    standing = CampaignRecipient.objects.filter(campaign=campaign, state__in=IN_OUTBOX)
    room = ahead - standing.count()
    return room if room >= WORTH_FILLING else 0


def _next_room(campaign: Campaign, now: datetime) -> tuple[datetime, str]:
    """Return when to look at a full outbox again, and the reason if all of its messages wait."""
    soon = now + timedelta(seconds=FULL_SECONDS)
    standing = CampaignRecipient.objects.filter(campaign=campaign, state__in=IN_OUTBOX)
    first = (
        Delivery.objects.unfinished()
        .filter(message__in=standing.values("first_message_pk"), kind=DeliveryKind.SEND)
        .order_by("next_attempt_at")
        .values_list("next_attempt_at", "message__reason_code")
        .first()
    )
    if first is None or first[0] <= soon:
        return soon, ""
    return min(first[0], now + timedelta(seconds=LOOK_SECONDS)), first[1]


def _admitted(
    campaign: Campaign, planned: list[CampaignRecipient]
) -> tuple[list[CampaignRecipient], datetime]:
    """Return whom a young number may write to today, and when it may start with other people.

    If none of the planned recipients is admitted, those who have written to the number are taken.
    """
    connection, now = campaign.connection, timezone.now()
    room, tomorrow = room_for_new_people(connection) if connection is not None else (None, now)
    if room is None:
        return planned, now
    written = Ticket.objects.filter(
        company=campaign.company_id,
        connection=connection,
        contact__canonical_number=OuterRef("canonical_number"),
        last_inbound_at__isnull=False,
    )
    known = CampaignRecipient.objects.filter(Exists(written), campaign=campaign, state__in=TO_GO)
    known_ids = set(known.filter(pk__in=[each.pk for each in planned]).values_list("pk", flat=True))
    new = [each.pk for each in planned if each.pk not in known_ids]
    held = set(new[room:])
    admitted = [each for each in planned if each.pk not in held]
    return admitted or list(known.order_by("id")[: len(planned)]), tomorrow


def _who_takes_no_room(campaign: Campaign, most: int) -> list[CampaignRecipient]:
    """Return recipients who may be written to though the number's portfolio is at its limit.

    They have an open window, or count towards the limit already.
    """
    connection, now = campaign.connection, timezone.now()
    portfolio = portfolio_of(connection) if connection is not None else None
    if portfolio is None:
        return []
    people = Contact.objects.for_company(campaign.company_id).filter(
        canonical_number=OuterRef("canonical_number")
    )
    wrote = Ticket.objects.filter(
        company=campaign.company_id,
        connection=connection,
        contact__canonical_number=OuterRef("canonical_number"),
        last_inbound_at__gt=now - WINDOW,
    )
    counted = portfolio.begun(since=now - COUNTED).values("contact_id")
    found = CampaignRecipient.objects.filter(
        Exists(wrote) | Exists(people.filter(pk__in=counted)), campaign=campaign, state__in=TO_GO
    )
    return list(found.order_by("id")[:most])


def _room_at(campaign: Campaign, now: datetime) -> datetime:
    """Return when to look again for room in the portfolio.

    A higher limit, a cancelled campaign or a contact who writes may make room earlier.
    """
    look = now + timedelta(seconds=LOOK_SECONDS)
    portfolio = portfolio_of(campaign.connection) if campaign.connection is not None else None
    frees_at = portfolio.frees_at(at=now) if portfolio is not None else None
    return min(look, frees_at) if frees_at is not None else look


def _next_look(campaign: Campaign, now: datetime) -> datetime:
    """Return when to look again at a campaign that has no recipient to write to at present.

    The outcome of the last message may be recorded during this look. It then finds no waiting
    campaign to make due. So the next look is soon while any message is in the outbox.
    """
    recipients = CampaignRecipient.objects.filter(campaign=campaign)
    if recipients.filter(state__in=IN_OUTBOX).exists():
        return now + timedelta(seconds=BLOCKED_SECONDS)
    soonest = (
        recipients.filter(state=RecipientState.ASKED)
        .order_by("confirmation_requested_at")
        .values_list("confirmation_requested_at", flat=True)
        .first()
    )
    look = now + timedelta(seconds=LOOK_SECONDS)
    return min(look, soonest + ANSWER_TIME) if soonest else look


def _obstacle(run: Run, now: datetime) -> tuple[datetime, str] | None:
    """Return until when nothing may be sent and why, or None if nothing is in the way."""
    campaign = run.campaign
    connection = campaign.connection
    blocked = now + timedelta(seconds=BLOCKED_SECONDS)
    if connection is None:
        return now + timedelta(seconds=LOOK_SECONDS), ReasonCode.CONNECTION_DELETED
    if not connections_that_send(now).filter(pk=connection.pk).exists():
        is_lost = connection.status != ConnectionStatus.CONNECTED
        return blocked, connection.reason_code or (
            ReasonCode.DISCONNECTED if is_lost else ReasonCode.NUMBER_LIMIT
        )
    opening = next_opening(run.hours, now)
    if opening > now:
        return opening, ReasonCode.SENDING_HOURS
    return _template_obstacle(run, now)


def _template_obstacle(run: Run, now: datetime) -> tuple[datetime, str] | None:
    """Return until when the template or its file keeps a campaign, and why."""
    try:
        return look_at_template(run, now)
    except TemplateMediaNotFound:
        return now + timedelta(seconds=LOOK_SECONDS), ReasonCode.MEDIA_GONE
    except TemplatesUnavailable as error:
        # Meta does not answer or refuses the file; the template itself is not at fault.
        reason = error.extra.get("reasonCode") or ReasonCode.MEDIA_REFUSED
        return now + timedelta(seconds=LOOK_SECONDS), reason
    except DomainError:
        return now + timedelta(seconds=LOOK_SECONDS), ReasonCode.TEMPLATE_UNKNOWN


@transaction.atomic
def _finish(run: Run) -> None:
    campaign = locked_campaign(run.campaign.pk, run.claim)
    campaign.status = CampaignStatus.FINISHED
    campaign.completed_at = campaign.updated_at = timezone.now()
    campaign.wait_code = ""
    # `finish` sets status and state in one statement: a constraint allows unfinished work only
    # while a campaign is planned or running.
    run.claim.finish(
        campaign,
        status=campaign.status,
        completed_at=campaign.completed_at,
        wait_code="",
        attempts=0,
        updated_at=campaign.updated_at,
    )
    events.campaign_updated(campaign)


@transaction.atomic
def _wait(run: Run, until: datetime, reason: str) -> None:
    """Release a campaign until a moment and, if the reason of its wait changes, emit it."""
    campaign = locked_campaign(run.campaign.pk, run.claim)
    if campaign.template_look_at is not None and run.campaign.template_look_at is None:
        # Its template was refused since it was read.
        until, reason = campaign.template_look_at, campaign.wait_code
    changes = campaign.wait_code != reason
    campaign.wait_code = reason
    leave_until(run.claim, campaign, until, wait_code=reason)
    if changes:
        events.campaign_updated(campaign)


@transaction.atomic
def _postpone(campaign_id: int, claim: Claim[Campaign]) -> None:
    """Retry a campaign later after an internal error, however often; only deaths stop it."""
    campaign = locked_campaign(campaign_id, claim)
    reason = "Erro interno ao continuar a campanha."
    claim.try_again(campaign, reason, wait_code=ReasonCode.INTERNAL)
