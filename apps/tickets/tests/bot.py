"""What the bot's tests share: a contact who writes, and what came of it."""

from itertools import count
from typing import Any

from django.db import transaction
from django.utils import timezone

from apps.companies.models import Company, CompanySetting
from apps.connections.models import Connection
from apps.connections.providers.inbound import InboundMessage
from apps.tickets.models import Message, Ticket, TicketActivity
from apps.tickets.services.receiving.messages import receive_messages

NUMBER = "5511987654321"
ENTRIES = "\n\n*1* - Vendas\n*2* - Pedidos"
MENU = f"Bem-vindo, Maria!{ENTRIES}"
MENU_AGAIN = f"Não entendi. Escolha uma opção:{ENTRIES}"
TOP = "O que houve?\n\n*1* - Trocar\n*2* - Prazos\n*#* - Menu principal"
_number = count(1)


def inbound(body: str = "Oi", **fields: Any) -> InboundMessage:
    fields.setdefault("external_id", f"wamid.bot.{next(_number)}")
    fields.setdefault("sender", NUMBER)
    fields.setdefault("sender_name", "Maria Silva")
    fields.setdefault("media_type", "conversation")
    fields.setdefault("sent_at", timezone.now())
    return InboundMessage(body=body, **fields)


def receive(connection: Connection, *texts: str, **fields: Any) -> list[str]:
    """Receive texts of one contact together; returns what the bot wrote since."""
    last = Message.objects.order_by("-pk").values_list("pk", flat=True).first() or 0
    with transaction.atomic():
        fresh = Connection.objects.get(pk=connection.pk)
        receive_messages([(fresh, inbound(text, **fields)) for text in texts])
    written = Message.objects.filter(pk__gt=last, from_me=True).order_by("pk")
    return list(written.values_list("body", flat=True))


def setting(company: Company, key: str, value: str) -> None:
    CompanySetting.objects.update_or_create(company=company, key=key, defaults={"value": value})


def close(company: Company) -> None:
    """Close the company on every day of the week."""
    setting(company, "scheduleType", "company")
    company.schedules = [
        {"weekdayEn": day, "startTime": "00:00", "endTime": "00:00"}
        for day in ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
    ]
    company.save()


def the_ticket() -> Ticket:
    return Ticket.objects.get()


def history() -> list[tuple[str, dict[str, Any]]]:
    return list(TicketActivity.objects.order_by("pk").values_list("kind", "detail"))
