"""Votes on polls (rules/inbound §8)."""

from apps.connections.models import Connection
from apps.connections.providers.inbound import InboundMessage
from apps.connections.providers.votes import chosen_options, voted_at
from apps.tickets import events
from apps.tickets.models import Poll, PollVote
from apps.tickets.services.messages import corrections, early_references


def apply_vote(connection: Connection, inbound: InboundMessage) -> None:
    """Replace a person's earlier vote; the latest by the voter's clock counts.

    A vote that this poll's secret does not decrypt is ignored.
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
    # The row's time moves as well: browsers drop older versions of a message.
    target.save(update_fields=["updated_at"])
    if not inbound.is_history:
        events.message_updated(target)
