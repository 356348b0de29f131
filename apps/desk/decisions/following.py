"""What a live ticket becomes by what happens to it, as the distribution knows it (rules/desk §3).

Every function takes values and returns values.
"""

from dataclasses import dataclass, replace
from datetime import datetime

from apps.desk.decisions.assignment import Channel, Held, Mode, Policy, ReturnTo, Why

# A ticket that comes back so keeps its place among those that wait.
KEEPS_PLACE = frozenset({Why.UNANSWERED, Why.OFFLINE, Why.SLA})


@dataclass(frozen=True)
class Followed:
    """A live ticket.

    `is_ready`: the distribution may give it. `since` is its place among those that wait. `aside`
    says that it waits for a hand, and whose. `our_word_at` is None if the contact wrote last.
    """

    since: datetime
    opened_at: datetime
    queue_id: int | None = None
    user_id: int | None = None
    priority: int = 3
    channel: Channel = Channel.WHATSAPP
    is_ready: bool = False
    prefers: int | None = None
    prefers_until: datetime | None = None
    returned_by: tuple[int, ...] = ()
    returns: int = 0
    aside: ReturnTo | None = None
    given_at: datetime | None = None
    unanswered_since: datetime | None = None
    our_word_at: datetime | None = None
    is_apart: bool = False

    @property
    def held(self) -> Held:
        return Held(
            given_at=self.given_at or self.since,
            unanswered_since=self.unanswered_since,
            our_word_at=self.our_word_at,
            returns=self.returns,
            is_apart=self.is_apart,
        )


@dataclass(frozen=True)
class Cause:
    """Why a ticket changes hands; `to` is where one goes that comes back."""

    why: Why = Why.BY_HAND
    to: ReturnTo | None = None


@dataclass(frozen=True)
class Seen:
    """What a ticket is now.

    `is_led`: bot, integration or prompt leads it, or a campaign alone began it. `is_apart`: another
    responder leads it, or it is snoozed. `queued_at` is when it last began to wait.
    """

    queued_at: datetime
    queue_id: int | None
    user_id: int | None = None
    is_pending: bool = True
    priority: int = 3
    is_led: bool = False
    is_apart: bool = False


@dataclass(frozen=True)
class Word:
    """A message: from our side, and then by a person or not; from the contact, and then a call."""

    is_ours: bool = False
    is_by_person: bool = False
    is_call: bool = False


def taken_in(known: Followed, seen: Seen, cause: Cause, policy: Policy, now: datetime) -> Followed:
    """Return what a ticket is after it has become what is seen."""
    after = replace(known, queue_id=seen.queue_id, priority=seen.priority, is_apart=seen.is_apart)
    if seen.queue_id not in {None, known.queue_id}:
        # For whom it waits was asked in the other queue.
        after = replace(after, aside=None, returns=0, prefers=None, prefers_until=None)
    if known.is_apart and not seen.is_apart and seen.user_id is not None:
        # It comes to its holder anew, who then has the whole time to answer.
        after = replace(after, given_at=now)
    if seen.user_id != known.user_id:
        after = _handed_over(after, seen, cause, now)
    is_ready = (
        seen.is_pending
        and seen.user_id is None
        and not (seen.is_led or seen.is_apart)
        and after.aside is None
        and policy.mode != Mode.MANUAL
    )
    return replace(after, user_id=seen.user_id, is_ready=is_ready)


def _handed_over(known: Followed, seen: Seen, cause: Cause, now: datetime) -> Followed:
    if seen.user_id is not None:
        return replace(known, given_at=now, aside=None, prefers=None, prefers_until=None)
    returned_by = known.returned_by
    if known.user_id is not None and known.user_id not in returned_by:
        returned_by = (*returned_by, known.user_id)
    is_aside = cause.to is not None and cause.to != ReturnTo.NEXT
    return replace(
        known,
        returned_by=returned_by,
        since=known.since if cause.why in KEEPS_PLACE else seen.queued_at,
        returns=known.returns + (cause.why == Why.UNANSWERED),
        aside=cause.to if is_aside else known.aside,
    )


def heard(known: Followed, word: Word, now: datetime) -> Followed:
    """Return what a ticket is after a message."""
    if word.is_ours:
        if not word.is_by_person:
            return replace(known, our_word_at=now)
        return replace(known, our_word_at=now, unanswered_since=None, returns=0)
    channel = Channel.CALL if word.is_call else Channel.WHATSAPP
    if known.unanswered_since and not known.our_word_at and known.channel == channel:
        return known
    return replace(
        known,
        our_word_at=None,
        unanswered_since=known.unanswered_since or now,
        channel=channel,
    )
