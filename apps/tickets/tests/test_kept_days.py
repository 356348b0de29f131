"""The dashboard with kept sums equals the one without, also after each later change."""

import threading
from collections.abc import Callable
from datetime import datetime, timedelta
from random import Random
from typing import Any
from uuid import uuid4
from zoneinfo import ZoneInfo

import pytest
from django.db import connection as database
from django.db import connections, transaction
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from apps.accounts.models import User
from apps.accounts.services.users import delete_user
from apps.companies.models import Company, CompanySetting
from apps.companies.queries import zone_of
from apps.connections.models import Connection
from apps.connections.providers.inbound import InboundMessage
from apps.connections.services import delete_connection
from apps.contacts.models import Contact, ContactMerge
from apps.contacts.services import delete_contact, merge_by_hand, undo_merge
from apps.queues.models import Queue
from apps.queues.services.queues import delete_queue
from apps.tickets.models import DaySums, Rating, Ticket, TrackingCycle
from apps.tickets.queries.dashboard import Asked, Span, breakdown_of, dashboard_of, span_of
from apps.tickets.queries.dashboard.days import MOST_GAPS, Cover, cover_of
from apps.tickets.queries.dashboard.older import counted_of, report_of
from apps.tickets.services.receiving.messages import receive_message
from apps.tickets.services.tickets.days import DAYS_A_CALL, forget_days, keep_days
from apps.tickets.services.tickets.removals import move_ticket
from apps.tickets.services.tickets.updates import delete_ticket
from apps.tickets.tests.test_dashboard import make_cycle
from apps.tickets.tests.test_dashboard_reference import fill
from conftest import ClientFor
from tests.factories import make_company, make_contact, make_ticket
from tests.lengths import cases

pytestmark = pytest.mark.django_db

OLD = timedelta(days=2)


def spans(company: Company) -> list[Span]:
    zone, now = zone_of(company.pk), timezone.now()
    first, last = (now.astimezone(zone).date() - timedelta(days=count) for count in (6, 3))
    asked = [Asked(days=30), Asked(date_from=first, date_to=last), Asked(date_from=last)]
    return [span_of(each, zone=zone, now=now) for each in asked]


def bare(company: Company, span: Span) -> Cover:
    """Return the span as if no day were kept."""
    return Cover(company.pk, span, None, None, 0, [(span.since, span.until)])


def figures(cover: Cover) -> list[Any]:
    now = timezone.now()
    return [
        dashboard_of(cover, now=now),
        breakdown_of(cover),
        counted_of(cover),
        report_of(cover, now=now),
    ]


def keep_all(company: Company) -> None:
    """Keep as many days as calls keep one after another."""
    now = timezone.now()
    for span in spans(company):
        for _ in range(3):
            keep_days(company.pk, span, now=now)


def compare(company: Company, about: str) -> None:
    for span in spans(company):
        assert figures(cover_of(company.pk, span)) == figures(bare(company, span)), about


def old_cycle(random: Random, company: Company, **conditions: Any) -> TrackingCycle:
    """Return a cycle of a day that is kept."""
    cycles = TrackingCycle.objects.for_company(company.pk).select_related("ticket", "contact")
    old = cycles.filter(queued_at__lt=timezone.now() - OLD, **conditions).order_by("pk")
    return random.choice(list(old))


Change = Callable[[Random, Company, User], None]


def close(random: Random, company: Company, admin: User) -> None:
    ticket = old_cycle(random, company, finished_at=None).ticket
    with transaction.atomic():
        move_ticket(ticket, "closed", "resolved")


def hand_back(random: Random, company: Company, admin: User) -> None:
    # The contact's second cycle is its first then.
    first, second = (timezone.now() - timedelta(days=count) for count in (5, 3))
    ticket = make_ticket(company, status="open", user=admin, queued_at=first)
    TrackingCycle.objects.filter(ticket=ticket).delete()
    closed = make_ticket(company, contact=ticket.contact, status="closed")
    make_cycle(ticket, first, user=admin, started_at=first)
    make_cycle(closed, second, finished_at=timezone.now())
    forget_days(company.pk, [first, second])
    keep_all(company)
    with transaction.atomic():
        move_ticket(ticket, "pending", "returned")


