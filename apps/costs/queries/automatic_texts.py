"""What the bot's texts cost in a month, and which can be stopped (rules/costs §7)."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from enum import StrEnum

from django.db.models import Q

from apps.costs.models import StoppedText
from apps.costs.queries.ledger import Asked, Figures, Group, groups_of, read_groups
from apps.costs.queries.origins import Named, names_of
from apps.costs.queries.places import Place, Places
from apps.tickets.models import MessageSource
from apps.tickets.origins import is_stoppable

# A month, today included.
MONTH = timedelta(days=30)
# The dearest texts that are shown; every one is in the report by source.
MOST = 50
# What the bot wrote of itself.
AUTOMATIC = Q(source=MessageSource.BOT) & ~Q(origin="")


class TextState(StrEnum):
    """Whether a text is sent and can be stopped, was stopped, or is set nowhere any more."""

    SENT = "sent"
    STOPPED = "stopped"
    UNSET = "unset"
    # It can't be stopped: a menu, an answer, or what a contact would be lost without.
    FIXED = "fixed"


@dataclass(frozen=True)
class AutomaticText:
    """A text with its figures of the last 30 days; `places` are those where it is sent now."""

    id: int | None
    name: str | None
    queue: str | None
    origin: str
    state: TextState
    figures: Figures
    places: Sequence[Place]
    stopped_at: datetime | None


def first_day(today: date) -> date:
    """Return the first of the 30 days."""
    return today - MONTH + timedelta(days=1)


def automatic_texts(company_id: int, today: date) -> list[AutomaticText]:
    """Return the texts of the last 30 days, the dearest first, then those that were stopped.

    A constant number of queries.
    """
    asked = Asked(company_id, first_day(today), today, "source", only=AUTOMATIC)
    groups = read_groups(asked, list(groups_of(asked)[:MOST]))
    stops = dict(
        StoppedText.objects.for_company(company_id)
        .order_by("-stopped_at")
        .values_list("origin", "stopped_at")
    )
    places = Places(company_id)
    seen = {_whole(each.origin, each.id): each for each in groups}
    unseen = names_of(company_id, [each for each in stops if each not in seen])
    texts = [_text(places, origin, each, stops.get(origin)) for origin, each in seen.items()]
    # Those that were stopped longer ago have no figures.
    for origin, stopped_at in stops.items():
        if origin not in seen:
            name = unseen[origin].name if origin in unseen else None
            text = _text(places, origin, Group(None, name, Figures()), stopped_at)
            texts += [text] if text.state == TextState.STOPPED else []
    return texts


def automatic_text(company_id: int, today: date, origin: str) -> AutomaticText:
    """Return one text, with figures of zero if it is not among those of `automatic_texts`."""
    for each in automatic_texts(company_id, today):
        if _whole(each.origin, each.id) == origin:
            return each
    name = names_of(company_id, [origin]).get(origin, Named()).name
    return _text(Places(company_id), origin, Group(None, name, Figures()), None)


def _whole(kind: str, record_id: int | None) -> str:
    return kind if record_id is None else f"{kind}:{record_id}"


def _text(places: Places, origin: str, group: Group, stopped_at: datetime | None) -> AutomaticText:
    kind, _, record = origin.partition(":")
    sent = [each for each in places.of(origin) if each.is_sent]
    if not is_stoppable(origin):
        state = TextState.FIXED
    elif sent:
        state = TextState.SENT
    else:
        state = TextState.STOPPED if stopped_at else TextState.UNSET
    return AutomaticText(
        id=int(record) if record else None,
        name=group.name,
        queue=group.queue,
        origin=kind,
        state=state,
        figures=group.figures,
        places=sent,
        stopped_at=stopped_at if state == TextState.STOPPED else None,
    )
