"""Tickets and messages of the demo as plain values, from which `tickets` makes rows.

They come from a generator with a fixed seed, so that the demo is the same each time; only the times
are relative to now.
"""

from dataclasses import dataclass, field
from datetime import datetime, timedelta
from random import Random
from zoneinfo import ZoneInfo

from apps.connections.models import Connection
from apps.simulator.demo import people
from apps.simulator.demo.dialogues import Dialogue, Turn, dialogues
from apps.tickets.models import TicketActivityKind

ZONE = ZoneInfo("America/Sao_Paulo")
CLOSED_TICKETS = 330
DAYS_BACK = 45
PENDING, OPEN = len(people.OPENINGS), 26


@dataclass
class MessageDraft:
    """A message: `turn` is its content; `reactions` holds pairs of (from_me, emoji)."""

    turn: Turn
    at: datetime
    text: str
    reactions: list[tuple[bool, str]] = field(default_factory=list)
    quotes: "MessageDraft | None" = None
    speaker: str = ""
    is_failed: bool = False
    is_bot: bool = False


@dataclass
class TicketDraft:
    """A ticket: `person` and `group` are indices, `holder` is a user's e-mail.

    `connection` is another than the demo's first number. `lines` are the bot's: kind, time and
    detail of an activity.
    """

    person: int
    queue: str
    tag: str
    status: str
    messages: list[MessageDraft]
    holder: str = ""
    group: int | None = None
    accepted_at: datetime | None = None
    closed_at: datetime | None = None
    unread: int = 0
    connection: Connection | None = None
    lines: list[tuple[TicketActivityKind, datetime, dict[str, str]]] = field(default_factory=list)


def _slots(random: Random, name: str, at: datetime) -> dict[str, str]:
    days = ["segunda", "terça", "quarta", "quinta", "sexta"]
    return {
        "nome": next(iter(name.split()), "tudo bem?") if name else "tudo bem",
        "pedido": str(10300 + random.randrange(400)),
        "valor": f"{random.randrange(89, 980)},{random.choice(['00', '50', '90'])}",
        "dia": f"{random.choice(days)}-feira",
    }


def _play(random: Random, dialogue: Dialogue, start: datetime, name: str) -> list[MessageDraft]:
    """Return the dialogue's messages from `start` on.

    A reaction belongs to the message before it.
    """
    slots = _slots(random, name, start)
    drafts: list[MessageDraft] = []
    at = start
    for turn in dialogue.turns:
        if turn.kind == "reage":
            drafts[-1].reactions.append((turn.from_me, turn.text))
            continue
        if drafts:
            same = drafts[-1].turn.from_me == turn.from_me
            at += timedelta(seconds=random.randrange(8, 50) if same else random.randrange(45, 540))
        draft = MessageDraft(turn, at, turn.text.format(**slots))
        if turn.quotes:
            draft.quotes = next((d for d in reversed(drafts) if not d.turn.from_me), None)
        drafts.append(draft)
    return drafts


def worktime(random: Random, now: datetime, days_ago: int) -> datetime:
    """Return a time in the working hours of about `days_ago`: 8h to 18h, Saturdays 8h to 12h."""
    day = (now.astimezone(ZONE) - timedelta(days=days_ago)).replace(second=0, microsecond=0)
    while day.weekday() == 6:
        day -= timedelta(days=1)
    hour = random.choices(range(8, 18), weights=[4, 9, 12, 13, 8, 6, 11, 12, 9, 5])[0]
    if day.weekday() == 5:
        hour = random.randrange(8, 12)
    return day.replace(
        hour=hour, minute=random.randrange(60), second=random.randrange(60)
    ).astimezone(now.tzinfo)


def holder_of(random: Random, queue: str) -> str:
    able = [email for email, _, _, queues in people.STAFF if queue in queues]
    return random.choice(able)


def _closed(random: Random, now: datetime, names: list[str]) -> list[TicketDraft]:
    drafts = []
    for index in range(CLOSED_TICKETS):
        person = index % len(names)
        # Two tickets of one person are weeks apart, so that they never overlap.
        share = (index + random.random()) / CLOSED_TICKETS
        start = worktime(random, now, max(1, round(DAYS_BACK * (1 - share))))
        dialogue = random.choice(dialogues())
        messages = _play(random, dialogue, start, names[person])
        end = messages[-1].at + timedelta(minutes=random.randrange(1, 20))
        # A person with an open or pending ticket has no closed ticket in the last six days, so that
        # the tickets do not overlap.
        quiet = timedelta(days=6) if person < OPEN + PENDING else timedelta(hours=2)
        if end > now - quiet:
            continue
        draft = TicketDraft(person, dialogue.queue, dialogue.tag, "closed", messages)
        draft.holder = holder_of(random, dialogue.queue)
        answer = next(m for m in messages if m.turn.from_me)
        draft.accepted_at = answer.at - timedelta(seconds=random.randrange(5, 30))
        draft.closed_at = end
        drafts.append(draft)
    return drafts