def rate(random: Random, company: Company, admin: User) -> None:
    queued_at = timezone.now() - random.choice([2, 3, 4]) * timedelta(days=1)
    line = random.choice(list(Connection.objects.for_company(company.pk).order_by("pk")))
    ticket = make_ticket(company, contact=make_contact(company), connection=line, status="closed")
    now = timezone.now()
    make_cycle(
        *(ticket, queued_at), user=admin, started_at=now, finished_at=now, rating_asked_at=now
    )
    forget_days(company.pk, [queued_at])
    keep_all(company)
    write(ticket, "3")
    assert Rating.objects.filter(ticket=ticket).exists()


def write_anew(random: Random, company: Company, admin: User) -> None:
    write(old_cycle(random, company, ticket__status="closed").ticket, "Bom dia")


def write(ticket: Ticket, body: str) -> None:
    assert ticket.connection is not None
    inbound = InboundMessage(
        external_id=f"wamid.{uuid4()}",
        sender=ticket.contact.number,
        sender_name="Maria",
        sent_at=timezone.now(),
        media_type="conversation",
        body=body,
    )
    receive_message(connection=ticket.connection, inbound=inbound)


def remove_ticket(random: Random, company: Company, admin: User) -> None:
    # The first of a contact with more: another day has a new contact more then.
    cycles = TrackingCycle.objects.for_company(company.pk).order_by("queued_at", "pk")
    [cycle, *_] = [each for each in cycles if cycles.filter(contact=each.contact_id).count() > 1]
    delete_ticket(user=admin, ticket_id=cycle.ticket_id)


def remove_contact(random: Random, company: Company, admin: User) -> None:
    delete_contact(contact=old_cycle(random, company).contact, actor=admin)


def merge(random: Random, company: Company, admin: User) -> None:
    contacts = list(Contact.objects.for_company(company.pk).order_by("pk"))
    keep, gone = random.sample([each for each in contacts if each.number], 2)
    merge_by_hand(contact_id=keep.pk, other_id=gone.pk, actor=admin)
    keep_all(company)


def split(random: Random, company: Company, admin: User) -> None:
    merge(random, company, admin)
    undo_merge(merge_id=ContactMerge.objects.latest("pk").pk, actor=admin)


def remove_queue(random: Random, company: Company, admin: User) -> None:
    queue = Queue.objects.for_company(company.pk).order_by("pk").first()
    assert queue is not None
    delete_queue(actor=admin, queue_id=queue.pk)


def remove_user(random: Random, company: Company, admin: User) -> None:
    user = User.objects.for_company(company.pk).exclude(pk=admin.pk).order_by("pk").first()
    assert user is not None
    delete_user(actor=admin, user_id=user.pk)


def remove_connection(random: Random, company: Company, admin: User) -> None:
    line = Connection.objects.for_company(company.pk).filter(is_default=False).first()
    assert line is not None
    delete_connection(actor=admin, connection=line)


def change_zone(random: Random, company: Company, admin: User) -> None:
    zone = random.choice(["Asia/Kathmandu", "America/Santiago", "America/New_York", "UTC"])
    CompanySetting.objects.update_or_create(
        company=company, key="timeZone", defaults={"value": zone}
    )


CHANGES: list[Change] = [
    *(close, hand_back, rate, write_anew, remove_ticket, remove_contact, merge, split),
    *(remove_queue, remove_user, remove_connection, change_zone),
]


