"""Plans, companies, settings, invoices, queues and connections of theirs as ours."""

import re
from collections.abc import Iterable
from datetime import datetime
from ipaddress import ip_address
from typing import Any
from urllib.parse import urlsplit

from apps.automation.models import IntegrationType
from apps.billing.models import InvoiceStatus
from apps.common.encryption import encrypt
from apps.companies.models import SECRET_SETTINGS, SETTINGS, Recurrence
from apps.connections.models import ConnectionStatus, ProviderKind
from apps.contacts.numbers import digits
from apps.movein.mapping.hours import schedules_of
from apps.movein.mapping.values import (
    Remarks,
    Row,
    cut,
    day,
    flag,
    is_email,
    money,
    parsed,
    text,
    times,
    whole,
)

# Without one in theirs nobody shall be locked out by the import.
DAYS_WITHOUT_DUE_DATE = 30
MOST_REOPEN_MINUTES = 7 * 24 * 60
_COLOR = re.compile(r"#[0-9A-Fa-f]{3}(?:[0-9A-Fa-f]{3}(?:[0-9A-Fa-f]{2})?)?")
_FEATURES = {
    "use_campaigns": "useCampaigns",
    "use_schedules": "useSchedules",
    "use_internal_chat": "useInternalChat",
    "use_external_api": "useExternalApi",
    "use_kanban": "useKanban",
    "use_open_ai": "useOpenAi",
    "use_integrations": "useIntegrations",
}
# Settings whose key and values are the same. Others are listed as lost.
_SAME = frozenset(
    {
        *("userRating", "scheduleType", "CheckMsgIsGroup", "call", "chatBotType", "asaas"),
        *("sendGreetingAccepted", "sendMsgTransfTicket", "campaignsEnabled"),
    }
)


def plan_of(row: Row, remarks: Remarks, now: datetime) -> dict[str, Any]:
    name = cut(row.get("name"), 100, remarks) or "Plano"
    limits = {each: whole(row.get(each)) for each in ("users", "connections", "queues")}
    for each, limit in limits.items():
        if limit == 0:
            # Theirs allows none of them; ours would set no limit.
            limits[each] = 1
            remarks.add("plan_allowed_none", f"{name}: {each}")
    if text(row.get("currency")) not in {"", "BRL"}:
        remarks.add("currency", f"{name}: {text(row['currency'], 10)}")
    return {
        "name": name,
        "value": money(row.get("value")),
        "is_public": flag(row.get("isPublic"), default=True),
        **limits,
        **{ours: flag(row.get(theirs), default=True) for ours, theirs in _FEATURES.items()},
        **times(row, now),
    }


def company_of(row: Row, remarks: Remarks, now: datetime) -> dict[str, Any]:
    """Return a company's fields; `due_date` is None where theirs has none."""
    name = cut(row.get("name"), 100, remarks) or f"Empresa {row['id']}"
    email = text(row.get("email"), 254).strip()
    recurrence = text(row.get("recurrence")).strip().upper()
    if text(row.get("language")):
        remarks.add("language_lost")
    return {
        "name": name,
        "email": email if is_email(email) else "",
        "phone": cut(row.get("phone"), 50, remarks),
        "is_enabled": flag(row.get("status"), default=True),
        "due_date": day(row.get("dueDate")),
        "recurrence": recurrence if recurrence in Recurrence.values else Recurrence.MONTHLY,
        "schedules": schedules_of(row.get("schedules"), remarks),
        **times(row, now),
    }


def settings_of(rows: Iterable[Row], remarks: Remarks) -> dict[str, str]:
    """Return the settings of one company in their stored form; of one key the newest counts."""
    kept: dict[str, str] = {}
    stored: dict[str, str] = {}
    for row in sorted(rows, key=lambda each: (str(each.get("updatedAt") or ""), each["id"])):
        name = text(row.get("key"), 200).strip()
        if name in stored:
            remarks.add("setting_repeated", name)
        stored[name] = text(row.get("value"))
    for name, value in stored.items():
        if name == "autoReopenTimeout":
            minutes = whole(value, most=MOST_REOPEN_MINUTES)
            kept["reopenWindowMinutes"] = str(minutes)
        elif name not in _SAME:
            if value.strip() not in {"", "disabled", "false", "0"}:
                remarks.add("setting_lost", name)
        elif name in SECRET_SETTINGS:
            if value.strip():
                kept[name] = encrypt(value.strip())
        elif (choices := SETTINGS[name][1]) is None or value.strip() in choices:
            kept[name] = value.strip()
        else:
            remarks.add("setting_refused", f"{name}: {value}")
    return kept


