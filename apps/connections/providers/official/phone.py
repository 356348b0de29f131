"""What a phone that stays in use tells: its past, its address book; and asking it for both.

developers.facebook.com/documentation/business-messaging/whatsapp/webhooks/reference/history and
…/smb_app_state_sync. One notification may hold thousands of messages: it is cut into parts.
"""

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from apps.connections.providers.base import ProviderError
from apps.connections.providers.content import AddressEntry
from apps.connections.providers.inbound import InboundAddresses, InboundHistory, InboundMessage
from apps.connections.providers.official.client import GraphClient
from apps.connections.providers.official.identities import USER_ID, person_of
from apps.connections.providers.official.reading import read_message
from apps.connections.providers.official.values import JsonObject, as_dict, as_list, as_text, person

HISTORY = "history"
ADDRESSES = "smb_app_state_sync"
# Of one part; handling it takes a fraction of a second.
MESSAGES_AT_ONCE = 200
ADDRESSES_AT_ONCE = 500
# The phone's owner declined to share the history.
DECLINED = "2593109"
WHOLE = 100
# See rules/messages §2; failed messages of the phone have no reason.
ACKS = {"error": -1, "pending": 1, "sent": 2, "delivered": 3, "read": 4, "played": 5}

# Rate limits, and calls that never reached Meta.
NOT_TAKEN = frozenset({"4", "80007", "80008", "130429", "http_429", "unreachable"})
SYNC_TYPES = {"contacts": ADDRESSES, "history": HISTORY}


def ask(client: GraphClient, phone_number_id: str, kind: str) -> str:
    """Request a phone's `contacts` or `history` from Meta; return the id of the request.

    Meta answers each once, so only a request that Meta says it refused may be repeated; any other
    temporary error leaves the outcome unknown.
    """
    try:
        answer = client.post_once(
            f"{phone_number_id}/smb_app_data",
            {"messaging_product": "whatsapp", "sync_type": SYNC_TYPES[kind]},
        )
    except ProviderError as error:
        is_answer = error.permanent or error.needs_reconnect
        error.outcome_unknown = not is_answer and error.code not in NOT_TAKEN
        raise
    return as_text(answer.get("request_id"))


def history_parts(value: JsonObject) -> Iterator[JsonObject]:
    """Cut the value of a `history` notification into parts, in its order, without loss.

    Each is `{threads, chunk}`, the last of a chunk with `is_last`; files that follow, which
    stand in `messages`, are `{messages}`; what is refused, and any odd shape, is `{other}`.
    """
    for chunk in as_list(value.get("history")):
        if not isinstance(chunk, dict) or not isinstance(chunk.get("threads", []), list):
            yield {"other": chunk}
            continue
        if chunk.get("errors"):
            yield {"errors": chunk["errors"]}
            if not chunk.get("threads"):
                continue
        parts = list(_batches(chunk.get("threads", []))) or [[]]
        for place, threads in enumerate(parts):
            part = {"chunk": chunk.get("metadata"), "threads": threads}
            yield {**part, "is_last": True} if place == len(parts) - 1 else part
    messages = as_list(value.get("messages"))
    for start in range(0, len(messages), MESSAGES_AT_ONCE):
        yield {"messages": messages[start : start + MESSAGES_AT_ONCE]}
    if value.get("errors"):
        yield {"errors": value["errors"]}


def _batches(threads: list[Any]) -> Iterator[list[JsonObject]]:
    """Yield the threads in groups of at most MESSAGES_AT_ONCE messages; a long thread is split."""
    batch: list[JsonObject] = []
    room = MESSAGES_AT_ONCE
    for thread in map(as_dict, threads):
        messages = as_list(thread.get("messages"))
        while messages:
            batch.append({**thread, "messages": messages[:room]})
            messages, room = messages[room:], room - len(messages[:room])
            if not room:
                yield batch
                batch, room = [], MESSAGES_AT_ONCE
    if batch:
        yield batch


def address_parts(value: JsonObject) -> Iterator[JsonObject]:
    """Cut the value of an address book's notification into parts."""
    entries = as_list(value.get("state_sync"))
    for start in range(0, len(entries), ADDRESSES_AT_ONCE):
        yield {"state_sync": entries[start : start + ADDRESSES_AT_ONCE]}


def read_history(payload: JsonObject) -> InboundHistory | None:
    """Read a stored part of a history; None if it is empty."""
    own = "".join(filter(str.isdecimal, _own_number(payload)))
    if faults := as_list(payload.get("errors")):
        fault = as_dict(faults[0])
        is_declined = DECLINED in {as_text(as_dict(each).get("code")) for each in faults}
        return InboundHistory(
            is_declined=is_declined,
            error=as_text(fault.get("message")) or as_text(fault.get("title")) or "?",
        )
    if "messages" in payload:
        rows = [_read(message, {}, own) for message in as_list(payload["messages"])]
        return InboundHistory(messages=tuple(filter(None, rows)))
    if "threads" not in payload:
        return None
    found = [
        _read(message, thread, own)
        for thread in map(as_dict, as_list(payload["threads"]))
        for message in as_list(thread.get("messages"))
    ]
    metadata = as_dict(payload.get("chunk")) if payload.get("is_last") is True else {}
    return InboundHistory(
        messages=tuple(filter(None, found)),
        phase=_whole(metadata.get("phase"), 9),
        progress=_whole(metadata.get("progress"), WHOLE),
    )


def _own_number(payload: JsonObject) -> str:
    return as_text(as_dict(payload.get("metadata")).get("display_phone_number"))


def _whole(value: Any, most: int) -> int | None:
    text = as_text(value)
    return min(int(text), most) if text.isascii() and text.isdecimal() and len(text) < 10 else None


def _read(message: Any, thread: JsonObject, own: str) -> InboundMessage | None:
    """Return a message of a history; a file that follows its placeholder has no thread."""
    message = as_dict(message)
    context, names = as_dict(message.get("history_context")), as_dict(thread.get("context"))
    chat, writer = as_text(thread.get("id")), as_text(message.get("from"))
    from_me = context.get("from_me")
    if not isinstance(from_me, bool):
        # Brazilian numbers may come with or without the ninth digit, so our side is whoever is not
        # the other side.
        from_me = writer != chat if chat.isdecimal() else bool(own) and _digits(writer) == own
    number, user_id = person_of(
        (as_text(names.get("wa_id")), chat or (as_text(message.get("to")) if from_me else writer)),
        (as_text(names.get("user_id")),),
    )
    contact = {
        "wa_id": number,
        "user_id": user_id,
        "profile": {"username": as_text(names.get("username"))},
    }
    read = read_message({"message": message, "contact": contact, "is_echo": from_me})
    if read is None:
        return None
    ack = ACKS.get(as_text(context.get("status")).lower()) if from_me else None
    return replace(read, is_history=True, ack=ack)


def _digits(value: Any) -> str:
    text = as_text(value)
    return "" if USER_ID.fullmatch(text) else "".join(filter(str.isdecimal, text))


def read_addresses(payload: JsonObject) -> InboundAddresses | None:
    """Return additions to a phone's address book; removals are ignored."""
    entries = []
    for each in map(as_dict, as_list(payload.get("state_sync"))):
        contact = as_dict(each.get("contact"))
        number, user_id = person(contact, ("phone_number",), ("user_id",))
        name = as_text(contact.get("full_name")) or as_text(contact.get("first_name"))
        is_added = each.get("type") == "contact" and each.get("action") != "remove"
        if is_added and (number or user_id):
            entries.append(AddressEntry(_digits(number), name, user_id))
    return InboundAddresses(tuple(entries)) if entries else None
