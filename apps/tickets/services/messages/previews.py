"""What a ticket's row says of its last message."""

from apps.tickets.models import MediaType

WORDS: dict[str, str] = {
    MediaType.IMAGE: "Foto",
    MediaType.STICKER: "Figurinha",
    MediaType.AUDIO: "Áudio",
    MediaType.VIDEO: "Vídeo",
    MediaType.FILE: "Documento",
    MediaType.CONTACT_CARD: "Contato",
    MediaType.LOCATION: "Localização",
    MediaType.CALL_LOG: "Chamada",
    MediaType.UNKNOWN: "Mensagem não suportada",
}
# A row of the list shows one line.
LONGEST_PREVIEW = 500
# Their bodies are made for programs (a card's source, coordinates) or say nothing.
WORD_ALONE = {
    MediaType.STICKER,
    MediaType.CONTACT_CARD,
    MediaType.LOCATION,
    MediaType.UNKNOWN,
}


def preview_of(media_type: str, body: str, media_name: str = "") -> str:
    """Return the line for the list: the text or caption, a file's name, else a word."""
    if media_type in WORD_ALONE:
        return WORDS[media_type]
    text = body if body != media_name or media_type == MediaType.FILE else ""
    if not text and media_type == MediaType.FILE:
        text = media_name
    return (text or WORDS.get(media_type, ""))[:LONGEST_PREVIEW]