def invoice_of(row: Row, remarks: Remarks, now: datetime) -> dict[str, Any] | None:
    """Return an invoice's fields, None without a day."""
    due = day(row.get("dueDate"))
    if due is None:
        return None
    created = times(row, now)
    is_paid = text(row.get("status")).strip().lower() == "paid"
    if text(row.get("currency")) not in {"", "BRL"}:
        remarks.add("currency", f"{text(row['currency'], 10)} {row.get('value')}")
    return {
        "detail": cut(row.get("detail"), 200, remarks),
        "value": money(row.get("value")),
        "due_date": due,
        "status": InvoiceStatus.PAID if is_paid else InvoiceStatus.OPEN,
        "paid_at": created["updated_at"] if is_paid else None,
        **created,
    }


def color_of(value: Any, default: str) -> str:
    color = text(value).strip()
    return color if _COLOR.fullmatch(color) else default


def queue_of(row: Row, remarks: Remarks, now: datetime) -> dict[str, Any]:
    if text(row.get("mediaPath")):
        remarks.add("queue_file_lost", text(row.get("name")))
    return {
        "name": cut(row.get("name"), 50, remarks) or f"Fila {row['id']}",
        "color": color_of(row.get("color"), "#8A989C"),
        "order": whole(row.get("orderQueue"), least=-1_000_000) if row.get("orderQueue") else 0,
        "greeting_message": text(row.get("greetingMessage")),
        "out_of_hours_message": text(row.get("outOfHoursMessage")),
        "schedules": schedules_of(row.get("schedules"), remarks),
        **times(row, now),
    }


def roots_of(options: Iterable[Row]) -> dict[int, int | None]:
    """Return the queue of each option: that of the topmost option which has one."""
    rows = {each["id"]: each for each in options}
    found: dict[int, int | None] = {}
    for option in rows:
        place: int | None = option
        seen: set[int] = set()
        queue: int | None = None
        while place is not None and place in rows and place not in seen:
            seen.add(place)
            queue = rows[place].get("queueId") or queue
            place = rows[place].get("parentId")
        found[option] = queue
    return found


def in_order(options: Iterable[Row]) -> dict[int, int]:
    """Return each option's position among its siblings, from 1: by their digits, then by id."""
    siblings: dict[tuple[Any, Any], list[Row]] = {}
    for row in options:
        siblings.setdefault((row.get("parentId"), row["_queue"]), []).append(row)
    positions: dict[int, int] = {}
    for rows in siblings.values():
        rows.sort(key=lambda each: (whole(each.get("option"), default=10**6), each["id"]))
        positions.update((row["id"], place) for place, row in enumerate(rows, 1))
    return positions


def option_of(row: Row, remarks: Remarks, now: datetime) -> dict[str, Any]:
    return {
        "title": cut(row.get("title"), 100, remarks) or "…",
        "message": text(row.get("message")),
        **times(row, now),
    }


