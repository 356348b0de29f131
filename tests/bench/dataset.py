"""A company with any number of tickets and messages, made by the database itself."""

from dataclasses import dataclass
from typing import Any

from django.db import connection as database
from django.db import models

from apps.accounts.models import User
from apps.companies.models import Company
from apps.connections.models import Connection
from apps.contacts.models import Contact
from apps.queues.models import Queue
from apps.tickets.models import Message, Ticket
from tests import factories

MESSAGES_PER_TICKET = 50
WORDS = (
    "ARRAY['pedido','entrega','prazo','boleto','cartão','endereço','orçamento','cliente',"
    "'produto','reunião','desconto','garantia','nota','fiscal','amanhã','obrigado','horário']"
)


@dataclass(frozen=True)
class Business:
    """The company that is measured."""

    company: Company
    admin: User
    agents: list[User]
    queues: list[Queue]
    connection: Connection


def make_business(name: str = "Bench") -> Business:
    """Make the company with an admin, three attendants, three queues and a number."""
    company = factories.make_company(name=name)
    queues = [factories.make_queue(company) for _ in range(3)]
    return Business(
        company=company,
        admin=factories.make_admin(company, email=f"admin@{name.lower()}.example", queues=queues),
        agents=[factories.make_user(company, queues=queues) for _ in range(3)],
        queues=queues,
        connection=factories.make_connection(company, queues=[queues[0]]),
    )


def settle() -> None:
    """Have PostgreSQL do at once what it owes for earlier writes."""
    with database.cursor() as cursor:
        cursor.execute("VACUUM ANALYZE")
        cursor.execute("CHECKPOINT")


def grow(
    business: Business,
    *,
    tickets: int,
    messages_per_ticket: int = MESSAGES_PER_TICKET,
    tidy: bool = True,
) -> None:
    """Add contacts, tickets and messages until the company has so many tickets.

    Of a hundred tickets ten are open, five pending and the rest closed, the newest first. `tidy`
    has PostgreSQL vacuum, which it does in no transaction, and learn how many of what there are.
    """
    present = Ticket.objects.for_company(business.company.pk).count()
    if present >= tickets:
        return
    with database.cursor() as cursor:
        cursor.execute("SET synchronous_commit = off")
    series = f"generate_series({present + 1}, {tickets}) AS n"
    number = "'5511' || (900000000 + n)"
    insert(
        Contact,
        series,
        company_id=str(business.company.pk),
        name="'Cliente ' || n",
        number=number,
        canonical_number=number,
        search_text=f"'cliente ' || n || ' ' || {number}",
        connection_id=str(business.connection.pk),
    )
    age = f"now() - (({tickets} - n) * interval '1 minute')"
    contact = (
        f"(SELECT id FROM {Contact._meta.db_table}"
        f" WHERE company_id = {business.company.pk} AND canonical_number = {number})"
    )
    insert(
        Ticket,
        series,
        company_id=str(business.company.pk),
        connection_id=str(business.connection.pk),
        contact_id=contact,
        queue_id=_one_of(business.queues),
        status="CASE WHEN n % 20 = 0 THEN 'pending' WHEN n % 10 = 1 THEN 'open' ELSE 'closed' END",
        user_id=f"CASE WHEN n % 20 = 0 THEN NULL ELSE {_one_of(business.agents)} END",
        unread_count="n % 4",
        last_message="'Olá, sobre o pedido ' || n",
        created_at=age,
        updated_at=age,
        queued_at=age,
        last_inbound_at=age,
        closed_at=f"CASE WHEN n % 20 = 0 OR n % 10 = 1 THEN NULL ELSE {age} END",
    )
    _insert_messages(
        f"{Ticket._meta.db_table} AS t, generate_series(1, {messages_per_ticket}) AS n"
        f" WHERE t.company_id = {business.company.pk} AND t.latest_message_id IS NULL"
    )
    with database.cursor() as cursor:
        cursor.execute(
            f"UPDATE {Ticket._meta.db_table} AS t SET latest_message_id ="
            f" (SELECT max(m.id) FROM {Message._meta.db_table} AS m WHERE m.ticket_id = t.id)"
            " WHERE t.company_id = %s AND t.latest_message_id IS NULL",
            [business.company.pk],
        )
        if tidy:
            cursor.execute("VACUUM ANALYZE")
        cursor.execute("SET synchronous_commit = on")


