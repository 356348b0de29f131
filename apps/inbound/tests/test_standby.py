"""What another responder of a number does is stored and shown, and nothing else moves."""

from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from apps.accounts.models import User
from apps.automation.models import WebhookDelivery
from apps.common.leases import LeaseState
from apps.companies.models import Company
from apps.connections.models import Connection
from apps.contacts.models import Contact
from apps.costs.models import MessageCost
from apps.inbound.models import InboundEvent
from apps.inbound.services import process_due
from apps.inbound.tests.meta import (
    ACCOUNT,
    CUSTOMER,
    METADATA,
    NUMBER,
    USER_ID,
    ago,
    echo,
    handle,
    handover,
    of,
    ordinary,
    seen,
    status,
    tell,
    text,
)
from apps.tickets.models import (
    Ack,
    BotTurn,
    Delivery,
    Message,
    MessageReaction,
    Ticket,
    TicketActivity,
)
from apps.tickets.owners import OWNER_FIELDS
from apps.tickets.services.bot.timers import Cutoffs, silent
from apps.tickets.services.outbox import resend
from apps.tickets.services.outbox.outgoing import MessageNotFailed
from apps.tickets.services.outbox.reading import read_ticket
from apps.tickets.services.window import is_window_open
from tests.factories import (
    make_connection,
    make_contact,
    make_message,
    make_queue,
    make_ticket,
    make_webhook,
)

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _app(settings: Any) -> None:
    settings.META_APP_SECRET = "app-secret"


@pytest.fixture
def number(acme: Company) -> Connection:
    """A number whose bot greets with a menu of two queues."""
    connection = make_connection(
        acme, phone_number_id=NUMBER, waba_id=ACCOUNT, greeting_message="Bem-vindo!"
    )
    connection.queues.set([make_queue(acme), make_queue(acme)])
    return connection


@pytest.fixture
def ticket(acme: Company, number: Connection, agent: User) -> Ticket:
    """A conversation that the agent holds."""
    contact = make_contact(acme, number=CUSTOMER, canonical_number=CUSTOMER)
    return make_ticket(acme, contact=contact, connection=number, status="open", user=agent)


def conversation() -> list[tuple[bool, str, str]]:
    rows = Message.objects.order_by("pk")
    return list(rows.values_list("from_me", "source", "body"))


def announced() -> list[str]:
    return list(WebhookDelivery.objects.order_by("pk").values_list("event", flat=True))


def test_a_copy_of_the_customers_words_starts_nothing(number: Connection) -> None:
    make_webhook(number.company)
    tell(seen(text("wamid.A", "Quero um bolo", timestamp=ago(10))))
    handle()
    assert conversation() == [(False, "other", "Quero um bolo")]
    message, ticket = Message.objects.get(), Ticket.objects.get()
    assert message.is_read
    assert (ticket.status, ticket.unread_count, ticket.chatbot) == ("closed", 0, False)
    assert ticket.last_message == "Quero um bolo"
    for model in (Delivery, BotTurn, TicketActivity):
        assert not model._default_manager.exists()
    # The person is new; of the conversation programs hear nothing.
    assert announced() == ["contact.created"]
    # The same words in the field of our own conversations are greeted.
    tell(ordinary(text("wamid.B", "Quero um bolo")))
    handle()
    assert Delivery.objects.exists() and Ticket.objects.filter(unread_count=1).exists()


def test_in_a_conversation_of_ours_a_copy_only_stands_in_it(
    ticket: Ticket, events: list[dict[str, Any]]
) -> None:
    before = Ticket.objects.values("status", "user", "queue", "unread_count", "bot_state").get()
    tell(seen(text("wamid.A", "Cadê?")), echo("wamid.B", "Já sai!"))
    handle()
    assert conversation() == [(False, "other", "Cadê?"), (True, "other", "Já sai!")]
    assert set(Message.objects.values_list("ticket", flat=True)) == {ticket.pk}
    after = Ticket.objects.values("status", "user", "queue", "unread_count", "bot_state").get()
    assert after == before
    assert not Delivery.objects.exists() and not TicketActivity.objects.exists()
    # Browsers show it, as something that is read already.
    told = [each["payload"]["message"] for each in events if each["event"] == "appMessage"]
    assert [(each["body"], each["read"], each["source"]) for each in told] == [
        ("Cadê?", True, "other"),
        ("Já sai!", True, "other"),
    ]


