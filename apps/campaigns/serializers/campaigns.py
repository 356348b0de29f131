"""The wire shapes of campaigns."""

from typing import Any

from rest_framework import serializers

from apps.campaigns.models import Campaign, CampaignStatus
from apps.common.media import signed_path

# What the wire calls no tag.
NO_TAG = "Nenhuma"


class CampaignLinkSerializer(serializers.Serializer[Any]):
    """Something by its id and name."""

    id = serializers.IntegerField()
    name = serializers.CharField()


class CampaignSerializer(serializers.Serializer[Any]):
    """A campaign as every answer and event carries it; made by `campaign_row`."""

    id = serializers.IntegerField()
    name = serializers.CharField()
    message1 = serializers.CharField(allow_blank=True)
    message2 = serializers.CharField(allow_blank=True)
    message3 = serializers.CharField(allow_blank=True)
    message4 = serializers.CharField(allow_blank=True)
    message5 = serializers.CharField(allow_blank=True)
    confirmation = serializers.BooleanField()
    confirmationMessage1 = serializers.CharField(allow_blank=True)
    confirmationMessage2 = serializers.CharField(allow_blank=True)
    confirmationMessage3 = serializers.CharField(allow_blank=True)
    confirmationMessage4 = serializers.CharField(allow_blank=True)
    confirmationMessage5 = serializers.CharField(allow_blank=True)
    status = serializers.ChoiceField(choices=CampaignStatus.choices)
    scheduledAt = serializers.DateTimeField(allow_null=True)
    startedAt = serializers.DateTimeField(allow_null=True)
    completedAt = serializers.DateTimeField(allow_null=True)
    whatsappId = serializers.IntegerField(allow_null=True)
    whatsapp = CampaignLinkSerializer(allow_null=True)
    contactListId = serializers.IntegerField(allow_null=True)
    contactList = CampaignLinkSerializer(allow_null=True)
    tagListId = serializers.JSONField(help_text="A tag's id, or 'Nenhuma'.")
    segmentId = serializers.IntegerField(allow_null=True)
    segment = CampaignLinkSerializer(allow_null=True)
    fileListId = serializers.IntegerField(allow_null=True)
    mediaPath = serializers.CharField(allow_null=True)
    mediaName = serializers.CharField(allow_null=True)
    templateName = serializers.CharField(allow_blank=True)
    templateLanguage = serializers.CharField(allow_blank=True)
    templateComponents = serializers.JSONField()
    waitCode = serializers.CharField(
        allow_blank=True, help_text="Names what a running campaign waits for; '' when nothing."
    )
    companyId = serializers.IntegerField()
    createdAt = serializers.DateTimeField()
    updatedAt = serializers.DateTimeField()


def campaign_row(campaign: Campaign) -> dict[str, Any]:
    """Return the wire shape.

    Reads `connection`, `contact_list` and `segment`, so fetch these before.
    """
    connection, listed, segment = campaign.connection, campaign.contact_list, campaign.segment
    texts = {f"message{number}": text for number, text in enumerate(campaign.texts, 1)}
    asking = {
        f"confirmationMessage{number}": text
        for number, text in enumerate(campaign.confirmation_texts, 1)
    }
    return {
        "id": campaign.pk,
        "name": campaign.name,
        **texts,
        "confirmation": campaign.asks_confirmation,
        **asking,
        "status": campaign.status,
        "scheduledAt": campaign.scheduled_at,
        "startedAt": campaign.started_at,
        "completedAt": campaign.completed_at,
        "whatsappId": campaign.connection_id,
        "whatsapp": {"id": connection.pk, "name": connection.name} if connection else None,
        "contactListId": campaign.contact_list_id,
        "contactList": {"id": listed.pk, "name": listed.name} if listed else None,
        "tagListId": campaign.tag_id or NO_TAG,
        "segmentId": campaign.segment_id,
        "segment": {"id": segment.pk, "name": segment.name} if segment else None,
        "fileListId": campaign.file_list_id,
        "mediaPath": signed_path(campaign.media_path) if campaign.media_path else None,
        "mediaName": campaign.media_name or None,
        "templateName": campaign.template_name,
        "templateLanguage": campaign.template_language,
        "templateComponents": campaign.template_components,
        "waitCode": campaign.wait_code,
        "companyId": campaign.company_id,
        "createdAt": campaign.created_at,
        "updatedAt": campaign.updated_at,
    }
