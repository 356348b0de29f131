"""Outgoing contents: from a content to its message and payload, and from those to a call of the
provider.

The payload of a delivery holds what the message's row does not. `compose` writes it and `_send`
reads it: a new kind of content is a class and a case in both.
"""

from dataclasses import asdict, dataclass, replace
from typing import Any

from apps.automation.clients.texts import split_text
from apps.common.errors import NotFound
from apps.common.media import StoredMedia, read_media
from apps.common.reasons import ReasonCode
from apps.connections.models import ProviderKind
from apps.connections.providers.base import Provider, ProviderError
from apps.connections.providers.content import (
    CardPhone,
    Choice,
    ContactCard,
    FormSend,
    Location,
    MediaContent,
    Menu,
    MessageKey,
    SendContext,
    SentMessage,
    TemplateSend,
    menu_text,
    shown_menu,
)
from apps.connections.services import send_template
from apps.connections.template_values import Given
from apps.connections.templates import (
    Template,
    body_text,
    graph_components,
    shown_components,
)
from apps.contacts.models import Contact
from apps.tickets.models import Delivery, DeliveryKind, MediaState, MediaType, Message
from apps.tickets.services.outbox.audio import (
    VOICE_MIME,
    UnreadableAudio,
    is_voice_note,
    to_voice_note,
)

# Meta's size limit of animated stickers; a larger WebP file is sent as a document.
MAX_STICKER_SIZE = 500 * 1024
PICTURES = frozenset({"image/jpeg", "image/png"})
VIDEOS = frozenset({"video/mp4", "video/3gpp"})
# WhatsApp shows no caption with these: the text is sent before, as a message of its own.
WITHOUT_CAPTION = frozenset({MediaType.AUDIO, MediaType.STICKER})
MAX_CAPTION = 1024
# The file name that our browsers give a recording.
RECORDING = "audio-record-site"
# Sound that WhatsApp takes as a file. Anything else (what browsers record: webm, ogg) becomes a
# voice note: developers.facebook.com/docs/whatsapp/cloud-api/reference/media.
SOUND_FILES = frozenset({"audio/aac", "audio/amr", "audio/mp4", "audio/mpeg"})
# The key of a form's questions in the data of its message, and the id of the button it shows.
FORM, FORM_CHOICE = "form", "form"
MAX_BUTTONS = 3
BUTTON_TITLE, ROW_TITLE, ROW_DESCRIPTION = 20, 24, 72
NOTHING_SENT = SentMessage(external_id="")
PROVIDER_KINDS: dict[str, str] = {
    MediaType.IMAGE: "image",
    MediaType.AUDIO: "audio",
    MediaType.VIDEO: "video",
    MediaType.STICKER: "sticker",
}


@dataclass(frozen=True)
class Text:
    """A text; `texts_of` splits one that is too long for a message.

    With a `category` it goes outside the 24-hour window (rules/messages §12).
    """

    body: str
    category: str = ""


@dataclass(frozen=True)
class Media:
    """A stored file as `media_of` and `captioned` make it; `body` is its caption, or its name."""

    file: StoredMedia
    body: str
    media_type: str
    is_voice: bool = False
    seconds: float | None = None


@dataclass(frozen=True)
class FilledTemplate:
    """An approved template, what was given for it, and our copy of its header's file."""

    template: Template
    given: Given
    file: StoredMedia | None = None


@dataclass(frozen=True)
class Place:
    """A location; `body` and `data` are what the conversation shows of it."""

    location: Location
    body: str
    data: dict[str, Any]


@dataclass(frozen=True)
class Cards:
    """Contact cards; `body` and `data` are what the conversation shows of them."""

    cards: tuple[ContactCard, ...]
    body: str
    data: dict[str, Any]


@dataclass(frozen=True)
class FormQuestions:
    """A form of the bot's questions: `first` is the option at which it begins, `fields` say for
    each key of the answer its `optionId` and its `label`.
    """

    form: FormSend
    first: int | str
    fields: list[dict[str, Any]]

    @property
    def body(self) -> str:
        return self.form.body


Content = FormQuestions | Text | Media | Menu | FilledTemplate | Place | Cards
Payload = dict[str, Any]


def texts_of(text: str) -> list[Text]:
    """Split a text into messages of the allowed length; an empty list for blanks."""
    return [Text(part) for part in split_text(text)]


def captioned(file: StoredMedia, text: str, *, is_voice: bool = False) -> list[Text | Media]:
    """Return a file with its caption, or the caption as a text before it where WhatsApp would not
    show it.
    """
    media = media_of(file, text, is_voice=is_voice)
    if text and not shows_caption(media, text):
        return [*texts_of(text), replace(media, body=file.name)]
    return [media]