def test_what_the_customer_writes_elsewhere_opens_the_window(ticket: Ticket) -> None:
    assert ticket.connection and not is_window_open(ticket, ticket.connection)
    tell(seen(text("wamid.A")))
    handle()
    ticket.refresh_from_db()
    assert ticket.connection and is_window_open(ticket, ticket.connection)


def test_the_bot_leads_on_where_it_was_once_the_conversation_is_ours(number: Connection) -> None:
    tell(ordinary(text("wamid.A", timestamp=ago(20))))
    handle()
    state = Ticket.objects.get().bot_state
    tell(seen(text("wamid.B", "1", timestamp=ago(10))), echo("wamid.C", at=ago(10)))
    handle()
    assert Ticket.objects.get().bot_state == state
    assert Ticket.objects.get().owner == "other"
    assert Delivery.objects.count() == 1
    tell(handover(), ordinary(text("wamid.D", "1")))
    handle()
    assert Ticket.objects.get().queue is not None


def test_no_timer_runs_from_the_words_of_another_responder(ticket: Ticket) -> None:
    number = ticket.connection
    assert number is not None
    number.ticket_expires_minutes = 5
    number.save()
    tell(echo("wamid.A"))
    handle()
    Ticket.objects.update(updated_at=timezone.now() - timedelta(hours=1))
    assert list(silent(Cutoffs(timezone.now()))) == []
    Message.objects.update(source="agent")
    assert list(silent(Cutoffs(timezone.now()))) == [ticket]


def test_only_own_messages_are_marked_read_at_meta(ticket: Ticket, agent: User) -> None:
    tell(ordinary(text("wamid.A")), seen(text("wamid.B")))
    handle()
    ticket.refresh_from_db()
    assert ticket.unread_count == 1
    read_ticket(ticket=ticket, user=agent)
    assert Delivery.objects.get().message.external_id == "wamid.A"


def test_what_another_responder_could_not_send_is_not_sent_again(
    ticket: Ticket, agent: User
) -> None:
    tell(seen(text("wamid.B")), echo("wamid.A"), status("wamid.A", "failed"))
    handle()
    message = Message.objects.get(from_me=True)
    assert message.ack == Ack.ERROR
    with pytest.raises(MessageNotFailed):
        resend(message=message, user=agent)


@pytest.mark.parametrize(
    ("call", "body"),
    [
        ({"text": {"body": "Oi!"}}, "Oi!"),
        (
            {
                "type": "interactive",
                "interactive": {
                    "type": "button",
                    "header": {"type": "text", "text": "Pedido"},
                    "body": {"text": "Confirma?"},
                    "action": {"buttons": []},
                },
            },
            "*Pedido*\nConfirma?",
        ),
        (
            {"type": "image", "image": {"link": "https://x.example/a.png", "caption": "Bolo"}},
            "Bolo\nhttps://x.example/a.png",
        ),
        ({"type": "template", "template": {"name": "pedido_pronto"}}, "pedido_pronto"),
        ({"type": "novelty", "novelty": {"a": 1}}, "unknown"),
    ],
)
def test_an_echo_is_read_from_the_call_that_sent_it(
    number: Connection, call: dict[str, Any], body: str
) -> None:
    change = echo("wamid.A", **call)
    tell(change)
    handle()
    assert conversation() == [(True, "other", body)]
    assert Message.objects.get().contact.canonical_number == CUSTOMER
    [item] = change["value"]["standby"]["message_echoes"]
    assert InboundEvent.objects.get().payload["message"] == item


