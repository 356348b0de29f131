"""What leaves: written with its delivery through this door, sent by workers, and how far it got.

`write_message` takes a content and does all that sending is; the rest is for who sends files,
many at once, or the same again.
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
    texts_of,
)
from apps.tickets.services.outbox.outgoing import (
    AUTOMATIC_HEADING,
    Draft,
    DuplicateClientId,
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
    late_delivery,
    let_go_answered,
    let_go_merged,
    let_go_of,
    room_for_new_people,
)
from apps.tickets.services.outbox.withdrawals import hold_back, withdraw

__all__ = [
    "AUTOMATIC_HEADING",
    "Cards",
    "Content",
    "Draft",
    "DuplicateClientId",
    "FilledTemplate",
    "Media",
    "NoConnection",
    "Place",
    "Text",
    "already_sent",
    "captioned",
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
    "store_drafts",
    "tell_transferred",
    "texts_of",
    "withdraw",
    "writable_connection",
    "write_automatic_text",
    "write_drafts",
    "write_message",
]
