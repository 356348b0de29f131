"""The bot: how fast it decides, and what it costs the inbound path."""

import time
from zoneinfo import ZoneInfo

from django.utils import timezone

from apps.connections.models import Connection, ConnectionStatus
from apps.queues.models import QueueOption
from apps.tickets.models import Delivery, Message
from apps.tickets.services.bot.routing import (
    CompanyView,
    ConnectionView,
    MessageView,
    MoveToQueue,
    OptionView,
    QueueView,
    TicketView,
    decide,
)
from tests.bench.dataset import Business
from tests.bench.inbound import THROUGHPUT_CONTACTS, THROUGHPUT_MESSAGES, handled
from tests.bench.report import Figure
from tests.bench.stack import Stack

DECISION_SECONDS = 1.0
# Beyond every contact of the other parts, however many tickets are made.
FIRST_CONTACT = 1_000_000
TALK = ("Oi", "1", "2", "0", "x", "1", "#", "2", "Olá", "1")
HOURS = [
    {"weekdayEn": day, "startTime": "00:00", "endTime": "23:59"}
    for day in ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
]


def decisions() -> list[Figure]:
    """Measure decisions in one thread, over a whole talk with queues, hours and a tree."""
    connection, company = _bot_context()
    talk, now = [MessageView(text) for text in TALK], timezone.now()
    done, actions = 0, 0
    started_at = time.perf_counter()
    while time.perf_counter() - started_at < DECISION_SECONDS:
        ticket = TicketView()
        for message in talk:
            decision = decide(message, ticket, connection, company, now)
            moves = [each for each in decision.actions if isinstance(each, MoveToQueue)]
            queue_id = moves[-1].queue_id if moves else ticket.queue_id
            ticket = TicketView(queue_id, state=decision.state)
            actions += len(decision.actions)
        done += len(talk)
    assert actions >= done
    rate = done / (time.perf_counter() - started_at)
    return [Figure("decisions of the bot, one thread", rate, "1/s", 2_000, at_least=True)]


def _bot_context() -> tuple[ConnectionView, CompanyView]:
    options = tuple(
        OptionView(
            number * 10,
            f"Opção {number}",
            "Como podemos ajudar?",
            children=tuple(OptionView(number * 10 + n, f"Caso {n}", "Certo.") for n in range(1, 6)),
        )
        for number in range(1, 6)
    )
    queues = tuple(
        QueueView(number, f"Fila {number}", "Olá!", schedules=HOURS, options=options)
        for number in range(1, 9)
    )
    company = CompanyView(
        ZoneInfo("America/Sao_Paulo"), "queue", queues={queue.id: queue for queue in queues}
    )
    return ConnectionView("Bem-vindo!", queues=queues, max_menus=0), company


def throughput(stack: Stack, business: Business) -> list[Figure]:
    """Measure one worker on a talk with the bot: nearly every message is answered.

    The connection is off, so that what it writes waits: sending is another figure.
    """
    connection = business.connection
    connection.queues.set(business.queues)
    for queue in business.queues:
        for number in range(1, 4):
            node = QueueOption.objects.create(queue=queue, title=f"Opção {number}", position=number)
            QueueOption.objects.create(queue=queue, parent=node, title="Caso", message="Certo.")
    Connection.objects.filter(pk=connection.pk).update(
        status=ConnectionStatus.DISCONNECTED, greeting_message="Bem-vindo!", bot_max_menus=0
    )
    texts = [
        (FIRST_CONTACT + number % THROUGHPUT_CONTACTS, TALK[number // THROUGHPUT_CONTACTS])
        for number in range(min(THROUGHPUT_MESSAGES, THROUGHPUT_CONTACTS * len(TALK)))
    ]
    try:
        rate, worker_cpu, commits = handled(stack, business, texts)
    finally:
        connection.queues.set(business.queues[:1])
        QueueOption.objects.filter(queue__in=business.queues).delete()
        # What waits would be sent beside whatever is measured next.
        Delivery.objects.filter(connection=connection).delete()
        Connection.objects.filter(pk=connection.pk).update(status=ConnectionStatus.CONNECTED)
    answers = Message.objects.filter(connection=connection, source="bot").count()
    return [
        Figure("inbound throughput with the bot, one worker", rate, "1/s"),
        Figure("with the bot / commit rate", rate / commits * 100, "%", 25, at_least=True),
        Figure("worker CPU per message with the bot", worker_cpu, "ms"),
        Figure("answers of the bot per message", answers / len(texts)),
    ]
