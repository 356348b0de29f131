"""Tickets of the demo's second number, in which contacts walked through the bot's menus.

The bot's own decisions answer, so that its words are those of the menus that the demo has.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from functools import partial
from random import Random

from apps.connections.models import Connection
from apps.queues.models import Queue
from apps.simulator.demo.company import Demo
from apps.simulator.demo.dialogues import Turn
from apps.simulator.demo.drafts import (
    OPEN,
    PENDING,
    ZONE,
    MessageDraft,
    TicketDraft,
    holder_of,
    worktime,
)
from apps.tickets.models import Ticket, TicketActivityKind
from apps.tickets.services.bot.context import load_context, rules_of
from apps.tickets.services.bot.joining import BETWEEN
from apps.tickets.services.bot.routing import (
    Ask,
    CompanyView,
    ConnectionView,
    EndBot,
    MessageView,
    MoveToQueue,
    Say,
    TicketView,
    answered,
    decide,
    leads,
)
from apps.tickets.services.outbox.variables import render, variables_for

TALKS = 40
# Their contacts have written last weeks ago, so that no tickets of one overlap.
FIRST_PERSON, DAYS = OPEN + PENDING, 9
# Without a word for so long a ticket closes.
SILENCE = timedelta(hours=2)


@dataclass(frozen=True)
class Walk:
    """What a contact wrote to the bot, and then to a person, who wrote `answer`; '' if nobody did,
    and the ticket closed because the contact wrote no more.
    """

    words: Sequence[str]
    answer: str = ""
    thanks: str = ""


WALKS = (
    Walk(
        ("Oi, boa tarde", "1", "Vocês têm a travessa oval em azul?"),
        "Oi, {nome}! Temos sim, R$ 219,00. Separo uma para você?",
        "Pode separar, passo amanhã. Obrigada!",
    ),
    Walk(
        ("Bom dia!", "2", "1", "1", "É o pedido 10418, o prato veio lascado"),
        "Oi, {nome}! Já vi o pedido. O prato novo sai amanhã, sem custo.",
        "Que bom, muito obrigado",
    ),
    Walk(
        ("Olá", "3", "1", "É o CPF da minha compra de maio, 123.456.789-09"),
        "Oi, {nome}! Segue a segunda via: vence na sexta-feira.",
        "Recebido 👍",
    ),
    # Words are no entry of a menu: it is sent once more.
    Walk(
        ("Oi", "Quero trocar uma caneca trincada", "2", "1", "2"),
        "Oi, {nome}! O crédito de R$ 89,00 já está na loja para você escolher outra.",
        "Perfeito!",
    ),
    Walk(("Boa tarde", "2", "2"), "Oi, {nome}! Ficou alguma dúvida sobre o prazo?", "Não, era só"),
    # Who looks for the hours finds none in the menu of exchanges, and gives up.
    Walk(("Oi, preciso trocar um vaso", "2", "Até que horas a loja abre?", "Qual o horário?")),
    Walk(
        ("Bom dia", "3", "2", "Pedido 10377"),
        "Oi, {nome}! Nota enviada para o seu e-mail.",
        "Chegou aqui, obrigada",
    ),
    # The menu of queues does not say it, so the contact asks until the bot gives up.
    Walk(
        ("Olá, falar com atendente", "Atendente", "Quero falar com uma pessoa", "Alguém?"),
        "Oi, {nome}! Aqui é a loja, desculpe a demora. Como posso ajudar?",
        "Queria saber se entregam em Campinas",
    ),
    Walk(("Oi",)),
    Walk(
        ("Boa tarde!", "2", "Veio quebrado", "1", "1", "Pedido 10502, já mando a foto"),
        "Oi, {nome}! Combinado, a coleta passa amanhã de manhã.",
        "Ótimo, obrigado",
    ),
)


@dataclass
class _Bot:
    """The bot of a connection, as its decisions see it, and the queues to which it leads."""

    connection: ConnectionView
    company: CompanyView
    queues: dict[int, Queue]


def make_talks(
    demo: Demo, connection: Connection, now: datetime, names: Sequence[str]
) -> list[TicketDraft]:
    """Return tickets of the last days, oldest first; person indices point into `names`."""
    random = Random(29)  # noqa: S311 stories, not secrets
    tickets = [
        Ticket(company=demo.company, connection=connection, queue=queue)
        for queue in (None, *demo.queues.values())
    ]
    context = load_context(tickets, rules_of([demo.company.pk]))
    bot = _Bot(
        context.connection_of(tickets[0]),
        context.company_of(tickets[0]),
        {queue.pk: queue for queue in demo.queues.values()},
    )
    drafts = []
    for index in range(TALKS):
        person = FIRST_PERSON + index
        start = worktime(random, now, 1 + index % DAYS)
        talk = _Talk(bot, names[person], start, random)
        draft = talk.draft(WALKS[index % len(WALKS)], person)
        draft.connection = connection
        drafts.append(draft)
    return sorted(drafts, key=lambda draft: draft.messages[0].at)


@dataclass
class _Talk:
    """One conversation with the bot, as it goes on."""

    bot: _Bot
    name: str
    at: datetime
    random: Random
    view: TicketView = field(default_factory=lambda: TicketView(has_number=True))
    messages: list[MessageDraft] = field(default_factory=list)
    lines: list[tuple[TicketActivityKind, datetime, dict[str, str]]] = field(default_factory=list)

    def draft(self, walk: Walk, person: int) -> TicketDraft:
        for number, words in enumerate(walk.words):
            if number:
                self._wait(15, 70)
            self._say(words, from_me=False)
            self._hear(words)
        queue = self.bot.queues[int(self.view.queue_id)].name if self.view.queue_id else ""
        draft = TicketDraft(person, queue, "", "closed", self.messages, lines=self.lines)
        if not walk.answer:
            draft.closed_at = self.at + SILENCE
            return draft
        self._wait(60, 1500)
        draft.holder, draft.accepted_at = holder_of(self.random, queue), self.at
        self._wait(20, 90)
        self._say(walk.answer.format(nome=self.name.split()[0]), from_me=True)
        self._wait(45, 540)
        self._say(walk.thanks, from_me=False)
        self._wait(60, 600)
        draft.closed_at = self.at
        return draft

    def _hear(self, words: str) -> None:
        """Have the bot answer what the contact wrote."""
        bot = self.bot
        is_led = leads(self.view, bot.connection, bot.company)
        decided = partial(decide, MessageView(words))
        decision, state = answered(
            decided, self.view, bot.connection, bot.company, self.at, is_led=is_led
        )
        self.view = replace(self.view, state=state)
        self.at += timedelta(seconds=2)
        said = []
        for action in decision.actions:
            if isinstance(action, Say | Ask):
                said.append(self._filled_in(action.text))
            elif isinstance(action, MoveToQueue):
                self.view = replace(self.view, queue_id=action.queue_id)
                detail = {"queue": bot.queues[int(action.queue_id)].name, "by": action.by}
                self.lines.append((TicketActivityKind.QUEUED, self.at, detail))
            elif isinstance(action, EndBot):
                self.lines.append(
                    (TicketActivityKind.BOT_ENDED, self.at, {"reason": action.reason})
                )
        if said:
            self._say(BETWEEN.join(said), from_me=True, is_bot=True)

    def _filled_in(self, text: str) -> str:
        now = self.at.astimezone(ZONE)
        return render(text, variables_for(name=self.name, protocol="", now=now))

    def _say(self, words: str, *, from_me: bool, is_bot: bool = False) -> None:
        turn = Turn(from_me, "texto", words)
        self.messages.append(MessageDraft(turn, self.at, words, is_bot=is_bot))

    def _wait(self, least: int, most: int) -> None:
        self.at += timedelta(seconds=self.random.randrange(least, most))
