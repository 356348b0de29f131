"""Makes the report of a rehearsal (rules/desk §16)."""

from collections import defaultdict
from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import datetime
from functools import partial
from typing import Any

from django.db.models import QuerySet

from apps.connections.capabilities import capabilities_of_kind
from apps.connections.models import Connection
from apps.contacts.models import Contact as ContactRow
from apps.contacts.models import ContactField
from apps.desk.decisions.replay import Live, Replay, Setting
from apps.desk.decisions.rule_forms import rule_of
from apps.desk.decisions.rules import Run, When
from apps.desk.decisions.sla import Clock, Kind, Step
from apps.desk.decisions.stories import Outcome, Story, lived
from apps.desk.decisions.tally import Tally
from apps.desk.decisions.trials import Contact, RuleTrial, watch_story
from apps.desk.decisions.watching import Facts, Times, Watch
from apps.desk.models import (
    AssignmentPolicy,
    Rehearsal,
    RuleRun,
    SlaClock,
    SlaPolicy,
    SlaStep,
    Subject,
)
from apps.desk.queries.debts import past_debts
from apps.desk.queries.past_people import past_people
from apps.desk.queries.rules import NO_TAGS, lanes_in
from apps.desk.queries.rules import tags_of as rule_tags_of
from apps.desk.queries.sla import Calendars, times_of
from apps.desk.queries.stories import MOST_STORIES, Stories
from apps.desk.services.known import SLA, known
from apps.desk.services.rehearsals.bots import try_queue

# How many tickets are done, and of how many.
Tell = Callable[[int, int], None]


def report_of(rehearsal: Rehearsal, tell: Tell) -> dict[str, Any]:
    """Return what would have happened in the span, beside what did; see `Tally.plain`.

    `estimatedPeople`: for so many presence is told by when they wrote. `isCut`: the span has
    more tickets than are tried.
    """
    make = {
        Subject.ASSIGNMENT: _of_assignment,
        Subject.SLA: _of_times,
        Subject.RULE: _of_rule,
        Subject.BOT: _of_bot,
    }[Subject(rehearsal.subject)]
    stories = Stories(
        rehearsal.company_id,
        rehearsal.since,
        rehearsal.until,
        has_texts=rehearsal.subject == Subject.RULE,
        has_pasts=rehearsal.subject == Subject.ASSIGNMENT,
    )
    tell(0, len(stories))
    tally = Tally()
    more = make(rehearsal, stories, tally, tell)
    return {
        **tally.plain(),
        "estimatedPeople": 0,
        "isCut": len(stories) >= MOST_STORIES,
        **more,
    }


def _parts(stories: Stories, tell: Tell) -> Iterator[list[Story]]:
    done = 0
    for part in stories.parts():
        yield part
        done += len(part)
        tell(done, len(stories))


def _each(stories: Stories, tell: Tell) -> Iterator[Story]:
    for part in _parts(stories, tell):
        yield from part


def _of_assignment(
    rehearsal: Rehearsal, stories: Stories, tally: Tally, tell: Tell
) -> dict[str, Any]:
    company_id, queue_id = rehearsal.company_id, rehearsal.target_id or 0
    rows = {each.queue_id: each for each in AssignmentPolicy.objects.for_company(company_id)}
    proposed = rows.setdefault(queue_id, AssignmentPolicy(company_id=company_id, queue_id=queue_id))
    for name, value in rehearsal.proposal.items():
        setattr(proposed, name, value)
    people = past_people(company_id, stories.begin, rehearsal.until)
    times = _times_now(rehearsal, tally, queue_id) if known.is_on(company_id, SLA) else None

    def ended(story: Story, real: Outcome, would: Outcome) -> None:
        if not story.counts:
            return
        tally.tickets += 1
        if real.ready_at is not None and real.queue_id == queue_id:
            tally.add(story, real, would)

    setting = Setting(
        policies={pk: each.rules for pk, each in rows.items()},
        people=people.people,
        began_at=stories.begin,
        until=rehearsal.until,
        changes=people.changes,
        supervisors=people.supervisors,
        times=times,
    )
    Replay(setting, ended).run(_each(stories, tell))
    return {"estimatedPeople": people.estimated}


