"""Starting a campaign, which fixes its recipients (rules/campaigns §2)."""

import secrets
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import asdict
from datetime import datetime
from itertools import islice
from typing import Any

from django.core.files import File
from django.utils import timezone

from apps.campaigns import events
from apps.campaigns.models import (
    Campaign,
    CampaignRecipient,
    CampaignStatus,
    ContactListItem,
    OptOut,
    RecipientState,
)
from apps.campaigns.pacing import next_send
from apps.campaigns.queries.campaign_settings import campaign_settings_of, hours_of, pace_of
from apps.campaigns.queries.campaigns import sources_of
from apps.campaigns.queries.segments import contacts_for
from apps.common.errors import NotFound
from apps.common.media import StoredMedia, fresh_files, open_media, store_media
from apps.common.reasons import ReasonCode
from apps.library.models import FileListItem

BATCH = 1000
CHANCE = secrets.SystemRandom()


def start_campaign(campaign: Campaign) -> None:
    """Store the recipients of a locked campaign that is due, and the time of its first message.

    The caller releases the campaign until `next_send_at`.
    """
    for batch in _batches(_recipients(campaign)):
        # A person found by several of list, tag and segment is one recipient.
        CampaignRecipient.objects.bulk_create(batch, ignore_conflicts=True)
    with fresh_files() as copies:
        campaign.files = files_of(campaign, copies)
        campaign.list_text = list_text_of(campaign)
        campaign.source_names = sources_of(campaign)
        campaign.recipients_count = CampaignRecipient.objects.filter(campaign=campaign).count()
        now = timezone.now()
        campaign.status = CampaignStatus.RUNNING
        campaign.started_at = now
        campaign.steps_count = 0
        campaign.wait_code = ""
        campaign.next_send_at = first_send(campaign, now)
        campaign.save(
            update_fields=[
                "files",
                "list_text",
                "source_names",
                "recipients_count",
                "status",
                "started_at",
                "steps_count",
                "wait_code",
                "next_send_at",
            ]
        )
        events.campaign_updated(campaign)
        copies.clear()


def files_of(campaign: Campaign, copies: list[StoredMedia]) -> list[dict[str, Any]]:
    """Return copies of the files of a campaign's file list, which all of its messages share.

    The copies outlive the list and the deletion of a conversation. They are also added to `copies`,
    a list of `fresh_files`.
    """
    items = FileListItem.objects.filter(file_list=campaign.file_list_id)
    listed = [item.media for item in items if item.media is not None]
    return [asdict(copied(media, campaign.company_id, copies)) for media in listed]


def list_text_of(campaign: Campaign) -> str:
    """Return the text of a campaign's file list, '' without one."""
    return campaign.file_list.message if campaign.file_list is not None else ""


def copied(media: StoredMedia, company_id: int, copies: list[StoredMedia]) -> StoredMedia:
    """Return a copy that many messages may show, and add it to `copies`.

    A missing file is returned as it is: its messages fail, and each recipient records why.
    """
    with suppress(NotFound), open_media(media.path) as file:
        copy = store_media(
            company_id=company_id,
            content=File(file),
            name=media.name,
            mime=media.mime,
            is_shared=True,
        )
        copies.append(copy)
        return copy
    return media


def first_send(campaign: Campaign, now: datetime) -> datetime:
    """Return when the first message is due of a campaign that starts, or restarts, now."""
    settings = campaign_settings_of(campaign.company_id)
    hours = hours_of(campaign.company_id)
    return next_send(pace_of(settings), hours, now=now, count=0, chance=CHANCE.random())


def _recipients(campaign: Campaign) -> Iterator[CampaignRecipient]:
    opted_out = set(
        OptOut.objects.for_company(campaign.company_id).values_list("canonical_number", flat=True)
    )
    if campaign.contact_list_id is not None:
        items = ContactListItem.objects.filter(contact_list=campaign.contact_list_id)
        for item in items.order_by("id").iterator(BATCH):
            recipient = CampaignRecipient(
                name=item.name,
                number=item.number,
                canonical_number=item.canonical_number,
                email=item.email,
            )
            if item.is_whatsapp_valid is False:
                _skip(recipient, ReasonCode.NOT_REACHABLE)
            yield _of(campaign, recipient, opted_out)
    for contacts in contacts_for(campaign):
        for contact in contacts.order_by("id").iterator(BATCH):
            recipient = CampaignRecipient(
                name=contact.name,
                number=contact.number,
                canonical_number=contact.canonical_number,
                email=contact.email,
            )
            if not contact.number:
                _skip(recipient, ReasonCode.NO_NUMBER)
            yield _of(campaign, recipient, opted_out)


def _of(campaign: Campaign, recipient: CampaignRecipient, opted_out: set[str]) -> CampaignRecipient:
    recipient.company_id = campaign.company_id
    recipient.campaign = campaign
    if recipient.canonical_number in opted_out:
        _skip(recipient, ReasonCode.OPTED_OUT)
    recipient.fold_text()
    return recipient


def _skip(recipient: CampaignRecipient, reason: str) -> None:
    recipient.state = RecipientState.SKIPPED
    recipient.reason_code = reason


def _batches(recipients: Iterable[CampaignRecipient]) -> Iterator[list[CampaignRecipient]]:
    rest = iter(recipients)
    while batch := list(islice(rest, BATCH)):
        yield batch
