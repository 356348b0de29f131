"""Years of one company's messages: reads, writes, the purge, vacuum, and what the indexes take.

The database makes the messages, of five years, fifty to a ticket, one file to 25 messages. Run by
its own process, so that its settings name its own PostgreSQL.
"""

import json
import os
import random
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tests.bench.report import Figure, percentile
from tests.product import ROOT
from tests.services import PostgresServer

if TYPE_CHECKING:
    from tests.bench.dataset import Business

SIZES = (5_000_000, 20_000_000)
MESSAGES_A_TICKET, TICKETS_A_CONTACT, MESSAGES_A_FILE = 50, 5, 25
YEARS, KEPT_YEARS, KEPT_MONTHS = 5, 4, 12
READS, WRITES = 200, 500
# A write beside the purge must not wait as long as a person notices.
BUDGET_MS = 250.0


def measure(messages: int) -> list[Figure]:
    """Return the figures at so many messages."""
    server = PostgresServer(fsync=True)
    try:
        with tempfile.TemporaryDirectory(prefix="balcao-years-") as directory:
            environment = os.environ | {
                "DATABASE_URL": server.url(),
                "DATA_DIR": directory,
                "SECRET_KEY": "a key for the bench only",
                "META_APP_SECRET": "bench",
                "META_VERIFY_TOKEN": "bench",
                "SIMULATOR": "0",
                "DJANGO_SETTINGS_MODULE": "config.settings",
                # Nobody is woken.
                "REDIS_URL": "redis://127.0.0.1:9/0",
            }
            for command in (
                [sys.executable, "manage.py", "migrate", "-v0"],
                [sys.executable, "-m", "tests.bench.years", str(messages), f"{directory}/figures"],
            ):
                subprocess.run(command, cwd=ROOT, env=environment, check=True)
            rows = json.loads(Path(directory, "figures").read_text())
    finally:
        server.stop()
    return [Figure(f"{messages / 1e6:g} M messages, {name}", *rest) for name, *rest in rows]


Row = tuple[str, float, str] | tuple[str, float, str, float]


def _run(messages: int) -> list[Row]:
    import django

    django.setup()
    from tests.bench.dataset import make_business

    business = make_business()
    found: list[Row] = [*_fill(business, messages)]
    found += _sizes("")
    found += _reads(business, "")
    found += _writes(business)
    found += _purge(business)
    found += _vacuum()
    found += _sizes(" after purge and vacuum")
    found += _reads(business, " after the purge")
    return found


