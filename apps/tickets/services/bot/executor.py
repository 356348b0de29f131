"""Carries out the bot's decisions in the transaction that holds the tickets locked.

Replies are outbox rows, stored in the same transaction as the messages that they answer. A worker
killed at any moment therefore neither repeats nor skips a step.
"""

import uuid
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from functools import partial
from typing import Any

from django.utils import timezone

from apps.automation.models import IntegrationSession
from apps.common.bulk import update_rows
from apps.common.reasons import NO_REASON, Reason
from apps.common.wakeups import wake
from apps.connections.providers.inbound import InboundMessage
from apps.contacts.services.given_values import GivenValue, store_given_values
from apps.queues.models import Queue
from apps.tickets import events
from apps.tickets.bot_states import BOT_FIELDS, BotState
from apps.tickets.events import OpenedTicket
from apps.tickets.models import (
    BotPause,
    BotTurn,
    MediaType,
    Message,
    Ticket,
    TicketActivity,
    TicketActivityKind,
    TurnKind,
)
from apps.tickets.rooms import ticket_audiences
from apps.tickets.services.bot.context import BotContext, Rules, message_view, ticket_view
from apps.tickets.services.bot.routing import (
    Action,
    Ask,
    AskForm,
    Decision,
    EndBot,
    Listen,
    MessageView,
    MoveToQueue,
    SaveValue,
    Say,
    SetTag,
    StartIntegration,
    StartPrompt,
    StopFlow,
    answered,
    decide,
    judge,
    leads,
    place,
    take_over,
)
from apps.tickets.services.bot.writer import BotWriter
from apps.tickets.services.tickets.tagging import set_tags

# Providers report times in whole seconds.
SECOND = timedelta(seconds=1)
# Of the messages before a timer's turn.
LATEST_READ = 20
LATEST_FIELDS = ("last_message", "latest_message", "updated_at")


@dataclass
class ExecutionResult:
    """The result for tickets that were changed only in memory; the caller stores them."""

    replies: list[Message] = field(default_factory=list)
    moved: list[OpenedTicket] = field(default_factory=list)
    changed: dict[int, Ticket] = field(default_factory=dict)


@dataclass
class Heard:
    """What a contact wrote before going quiet, oldest first, on a locked and freshly read ticket.

    `payload` belongs to the last message.
    """

    ticket: Ticket
    messages: list[Message]
    payload: dict[str, Any]


