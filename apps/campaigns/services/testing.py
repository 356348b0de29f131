"""Testing a campaign: sending one of its texts to own numbers (rules/campaigns §10)."""

from collections.abc import Sequence

from django.db import transaction

from apps.accounts.models import User
from apps.billing.services import require_feature
from apps.campaigns.models import Campaign, OptOut
from apps.campaigns.queries.campaign_settings import campaign_settings_of, variables_of
from apps.campaigns.services.completeness import CampaignEmpty, require_complete
from apps.campaigns.services.finding import get_campaign
from apps.campaigns.services.handover import template_for
from apps.campaigns.services.previews import recipient_for
from apps.campaigns.services.starting import copied, files_of, list_text_of
from apps.campaigns.services.texts import contents_of, fill_all, filled, values_for, written
from apps.common.errors import DomainError, InvalidInput
from apps.common.media import StoredMedia, fresh_files
from apps.companies.queries import zone_of
from apps.connections.models import Connection
from apps.connections.template_values import read_values
from apps.connections.templates import Template
from apps.contacts.services import kept_number, upsert_contact
from apps.tickets.models import Message, MessageSource
from apps.tickets.origins import Origin
from apps.tickets.services.messages.addressing import ticket_for_sending
from apps.tickets.services.outbox import Content, FilledTemplate, write_message
from apps.tickets.services.window import OutsideWindow, is_window_open


class NumberOptedOut(DomainError):
    """The number has opted out of campaigns."""

    code = "ERR_TRIAL_OPTED_OUT"
    message = "Quem pediu para não receber campanhas não recebe testes."


class TextBlank(DomainError):
    """The chosen text is blank."""

    code = "ERR_TRIAL_EMPTY"
    message = "Esta mensagem está vazia. Escolha outra para o teste."


def send_test(
    *, user: User, campaign_id: int, numbers: Sequence[str], text_number: int | None = None
) -> list[tuple[Message, int | None]]:
    """Send one text to numbers, all or none; returns each one's last message and text number.

    Raises CampaignNotFound, PlanFeatureMissing, what `require_complete` and `template_for` raise,
    TextBlank, NumberOptedOut, OutsideWindow and InvalidInput for numbers and a template's
    parameters. Never call it inside a transaction.
    """
    require_feature(company_id=user.company_id, feature="campaigns")
    campaign = get_campaign(user.company_id, campaign_id)
    require_complete(campaign, is_fixed=True)
    numbers = [
        kept_number(company_id=user.company_id, number=each, field="numbers") for each in numbers
    ]
    known = written(campaign.texts)
    if text_number is not None and text_number not in known:
        raise TextBlank(fields={"messageNumber": [TextBlank.message]})
    number = text_number or (known[0] if known else None)
    template = template_for(campaign)
    with fresh_files() as copies:
        _take_copies(campaign, copies)
        with transaction.atomic():
            sent = [
                _send(campaign, each, number, template, user) for each in dict.fromkeys(numbers)
            ]
        # Discard the copies that no message shows: all of them if only templates were sent.
        shown = {message.media_path for messages, _ in sent for message in messages}
        copies[:] = [each for each in copies if each.path not in shown]
    return [(messages[-1], text) for messages, text in sent]


def _take_copies(campaign: Campaign, copies: list[StoredMedia]) -> None:
    """Replace the files of the campaign, without saving it, by copies of its own.

    A started campaign keeps its own files for good. The copies are made before the transaction: a
    large file must not keep it open.
    """
    if campaign.started_at is not None:
        return
    campaign.files = files_of(campaign, copies)
    campaign.list_text = list_text_of(campaign)
    if campaign.media is not None:
        campaign.put_media(copied(campaign.media, campaign.company_id, copies))


def _send(
    campaign: Campaign, to: str, number: int | None, template: Template | None, user: User
) -> tuple[list[Message], int | None]:
    connection: Connection | None = campaign.connection
    if connection is None:
        raise CampaignEmpty
    contact = upsert_contact(company_id=campaign.company_id, number=to, name="", is_typed=True)
    if OptOut.objects.filter(
        company=campaign.company_id, canonical_number=contact.canonical_number
    ).exists():
        raise NumberOptedOut(fields={"numbers": [NumberOptedOut.message]})
    ticket = ticket_for_sending(contact=contact, connection=connection, for_campaign=True)
    is_open = is_window_open(ticket, connection)
    if not is_open and template is None:
        raise OutsideWindow
    own = variables_of(campaign_settings_of(campaign.company_id))
    values = values_for(recipient_for(contact), own)
    contents: list[Content]
    if template is not None and (not is_open or number is None):
        number = None
        given = read_values(template, fill_all(campaign.template_components, values))
        if given.faults:
            sentence = next(iter(given.faults.values()))[0]
            raise InvalidInput(sentence, fields=given.faults, rule="invalid")
        contents = [FilledTemplate(template, given)]
    else:
        zone = zone_of(campaign.company_id)
        text = filled(campaign.texts[number - 1], ticket, values, zone) if number else ""
        listed = filled(campaign.list_text, ticket, values, zone)
        contents = contents_of(campaign, text, listed)
    if not contents:
        raise CampaignEmpty
    messages = [
        write_message(
            content,
            ticket=ticket,
            user=user,
            source=MessageSource.CAMPAIGN,
            origin=Origin.CAMPAIGN.of(campaign.pk),
        )
        for content in contents
    ]
    return messages, number
