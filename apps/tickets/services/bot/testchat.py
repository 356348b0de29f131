"""The test chat: a conversation with the bot of a queue that is still being edited.

It starts with the menu of a connection that has the queue. If that connection has no other queue,
or no connection has this one yet, it starts in the queue itself. Nothing is stored: the browser
holds the state. The decisions come from the same functions as real ones.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from functools import partial
from typing import Any

from django.utils.functional import cached_property

from apps.accounts.models import User
from apps.automation.models import Prompt, QueueIntegration
from apps.common.errors import InvalidInput
from apps.connections.capabilities import capabilities_of_kind
from apps.connections.models import Connection
from apps.connections.providers.content import Menu
from apps.queues.models import Queue
from apps.tickets.bot_states import FORM, VALUE, BotState, Id
from apps.tickets.models import Ticket
from apps.tickets.services.bot.context import load_context, own_queue_id, rules_of
from apps.tickets.services.bot.joining import BotContent, asked, asked_together, joined, said
from apps.tickets.services.bot.queue_drafts import (
    DRAFT,
    QueueDraft,
    in_place,
    published_forms,
    targets_of,
    view_of,
)
from apps.tickets.services.bot.routing import (
    Ask,
    AskForm,
    CompanyView,
    ConnectionView,
    Decision,
    EndBot,
    FileView,
    MessageView,
    MoveToQueue,
    QueueView,
    SaveValue,
    Say,
    SetTag,
    StartIntegration,
    StartPrompt,
    TicketView,
    answered,
    closed_period,
    decide,
    enter,
    leads,
    leave,
)
from apps.tickets.services.bot.routing.answers import OPTION_ID, chosen, find
from apps.tickets.services.bot.routing.together import together_from
from apps.tickets.services.outbox import FormQuestions, Media
from apps.tickets.services.outbox.variables import render, variables_for

PROTOCOL_NUMBER = 1
# The contact chose the draft in the menu, so the move needs no effect of its own.
CHOSEN = (DRAFT, "menu")
# Ways into a queue that the contact did not choose. The effect names them as its reason.
TOLD_WAYS = frozenset({"single", "fallback", "closed"})


def answer_draft(
    *,
    actor: User,
    draft: QueueDraft,
    queue_id: int | None,
    state: Mapping[str, Any] | None,
    message: MessageView,
    now: datetime,
) -> dict[str, Any]:
    """Return what the bot would do with a message, in the shape of `TestChatAnswerSerializer`.

    Without a `state` the message counts as the contact's first one. `queue_id` is the saved queue
    that the draft edits; raises InvalidInput if the company has no such queue. The contact has the
    actor's name.
    """
    if queue_id is not None and not (
        Queue.objects.for_company(actor.company_id).filter(pk=queue_id).exists()
    ):
        sentence = "Esta fila não existe."
        raise InvalidInput(sentence, fields={"queueId": [sentence]}, rule="does_not_exist")
    return _TestChat(actor, draft, queue_id, now).answer(state, message)


class _TestChat:
    def __init__(self, actor: User, draft: QueueDraft, queue_id: int | None, now: datetime) -> None:
        self._actor = actor
        self._now = now
        self._saved_id = queue_id
        self._draft_order = draft.order
        self._targets = targets_of(draft.options)
        self._queue = view_of(draft, actor.company.plan)
        self._forms = published_forms(draft.options)

    def answer(self, state: Mapping[str, Any] | None, message: MessageView) -> dict[str, Any]:
        """Decide, and return the result in wire format."""
        queue_id, before = _read(state)
        connection, company, is_led_here = self._context(queue_id)
        ticket = TicketView(queue_id=queue_id, state=before)
        if state is None and not is_led_here:
            decision = enter(DRAFT, TicketView(), connection, company, self._now, by="menu")
            ticket = TicketView(queue_id=DRAFT)
        else:
            # A cycle begins with the first message, and the bot leads it.
            is_led = state is None or leads(ticket, connection, company)
            decided = partial(decide, message)
            decision, stands = answered(
                decided, ticket, connection, company, self._now, is_led=is_led
            )
            decision = replace(decision, state=stands)
        stops = [each.queue_id for each in decision.actions if isinstance(each, MoveToQueue)]
        after = replace(
            ticket, queue_id=stops[-1] if stops else ticket.queue_id, state=decision.state
        )
        return {
            "messages": self._messages(decision, company),
            "state": {"queue": after.queue_id, **decision.state.as_json()},
            "effects": self._effects(decision, ticket, after, connection, company),
            "optionId": self._place(decision, ticket, after, message),
            "menuType": company.menu_type if connection.native_menus else "text",
        }

    def _context(self, queue_id: Id | None) -> tuple[ConnectionView, CompanyView, bool]:
        """Read the company as the bot does, with the draft in place of the saved queue.

        The last value tells whether the connection has the saved queue.
        """
        company_id = self._actor.company_id
        connection = self._connection
        in_reach = [each for each in (queue_id, *self._targets) if isinstance(each, int)]
        tickets = [
            Ticket(company_id=company_id, connection=connection, queue_id=each)
            for each in (None, *in_reach)
        ]
        context = load_context(tickets, rules_of([company_id]))
        company = context.company_of(tickets[0])
        queues: dict[Id, QueueView] = {**company.queues, DRAFT: self._queue}
        if self._saved_id is not None:
            # References to the saved queue lead to the draft.
            queues[self._saved_id] = self._queue
        company = replace(company, queues=queues)
        # The test chat repeats a menu without waiting.
        view = replace(
            context.connection_of(tickets[0]),
            interval_minutes=0,
            forms=self._forms if self._has_forms else {},
        )
        if self._saved_id in {each.id for each in view.queues}:
            orders = {pk: each.order for pk, each in context.queues.items()}
            shown = in_place(view.queues, self._queue, self._saved_id, orders, self._draft_order)
            return replace(view, queues=shown), company, True
        # No connection has the queue, so it is tried alone. A connection's own integration or
        # prompt would answer in its place.
        alone = replace(
            view, queues=(self._queue,), keyword="", integration_id=None, prompt_id=None
        )
        return alone, company, False

    @property
    def _has_forms(self) -> bool:
        """Tell whether the connection can show forms; the test takes them for published."""
        connection = self._connection
        return connection is not None and capabilities_of_kind(connection.provider).forms

    @cached_property
    def _connection(self) -> Connection | None:
        """Return a connection that has the queue, else the default one, for its settings."""
        connections = Connection.objects.for_company(self._actor.company_id)
        leading = connections.filter(queues=self._saved_id) if self._saved_id else None
        found = leading.order_by("-is_default", "pk").first() if leading is not None else None
        return found or connections.order_by("-is_default", "pk").first()

    def _messages(self, decision: Decision, company: CompanyView) -> list[dict[str, Any]]:
        values = self._values(company)
        joins = (self._connection or Connection()).joins_bot_texts
        shown: list[tuple[BotContent, FileView | None]] = []
        for action in decision.actions:
            file: FileView | None = None
            contents: Sequence[BotContent] = ()
            if isinstance(action, Say):
                file = action.file
                contents = said(render(action.text, values).strip(), file)
            elif isinstance(action, Ask):
                contents = asked(action, lambda text: render(text, values))
            elif isinstance(action, AskForm):
                contents = asked_together(action, lambda text: render(text, values))
            for content in contents:
                whole = joined(shown[-1][0], content) if joins and shown else None
                own = file if isinstance(content, Media) else None
                if whole is None:
                    shown.append((content, own))
                else:
                    shown[-1] = (whole, shown[-1][1] or own)
        return [
            {
                **_shown(content, file),
                "form": self._form(content) if isinstance(content, FormQuestions) else None,
            }
            for content, file in shown
        ]

    def _form(self, asked: FormQuestions) -> dict[str, Any]:
        path = find(self._queue.options, asked.first)
        shown = together_from(path[-1], has_number=False) if path else None
        fields = shown.form.fields if shown else ()
        return {
            "first": str(asked.first),
            "title": shown.form.title if shown else "",
            "questions": [
                {
                    "optionId": str(question["optionId"]),
                    "asks": each.kind,
                    "title": each.label,
                    "text": each.text,
                }
                for question, each in zip(asked.fields, fields, strict=True)
            ],
        }

    def _values(self, company: CompanyView) -> dict[str, str]:
        moment = self._now.astimezone(company.zone)
        return variables_for(
            name=self._actor.name,
            protocol=f"{moment:%Y%m%d}{PROTOCOL_NUMBER:06d}",
            now=moment,
        )

    def _effects(
        self,
        decision: Decision,
        before: TicketView,
        after: TicketView,
        connection: ConnectionView,
        company: CompanyView,
    ) -> list[dict[str, Any]]:
        effects: list[dict[str, Any]] = []
        for action in decision.actions:
            if isinstance(action, MoveToQueue) and (action.queue_id, action.by) != CHOSEN:
                effects.append(self._move_of(action, company))
            elif isinstance(action, SetTag):
                effects += self._tag(action)
            elif isinstance(action, SaveValue):
                effects.append(_value(action))
            elif isinstance(action, StartIntegration | StartPrompt):
                effects += self._answerer(action, after, connection, company)
            elif isinstance(action, EndBot):
                effects.append({"kind": "person", "reason": action.reason})
        if self._is_one_by_one(before, after):
            effects.append({"kind": "one_by_one"})
        if _is_closed(after, company, self._now):
            effects.append({"kind": "closed"})
        elif before.state.ended:
            effects.append({"kind": "person", "reason": "ended"})
        elif not decision.state.ended and not leads(after, connection, company):
            effects.append({"kind": "person", "reason": "no_options"})
        return effects

    def _is_one_by_one(self, before: TicketView, after: TicketView) -> bool:
        """Tell whether questions begin one by one because the number has no forms."""
        option_id, was = after.state.option_id, before.state
        if self._has_forms or after.state.menu != VALUE or option_id is None:
            return False
        path = find(self._queue.options, option_id)
        is_new = (was.menu, was.option_id) != (VALUE, option_id)
        return is_new and bool(path) and together_from(path[-1], has_number=False) is not None

    def _move_of(self, action: MoveToQueue, company: CompanyView) -> dict[str, Any]:
        return {
            "kind": "queue",
            **self._named(action.queue_id, company),
            **({"reason": action.by} if action.by in TOLD_WAYS else {}),
        }

    def _named(self, queue_id: Id | None, company: CompanyView) -> dict[str, Any]:
        """Return the queue for an effect; a queue that is not saved yet has no id."""
        if queue_id is None or queue_id not in company.queues:
            return {}
        queue = company.queues[queue_id]
        saved_id = self._saved_id if queue.id == DRAFT else queue.id
        return {**({"queueId": saved_id} if saved_id is not None else {}), "queueName": queue.name}

    def _tag(self, action: SetTag) -> list[dict[str, Any]]:
        """Return the effect, or none if the company has no such tag."""
        rows = self._actor.company.tags.filter(pk=action.tag_id)
        return [{"kind": "tag", "name": name} for name in rows.values_list("name", flat=True)]

    def _answerer(
        self,
        action: StartIntegration | StartPrompt,
        ticket: TicketView,
        connection: ConnectionView,
        company: CompanyView,
    ) -> list[dict[str, Any]]:
        """Return who answers now, and where the ticket is left at the end (rules/bot §9)."""
        integration: QueueIntegration | None = None
        prompt: Prompt | None = None
        effects: list[dict[str, Any]] = []
        if isinstance(action, StartIntegration):
            flows = QueueIntegration.objects.for_company(self._actor.company_id)
            integration = flows.filter(pk=action.integration_id).first()
            effects.append({"kind": "integration", "name": integration.name if integration else ""})
        else:
            models = Prompt.objects.for_company(self._actor.company_id)
            prompt = models.filter(pk=action.prompt_id).first()
            effects.append({"kind": "prompt", "name": prompt.name if prompt else ""})
        own = own_queue_id(integration, prompt)
        left = leave("failed", ticket, connection, company, self._now, queue_id=own)
        lost = self._left(left, ticket, company)
        if prompt is not None:
            over = enter(prompt.queue_id, ticket, connection, company, self._now, by="prompt")
            handed = self._left(over, ticket, company)
            if handed.get("queueName") != lost.get("queueName"):
                effects.append({**handed, "reason": "handed_over"})
        number = self._connection or Connection()
        effects.append({**lost, "minutes": number.integration_silence_minutes})
        return effects

    def _left(self, decision: Decision, ticket: TicketView, company: CompanyView) -> dict[str, Any]:
        """Return the effect: the queue where the ticket waits, and what the contact is told."""
        moves = [each.queue_id for each in decision.actions if isinstance(each, MoveToQueue)]
        queue_id = moves[-1] if moves else ticket.queue_id
        said = [each.text for each in decision.actions if isinstance(each, Say)]
        values = self._values(company)
        return {
            "kind": "left",
            **self._named(queue_id, company),
            "value": "\n".join(render(each, values) for each in said),
        }

    def _place(
        self, decision: Decision, before: TicketView, after: TicketView, message: MessageView
    ) -> Id | None:
        """Return the draft's option that was reached, even if the bot left it at once."""
        if after.queue_id == DRAFT and decision.state.option_id is not None:
            return decision.state.option_id
        left = any(
            (isinstance(each, MoveToQueue) and each.by == "option")
            or (isinstance(each, EndBot) and each.reason == "leaf")
            for each in decision.actions
        )
        if not left or before.queue_id != DRAFT:
            return None
        path = find(self._queue.options, before.state.option_id or "")
        shown = path[-1].children if path else self._queue.options
        if before.state.menu in {VALUE, FORM} and any(
            isinstance(each, SaveValue) for each in decision.actions
        ):
            return before.state.option_id
        wanted = message.choice_id.removeprefix(OPTION_ID)
        pressed = find(self._queue.options, wanted) if wanted else ()
        leaf = pressed[-1] if pressed else chosen(message, shown, OPTION_ID)
        return leaf.id if leaf else None


