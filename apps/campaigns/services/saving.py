"""Creating, changing and deleting campaigns (rules/campaigns §1 and §2)."""

from collections.abc import Mapping
from datetime import datetime, timedelta
from functools import partial
from typing import Any

from django.core.files.uploadedfile import UploadedFile
from django.db import transaction
from django.utils import timezone

from apps.accounts.models import User
from apps.audit.services import record
from apps.billing.services import require_feature, require_room
from apps.campaigns import events
from apps.campaigns.models import Campaign, CampaignStatus, ContactList, Segment
from apps.campaigns.services.completeness import require_complete
from apps.campaigns.services.finding import get_campaign, locked_campaign
from apps.campaigns.services.lists import ContactListNotFound
from apps.campaigns.services.segments import SegmentNotFound
from apps.campaigns.services.starting import files_of, list_text_of
from apps.common.errors import DomainError, NotFound
from apps.common.leases import LeaseState
from apps.common.media import delete_media, fresh_files, store_media
from apps.common.models import TenantQuerySet
from apps.common.wakeups import wake
from apps.connections.models import Connection
from apps.connections.services.saving import ConnectionNotFound
from apps.contacts.models import Tag
from apps.contacts.services.tags import TagNotFound
from apps.library.models import FileList
from apps.library.services.file_lists import FileListNotFound

# So long before its start a campaign can't be changed any more.
CLOSED_BEFORE = timedelta(hours=1)
# Minutes may pass between choosing 'now' in a dialog and saving it.
PAST_GRACE = timedelta(minutes=2)
PLAIN_FIELDS = (
    "name",
    "asks_confirmation",
    "scheduled_at",
    "template_name",
    "template_language",
    "template_components",
)
# References of a campaign: column, name on the wire, allowed rows, error if there is no such row.
LINKS: tuple[tuple[str, str, TenantQuerySet[Any], type[NotFound]], ...] = (
    ("connection_id", "whatsappId", Connection.objects.all(), ConnectionNotFound),
    ("contact_list_id", "contactListId", ContactList.objects.all(), ContactListNotFound),
    ("tag_id", "tagListId", Tag.objects.all(), TagNotFound),
    ("segment_id", "segmentId", Segment.objects.all(), SegmentNotFound),
    ("file_list_id", "fileListId", FileList.objects.all(), FileListNotFound),
)
# Columns that are fixed once the campaign has started, with their names on the wire.
FIXED = {
    "contact_list_id": "contactListId",
    "tag_id": "tagListId",
    "segment_id": "segmentId",
    "scheduled_at": "scheduledAt",
}
IS_FIXED = "Os destinatários e o horário ficaram fixos quando a campanha começou."
MEDIA_FIELDS = ("media_path", "media_name", "media_mime", "media_size")


class CampaignNotEditable(DomainError):
    """The campaign runs, is finished, or starts within an hour."""

    status = 409
    code = "ERR_CAMPAIGN_NOT_EDITABLE"
    message = (
        "Só uma campanha inativa, cancelada ou programada para daqui a mais de uma hora pode ser "
        "alterada."
    )


class CampaignTimePassed(DomainError):
    """The time to start at is in the past."""

    code = "ERR_CAMPAIGN_TIME_PASSED"
    message = "Este horário já passou. Escolha um horário no futuro."


class CampaignRunning(DomainError):
    status = 409
    code = "ERR_CAMPAIGN_RUNNING"
    message = "Esta campanha está em andamento. Cancele-a antes de excluir."


def unfinished_of(company_id: int) -> "TenantQuerySet[Campaign]":
    """Return the campaigns that count for the plan's limit."""
    return Campaign.objects.for_company(company_id).exclude(status=CampaignStatus.FINISHED)


