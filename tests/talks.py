"""A conversation with the bot, without database: what a contact writes and what comes of it."""

from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

from apps.tickets.bot_states import BotState
from apps.tickets.services.bot.routing import (
    Action,
    Ask,
    AskForm,
    CompanyView,
    ConnectionView,
    EndBot,
    MessageView,
    MoveToQueue,
    OptionView,
    QueueView,
    SaveValue,
    Say,
    SetTag,
    StartIntegration,
    StartPrompt,
    StopFlow,
    TicketView,
    decide,
    enter,
)

ZONE = ZoneInfo("America/Sao_Paulo")
# A Wednesday, 11:00 in São Paulo.
NOON = datetime(2026, 11, 18, 14, 0, tzinfo=UTC)

ORDERS = QueueView(
    10,
    "Pedidos",
    greeting="Olá, {{firstName}}! O que houve com o pedido?",
    options=(
        OptionView(
            1,
            "Trocar um produto",
            "Que pena! Como prefere resolver?",
            children=(
                OptionView(3, "Quero um novo", "Certo! Envie uma foto.", redirection_queue_id=20),
                OptionView(4, "Quero o dinheiro", "Em até 7 dias."),
            ),
        ),
        OptionView(2, "Prazos & regras", "São 30 dias."),
    ),
)
DELIVERIES = QueueView(20, "Entregas", greeting="Aqui é das entregas.")
MONEY = QueueView(30, "Finanças", greeting="Aqui é das finanças.")
QUEUES = (ORDERS, DELIVERIES, MONEY)


def connection_view(*queues: QueueView, **fields: Any) -> ConnectionView:
    """Return a connection, by default one that leads to all three queues."""
    fields.setdefault("greeting", "Bem-vindo à Casa Aroeira.")
    return ConnectionView(queues=queues or QUEUES, **fields)


def company(**fields: Any) -> CompanyView:
    """Return a company that knows the three queues."""
    fields.setdefault("queues", {queue.id: queue for queue in QUEUES})
    return CompanyView(zone=ZONE, **fields)


# What `short` makes of the menus.
MENU = "ask Bem-vindo à Casa Aroeira. (3)"
# After a wrong answer to the menu of queues, or to the first options of the first queue.
MENU_AGAIN = "ask Não entendi. Escolha uma opção: (3)"
TOP = "ask Olá, {{firstName}}! O que houve com o pedido? (3)"
BELOW = "ask Que pena! Como prefere resolver? (4)"
# What choosing the third queue leads to.
CHOSEN = ["to 30 by menu", "say Aqui é das finanças."]


@dataclass
class Talk:
    """A ticket that goes on from message to message, as the service would keep it."""

    connection: ConnectionView = field(default_factory=connection_view)
    company: CompanyView = field(default_factory=company)
    ticket: TicketView = field(default_factory=TicketView)
    now: datetime = NOON

    def write(self, text: str = "", **fields: Any) -> list[str]:
        """Let the contact write; returns what comes of it in a short form, see `short`."""
        wrote = MessageView(text, **fields)
        return self._take(decide(wrote, self.ticket, self.connection, self.company, self.now))

    def enter(self, queue_id: int, by: str) -> list[str]:
        """Lead the ticket into a queue."""
        return self._take(
            enter(queue_id, self.ticket, self.connection, self.company, self.now, by=by)
        )

    def later(self, **duration: float) -> None:
        """Let time go by."""
        self.now += timedelta(**duration)

    @property
    def state(self) -> BotState:
        return self.ticket.state

    def _take(self, decision: Any) -> list[str]:
        # What is kept comes back from the database as JSON.
        state = BotState.of(decision.state.as_json())
        assert state == decision.state
        self.ticket = replace(self.ticket, state=state)
        for action in decision.actions:
            if isinstance(action, MoveToQueue):
                self.ticket = replace(self.ticket, queue_id=action.queue_id)
        self.actions = decision.actions
        return [short(action) for action in decision.actions]


def short(action: Action) -> str:
    """Return an action in few words; of a menu its first line and how many entries it has."""
    match action:
        case Say(text=text, kind="greeting" | "answer"):
            return f"say {text}"
        case Say(kind=kind):
            return kind
        case Ask(text=text, choices=choices):
            lines = [each for each in text.splitlines() if each.startswith("*")]
            return f"ask {text.splitlines()[0]} ({len(choices) or len(lines)})"
        case AskForm(text=text, flow_id=flow_id, fields=fields):
            return f"form {text.splitlines()[0]} ({flow_id}: {len(fields)})"
        case MoveToQueue(queue_id=queue_id, by=by):
            return f"to {queue_id} by {by}"
        case StartIntegration(integration_id=integration_id):
            return f"integration {integration_id}"
        case StartPrompt(prompt_id=prompt_id):
            return f"prompt {prompt_id}"
        case SaveValue(kind=kind, field=name, value=value):
            return f"value {kind} {name} {value}"
        case SetTag(tag_id=tag_id):
            return f"tag {tag_id}"
        case StopFlow():
            return "stop flow"
        case EndBot(reason=reason):
            return f"end {reason}"
    raise AssertionError(action)


def at_menu(**fields: object) -> Talk:
    """Return a talk that stands at the menu of queues."""
    talk = Talk(connection=connection_view(**fields))
    assert talk.write("Oi") == [MENU]
    return talk


def below(talk: Talk | None = None) -> Talk:
    """Return a talk that stands below the first option of the orders."""
    talk = talk or at_menu()
    assert talk.write("1") == ["to 10 by menu", TOP]
    assert talk.write("1") == [BELOW]
    return talk