def _fill(business: "Business", messages: int) -> list[Row]:
    from django.db import connection as database

    from apps.contacts.models import Contact
    from apps.tickets.models import Message, Ticket
    from tests.bench.dataset import WORDS, insert

    tickets = max(1, messages // MESSAGES_A_TICKET)
    contacts = max(1, tickets // TICKETS_A_CONTACT)
    # A contact has one live ticket at most.
    closed = tickets - min(200, contacts)
    company, number = str(business.company.pk), "'5511' || (900000000 + n)"
    step = f"(interval '{YEARS} years' / {messages})"
    started_at = time.perf_counter()
    with database.cursor() as cursor:
        cursor.execute("SET synchronous_commit = off")
        cursor.execute("SET session_replication_role = replica")
        cursor.execute("SET maintenance_work_mem = '512MB'")
    insert(
        Contact,
        f"generate_series(1, {contacts}) AS n",
        company_id=company,
        name="'Cliente ' || n",
        number=number,
        canonical_number=number,
        search_text=f"'cliente ' || n || ' ' || {number}",
        connection_id=str(business.connection.pk),
    )
    first_contact = _least(Contact, business)
    age = f"now() - interval '{YEARS} years' + n * {MESSAGES_A_TICKET} * {step}"
    insert(
        Ticket,
        f"generate_series(1, {tickets}) AS n",
        company_id=company,
        connection_id=str(business.connection.pk),
        contact_id=f"{first_contact} + n % {contacts}",
        queue_id=str(business.queues[0].pk),
        status=f"CASE WHEN n > {closed} THEN 'open' ELSE 'closed' END",
        user_id=str(business.agents[0].pk),
        last_message="'Olá, sobre o pedido ' || n",
        created_at=age,
        updated_at=age,
        queued_at=age,
        last_inbound_at=age,
        closed_at=f"CASE WHEN n > {closed} THEN NULL ELSE {age} END",
    )
    first_ticket = _least(Ticket, business)
    table = Message._meta.db_table
    with database.cursor() as cursor:
        cursor.execute(
            "SELECT indexname, indexdef FROM pg_indexes WHERE tablename = %s"
            " AND indexname NOT IN (SELECT conname FROM pg_constraint)",
            [table],
        )
        indexes = cursor.fetchall()
        for name, _ in indexes:
            cursor.execute(f"DROP INDEX {database.ops.quote_name(name)}")
    body = f"({WORDS})[1 + n % 17] || ' ' || ({WORDS})[1 + (n / 7) % 17] || ' ' || n"
    is_file = f"n % {MESSAGES_A_FILE} = 0"
    ticket = f"{first_ticket} + (n - 1) / {MESSAGES_A_TICKET}"
    insert(
        Message,
        f"generate_series(1, {messages}) AS n",
        company_id=company,
        connection_id=str(business.connection.pk),
        ticket_id=f"least({ticket}, {first_ticket + tickets - 1})",
        contact_id=f"{first_contact} + ((n - 1) / {MESSAGES_A_TICKET} + 1) % {contacts}",
        external_id="'wamid.bench.' || n",
        from_me="n % 2 = 0",
        source="CASE WHEN n % 2 = 0 THEN 'agent' ELSE 'contact' END",
        ack="3",
        body=body,
        search_text=f"translate({body}, 'ãáçéíóú', 'aaceiou')",
        media_type=f"CASE WHEN {is_file} THEN 'image' ELSE 'conversation' END",
        media_state=f"CASE WHEN {is_file} THEN 'ready' ELSE '' END",
        media_path=f"CASE WHEN {is_file} THEN '{company}/none-' || n || '.jpg' ELSE '' END",
        media_size=f"CASE WHEN {is_file} THEN 200000 END",
        is_read="true",
        created_at=f"now() - interval '{YEARS} years' + n * {step}",
    )
    made = time.perf_counter() - started_at
    with database.cursor() as cursor:
        for _, definition in indexes:
            cursor.execute(definition)
        built = time.perf_counter() - started_at - made
        cursor.execute(
            f"UPDATE {Ticket._meta.db_table} AS t SET latest_message_id = m.id FROM"
            f" (SELECT ticket_id, max(id) AS id FROM {table} GROUP BY ticket_id) AS m"
            " WHERE m.ticket_id = t.id"
        )
        cursor.execute("SET session_replication_role = origin")
        cursor.execute("SET synchronous_commit = on")
        cursor.execute("VACUUM ANALYZE")
        cursor.execute("CHECKPOINT")
    return [("made in", made, "s"), ("indexes built in", built, "s")]


def _least(model: Any, business: "Business") -> int:
    from django.db.models import Min

    rows = model.objects.for_company(business.company.pk)
    least: int = rows.aggregate(least=Min("pk"))["least"]
    return least


def _sizes(when: str) -> list[Row]:
    from django.db import connection as database

    from apps.tickets.models import Message

    with database.cursor() as cursor:
        cursor.execute("SELECT pg_table_size(%s)", [Message._meta.db_table])
        rows: list[Row] = [(f"table{when}", cursor.fetchone()[0] / 1e6, "MB")]
        cursor.execute(
            "SELECT indexrelname, pg_relation_size(indexrelid) FROM pg_stat_user_indexes"
            " WHERE relname = %s ORDER BY 2 DESC",
            [Message._meta.db_table],
        )
        rows += [(f"index {name[:26]}{when}", size / 1e6, "MB") for name, size in cursor.fetchall()]
    return rows


def _timed(name: str, calls: Sequence[Callable[[], object]]) -> list[Row]:
    taken = []
    for call in calls:
        started_at = time.perf_counter()
        call()
        taken.append((time.perf_counter() - started_at) * 1000)
    return [
        (f"{name}, p50", percentile(taken, 0.5), "ms"),
        (f"{name}, p95", percentile(taken, 0.95), "ms"),
    ]


def _reads(business: "Business", when: str) -> list[Row]:
    from apps.companies.services.retention import preview
    from apps.tickets.models import Ticket
    from apps.tickets.queries import conversation_for
    from apps.tickets.queries.finding import found_in_conversation
    from apps.tickets.serializers import message_rows_of

    chance = random.Random(1)
    tickets = Ticket.objects.for_company(business.company.pk)
    first = _least(Ticket, business)
    picked = [first + chance.randrange(tickets.count()) for _ in range(READS)]
    rows = list(tickets.filter(pk__in=picked).select_related("contact"))
    none = {"before_id": None, "after_id": None, "around_id": None}

    def opened(ticket: Ticket) -> object:
        page = conversation_for(business.admin, ticket, number=1, **none)
        return message_rows_of(page.message_ids)

    def searched(ticket: Ticket) -> object:
        return found_in_conversation(business.admin, ticket, "boleto", 1)

    years = {"messages_years": KEPT_YEARS, "media_months": KEPT_MONTHS, "logs_days": None}
    return [
        *_timed(f"a conversation{when}", [partial(opened, each) for each in rows]),
        *_timed(f"a search in one{when}", [partial(searched, each) for each in rows]),
        *_timed(
            f"what will go{when}",
            [lambda: preview(business.company.pk, years) for _ in range(5)],
        ),
    ]


def _write(business: "Business", ticket: Any, number: str) -> None:
    from django.db import transaction

    from apps.common.bulk import insert_row
    from apps.tickets.models import Message, Ticket

    message = Message(
        company=business.company,
        connection=business.connection,
        ticket=ticket,
        contact_id=ticket.contact_id,
        external_id=f"wamid.written.{number}",
        body=f"Olá {number}",
    )
    message.fold_text()
    with transaction.atomic():
        insert_row(message)
        Ticket.objects.filter(pk=ticket.pk).update(latest_message=message)


def _writes(business: "Business") -> list[Row]:
    from apps.tickets.models import Ticket

    rows = list(Ticket.objects.for_company(business.company.pk).filter(status="open")[:50])
    calls = [
        partial(_write, business, rows[number % len(rows)], str(number)) for number in range(WRITES)
    ]
    return _timed("a message written", calls)


def _purge(business: "Business") -> list[Row]:
    """Purge a year of five, and files after one, as a worker does, while another thread writes."""
    from django.db import connection as database
    from django.utils import timezone

    from apps.companies.models import Retention, RetentionRun
    from apps.companies.services.retention import Kind, kinds, run_due, start_runs
    from apps.tickets.models import Message, Ticket

    before = Message.objects.count()
    Retention.objects.create(
        company=business.company, messages_years=KEPT_YEARS, media_months=KEPT_MONTHS
    )
    tickets = list(Ticket.objects.for_company(business.company.pk).filter(status="open")[:50])
    ended, taken = threading.Event(), []

    def write() -> None:
        number = 0
        while not ended.wait(0.05):
            number += 1
            started_at = time.perf_counter()
            _write(business, tickets[number % len(tickets)], f"beside.{number}")
            taken.append((time.perf_counter() - started_at) * 1000)
        database.close()

    batches: dict[str, list[float]] = {"messages": [], "media": []}

    def timed(kind: Kind, taken: list[float]) -> Kind:
        def delete_some(*given: Any) -> Any:
            started_at = time.perf_counter()
            gone = kind.delete_some(*given)
            taken.append((time.perf_counter() - started_at) * 1000)
            return gone

        return replace(kind, delete_some=delete_some)

    for name, found in batches.items():
        kinds[name] = timed(kinds[name], found)
    writer = threading.Thread(target=write)
    start_runs(timezone.now())
    writer.start()
    started_at = time.perf_counter()
    while run_due(limit=1):
        pass
    seconds = time.perf_counter() - started_at
    ended.set()
    writer.join()
    run = RetentionRun.objects.get()
    gone = run.rows.get("messages", 0)
    assert run.state == "done" and gone == before + len(taken) - Message.objects.count(), run.rows
    return [
        ("messages purged", gone, "rows"),
        ("files of younger messages purged", run.rows.get("media", 0), "rows"),
        ("purged a second", sum(run.rows.values()) / seconds, "1/s"),
        ("freed files", run.bytes_freed / 1e6, "MB"),
        *_slowest("a batch of messages", batches["messages"]),
        *_slowest("a batch of files", batches["media"]),
        ("a message written beside the purge, p95", percentile(taken, 0.95), "ms", BUDGET_MS),
        ("a message written beside the purge, slowest", max(taken), "ms"),
    ]


def _slowest(name: str, taken: list[float]) -> list[Row]:
    return [
        (f"{name}, p50", percentile(taken, 0.5), "ms"),
        (f"{name}, slowest", max(taken), "ms"),
    ]


def _vacuum() -> list[Row]:
    from django.db import connection as database

    from apps.tickets.models import Message

    started_at = time.perf_counter()
    with database.cursor() as cursor:
        cursor.execute(f"VACUUM (ANALYZE) {Message._meta.db_table}")
    return [("vacuum after the purge", time.perf_counter() - started_at, "s")]


if __name__ == "__main__":
    Path(sys.argv[2]).write_text(json.dumps(_run(int(sys.argv[1]))))
