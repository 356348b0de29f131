"""What changes in a row of an archive when it comes in: it is quiet (rules/moving-out §6)."""

import secrets
import uuid
from collections.abc import Callable
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from typing import Any

from apps.automation.models import IntegrationType, WebhookStop
from apps.billing.models import InvoiceStatus
from apps.campaigns.models import CampaignStatus, RecipientState
from apps.common.leases import LeaseState
from apps.connections.models import ConnectionStatus, ProviderKind
from apps.desk.decisions.conditions import IDS
from apps.desk.decisions.rules import KINDS_OF_ACTIONS, KINDS_OF_IDS
from apps.schedules.models import ScheduleStatus
from apps.tickets.models import Ack, MediaState, TicketStatus

Values = dict[str, Any]
# Company 1 never expires (rules/companies §1).
NEVER = date(2999, 1, 1)
DAYS_OF_OPERATOR = 30
# Nothing matches it until it is reset.
UNUSABLE = "!"
FAILED_BEFORE = "Não tinha saído quando a empresa mudou de instalação."
NOT_HERE = "Veio de outra instalação, e algo que a regra usa não veio junto."
CONFIRM_SCHEDULE = "Veio de outra instalação: confira e salve para agendar de novo."
_SIGNED = (IntegrationType.N8N, IntegrationType.WEBHOOK)
_DONE = (LeaseState.DONE, LeaseState.FAILED)
# What a connection was told by its provider, or is about to do.
CONNECTION_STATE = (
    *("status", "status_reason", "reason_code", "reason_detail", "retries", "verified_at"),
    *("sends_paused_until", "routing_roles", "routing_roles_at", "routing_reason"),
    *("routing_reason_code", "routing_reason_detail", "direct_send", "direct_send_at"),
    *("direct_send_until", "direct_send_reason_code", "marketing_way", "marketing_way_at"),
    *("figures_asked_at", "alerts", "alerts_end_at"),
)


@dataclass(frozen=True)
class Moved:
    """What an arrival may ask: now, the id that a row of theirs has here, and to note a fact.

    `note` takes a code of `apps.movein.words` and an example.
    """

    now: datetime
    ours: Callable[[str, Any], int | None]
    note: Callable[[str, object], None]


Arrive = Callable[[Values, Moved], None]


def new_uuid() -> uuid.UUID:
    return uuid.uuid4()


def new_message_id() -> str:
    return f"<{uuid.uuid4()}@moved.invalid>"


def nothing() -> None:
    return None


def unchanged(_values: Values, _moved: Moved) -> None:
    pass


def company(values: Values, moved: Moved) -> None:
    if values["due_date"] >= NEVER:  # it was the operator there
        values["due_date"] = (moved.now + timedelta(days=DAYS_OF_OPERATOR)).date()
        moved.note("due_date_missing", values["name"])


def integration(values: Values, moved: Moved) -> None:
    if values["type"] in _SIGNED:
        values["signing_secret"] = secrets.token_urlsafe(32)
    moved.note("key_anew", values["name"])


def prompt(values: Values, moved: Moved) -> None:
    moved.note("key_anew", values["name"])


def connection(values: Values, moved: Moved) -> None:
    """Wait for a QR code or a token; timers are off, because they would write to customers."""
    name = values["name"]
    values["status"] = ConnectionStatus.DISCONNECTED
    minutes = values["minutes_to_transfer"], values["ticket_expires_minutes"]
    if any(minutes):
        values["minutes_to_transfer"] = values["ticket_expires_minutes"] = 0
        moved.note("timers_off", f"{name}: {minutes[0]} / {minutes[1]} min")
    if values["provider"] == ProviderKind.BETA:
        values["warmup_contacts"] = 0  # the number has written for long
        moved.note("rescan", name)
    else:
        moved.note("connect_anew", name)


def user(values: Values, moved: Moved) -> None:
    if not values.get("password"):
        values["password"] = UNUSABLE
        moved.note("password_missing", values["email"])


def ticket(values: Values, moved: Moved) -> None:
    """Have people go on where a bot led."""
    is_live = values["status"] != TicketStatus.CLOSED
    if is_live and (values["chatbot"] or values["use_integration"]):
        moved.note("bot_ended", values["uuid"])
    values.update(chatbot=False, use_integration=False, integration_id=None, prompt_id=None)
    if values["status"] == TicketStatus.OPEN and not values["user_id"]:
        values["status"] = TicketStatus.PENDING


def message(values: Values, moved: Moved) -> None:
    """Leave nothing in the outbox, and nothing to be fetched."""
    if values["from_me"] and values["ack"] == Ack.PENDING:
        values.update(ack=Ack.ERROR, error_reason=FAILED_BEFORE)
        moved.note("message_unsent", "")
    if values["media_state"] == MediaState.FETCHING or (
        values["media_state"] == MediaState.READY and not values["media_path"]
    ):
        values["media_state"] = MediaState.FAILED


def segment(values: Values, moved: Moved) -> None:
    rules = values["rules"]
    for key, table in (("tagIds", "tags"), ("queueIds", "queues")):
        found = (moved.ours(table, each) for each in rules.get(key) or ())
        rules[key] = [each for each in found if each is not None]


