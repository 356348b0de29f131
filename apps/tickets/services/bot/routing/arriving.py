"""Receives a ticket in a queue: by a menu, an integration or prompt, or a greeting."""

from apps.tickets.bot_states import OPTIONS, QUEUES
from apps.tickets.origins import Origin
from apps.tickets.services.bot.routing.actions import StartIntegration, StartPrompt
from apps.tickets.services.bot.routing.answers import BACK, MAIN
from apps.tickets.services.bot.routing.inputs import OptionView, QueueView
from apps.tickets.services.bot.routing.leaving import Leaving
from apps.tickets.services.bot.routing.menus import DEFAULT_TEXT, menu_of

NOT_UNDERSTOOD = "Não entendi."

# A ticket that came into a queue in one of these ways waits for a person.
HANDED_OVER_BY = frozenset({"keyword", "integration", "prompt"})


class Arriving(Leaving):
    """Adds the arrival in a queue to the decision."""

    def arrive(self, queue: QueueView, by: str) -> None:
        """Move the ticket to a queue, and do what the queue does on arrival."""
        moved = self._move(queue, by)
        if by in HANDED_OVER_BY:
            self._end("handed_over")
        if self._tell_closed(queue):
            return
        if self._state.ended:
            # A contact who was in this queue already needs no second greeting.
            if moved or by == "keyword":
                self._greet_or_fall_back(queue)
        elif (automation := self._automation_of(queue)) is not None:
            self._actions.append(automation)
            self._leave_menu()
        elif queue.options:
            self._ask_options(queue)
        elif self._state.menu_offered or by == "timer":
            self._say(queue.greeting, "greeting", Origin.GREETING.of(queue.id))
        else:
            # The contact named the queue before any menu was sent, so nothing has been said yet.
            self._greet_or_fall_back(queue)

    def _greet_or_fall_back(self, queue: QueueView) -> None:
        if queue.greeting.strip():
            self._say(queue.greeting, "greeting", Origin.GREETING.of(queue.id))
        else:
            self._say_fallback(queue, is_closed=False)

    def _automation_of(self, queue: QueueView | None) -> StartIntegration | StartPrompt | None:
        """Return the integration or prompt that answers here.

        A queue's integration precedes the connection's; a connection's prompt precedes the queue's
        (rules/automation §1).
        """
        integration_id = (queue and queue.integration_id) or self._connection.integration_id
        prompt_id = self._connection.prompt_id or (queue and queue.prompt_id)
        if integration_id:
            return StartIntegration(integration_id)
        return StartPrompt(prompt_id) if prompt_id else None

    @property
    def _is_choosing(self) -> bool:
        return self._state.menu == QUEUES and self._has_main_menu()

    def _has_main_menu(self) -> bool:
        return len(self._connection.queues) > 1

    def _leads_by_main_menu(self) -> bool:
        """Tell whether the connection has a menu of queues and no integration or prompt."""
        return self._has_main_menu() and self._automation_of(None) is None

    def _ask_queues(self) -> None:
        repeated = self._state.menu == QUEUES
        # A menu that was never sent, after a change of the configuration, has its greeting.
        is_known = repeated and self._state.menus_sent > 0
        self._actions.append(
            menu_of(
                f"{NOT_UNDERSTOOD} {DEFAULT_TEXT}" if is_known else self._connection.greeting,
                self._connection.queues,
                connection=self._connection,
                company=self._company,
                origin=Origin.MENU,
            )
        )
        self._note_menu(QUEUES, None, repeated=repeated)

    def _ask_options(self, queue: QueueView) -> None:
        self._show(queue, None)

    def _show(self, queue: QueueView, node: OptionView | None, *, repeated: bool = False) -> None:
        """Send the menu below an option, or the queue's first one.

        `repeated`: after a wrong answer. The menu then has no greeting, but keeps the message of an
        option, which its entries answer.
        """
        if node is not None:
            # The message of an option that asks is its question, which was answered already.
            text = node.title if node.asks else node.message or node.title
            text = f"{NOT_UNDERSTOOD}\n\n{text}" if repeated else text
            entries, back = node.children, [BACK, MAIN]
            origin = Origin.OPTION.of(node.id)
        else:
            text = f"{NOT_UNDERSTOOD} {DEFAULT_TEXT}" if repeated else queue.greeting
            entries = queue.options
            back = [MAIN] if self._has_main_menu() else []
            origin = Origin.QUEUE.of(queue.id)
        self._actions.append(
            menu_of(
                text,
                entries,
                back=back,
                connection=self._connection,
                company=self._company,
                origin=origin,
            )
        )
        self._note_menu(OPTIONS, node.id if node else None, repeated=repeated)
