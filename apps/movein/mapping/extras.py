"""Quick messages, schedules, campaigns, chats, announcements and the like of theirs as ours."""

import re
from collections.abc import Iterable
from datetime import datetime
from typing import Any

from apps.announcements.models import Priority
from apps.announcements.videos import video_code
from apps.campaigns.models import CampaignStatus, RecipientState
from apps.campaigns.models.campaigns import TEXTS_COUNT
from apps.campaigns.models.lists import NAME_LENGTH
from apps.chat.models import LAST_MESSAGE_LENGTH, TITLE_LENGTH
from apps.common.leases import LeaseState
from apps.contacts.models import NUMBER_LENGTH
from apps.contacts.numbers import canonical_number, digits
from apps.movein.mapping.numbers import group_address
from apps.movein.mapping.values import (
    Remarks,
    Row,
    cut,
    flag,
    identity,
    is_email,
    moment,
    parsed,
    text,
    times,
    whole,
)
from apps.schedules.models import ScheduleStatus

MOST_SECONDS = 3600
# A number that people typed may have hyphens as well.
_GROUP = re.compile(r"\d{10,15}-\d{10}(?:@g\.us)?|[\d-]+@g\.us")
MOST_VARIABLES = 100


def note_of(row: Row, now: datetime) -> dict[str, Any] | None:
    note = text(row.get("note"))
    return {"note": note, **times(row, now)} if note.strip() else None


def quick_message_of(row: Row, remarks: Remarks, now: datetime) -> dict[str, Any]:
    return {
        "shortcode": cut(text(row.get("shortcode")).lstrip("/"), 50, remarks) or f"{row['id']}",
        "message": text(row.get("message")),
        **times(row, now),
    }


def file_list_of(row: Row, remarks: Remarks, now: datetime) -> dict[str, Any]:
    return {
        "name": cut(row.get("name"), 100, remarks) or f"Arquivos {row['id']}",
        "message": text(row.get("message")),
        **times(row, now),
    }


def schedule_of(row: Row, remarks: Remarks, now: datetime) -> dict[str, Any] | None:
    """Return the fields of a schedule that no worker will send; None without a time.

    Theirs is in the older product's queue as well: both would send it. It is an error until
    somebody confirms it, which plans it anew.
    """
    send_at = moment(row.get("sendAt"))
    if send_at is None:
        return None
    sent_at = moment(row.get("sentAt"))
    status = text(row.get("status")).strip().upper()
    fields: dict[str, Any] = {
        "body": text(row.get("body")),
        "send_at": send_at,
        "sent_at": None,
        "next_attempt_at": send_at,
        **times(row, now),
    }
    if sent_at is not None or status == ScheduleStatus.SENT:
        done = {"status": ScheduleStatus.SENT, "state": LeaseState.DONE}
        return fields | done | {"sent_at": sent_at or send_at, "finished_at": sent_at or send_at}
    is_planned = status != ScheduleStatus.ERROR
    if is_planned:
        remarks.add(
            "schedule_to_confirm" if send_at > now else "schedule_past", send_at.isoformat()
        )
    return fields | {
        "status": ScheduleStatus.ERROR,
        "state": LeaseState.FAILED,
        "finished_at": now,
        "error_reason": (
            "Veio do sistema anterior: confira e salve para agendar de novo."
            if is_planned
            else "Falhou no sistema anterior."
        ),
    }


def list_of(row: Row, remarks: Remarks, now: datetime) -> dict[str, Any]:
    return {"name": cut(row.get("name"), NAME_LENGTH, remarks) or "…", **times(row, now)}


def person_of(value: Any) -> tuple[str, str]:
    """Return number and canonical number of somebody in a list or campaign; '' for none."""
    stored = text(value, NUMBER_LENGTH - 10).strip()
    if _GROUP.fullmatch(stored):
        group = group_address(stored)
        return group.number, group.canonical
    number = stored if stored.endswith("@lid") else digits(stored)
    return number, canonical_number(number) if number else ""


def item_of(row: Row, remarks: Remarks, now: datetime) -> dict[str, Any] | None:
    """Return the fields of a person in a list, None without a number."""
    number, canonical = person_of(row.get("number"))
    if not number:
        return None
    email = text(row.get("email"), 254).strip()
    is_valid = row.get("isWhatsappValid")
    return {
        "name": cut(row.get("name"), NAME_LENGTH, remarks) or number,
        "number": number,
        "canonical_number": canonical,
        "email": email if is_email(email) else "",
        # Who was not checked there counts as not valid: nobody is asked by the import.
        "is_whatsapp_valid": None if is_valid is None else flag(is_valid),
        **times(row, now),
    }


