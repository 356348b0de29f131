"""The way of marketing templates: `marketing_messages` or `messages` (rules/messages §8)."""

from dataclasses import replace

from django.utils import timezone

from apps.connections.models import Connection, MarketingWay, ProviderKind
from apps.connections.providers.base import Provider, ProviderError
from apps.connections.providers.content import SendContext, SentMessage, TemplateSend

MARKETING = "MARKETING"
# `/messages` sends no marketing of this account.
CLOSED = "131063"
# The account has not accepted the terms of `/marketing_messages`.
TERMS_MISSING = "131055"
# `/marketing_messages` refuses this template alone: it is of another category since, not yet
# synchronized, or not taken there.
NOT_THERE = frozenset({"134100", "134101", "134102", "131009"})


def send_template(
    provider: Provider, connection: Connection, context: SendContext, template: TemplateSend
) -> SentMessage:
    """Send a template by the way that its account has; never call it inside a transaction.

    A refusal that names the other way proves that nothing was sent: the message goes there at
    once, and what was learned of the account is kept. Raises ProviderError: of two refusals the one
    that tells more.
    """
    is_marketing = template.category == MARKETING
    known = connection.marketing_way == MarketingWay.MARKETING_MESSAGES
    first = replace(template, as_marketing=is_marketing and known)
    try:
        return provider.send_template(context, first)
    except ProviderError as refusal:
        if not _is_turned_away(first, refusal):
            raise
        second = replace(template, as_marketing=not first.as_marketing)
        if refusal.code == CLOSED:
            note_way(connection, MarketingWay.MARKETING_MESSAGES)
        try:
            sent = provider.send_template(context, second)
        except ProviderError as other:
            if other.code == CLOSED:
                raise refusal from other
            raise
        if refusal.code == TERMS_MISSING:
            note_way(connection, MarketingWay.MESSAGES)
        return sent


def _is_turned_away(sent: TemplateSend, refusal: ProviderError) -> bool:
    if sent.as_marketing:
        return refusal.code == TERMS_MISSING or refusal.code in NOT_THERE
    return refusal.code == CLOSED


def note_way(connection: Connection, way: MarketingWay) -> None:
    """Keep how an account sends marketing, at all of its verified numbers, with the date."""
    connection.marketing_way = way
    numbers = Connection.objects.filter(
        provider=ProviderKind.OFFICIAL, waba_id=connection.waba_id, verified_at__isnull=False
    )
    numbers.exclude(marketing_way=way).update(marketing_way=way, marketing_way_at=timezone.now())