@transaction.atomic
def create_campaign(*, user: User, fields: Mapping[str, Any]) -> Campaign:
    """Create a campaign; one with a `scheduled_at` starts by itself.

    `texts` and `confirmation_texts` are texts by their number, from 1. Raises PlanFeatureMissing,
    PlanLimitReached, the NotFound error of an unknown reference, CampaignTimePassed and what
    `require_complete` raises.
    """
    company_id = user.company_id
    require_feature(company_id=company_id, feature="campaigns")
    require_room(company_id=company_id, resource="campaigns", rows=unfinished_of(company_id))
    campaign = Campaign(company_id=company_id, user=user.person, state=LeaseState.DONE)
    _take(campaign, fields)
    _check_time(campaign, None)
    campaign.save()
    _arm(campaign)
    made = get_campaign(company_id, campaign.pk)
    events.campaign_created(made)
    return made


def update_campaign(*, user: User, campaign_id: int, fields: Mapping[str, Any]) -> Campaign:
    """Change the given fields; a campaign with a time becomes planned, one without inactive.

    Recipients and time of a cancelled campaign are fixed, and another file list is copied at once.
    Raises CampaignNotFound, CampaignNotEditable and what `create_campaign` raises.
    """
    company_id = user.company_id
    with fresh_files() as copies:
        with transaction.atomic():
            campaign = _changeable(company_id, campaign_id)
            require_feature(company_id=company_id, feature="campaigns")
            planned_at, listed = campaign.scheduled_at, campaign.file_list_id
            is_cancelled = campaign.status == CampaignStatus.CANCELLED
            if is_cancelled:
                _check_fixed(campaign, fields)
            _take(campaign, fields)
            campaign.wait_code = ""
            campaign.scheduled_at = _unless_same(campaign.scheduled_at, planned_at)
            if not is_cancelled:
                _check_time(campaign, planned_at)
            elif campaign.file_list_id != listed:
                # The former copies stay, because messages show them.
                campaign.files = files_of(campaign, copies)
                campaign.list_text = list_text_of(campaign)
            links = (column for column, *_ in LINKS)
            campaign.save(
                update_fields=[
                    *(*PLAIN_FIELDS, *links, *TEXT_FIELDS),
                    *("files", "list_text", "wait_code"),
                ]
            )
            if not is_cancelled:
                _arm(campaign)
            changed = get_campaign(company_id, campaign_id)
            events.campaign_updated(changed)
        copies.clear()
    return changed


@transaction.atomic
def delete_campaign(*, user: User, campaign_id: int, ip_address: str | None = None) -> None:
    """Delete a campaign with its recipients, audited; sent messages stay in the conversations.

    Raises CampaignNotFound, CampaignRunning.
    """
    campaign = locked_campaign(user.company_id, campaign_id)
    if campaign.status == CampaignStatus.RUNNING:
        raise CampaignRunning
    _forget_media(campaign)
    record(
        action="campaign.deleted",
        actor=user,
        company_id=user.company_id,
        target=campaign,
        detail={"name": campaign.name, "count": campaign.recipients_count},
        ip_address=ip_address,
    )
    campaign.delete()
    events.campaign_deleted(company_id=user.company_id, campaign_id=campaign_id)


def attach_media(*, user: User, campaign_id: int, file: UploadedFile[Any]) -> Campaign:
    """Give a campaign a file, replacing the one it has.

    Raises CampaignNotFound, CampaignNotEditable, MediaTooLarge, MediaTypeRefused.
    """
    check_editable(get_campaign(user.company_id, campaign_id))
    # All messages of the campaign will show this file.
    media = store_media(
        company_id=user.company_id,
        content=file,
        name=file.name or "",
        mime=file.content_type or "",
        is_shared=True,
    )
    try:
        with transaction.atomic():
            campaign = _changeable(user.company_id, campaign_id)
            _forget_media(campaign)
            campaign.put_media(media)
            campaign.save(update_fields=MEDIA_FIELDS)
            events.campaign_updated(campaign)
    except BaseException:
        delete_media(media.path)
        raise
    return campaign