def test_a_template_of_another_responder_shows_its_text(number: Connection) -> None:
    call = {
        "name": "oferta",
        "language": {"code": "pt_BR"},
        "components": [
            {
                "type": "body",
                "parameters": [
                    {"type": "text", "text": "Maria"},
                    {"type": "text", "text": "25%"},
                ],
            }
        ],
    }
    change = echo("wamid.A", type="template", template=call)
    [item] = change["value"]["standby"]["message_echoes"]
    body = {"type": "BODY", "text": "Oi {{1}}, leve {{2}} de desconto!"}
    item["template"] = {"name": "oferta", "status": "APPROVED", "components": [body]}
    tell(change)
    handle()
    assert Message.objects.get().body == "Oi Maria, leve 25% de desconto!"


@pytest.mark.parametrize("key", ["to", "recipient"])
def test_an_echo_to_a_user_id_is_in_the_persons_conversation(ticket: Ticket, key: str) -> None:
    Contact.objects.update(user_id=USER_ID)
    tell(echo("wamid.A", **{"to": "", key: USER_ID}))
    handle()
    assert Message.objects.get().ticket == ticket


def test_a_copy_is_stored_once(number: Connection) -> None:
    for _ in range(2):
        tell(seen(text("wamid.A")), echo("wamid.B"), status("wamid.B", "read"))
        handle()
    assert len(conversation()) == 2
    # Nor does it change what we got ourselves.
    tell(ordinary(text("wamid.C")), seen(text("wamid.C", "Outra coisa")))
    handle()
    assert Message.objects.get(external_id="wamid.C").source == "contact"


def test_statuses_move_the_ticks_of_copies_and_are_not_announced(number: Connection) -> None:
    make_webhook(number.company)
    tell(echo("wamid.A"))
    handle()
    assert Message.objects.get().ack == Ack.SENT
    tell(status("wamid.A", "delivered"), status("wamid.A", "read"))
    handle()
    message = Message.objects.get()
    assert message.ack == Ack.READ
    assert message.pricing and message.pricing["category"] == "GENERAL_PURPOSE_AI"
    assert announced() == ["contact.created"]


@pytest.mark.parametrize("field", ["standby", "messages"])
def test_statuses_before_their_message_are_kept_and_found(number: Connection, field: str) -> None:
    tell(status("wamid.A", "delivered", field), status("wamid.A", "read", field))
    handle()
    assert InboundEvent.objects.count() == 2
    assert not Message.objects.exists() and not Ticket.objects.exists()
    tell(echo("wamid.A"))
    handle()
    message = Message.objects.get()
    assert message.ack == Ack.READ
    # What was delivered costs, whenever the message came.
    cost = MessageCost.objects.get()
    assert (cost.message_id, cost.category) == (message.pk, "GENERAL_PURPOSE_AI")
    assert (cost.type, cost.is_billable, cost.source) == ("regular", True, "other")


def test_a_status_of_another_responder_waits_for_no_send_of_ours(ticket: Ticket) -> None:
    own = make_message(ticket, from_me=True, external_id=None, ack=Ack.PENDING)
    assert ticket.connection is not None
    Delivery.objects.create(
        company=ticket.company,
        connection=ticket.connection,
        contact=ticket.contact,
        message=own,
        kind="send",
        state=LeaseState.SENDING,
        lease_expires_at=timezone.now() + timedelta(minutes=1),
    )
    tell(status("wamid.others", "delivered"))
    handle()
    # Without the field's word it might be ours.
    tell(status("wamid.unclear", "delivered", "messages"))
    process_due(limit=10)
    waiting = InboundEvent.objects.get(event_id="status:wamid.unclear:delivered")
    assert (waiting.state, waiting.attempts) == (LeaseState.WAITING, 0)
    own.refresh_from_db()
    assert own.ack == Ack.PENDING


def test_a_reaction_and_an_edit_elsewhere_change_what_stands_here(number: Connection) -> None:
    tell(echo("wamid.A"), seen(text("wamid.B", "Onte")))
    reaction = text("wamid.R", type="reaction", reaction={"message_id": "wamid.A", "emoji": "❤️"})
    edit = text(
        "wamid.E",
        type="edit",
        edit={
            "original_message_id": "wamid.B",
            "message": {"type": "text", "text": {"body": "Ontem"}},
        },
    )
    tell(seen(reaction), seen(edit))
    handle()
    assert MessageReaction.objects.get().message.external_id == "wamid.A"
    assert conversation()[1] == (False, "other", "Ontem")
    assert len(conversation()) == 2


