"""The tables of one company: what an archive has, and what comes in (rules/moving-out §2).

The one list of them. `tests/test_tables.py` fails for a model of a company that is neither in
`TABLES` nor in `LEFT_OUT`.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import Any, NamedTuple

from django.db import models
from django.db.models import Q

from apps.accounts.models import Role, User, UserQueue
from apps.audit.models import AuditEntry
from apps.automation.models import OutgoingWebhook, Prompt, QueueIntegration, TokenUse
from apps.billing.models import Invoice
from apps.campaigns.models import (
    Campaign,
    CampaignRecipient,
    CampaignSetting,
    ContactList,
    ContactListItem,
    OptOut,
    Segment,
)
from apps.chat.models import Chat, ChatMember, ChatMessage
from apps.common.leases import LeasedRow
from apps.companies.models import SECRET_SETTINGS, Company, CompanySetting
from apps.connections.models import Connection, ConnectionQueue
from apps.contacts.models import Contact, ContactField, Tag, TicketNote
from apps.costs.models import CostMeter, MessageCost, StoppedText
from apps.desk.models import (
    AssignmentLog,
    AssignmentPolicy,
    Macro,
    PauseReason,
    PresencePeriod,
    Rule,
    Seat,
    SlaClock,
    SlaFiring,
    SlaPolicy,
    SlaStep,
)
from apps.library.models import FileList, FileListItem, QuickMessage
from apps.mail.models import Mail
from apps.movein.mapping import arrivals
from apps.movein.mapping.arrivals import Arrive, new_message_id, new_uuid, nothing
from apps.queues.models import Queue, QueueOption
from apps.schedules.models import Schedule
from apps.tickets.models import (
    Message,
    MessageReaction,
    NoteMention,
    Poll,
    PollVote,
    Rating,
    Ticket,
    TicketActivity,
    TicketDraft,
    TicketFollow,
    TicketTag,
    TrackingCycle,
)
from apps.tickets.origins import Origin

# The groups in which the screen counts rows.
GROUPS = ("settings", "people", "bot", "contacts", "conversations", "library", "campaigns", "log")
# Of rows of work: an archive has their outcome, not their claim.
CLAIM = {each.name for each in LeasedRow._meta.fields} - {"state", "finished_at"}
COMPANY = "company"


@dataclass(frozen=True)
class Table:
    """Rows of a company: one file of its archive.

    `company`: the path from a row to its company. `only`: which rows move. `secret`: columns that
    no archive has. `asked`: columns that it has if the admin asked for them. `blank`: columns that
    it lacks because they mean nothing elsewhere; a row that comes in has their defaults. `later`:
    references to rows that come behind this one. `ids`: columns without a foreign key with ids of
    the named table. `plain`: JSON without ids. `files`: columns with paths of the store, `listed`
    JSON lists of files. `unique`: columns that are unique over all companies, and what makes a new
    value for one that is taken. `arrive` changes the values of a row that comes in.
    """

    name: str
    model: type[models.Model]
    group: str
    company: str = "company"
    only: Q = field(default_factory=Q)
    secret: tuple[str, ...] = ()
    asked: tuple[str, ...] = ()
    blank: tuple[str, ...] = ()
    later: tuple[str, ...] = ()
    ids: Mapping[str, str] = field(default_factory=dict)
    plain: tuple[str, ...] = ()
    files: tuple[str, ...] = ()
    listed: tuple[str, ...] = ()
    unique: Mapping[str, Callable[[], Any]] = field(default_factory=dict)
    arrive: Arrive = arrivals.unchanged

    @property
    def lacks(self) -> frozenset[str]:
        """The columns that no archive has."""
        claim = CLAIM if issubclass(self.model, LeasedRow) else set()
        return frozenset((*self.secret, *self.blank, *claim, *self._companies()))

    def _companies(self) -> list[str]:
        # The company is always the archive's.
        return ["company_id"] if self.company == "company" else []

    def rows(self, company_id: int) -> "models.QuerySet[models.Model]":
        """Return the rows of a company that move."""
        return self.model._base_manager.filter(self.only, **{self.company: company_id})


class Column(NamedTuple):
    """A column of an archive; `refers` names the table whose ids it has, '' for a value."""

    name: str
    field: "models.Field[Any, Any]"
    refers: str


_MEDIA = ("media_path",)

TABLES: tuple[Table, ...] = (
    Table(
        COMPANY,
        Company,
        "settings",
        company="pk",
        blank=("plan_id", "deleted_at"),
        plain=("schedules",),
        arrive=arrivals.company,
    ),
    # Nothing is given to people, and no time runs, before an admin of the new place switches it on.
    Table(
        "settings",
        CompanySetting,
        "settings",
        only=~Q(key__in={*SECRET_SETTINGS, "assignment", "sla", "rules"}),
    ),
    Table(
        "integrations",
        QueueIntegration,
        "bot",
        secret=("json_content", "signing_secret"),
        later=("fallback_queue_id",),
        arrive=arrivals.integration,
    ),
    Table("queues", Queue, "settings", later=("prompt_id",), plain=("schedules",)),
    Table("prompts", Prompt, "bot", secret=("api_key", "voice_key"), arrive=arrivals.prompt),
    Table(
        "connections",
        Connection,
        "settings",
        secret=("access_token", "token_hash", "qrcode", "pairing_code"),
        blank=arrivals.CONNECTION_STATE,
        arrive=arrivals.connection,
    ),
    Table("connection_queues", ConnectionQueue, "settings", company="connection__company"),
    Table("roles", Role, "people", plain=("permissions",)),
    Table(
        "users",
        User,
        "people",
        asked=("password",),
        blank=("is_super", "token_version", "online_until", "last_login"),
        arrive=arrivals.user,
    ),
    Table("user_queues", UserQueue, "people", company="user__company"),
    Table("assignment_policies", AssignmentPolicy, "settings"),
    # What people can take; nobody is there yet, and nobody holds anything that counts.
    Table(
        "seats",
        Seat,
        "people",
        plain=("schedules",),
        blank=(
            *("presence", "since", "reason", "until", "is_away", "seen_until", "load", "day"),
            *("given_count", "resolved_count", "returned_count"),
        ),
    ),
    Table("pause_reasons", PauseReason, "settings"),
    Table("presence_periods", PresencePeriod, "people", arrive=arrivals.presence_period),
    Table("tags", Tag, "contacts"),
    Table(
        "queue_options",
        QueueOption,
        "bot",
        company="queue__company",
        later=("parent_id",),
        files=_MEDIA,
    ),
    Table("contacts", Contact, "contacts", files=("picture_path",)),
    Table("contact_fields", ContactField, "contacts", company="contact__company"),
    Table("quick_messages", QuickMessage, "library", files=_MEDIA),
    Table("file_lists", FileList, "library"),
    Table("file_list_items", FileListItem, "library", company="file_list__company", files=_MEDIA),
    Table("contact_lists", ContactList, "campaigns"),
    Table("contact_list_items", ContactListItem, "campaigns"),
    Table("segments", Segment, "campaigns", arrive=arrivals.segment),
    Table(
        "campaigns",
        Campaign,
        "campaigns",
        plain=("texts", "confirmation_texts", "source_names", "template_components"),
        blank=("next_send_at", "wait_code", "template_look_at", "template_looks"),
        files=_MEDIA,
        listed=("files",),
        arrive=arrivals.campaign,
    ),
    Table(
        "tickets",
        Ticket,
        "conversations",
        later=("latest_message_id",),
        plain=("referral",),
        # The bot's progress has ids of options and of menus that were sent. What was snoozed comes
        # back at once: nothing would be due elsewhere.
        blank=(
            *("bot_state", "snoozed_at", "snoozed_until", "woken"),
            *("sla_due_at", "sla_warns_at"),
        ),
        unique={"uuid": new_uuid},
        arrive=arrivals.ticket,
    ),
    Table("ticket_tags", TicketTag, "conversations", company="ticket__company"),
    # Messages name what had them written, so that comes before them.
    Table(
        "schedules",
        Schedule,
        "campaigns",
        later=("message_id",),
        files=_MEDIA,
        arrive=arrivals.schedule,
    ),
    Table("rules", Rule, "settings", arrive=arrivals.rule),
    Table("macros", Macro, "settings", arrive=arrivals.macro),
    Table("cycles", TrackingCycle, "conversations"),
    Table("sla_policies", SlaPolicy, "settings"),
    Table("sla_steps", SlaStep, "settings", company="policy__company"),
    # What was met and missed; what still runs begins anew.
    Table("sla_clocks", SlaClock, "log", only=Q(ended_at__isnull=False)),
    Table(
        "sla_firings",
        SlaFiring,
        "log",
        company="clock__company",
        only=Q(clock__ended_at__isnull=False),
    ),
    Table("ratings", Rating, "conversations"),
    Table(
        "messages",
        Message,
        "conversations",
        later=("quoted_id",),
        plain=("pricing", "data"),
        blank=("raw",),
        files=_MEDIA,
        unique={"callback_id": new_uuid, "client_id": nothing},
        arrive=arrivals.message,
    ),
    Table("reactions", MessageReaction, "conversations", company="message__company"),
    # The key of a poll's votes opens nothing else.
    Table("polls", Poll, "conversations", company="message__company"),
    Table(
        "poll_votes",
        PollVote,
        "conversations",
        company="poll__message__company",
        plain=("options",),
    ),
    Table(
        "activities", TicketActivity, "conversations", company="ticket__company", plain=("detail",)
    ),
    # The number counts what this installation has given.
    Table("assignment_log", AssignmentLog, "log", blank=("number",)),
    Table("mentions", NoteMention, "conversations"),
    Table("notes", TicketNote, "contacts"),
    Table("drafts", TicketDraft, "conversations"),
    Table("follows", TicketFollow, "conversations"),
    Table(
        "recipients",
        CampaignRecipient,
        "campaigns",
        ids={"first_message_pk": "messages"},
        arrive=arrivals.recipient,
    ),
    Table("campaign_settings", CampaignSetting, "campaigns", plain=("value",)),
    Table("opt_outs", OptOut, "campaigns"),
    Table("chats", Chat, "people", unique={"uuid": new_uuid}),
    Table("chat_members", ChatMember, "people"),
    Table(
        "chat_messages",
        ChatMessage,
        "people",
        files=_MEDIA,
        unique={"client_id": nothing},
        arrive=arrivals.chat_message,
    ),
    Table("token_uses", TokenUse, "log"),
    Table(
        "webhooks",
        OutgoingWebhook,
        "bot",
        secret=("secret",),
        plain=("events",),
        blank=("failures", "failing_since", "paused_until"),
        arrive=arrivals.webhook,
    ),
    Table("meters", CostMeter, "log", ids={"free_until_id": "messages"}, blank=("is_stale",)),
    # What was paid remains, without the price list of the former operator.
    Table("message_costs", MessageCost, "log", ids={"message_id": "messages"}, blank=("price_id",)),
    Table("stopped_texts", StoppedText, "settings", arrive=arrivals.stopped_text),
    Table(
        "invoices", Invoice, "log", blank=("plan_id", "previous_plan_id"), arrive=arrivals.invoice
    ),
    Table(
        "emails",
        Mail,
        "log",
        only=Q(is_written=True),
        secret=("secret",),
        unique={"message_id": new_message_id},
        arrive=arrivals.email,
    ),
    Table(
        "audit",
        AuditEntry,
        "log",
        # An id of the former installation.
        blank=("object_id",),
        plain=("detail",),
    ),
)

# The tables of the records that an origin names (`apps.tickets.origins`).
ORIGINS: dict[str, str] = {
    Origin.CAMPAIGN: "campaigns",
    Origin.GREETING: "queues",
    Origin.INTEGRATION: "integrations",
    Origin.OPTION: "queue_options",
    Origin.OUT_OF_HOURS: "queues",
    Origin.PROMPT: "prompts",
    Origin.QUEUE: "queues",
    Origin.RULE: "rules",
    Origin.SCHEDULE: "schedules",
}
# JSON with ids, which the `arrive` of the table puts into ours.
WITH_IDS = {
    *(("rules", name) for name in ("trigger", "condition", "actions")),
    ("macros", "actions"),
    ("segments", "rules"),
    ("stopped_texts", "kept"),
}

# Models of a company whose rows do not move, and why.
LEFT_OUT: dict[str, str] = {
    **dict.fromkeys(
        (
            "accounts.RefreshSession",
            "accounts.Authenticator",
            "accounts.RecoveryCode",
            "accounts.ServiceToken",
            "connections.QrSession",
            "connections.QrSessionKey",
            "connections.QrAddress",
            "connections.Signup",
        ),
        "secrets and sessions",
    ),
    **dict.fromkeys(
        (
            "automation.IntegrationSession",
            "automation.WebhookDelivery",
            "campaigns.ContactListCheck",
            "campaigns.ContactListImport",
            "campaigns.ImportFault",
            "companies.CompanyRemoval",
            "companies.RetentionRun",
            "connections.PhoneSync",
            "connections.QuestionForm",
            "connections.RoutingCheck",
            "contacts.ContactImport",
            "contacts.ContactImportFault",
            "contacts.ContactPicture",
            "desk.Assignment",
            "desk.Rehearsal",
            "desk.RuleTick",
            "desk.RuleTicket",
            "desk.Tick",
            "desk.Turn",
            "inbound.InboundEvent",
            "movein.CompanyArchive",
            "tickets.BotPause",
            "tickets.BotTurn",
            "tickets.Delivery",
            "tickets.EarlyReference",
            "tickets.MediaFetch",
            "tickets.RatingRequest",
            "tickets.Snooze",
        ),
        "work in progress, and conversations of machines",
    ),
    **dict.fromkeys(
        (
            "automation.IntegrationCall",
            "connections.BegunConversation",
            "connections.SendPace",
            "desk.RuleRun",
            "tickets.ApiSend",
            "tickets.DaySums",
            "tickets.HistoryRoom",
        ),
        "logs that are deleted after days, and figures that are made anew",
    ),
    **dict.fromkeys(
        ("connections.OperatorAccount", "connections.TemplateMedia"),
        "bound to the operator's account at Meta",
    ),
    **dict.fromkeys(
        ("billing.PixCharge", "billing.Payment", "billing.Credit", "billing.PixNotice"),
        "between the company and the former operator",
    ),
    "companies.Retention": "chosen anew, so that nothing is deleted where it has just arrived",
    "movein.MoveIn": "the operator's",
    "campaigns.RememberedNumber": "digests with the key of the former installation",
    "contacts.ContactMerge": "what undoes a merge names rows by their ids",
}

BY_NAME = {table.name: table for table in TABLES}
_BY_MODEL = {table.model: table for table in TABLES}


@cache
def columns_of(name: str) -> tuple[Column, ...]:
    """Return the columns of a table that an archive may have, the key first."""
    table = BY_NAME[name]
    found = []
    for each in table.model._meta.concrete_fields:
        if each.generated or each.attname in table.lacks:
            continue
        refers = table.ids.get(each.attname, "")
        if each.is_relation and each.related_model is not None:
            refers = _BY_MODEL[each.related_model].name
        found.append(Column(each.attname, each, refers))
    return tuple(sorted(found, key=lambda each: not each.field.primary_key))


@cache
def named_tables() -> frozenset[str]:
    """Return the tables that others refer to: what became of their rows must be known."""
    named = {each.refers for table in TABLES for each in columns_of(table.name)} - {""}
    linked = {table.name for table in TABLES if table.later}
    return frozenset(named | linked | set(ORIGINS.values()) | {COMPANY})
