"""Handles answers to an option's question (rules/bot §10)."""

from collections.abc import Sequence
from dataclasses import replace

from apps.tickets.bot_states import VALUE
from apps.tickets.origins import Origin
from apps.tickets.services.bot.routing.actions import SaveValue
from apps.tickets.services.bot.routing.answers import find, only
from apps.tickets.services.bot.routing.choosing import Choosing, Meant
from apps.tickets.services.bot.routing.inputs import (
    TEXTS,
    MessageView,
    OptionView,
    QueueView,
)
from apps.tickets.services.bot.routing.values import (
    ASKED,
    MEDIA_IS_NO_VALUE,
    PHONE,
    TEXT,
    shared_number,
    value_of,
)

STICKER, AUDIO = "sticker", "audio"


class Asking(Choosing):
    """Adds the question for a value of the contact's record to the decision."""

    def _answer_question(
        self, messages: Sequence[MessageView], queue: QueueView, *, is_closed: bool = False
    ) -> None:
        """Take the value, ask again after a wrong one, or follow a menu command.

        While closed, a valid value is still taken, but nothing more is asked.
        """
        option_id = self._state.option_id
        path = find(queue.options, option_id) if option_id is not None else ()
        if not path or path[-1].asks not in ASKED:
            if not is_closed:
                self._pass_over(path, queue)
            return
        option = path[-1]
        ways_out: list[Meant | None] = [self._way_out(each, queue) for each in messages]
        way_out = only(ways_out)
        value = ""
        if way_out is None:
            value = value_of(option.asks, messages, self._company.country)
        if value:
            self._take(option, queue, value, messages, is_closed=is_closed)
        elif is_closed:
            return
        elif way_out is not None:
            self._follow(way_out, queue, path)
        elif not any(each.is_wrong for each in messages):
            self._ask_to_write(messages)
        elif self._may_repeat(is_wrong=True):
            self._ask_value(option, ASKED[option.asks].wrong)

    def _ask_to_write(self, messages: Sequence[MessageView]) -> None:
        """Say, once for each question, that media do not answer it.

        Media are not wrong answers either. Audio may have had its own notice already.
        """
        told = {STICKER, AUDIO} if self._company.alert_audio else {STICKER}
        shown = [each for each in messages if not each.is_hasty and each.media_type not in TEXTS]
        if self._state.writing_asked or all(each.media_type in told for each in shown):
            return
        self._state = replace(self._state, writing_asked=True)
        self._say(MEDIA_IS_NO_VALUE, "answer", Origin.OPTION.of(self._state.option_id))

    @property
    def _is_asking(self) -> bool:
        return self._state.menu == VALUE

    def _pass_over(self, path: Sequence[OptionView], queue: QueueView) -> None:
        """Continue when the option was deleted or no longer asks, without reading a value."""
        self._leave_menu()
        if not queue.options:
            return
        above = path[-2] if len(path) > 1 else None
        self._show(queue, path[-1] if path and path[-1].children else above)

    def _take(
        self,
        option: OptionView,
        queue: QueueView,
        value: str,
        messages: Sequence[MessageView],
        *,
        is_closed: bool,
    ) -> None:
        # A number that the contact shared is the contact's already (rules/contacts §3).
        if option.asks_field or not (option.asks == PHONE and shared_number(messages)):
            self._actions.append(SaveValue(option.asks, option.asks_field, value))
        # A free text may be long, or contain our template variables, so it is not repeated.
        thanks = "Obrigado! Anotei." if option.asks == TEXT else f"Obrigado! Anotei: {value}"
        if not option.children:
            self._reach(option, thanks, is_told=False)
            return
        self._say(thanks, "answer", Origin.OPTION.of(option.id))
        if is_closed:
            self._put_off_menu(option.id)
        else:
            self._show(queue, option)