def shows_caption(media: Media, caption: str) -> bool:
    """Tell whether WhatsApp shows the whole text with a file of this kind."""
    return media.media_type not in WITHOUT_CAPTION and len(caption) <= MAX_CAPTION


def media_of(file: StoredMedia, caption: str = "", *, is_voice: bool = False) -> Media:
    """Return a file with its caption, without checking whether WhatsApp shows it.

    Audio is sent as a voice note when the caller says so or our recorder made it.
    """
    media_type = media_type_of(file)
    is_voice = media_type == MediaType.AUDIO and (is_voice or file.name.startswith(RECORDING))
    # Older browsers show a file by its body.
    return Media(file, caption or file.name, media_type, is_voice)


def media_type_of(file: StoredMedia) -> str:
    """Return the media type of a file; types that WhatsApp cannot display are documents."""
    if file.mime in PICTURES:
        return MediaType.IMAGE
    if file.mime == "image/webp" and file.size <= MAX_STICKER_SIZE:
        return MediaType.STICKER
    if file.mime in VIDEOS:
        return MediaType.VIDEO
    return MediaType.AUDIO if file.mime.startswith("audio/") else MediaType.FILE


def compose(content: Content) -> tuple[Message, Payload]:
    """Return the unsaved message that shows a content, and its delivery's payload."""
    match content:
        case Text(body, category):
            mark = {"category": category} if category else {}
            return Message(body=body, data=mark or None), mark
        case Media(file, body, media_type, is_voice, seconds):
            message = Message(
                body=body, media_type=media_type, media_seconds=seconds, **_file_fields(file)
            )
            return message, {"voice": True} if is_voice else {}
        case Menu():
            menu = _menu_fields(_cut(content))
            message = Message(
                body=menu_text(content) if content.kind else menu["body"],
                media_type=MediaType.INTERACTIVE_LIST,
                data={"interactive": shown_menu(content)}
                if content.kind
                else {"choices": menu["choices"]},
            )
            return message, {"menu": menu}
        case FormQuestions(form, first, fields):
            message = Message(
                body=form.body,
                media_type=MediaType.INTERACTIVE_LIST,
                # Older browsers show the button.
                data={
                    "choices": [{"id": FORM_CHOICE, "title": form.button, "description": ""}],
                    FORM: {"first": first, "fields": fields},
                },
            )
            return message, {"form": asdict(form)}
        case FilledTemplate(template, given, header):
            name = {"name": template.name, "language": template.language}
            shown = shown_components(template, given.values, given.media)
            message = Message(
                body=body_text(template, given.values),
                media_type=MediaType.TEMPLATE,
                data={**name, "components": shown},
                **(_file_fields(header) if header else {}),
            )
            filled = graph_components(template, given.values, given.media, given.payloads)
            payload = {**name, "components": filled, "category": template.category}
            return message, {"template": payload}
        case Place(location, body, data):
            message = Message(body=body, media_type=MediaType.LOCATION, data=data)
            return message, {"location": asdict(location)}
        case Cards(cards, body, data):
            message = Message(body=body, media_type=MediaType.CONTACT_CARD, data=data)
            return message, {"contacts": [asdict(card) for card in cards]}


def _file_fields(file: StoredMedia) -> dict[str, Any]:
    return {
        "media_state": MediaState.READY,
        "media_path": file.path,
        "media_name": file.name,
        "media_mime": file.mime,
        "media_size": file.size,
    }


def _menu_fields(menu: Menu) -> Payload:
    """Return a menu as JSON; workers of the former version read those of bots and programs."""
    fields = asdict(menu)
    choices = [
        {key: text for key, text in asdict(choice).items() if text or key != "section"}
        for choice in menu.choices
    ]
    newer = {"kind", "url", "catalog_id"}
    return {
        **{key: value for key, value in fields.items() if value or key not in newer},
        "choices": choices,
    }


def _cut(menu: Menu) -> Menu:
    """Return a menu of a bot or a program within WhatsApp's limits: more choices than buttons
    become a list, texts are cut. A person's is within them.
    """
    if menu.kind:
        return menu
    as_list = menu.as_list or len(menu.choices) > MAX_BUTTONS
    choices = tuple(
        Choice(
            each.id,
            each.title[: ROW_TITLE if as_list else BUTTON_TITLE],
            each.description[:ROW_DESCRIPTION] if as_list else "",
        )
        for each in menu.choices
    )
    return replace(menu, body=menu.body[:MAX_CAPTION], choices=choices, as_list=as_list)


