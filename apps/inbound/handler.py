"""The one handler of everything that providers report (rules/inbound §4).

It turns stored events into the wire-neutral form and hands them to the domain; whatever the
provider, what happens then is the same.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from django.utils import timezone

from apps.campaigns.services.opting_out import take_preferences
from apps.connections.models import Connection, ProviderKind
from apps.connections.providers.beta.reading import parse_event
from apps.connections.providers.inbound import (
    InboundAccount,
    InboundAddresses,
    InboundAlias,
    InboundCall,
    InboundFigures,
    InboundForm,
    InboundGroup,
    InboundHandover,
    InboundHistory,
    InboundIdentity,
    InboundMessage,
    InboundPreferences,
    InboundStatus,
    InboundTemplate,
)
from apps.connections.providers.official.webhook import parse_notice, status_ids
from apps.connections.services import note_addresses, note_history
from apps.connections.services.figures import apply_figures
from apps.connections.services.forms import apply_form_news
from apps.connections.services.sessions import apply_account_change
from apps.connections.services.template_news import apply_template_news
from apps.contacts.services import (
    follow_identity,
    join_identities,
    learn_addresses,
    name_group,
)
from apps.inbound.models import InboundEvent
from apps.tickets.services.messages.history import import_history
from apps.tickets.services.outbox.statuses import apply_statuses, may_be_ours
from apps.tickets.services.receiving.calls import receive_call
from apps.tickets.services.receiving.handovers import note_handover
from apps.tickets.services.receiving.messages import is_plain, receive_messages

InboundContent = (
    InboundMessage
    | InboundStatus
    | InboundCall
    | InboundAccount
    | InboundFigures
    | InboundForm
    | InboundIdentity
    | InboundHandover
    | InboundAlias
    | InboundGroup
    | InboundTemplate
    | InboundHistory
    | InboundAddresses
    | InboundPreferences
    | None
)
Parser = Callable[[str, dict[str, Any]], InboundContent]
PARSERS: dict[str, Parser] = {
    ProviderKind.OFFICIAL: parse_notice,
    ProviderKind.BETA: parse_event,
}

# How long a status may arrive before the row of its message is stored, and how often it is retried.
AHEAD_SECONDS = 60
LOOK_AGAIN_SECONDS = 1.0


@dataclass(frozen=True)
class Report:
    """A parsed event; `content` is the exception where parsing failed."""

    event: InboundEvent
    connection: Connection
    content: InboundContent | Exception

    @property
    def conversation(self) -> tuple[int, str]:
        """Name the conversation whose events are handled in order."""
        return self.connection.pk, self.event.partition

    @property
    def is_plain(self) -> bool:
        """Tell whether the event may share a batch with others, even of its own conversation."""
        if isinstance(self.content, InboundMessage):
            return is_plain(self.content)
        return self.content is None or isinstance(self.content, InboundStatus)


class NotYet(Exception):
    """Some events refer to rows that are not stored yet; retry them in `seconds`."""

    def __init__(self, reports: Sequence[Report], *, seconds: float) -> None:
        self.reports = reports
        self.seconds = seconds
        super().__init__("A mensagem ainda não foi registrada.")


def read(event: InboundEvent, connection: Connection) -> Report:
    """Read a stored event; never raises."""
    try:
        return Report(event, connection, PARSERS[connection.provider](event.kind, event.payload))
    except Exception as error:
        return Report(event, connection, error)


def handle(reports: Sequence[Report]) -> None:
    """Handle plain events, or one that is not plain, in the caller's transaction.

    Raises NotYet; the caller then calls again without the events that it names.
    """
    messages, statuses = [], []
    for report in reports:
        content = report.content
        if isinstance(content, Exception):
            raise content
        if isinstance(content, InboundMessage):
            messages.append((report.connection, content))
        elif isinstance(content, InboundStatus):
            statuses.append((report.connection, content))
        else:
            _follow(report.connection, content)
    # Messages come first: they lock tickets, and locks are taken in the order ticket, message.
    if messages:
        receive_messages(messages)
        _catch_up(messages)
    if statuses:
        _, unknown = apply_statuses(statuses)
        # Messages of another program on the same number, unless some of ours are on their way.
        if ours := may_be_ours([each for each in unknown if not each[1].is_copy]):
            _look_again(reports, {id(status) for _, status in ours})


def _follow(connection: Connection, content: InboundContent) -> None:
    """Handle one event that is neither a message nor a status."""
    company_id = connection.company_id
    match content:
        case InboundCall():
            receive_call(connection=connection, call=content)
        case InboundAccount():
            apply_account_change(connection, content)
        case InboundFigures():
            apply_figures(connection, content)
        case InboundForm():
            apply_form_news(connection, content)
        case InboundTemplate():
            apply_template_news(connection, content)
        case InboundIdentity():
            follow_identity(company_id=company_id, identity=content)
        case InboundHandover():
            note_handover(connection, content)
        case InboundAlias(number=number, lid=lid):
            join_identities(company_id=company_id, number=number, lid=lid)
        case InboundHistory():
            count = import_history(connection=connection, messages=content.messages)
            note_history(connection, content, count=count)
        case InboundAddresses(entries=entries):
            count = learn_addresses(connection=connection, entries=entries)
            note_addresses(connection, count=count)
        case InboundPreferences():
            take_preferences(connection, content)
        case InboundGroup(group=group, subject=subject):
            name_group(company_id=company_id, group=group, name=subject)


def _catch_up(messages: Sequence[tuple[Connection, InboundMessage]]) -> None:
    """Apply the statuses that arrived before the message of another responder.

    Their events are handled and kept. An own message is stored before it is sent.
    """
    for connection, inbound in messages:
        if not (inbound.is_copy and inbound.from_me):
            continue
        events = InboundEvent.objects.filter(
            connection=connection, event_id__in=status_ids(inbound.external_id)
        ).order_by("pk")
        read = [parse_notice(event.kind, event.payload) for event in events]
        apply_statuses([(connection, each) for each in read if isinstance(each, InboundStatus)])


def _look_again(reports: Sequence[Report], unknown: set[int]) -> None:
    since = timezone.now() - timedelta(seconds=AHEAD_SECONDS)
    ahead = [
        report
        for report in reports
        if id(report.content) in unknown and report.event.received_at > since
    ]
    if ahead:
        raise NotYet(ahead, seconds=LOOK_AGAIN_SECONDS)
