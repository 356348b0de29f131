"""Live events of campaigns, segments and contact lists, for those whose role opens them."""

from collections.abc import Collection, Mapping
from typing import Any

from rest_framework import serializers

from apps.accounts.permissions import Permission
from apps.campaigns.models import Campaign, ContactList, ContactListItem, Segment
from apps.campaigns.queries.campaigns import outlooks_of
from apps.campaigns.queries.lists import first_items
from apps.campaigns.serializers.campaigns import CampaignSerializer
from apps.campaigns.serializers.lists import ContactListItemSerializer, ContactListSerializer
from apps.campaigns.serializers.segments import SegmentSerializer
from apps.campaigns.serializers.settings import CampaignSettingSerializer, setting_rows
from apps.common.serializers import row_of, rows_of
from apps.realtime.emit import LiveEvent, emit

CAMPAIGN = LiveEvent(
    "campaign",
    needs=Permission.CAMPAIGNS,
    create={"record": CampaignSerializer()},
    update={"record": CampaignSerializer()},
    delete={"id": serializers.IntegerField()},
)
CAMPAIGN_SETTINGS = LiveEvent(
    "campaignSettings",
    needs=Permission.CAMPAIGNS,
    update={"record": CampaignSettingSerializer()},
)
SEGMENT = LiveEvent(
    "segment",
    needs=Permission.CAMPAIGNS,
    create={"record": SegmentSerializer()},
    update={"record": SegmentSerializer()},
    delete={"id": serializers.IntegerField()},
)
CONTACT_LIST = LiveEvent(
    "ContactList",
    needs=Permission.CAMPAIGNS,
    create={"record": ContactListSerializer()},
    update={"record": ContactListSerializer()},
    delete={"id": serializers.IntegerField()},
)
CONTACT_LIST_ITEM = LiveEvent(
    "ContactListItem",
    needs=Permission.CAMPAIGNS,
    create={"record": ContactListItemSerializer()},
    update={"record": ContactListItemSerializer()},
    delete={"id": serializers.IntegerField()},
)
# Emitted when many items of a list change at once; carries the first page of the list.
CONTACT_LIST_ITEMS = LiveEvent(
    "ContactListItem-{listId}",
    needs=Permission.CAMPAIGNS,
    reload={"records": ContactListItemSerializer(many=True)},
)


def contact_list_created(listed: ContactList) -> None:
    _tell_list("create", listed)


def contact_list_updated(listed: ContactList) -> None:
    """Emit a list, read with its import, after its name, count or import changed."""
    _tell_list("update", listed)


def contact_list_deleted(*, company_id: int, contact_list_id: int) -> None:
    payload = {"id": contact_list_id}
    emit(CONTACT_LIST, "delete", payload, company_id=company_id)


def list_item_created(item: ContactListItem) -> None:
    _tell_item("create", item)


def list_item_updated(item: ContactListItem) -> None:
    _tell_item("update", item)


def list_item_deleted(*, company_id: int, item_id: int) -> None:
    payload = {"id": item_id}
    emit(CONTACT_LIST_ITEM, "delete", payload, company_id=company_id)


def list_items_changed(listed: ContactList) -> None:
    """Emit one reload after many items of a list were added or changed."""
    emit(
        CONTACT_LIST_ITEMS.about(listed.pk),
        "reload",
        {"records": rows_of(ContactListItemSerializer, first_items(listed))},
        company_id=listed.company_id,
    )


def _tell_list(action: str, listed: ContactList) -> None:
    payload = {"record": row_of(ContactListSerializer, listed)}
    company_id = listed.company_id
    emit(CONTACT_LIST, action, payload, company_id=company_id)


def _tell_item(action: str, item: ContactListItem) -> None:
    payload = {"record": row_of(ContactListItemSerializer, item)}
    company_id = item.company_id
    emit(CONTACT_LIST_ITEM, action, payload, company_id=company_id)


def campaign_created(campaign: Campaign) -> None:
    _tell_campaign("create", campaign)


def campaign_updated(campaign: Campaign) -> None:
    """Emit a campaign after its fields, its status or its wait reason changed."""
    _tell_campaign("update", campaign)


def campaign_deleted(*, company_id: int, campaign_id: int) -> None:
    emit(CAMPAIGN, "delete", {"id": campaign_id}, company_id=company_id)


def _tell_campaign(action: str, campaign: Campaign) -> None:
    company_id = campaign.company_id
    row = row_of(CampaignSerializer, campaign, outlooks=outlooks_of([campaign]))
    emit(CAMPAIGN, action, {"record": row}, company_id=company_id)


def campaign_settings_updated(
    *, company_id: int, settings: Mapping[str, Any], changed: Collection[str]
) -> None:
    """Emit an update for each setting that changed."""
    for row in setting_rows(settings):
        if row["key"] in changed:
            emit(CAMPAIGN_SETTINGS, "update", {"record": row}, company_id=company_id)


def segment_created(segment: Segment) -> None:
    _tell_segment("create", segment)


def segment_updated(segment: Segment) -> None:
    _tell_segment("update", segment)


def segment_deleted(*, company_id: int, segment_id: int) -> None:
    emit(SEGMENT, "delete", {"id": segment_id}, company_id=company_id)


def _tell_segment(action: str, segment: Segment) -> None:
    payload = {"record": row_of(SegmentSerializer, segment)}
    company_id = segment.company_id
    emit(SEGMENT, action, payload, company_id=company_id)
