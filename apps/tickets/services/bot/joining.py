"""What a step of the bot says, as few messages: Meta charges each one (rules/bot §11)."""

from collections.abc import Callable
from dataclasses import replace

from apps.automation.clients.texts import MAX_TEXT
from apps.common.media import StoredMedia
from apps.connections.providers.content import Choice, FormSend, Menu, MenuKind
from apps.queues.forms import SCREEN
from apps.tickets.services.bot.routing import Ask, AskForm, FileView
from apps.tickets.services.bot.routing.menus import BODY_LENGTH
from apps.tickets.services.outbox import (
    FormQuestions,
    Media,
    Text,
    captioned,
    shows_caption,
    texts_of,
)

BotContent = Text | Media | Menu | FormQuestions
BETWEEN = "\n\n"
# Below a question that is too long for the form's own text.
FORM_TEXT = "Responda no formulário:"


def said(words: str, file: FileView | None) -> list[Text | Media]:
    """Return a text, split into as many messages as it needs; an empty text is none.

    The text becomes the file's caption, or a message before the file if WhatsApp shows no caption
    there.
    """
    if file is None:
        return [*texts_of(words)]
    return captioned(StoredMedia(file.path, file.name, file.mime, file.size), words)


def asked(menu: Ask, fill_in: Callable[[str], str]) -> list[Text | Menu]:
    """Return a menu: native if it has choices and its filled-in text fits, else as text.

    A question for the contact's number has WhatsApp's button, if its text fits.
    """
    text = fill_in(menu.text).strip()
    if menu.asks_number and 0 < len(text) <= BODY_LENGTH:
        return [Menu(text, kind=MenuKind.CONTACT_REQUEST)]
    if not menu.choices or not text or len(text) > BODY_LENGTH:
        return [*texts_of(fill_in(menu.fallback or menu.text))]
    choices = tuple(Choice(each.id, each.title, each.description) for each in menu.choices)
    return [Menu(text, choices, menu.as_list)]


def asked_together(wanted: AskForm, fill_in: Callable[[str], str]) -> list[Text | FormQuestions]:
    """Return a form; what is too long for its body is a text before it."""
    text = fill_in(wanted.text).strip()
    is_long = len(text) > BODY_LENGTH
    fields = [
        {"key": each.key, "optionId": each.option_id, "label": each.label} for each in wanted.fields
    ]
    form = FormSend(FORM_TEXT if is_long else text, wanted.flow_id, SCREEN)
    before = texts_of(text) if is_long else []
    return [*before, FormQuestions(form, wanted.first, fields)]


def joined(first: BotContent, second: BotContent) -> BotContent | None:
    """Return two contents as one message with a blank line between them, in their order.

    Returns None for those that stay apart: a text would be too long, or nobody would see it.
    """
    match first, second:
        case Text(), Text() | Menu():
            body = f"{first.body}{BETWEEN}{second.body}"
            longest = BODY_LENGTH if isinstance(second, Menu) else MAX_TEXT
            return replace(second, body=body) if len(body) <= longest else None
        case Text(), FormQuestions():
            body = f"{first.body}{BETWEEN}{second.body}"
            form = replace(second.form, body=body)
            return replace(second, form=form) if len(body) <= BODY_LENGTH else None
        case Text(), Media():
            return _with_caption(second, first.body, _caption_of(second))
        case Media(), Text():
            return _with_caption(first, _caption_of(first), second.body)
        case _:
            return None


def _caption_of(media: Media) -> str:
    # Without a caption the body is the file's name.
    return "" if media.body == media.file.name else media.body


def _with_caption(media: Media, *parts: str) -> Media | None:
    caption = BETWEEN.join(filter(None, parts))
    return replace(media, body=caption) if shows_caption(media, caption) else None
