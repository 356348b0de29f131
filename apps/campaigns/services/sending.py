"""Running campaigns: who is next is handed to the outbox, each exactly once (rules/campaigns §4).

A due campaign is claimed; then one transaction writes a recipient's messages, their deliveries, the
recipient's new state and when the next one goes. A worker that dies before it leaves a recipient
who is still to be written to; one that dies after it leaves rows of the outbox. Whoever cancels
waits for that one transaction at most.
"""

import logging
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from functools import cached_property
from typing import Any

from django.db import transaction
from django.db.models import F
from django.utils import timezone

from apps.campaigns import events
from apps.campaigns.models import (
    IN_OUTBOX,
    Campaign,
    CampaignRecipient,
    CampaignStatus,
    OptOut,
    RecipientState,
)
from apps.campaigns.pacing import Hours, Pace, next_opening, next_send
from apps.campaigns.queries.campaign_settings import (
    campaign_settings_of,
    hours_of,
    pace_of,
    variables_of,
)
from apps.campaigns.services.outcomes import ANSWER_TIME, is_over, settle_overdue
from apps.campaigns.services.starting import CHANCE, start_campaign
from apps.campaigns.services.texts import contents_of, fill, fill_all, values_for, written
from apps.common.errors import DomainError
from apps.common.leases import Claim, LeasedWork, retry_delay
from apps.common.reasons import ReasonCode
from apps.common.wakeups import wake
from apps.companies.queries import companies_that_send, zone_of
from apps.connections.models import Connection, ConnectionStatus, ProviderKind
from apps.connections.queries import connections_that_send
from apps.connections.services import find_template
from apps.connections.template_values import read_values
from apps.connections.templates import Template
from apps.contacts.services import upsert_contact
from apps.tickets.models import MessageSource, Ticket
from apps.tickets.services.messages.variables import protocol_of, variables_for
from apps.tickets.services.outbox import Content, FilledTemplate, texts_of, write_message
from apps.tickets.services.tickets.addressing import ticket_for_sending
from apps.tickets.services.tickets.window import is_window_open

logger = logging.getLogger(__name__)

CAMPAIGNS = LeasedWork(
    model=Campaign,
    lease_setting="SCHEDULE_LEASE_SECONDS",
    only="work.company_id IN (%(companies)s)",
    counts=False,
)
# Recipients that one claim hands over at most, where the settings ask for no pause.
MAX_STEPS = 50
# So many may stand in the outbox: it sends them as fast as the number may.
MAX_AHEAD = 50
FULL_SECONDS = 1.0
# How often a campaign is looked at that has nothing to hand over, or that can't.
LOOK_SECONDS = 60.0
BLOCKED_SECONDS = 10.0
# For a message that is further off the sweep comes early enough.
LONGEST_WAKE_SECONDS = 10.0


class _ClaimLost(Exception):
    """Cancelled, deleted or taken over meanwhile: nothing of ours may stay."""


class _Refused(Exception):
    """Why a recipient can be sent nothing, and how it ends."""

    def __init__(self, state: RecipientState, reason: ReasonCode) -> None:
        self.state = state
        self.reason = reason
        super().__init__(reason)


@dataclass
class _Run:
    """What one claim of a campaign needs to know for all its steps."""

    campaign: Campaign
    claim: Claim[Campaign]
    settings: Mapping[str, Any] = field(init=False)

    def __post_init__(self) -> None:
        self.settings = campaign_settings_of(self.campaign.company_id)

    @cached_property
    def pace(self) -> Pace:
        return pace_of(self.settings)

    @cached_property
    def hours(self) -> Hours | None:
        return hours_of(self.campaign.company_id)

    @cached_property
    def own_variables(self) -> dict[str, str]:
        return variables_of(self.settings)

    @cached_property
    def template(self) -> Template | None:
        """The approved template; may ask Meta, so that no transaction may be open."""
        return template_for(self.campaign)


def template_for(campaign: Campaign) -> Template | None:
    """Return a campaign's approved template; raises what `find_template` does.

    It may ask Meta: never call it inside a transaction.
    """
    connection = campaign.connection
    if not campaign.template_name or connection is None:
        return None
    if connection.provider != ProviderKind.OFFICIAL:
        return None
    return find_template(
        connection, name=campaign.template_name, language=campaign.template_language
    )


def send_due(*, limit: int) -> int:
    """Claim up to `limit` due campaigns and take each a step further; returns their number.

    Never call it inside a transaction.
    """
    paying = companies_that_send(timezone.now()).values("pk")
    with CAMPAIGNS.claimed(limit, companies=paying) as claim:
        for campaign_id in claim.ids:
            try:
                _process(campaign_id, claim)
            except _ClaimLost:
                continue
            except Exception:
                logger.exception("Campaign %s stopped by a fault of our own", campaign_id)
                _postpone(campaign_id, claim)
        return len(claim.ids)


