"""Handover of recipients to the outbox, each exactly once (rules/campaigns §4).

Recipients who may be written to at the same moment are handed over in one transaction. It writes
their messages and deliveries, their new state and the time of the next message. Data that all of
them share is read once.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta, tzinfo
from functools import cached_property
from typing import Any

from django.db import transaction
from django.utils import timezone

from apps.campaigns import events
from apps.campaigns.models import (
    TO_GO,
    Campaign,
    CampaignRecipient,
    CampaignStatus,
    OptOut,
    RecipientState,
)
from apps.campaigns.pacing import Hours, Pace, closing, next_opening, next_send
from apps.campaigns.queries.campaign_settings import (
    campaign_settings_of,
    hours_of,
    pace_of,
    variables_of,
)
from apps.campaigns.queries.campaigns import SHOWN_LINKS
from apps.campaigns.services.headers import with_usable_files
from apps.campaigns.services.remembered_numbers import remember_written
from apps.campaigns.services.starting import CHANCE
from apps.campaigns.services.texts import contents_of, fill_all, filled, values_for, written
from apps.common.bulk import update_rows
from apps.common.leases import Claim
from apps.common.reasons import ReasonCode
from apps.common.wakeups import wake
from apps.companies.queries import zone_of
from apps.connections.models import Connection, ProviderKind
from apps.connections.queries import Portfolio, portfolio_of
from apps.connections.services import find_template
from apps.connections.template_values import read_values
from apps.connections.templates import Template
from apps.contacts.services import Sender, upsert_contacts
from apps.tickets.models import Delivery, MessageSource, Ticket
from apps.tickets.origins import Origin
from apps.tickets.owners import is_ours
from apps.tickets.services.messages.addressing import tickets_for_sending
from apps.tickets.services.outbox import (
    Content,
    Draft,
    FilledTemplate,
    counted_among,
    draft,
    texts_of,
    use_of,
    write_drafts,
)
from apps.tickets.services.window import contacts_in_window

# Recipients in one transaction. Cancelling, or writing to one of them, waits for all of them.
BATCH = 20
# For a later message the periodic sweep is early enough.
LONGEST_WAKE_SECONDS = 10.0
WRITTEN_FIELDS = (
    "state",
    "confirmation_message",
    "message",
    "variant",
    "first_message_pk",
    "queued_at",
)

Ending = tuple[RecipientState, ReasonCode]


class ClaimLost(Exception):
    """The campaign was cancelled, deleted or claimed by another worker: roll back."""


class Refused(Exception):
    """Some recipients can't be sent anything; `endings` has their state and reason, by id."""

    def __init__(self, endings: Mapping[int, Ending]) -> None:
        self.endings = endings
        super().__init__(endings)


class NoRoom(Exception):
    """The number's portfolio may begin no conversation with any of the recipients: roll back."""


@dataclass
class Run:
    """The data that all steps of one claim share."""

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
    def zone(self) -> tzinfo:
        return zone_of(self.campaign.company_id)

    @cached_property
    def own_variables(self) -> dict[str, str]:
        """The variables that the company defined."""
        return variables_of(self.settings)

    @cached_property
    def template(self) -> Template | None:
        """The approved template; the first access may ask Meta, so no transaction may be open."""
        return template_for(self.campaign)


@dataclass(frozen=True)
class _Letter:
    """What one recipient gets: the request for a confirmation, or the message."""

    recipient: CampaignRecipient
    drafts: Sequence[Draft]
    variant: int | None
    is_asking: bool


def template_for(campaign: Campaign) -> Template | None:
    """Return a campaign's approved template, and update its file ids to ones that Meta still has.

    Raises what `find_template` and `with_usable_files` do. It may ask Meta: never call it inside a
    transaction.
    """
    connection = campaign.connection
    if not campaign.template_name or connection is None:
        return None
    if connection.provider != ProviderKind.OFFICIAL:
        return None
    template = find_template(
        connection, name=campaign.template_name, language=campaign.template_language
    )
    campaign.template_components = with_usable_files(connection, campaign.template_components)
    return template