def say_more(business: Business, *, messages: int) -> None:
    """Add messages to the company's tickets until it has so many, on average as many to each.

    Without foreign keys and indexes meanwhile: that takes a fifth of the time.
    """
    tickets = Ticket.objects.for_company(business.company.pk).count()
    present = Message.objects.for_company(business.company.pk).count()
    more = -(-(messages - present) // tickets)
    if more <= 0:
        return
    table = Message._meta.db_table
    with database.cursor() as cursor:
        cursor.execute(
            "SELECT indexname, indexdef FROM pg_indexes WHERE tablename = %s"
            " AND indexname NOT IN (SELECT conname FROM pg_constraint)",
            [table],
        )
        indexes = cursor.fetchall()
        cursor.execute("SET maintenance_work_mem = '256MB'")
        cursor.execute("SET session_replication_role = replica")
        for name, _ in indexes:
            cursor.execute(f"DROP INDEX {database.ops.quote_name(name)}")
    first = 1 + 10_000  # beyond those that `grow` has made
    _insert_messages(
        f"{Ticket._meta.db_table} AS t, generate_series({first}, {first + more - 1}) AS n"
        f" WHERE t.company_id = {business.company.pk}"
    )
    with database.cursor() as cursor:
        for _, definition in indexes:
            cursor.execute(definition)
        cursor.execute("SET session_replication_role = origin")
        cursor.execute(f"VACUUM ANALYZE {table}")


def _insert_messages(rows: str) -> None:
    """Insert a message for each of `rows`, of a ticket `t` and a number `n`."""
    body = f"({WORDS})[1 + n % 17] || ' ' || ({WORDS})[1 + (t.id / 3 + n) % 17] || ' ' || n"
    insert(
        Message,
        f"{rows} ORDER BY n, t.id",
        company_id="t.company_id",
        connection_id="t.connection_id",
        ticket_id="t.id",
        contact_id="t.contact_id",
        external_id="'wamid.bench.' || t.id || '.' || n",
        from_me="n % 2 = 0",
        source="CASE WHEN n % 2 = 0 THEN 'agent' ELSE 'contact' END",
        ack="3",
        body=body,
        search_text=f"translate({body}, 'ãáçéíóú', 'aaceiou')",
        is_read="true",
        created_at="t.created_at + n * interval '1 second'",
    )


def _one_of(rows: "list[User] | list[Queue]") -> str:
    ids = ",".join(str(row.pk) for row in rows)
    return f"(ARRAY[{ids}])[1 + n % {len(rows)}]"


def insert(model: type[models.Model], rows: str, /, **expressions: str) -> None:
    """Insert one row for each of `rows`, a FROM clause; unnamed columns get their default."""
    columns, values, parameters = [], [], []
    for field in model._meta.concrete_fields:
        if field.primary_key or field.generated:
            continue
        columns.append(database.ops.quote_name(str(field.column)))
        if field.attname in expressions:
            values.append(expressions[field.attname].replace("%", "%%"))
        elif field.null:
            values.append("NULL")
        elif isinstance(field, models.UUIDField):
            values.append("gen_random_uuid()")
        elif isinstance(field, models.DateTimeField):
            values.append("now()")
        else:
            values.append("%s")
            default: Any = field.get_default()
            parameters.append(field.get_db_prep_save(default, database))
    table = database.ops.quote_name(model._meta.db_table)
    statement = f"INSERT INTO {table} ({', '.join(columns)}) SELECT {', '.join(values)}"
    with database.cursor() as cursor:
        cursor.execute(f"{statement} FROM {rows.replace('%', '%%')}", parameters)
