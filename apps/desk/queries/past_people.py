"""Who was there in a past span, and what they could take, read for a rehearsal (rules/desk §16).

Presence is that of the timeline. Before it begins, presence is told by what people wrote: online
from their first message until the last one, with gaps of up to two hours. Queues, hours, skills and
capacity are those of now.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from heapq import merge
from operator import attrgetter
from zoneinfo import ZoneInfo

from django.db.models.functions import TruncHour

from apps.accounts.models import User, UserQueue
from apps.common.hours import hours_of
from apps.companies.queries import zone_of
from apps.desk.decisions.assignment import Person, Presence
from apps.desk.decisions.hours import Calendar
from apps.desk.decisions.replay import Change
from apps.desk.models import PresencePeriod, Seat
from apps.tickets.models import Message, MessageSource
from apps.tickets.queries.access import reads_whole_company

HOUR = timedelta(hours=1)
# Who wrote in two hours so far apart was there between them.
GAP = 2 * HOUR
Stretch = tuple[datetime, Presence]


@dataclass
class PastPeople:
    """People at the begin of a span, what changed, and how many were there by words, if not all
    the time.
    """

    people: list[Person] = field(default_factory=list)
    changes: list[Change] = field(default_factory=list)
    supervisors: frozenset[int] = frozenset()
    estimated: int = 0


def past_people(company_id: int, begin: datetime, until: datetime) -> PastPeople:
    """Return the company's active people of a span, in six queries."""
    active = User.objects.for_company(company_id).filter(is_active=True)
    users = list(active.select_related("role").order_by("pk"))
    ids = [user.pk for user in users]
    seats = {seat.user_id: seat for seat in Seat.objects.filter(user__in=ids)}
    queues: defaultdict[int, set[int]] = defaultdict(set)
    for user_id, queue_id in UserQueue.objects.filter(user__in=ids).values_list("user", "queue"):
        queues[user_id].add(queue_id)
    skills: defaultdict[int, set[int]] = defaultdict(set)
    links = Seat.skills.through._default_manager.filter(seat__user__in=ids)
    for user_id, tag_id in links.values_list("seat__user", "tag_id"):
        skills[user_id].add(tag_id)
    told = _timelines(company_id, begin, until)
    # Timelines begin when the distribution is switched on.
    known_from = {pk: told[pk][0][0] if pk in told else until for pk in ids}
    silent = {pk for pk in ids if known_from[pk] > begin and queues[pk]}
    written = {
        pk: [each for each in stretches if each[0] < known_from[pk]]
        for pk, stretches in _by_words(company_id, silent, begin, until).items()
    }
    zone = zone_of(company_id)
    found = PastPeople(
        supervisors=frozenset(each.pk for each in users if reads_whole_company(each))
    )
    found.estimated = len([pk for pk in silent if written.get(pk)])
    changes: list[Iterable[Change]] = []
    for pk in ids:
        if not queues[pk]:
            continue
        seat = seats.get(pk) or Seat(user_id=pk, company_id=company_id)
        stretches = [*written.get(pk, ()), *told.get(pk, ())]
        presence = _at(stretches, begin)
        hours = list(_hours(seat, zone, begin, until))
        found.people.append(
            Person(
                id=pk,
                queues=frozenset(queues[pk]),
                presence=presence,
                is_within_hours=not seat.schedules,
                capacity=seat.capacity,
                weights=seat.weights,
                skills=frozenset(skills[pk]),
            )
        )
        changes.append([Change(at, pk, presence=now) for at, now in stretches if at > begin])
        changes.append([Change(at, pk, is_within_hours=is_open) for at, is_open in hours])
    found.changes = list(merge(*changes, key=attrgetter("at")))
    return found


def _at(stretches: Iterable[Stretch], moment: datetime) -> Presence:
    presence = Presence.OFFLINE
    for at, now in stretches:
        if at > moment:
            break
        presence = now
    return presence


def _timelines(company_id: int, begin: datetime, until: datetime) -> Mapping[int, list[Stretch]]:
    """Return when people's presence changed, by person."""
    found: defaultdict[int, list[Stretch]] = defaultdict(list)
    periods = PresencePeriod.objects.for_company(company_id).filter(started_at__lt=until)
    periods = periods.filter(ended_at=None) | periods.filter(ended_at__gt=begin)
    columns = ("user", "started_at", "presence")
    for user_id, at, presence in periods.order_by("started_at", "pk").values_list(*columns):
        found[user_id].append((at, Presence(presence)))
    return found


def _by_words(
    company_id: int, user_ids: set[int], begin: datetime, until: datetime
) -> Mapping[int, list[Stretch]]:
    """Return when people were there by the hours in which they wrote, by person."""
    if not user_ids:
        return {}
    words = Message.objects.for_company(company_id).filter(
        created_at__gte=begin,
        created_at__lt=until,
        from_me=True,
        source=MessageSource.AGENT,
        user__in=user_ids,
    )
    hours = words.annotate(hour=TruncHour("created_at")).order_by().values_list("user", "hour")
    wrote: defaultdict[int, list[datetime]] = defaultdict(list)
    for user_id, hour in sorted(hours.distinct()):
        wrote[user_id].append(hour)
    return {user_id: list(_stretches(found)) for user_id, found in wrote.items()}


def _stretches(hours: Iterable[datetime]) -> Iterator[Stretch]:
    end: datetime | None = None
    for hour in hours:
        if end is not None and hour - end <= GAP:
            end = hour + HOUR
            continue
        if end is not None:
            yield end, Presence.OFFLINE
        yield hour, Presence.ONLINE
        end = hour + HOUR
    if end is not None:
        yield end, Presence.OFFLINE


def _hours(
    seat: Seat, zone: ZoneInfo, begin: datetime, until: datetime
) -> Iterator[tuple[datetime, bool]]:
    """Yield when a person's own hours begin and end."""
    if not seat.schedules:
        return
    last: datetime | None = None
    for start, end in Calendar(zone, hours_of(seat.schedules)).spans(begin, until):
        # What touches is one stretch: a day that ends at midnight goes on with the next one.
        if last is not None and start > last:
            yield last, False
        if last is None or start > last:
            yield start, True
        last = end
    if last is not None:
        yield last, False