def dispatch(provider: Provider, delivery: Delivery) -> SentMessage:
    """Carry out a delivery; return the sent message, with an empty id if there is none.

    `delivery.message` is the message to send, or the one to react to, edit, delete, mark as read
    or, a call, reject. Raises ProviderError.
    """
    message = delivery.message
    payload = delivery.payload
    if delivery.kind == DeliveryKind.SEND:
        return _send(provider, delivery, message, payload)
    key = _key(message, delivery)
    if delivery.kind == DeliveryKind.MARK_READ:
        provider.mark_read(key)
        return NOTHING_SENT
    if delivery.kind == DeliveryKind.REJECT_CALL:
        provider.reject_call(key)
        return NOTHING_SENT
    # A reaction gets an id of its own, so that its status does not count for the message.
    context = SendContext(to=_address(delivery), callback_id=f"{delivery.kind}-{delivery.pk}")
    if delivery.kind == DeliveryKind.REACT:
        return provider.react(context, key, payload["emoji"])
    if delivery.kind == DeliveryKind.EDIT:
        provider.edit(context, key, payload["body"])
    else:
        provider.delete(context, key)
    return NOTHING_SENT


def send_context(delivery: Delivery) -> SendContext:
    """Return what goes with the send of a delivery's message."""
    message, quoted = delivery.message, delivery.message.quoted
    return SendContext(
        to=_address(delivery),
        callback_id=str(message.callback_id),
        quoted=_key(quoted, delivery) if quoted and quoted.external_id else None,
    )


def _address(delivery: Delivery, contact: Contact | None = None) -> str:
    """Return the provider's address of the delivery's contact, or of another contact."""
    is_official = delivery.connection.provider == ProviderKind.OFFICIAL
    return (contact or delivery.contact).address(is_official=is_official)


def _key(message: Message, delivery: Delivery) -> MessageKey:
    """Return the provider's key of a message; one without an id was never sent."""
    if not message.external_id:
        raise ProviderError(
            "A mensagem não chegou a ser enviada.", reason=ReasonCode.NEVER_SENT, permanent=True
        )
    writer = message.participant if delivery.contact.is_group else None
    return MessageKey(
        external_id=message.external_id,
        chat=_address(delivery),
        from_me=message.from_me,
        participant=_address(delivery, writer) if writer else "",
        body=message.body,
        media_type=message.media_type,
    )


def _send(
    provider: Provider, delivery: Delivery, message: Message, payload: Payload
) -> SentMessage:
    """Send what `compose` returned; without a payload the message's own file or text."""
    context = send_context(delivery)
    if location := payload.get("location"):
        return provider.send_location(context, Location(**location))
    if cards := payload.get("contacts"):
        return provider.send_contact(context, tuple(_card(**card) for card in cards))
    if menu := payload.get("menu"):
        choices = tuple(Choice(**choice) for choice in menu["choices"])
        return provider.send_menu(context, Menu(**{**menu, "choices": choices}))
    if form := payload.get("form"):
        return provider.send_form(context, FormSend(**form))
    if template := payload.get("template"):
        components = tuple(template.get("components", ()))
        filled = TemplateSend(**{**template, "components": components})
        return send_template(provider, delivery.connection, context, filled)
    if message.media_path:
        is_voice = message.media_type == MediaType.AUDIO and (
            payload.get("voice") is True or message.media_mime not in SOUND_FILES
        )
        fetches = provider.capabilities.fetches_files
        media = _media(message, is_voice=is_voice, reads=not fetches)
        return provider.send_media(context, media)
    category = payload.get("category", "")
    return provider.send_text(replace(context, category=category), message.body)


def _card(name: str, phones: "list[dict[str, str]] | tuple[()]" = ()) -> ContactCard:
    return ContactCard(name=name, phones=tuple(CardPhone(**each) for each in phones))


def _media(message: Message, *, is_voice: bool, reads: bool) -> MediaContent:
    try:
        content = read_media(message.media_path) if reads else b""
    except NotFound as error:
        raise ProviderError(error.sentence, reason=ReasonCode.MEDIA_GONE, permanent=True) from error
    mime = message.media_mime
    if is_voice and reads and not is_voice_note(content):
        try:
            content = to_voice_note(content)
        except UnreadableAudio as error:
            raise ProviderError(
                "O áudio não pôde ser convertido.",
                reason=ReasonCode.AUDIO_UNREADABLE,
                permanent=True,
            ) from error
    if is_voice:
        mime = VOICE_MIME
    return MediaContent(
        kind=PROVIDER_KINDS.get(message.media_type, "document"),
        content=content,
        mime=mime,
        name=message.media_name,
        # Without a caption the body is the file's name, which the contact sees anyway.
        caption="" if message.body == message.media_name else message.body,
        is_voice=is_voice,
        path=message.media_path,
        seconds=message.media_seconds,
    )
