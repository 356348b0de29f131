"""Plain functions that make rows for tests; each takes the company first."""

import uuid
from collections.abc import Sequence
from datetime import date, timedelta
from functools import cache
from itertools import count
from typing import Any

from django.conf import settings
from django.contrib.auth.hashers import make_password
from django.core.management.color import no_style
from django.db import connection as database
from django.utils import timezone

from apps.accounts.models import Profile, Role, User
from apps.announcements.models import Announcement, Help
from apps.automation.models import (
    OutgoingWebhook,
    Prompt,
    QueueIntegration,
    WebhookDelivery,
    WebhookEvent,
)
from apps.automation.services.webhook_events import known
from apps.billing.models import Invoice, Plan
from apps.campaigns.models import Campaign, CampaignStatus, ContactList, ContactListItem, Segment
from apps.campaigns.models.segments import no_rules
from apps.chat.models import Chat, ChatMember, ChatMessage
from apps.common.leases import LeaseState
from apps.companies.models import Company
from apps.connections.models import Connection, ConnectionStatus, ProviderKind
from apps.contacts.models import Contact, Tag
from apps.contacts.numbers import canonical_number
from apps.library.models import FileList, QuickMessage
from apps.queues.models import Queue
from apps.schedules.models import Schedule
from apps.tickets.models import Message, Ticket, TrackingCycle

PASSWORD = "balcao123"
_number = count(1)


@cache
def _password_hash(hasher: str) -> str:
    """Hash once: the hash is slow on purpose."""
    return make_password(PASSWORD)


def make_plan(**fields: Any) -> Plan:
    """Make a plan without limits."""
    fields.setdefault("name", f"Plano {next(_number)}")
    return Plan.objects.create(**fields)


def make_company(**fields: Any) -> Company:
    """Make a paid-up company with a plan of its own."""
    fields.setdefault("name", f"Empresa {next(_number)}")
    fields.setdefault("due_date", date.today() + timedelta(days=30))
    if "plan" not in fields:
        fields["plan"] = make_plan()
    return Company.objects.create(**fields)


def make_operator_company() -> Company:
    """Make company 1, which runs the service."""
    company = make_company(pk=1, name="Balcão")
    with database.cursor() as cursor:  # PostgreSQL's sequence does not see the given id
        for statement in database.ops.sequence_reset_sql(no_style(), [Company]):
            cursor.execute(statement)
    return company


def make_invoice(company: Company, **fields: Any) -> Invoice:
    """Make an open invoice of the company's plan."""
    fields.setdefault("plan", company.plan)
    fields.setdefault("detail", f"Plano {company.plan.name} (mensal)")
    fields.setdefault("value", company.plan.value)
    fields.setdefault("due_date", date.today() + timedelta(days=next(_number)))
    return Invoice.objects.create(company=company, **fields)


def make_user(company: Company, *, queues: list[Queue] | None = None, **fields: Any) -> User:
    """Make an attendant whose password is `PASSWORD`."""
    number = next(_number)
    fields.setdefault("name", f"Pessoa {number}")
    fields.setdefault("email", f"pessoa{number}@example.com")
    user = User(company=company, password=_password_hash(settings.PASSWORD_HASHERS[0]), **fields)
    user.save()
    user.queues.set(queues or [])
    return user


def make_admin(company: Company, **fields: Any) -> User:
    return make_user(company, profile=Profile.ADMIN, **fields)


def make_role(company: Company, *permissions: str, **fields: Any) -> Role:
    """Make a role of the company's own with these permissions."""
    fields.setdefault("name", f"Papel {next(_number)}")
    return Role.objects.create(company=company, permissions=sorted(permissions), **fields)


def make_queue(company: Company, **fields: Any) -> Queue:
    """Make a queue with a name and colour of its own."""
    number = next(_number)
    fields.setdefault("name", f"Fila {number}")
    fields.setdefault("color", f"#{number:06x}")
    return Queue.objects.create(company=company, **fields)


def make_connection(
    company: Company, *, queues: list[Queue] | None = None, **fields: Any
) -> Connection:
    """Make a connected official number."""
    number = next(_number)
    fields.setdefault("name", f"Número {number}")
    fields.setdefault("provider", ProviderKind.OFFICIAL)
    fields.setdefault("status", ConnectionStatus.CONNECTED)
    fields.setdefault("phone_number_id", f"{500_000_000_000_000 + number}")
    fields.setdefault("waba_id", f"{600_000_000_000_000 + number}")
    fields.setdefault("access_token", "token")
    fields.setdefault("verified_at", timezone.now())
    # Who tests the bot's patience says so: everywhere else it answers at once.
    fields.setdefault("bot_quiet_seconds", 0)
    # Who tests that texts are joined says so: everywhere else each text is seen alone.
    fields.setdefault("joins_bot_texts", False)
    # So for the pace of what it sends.
    for limit in ("send_pause_seconds", "send_jitter_seconds", "sends_per_second"):
        fields.setdefault(limit, 0)
    fields.setdefault("warmup_contacts", 0)
    fields.setdefault(
        "is_default", not Connection.objects.filter(company=company, is_default=True).exists()
    )
    connection = Connection.objects.create(company=company, **fields)
    connection.queues.set(queues or [])
    return connection