@transaction.atomic
def hand_over(run: Run, planned: Sequence[CampaignRecipient]) -> bool:
    """Put recipients' messages into the outbox and set the time of the next one.

    Those whom the number's portfolio has no room for stay planned. Returns whether the next one is
    due now. Raises ClaimLost, and Refused and NoRoom, which also roll back new contacts and
    tickets.
    """
    connection = run.campaign.connection
    if connection is None:
        raise ClaimLost
    portfolio = locked_portfolio(connection)
    contacts = upsert_contacts(
        [Sender(each.company_id, each.number, each.name, is_typed=True) for each in planned]
    )
    # Lock order, as everywhere: tickets before campaigns.
    tickets = tickets_for_sending(contacts=contacts, connection=connection, for_campaign=True)
    addressed = {
        each.pk: tickets[contact.pk] for each, contact in zip(planned, contacts, strict=True)
    }
    campaign = locked_campaign(run.campaign.pk, run.claim)
    if campaign.template_look_at is not None:  # held since it was read
        run.campaign.template_look_at = campaign.template_look_at
        run.campaign.wait_code = campaign.wait_code
        return True
    still = _still_planned(planned)
    if portfolio is not None and still:
        still = _with_room(portfolio, still, addressed, connection)
    letters = _letters(run, still, addressed, connection)
    if not letters:  # all of them changed state meanwhile
        return True
    _write(letters, closing(run.hours, timezone.now()))
    campaign.steps_count += len(letters)
    now = timezone.now()
    upcoming = next_send(
        run.pace, run.hours, now=now, count=campaign.steps_count, chance=CHANCE.random()
    )
    was_waiting, campaign.wait_code = campaign.wait_code, ""
    campaign.next_send_at = upcoming
    campaign.attempts = campaign.template_looks = 0  # it made progress
    campaign.save(
        update_fields=["steps_count", "next_send_at", "wait_code", "attempts", "template_looks"]
    )
    run.campaign.steps_count = campaign.steps_count
    run.campaign.next_send_at, run.campaign.wait_code = upcoming, ""
    if was_waiting:
        events.campaign_updated(campaign)
    if upcoming > now:
        leave_until(run.claim, campaign, upcoming)
        return False
    return True


@transaction.atomic
def refuse(run: Run, refusal: Refused) -> None:
    """Record why recipients get nothing, so that they do not hold up the others."""
    locked_campaign(run.campaign.pk, run.claim)
    for ending in set(refusal.endings.values()):
        ids = [pk for pk, each in refusal.endings.items() if each == ending]
        state, reason = ending
        CampaignRecipient.objects.filter(pk__in=ids, state__in=TO_GO).update(
            state=state, reason_code=reason
        )


def locked_portfolio(connection: Connection) -> Portfolio | None:
    """Return the portfolio of a number if it has a limit, locked until commit.

    Two campaigns of its numbers may not both take its last room. Connections are locked before
    tickets.
    """
    portfolio = portfolio_of(connection)
    if portfolio is None or portfolio.limit is None:
        return None
    ids = [number.pk for number in portfolio.numbers]
    rows = Connection.objects.select_for_update(no_key=True).filter(pk__in=ids).order_by("pk")
    list(rows.values_list("pk"))
    return portfolio


def _with_room(
    portfolio: Portfolio,
    recipients: Sequence[CampaignRecipient],
    tickets: Mapping[int, Ticket],
    connection: Connection,
) -> list[CampaignRecipient]:
    """Return the recipients to whom the portfolio's limit lets the number write. Raises NoRoom.

    Who has an open window, or counts already, takes no room.
    """
    contacts = {each.pk: tickets[each.pk].contact_id for each in recipients}
    use = use_of(portfolio)
    free = (
        contacts_in_window(contacts.values(), connection)
        | counted_among(portfolio, contacts.values())
        | use.standing
    )
    left = use.left(portfolio.limit or 0)
    beginning = [pk for pk, contact_id in contacts.items() if contact_id not in free]
    held = set(beginning[left:])
    admitted = [each for each in recipients if each.pk not in held]
    if not admitted:
        raise NoRoom
    return admitted


def _still_planned(planned: Sequence[CampaignRecipient]) -> list[CampaignRecipient]:
    """Lock the recipients and return those whose state has not changed since they were read."""
    states = {each.pk: each.state for each in planned}
    rows = CampaignRecipient.objects.select_for_update(no_key=True).filter(pk__in=states)
    found = {each.pk: each for each in rows.order_by("pk") if each.state == states[each.pk]}
    return [found[pk] for pk in states if pk in found]


def _letters(
    run: Run,
    recipients: Sequence[CampaignRecipient],
    tickets: Mapping[int, Ticket],
    connection: Connection,
) -> list[_Letter]:
    """Return what recipients get; `tickets` are by recipient id. Raises Refused."""
    contacts = [tickets[each.pk].contact for each in recipients]
    # Read while the tickets are locked, so that an opt-out word that arrives now waits for this
    # transaction or is found here.
    numbers = {each.canonical_number for each in contacts}
    numbers |= {each.canonical_number for each in recipients}
    opted_out = set(
        OptOut.objects.for_company(run.campaign.company_id)
        .filter(canonical_number__in=numbers)
        .values_list("canonical_number", flat=True)
    )
    open_windows = contacts_in_window([contact.pk for contact in contacts], connection)
    letters: list[_Letter] = []
    endings: dict[int, Ending] = {}
    for recipient, contact in zip(recipients, contacts, strict=True):
        if opted_out & {contact.canonical_number, recipient.canonical_number}:
            endings[recipient.pk] = (RecipientState.SKIPPED, ReasonCode.OPTED_OUT)
            continue
        written_now = _letter(run, recipient, tickets[recipient.pk], contact.pk in open_windows)
        if isinstance(written_now, _Letter):
            letters.append(written_now)
        else:
            endings[recipient.pk] = written_now
    if endings:
        raise Refused(endings)
    return letters


