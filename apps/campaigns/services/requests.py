"""Messages that ask to leave: opt-out words, and answers to our question (rules/campaigns §7)."""

from collections.abc import Collection, Mapping, Sequence
from datetime import timedelta
from enum import Enum, auto

from django.db.models import Q
from django.utils import timezone

from apps.billing.services import has_feature
from apps.campaigns.models import OptOut, OptOutSource, RememberedNumber
from apps.campaigns.services.remembered_numbers import Key, remembered, was_written_to
from apps.common.search import bare
from apps.tickets.models import MediaType, Message

# A longer message is not an opt-out word, even with punctuation and spaces around the word.
LONGEST_ANSWER = 200
YES = frozenset({"1", "sim", "1 sim", "1 - sim"})
# The time to answer the question, in which it is not asked again.
QUESTION_COUNTS_FOR = timedelta(hours=24)


class Request(Enum):
    """What a message asks of us.

    `leave`: to leave; `confirmed`: the same, as the answer to our question; `unclear`: a word of
    somebody whom no campaign wrote to, so we ask; `repeated`: the word of somebody who has left.
    """

    LEAVE = auto()
    CONFIRMED = auto()
    UNCLEAR = auto()
    REPEATED = auto()


def requests_in(
    messages: Sequence[Message], words: Mapping[int, Collection[str]]
) -> dict[int, Request]:
    """Return which of contacts' new messages ask to leave, by id; their tickets are locked.

    `words` are the opt-out words of each company. Messages that are no such words take no query.
    """
    texts = {
        each: bare(each.body)
        for each in messages
        if each.body and len(each.body) <= LONGEST_ANSWER and not each.ticket.is_group
    }
    said = {
        each: text in words[each.company_id]
        for each, text in texts.items()
        if text in words[each.company_id] or text in YES
    }
    known = remembered({_key(each) for each in said}) if said else {}
    concerned = {
        each: is_word
        for each, is_word in said.items()
        if is_word or _was_asked(known.get(_key(each)))
    }
    if not concerned:
        return {}
    gone = _opted_out({_key(each) for each in concerned})
    found: dict[int, Request] = {}
    for message, is_word in concerned.items():
        key = _key(message)
        if key in gone:
            request = Request.REPEATED if is_word else None
        else:
            request = _request(message, known.get(key), is_word=is_word)
            if request is not None:
                gone.add(key)  # one message is enough
        if request is not None:
            found[message.pk] = request
    return found


def is_bots_own(message: Message) -> bool:
    """Tell whether the company gave this word a meaning for the bot or its integration, too."""
    connection, ticket = message.connection, message.ticket
    own = []
    if connection is not None and connection.transfer_keyword_queue_id:
        own.append(connection.transfer_keyword)
    if ticket.use_integration and ticket.integration is not None:
        flow = ticket.integration
        own += [flow.typebot_keyword_finish, flow.typebot_keyword_restart]
    return bare(message.body) in {bare(each) for each in own} - {""}


def _key(message: Message) -> Key:
    return message.company_id, message.contact.canonical_number


def _request(message: Message, known: RememberedNumber | None, *, is_word: bool) -> Request | None:
    if is_word and was_written_to(known):
        return Request.LEAVE
    if _was_asked(known):
        # Who writes the word again means it. A '1' may be an answer to something else.
        return Request.CONFIRMED if is_word or _answers(message, known) else None
    # A flow that knows the word is told to the flow.
    if is_bots_own(message) or not has_feature(company_id=message.company_id, feature="campaigns"):
        return None
    return Request.UNCLEAR


def _was_asked(known: RememberedNumber | None) -> bool:
    asked_at = known.asked_at if known else None
    return asked_at is not None and timezone.now() - asked_at < QUESTION_COUNTS_FOR


def _answers(message: Message, known: RememberedNumber | None) -> bool:
    """Tell whether our question is the message before this one in the conversation.

    Calls, and what was taken back, do not come between.
    """
    before = Message.objects.filter(
        ticket=message.ticket_id, pk__lt=message.pk, is_deleted=False
    ).exclude(media_type=MediaType.CALL_LOG)
    last: int | None = before.order_by("-pk").values_list("pk", flat=True).first()
    return known is not None and last is not None and last == known.question_pk


def _opted_out(keys: Collection[Key]) -> set[Key]:
    """Return who has opted out here; a switch at Meta alone is weaker than a word."""
    wanted = Q()
    for company_id, number in keys:
        wanted |= Q(company=company_id, canonical_number=number)
    rows = OptOut.objects.filter(wanted).exclude(source=OptOutSource.META)
    return set(rows.order_by().values_list("company_id", "canonical_number"))