class Executor:
    """Carries out decisions in memory; `store` writes all results at once."""

    def __init__(self, context: BotContext, rules: Mapping[int, Rules]) -> None:
        self._context = context
        self._writer = BotWriter({company_id: each.zone for company_id, each in rules.items()})
        self._result = ExecutionResult()
        self._activities: list[tuple[TicketActivity, list[str]]] = []
        self._turns: list[BotTurn] = []
        self._forget_pauses: set[int] = set()
        self._pauses: dict[int, tuple[BotPause, timedelta]] = {}
        # Pairs of ticket and tag id, in the order in which they were chosen.
        self._tags: list[tuple[Ticket, int]] = []
        self._values: list[GivenValue] = []
        self._stopped: set[int] = set()
        self._began_at = timezone.now()

    def answer(self, inbound: InboundMessage, message: Message) -> None:
        """Decide on a message and carry it out on its ticket."""
        ticket = message.ticket
        # A pressed button and a form are complete answers: the bot does not wait for more.
        waits = bool(ticket.connection and ticket.connection.bot_quiet_seconds)
        wrote = self._view_of(message, inbound.choice_id)
        payload: dict[str, Any] = {"choice_id": inbound.choice_id, "raw": inbound.raw}
        if inbound.envelope:
            payload["envelope"] = inbound.envelope
        if inbound.choice_id or wrote.form is not None:
            self._pauses.pop(ticket.pk, None)
            self._forget_pauses |= {ticket.pk} if waits else set()
            waits = False
        self._decide(ticket, partial(decide, wrote, waits=waits), message, payload)

    def judge(self, heard: Heard) -> None:
        """Decide on the messages together and carry out the decision."""
        wrote = [self._view_of(each) for each in heard.messages]
        self._decide(heard.ticket, partial(judge, wrote), heard.messages[-1], heard.payload)

    def _view_of(self, message: Message, choice_id: str = "") -> MessageView:
        menu_at = BotState.of(message.ticket.bot_state).menu_at
        return message_view(message, choice_id, is_hasty=self._is_hasty(message, menu_at))

    def _decide(
        self,
        ticket: Ticket,
        decided: Callable[..., Decision],
        message: Message,
        payload: dict[str, Any],
    ) -> None:
        view, was_led = ticket_view(ticket), ticket.chatbot
        decision, state = answered(
            decided,
            view,
            self._context.connection_of(ticket),
            self._context.company_of(ticket),
            timezone.now(),
            is_led=was_led,
        )
        if not was_led and not decision.actions and state == view.state:
            return
        self.execute(ticket, decision, message=message, payload=payload)
        if not was_led:
            ticket.bot_state = state.as_json()

    def place_unheard(self, ticket: Ticket) -> None:
        """Put a ticket into a queue when the bot may no longer write to the contact."""
        self._carry_out(ticket, partial(place, by="late"))

    def take_over(self, ticket: Ticket) -> None:
        """Leave a ticket to people after our side answered on the phone itself."""
        self._carry_out(ticket, take_over)

    def _carry_out(self, ticket: Ticket, decided: Callable[..., Decision]) -> None:
        decision = decided(
            ticket_view(ticket),
            self._context.connection_of(ticket),
            self._context.company_of(ticket),
            timezone.now(),
        )
        unsaid = without_texts(decision, BotState.of(ticket.bot_state))
        self.execute(ticket, unsaid, message=None, payload={})

    def execute(
        self,
        ticket: Ticket,
        decision: Decision,
        *,
        message: Message | None,
        payload: dict[str, Any],
    ) -> None:
        """Carry out a decision; `message` is the one that an integration or a prompt answers."""
        for action in decision.actions:
            self._do(ticket, action, message, payload)
        self._writer.end_step(ticket)
        state = decision.state.as_json()
        chatbot = leads(
            replace(ticket_view(ticket), state=decision.state),
            self._context.connection_of(ticket),
            self._context.company_of(ticket),
        )
        acts = any(not isinstance(each, Listen) for each in decision.actions)
        if acts or state != ticket.bot_state or chatbot != ticket.chatbot:
            ticket.bot_state, ticket.chatbot = state, chatbot
            self._result.changed[ticket.pk] = ticket

    def end(
        self, ticket: Ticket, reason: str, *, error: str = "", cause: Reason = NO_REASON
    ) -> None:
        """End what the bot does; see `end_bot`."""
        was_leading = ticket.chatbot or ticket.use_integration
        ticket.bot_state = BotState.of(ticket.bot_state).taken_over().as_json()
        ticket.chatbot = False
        self._stop_flow(ticket)
        self._result.changed[ticket.pk] = ticket
        if reason and was_leading:
            detail = {"reason": reason}
            if error:
                detail |= {"error": error, **cause.on_wire()}
            self._add_activity(ticket, TicketActivityKind.BOT_ENDED, detail)

    def store(self) -> ExecutionResult:
        """Write replies, activities and turns, and wake the workers for them."""
        result = self._result
        if self._stopped:
            _forget_automation(self._stopped)
        tagged = self._set_tags()
        if self._values:
            store_given_values(self._values)
        result.replies = self._writer.store()
        if result.replies:
            wake("tickets.deliver")
        if self._activities:
            TicketActivity.objects.bulk_create(activity for activity, _ in self._activities)
        for activity, before in self._activities:
            ticket = activity.ticket
            has_other_tags = tagged.pop(ticket.pk, None) is not None
            result.moved.append(
                OpenedTicket(ticket, ticket.status, before, activity, has_other_tags)
            )
        result.moved += [
            OpenedTicket(each, each.status, ticket_audiences(each), has_other_tags=True)
            for each in tagged.values()
        ]
        self._store_pauses()
        if self._turns:
            BotTurn.objects.bulk_create(self._turns, ignore_conflicts=True)
            wake("tickets.take_turns")
        return result

    def _set_tags(self) -> dict[int, Ticket]:
        """Write the tags; returns the tickets whose tags changed, by id."""
        if not self._tags:
            return {}
        changed = set_tags([(ticket.pk, tag_id) for ticket, tag_id in self._tags])
        return {ticket.pk: ticket for ticket, _ in self._tags if ticket.pk in changed}

    def _is_hasty(self, message: Message, menu_at: datetime | None) -> bool:
        """Tell whether a message was written before the contact could have read the last menu."""
        if menu_at is None:
            return False
        written_at = message.sent_at
        return menu_at >= self._began_at or (
            written_at is not None and written_at + SECOND <= menu_at
        )

    def _do(
        self, ticket: Ticket, action: Action, message: Message | None, payload: dict[str, Any]
    ) -> None:
        match action:
            case Say(text=text, file=file, origin=origin):
                self._writer.say(ticket, text, file, origin=origin)
            case Ask():
                self._writer.ask(ticket, action)
            case AskForm():
                self._writer.ask_form(ticket, action)
            case MoveToQueue(queue_id=queue_id, by=by):
                self._move(ticket, self._context.queues[int(queue_id)], by)
            case SetTag(tag_id=tag_id):
                self._tags.append((ticket, tag_id))
            case SaveValue(kind=kind, field=field_name, value=value):
                given = GivenValue(ticket.contact, kind, field_name, value)
                self._values.append(given)
                # Texts later in the same decision may use the new value.
                given.fill_own()
            case StartIntegration(integration_id=integration_id):
                ticket.use_integration, ticket.prompt_id = True, None
                ticket.integration_id = integration_id
                self._add_turn(ticket, TurnKind.INTEGRATION, message, payload)
            case StartPrompt(prompt_id=prompt_id):
                ticket.use_integration, ticket.integration_id = False, None
                ticket.prompt_id = prompt_id
                self._add_turn(ticket, TurnKind.PROMPT, message, payload)
            case Listen() if message is not None:
                self._listen(ticket, message, payload)
            case StopFlow():
                self._stop_flow(ticket)
            case EndBot(reason=reason, error=error, cause=cause):
                self.end(ticket, reason, error=error, cause=cause)

    def _stop_flow(self, ticket: Ticket) -> None:
        ticket.use_integration = False
        ticket.integration_id = ticket.prompt_id = None
        self._stopped.add(ticket.pk)
        self._turns = [turn for turn in self._turns if turn.ticket_id != ticket.pk]

    def _listen(self, ticket: Ticket, message: Message, payload: dict[str, Any]) -> None:
        connection = ticket.connection
        # Delivery times vary, so the wait is a second longer than the setting. A contact who writes
        # every three seconds would otherwise count as quiet after three.
        quiet = timedelta(seconds=connection.bot_quiet_seconds if connection else 0) + SECOND
        known = self._pauses.get(ticket.pk)
        first = known[0].first_message if known else message
        pause = BotPause(
            company_id=ticket.company_id,
            ticket=ticket,
            first_message=first,
            payload=payload,
            next_attempt_at=timezone.now() + quiet,
        )
        self._pauses[ticket.pk] = (pause, quiet)

    def _store_pauses(self) -> None:
        """Replace the pauses of contacts who go on writing, keeping the first message."""
        if not (self._pauses or self._forget_pauses):
            return
        rows = BotPause.objects.filter(ticket__in={*self._pauses, *self._forget_pauses})
        begun = dict(rows.unfinished().values_list("ticket_id", "first_message_id"))
        rows.delete()
        for ticket_id, (pause, _) in self._pauses.items():
            if ticket_id not in self._forget_pauses:
                pause.first_message_id = begun.get(ticket_id, pause.first_message_id)
        BotPause.objects.bulk_create(pause for pause, _ in self._pauses.values())
        for quiet in {quiet for _, quiet in self._pauses.values()}:
            wake("tickets.end_pauses", after=quiet.total_seconds())

    def _move(self, ticket: Ticket, queue: Queue, by: str) -> None:
        before = ticket_audiences(ticket)
        ticket.queue = queue
        ticket.updated_at = timezone.now()
        # A connection's only queue is assigned without an activity (rules/bot §2).
        if by != "single":
            detail = {"queue": queue.name, "by": by}
            self._add_activity(ticket, TicketActivityKind.QUEUED, detail, before)

    def _add_activity(
        self,
        ticket: Ticket,
        kind: str,
        detail: dict[str, Any],
        audiences_before: list[str] | None = None,
    ) -> None:
        activity = TicketActivity(
            ticket=ticket, kind=kind, detail=detail, created_at=timezone.now()
        )
        self._activities.append((activity, audiences_before or ticket_audiences(ticket)))

    def _add_turn(
        self, ticket: Ticket, kind: str, message: Message | None, payload: dict[str, Any]
    ) -> None:
        if message is None:
            # A timer led the ticket here, so the contact's last message is the one to answer.
            wrote = ticket.messages.filter(from_me=False, is_deleted=False).order_by("-pk")
            latest = wrote.exclude(media_type=MediaType.CALL_LOG)[:LATEST_READ]
            message = next((each for each in latest if not each.is_reserved), None)
        if message is None:
            return
        self._turns.append(
            BotTurn(
                company_id=ticket.company_id,
                ticket=ticket,
                message=message,
                kind=kind,
                integration_id=ticket.integration_id,
                prompt_id=ticket.prompt_id,
                event_id=uuid.uuid4(),
                payload=payload,
            )
        )


def without_texts(decision: Decision, before: BotState) -> Decision:
    """Return the decision without texts and menus, for contacts who may not be written to.

    Its state does not say that they were sent; `before` is the state before the decision.
    """
    kept = tuple(each for each in decision.actions if not isinstance(each, Say | Ask | AskForm))
    state = replace(
        decision.state,
        menu="",
        option_id=None,
        menus_sent=0,
        menu_at=None,
        writing_asked=False,
        answered="",
        closed_period=before.closed_period,
        fallback_told=decision.state.fallback_told and before.fallback_told,
        menu_offered=decision.state.menu_offered and before.menu_offered,
    )
    return Decision(kept, state)


def save(result: ExecutionResult) -> None:
    """Store the tickets that were changed in memory, and emit the events."""
    tickets = list(result.changed.values())
    update_rows(tickets, (*BOT_FIELDS, *LATEST_FIELDS))
    events.messages_received(result.replies, result.moved)
    # The bot may have ended without a word.
    events.tickets_told(tickets, [])


def _forget_automation(ticket_ids: set[int]) -> None:
    IntegrationSession.objects.filter(ticket__in=ticket_ids).delete()
    BotTurn.objects.filter(ticket__in=ticket_ids).unfinished().finish()
