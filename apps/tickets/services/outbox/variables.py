"""Variables in outgoing texts (rules/messages §7)."""

import re
from collections.abc import Mapping
from datetime import datetime, tzinfo

from django.utils import timezone

from apps.companies.queries import zone_of
from apps.tickets.models import Ticket

VARIABLE = re.compile(r"\{\{\s*(\w+)\s*\}\}")


def greeting_at(hour: int) -> str:
    """Return the greeting of an hour of the day."""
    if hour < 6:
        return "Boa madrugada"
    if hour < 12:
        return "Bom dia"
    return "Boa tarde" if hour < 18 else "Boa noite"


def variables_for(*, name: str, protocol: str, now: datetime) -> dict[str, str]:
    """Return every variable's value; `now` is in the company's zone."""
    return {
        "name": name,
        "firstName": name.split(maxsplit=1)[0] if name.split() else "",
        "ms": greeting_at(now.hour),
        "protocol": protocol,
        "hora": now.strftime("%H:%M"),
    }


def render(text: str, values: Mapping[str, str]) -> str:
    """Return text with its variables filled in; unknown ones are empty, nothing is escaped."""
    return VARIABLE.sub(lambda match: values.get(match[1], ""), text)


def filled_in(ticket: Ticket, text: str, zone: tzinfo | None = None) -> str:
    """Return a text with its variables filled in for the ticket's contact, as of now.

    `zone` is the company's, if the caller has it.
    """
    now = timezone.now().astimezone(zone or zone_of(ticket.company_id))
    return render(text, variables_for(name=ticket.contact.name, protocol=ticket.protocol, now=now))