@pytest.mark.every_case
@pytest.mark.parametrize("seed", range(cases(5)))
def test_later_changes_change_kept_days(seed: int, acme: Company, admin: User) -> None:
    random, other = Random(seed), make_company()
    for company in (acme, other):
        fill(company, random, zone_of(company.pk), timezone.now())
        for cycle in TrackingCycle.objects.for_company(company.pk).filter(finished_at=None):
            Ticket.objects.filter(pk=cycle.ticket_id).update(queued_at=cycle.queued_at)
        keep_all(company)
        compare(company, "kept")
    kept = DaySums.objects.for_company(other.pk).count()
    for change in random.sample(CHANGES, len(CHANGES)):
        keep_all(acme)
        assert DaySums.objects.for_company(acme.pk).exists()
        change(random, acme, admin)
        compare(acme, change.__name__)
    assert DaySums.objects.for_company(other.pk).count() == kept > 0
    compare(other, "another company")


def kept(company: Company) -> list[datetime]:
    rows = DaySums.objects.for_company(company.pk).filter(leads__isnull=False)
    return list(rows.order_by("-since").values_list("since", flat=True))


def aged(company: Company, *days: int) -> None:
    """Make a closed ticket for each, with a cycle of so many days ago."""
    for count in days:
        at = timezone.now() - timedelta(days=count)
        make_cycle(make_ticket(company, status="closed"), at, finished_at=at)


def test_a_call_keeps_few_days_and_the_latest_first(
    client_for: ClientFor, admin: User, acme: Company
) -> None:
    aged(acme, 20)
    zone = zone_of(acme.pk)
    today = span_of(Asked(days=1), zone=zone, now=timezone.now()).today

    def ago(count: int) -> datetime:
        return datetime.combine(today - timedelta(days=count), datetime.min.time(), zone)

    for count in (1, 2, 3):
        assert client_for(admin).get("/api/dashboard", {"days": 90}).status_code == 200
        # Neither today nor yesterday, and none before the company's first cycle.
        last = min(2 + count * DAYS_A_CALL, 21)
        assert kept(acme) == [ago(each) for each in range(2, last)]
    # With all of them kept a call writes nothing.
    with CaptureQueriesContext(database) as queries:
        client_for(admin).get("/api/dashboard", {"days": 90})
    assert not [each for each in queries.captured_queries if "INSERT" in str(each["sql"])]


def test_a_change_of_today_looks_for_no_day(acme: Company, agent: User) -> None:
    ticket = make_ticket(acme, status="open", user=agent)
    with CaptureQueriesContext(database) as queries, transaction.atomic():
        move_ticket(ticket, "closed", "resolved")
    assert not [each for each in queries.captured_queries if "daysums" in str(each["sql"])]


def test_many_gaps_are_few_parts_of_a_statement(acme: Company) -> None:
    aged(acme, *range(2, 60))
    span = span_of(Asked(days=90), zone=zone_of(acme.pk), now=timezone.now())
    for _ in range(10):
        keep_days(acme.pk, span, now=timezone.now())
    forget_days(acme.pk, kept(acme)[::2])
    cover = cover_of(acme.pk, span)
    assert len(cover.gaps) == MOST_GAPS
    assert figures(cover) == figures(bare(acme, span))


def test_the_days_of_another_zone_go(acme: Company) -> None:
    aged(acme, 4)
    for zone in ("America/Sao_Paulo", "Asia/Tokyo"):
        span = span_of(Asked(days=9), zone=ZoneInfo(zone), now=timezone.now())
        keep_days(acme.pk, span, now=timezone.now())
        assert set(DaySums.objects.values_list("zone", flat=True)) == {zone}


@pytest.mark.django_db(transaction=True)
def test_no_day_is_kept_while_it_changes(acme: Company) -> None:
    aged(acme, 4)
    span = span_of(Asked(days=9), zone=zone_of(acme.pk), now=timezone.now())
    changed = [each.queued_at for each in TrackingCycle.objects.all()]

    def keep() -> None:
        try:
            keep_days(acme.pk, span, now=timezone.now())
        finally:
            connections.close_all()

    with transaction.atomic():
        forget_days(acme.pk, changed)
        if database.vendor == "postgresql":  # on SQLite one transaction writes at a time
            other = threading.Thread(target=keep)
            other.start()
            other.join(20)
            assert not other.is_alive()
        assert not kept(acme)
    keep_days(acme.pk, span, now=timezone.now())
    assert kept(acme)
