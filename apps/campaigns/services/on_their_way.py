"""The messages of recipients who are in the outbox (rules/campaigns §2 and §7)."""

from collections.abc import Iterable

from apps.campaigns.models import CampaignRecipient, RecipientState
from apps.tickets.models import Message, MessageSource


def messages_of(recipients: Iterable[CampaignRecipient]) -> dict[CampaignRecipient, list[int]]:
    """Return the ids of the messages that recipients have, or had, in the outbox, in order."""
    return {each: _messages_of(each) for each in recipients}


def _messages_of(recipient: CampaignRecipient) -> list[int]:
    is_asking = recipient.state == RecipientState.ASKING
    last = recipient.confirmation_message_id if is_asking else recipient.message_id
    first = recipient.first_message_pk or last
    if last is None or first == last:
        return [last] if last else []
    rows = Message.objects.filter(
        ticket__in=Message.objects.filter(pk=last).values("ticket"),
        source=MessageSource.CAMPAIGN,
        pk__range=(first, last),
    )
    return list(rows.order_by("pk").values_list("pk", flat=True))
