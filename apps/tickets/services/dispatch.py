"""From an outbox row to one call of the provider."""

from apps.common.errors import NotFound
from apps.common.media import read_media
from apps.connections.providers.base import (
    CardPhone,
    Choice,
    ContactCard,
    Location,
    MediaContent,
    Menu,
    Provider,
    ProviderError,
    SendContext,
    TemplateSend,
)
from apps.tickets.models import Delivery, DeliveryKind, MediaType, Message
from apps.tickets.services.audio import (
    VOICE_MIME,
    UnreadableAudio,
    is_voice_note,
    to_voice_note,
)

PROVIDER_KINDS: dict[str, str] = {
    MediaType.IMAGE: "image",
    MediaType.AUDIO: "audio",
    MediaType.VIDEO: "video",
    MediaType.STICKER: "sticker",
}

# Sound that WhatsApp takes as a file. Anything else (what browsers record: webm, ogg) becomes a
# voice note: developers.facebook.com/docs/whatsapp/cloud-api/reference/media.
SOUND_FILES = frozenset({"audio/aac", "audio/amr", "audio/mp4", "audio/mpeg"})


def dispatch(provider: Provider, delivery: Delivery) -> str:
    """Do what a row asks for; returns the provider's id of what was sent, or nothing.

    `delivery.message` is what is sent, or what is reacted to, edited, deleted, read or, as a call,
    rejected. A send's `payload` names its form: `location`, `contacts`, `menu` or `template`; none
    of them means the message's own file or text. Raises ProviderError.
    """
    message = delivery.message
    payload = delivery.payload
    if delivery.kind == DeliveryKind.SEND:
        return _send(provider, delivery)
    if delivery.kind == DeliveryKind.MARK_READ:
        provider.mark_read(_provider_id(message))
        return ""
    if delivery.kind == DeliveryKind.REJECT_CALL:
        provider.reject_call(_provider_id(message))
        return ""
    # A status of a reaction must not be taken for one of the message: it gets an id of its own.
    context = SendContext(to=delivery.contact.number, callback_id=f"{delivery.kind}-{delivery.pk}")
    if delivery.kind == DeliveryKind.REACT:
        return provider.react(context, _provider_id(message), payload["emoji"]).external_id
    if delivery.kind == DeliveryKind.EDIT:
        provider.edit(context, _provider_id(message), payload["body"])
    else:
        provider.delete(context, _provider_id(message))
    return ""


def _provider_id(message: Message) -> str:
    if not message.external_id:
        raise ProviderError("A mensagem não chegou a ser enviada.", permanent=True)
    return message.external_id


def _send(provider: Provider, delivery: Delivery) -> str:
    message, payload = delivery.message, delivery.payload
    quoted = message.quoted
    context = SendContext(
        to=delivery.contact.number,
        callback_id=str(message.callback_id),
        reply_to=quoted.external_id if quoted else None,
    )
    if "location" in payload:
        sent = provider.send_location(context, Location(**payload["location"]))
    elif "contacts" in payload:
        sent = provider.send_contact(context, tuple(_card(card) for card in payload["contacts"]))
    elif "menu" in payload:
        menu = payload["menu"]
        choices = tuple(Choice(**choice) for choice in menu["choices"])
        sent = provider.send_menu(context, Menu(**{**menu, "choices": choices}))
    elif "template" in payload:
        template = payload["template"]
        components = tuple(template.get("components", ()))
        sent = provider.send_template(
            context, TemplateSend(template["name"], template["language"], components)
        )
    elif message.media_path:
        is_voice = bool(payload.get("voice")) or _is_recording(message)
        sent = provider.send_media(context, _media(message, is_voice=is_voice))
    else:
        sent = provider.send_text(context, message.body)
    return sent.external_id


def _card(card: dict[str, object]) -> ContactCard:
    phones: list[dict[str, str]] = card.get("phones", [])  # type: ignore[assignment]
    return ContactCard(name=str(card["name"]), phones=tuple(CardPhone(**each) for each in phones))


def _is_recording(message: Message) -> bool:
    return message.media_type == MediaType.AUDIO and message.media_mime not in SOUND_FILES


def _media(message: Message, *, is_voice: bool) -> MediaContent:
    try:
        content = read_media(message.media_path)
    except NotFound as error:
        raise ProviderError(error.sentence, permanent=True) from error
    mime = message.media_mime
    if is_voice and not is_voice_note(content):
        try:
            content = to_voice_note(content)
        except UnreadableAudio as error:
            raise ProviderError("O áudio não pôde ser convertido.", permanent=True) from error
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
    )