def _times_now(rehearsal: Rehearsal, tally: Tally, queue_id: int) -> Times:
    """Return the times of now; what is judged in the queue is counted on both sides."""
    judged = SlaClock.objects.for_company(rehearsal.company_id).filter(
        judged_at__gte=rehearsal.since, judged_at__lt=rehearsal.until, queue=queue_id
    )
    for kind, missed_at in judged.values_list("kind", "missed_at").iterator(chunk_size=2000):
        (tally.before.met if missed_at is None else tally.before.missed)[kind] += 1

    def note(watch: Watch, clock: Clock, facts: Facts) -> None:
        live = watch.subject
        at = clock.met_at or clock.missed_at
        is_counted = isinstance(live, Live) and at is not None and at >= rehearsal.since
        if is_counted and facts.queue_id == queue_id:
            side = tally.after.missed if clock.missed_at else tally.after.met
            side[clock.kind] += 1

    policies = times_of(rehearsal.company_id)
    return Times(
        policies=policies,
        calendar_of=partial(Calendars().of_queue, rehearsal.company_id),
        judged=note,
    )


def _of_times(rehearsal: Rehearsal, stories: Stories, tally: Tally, tell: Tell) -> dict[str, Any]:
    fields = dict(rehearsal.proposal)
    steps = [
        # What has passed is what they are tried on.
        replace(SlaStep(pk=number, **each).rules, since=None)
        for number, each in enumerate(fields.pop("steps", ()), 1)
    ]
    policies = times_of(rehearsal.company_id)
    own = rehearsal.target_id or max([each.id for each in policies], default=0) + 1
    proposed = replace(SlaPolicy(pk=own, **fields).rules, id=own)
    # Of one queue, tag or priority only one can be; the proposal stands for it.
    scope = (proposed.queue_id, proposed.tag_id, proposed.priority)
    others = [
        each
        for each in policies
        if each.id != own and (each.queue_id, each.tag_id, each.priority) != scope
    ]
    judged = SlaClock.objects.for_company(rehearsal.company_id)
    if stood := {each.id for each in policies} - {each.id for each in others}:
        judged = judged.filter(policy__in=stood)
    elif proposed.queue_id is not None:
        # Of new times: how those that hold now did in the queue.
        judged = judged.filter(queue=proposed.queue_id)
    found: dict[Kind, bool] = {}

    def note(watch: Watch, clock: Clock, facts: Facts) -> None:
        if clock.policy_id == own:
            is_missed = clock.missed_at is not None
            found[clock.kind] = found.get(clock.kind, False) or is_missed
            (tally.after.missed if is_missed else tally.after.met)[clock.kind] += 1

    def fired(watch: Watch, clock: Clock, step: Step) -> None:
        tally.deeds[step.id] += 1

    times = Times(
        policies=[*others, proposed],
        calendar_of=partial(Calendars().of_queue, rehearsal.company_id),
        steps={own: steps} if steps else {},
        judged=note,
        fired=fired,
    )
    for part in _parts(stories, tell):
        counted = [each for each in part if each.counts]
        before = _judged_of(rehearsal, judged, [each.ticket_id for each in counted])
        for story in counted:
            found.clear()
            tally.tickets += 1
            watch = watch_story(story, times, rehearsal.until)
            if own in watch.policy_ids:
                _count_times(tally, story, before.get(story.ticket_id, []), found)
    return {}


def _count_times(
    tally: Tally, story: Story, before: list[tuple[str, bool, Any]], after: dict[Kind, bool]
) -> None:
    """Count a ticket for which the times would have held."""
    real = lived(story)
    tally.matched += 1
    tally.before.add(real)
    tally.after.add(real)
    end = real.closed_at
    was: dict[str, bool] = {}
    for kind, is_missed, at in before:
        if at >= story.began_at and (end is None or at <= end):
            was[kind] = was.get(kind, False) or is_missed
            (tally.before.missed if is_missed else tally.before.met)[kind] += 1
    missed_before = sorted(kind for kind, is_missed in was.items() if is_missed)
    missed_after = sorted(kind for kind, is_missed in after.items() if is_missed)
    if missed_before != missed_after:
        tally.changed += 1
        more = {"missedBefore": missed_before, "missedAfter": missed_after}
        tally.sample(story, float(len(missed_after)), more)