def make_contact(company: Company, **fields: Any) -> Contact:
    """Make a contact with a Brazilian mobile number."""
    number = next(_number)
    fields.setdefault("name", f"Cliente {number}")
    fields.setdefault("number", f"55119{number:08d}")
    fields.setdefault("canonical_number", fields["number"])
    return Contact.objects.create(company=company, **fields)


def make_ticket(company: Company, **fields: Any) -> Ticket:
    """Make a pending ticket with its unfinished tracking cycle."""
    if "contact" not in fields:
        fields["contact"] = make_contact(company)
    if "connection" not in fields:
        fields["connection"] = Connection.objects.filter(
            company=company
        ).first() or make_connection(company)
    ticket = Ticket.objects.create(company=company, **fields)
    if ticket.status != "closed":
        TrackingCycle.objects.create(
            company=company,
            ticket=ticket,
            contact=ticket.contact,
            connection=ticket.connection,
            user=ticket.user,
        )
    return ticket


def make_message(ticket: Ticket, **fields: Any) -> Message:
    """Make a received text on a ticket."""
    fields.setdefault("body", "Oi, tudo bem?")
    fields.setdefault("external_id", f"wamid.test{next(_number)}")
    return Message.objects.create(
        company=ticket.company,
        connection=ticket.connection,
        ticket=ticket,
        contact=ticket.contact,
        **fields,
    )


def make_schedule(company: Company, **fields: Any) -> Schedule:
    """Make a message planned for tomorrow."""
    if "contact" not in fields:
        fields["contact"] = make_contact(company)
    fields.setdefault("body", "Bom dia! Passando para confirmar.")
    fields.setdefault("send_at", timezone.now() + timedelta(days=1))
    fields.setdefault("next_attempt_at", fields["send_at"])
    return Schedule.objects.create(company=company, **fields)


def make_tag(company: Company, **fields: Any) -> Tag:
    fields.setdefault("name", f"Tag {next(_number)}")
    fields.setdefault("color", "#3E7BD6")
    return Tag.objects.create(company=company, **fields)


def make_quick_message(company: Company, **fields: Any) -> QuickMessage:
    """Make a quick message; without a user it is shared."""
    fields.setdefault("shortcode", f"atalho-{next(_number)}")
    fields.setdefault("message", "Olá, {{firstName}}!")
    fields.setdefault("is_shared", fields.get("user") is None)
    return QuickMessage.objects.create(company=company, **fields)


def make_contact_list(
    company: Company, *, people: Sequence[tuple[str, str]] = (), **fields: Any
) -> ContactList:
    """Make a contact list; `people` are names and numbers."""
    fields.setdefault("name", f"Lista {next(_number)}")
    listed = ContactList.objects.create(company=company, contacts_count=len(people), **fields)
    for name, number in people:
        ContactListItem.objects.create(
            company=company,
            contact_list=listed,
            name=name,
            number=number,
            canonical_number=canonical_number(number),
        )
    return listed


def make_segment(company: Company, *, name: str = "", **rules: Any) -> Segment:
    """Make a segment of these rules, named as on the wire."""
    return Segment.objects.create(
        company=company,
        name=name or f"Segmento {next(_number)}",
        rules={**no_rules(), **rules},
    )


def make_campaign(
    company: Company, *, texts: Sequence[str] = ("Oi, {nome}!",), **fields: Any
) -> Campaign:
    """Make a campaign whose time has come; with `scheduled_at` None, one that has no time."""
    fields.setdefault("name", f"Campanha {next(_number)}")
    now = timezone.now()
    if fields.setdefault("scheduled_at", now - timedelta(seconds=1)) is None:
        fields = {"status": CampaignStatus.INACTIVE, "state": LeaseState.DONE, **fields}
    fields.setdefault("status", CampaignStatus.SCHEDULED)
    fields.setdefault("next_attempt_at", fields["scheduled_at"] or now)
    fields["texts"] = [*texts, *[""] * (5 - len(texts))]
    if asking := fields.pop("asking", ()):
        fields["asks_confirmation"] = True
        fields["confirmation_texts"] = [*asking, *[""] * (5 - len(asking))]
    return Campaign.objects.create(company=company, **fields)


