"""Polls, and the votes on them (rules/inbound §8)."""

from collections.abc import Sequence

from apps.connections.models import Connection
from apps.connections.providers.inbound import InboundMessage
from apps.connections.providers.votes import chosen_options, voted_at
from apps.tickets import events
from apps.tickets.models import Message, Poll, PollVote
from apps.tickets.services.messages import corrections, early_references
from apps.tickets.services.messages.rows import Received


def keep_polls(received: Sequence[Received], messages: Sequence[Message]) -> None:
    """Keep what opens the votes on the polls among stored messages."""
    polls = [
        Poll(message=message, secret=inbound.poll.secret)
        for (_, inbound), message in zip(received, messages, strict=True)
        if inbound.poll is not None
    ]
    if polls:
        Poll.objects.bulk_create(polls)


def apply_vote(connection: Connection, inbound: InboundMessage) -> None:
    """Let somebody's vote take the place of their earlier one; the last counts.

    What this poll's secret does not open is nobody's vote.
    """
    target = corrections.target_of(connection, inbound.votes_on)
    if target is None:
        early_references.keep(connection, inbound)
        return
    poll = Poll.objects.filter(pk=target.pk).first()
    if poll is None:
        return
    chosen = chosen_options(
        inbound.vote,
        secret=poll.secret,
        poll_id=inbound.votes_on,
        options=((target.data or {}).get("poll") or {}).get("options") or [],
    )
    if chosen is None:
        return
    at = voted_at(inbound.vote, otherwise=inbound.sent_at)
    writer = corrections.writer_of(connection, inbound)
    votes = PollVote.objects.filter(poll=poll, from_me=inbound.from_me, sender=writer)
    if votes.filter(voted_at__gt=at).exists():
        return
    PollVote.objects.update_or_create(
        poll=poll,
        from_me=inbound.from_me,
        sender=writer,
        defaults={"options": chosen, "voted_at": at},
    )
    # The row's time moves too: browsers drop what is older.
    target.save(update_fields=["updated_at"])
    if not inbound.is_history:
        events.message_updated(target)
