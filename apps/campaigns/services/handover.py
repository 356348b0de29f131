"""Recipients handed over to the outbox, each exactly once (rules/campaigns §4).

Those who may be written to at one moment go in one transaction: their messages and deliveries,
their new state, and when the next one goes. What is the same for all is read once.
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
from apps.campaigns.services.headers import with_usable_files
from apps.campaigns.services.starting import CHANCE
from apps.campaigns.services.texts import contents_of, fill_all, filled, values_for, written
from apps.common.bulk import update_rows
from apps.common.leases import Claim
from apps.common.reasons import ReasonCode
from apps.common.wakeups import wake
from apps.companies.queries import zone_of
from apps.connections.models import Connection, ProviderKind
from apps.connections.services import find_template
from apps.connections.template_values import read_values
from apps.connections.templates import Template
from apps.contacts.services import Sender, upsert_contacts
from apps.tickets.models import Delivery, MessageSource, Ticket
from apps.tickets.services.messages.addressing import tickets_for_sending
from apps.tickets.services.outbox import (
    Content,
    Draft,
    FilledTemplate,
    draft,
    texts_of,
    write_drafts,
)
from apps.tickets.services.window import contacts_in_window

# So many at once: whoever cancels, or writes to one of them, waits for all.
BATCH = 20
# For a message that is further off the sweep comes early enough.
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
    """Cancelled, deleted or taken over meanwhile: nothing of ours may stay."""


class Refused(Exception):
    """Some of the recipients can be sent nothing; how they end, by their id."""

    def __init__(self, endings: Mapping[int, Ending]) -> None:
        self.endings = endings
        super().__init__(endings)


@dataclass
class Run:
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
        """The hours in which campaigns may write."""
        return hours_of(self.campaign.company_id)

    @cached_property
    def zone(self) -> tzinfo:
        return zone_of(self.campaign.company_id)

    @cached_property
    def own_variables(self) -> dict[str, str]:
        """The variables that the company named."""
        return variables_of(self.settings)

    @cached_property
    def template(self) -> Template | None:
        """The approved template; may ask Meta, so that no transaction may be open."""
        return template_for(self.campaign)


@dataclass(frozen=True)
class _Letter:
    """What one recipient gets: the request for a confirmation, or the message."""

    recipient: CampaignRecipient
    drafts: Sequence[Draft]
    variant: int | None
    is_asking: bool


def template_for(campaign: Campaign) -> Template | None:
    """Return a campaign's approved template, and have it name files that Meta knows today.

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
    """Put recipients' messages into the outbox and name the next one's moment.

    Returns whether that is now. Raises ClaimLost, and Refused, which leaves neither contacts nor
    tickets behind.
    """
    connection = run.campaign.connection
    if connection is None:
        raise ClaimLost
    contacts = upsert_contacts(
        [Sender(each.company_id, each.number, each.name, is_typed=True) for each in planned]
    )
    # Tickets are locked before campaigns, as everywhere.
    tickets = tickets_for_sending(contacts=contacts, connection=connection)
    addressed = {
        each.pk: tickets[contact.pk] for each, contact in zip(planned, contacts, strict=True)
    }
    campaign = locked_campaign(run.campaign.pk, run.claim)
    letters = _letters(run, _still_planned(planned), addressed, connection)
    if not letters:  # somebody answered meanwhile
        return True
    _write(letters, closing(run.hours, timezone.now()))
    campaign.steps_count += len(letters)
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
        leave_until(run.claim, campaign, upcoming)
        return False
    return True


@transaction.atomic
def refuse(run: Run, refusal: Refused) -> None:
    """Record why recipients get nothing; who comes next need not wait for it."""
    locked_campaign(run.campaign.pk, run.claim)
    for ending in set(refusal.endings.values()):
        ids = [pk for pk, each in refusal.endings.items() if each == ending]
        state, reason = ending
        CampaignRecipient.objects.filter(pk__in=ids, state__in=TO_GO).update(
            state=state, reason_code=reason
        )


def _still_planned(planned: Sequence[CampaignRecipient]) -> list[CampaignRecipient]:
    """Return the recipients as they are now, locked, without those who moved on meanwhile."""
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
    """Return what recipients get, by their ids' tickets; raises Refused."""
    contacts = [tickets[each.pk].contact for each in recipients]
    # Looked up while the tickets are held: who leaves by a word waits for us, or we for it.
    opted_out = set(
        OptOut.objects.for_company(run.campaign.company_id)
        .filter(canonical_number__in=[contact.canonical_number for contact in contacts])
        .values_list("canonical_number", flat=True)
    )
    open_windows = contacts_in_window([contact.pk for contact in contacts], connection)
    letters: list[_Letter] = []
    endings: dict[int, Ending] = {}
    for recipient, contact in zip(recipients, contacts, strict=True):
        if contact.canonical_number in opted_out:
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
    """Return what a recipient gets, or how it ends because there is nothing to send."""
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
        contents = list(texts_of(text)) if is_asking else contents_of(campaign, text)
    if not contents:
        return RecipientState.FAILED, ReasonCode.DATA_MISSING
    drafts = [
        draft(content, ticket=ticket, user=None, source=MessageSource.CAMPAIGN)
        for content in contents
    ]
    return _Letter(recipient, drafts, number, is_asking)


def _write(letters: Sequence[_Letter], leaves_until: datetime | None) -> None:
    """Write what recipients get and note it there."""
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
    update_rows([letter.recipient for letter in letters], WRITTEN_FIELDS)


def wait_for_hours(delivery: Delivery) -> None:
    """Let what did not leave in the sending hours wait for their next beginning.

    They are the company's as they are now: those of the handing over may have been changed.
    """
    delivery.next_attempt_at = next_opening(hours_of(delivery.company_id), timezone.now())


def locked_campaign(campaign_id: int, claim: Claim[Campaign]) -> Campaign:
    """Return the campaign, locked: whoever cancels or deletes it waits for this one step."""
    found = (
        claim.held(campaign_id)
        .select_for_update(of=("self",), no_key=True)
        .select_related("connection", "contact_list", "segment")
        .filter(status__in=(CampaignStatus.SCHEDULED, CampaignStatus.RUNNING))
        .first()
    )
    if found is None:
        raise ClaimLost
    return found


def leave_until(claim: Claim[Campaign], campaign: Campaign, until: datetime, **also: Any) -> None:
    """Leave a campaign until a moment, and have somebody there when it has come."""
    claim.retry_later(campaign, until, "", attempts=0, **also)
    gap = until - timezone.now()
    if gap <= timedelta(seconds=LONGEST_WAKE_SECONDS):
        wake("campaigns.send", after=max(gap.total_seconds(), 0.0))
