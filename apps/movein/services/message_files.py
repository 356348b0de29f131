"""The pass that brings the files of messages, once these are there (rules/moving-in §7)."""

from apps.common.bulk import update_rows
from apps.common.media import StoredMedia
from apps.movein.mapping import messages as mapping
from apps.movein.mapping.values import key, text
from apps.movein.readers import Row
from apps.movein.services.media import brought
from apps.movein.services.messages import places_of
from apps.movein.services.run import Run
from apps.tickets.models import MediaState, Message

_FIELDS = ["media_state", "media_path", "media_name", "media_mime", "media_size"]


def bring_files(run: Run, rows: list[Row]) -> None:
    """Copy the files of these messages; one that is missing stays failed, and is counted."""
    places = places_of(run, rows)
    wanted = {}
    for row in rows:
        place = places.get(key(row.get("ticketId")) or 0)
        if place is not None and text(row.get("mediaUrl")).strip():
            wanted[place.ticket_id, text(row["id"], mapping.LONGEST_ID)] = (place, row)
    stored = (
        Message.objects.filter(
            ticket__in={each[0] for each in wanted},
            external_id__in={each[1] for each in wanted},
            media_state=MediaState.FAILED,
            media_path="",
        )
        .only("pk", "ticket_id", "external_id")
        .order_by("pk")
    )
    changed = []
    for message in stored:
        found = wanted.get((message.ticket_id, message.external_id or ""))
        if found is None:
            continue
        place, row = found
        media = brought(run, place.company_id, row["mediaUrl"])
        if media is None:
            run.count(left=1)
            continue
        _put(message, media)
        changed.append(message)
    update_rows(changed, _FIELDS)
    run.count(made=len(changed))


def _put(message: Message, media: StoredMedia) -> None:
    message.media_state = MediaState.READY
    message.media_path, message.media_name = media.path, media.name
    message.media_mime, message.media_size = media.mime, media.size