def _process(campaign_id: int, claim: Claim[Campaign]) -> None:
    campaign = Campaign.objects.filter(pk=campaign_id).select_related("connection").first()
    if campaign is None:
        return
    if campaign.status == CampaignStatus.SCHEDULED:
        with transaction.atomic():
            campaign = _locked(campaign_id, claim)
            start_campaign(campaign)
            _leave_until(claim, campaign, campaign.next_send_at or timezone.now())
        return
    run = _Run(campaign, claim)
    settle_overdue(campaign, timezone.now())
    for _ in range(MAX_STEPS):
        if not _go_on(run):
            return
    claim.retry_later(campaign, timezone.now(), "", attempts=0)
    wake("campaigns.send")


def _go_on(run: _Run) -> bool:
    """Hand over the next recipient; returns whether another may follow at once."""
    campaign, now = run.campaign, timezone.now()
    recipients = CampaignRecipient.objects.filter(campaign=campaign)
    following = (
        recipients.filter(state=RecipientState.CONFIRMED).order_by("confirmed_at", "id").first()
        or recipients.filter(state=RecipientState.PENDING).order_by("id").first()
    )
    if following is None and is_over(campaign):
        _finish(run)
        return False
    if following is None:
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
    try:
        return _hand_over(run, following)
    except _Refused as refusal:
        _refuse(run, following, refusal)
        return True


def _next_look(campaign: Campaign, now: datetime) -> datetime:
    """Return when to look again at a campaign that has nobody left to write to just now."""
    soonest = (
        CampaignRecipient.objects.filter(campaign=campaign, state=RecipientState.ASKED)
        .order_by("confirmation_requested_at")
        .values_list("confirmation_requested_at", flat=True)
        .first()
    )
    look = now + timedelta(seconds=LOOK_SECONDS)
    return min(look, soonest + ANSWER_TIME) if soonest else look


def _obstacle(run: _Run, now: datetime) -> tuple[datetime, str] | None:
    """Return until when nothing may go and why, None where nothing is in the way."""
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
    in_outbox = CampaignRecipient.objects.filter(campaign=campaign, state__in=IN_OUTBOX)
    if in_outbox.count() >= MAX_AHEAD:
        return now + timedelta(seconds=FULL_SECONDS), ""
    try:
        _ = run.template
    except DomainError:
        return now + timedelta(seconds=LOOK_SECONDS), ReasonCode.TEMPLATE_UNKNOWN
    return None


def _hand_over(run: _Run, planned: CampaignRecipient) -> bool:
    """Put a recipient's messages into the outbox and name the next one's moment.

    Returns whether that is now. Raises _Refused, and leaves neither contact nor ticket behind.
    """
    connection = run.campaign.connection
    if connection is None:
        raise _ClaimLost
    with transaction.atomic():
        contact = upsert_contact(
            company_id=planned.company_id,
            number=planned.number,
            name=planned.name,
            is_typed=True,
        )
        # Tickets are locked before campaigns, as everywhere.
        ticket = ticket_for_sending(contact=contact, connection=connection)
        campaign = _locked(run.campaign.pk, run.claim)
        recipient = (
            CampaignRecipient.objects.select_for_update(no_key=True)
            .filter(pk=planned.pk, state=planned.state)
            .first()
        )
        if recipient is None:  # somebody answered meanwhile
            return True
        _write(run, recipient, ticket, connection)
        recipient.save()
        campaign.steps_count += 1
        now = timezone.now()
        upcoming = next_send(
            run.pace, run.hours, now=now, count=campaign.steps_count, chance=CHANCE.random()
        )
        was_waiting, campaign.wait_code = campaign.wait_code, ""
        campaign.next_send_at = upcoming
        campaign.save(update_fields=["steps_count", "next_send_at", "wait_code"])
        run.campaign.steps_count = campaign.steps_count
        run.campaign.next_send_at, run.campaign.wait_code = upcoming, ""
        if was_waiting:
            events.campaign_updated(campaign)
        if upcoming > now:
            _leave_until(run.claim, campaign, upcoming)
            return False
    return True


@transaction.atomic
def _refuse(run: _Run, planned: CampaignRecipient, refusal: _Refused) -> None:
    """Record why a recipient gets nothing; who comes next need not wait for it."""
    _locked(run.campaign.pk, run.claim)
    CampaignRecipient.objects.filter(pk=planned.pk, state=planned.state).update(
        state=refusal.state, reason_code=refusal.reason
    )