def test_an_ignored_contact_stays_ignored(ticket: Ticket) -> None:
    Contact.objects.update(is_ignored=True)
    tell(seen(text("wamid.A")), echo("wamid.B"))
    handle()
    assert not Message.objects.exists()


@pytest.mark.parametrize("change", [seen(text("wamid.A")), echo("wamid.A"), handover()])
def test_of_a_number_that_is_not_here_it_is_kept_raw_and_nothing_moves(
    number: Connection, change: dict[str, Any]
) -> None:
    key = "recipient" if change["field"] == "messaging_handovers" else "metadata"
    value = {**change["value"], key: {**METADATA, "phone_number_id": "999999999999999"}}
    tell({**change, "value": value}, account="999999999999998")
    event = InboundEvent.objects.get()
    assert (event.connection, event.kind, event.state) == (None, change["field"], LeaseState.DONE)
    assert process_due(limit=10) == 0
    assert not Message.objects.exists() and not Contact.objects.exists()


@pytest.mark.parametrize(
    "value",
    [
        {"standby": {}},
        {"standby": []},
        {"standby": {"messages": ["x", None, {}], "novelty": 1}},
        {"standby": {"message_echoes": [{"id": "w", "message": "x"}, {"message": {}}]}},
        {"standby": {"statuses": [{}, {"id": "w", "status": "novel"}]}},
    ],
)
def test_an_odd_standby_is_kept_and_nothing_moves(number: Connection, value: Any) -> None:
    tell(of("standby", **value))
    handle()
    assert set(InboundEvent.objects.values_list("connection", flat=True)) == {number.pk}
    assert not Message.objects.exists() and not Ticket.objects.exists()


@pytest.mark.parametrize("kind", ["control_passed", "control_taken"])
def test_a_handover_finds_its_number_and_is_a_line_of_the_conversation(
    ticket: Ticket, events: list[dict[str, Any]], kind: str
) -> None:
    kept = [field.attname for field in Ticket._meta.concrete_fields]
    kept = [name for name in kept if name not in (*OWNER_FIELDS, "is_handed_over")]
    before = Ticket.objects.values(*kept).get()
    change = handover(kind)
    for _ in range(2):
        tell(change)
        handle()
    event = InboundEvent.objects.get()
    assert (event.connection, event.payload["value"]) == (ticket.connection, change["value"])
    line = TicketActivity.objects.get()
    assert (line.ticket, line.kind, line.actor) == (ticket, kind, None)
    roles = {
        "control_passed": ("ai_agent", "escalation"),
        "control_taken": ("escalation", "ai_agent"),
    }
    assert (line.detail["formerRole"], line.detail["newRole"]) == roles[kind]
    assert line.detail["metadata"] == "pediu uma pessoa"
    assert Ticket.objects.values(*kept).get() == before
    [told] = [each["payload"] for each in events if each["event"] == "ticket"]
    assert told["event"]["kind"] == kind
    # It stays marked until the holder reads it.
    assert told["ticket"]["handedOver"] == (kind == "control_passed")
    owner = "us" if kind == "control_passed" else "other"
    assert Ticket.objects.get().owner == told["ticket"]["owner"] == owner


def test_a_closed_conversation_that_comes_to_us_waits_for_people(
    ticket: Ticket, events: list[dict[str, Any]]
) -> None:
    Ticket.objects.update(status="closed", closed_at=timezone.now(), owner="other")
    for _ in range(2):
        tell(handover())
        handle()
    now = Ticket.objects.get()
    assert now.connection is not None
    assert (now.status, now.user, now.chatbot, now.closed_at) == ("pending", None, False, None)
    assert (now.queue, now.is_handed_over) == (now.connection.queues.first(), True)
    kinds = [each["payload"].get("event", {}).get("kind") for each in events]
    assert "reopened" in kinds and kinds[-1] == "control_passed"
    told = events[-1]["payload"]["ticket"]
    assert (told["status"], told["handedOver"]) == ("pending", True)
    # The bot stays off when the contact writes.
    tell(ordinary(text("wamid.A", "Oi")))
    handle()
    assert not Message.objects.filter(from_me=True).exists()


