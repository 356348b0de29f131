"""Outgoing messages: stored with their delivery, sent by workers, followed by statuses.

`write_message` stores one content with its delivery; the other functions are for files, many
messages at once, and resends.
"""

from apps.tickets.services.outbox.automatic_texts import (
    greet_accepted,
    tell_transferred,
    write_automatic_text,
)
from apps.tickets.services.outbox.content import (
    Cards,
    Content,
    FilledTemplate,
    Media,
    Place,
    Text,
    captioned,
    media_of,
    shows_caption,
    texts_of,
)
from apps.tickets.services.outbox.outgoing import (
    AUTOMATIC_HEADING,
    Draft,
    DuplicateClientId,
    LedElsewhere,
    NoConnection,
    already_sent,
    draft,
    enqueue,
    resend,
    send_again,
    send_media,
    send_text,
    store_drafts,
    writable_connection,
    write_drafts,
    write_message,
)
from apps.tickets.services.outbox.pace import (
    count_begun,
    counted_among,
    late_delivery,
    let_go_answered,
    let_go_merged,
    let_go_of,
    room_for_new_people,
    use_of,
)
from apps.tickets.services.outbox.withdrawals import hold_back, withdraw

__all__ = [
    "AUTOMATIC_HEADING",
    "Cards",
    "Content",
    "Draft",
    "DuplicateClientId",
    "FilledTemplate",
    "LedElsewhere",
    "Media",
    "NoConnection",
    "Place",
    "Text",
    "already_sent",
    "captioned",
    "count_begun",
    "counted_among",
    "draft",
    "enqueue",
    "greet_accepted",
    "hold_back",
    "late_delivery",
    "let_go_answered",
    "let_go_merged",
    "let_go_of",
    "media_of",
    "resend",
    "room_for_new_people",
    "send_again",
    "send_media",
    "send_text",
    "shows_caption",
    "store_drafts",
    "tell_transferred",
    "texts_of",
    "use_of",
    "withdraw",
    "writable_connection",
    "write_automatic_text",
    "write_drafts",
    "write_message",
]