def campaign_of(row: Row, remarks: Remarks, now: datetime) -> dict[str, Any]:
    """Return the fields of a campaign that no worker will send."""
    told = text(row.get("status")).strip().upper()
    name = cut(row.get("name"), 50, remarks) or f"Campanha {row['id']}"
    status = told if told in CampaignStatus.values else CampaignStatus.INACTIVE
    if status == CampaignStatus.RUNNING:
        status = CampaignStatus.CANCELLED
        remarks.add("campaign_cancelled", name)
    elif status == CampaignStatus.SCHEDULED:
        status = CampaignStatus.INACTIVE
        remarks.add("campaign_unplanned", f"{name}: {text(row.get('scheduledAt'), 30)}")
    created = times(row, now)
    completed = moment(row.get("completedAt"))
    is_over = status in {CampaignStatus.FINISHED, CampaignStatus.CANCELLED}
    return {
        "name": name,
        "status": status,
        "state": LeaseState.DONE,
        "texts": _texts(row, "message"),
        "asks_confirmation": flag(row.get("confirmation")),
        "confirmation_texts": _texts(row, "confirmationMessage"),
        "scheduled_at": moment(row.get("scheduledAt")),
        "started_at": moment(row.get("scheduledAt")) or created["created_at"] if is_over else None,
        "completed_at": completed if status == CampaignStatus.FINISHED else None,
        "finished_at": completed or now,
        **created,
    }


def _texts(row: Row, name: str) -> list[str]:
    return [text(row.get(f"{name}{number}")) for number in range(1, TEXTS_COUNT + 1)]


def recipient_of(row: Row) -> dict[str, Any] | None:
    """Return the fields of a campaign's recipient, None without a number."""
    number, canonical = person_of(row.get("number"))
    if not number:
        return None
    sent = moment(row.get("deliveredAt"))
    asked, confirmed = moment(row.get("confirmationRequestedAt")), moment(row.get("confirmedAt"))
    if sent is not None:
        state = RecipientState.SENT
    elif confirmed is not None:
        state = RecipientState.CONFIRMED
    elif asked is not None:
        state = RecipientState.NOT_CONFIRMED
    else:
        state = RecipientState.PENDING
    return {
        "number": number,
        "canonical_number": canonical,
        "state": state,
        "sent_at": sent,
        "confirmation_requested_at": asked,
        "confirmed_at": confirmed,
    }


def campaign_settings_of(rows: Iterable[Row], remarks: Remarks) -> dict[str, Any]:
    """Return a company's campaign settings; of one key the newest counts."""
    kept: dict[str, Any] = {}
    for row in sorted(rows, key=lambda each: (str(each.get("updatedAt") or ""), each["id"])):
        name, value = text(row.get("key")).strip(), row.get("value")
        if name in {"messageInterval", "longerIntervalAfter", "greaterInterval"}:
            plain = parsed(value) if isinstance(value, str) else value
            kept[name] = whole(plain, default=20, most=MOST_SECONDS)
        elif name == "variables":
            told = parsed(value)
            kept[name] = [
                {"key": text(each.get("key"), 50), "value": text(each.get("value"), 1000)}
                for each in (told if isinstance(told, list) else [])[:MOST_VARIABLES]
                if isinstance(each, dict) and each.get("key")
            ]
        elif name:
            remarks.add("setting_lost", name)
    return kept


def chat_of(row: Row, remarks: Remarks, now: datetime) -> dict[str, Any]:
    return {
        "uuid": identity(row.get("uuid")),
        "title": cut(row.get("title"), TITLE_LENGTH, remarks) or "…",
        "last_message": text(row.get("lastMessage"), LAST_MESSAGE_LENGTH),
        **times(row, now),
    }


def announcement_of(row: Row, remarks: Remarks, now: datetime) -> dict[str, Any]:
    priority = whole(row.get("priority"), default=Priority.LOW)
    return {
        "title": cut(row.get("title"), 200, remarks) or "…",
        "text": text(row.get("text")),
        "priority": priority if priority in Priority.values else Priority.LOW,
        "is_active": flag(row.get("status")),
        **times(row, now),
    }


def help_of(row: Row, remarks: Remarks, now: datetime) -> dict[str, Any] | None:
    """Return a help film's fields, None where no film is known by its address."""
    video = video_code(text(row.get("video")))
    if video is None:
        return None
    if text(row.get("link")):
        remarks.add("help_link_lost", row.get("title"))
    return {
        "title": cut(row.get("title"), 200, remarks) or "…",
        "description": text(row.get("description")),
        "video": video,
        **times(row, now),
    }
