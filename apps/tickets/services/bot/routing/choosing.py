"""Follows answers to the menu of queues and to a queue's tree of options."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import timedelta

from apps.queues.forms import next_question
from apps.tickets.bot_states import FORM, NO_MENU, OPTIONS, QUEUES, VALUE
from apps.tickets.origins import Origin
from apps.tickets.services.bot.routing.actions import AskedField, AskForm, SetTag
from apps.tickets.services.bot.routing.answers import (
    BACK,
    MAIN,
    OPTION_ID,
    QUEUE_ID,
    asks_for_menu,
    chosen,
    command_of,
    find,
    id_of,
    only,
)
from apps.tickets.services.bot.routing.arriving import Arriving
from apps.tickets.services.bot.routing.inputs import FileView, MessageView, OptionView, QueueView
from apps.tickets.services.bot.routing.menus import WAYS_BACK, Front, entries_of, menu_of
from apps.tickets.services.bot.routing.together import first_place, together_from
from apps.tickets.services.bot.routing.values import ASKED, PHONE

# The text of a leaf without a message, before its target queue answers.
LEAF_MESSAGE = "Certo! Um momento, por favor."

# A contact who asks for the main menu this often without choosing is probably an automatic answer
# to our menu. The limit ends the loop.
MOST_ASKED = 5

# A menu command ('0' or '#'), a queue or an option.
Meant = str | QueueView | OptionView


class Choosing(Arriving):
    """Adds the reading of answers to the decision.

    A message makes at most one choice, and the ticket visits at most two queues: its own and the
    chosen one. Queues that lead to each other therefore cause no loop.
    """

    def _answer_menu(self, messages: Sequence[MessageView], queue: QueueView | None) -> None:
        if self._is_choosing:
            self._answer_queues(messages)
        elif queue is not None:
            self._answer_options(messages, queue)
        elif (self._queue_id is None or self._state.placed) and self._has_main_menu():
            # The contact may answer before the menu is sent, but not with the first message.
            known = only(chosen(each, self._connection.queues, QUEUE_ID) for each in messages[1:])
            if known is not None:
                self._choose_queue(known)
            else:
                self._ask_queues()
        else:
            self._leave_menu()

    @property
    def front(self) -> Front:
        """What awaits an answer of the contact, who has been shown it."""
        state = self._state
        if state.ended or not state.menus_sent:
            return Front()
        if self._is_choosing:
            return Front(entries=entries_of(self._connection.queues))
        queue = self.queue_of(self._queue_id)
        if queue is None or self._automation_of(queue) is not None:
            return Front()
        node = self._left_node(queue)
        if state.menu in {VALUE, FORM} and node is not None:
            return Front(queue.id, node.id, asks=node.asks)
        if state.menu != OPTIONS or (node is None and state.option_id is not None):
            return Front()
        shown = node.children if node else queue.options
        return Front(queue.id, state.option_id, entries=entries_of(shown))

    def named(self, message: MessageView) -> QueueView | OptionView | None:
        """Return the entry that a message names in the menu that awaits an answer."""
        if self._is_choosing:
            return chosen(message, self._connection.queues, QUEUE_ID)
        queue = self.queue_of(self._queue_id)
        if queue is None or self._state.menu != OPTIONS:
            return None
        meant = self._meaning(message, queue, self._left_node(queue))
        return None if isinstance(meant, str) else meant

    def _answer_queues(self, messages: Sequence[MessageView]) -> None:
        queue = only(chosen(each, self._connection.queues, QUEUE_ID) for each in messages)
        if queue is not None:
            self._choose_queue(queue)
        elif self._press_older_option(messages):
            return
        elif self._asks_for_menu([each for each in messages if not each.is_hasty]):
            # A request for the menu is not a wrong answer.
            if self._may_ask():
                self._leave_menu()
                self._ask_queues()
            else:
                self._leave_at_limit()
        elif self._may_repeat(any(each.is_wrong for each in messages)):
            self._ask_queues()

    def _press_older_option(self, messages: Sequence[MessageView]) -> bool:
        """Follow the button of an option that the contact left for the menu of queues."""
        queue = None if self._state.placed else self.queue_of(self._queue_id)
        if queue is None or self._automation_of(queue) is not None:
            return False
        pressed = (id_of(each.choice_id, OPTION_ID) for each in messages)
        option = only(_by_id(queue.options, each) for each in pressed if each)
        if option is None:
            return False
        if not self._tell_closed(queue):
            self._choose_option(option, queue)
        return True

    def _asks_for_menu(self, messages: Sequence[MessageView]) -> bool:
        return self._state.menu_offered and any(asks_for_menu(each) for each in messages)

    def _answers_left_menu(self, messages: Sequence[MessageView], queue: QueueView | None) -> bool:
        """Tell whether this is a valid answer to the menu at whose limit the bot ended."""
        if self._state.left_menu == QUEUES:
            queue = only(chosen(each, self._connection.queues, QUEUE_ID) for each in messages)
            return queue is not None and self._has_main_menu()
        if self._state.left_menu != OPTIONS or queue is None:
            return False
        node = self._left_node(queue)
        meanings: list[Meant | None] = [self._meaning(each, queue, node) for each in messages]
        meant = only(meanings)
        # The commands '0' and '#' count only up to the limit for menu requests.
        is_way_back = isinstance(meant, str)
        return meant is not None and not (is_way_back and self._state.menus_asked >= MOST_ASKED)

    def _left_node(self, queue: QueueView) -> OptionView | None:
        option_id = self._state.option_id
        path = find(queue.options, option_id) if option_id is not None else ()
        return path[-1] if path else None

    def _go_on_at_left_menu(self, messages: Sequence[MessageView], queue: QueueView | None) -> None:
        """Let the bot continue at the menu at whose limit it ended."""
        self._state = replace(
            self._state,
            ended=False,
            menu=self._state.left_menu,
            left_menu=NO_MENU,
            menus_sent=1,
            placed=False,
        )
        self._answer_menu(messages, queue)

    def _return_to_menu(self, queue: QueueView | None) -> None:
        """Start again at the menu, if there is one, after the bot has ended."""
        has_queues = self._leads_by_main_menu()
        if has_queues or (queue is not None and queue.options):
            self._state = replace(self._state, ended=False)
            self._leave_menu()
        if has_queues:
            self._ask_queues()
        elif queue is not None and queue.options:
            self._ask_options(queue)

    def _may_ask(self) -> bool:
        """Count a request for the main menu, and tell whether it is within the limit."""
        self._state = replace(self._state, menus_asked=self._state.menus_asked + 1)
        return self._state.menus_asked <= MOST_ASKED

    def _choose_queue(self, queue: QueueView) -> None:
        self._state = replace(self._state, menus_asked=0)
        self._leave_menu()
        self.arrive(queue, "menu")

    def _answer_options(self, messages: Sequence[MessageView], queue: QueueView) -> None:
        if not queue.options:
            self._leave_menu()
            return
        if self._state.menu != OPTIONS:
            self._ask_options(queue)
            return
        option_id = self._state.option_id
        path = find(queue.options, option_id) if option_id is not None else ()
        if option_id is not None and not (path and path[-1].children):
            # The option was deleted or has no children any more, so the answer does not fit the
            # menu that is shown now.
            self._show(queue, path[-2] if len(path) > 1 else None)
            return
        node = path[-1] if path else None
        is_shown = self._state.menus_sent > 0
        meanings: list[Meant | None] = [
            self._meaning(each, queue, node) if is_shown else self._way_out(each, queue)
            for each in messages
        ]
        meant = only(meanings)
        if meant is not None:
            self._follow(meant, queue, path)
        elif not is_shown and node is not None:
            self._go_on(node, queue)
        elif not is_shown:
            self._show(queue, None)
        elif self._may_repeat(any(each.is_wrong for each in messages)):
            self._show(queue, node, repeated=True)

    def _follow(self, meant: object, queue: QueueView, path: Sequence[OptionView]) -> None:
        """Follow a menu command, a queue or an option."""
        if isinstance(meant, str):
            self._go_back(meant, queue, path)
        elif isinstance(meant, QueueView):
            self._choose_queue(meant)
        elif isinstance(meant, OptionView):
            self._choose_option(meant, queue)

    def _meaning(
        self, message: MessageView, queue: QueueView, node: OptionView | None
    ) -> Meant | None:
        """Return the menu command, the queue or the option that a message names."""
        command = command_of(message)
        if command and (node is not None or self._has_main_menu()):
            return command
        if (pressed := self._pressed(message, queue)) is not None:
            return pressed
        option = chosen(message, node.children if node else queue.options, OPTION_ID)
        return MAIN if option is None and asks_for_menu(message) else option

    def _way_out(self, message: MessageView, queue: QueueView) -> Meant | None:
        """Return what a message names without a menu: a menu command, a pressed queue or option."""
        if command := command_of(message):
            return command
        pressed = self._pressed(message, queue)
        return MAIN if pressed is None and asks_for_menu(message) else pressed

    def _pressed(self, message: MessageView, queue: QueueView) -> QueueView | OptionView | None:
        """Return the queue or option of a pressed button; buttons of older menus stay valid."""
        wanted = id_of(message.choice_id, QUEUE_ID)
        if wanted and self._has_main_menu():
            for other in self._connection.queues:
                if str(other.id) == wanted:
                    return other
        wanted = id_of(message.choice_id, OPTION_ID)
        return _by_id(queue.options, wanted) if wanted else None

    def _go_back(self, command: str, queue: QueueView, path: Sequence[OptionView]) -> None:
        if command == BACK and path:
            # Questions that are asked together are left together.
            place = first_place(path)
            above = path[: len(path) - 1 if place is None else place]
            self._show(queue, above[-1] if above else None)
        elif not self._may_ask():
            self._leave_at_limit()
        elif self._has_main_menu():
            self._leave_menu()
            self._ask_queues()
        else:
            self._show(queue, None)

    def _choose_option(
        self, option: OptionView, queue: QueueView, *, in_turn: bool = False
    ) -> None:
        """Do what an option does; `in_turn`: it is one of several questions, asked one by one."""
        self._state = replace(self._state, menus_asked=0)
        if option.tag_id is not None:
            self._actions.append(SetTag(option.tag_id))
        if not in_turn:
            self._state = replace(self._state, answered="")
            if self._ask_form(option):
                return
        if option.asks == PHONE and self._has_number:
            self._go_on(option, queue)
            return
        if option.asks not in ASKED and not option.children:
            self._reach(option, option.message.strip(), file=option.file)
            return
        # A menu cannot carry a file, so the file is sent first.
        self._say("", "answer", Origin.OPTION.of(option.id), option.file)
        if option.asks in ASKED:
            self._ask_value(option)
        else:
            self._show(queue, option)

    def _go_on(self, option: OptionView, queue: QueueView) -> None:
        """Continue behind an option: with the next of several questions, its children, its queue.

        What a form has answered is not asked again.
        """
        path = find(queue.options, option.id)
        following = next_question(option) if first_place(path) is not None else None
        if following is not None and self._is_answered(following):
            self._go_on(following, queue)
        elif following is not None:
            self._choose_option(following, queue, in_turn=True)
        elif option.children:
            self._show(queue, option)
        else:
            self._reach(option, "")

    def _is_answered(self, option: OptionView) -> bool:
        return str(option.id) in self._state.answered.split()

    def _ask_form(self, option: OptionView) -> bool:
        """Ask the questions from an option on in one form; tell whether there is a published one.

        The text is the first question, with the ways back.
        """
        asked = together_from(option, has_number=self._has_number)
        flow_id = self._connection.forms.get(asked.form.digest, "") if asked else ""
        if asked is None or not flow_id:
            return False
        origin = Origin.OPTION.of(option.id)
        self._say("", "answer", origin, option.file)
        question = option.message.strip() or ASKED[option.asks].question
        ways = [f"*{each}* - {WAYS_BACK[each]}" for each in (BACK, MAIN)]
        fields = tuple(
            AskedField(shown.key, each.id, each.title)
            for shown, each in zip(asked.form.fields, asked.questions, strict=True)
        )
        text = "\n".join([f"{question}\n", *ways])
        self._actions.append(AskForm(text, flow_id, option.id, fields, origin))
        self._note_menu(FORM, option.id, repeated=False)
        return True

    def _reach(
        self,
        leaf: OptionView,
        words: str,
        *,
        file: FileView | None = None,
        is_told: bool | None = None,
    ) -> None:
        """Send a leaf's text and go to its target queue, or to a person.

        `is_told`: the text says who answers next. By default any text counts as that.
        """
        self._leave_menu()
        origin = Origin.OPTION.of(leaf.id)
        target = self.queue_of(leaf.redirection_queue_id)
        if target is None:
            self._say(words, "answer", origin, file)
            self.leave("leaf", is_told=bool(words) if is_told is None else is_told)
        else:
            self._say(words or LEAF_MESSAGE, "answer", origin, file)
            self.arrive(target, "option")

    def _ask_value(self, option: OptionView, wrong: str = "") -> None:
        """Ask an option's question, after the sentence about a wrong answer."""
        question = option.message.strip() or ASKED[option.asks].question
        ask = menu_of(
            f"{wrong}\n\n{question}".strip(),
            (),
            back=[BACK, MAIN],
            connection=self._connection,
            company=self._company,
            origin=Origin.OPTION.of(option.id),
        )
        if option.asks == PHONE and self._connection.native_menus:
            # WhatsApp shows one button alone, so the ways back are lines of the text.
            ask = replace(ask, text=ask.fallback or ask.text, choices=(), asks_number=True)
        self._actions.append(ask)
        self._note_menu(VALUE, option.id, repeated=bool(wrong))

    def _may_repeat(self, is_wrong: bool) -> bool:
        """Tell whether to repeat the menu after a wrong answer; at the limit the bot ends."""
        if not is_wrong:
            return False
        state, connection = self._state, self._connection
        silent = timedelta(minutes=connection.interval_minutes)
        if state.menu_at is not None and self._now - state.menu_at < silent:
            return False
        if connection.max_menus and state.menus_sent >= connection.max_menus:
            self._leave_at_limit()
            return False
        return True

    def _leave_at_limit(self) -> None:
        """End the bot, but remember the menu: a valid answer to it still counts.

        A question is not remembered, because almost any later text would be a valid answer to it.
        """
        menu, option_id = self._state.menu, self._state.option_id
        self.leave("limit")
        if menu != VALUE:
            self._state = replace(self._state, left_menu=menu, option_id=option_id)


def _by_id(options: Sequence[OptionView], wanted: str) -> OptionView | None:
    """Return the option with this id (as text, from a choice id) anywhere in the tree."""
    for option in options:
        if str(option.id) == wanted:
            return option
        if (below := _by_id(option.children, wanted)) is not None:
            return below
    return None
