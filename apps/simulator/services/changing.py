"""Edits and deletions of customers' messages to a telephone."""

from django.db import transaction
from django.utils import timezone

from apps.simulator.models import SimMessage
from apps.simulator.services.conversations import UnknownSimulated, new_wamid
from apps.simulator.services.telling import tell_change


@transaction.atomic
def edit(wamid: str, words: str) -> SimMessage:
    """Edit a customer's text; raises UnknownSimulated for a message that can't be edited."""
    message = _own(wamid)
    if message.type != "text":
        raise UnknownSimulated("only texts are edited")
    message.body = {**message.body, "body": words, "edited": True}
    return _told(message)


@transaction.atomic
def delete(wamid: str) -> SimMessage:
    """Delete a customer's message; raises UnknownSimulated when it is already deleted."""
    message = _own(wamid)
    message.type, message.body = "deleted", {}
    return _told(message)


def _own(wamid: str) -> SimMessage:
    own = SimMessage.objects.filter(from_customer=True, conversation__number__is_phone=True)
    message = own.exclude(type__in=["deleted", "call"]).filter(wamid=wamid).first()
    if message is None:
        raise UnknownSimulated("no such message of a customer to a telephone")
    return message


def _told(message: SimMessage) -> SimMessage:
    message.save(update_fields=["type", "body"])
    tell_change(message, new_wamid(), timezone.now())
    return message
