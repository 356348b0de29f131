"""Tries times and rules on what happened, ticket by ticket, on a virtual clock (rules/desk §16).

Times and rules do not change what people answered and when. So nothing has to be simulated: what
happened goes by once more, and the decisions judge it.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta

from apps.desk.decisions.following import Word
from apps.desk.decisions.hours import Calendar
from apps.desk.decisions.rules import (
    TIMES,
    Event,
    Refusal,
    Rule,
    Run,
    Snapshot,
    When,
    changes,
    due,
    moments,
    play,
)
from apps.desk.decisions.sla import Heard
from apps.desk.decisions.stories import Being, Deed, Happening, Story, passages
from apps.desk.decisions.watching import Facts, Times, Watch
from apps.desk.decisions.words import after_word, event_of_word

# What no row tells the moment of, so that it can't be tried.
UNTRIED = frozenset({When.TAG_SET, When.TAG_TAKEN, When.LANE_CHANGED})
_WORDS = frozenset({Deed.HEARD, Deed.WROTE, Deed.ANSWERED})
_HEARD = {Deed.HEARD: Heard.CONTACT, Deed.ANSWERED: Heard.PERSON}
_WINDOW = timedelta(hours=24)


def watch_story(story: Story, times: Times, until: datetime) -> Watch:
    """Return the clocks of a ticket as what happened left them; `times` hears of what is judged."""
    watch = Watch(times, story)
    for happening, now in passages(story):
        _show(watch, story, happening, now)
    watch.pass_to(until)
    return watch


def _show(watch: Watch, story: Story, happening: Happening, now: Being) -> None:
    """Have clocks see what happened to a ticket, and what it is after it."""
    if happening.deed in {Deed.RETURNED, Deed.PUT_BACK, Deed.MOVED}:
        watch.waits_again()
    facts = Facts(
        queue_id=now.queue_id,
        user_id=now.user_id,
        priority=now.priority,
        tag_ids=story.tag_ids,
        is_live=now.is_live,
        is_ours=not now.is_led,
        is_snoozed=now.is_snoozed,
    )
    watch.see(facts, _HEARD.get(happening.deed, Heard.NOTHING), happening.at)


@dataclass(frozen=True)
class Contact:
    """What conditions look at of a story's contact and ticket, as they are today.

    `overdue_at` is when invoices of the contact became overdue, in order.
    """

    name: str = ""
    number: str = ""
    email: str = ""
    fields: Mapping[str, str] = field(default_factory=dict)
    lane_id: int | None = None
    is_group: bool = False
    has_window: bool = False
    overdue_at: Sequence[datetime] = ()


@dataclass
class RuleTrial:
    """Tries one rule; `ran` hears of each run, which changes only the ticket in memory.

    What really happened to the ticket goes on as it did, whatever the rule makes of it. `times` are
    those whose steps start rules, by today's policies and hours.
    """

    rule: Rule
    calendar_of: Callable[[int | None], Calendar]
    ran: Callable[[Story, Run], None]
    times: Times

    def try_on(self, story: Story, contact: Contact, until: datetime) -> None:
        """Have a rule see what happened to a ticket."""
        state, at = self._begun(story, contact), story.began_at
        opening = [Event(When.OPENED, at), *changes(replace(state, queue_id=None), state, at)]
        state = self._play(story, state, opening, at)
        has_clocks = self.rule.trigger.when == When.SLA_STEP
        watch = Watch(self.times, story)
        for happening, now in passages(story):
            state = self._pass(story, state, contact, at, happening.at)
            before, at = state, happening.at
            state = self._after(state, happening, now, contact)
            if has_clocks:
                _show(watch, story, happening, now)
                state = replace(state, clocks=watch.clocks)
            state = self._play(story, state, _events(before, state, happening), at)
        self._pass(story, state, contact, at, until)

    def _begun(self, story: Story, contact: Contact) -> Snapshot:
        return Snapshot(
            id=story.ticket_id,
            queue_id=story.queue_id,
            priority=story.priority,
            tags=story.tag_ids,
            lane_id=contact.lane_id,
            connection_id=story.connection_id,
            is_group=contact.is_group,
            is_led=story.is_led,
            opened_at=story.began_at,
            contact_name=contact.name,
            contact_number=contact.number,
            contact_email=contact.email,
            contact_fields=contact.fields,
            # Who has not written has a window that is over.
            window_closes_at=story.opened_at if contact.has_window else None,
            calendar=self.calendar_of(story.queue_id),
        )

    def _after(
        self, state: Snapshot, happening: Happening, now: Being, contact: Contact
    ) -> Snapshot:
        at, deed = happening.at, happening.deed
        status = "closed" if not now.is_live else "pending" if now.user_id is None else "open"
        state = replace(
            state,
            status=status,
            queue_id=now.queue_id,
            user_id=now.user_id,
            priority=now.priority,
            is_led=now.is_led,
            is_snoozed=now.is_snoozed,
        )
        if deed == Deed.MOVED:
            state = replace(state, calendar=self.calendar_of(now.queue_id))
        if deed not in _WORDS:
            return state
        our_word_at, waits_since = after_word(_word_of(happening), at, state.unanswered_since)
        state = replace(state, our_word_at=our_word_at, unanswered_since=waits_since)
        if deed != Deed.HEARD:
            return state
        closes_at = at + _WINDOW if contact.has_window else None
        return replace(state, contact_word_at=at, window_closes_at=closes_at)

    def _pass(
        self, story: Story, state: Snapshot, contact: Contact, since: datetime, until: datetime
    ) -> Snapshot:
        """Have moments come that a rule waits for."""
        when = self.rule.trigger.when
        if when == When.INVOICE_OVERDUE and state.is_live:
            overdue = [Event(when, at) for at in contact.overdue_at if since < at <= until]
            for each in overdue:
                state = self._play(story, state, [each], each.at)
        if when not in TIMES:
            return state
        while ahead := moments([self.rule], state):
            if ahead[0].at > until:
                break
            # Of a clock that goes on again a moment may be over.
            now = max(ahead[0].at, since)
            state = self._play(story, state, due([self.rule], state, now), now)
            # Also a moment that did nothing is over.
            state = replace(state, done=state.done | {(self.rule.id, ahead[0].anchor)})
        return state

    def _play(
        self, story: Story, state: Snapshot, events: Iterable[Event], now: datetime
    ) -> Snapshot:
        for event in events:
            played = play([self.rule], state, event, now)
            for run in played.runs:
                if run.refusal == Refusal.ITSELF:
                    # That it does not start itself is no news live, either.
                    continue
                self.ran(story, run)
                if not run.refusal:
                    # What it would have changed is told; only that it ran is kept.
                    state = replace(state, runs=run.after.runs, done=run.after.done)
        return state


def _word_of(happening: Happening) -> Word:
    return Word(
        is_ours=happening.deed != Deed.HEARD,
        is_by_person=happening.deed == Deed.ANSWERED,
        is_call=happening.deed == Deed.HEARD and bool(happening.value),
    )


def _events(before: Snapshot, after: Snapshot, happening: Happening) -> Sequence[Event]:
    at, deed = happening.at, happening.deed
    if deed in _WORDS:
        word, text, media = _word_of(happening), happening.text, happening.media
        event = event_of_word(word, at, text=text, media=media)
        return [event] if event else []
    if deed == Deed.RATED:
        return [Event(When.RATED, at, rate=happening.value)]
    return changes(before, after, at)