def _write(run: _Run, recipient: CampaignRecipient, ticket: Ticket, connection: Connection) -> None:
    """Write what the recipient gets next and note it there; raises _Refused."""
    campaign = run.campaign
    out = OptOut.objects.filter(
        company=recipient.company_id, canonical_number=ticket.contact.canonical_number
    )
    if out.exists():
        raise _Refused(RecipientState.SKIPPED, ReasonCode.OPTED_OUT)
    is_asking = (
        campaign.asks_confirmation
        and recipient.state == RecipientState.PENDING
        and bool(written(campaign.confirmation_texts))
    )
    texts = campaign.confirmation_texts if is_asking else campaign.texts
    is_open = is_window_open(ticket, connection)
    if not is_open and run.template is None:
        raise _Refused(RecipientState.SKIPPED, ReasonCode.WINDOW_CLOSED)
    values = values_for(recipient, run.own_variables)
    contents: list[Content]
    number = None
    if run.template is not None and (not is_open or not written(texts)):
        given = read_values(run.template, fill_all(campaign.template_components, values))
        if given.faults:
            raise _Refused(RecipientState.FAILED, ReasonCode.DATA_MISSING)
        contents = [FilledTemplate(run.template, given)]
    else:
        number = CHANCE.choice(written(texts)) if written(texts) else None
        text = filled(texts[number - 1], ticket, values) if number else ""
        contents = list(texts_of(text)) if is_asking else contents_of(campaign, text)
    if not contents:
        raise _Refused(RecipientState.FAILED, ReasonCode.DATA_MISSING)
    messages = [
        write_message(content, ticket=ticket, user=None, source=MessageSource.CAMPAIGN)
        for content in contents
    ]
    if is_asking:
        recipient.state = RecipientState.ASKING
        recipient.confirmation_message = messages[-1]
    else:
        recipient.state = RecipientState.QUEUED
        recipient.message = messages[-1]
        recipient.variant = number
    recipient.first_message_pk = messages[0].pk
    recipient.queued_at = timezone.now()


def filled(text: str, ticket: Ticket, values: Mapping[str, str]) -> str:
    """Return a text with its variables filled in for a ticket's contact."""
    now = timezone.now().astimezone(zone_of(ticket.company_id))
    common = variables_for(name=ticket.contact.name, protocol=protocol_of(ticket), now=now)
    return fill(text, values, common).strip()


@transaction.atomic
def _finish(run: _Run) -> None:
    campaign = _locked(run.campaign.pk, run.claim)
    campaign.status = CampaignStatus.FINISHED
    campaign.completed_at = campaign.updated_at = timezone.now()
    campaign.wait_code = ""
    # The row is no work any more before it says that it is over: the database holds both together.
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
def _wait(run: _Run, until: datetime, reason: str) -> None:
    """Leave a campaign until a moment and, where that changes, say what it waits for."""
    campaign = _locked(run.campaign.pk, run.claim)
    changes = campaign.wait_code != reason
    campaign.wait_code = reason
    _leave_until(run.claim, campaign, until, wait_code=reason)
    if changes:
        events.campaign_updated(campaign)


def _leave_until(claim: Claim[Campaign], campaign: Campaign, until: datetime, **also: Any) -> None:
    claim.retry_later(campaign, until, "", attempts=0, **also)
    gap = (until - timezone.now()).total_seconds()
    if gap <= LONGEST_WAKE_SECONDS:
        wake("campaigns.send", after=max(gap, 0.0))


@transaction.atomic
def _postpone(campaign_id: int, claim: Claim[Campaign]) -> None:
    """Leave a campaign for later after a fault of our own."""
    campaign = _locked(campaign_id, claim)
    until = timezone.now() + timedelta(seconds=retry_delay(campaign.attempts + 1))
    claim.retry_later(
        campaign,
        until,
        "Erro interno ao continuar a campanha.",
        attempts=F("attempts") + 1,
        wait_code=ReasonCode.INTERNAL,
    )


def _locked(campaign_id: int, claim: Claim[Campaign]) -> Campaign:
    """Return the campaign, locked: whoever cancels or deletes it waits for this one step."""
    found = (
        claim.held(campaign_id)
        .select_for_update(of=("self",), no_key=True)
        .select_related("connection", "contact_list", "segment")
        .filter(status__in=(CampaignStatus.SCHEDULED, CampaignStatus.RUNNING))
        .first()
    )
    if found is None:
        raise _ClaimLost
    return found