def connection_of(row: Row, remarks: Remarks, now: datetime) -> dict[str, Any]:
    """Return the fields of a QR connection that waits to be scanned.

    Its timers are off, because they would write to customers by themselves.
    """
    name = cut(row.get("name"), 50, remarks) or f"Conexão {row['id']}"
    minutes = whole(row.get("timeToTransfer")), whole(row.get("expiresTicket"))
    if any(minutes):
        remarks.add("timers_off", f"{name}: {minutes[0]} / {minutes[1]} min")
    if text(row.get("farewellMessage")).strip():
        remarks.add("farewell_lost", name)
    if text(row.get("token")).strip():
        remarks.add("token_anew", name)
    remarks.add("rescan", name)
    return {
        "name": name,
        "number": _own_number(row),
        "provider": ProviderKind.BETA,
        "status": ConnectionStatus.DISCONNECTED,
        "greeting_message": text(row.get("greetingMessage")),
        "completion_message": text(row.get("complationMessage")),
        "out_of_hours_message": text(row.get("outOfHoursMessage")),
        "rating_message": text(row.get("ratingMessage")),
        "inactive_message": text(row.get("expiresInactiveMessage")),
        "bot_max_menus": whole(row.get("maxUseBotQueues"), default=3, most=1000),
        "bot_interval_minutes": whole(row.get("timeUseBotQueues"), most=100_000),
        # The number has written for long.
        "warmup_contacts": 0,
        **times(row, now),
    }


def _own_number(row: Row) -> str:
    if number := text(row.get("number")):
        return digits(number)[:30]
    session = parsed(row.get("session"))
    creds = session.get("creds") if isinstance(session, dict) else None
    own = creds.get("me") if isinstance(creds, dict) else None
    address = text(own.get("id")) if isinstance(own, dict) else ""
    return digits(address.partition("@")[0].partition(":")[0])[:30]


_TYPES = {
    "dialogflow": IntegrationType.DIALOGFLOW,
    "n8n": IntegrationType.N8N,
    "webhook": IntegrationType.WEBHOOK,
    "typebot": IntegrationType.TYPEBOT,
}


def integration_of(row: Row, remarks: Remarks, now: datetime) -> dict[str, Any] | None:
    """Return an integration's fields, None for a kind that we lack."""
    kind = _TYPES.get(text(row.get("type")).strip().lower())
    if kind is None:
        return None
    name = cut(row.get("name"), 50, remarks) or f"Integração {row['id']}"
    if kind in {IntegrationType.N8N, IntegrationType.WEBHOOK}:
        remarks.add("payload_differs", name)
    url = text(row.get("urlN8N"), 2000).strip()
    if url and _is_private(url):
        remarks.add("target_private", name)
    return {
        "type": kind,
        "name": name,
        "project_name": cut(row.get("projectName"), 100, remarks) or name,
        "json_content": text(row.get("jsonContent")),
        "language": cut(row.get("language"), 10, remarks),
        "url": url,
        "typebot_slug": cut(row.get("typebotSlug"), 200, remarks),
        "typebot_expires_minutes": whole(row.get("typebotExpires"), default=1),
        "typebot_delay_ms": whole(row.get("typebotDelayMessage"), default=1000),
        "typebot_keyword_finish": cut(row.get("typebotKeywordFinish"), 100, remarks),
        "typebot_keyword_restart": cut(row.get("typebotKeywordRestart"), 100, remarks),
        "typebot_restart_message": text(row.get("typebotRestartMessage")),
        "typebot_unknown_message": text(row.get("typebotUnknownMessage")),
        **times(row, now),
    }


def _is_private(url: str) -> bool:
    """Tell whether an address leads into a private network by itself; no name is looked up."""
    try:
        host = urlsplit(url).hostname or ""
    except ValueError:
        return True
    try:
        return not ip_address(host).is_global
    except ValueError:
        return "." not in host or host.endswith((".local", ".internal", ".lan"))


def prompt_of(row: Row, remarks: Remarks, now: datetime) -> dict[str, Any]:
    try:
        temperature = min(max(float(row.get("temperature") or 0), 0.0), 2.0)
    except (TypeError, ValueError):
        temperature = 1.0
    return {
        "name": cut(row.get("name"), 100, remarks) or f"Prompt {row['id']}",
        "prompt": text(row.get("prompt")),
        "api_key": text(row.get("apiKey"), 2000).strip(),
        "max_messages": whole(row.get("maxMessages"), default=10),
        "max_tokens": whole(row.get("maxTokens"), default=100),
        "temperature": temperature,
        "voice": cut(row.get("voice"), 50, remarks) or "texto",
        "voice_key": text(row.get("voiceKey"), 2000).strip(),
        "voice_region": cut(row.get("voiceRegion"), 50, remarks),
        **times(row, now),
    }
