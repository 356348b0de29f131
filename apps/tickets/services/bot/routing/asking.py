"""Handles answers to an option's question (rules/bot §10)."""

from collections.abc import Sequence
from dataclasses import replace

from apps.queues.forms import questions_from
from apps.tickets.bot_states import FORM, NO_MENU, VALUE
from apps.tickets.origins import Origin
from apps.tickets.services.bot.routing.actions import SaveValue, SetTag
from apps.tickets.services.bot.routing.answers import find, only
from apps.tickets.services.bot.routing.choosing import Choosing, Meant
from apps.tickets.services.bot.routing.inputs import (
    TEXTS,
    FormAnswer,
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
        if (form := self._form_among(messages, queue)) is not None:
            self._take_form(form, queue, is_closed=is_closed)
            return
        ways_out: list[Meant | None] = [self._way_out(each, queue) for each in messages]
        way_out = only(ways_out)
        value = ""
        if way_out is None and self._state.menu == VALUE:
            value = value_of(option.asks, messages, self._company.country)
        if value:
            self._take(option, queue, value, messages, is_closed=is_closed)
        elif is_closed:
            return
        elif way_out is not None:
            self._follow(way_out, queue, path)
        elif not any(each.is_wrong for each in messages):
            self._ask_to_write(messages)
        elif self._state.menu == FORM:
            # Who writes instead of opening the form is asked one by one.
            self._ask_apart(option, queue)
        elif self._may_repeat(is_wrong=True):
            self._ask_value(option, ASKED[option.asks].wrong)

    def ask_apart(self) -> None:
        """Ask one by one what was asked in a form, because the contact did not get it."""
        queue, option_id = self.queue_of(self._queue_id), self._state.option_id
        if queue is None or option_id is None or self._state.menu != FORM:
            return
        path = find(queue.options, option_id)
        if path and path[-1].asks in ASKED:
            self._ask_apart(path[-1], queue)
        else:
            self._pass_over(path, queue)

    def _ask_apart(self, option: OptionView, queue: QueueView) -> None:
        if self._is_answered(option) or (option.asks == PHONE and self._has_number):
            self._go_on(option, queue)
        else:
            self._ask_value(option)

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
        return self._state.menu in {VALUE, FORM}

    def _is_stray(self, messages: Sequence[MessageView], queue: QueueView | None) -> bool:
        """Tell whether these are answers to forms only, and none to the one that awaits it.

        Such an answer is kept in the conversation and moves nothing.
        """
        return (
            self._state.menu != NO_MENU
            and bool(messages)
            and all(each.form is not None for each in messages)
            and (queue is None or self._form_among(messages, queue) is None)
        )

    def _form_among(self, messages: Sequence[MessageView], queue: QueueView) -> FormAnswer | None:
        """Return the answer to the form of the question that is asked now; an answered one is
        not answered twice.
        """
        if not self._is_asking or self._state.answered:
            return None
        for form in (each.form for each in messages):
            path = find(queue.options, form.first) if form and form.first is not None else ()
            ids = {each.id for each in questions_from(path[-1])} if path else set()
            if form and self._state.option_id in ids and ids & set(form.values):
                return form
        return None

    def _take_form(self, form: FormAnswer, queue: QueueView, *, is_closed: bool) -> None:
        """Save the valid values of a form at once; ask for the others one by one."""
        path = find(queue.options, form.first) if form.first is not None else ()
        questions = questions_from(path[-1])
        asked = [
            each
            for each in questions
            if each.id in form.values or not (each.asks == PHONE and self._has_number)
        ]
        region = self._company.country
        values = {
            each.id: value_of(each.asks, [MessageView(form.values.get(each.id, ""))], region)
            for each in asked
        }
        tags = [each.tag_id for each in questions[1:] if each.tag_id is not None]
        self._actions += [SetTag(each) for each in tags]
        self._actions += [
            SaveValue(each.asks, each.asks_field, values[each.id])
            for each in asked
            if values[each.id]
        ]
        wrong = next((each for each in asked if not values[each.id]), None)
        if wrong is None:
            self._finish(questions[-1], queue, "Obrigado! Anotei as suas respostas.", is_closed)
            return
        answered = " ".join(str(each) for each, value in values.items() if value)
        self._leave_menu()
        if is_closed:
            # The first message in open hours is answered by the question.
            self._state = replace(self._state, menu=FORM, option_id=path[-1].id)
        else:
            self._ask_value(wrong, ASKED[wrong.asks].wrong)
        self._state = replace(self._state, answered=answered)

    def _finish(self, last: OptionView, queue: QueueView, thanks: str, is_closed: bool) -> None:
        """Thank for an answer, and continue behind its question."""
        if not last.children:
            self._reach(last, thanks, is_told=False)
            return
        self._say(thanks, "answer", Origin.OPTION.of(last.id))
        if is_closed:
            self._put_off_menu(last.id)
        else:
            self._go_on(last, queue)

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
        self._finish(option, queue, thanks, is_closed)
