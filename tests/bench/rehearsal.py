"""A rehearsal of a month of many tickets: how long it takes, and the memory of its process.

It runs in a process of its own, as a worker runs it, without anything else beside it.
"""

import json
import subprocess
import sys
from typing import Any

from django.db import connection as database
from django.db import transaction

from apps.desk.models import AssignmentPolicy, Rehearsal, Subject
from apps.desk.services.rehearsals.requests import request_rehearsal
from apps.queues.models import Queue
from apps.queues.services.options import replace_options
from apps.queues.trees import OptionNode
from apps.tickets.models import Message, Ticket, TicketActivity, TrackingCycle
from tests import factories
from tests.bench.dataset import Business, grow, insert
from tests.bench.report import Figure
from tests.bench.stack import Stack
from tests.product import ROOT

TICKETS, MESSAGES_PER_TICKET, PEOPLE = 100_000, 8, 50
MOST_SECONDS, MOST_MEGABYTES = 60, 400
LONGEST = 600
MENU = tuple(
    OptionNode(f"Opção {number}", children=(OptionNode("Saber mais"), OptionNode("Falar")))
    for number in range(1, 7)
)

_RUN = """
import json, resource, time
import django
django.setup()
from apps.desk.models import Rehearsal
from apps.desk.services.rehearsals.running import run_due
before, began = time.process_time(), time.monotonic()
run_due(limit=1)
row = Rehearsal.objects.order_by("-pk").first()
memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
print(json.dumps({
    "seconds": time.monotonic() - began, "cpu": time.process_time() - before, "memory": memory,
    "state": row.state, "tickets": (row.report or {}).get("tickets"),
    "matched": (row.report or {}).get("matched"), "error": row.last_error,
}))
"""


def measure(stack: Stack, business: Business, tickets: int) -> list[Figure]:
    """Return the figures of a rehearsal of each kind on a month with so many tickets."""
    _fill(business, tickets)
    queue = business.queues[0]
    rule = {
        "trigger": {"when": "message_in"},
        "condition": {"field": "message", "operator": "contains", "values": ["boleto"]},
        "actions": [{"do": "priority", "priority": 1}],
    }
    figures: list[Figure] = []
    stack.stop("worker")  # it would take them
    try:
        for subject, target_id, fields in (
            (Subject.ASSIGNMENT, queue.pk, {"mode": "least_busy", "return_minutes": 10}),
            (
                Subject.SLA,
                None,
                {
                    "queue_id": queue.pk,
                    "first_answer_minutes": 15,
                    "next_answer_minutes": 30,
                    "resolution_minutes": 480,
                },
            ),
            (Subject.RULE, None, rule),
            (Subject.BOT, queue.pk, {"options": MENU[::-1]}),
        ):
            request_rehearsal(
                actor=business.admin, subject=subject, days=30, target_id=target_id, fields=fields
            )
            found = _run()
            if found["state"] != "done":
                raise RuntimeError(f"The rehearsal is {found['state']}: {found['error']}")
            name = f"rehearsal of {subject.value}, {found['tickets']:,} tickets"
            most = MOST_SECONDS * max(tickets / TICKETS, 0.1)
            figures += [
                Figure(name, found["seconds"], "s", most),
                Figure(f"{name}, CPU", found["cpu"], "s"),
                Figure(f"{name}, memory", found["memory"], "MB", MOST_MEGABYTES),
            ]
    finally:
        stack.start_worker()
    return figures


def _run() -> dict[str, Any]:
    done = subprocess.run(
        [sys.executable, "-c", _RUN],
        cwd=ROOT,
        check=True,
        capture_output=True,
        text=True,
        timeout=LONGEST,
    )
    found: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    return found


def _fill(business: Business, tickets: int) -> None:
    """Make a month of tickets, all in cycles that people took, answered and closed."""
    company_id = business.company.pk
    Rehearsal.objects.for_company(company_id).delete()
    grow(business, tickets=tickets, messages_per_ticket=MESSAGES_PER_TICKET)
    people = [factories.make_user(business.company, queues=business.queues) for _ in range(PEOPLE)]
    ids = ",".join(str(each.pk) for each in people)
    who = f"(ARRAY[{ids}])[1 + t.id %% {PEOPLE}]"
    begin = f"(now() - interval '29 days' + (t.n * interval '28 days' / {tickets}))"
    with transaction.atomic():
        replace_options(business.queues[0], MENU)
    with database.cursor() as cursor:
        cursor.execute(
            f"CREATE TEMPORARY TABLE bench_month AS SELECT t.*, {begin} AS begun, {who} AS who"
            f" FROM (SELECT id, contact_id, connection_id, queue_id, company_id,"
            f" row_number() OVER (ORDER BY id) AS n FROM {Ticket._meta.db_table}"
            " WHERE company_id = %s) AS t",
            [company_id],
        )
        cursor.execute("CREATE UNIQUE INDEX ON bench_month (id)")
        cursor.execute(
            f"UPDATE {Ticket._meta.db_table} AS t SET created_at = m.begun, queued_at = m.begun,"
            " updated_at = m.begun, user_id = m.who, status = 'closed',"
            " closed_at = m.begun + interval '40 minutes' FROM bench_month AS m WHERE m.id = t.id"
        )
        # The contact and people by turns, the first answer ten minutes after the first word.
        cursor.execute(
            f"UPDATE {Message._meta.db_table} AS w SET user_id = CASE WHEN w.from_me THEN m.who"
            " END, created_at = m.begun + (o.n - 1) * interval '4 minutes' + CASE WHEN o.n > 1"
            " THEN interval '6 minutes' ELSE interval '0' END"
            " FROM bench_month AS m, (SELECT id, row_number() OVER (PARTITION BY ticket_id"
            f" ORDER BY id) AS n FROM {Message._meta.db_table} WHERE company_id = %s) AS o"
            " WHERE m.id = w.ticket_id AND o.id = w.id",
            [company_id],
        )
        cursor.execute(
            f"DELETE FROM {TrackingCycle._meta.db_table} WHERE company_id = %s", [company_id]
        )
    insert(
        TrackingCycle,
        "bench_month AS m ORDER BY m.n",
        company_id="m.company_id",
        ticket_id="m.id",
        contact_id="m.contact_id",
        connection_id="m.connection_id",
        queue_id="m.queue_id",
        user_id="m.who",
        queued_at="m.begun",
        started_at="m.begun + interval '8 minutes'",
        first_answer_at="m.begun + interval '10 minutes'",
        finished_at="m.begun + interval '40 minutes'",
    )
    insert(
        TicketActivity,
        "bench_month AS m ORDER BY m.n",
        ticket_id="m.id",
        kind="'accepted'",
        actor_id="m.who",
        created_at="m.begun + interval '8 minutes'",
    )
    with database.cursor() as cursor:
        cursor.execute("DROP TABLE bench_month")
        cursor.execute("VACUUM ANALYZE")
    AssignmentPolicy.objects.for_company(company_id).delete()
    for queue in Queue.objects.for_company(company_id).exclude(pk=business.queues[0].pk):
        AssignmentPolicy.objects.create(company_id=company_id, queue=queue, mode="round_robin")