# The tables of what rules and macros name, by the kind of `decisions.rules.names`.
_NAMED = {
    "queue": "queues",
    "tag": "tags",
    "person": "users",
    "connection": "connections",
    "quick": "quick_messages",
}


def rule(values: Values, moved: Moved) -> None:
    """Have a rule be off until somebody has looked at it; what it named and is not here is said."""
    trigger, is_whole = dict(values["trigger"]), True
    kind = KINDS_OF_IDS.get(trigger["when"])
    if kind and trigger.get("ids"):
        found = [moved.ours(_NAMED[kind], each) for each in trigger["ids"]]
        is_whole = None not in found
        trigger["ids"] = [each for each in found if each is not None]
    condition, is_known = _condition(values["condition"], moved)
    actions, are_known = _actions(values["actions"], moved)
    values.update(trigger=trigger, condition=condition, actions=actions, since=None)
    if not (is_whole and is_known and are_known):
        values["problem"] = NOT_HERE
    moved.note("rule_off", values["name"])


def macro(values: Values, moved: Moved) -> None:
    values["actions"], is_whole = _actions(values["actions"], moved)
    if not is_whole:
        values["problem"] = NOT_HERE


def _actions(actions: list[Values], moved: Moved) -> tuple[list[Values], bool]:
    """Return actions with our ids, and whether all of these are here."""
    changed, is_whole = [], True
    for each in actions:
        table = _NAMED.get(KINDS_OF_ACTIONS.get(each["do"], ""))
        if not table or each.get("id") is None:
            changed.append(each)
            continue
        own = moved.ours(table, each["id"])
        is_whole = is_whole and own is not None
        changed.append({**each, "id": own or 0})
    return changed, is_whole


def _condition(tree: Values | None, moved: Moved) -> tuple[Values | None, bool]:
    """Return a tree with our ids, and whether all of these are here."""
    if tree is None:
        return None, True
    for word in ("all", "any"):
        if word in tree:
            parts = [_condition(each, moved) for each in tree[word]]
            return {word: [part for part, _ in parts]}, all(is_whole for _, is_whole in parts)
    if "not" in tree:
        part, is_whole = _condition(tree["not"], moved)
        return {"not": part}, is_whole
    if tree["field"] not in IDS or not tree.get("values"):
        return tree, True
    found = [moved.ours(_NAMED[tree["field"]], each) for each in tree["values"]]
    return {**tree, "values": [each or 0 for each in found]}, None not in found


def campaign(values: Values, moved: Moved) -> None:
    if values["status"] == CampaignStatus.RUNNING:
        values["status"] = CampaignStatus.CANCELLED
        moved.note("campaign_cancelled", values["name"])
    elif values["status"] == CampaignStatus.SCHEDULED:
        values["status"] = CampaignStatus.INACTIVE
        moved.note("campaign_unplanned", f"{values['name']}: {values['scheduled_at']}")
    values["state"] = LeaseState.DONE
    values["finished_at"] = values["finished_at"] or moved.now


def recipient(values: Values, _moved: Moved) -> None:
    if values["state"] in {RecipientState.ASKING, RecipientState.QUEUED}:
        values.update(state=RecipientState.FAILED, error_reason=FAILED_BEFORE)


def schedule(values: Values, moved: Moved) -> None:
    """Have nobody send it here: it is planned there as well, and saving it plans it anew."""
    if values["status"] in {ScheduleStatus.PENDING, ScheduleStatus.QUEUED}:
        values.update(status=ScheduleStatus.ERROR, error_reason=CONFIRM_SCHEDULE)
        moved.note("schedule_to_confirm", values["send_at"].isoformat())
    _end_work(values, moved)


def presence_period(values: Values, moved: Moved) -> None:
    """End what goes on there: nobody is here yet."""
    values["ended_at"] = values["ended_at"] or moved.now


def chat_message(values: Values, _moved: Moved) -> None:
    if not values["message"] and not values["media_path"]:
        values["message"] = values["media_name"] or "…"


def webhook(values: Values, moved: Moved) -> None:
    values.update(
        secret=secrets.token_urlsafe(32), is_active=False, stopped_by=WebhookStop.BY_PERSON
    )
    moved.note("webhook_off", values["name"])


def stopped_text(values: Values, moved: Moved) -> None:
    tables = {"connection": "connections", "queue": "queues"}
    kept = []
    for each in values["kept"]:
        own = moved.ours(tables.get(each["kind"], ""), each["id"])
        if own is not None or each["id"] is None:
            kept.append(each | {"id": own})
    values["kept"] = kept


def invoice(values: Values, moved: Moved) -> None:
    """Have nobody pay here what is owed to the former operator."""
    if values["status"] == InvoiceStatus.OPEN:
        values["status"] = InvoiceStatus.CANCELLED
        moved.note("invoice_cancelled", values["detail"])


def email(values: Values, moved: Moved) -> None:
    if values["state"] not in _DONE:
        moved.note("email_unsent", values["subject"])
    _end_work(values, moved)


def _end_work(values: Values, moved: Moved) -> None:
    if values["state"] not in _DONE:
        values.update(state=LeaseState.FAILED, finished_at=moved.now)