def _judged_of(
    rehearsal: Rehearsal, clocks: "QuerySet[SlaClock]", ticket_ids: list[int]
) -> dict[int, list[tuple[str, bool, Any]]]:
    """Return which of the clocks really were met or missed, by ticket."""
    found: defaultdict[int, list[tuple[str, bool, Any]]] = defaultdict(list)
    judged = clocks.filter(
        ticket__in=ticket_ids, judged_at__gte=rehearsal.since, judged_at__lt=rehearsal.until
    )
    columns = ("ticket", "kind", "missed_at", "judged_at")
    for ticket_id, kind, missed_at, at in judged.order_by("pk").values_list(*columns):
        found[ticket_id].append((kind, missed_at is not None, at))
    return found


def _of_rule(rehearsal: Rehearsal, stories: Stories, tally: Tally, tell: Tell) -> dict[str, Any]:
    company_id, rule_id = rehearsal.company_id, rehearsal.target_id or 0
    form = rehearsal.proposal
    rule = rule_of(rule_id, **form, lanes=lanes_in(company_id, [form["actions"]]))
    runs = RuleRun.objects.for_company(company_id).filter(
        rule=rule_id, refusal="", at__gte=rehearsal.since, at__lt=rehearsal.until
    )
    tally.runs_before = runs.count()
    found: list[Run] = []

    def ran(story: Story, run: Run) -> None:
        # What a run leads to is tried as well, but it is not the rule that was asked about.
        if run.rule_id == rule_id and run.event.at >= rehearsal.since:
            found.append(run)

    calendar_of = partial(Calendars().of_queue, company_id)
    has_clocks = rule.trigger.when == When.SLA_STEP and known.is_on(company_id, SLA)
    times = Times(times_of(company_id) if has_clocks else (), calendar_of)
    trial = RuleTrial(rule, calendar_of, ran, times)
    windows = _windows(company_id)
    debts: dict[str, list[datetime]] = {}
    if rule.trigger.when == When.INVOICE_OVERDUE:
        debts = past_debts(company_id, rehearsal.since, rehearsal.until)
    for part in _parts(stories, tell):
        counted = [each for each in part if each.counts]
        contacts = _contacts(counted, windows, debts)
        for story in counted:
            found.clear()
            tally.tickets += 1
            trial.try_on(story, contacts[story.id], rehearsal.until)
            if found:
                _count_runs(tally, story, found)
    return {}


def _of_bot(rehearsal: Rehearsal, stories: Stories, tally: Tally, tell: Tell) -> dict[str, Any]:
    return try_queue(rehearsal, _parts(stories, tell), tally)


def _count_runs(tally: Tally, story: Story, found: list[Run]) -> None:
    done = [run for run in found if not run.refusal]
    tally.matched += 1
    tally.runs += len(done)
    tally.refused += len(found) - len(done)
    first = (done or found)[0]
    # The latest tickets are those that people remember.
    more = {"runs": len(done), "at": first.event.at.isoformat(), "refusal": str(first.refusal)}
    tally.sample(story, first.event.at.timestamp(), more)


def _windows(company_id: int) -> dict[int, bool]:
    """Return which connections have 24 hours for free text."""
    found = Connection.objects.for_company(company_id).values_list("pk", "provider")
    return {pk: capabilities_of_kind(provider).session_window for pk, provider in found}


def _contacts(
    stories: list[Story], windows: dict[int, bool], debts: dict[str, list[datetime]]
) -> dict[int, Contact]:
    """Return what conditions look at of each story's contact and ticket, in three queries."""
    ids = {each.contact_id for each in stories}
    columns = ("pk", "name", "number", "email", "is_group", "canonical_number")
    people = {row[0]: row for row in ContactRow.objects.filter(pk__in=ids).values_list(*columns)}
    fields: defaultdict[int, dict[str, str]] = defaultdict(dict)
    found = ContactField.objects.filter(contact__in=ids).order_by("pk")
    for contact_id, name, value in found.values_list("contact", "folded_name", "value"):
        fields[contact_id][name] = value
    tags = rule_tags_of({each.ticket_id for each in stories})
    found_of: dict[int, Contact] = {}
    for each in stories:
        _, name, number, email, is_group, canonical = people[each.contact_id]
        found_of[each.id] = Contact(
            name,
            number,
            email,
            fields=fields[each.contact_id],
            lane_id=tags.get(each.ticket_id, NO_TAGS).lane_id,
            is_group=is_group,
            has_window=windows.get(each.connection_id or 0, False),
            overdue_at=debts.get(canonical, ()),
        )
    return found_of