def _shown(content: BotContent, file: FileView | None) -> dict[str, Any]:
    """Return a message as the browser shows it; `file` is what a `Media` shows."""
    is_bare = isinstance(content, Media) and content.body == content.file.name
    choices = content.choices if isinstance(content, Menu) else ()
    return {
        "body": "" if is_bare else content.body,
        "choices": [{"id": each.id, "title": each.title} for each in choices],
        "asList": isinstance(content, Menu) and content.as_list,
        "mediaName": file.name if file else "",
        "fileOf": str(file.option_id) if file else "",
    }


def _value(action: SaveValue) -> dict[str, Any]:
    """Return the effect, with the extra field's name or the kind of the contact's own field."""
    return {"kind": "value", "name": action.field, "reason": action.kind, "value": action.value}


def _read(state: Mapping[str, Any] | None) -> tuple[Id | None, BotState]:
    """Parse the state that the browser sent. Invalid values become the defaults."""
    plain = {
        name: value for name, value in (state or {}).items() if type(value) in {str, int, bool}
    }
    queue_id = plain.pop("queue", None)
    is_id = queue_id == DRAFT or (type(queue_id) is int and 0 < queue_id < 2**63)
    return queue_id if is_id else None, BotState.of(plain)


def _is_closed(ticket: TicketView, company: CompanyView, now: datetime) -> bool:
    moment = now.astimezone(company.zone)
    if company.schedule_type == "company":
        return bool(closed_period(company.schedules, moment, company.days_off))
    queue = company.queues.get(ticket.queue_id) if ticket.queue_id is not None else None
    return (
        company.schedule_type == "queue"
        and queue is not None
        and bool(closed_period(queue.schedules, moment, company.days_off))
    )