@transaction.atomic
def remove_media(*, user: User, campaign_id: int) -> Campaign:
    """Remove a campaign's file, if it has one.

    Raises CampaignNotFound, CampaignNotEditable and, if a planned campaign would have nothing left
    to send, CampaignEmpty.
    """
    campaign = _changeable(user.company_id, campaign_id)
    if campaign.media_path:
        _forget_media(campaign)
        campaign.put_media(None)
        if campaign.status == CampaignStatus.SCHEDULED:
            require_complete(campaign)
        campaign.save(update_fields=MEDIA_FIELDS)
        events.campaign_updated(campaign)
    return campaign


def check_editable(campaign: Campaign) -> None:
    """Raise CampaignNotEditable if the campaign can't be changed now."""
    if campaign.status in (CampaignStatus.INACTIVE, CampaignStatus.CANCELLED):
        return
    if campaign.status == CampaignStatus.SCHEDULED:
        starts_at = campaign.scheduled_at
        if starts_at is not None and starts_at > timezone.now() + CLOSED_BEFORE:
            return
    raise CampaignNotEditable


def _changeable(company_id: int, campaign_id: int) -> Campaign:
    campaign = locked_campaign(company_id, campaign_id)
    check_editable(campaign)
    return campaign


TEXT_FIELDS = ("texts", "confirmation_texts")


def _take(campaign: Campaign, fields: Mapping[str, Any]) -> None:
    """Set the given fields; raises the NotFound error of a reference that the company lacks."""
    for name in PLAIN_FIELDS:
        if name in fields:
            setattr(campaign, name, fields[name])
    for name in TEXT_FIELDS:
        texts = list(getattr(campaign, name))
        for number, text in fields.get(name, {}).items():
            texts[number - 1] = text
        setattr(campaign, name, texts)
    for column, wire, rows, missing in LINKS:
        named = fields.get(column)
        if named is not None and named != getattr(campaign, column):
            _check_own(rows.all().for_company(campaign.company_id), named, wire, missing)
        if column in fields:
            setattr(campaign, column, named)


def _check_own(rows: TenantQuerySet[Any], named: int, wire: str, missing: type[NotFound]) -> None:
    if not rows.filter(pk=named).exists():
        raise missing(fields={wire: [missing.message]})


def _check_fixed(campaign: Campaign, fields: Mapping[str, Any]) -> None:
    for column, wire in FIXED.items():
        stored = getattr(campaign, column)
        if column not in fields or fields[column] == stored:
            continue
        if column == "scheduled_at" and _unless_same(fields[column], stored) == stored:
            continue
        raise CampaignNotEditable(IS_FIXED, fields={wire: [IS_FIXED]})


def _unless_same(given: datetime | None, stored: datetime | None) -> datetime | None:
    """Return the stored time if the given one is the same second: dialogs send it back so."""
    if given is None or stored is None:
        return given
    return stored if given.replace(microsecond=0) == stored.replace(microsecond=0) else given


def _check_time(campaign: Campaign, planned_at: datetime | None) -> None:
    """Refuse a time in the past and, if there is a time, a campaign that could not be sent."""
    scheduled_at = campaign.scheduled_at
    if scheduled_at is None:
        return
    if scheduled_at != planned_at and scheduled_at < timezone.now() - PAST_GRACE:
        raise CampaignTimePassed(fields={"scheduledAt": [CampaignTimePassed.message]})
    require_complete(campaign)


def _arm(campaign: Campaign) -> None:
    """Plan a stored campaign for its time, or make it inactive without one."""
    row = Campaign.objects.filter(pk=campaign.pk)
    if campaign.scheduled_at is None:
        row.finish(status=CampaignStatus.INACTIVE)
        return
    row.start_over(campaign.scheduled_at, status=CampaignStatus.SCHEDULED)
    if campaign.scheduled_at <= timezone.now():
        wake("campaigns.send")


def _forget_media(campaign: Campaign) -> None:
    """Delete the file after commit, unless the campaign has started: messages may show it."""
    if campaign.media_path and campaign.started_at is None:
        transaction.on_commit(partial(delete_media, campaign.media_path), robust=True)
