"""Which questions are asked together, and what a form's answer says (rules/bot §12)."""

from collections.abc import Sequence
from dataclasses import dataclass

from apps.queues.forms import PHONE, Form, form_of, next_question, questions_from
from apps.tickets.services.bot.routing.inputs import OptionView


@dataclass(frozen=True)
class Together:
    """The questions that one form asks, in order."""

    form: Form
    questions: tuple[OptionView, ...]


def together_from(option: OptionView, *, has_number: bool) -> Together | None:
    """Return the form that begins at an option; None if it asks for nothing together.

    A telephone is not asked for where the contact's number is known.
    """
    if not (option.asks and option.asks_together):
        return None
    questions = tuple(
        each for each in questions_from(option) if not (has_number and each.asks == PHONE)
    )
    form = form_of(questions)
    return Together(form, questions) if form is not None else None


def first_place(path: Sequence[OptionView]) -> int | None:
    """Return the place in a path of the option from which on its last one is asked; None if that
    is asked by itself.
    """
    for place in range(len(path) - 1, -1, -1):
        if not path[place].asks:
            return None
        if path[place].asks_together:
            return place
        above = path[place - 1] if place else None
        if above is None or next_question(above) is None:
            return None
    return None