def make_chat(owner: User, *others: User, **fields: Any) -> Chat:
    """Make a chat between users of one company."""
    fields.setdefault("title", f"Conversa {next(_number)}")
    chat = Chat.objects.create(company=owner.company, owner=owner, **fields)
    for user in (owner, *others):
        ChatMember.objects.create(company=owner.company, chat=chat, user=user)
    return chat


def make_chat_message(chat: Chat, sender: User, **fields: Any) -> ChatMessage:
    """Make a text that everybody has read."""
    fields.setdefault("message", f"Mensagem {next(_number)}")
    made = ChatMessage.objects.create(
        company=chat.company, chat=chat, sender=sender, sender_name=sender.name, **fields
    )
    chat.message_count += 1
    chat.save()
    return made


def make_announcement(**fields: Any) -> Announcement:
    """Make what the operator tells every company."""
    fields.setdefault("title", f"Informativo {next(_number)}")
    fields.setdefault("text", "Na noite de domingo o sistema ficará fora do ar por uma hora.")
    return Announcement.objects.create(**fields)


def make_help(**fields: Any) -> Help:
    """Make a film that helps."""
    fields.setdefault("title", f"Ajuda {next(_number)}")
    fields.setdefault("video", "dQw4w9WgXcQ")
    return Help.objects.create(**fields)


def make_file_list(company: Company, *, items: Sequence[str] = (), **fields: Any) -> FileList:
    """Make a file list with items of these names, whose files are still to come."""
    fields.setdefault("name", f"Lista {next(_number)}")
    fields.setdefault("message", "Segue o que você pediu.")
    made = FileList.objects.create(company=company, **fields)
    for position, name in enumerate(items):
        made.items.create(name=name, position=position)
    return made


def make_integration(company: Company, **fields: Any) -> QueueIntegration:
    """Make a webhook that nobody answers."""
    fields.setdefault("type", "webhook")
    fields.setdefault("name", f"Robô {next(_number)}")
    fields.setdefault("url", "https://example.com/fluxo")
    return QueueIntegration.objects.create(company=company, **fields)


def make_webhook(company: Company, **fields: Any) -> OutgoingWebhook:
    """Make an outgoing webhook that hears everything."""
    fields.setdefault("name", f"Aviso {next(_number)}")
    fields.setdefault("url", "https://example.com/avisos")
    fields.setdefault("secret", "segredo-do-aviso")
    fields.setdefault("events", list(WebhookEvent.values))
    webhook = OutgoingWebhook.objects.create(company=company, **fields)
    known.forget()
    return webhook


def make_webhook_delivery(
    webhook: OutgoingWebhook, *, contact: Contact, **fields: Any
) -> WebhookDelivery:
    """Make an event that waits to be posted."""
    fields.setdefault("event", WebhookEvent.MESSAGE_RECEIVED)
    fields.setdefault("event_id", uuid.uuid4())
    fields.setdefault("payload", {"version": 1, "event": str(fields["event"])})
    return WebhookDelivery.objects.create(
        company=webhook.company, webhook=webhook, contact=contact, **fields
    )


def make_prompt(company: Company, **fields: Any) -> Prompt:
    """Make an assistant that hands over to a queue of the company."""
    fields.setdefault("name", f"Assistente {next(_number)}")
    fields.setdefault("prompt", "Você é a atendente da loja.")
    fields.setdefault("api_key", "sk-segredo-da-loja")
    fields.setdefault("queue", company.queues.first() or make_queue(company))
    return Prompt.objects.create(company=company, **fields)


def make_audience(connection: Connection, count: int) -> ContactList:
    """Make a list of so many people, who all wrote on the connection an hour ago."""
    company, now = connection.company, timezone.now()
    numbers = [f"55119{70_000_000 + each}" for each in range(count)]
    listed = ContactList.objects.create(
        company=company, name=f"Lista {next(_number)}", contacts_count=count
    )
    contacts = Contact.objects.bulk_create(
        [
            Contact(
                company=company,
                name=f"Cliente {place}",
                number=number,
                canonical_number=number,
                search_text=f"cliente {place} {number}",
            )
            for place, number in enumerate(numbers)
        ],
        batch_size=1000,
    )
    Ticket.objects.bulk_create(
        [
            Ticket(
                company=company,
                connection=connection,
                contact=contact,
                status="closed",
                last_inbound_at=now - timedelta(hours=1),
            )
            for contact in contacts
        ],
        batch_size=1000,
    )
    ContactListItem.objects.bulk_create(
        [
            ContactListItem(
                company=company,
                contact_list=listed,
                name=f"Cliente {place}",
                number=number,
                canonical_number=number,
                is_whatsapp_valid=True,
            )
            for place, number in enumerate(numbers)
        ],
        batch_size=1000,
    )
    return listed