def _open(random: Random, now: datetime, names: list[str], persons: list[int]) -> list[TicketDraft]:
    drafts = []
    holders = [email for email, *_ in people.STAFF]
    for index, person in enumerate(persons):
        holder = holders[index % len(holders)]
        able = next(queues for email, _, _, queues in people.STAFF if email == holder)
        # The first ticket always has the dialogue of the screenshots: the chipped plate.
        choices = [d for d in dialogues() if d.queue in able]
        dialogue = dialogues()[0] if index == 0 else choices[(index * 5) % len(choices)]
        minutes = 4 + index * 11 if index < OPEN - 4 else 60 * 26 * (index - OPEN + 5)
        messages = _play(random, dialogue, now, names[person])
        answered = 1 + next(i for i, m in enumerate(messages) if m.turn.from_me)
        kept = messages[: random.randrange(answered, len(messages) + 1)]
        if index == 0:
            kept = messages
        shift = now - timedelta(minutes=minutes) - kept[-1].at
        for message in kept:
            message.at += shift
        draft = TicketDraft(person, dialogue.queue, dialogue.tag, "open", kept, holder)
        answer = next(m for m in kept if m.turn.from_me)
        draft.accepted_at = answer.at - timedelta(seconds=random.randrange(5, 20))
        draft.unread = _trailing(kept) if index % 3 == 1 else 0
        drafts.append(draft)
    sorry = Turn(from_me=True, kind="texto", text="Já reservei o prato novo no seu nome.")
    failed = MessageDraft(sorry, now - timedelta(minutes=2), sorry.text, is_failed=True)
    drafts[0].messages.append(failed)
    return drafts


def _trailing(messages: list[MessageDraft]) -> int:
    count = 0
    for message in reversed(messages):
        if message.turn.from_me:
            break
        count += 1
    return count


def _pending(random: Random, now: datetime, persons: list[int]) -> list[TicketDraft]:
    drafts = []
    for index, (person, (queue, text)) in enumerate(zip(persons, people.OPENINGS, strict=True)):
        at = now - timedelta(minutes=3 + index * 17, seconds=random.randrange(60))
        messages = [MessageDraft(Turn(False, "texto", text), at, text)]
        if index % 3 == 0:
            more = random.choice(people.FOLLOW_UPS)
            later = at + timedelta(seconds=random.randrange(20, 90))
            messages.append(MessageDraft(Turn(False, "texto", more), later, more))
        if index == 4:
            photo = Turn(False, "pdf", "", "comprovante-pix")
            messages.append(MessageDraft(photo, at + timedelta(seconds=70), ""))
        draft = TicketDraft(person, queue, "", "pending", messages)
        draft.unread = len(messages)
        drafts.append(draft)
    return drafts


def _groups(now: datetime) -> list[TicketDraft]:
    drafts = []
    for group, minutes in ((0, 48), (1, 400)):
        messages = []
        for index, (speaker, text) in enumerate(people.GROUP_LINES[: 5 - 2 * group]):
            at = now - timedelta(minutes=minutes - 3 * index)
            messages.append(MessageDraft(Turn(False, "texto", text), at, text, speaker=speaker))
        status, holder = ("open", "admin@demo.local") if group == 0 else ("pending", "")
        draft = TicketDraft(0, "Vendas", "", status, messages, holder, group)
        draft.accepted_at = messages[0].at + timedelta(seconds=40) if holder else None
        draft.unread = 0 if holder else len(messages)
        drafts.append(draft)
    return drafts


def make_drafts(now: datetime, names: list[str]) -> list[TicketDraft]:
    """Return all tickets, oldest first; person indices point into `names`."""
    random = Random(20)  # noqa: S311 stories, not secrets
    closed = _closed(random, now, names)
    persons = list(range(len(names)))
    drafts = [
        *closed,
        *_open(random, now, names, persons[:OPEN]),
        *_pending(random, now, persons[OPEN : OPEN + PENDING]),
        *_groups(now),
    ]
    return sorted(drafts, key=lambda draft: draft.messages[0].at)
