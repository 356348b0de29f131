"""Moving in: an older product's database of a million messages, reported on and imported."""

import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import psycopg

from apps.movein.tests.legacy import FORK_A, Legacy
from tests.bench.report import Figure
from tests.bench.stack import cpu_seconds
from tests.product import ROOT
from tests.services import PostgresServer

MESSAGES, MESSAGES_A_TICKET = 1_000_000, 50
MOST_SECONDS, MOST_MEGABYTES = 600, 300

_FILL = """
INSERT INTO "Contacts" (id, name, number, email, "isGroup", "companyId", "createdAt", "updatedAt")
SELECT n, 'Cliente ' || n, '55119' || (10000000 + n), '', false, 2, now(), now()
FROM generate_series(1, {tickets}) n;
INSERT INTO "Tickets" (id, status, "unreadMessages", "lastMessage", "isGroup", "contactId",
    "whatsappId", "companyId", uuid, "createdAt", "updatedAt")
SELECT n, CASE WHEN n % 20 = 0 THEN 'pending' ELSE 'closed' END, 0, 'oi', false, n, 1, 2,
    gen_random_uuid(), now() - interval '400 days', now() - interval '1 day'
FROM generate_series(1, {tickets}) n;
INSERT INTO "TicketTraking" (id, "ticketId", "companyId", "whatsappId", "queuedAt", "startedAt",
    "finishedAt", "createdAt", "updatedAt")
SELECT n, n, 2, 1, now() - interval '400 days', now() - interval '399 days',
    CASE WHEN n % 20 = 0 THEN NULL ELSE now() - interval '398 days' END, now(), now()
FROM generate_series(1, {tickets}) n;
INSERT INTO "Messages" (id, "remoteJid", ack, read, "fromMe", body, "mediaType", "isDeleted",
    "isEdited", "quotedMsgId", "ticketId", "contactId", "companyId", "dataJson", "createdAt",
    "updatedAt")
SELECT '3EB0' || md5(n::text), '5511@s.whatsapp.net', 3, true, n % 2 = 0,
    'Olá! A mensagem número ' || n || ' fala do pedido, da entrega e do preço.',
    CASE WHEN n % 25 = 0 THEN 'image' ELSE 'conversation' END, false, false,
    CASE WHEN n % 10 = 0 AND n > {tickets} THEN '3EB0' || md5((n - {tickets})::text) END,
    n % {tickets} + 1, CASE WHEN n % 2 = 0 THEN NULL ELSE n % {tickets} + 1 END, 2,
    repeat('x', 600), now() - interval '300 days' + n * interval '20 seconds', now()
FROM generate_series(1, {messages}) n;
"""


def measure(messages: int) -> list[Figure]:
    """Measure a dry run and an import; raises AssertionError unless each row came once."""
    tickets = max(1, messages // MESSAGES_A_TICKET)
    server = PostgresServer(fsync=True)
    try:
        with psycopg.connect(server.url(), autocommit=True) as connection:
            connection.execute("CREATE DATABASE source")
            connection.execute("CREATE DATABASE target")
        with psycopg.connect(server.url("source")) as source:
            _shop().to_postgres(source)
            source.execute(_FILL.format(tickets=tickets, messages=messages).encode())
        _manage(server, "migrate", "-v0")
        dry, _, _ = _timed(server)
        before = cpu_seconds(server.process.pid)
        taken, peak, used = _timed(server, "--go")
        stored = cpu_seconds(server.process.pid) - before
        with psycopg.connect(server.url("target")) as target:
            for table, wanted in (
                ("tickets_message", messages),
                ("tickets_ticket", tickets),
                ("contacts_contact", tickets),
            ):
                row = target.execute(f"SELECT count(*) FROM {table}".encode()).fetchone()
                assert row == (wanted,), f"{table}: {row} of {wanted:,}"
    finally:
        server.stop()
    name = f"import of {messages:,} messages"
    budget = MOST_SECONDS if messages == MESSAGES else None
    return [
        Figure(f"{name}, the dry run", dry, "s"),
        Figure(f"{name}, {tickets:,} tickets", taken, "s", budget),
        Figure(f"{name}, messages a second", messages / taken, "1/s"),
        Figure(f"{name}, CPU of the command", used, "s"),
        Figure(f"{name}, CPU of both databases", stored, "s"),
        Figure(f"{name}, peak memory", peak, "MB", MOST_MEGABYTES),
    ]


def _shop() -> Legacy:
    made = Legacy(FORK_A)
    made.add("Plans", name="Plano", users=5, connections=5, queues=5)
    for name in ("Operadora", "Loja"):
        made.add("Companies", name=name, status=True, planId=1, dueDate="2099-01-01")
    made.add("Whatsapps", name="Loja", isDefault=True, companyId=2)
    return made


def _manage(server: PostgresServer, *command: str) -> "tuple[float, float, float]":
    """Run a command; return its seconds, its peak memory in megabytes and its seconds of CPU."""
    environment = {
        **os.environ,
        "DATABASE_URL": server.url("target"),
        "SECRET_KEY": "a key for measuring only",
        "DEBUG": "1",
        "META_APP_SECRET": "secret",
        "META_VERIFY_TOKEN": "token",
    }
    with tempfile.TemporaryDirectory() as folder:
        environment["DATA_DIR"] = folder
        said = Path(folder) / "said"
        began = time.perf_counter()
        with said.open("wb") as output:
            process = subprocess.Popen(
                [sys.executable, "manage.py", *command],
                cwd=ROOT,
                env=environment,
                stdout=output,
                stderr=output,
            )
            try:
                _, status, usage = os.wait4(process.pid, 0)
            except BaseException:
                process.kill()
                raise
        process.returncode = os.waitstatus_to_exitcode(status)
        if process.returncode:
            raise RuntimeError(said.read_text()[-600:])
        return time.perf_counter() - began, usage.ru_maxrss / 1024, usage.ru_utime + usage.ru_stime


def _timed(server: PostgresServer, *options: str) -> "tuple[float, float, float]":
    return _manage(server, "import_whaticket", server.url("source"), *options)
