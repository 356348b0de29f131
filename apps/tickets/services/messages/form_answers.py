"""Puts the questions to the answers of the bot's forms (rules/bot §12)."""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any
from uuid import UUID

from apps.connections.providers.inbound import FORM_ANSWER, InboundMessage
from apps.contacts.models import Contact
from apps.tickets.models import Message
from apps.tickets.services.messages.rows import Received
from apps.tickets.services.outbox import FORM


def with_questions(received: Sequence[Received], contacts: Sequence[Contact]) -> list[Received]:
    """Return the messages; an answer to a form that this contact got from us names its questions.

    Any other form's answer keeps the keys that the provider told. One query, if there is a form.
    """
    tokens = {token for _, inbound in received if (token := _token(inbound)) is not None}
    if not tokens:
        return list(received)
    sent = Message.objects.filter(
        callback_id__in=tokens, from_me=True, contact__in={each.pk for each in contacts}
    )
    forms: dict[tuple[UUID, int], Any] = {
        (each.callback_id, each.contact_id): (each.data or {}).get(FORM) for each in sent
    }
    told: list[Received] = []
    for (connection, inbound), contact in zip(received, contacts, strict=True):
        token = _token(inbound)
        form = forms.get((token, contact.pk)) if token is not None else None
        told.append((connection, _named(inbound, form) if form else inbound))
    return told


def _token(inbound: InboundMessage) -> UUID | None:
    """Return our id of the form that a message answers; None for other messages and tokens."""
    answer = (inbound.data or {}).get(FORM_ANSWER)
    if not isinstance(answer, dict) or inbound.from_me:
        return None
    try:
        return UUID(answer["token"])
    except ValueError:
        return None


def _named(inbound: InboundMessage, form: dict[str, Any]) -> InboundMessage:
    data = inbound.data or {}
    answer = data[FORM_ANSWER]
    fields = {each["key"]: each for each in form["fields"]}
    given = [
        {"optionId": fields[key]["optionId"], "label": fields[key]["label"], "text": text}
        for key, text in answer["answers"].items()
        if key in fields
    ]
    named = {**answer, "first": form["first"], "given": given}
    body = "\n".join(_lines(answer["answers"], fields))
    return replace(inbound, body=body or inbound.body, data={**data, FORM_ANSWER: named})


def _lines(answers: dict[str, str], fields: dict[str, Any]) -> Iterable[str]:
    for key, text in answers.items():
        yield f"{fields[key]['label'] if key in fields else key}: {text}"
