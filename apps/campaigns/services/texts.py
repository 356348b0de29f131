"""The content for one recipient: a campaign's text with the variables filled in, and its files."""

import re
from collections.abc import Mapping, Sequence
from datetime import tzinfo
from typing import Any

from django.utils import timezone

from apps.campaigns.models import Campaign, CampaignRecipient
from apps.common.media import StoredMedia
from apps.tickets.models import Ticket
from apps.tickets.services.outbox import Content, captioned, texts_of
from apps.tickets.services.outbox.variables import variables_for

# Single braces: {nome} and the like, and the company's own variables. Double braces: {{name}} and
# the like, which all texts of the product have.
VARIABLE = re.compile(r"\{\{\s*(\w+)\s*\}\}|\{([^{}]+)\}")


def values_for(recipient: CampaignRecipient, own: Mapping[str, str]) -> dict[str, str]:
    """Return the values of a recipient's variables; the company's own never override the others."""
    person = {"nome": recipient.name, "email": recipient.email, "numero": recipient.number}
    return {**own, **person}


def fill(text: str, values: Mapping[str, str], common: Mapping[str, str]) -> str:
    """Return a text with its variables filled in once: variables inside values are not filled in.

    `common` are the values in double braces, where an unknown variable becomes empty. In single
    braces an unknown one stays as it is (rules/campaigns §5).
    """

    def value(match: re.Match[str]) -> str:
        if match[1] is not None:
            return common.get(match[1], "")
        return values.get(match[2].strip(), match[0])

    return VARIABLE.sub(value, text)


def filled(text: str, ticket: Ticket, values: Mapping[str, str], zone: tzinfo) -> str:
    """Return a text with its variables filled in for a ticket's contact, in the company's zone."""
    now = timezone.now().astimezone(zone)
    common = variables_for(name=ticket.contact.name, protocol=ticket.protocol, now=now)
    return fill(text, values, common).strip()


def fill_all(given: Any, values: Mapping[str, str]) -> Any:
    """Return a template's components with the variables of every text in them filled in."""
    if isinstance(given, str):
        return " ".join(fill(given, values, {}).split())
    if isinstance(given, list):
        return [fill_all(each, values) for each in given]
    if isinstance(given, dict):
        return {name: fill_all(each, values) for name, each in given.items()}
    return given


def written(texts: Sequence[str]) -> list[int]:
    """Return the numbers, from 1, of the texts that are not blank."""
    return [number for number, text in enumerate(texts, 1) if text.strip()]


def contents_of(campaign: Campaign, text: str, list_text: str) -> list[Content]:
    """Return what is sent: the list's files, then the campaign's own file with the text.

    The list's own text goes with its first file, as attendants send it (rules/campaigns §5).
    """
    contents: list[Content] = []
    for number, each in enumerate(campaign.files):
        contents += captioned(StoredMedia(**each), "" if number else list_text)
    if campaign.media is not None:
        return [*contents, *captioned(campaign.media, text)]
    return [*contents, *texts_of(text)]