def _letter(
    run: Run, recipient: CampaignRecipient, ticket: Ticket, is_open: bool
) -> _Letter | Ending:
    """Return what a recipient gets, or its final state and reason if there is nothing to send."""
    campaign = run.campaign
    is_asking = (
        campaign.asks_confirmation
        and recipient.state == RecipientState.PENDING
        and bool(written(campaign.confirmation_texts))
    )
    texts = campaign.confirmation_texts if is_asking else campaign.texts
    if not is_open and run.template is None:
        return RecipientState.SKIPPED, ReasonCode.WINDOW_CLOSED
    values = values_for(recipient, run.own_variables)
    contents: list[Content]
    number = None
    if run.template is not None and (not is_open or not written(texts)):
        given = read_values(run.template, fill_all(campaign.template_components, values))
        contents = [] if given.faults else [FilledTemplate(run.template, given)]
    else:
        number = CHANCE.choice(written(texts)) if written(texts) else None
        text = filled(texts[number - 1], ticket, values, run.zone) if number else ""
        listed = filled(campaign.list_text, ticket, values, run.zone)
        contents = list(texts_of(text)) if is_asking else contents_of(campaign, text, listed)
    if not contents:
        return RecipientState.FAILED, ReasonCode.DATA_MISSING
    is_template = isinstance(contents[0], FilledTemplate)
    if not is_template and not is_ours(ticket):
        return RecipientState.SKIPPED, ReasonCode.LED_ELSEWHERE
    drafts = [
        draft(
            content,
            ticket=ticket,
            user=None,
            source=MessageSource.CAMPAIGN,
            origin=Origin.CAMPAIGN.of(campaign.pk),
        )
        for content in contents
    ]
    return _Letter(recipient, drafts, number, is_asking)


def _write(letters: Sequence[_Letter], leaves_until: datetime | None) -> None:
    """Write the recipients' messages and record them at the recipients."""
    drafts = [each for letter in letters for each in letter.drafts]
    write_drafts(drafts, leaves_until=leaves_until)
    now = timezone.now()
    for letter in letters:
        recipient, messages = letter.recipient, [message for message, _ in letter.drafts]
        if letter.is_asking:
            recipient.state = RecipientState.ASKING
            recipient.confirmation_message = messages[-1]
        else:
            recipient.state = RecipientState.QUEUED
            recipient.message = messages[-1]
            recipient.variant = letter.variant
        recipient.first_message_pk = messages[0].pk
        recipient.queued_at = now
    recipients = [letter.recipient for letter in letters]
    update_rows(recipients, WRITTEN_FIELDS)
    # The contact may answer under another number than the list has.
    numbers = {message.contact.canonical_number for message, _ in drafts}
    remember_written(
        recipients[0].company_id, numbers | {each.canonical_number for each in recipients}
    )


def wait_for_hours(delivery: Delivery) -> None:
    """Postpone a delivery that missed the sending hours to their next beginning.

    The company's present hours apply, as they may have changed since the handover.
    """
    delivery.next_attempt_at = next_opening(hours_of(delivery.company_id), timezone.now())


def locked_campaign(campaign_id: int, claim: Claim[Campaign]) -> Campaign:
    """Return the campaign, locked; cancelling or deleting it waits for this one step.

    Raises ClaimLost.
    """
    found = (
        claim.held(campaign_id)
        .select_for_update(of=("self",), no_key=True)
        .select_related(*SHOWN_LINKS)
        .filter(status__in=(CampaignStatus.SCHEDULED, CampaignStatus.RUNNING))
        .first()
    )
    if found is None:
        raise ClaimLost
    return found


def leave_until(claim: Claim[Campaign], campaign: Campaign, until: datetime, **also: Any) -> None:
    """Release a campaign until a moment, and wake a worker then if it is near."""
    claim.retry_later(campaign, until, "", attempts=0, **also)
    gap = until - timezone.now()
    if gap <= timedelta(seconds=LONGEST_WAKE_SECONDS):
        wake("campaigns.send", after=max(gap.total_seconds(), 0.0))