def test_a_waiting_conversation_of_the_bot_that_comes_to_us_waits_for_people(
    number: Connection, events: list[dict[str, Any]]
) -> None:
    tell(ordinary(text("wamid.A", "Oi", timestamp=ago(60))))
    handle()
    assert Ticket.objects.get().chatbot
    written = Message.objects.filter(from_me=True).count()
    tell(handover("control_taken", timestamp=ago(40)), echo("wamid.B", at=ago(30)))
    handle()
    events.clear()
    for _ in range(2):
        tell(handover(timestamp=ago(20)))
        handle()
    now = Ticket.objects.get()
    assert (now.status, now.user, now.chatbot, now.is_handed_over) == ("pending", None, False, True)
    told = events[-1]["payload"]
    assert (told["event"]["kind"], told["ticket"]["handedOver"]) == ("control_passed", True)
    # The other responder has told the contact who answers next.
    assert Message.objects.filter(from_me=True).exclude(source="other").count() == written
    assert now.queue == number.queues.first()
    tell(ordinary(text("wamid.C", "1")))
    handle()
    assert Message.objects.filter(from_me=True).exclude(source="other").count() == written
    assert Ticket.objects.get().unread_count == 2


@pytest.mark.parametrize("is_late", [True, False])
def test_a_closed_conversation_stays_closed_unless_it_comes_to_us_now(
    ticket: Ticket, is_late: bool
) -> None:
    known = timezone.now() if is_late else None
    Ticket.objects.update(status="closed", closed_at=timezone.now(), owner="other", owner_at=known)
    tell(handover(*([] if is_late else ["control_taken"]), timestamp=ago(60)))
    handle()
    assert Ticket.objects.get().status == "closed"


def test_a_handover_is_of_the_live_ticket_else_of_the_latest(
    acme: Company, number: Connection
) -> None:
    contact = make_contact(acme, number=CUSTOMER, canonical_number=CUSTOMER, user_id=USER_ID)
    now = timezone.now()
    first, latest = (
        make_ticket(
            acme,
            contact=contact,
            connection=number,
            status="closed",
            closed_at=now - timedelta(days=days),
        )
        for days in (1, 2)
    )
    tell(handover("control_taken"))
    handle()
    live = make_ticket(acme, contact=contact, connection=number, status="pending")
    tell(handover(sender={"user_id": USER_ID}))
    handle()
    lines = TicketActivity.objects.order_by("pk").values_list("ticket", flat=True)
    assert list(lines) == [first.pk, live.pk] and latest.pk not in lines


@pytest.mark.parametrize(
    "fields",
    [
        {"sender": {"phone_number": "5511900000000"}},
        {"sender": {}},
        {"sender": "x"},
        {"control_passed": None},
        {"control_taken": {}},
        {"timestamp": "x" * 500, "sender": {"phone_number": [1]}},
    ],
)
def test_a_handover_of_a_conversation_never_seen_is_kept_and_nothing_moves(
    ticket: Ticket, fields: dict[str, Any]
) -> None:
    tell(handover(**fields))
    handle()
    assert InboundEvent.objects.get().connection == ticket.connection
    assert not TicketActivity.objects.exists()
    assert Contact.objects.count() == Ticket.objects.count() == 1


def test_a_handover_does_not_reach_another_companys_conversation(
    acme: Company, globex: Company, number: Connection
) -> None:
    theirs = make_contact(globex, number=CUSTOMER, canonical_number=CUSTOMER)
    make_ticket(globex, contact=theirs, connection=make_connection(globex))
    tell(handover())
    handle()
    assert not TicketActivity.objects.exists()
