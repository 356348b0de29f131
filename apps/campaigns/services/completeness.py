"""What a campaign needs before it can be scheduled or started (rules/campaigns §1)."""

from apps.campaigns.models import Campaign, ContactListItem
from apps.campaigns.queries.segments import contacts_for
from apps.campaigns.services.texts import written
from apps.common.errors import DomainError
from apps.connections.models import Connection, ProviderKind
from apps.library.models import FileListItem

NOBODY = "Ninguém dos escolhidos pode receber a campanha. Confira os números."


class CampaignWithoutConnection(DomainError):
    """There is no number to send with."""

    code = "ERR_CAMPAIGN_WITHOUT_CONNECTION"
    message = "Escolha a conexão pela qual a campanha será enviada."


class CampaignWithoutRecipients(DomainError):
    """There is nobody to write to."""

    code = "ERR_CAMPAIGN_WITHOUT_RECIPIENTS"
    message = "Escolha para quem a campanha será enviada: lista, tag ou segmento."


class CampaignEmpty(DomainError):
    code = "ERR_CAMPAIGN_EMPTY"
    message = "Escreva ao menos uma mensagem, anexe um arquivo ou escolha um modelo."


class CampaignWithoutConfirmation(DomainError):
    """It asks for a confirmation, but has no text for it."""

    code = "ERR_CAMPAIGN_WITHOUT_CONFIRMATION"
    message = "Escreva ao menos uma mensagem de confirmação, ou desligue a confirmação."


def require_complete(campaign: Campaign, *, is_fixed: bool = False) -> None:
    """Refuse a campaign that could not be sent.

    With `is_fixed` its recipients are fixed, so it needs no list, tag or segment. Raises
    CampaignWithoutConnection, CampaignWithoutRecipients, CampaignEmpty,
    CampaignWithoutConfirmation, each at its field.
    """
    if campaign.connection_id is None:
        raise CampaignWithoutConnection(fields={"whatsappId": [CampaignWithoutConnection.message]})
    sources = (campaign.contact_list_id, campaign.tag_id, campaign.segment_id)
    if not is_fixed and not any(sources):
        raise CampaignWithoutRecipients(
            fields={"contactListId": [CampaignWithoutRecipients.message]}
        )
    if not _has_content(campaign):
        raise CampaignEmpty(fields={"message1": [CampaignEmpty.message]})
    if campaign.asks_confirmation and not written(campaign.confirmation_texts):
        sentence = CampaignWithoutConfirmation.message
        raise CampaignWithoutConfirmation(fields={"confirmationMessage1": [sentence]})


def _has_content(campaign: Campaign) -> bool:
    if written(campaign.texts) or campaign.media_path or campaign.files:
        return True
    # A started campaign sends its copies, whatever was added to the list since.
    if campaign.started_at is None and campaign.file_list_id is not None:
        files = FileListItem.objects.filter(file_list=campaign.file_list_id)
        if files.exclude(media_path="").exists():
            return True
    if not campaign.template_name:
        return False
    # Only official connections can send templates.
    official = Connection.objects.filter(provider=ProviderKind.OFFICIAL)
    return official.filter(pk=campaign.connection_id or 0).exists()


def require_somebody(campaign: Campaign) -> None:
    """Refuse a start if no recipient could be written to.

    Raises CampaignWithoutRecipients.
    """
    if campaign.contact_list_id is not None:
        items = ContactListItem.objects.filter(contact_list=campaign.contact_list_id)
        if items.exclude(is_whatsapp_valid=False).exists():
            return
    if any(contacts.exclude(number="").exists() for contacts in contacts_for(campaign)):
        return
    raise CampaignWithoutRecipients(NOBODY, fields={"contactListId": [NOBODY]})
