"""The data for the bot's decisions, read for many tickets in a constant number of queries."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from zoneinfo import ZoneInfo

from django.utils.functional import cached_property

from apps.automation.models import Prompt, QueueIntegration
from apps.common.compiled_queries import CompiledQuery
from apps.common.hours import DaysOff
from apps.companies.holidays import DAYS_OFF_KEYS, days_off_in
from apps.companies.models import SETTINGS, Company, CompanySetting
from apps.connections.capabilities import capabilities_of_kind
from apps.connections.models import Connection, ConnectionQueue
from apps.connections.providers.inbound import FORM_ANSWER, SHARED_NUMBER
from apps.connections.services import published_forms
from apps.queues.models import QUEUE_ORDER, Queue, QueueOption
from apps.tickets.bot_states import BotState
from apps.tickets.models import Message, Ticket
from apps.tickets.services.bot.routing import (
    CompanyView,
    ConnectionView,
    FileView,
    FormAnswer,
    MessageView,
    OptionView,
    QueueView,
    TicketView,
)

KEYS = (
    *("scheduleType", "chatBotType", "alertReceivingAudio", "timeZone", "country"),
    *DAYS_OFF_KEYS,
)
# Deeper trees cannot be saved. The limit stops the recursion if rows form a cycle.
MAX_DEPTH = 20


_SETTINGS = CompiledQuery(
    lambda ids: CompanySetting.objects.filter(company__among=ids, key__in=KEYS).values_list(
        "company_id", "key", "value"
    )
)


@dataclass(frozen=True)
class Rules:
    schedule_type: str
    menu_type: str
    alert_audio: bool
    zone: ZoneInfo
    country: str
    days_off: DaysOff


def rules_of(company_ids: Iterable[int]) -> dict[int, Rules]:
    """Return the bot settings of companies, in one query."""
    values: dict[int, dict[str, str]] = {
        company_id: {key: SETTINGS[key][0] for key in KEYS} for company_id in company_ids
    }
    for company_id, key, value in _SETTINGS.rows(ids=list(values)):
        values[company_id][key] = value
    return {
        company_id: Rules(
            schedule_type=each["scheduleType"],
            menu_type=each["chatBotType"],
            alert_audio=each["alertReceivingAudio"] == "enabled",
            zone=ZoneInfo(each["timeZone"]),
            country=each["country"],
            days_off=days_off_in(each),
        )
        for company_id, each in values.items()
    }


def ticket_view(ticket: Ticket) -> TicketView:
    """Return a ticket as the decision functions see it."""
    return TicketView(
        queue_id=ticket.queue_id,
        is_group=ticket.is_group,
        has_user=ticket.user_id is not None,
        has_number=ticket.contact.canonical_number.isdecimal(),
        state=BotState.of(ticket.bot_state),
    )


def message_view(message: Message, choice_id: str = "", *, is_hasty: bool = False) -> MessageView:
    """Return a contact's message as the decision functions see it."""
    return MessageView(
        message.body,
        message.media_type,
        choice_id,
        message.pk,
        is_hasty=is_hasty,
        shared_number=(message.data or {}).get(SHARED_NUMBER, ""),
        form=_form_of(message),
    )


def _form_of(message: Message) -> FormAnswer | None:
    """Return the answer to a form, as `form_answers.py` stored it; None for other messages."""
    told = (message.data or {}).get(FORM_ANSWER)
    if not isinstance(told, dict):
        return None
    return FormAnswer(told.get("first"), {each["optionId"]: each["text"] for each in told["given"]})


def own_queue_id(integration: QueueIntegration | None, prompt: Prompt | None) -> int | None:
    """Return the queue that the prompt or integration names for contacts led to no queue."""
    if prompt is not None:
        return prompt.queue_id
    return integration.fallback_queue_id if integration is not None else None


@dataclass
class BotContext:
    """The connections, queues and companies of some tickets."""

    queues: Mapping[int, Queue]
    _connections_by_id: Mapping[int, ConnectionView]
    _companies: Mapping[int, CompanyView]

    def connection_of(self, ticket: Ticket) -> ConnectionView:
        """Return the ticket's connection; an empty one when it was deleted."""
        return self._connections_by_id.get(ticket.connection_id or 0) or ConnectionView()

    def company_of(self, ticket: Ticket) -> CompanyView:
        return self._companies[ticket.company_id]


def load_context(tickets: Sequence[Ticket], rules: Mapping[int, Rules]) -> BotContext:
    """Read what the bot needs for tickets of any companies; `rules` come from `rules_of`.

    Options are read for every queue that a ticket may be in after this decision.
    """
    return _ContextReader(tickets, rules).context()


@dataclass
class _ContextReader:
    tickets: Sequence[Ticket]
    rules: Mapping[int, Rules]
    _options: dict[int, list[QueueOption]] = field(default_factory=lambda: defaultdict(list))

    def context(self) -> BotContext:
        queues = {queue.pk: queue for queue in self._queues}
        self._read_options(queues)
        views = {pk: self._queue_view(queue) for pk, queue in queues.items()}
        connections = {
            pk: self._connection_view(connection, views)
            for pk, connection in self._connections.items()
        }
        companies = {pk: self._company_view(pk, views) for pk in self._features}
        return BotContext(queues, connections, companies)

    @cached_property
    def _connections(self) -> dict[int, Connection]:
        found = (ticket.connection for ticket in self.tickets)
        return {connection.pk: connection for connection in found if connection is not None}

    @cached_property
    def _company_ids(self) -> set[int]:
        return {ticket.company_id for ticket in self.tickets}

    @cached_property
    def _features(self) -> dict[int, tuple[list[dict[str, str]], bool, bool]]:
        """Return each company's hours and whether its plan includes integrations and prompts."""
        rows = Company.objects.filter(pk__in=self._company_ids).values_list(
            "pk", "schedules", "plan__use_integrations", "plan__use_open_ai"
        )
        return {pk: (schedules, flows, models) for pk, schedules, flows, models in rows}

    @cached_property
    def _queues(self) -> list[Queue]:
        # An option may lead to any queue of the company. A company has few queues, so all are read.
        return list(Queue.objects.filter(company__in=self._company_ids).order_by(*QUEUE_ORDER))

    @cached_property
    def _links(self) -> dict[int, set[int]]:
        links: dict[int, set[int]] = defaultdict(set)
        rows = ConnectionQueue.objects.filter(connection__in=self._connections)
        for connection_id, queue_id in rows.values_list("connection_id", "queue_id"):
            links[connection_id].add(queue_id)
        return links

    def _read_options(self, queues: Mapping[int, Queue]) -> None:
        """Read the options of the queues in reach, then those of their target queues."""
        near = {queue_id for linked in self._links.values() for queue_id in linked}
        near |= {ticket.queue_id for ticket in self.tickets if ticket.queue_id is not None}
        targets = self._read_options_of(near)
        self._read_options_of(targets - near)

    def _read_options_of(self, queue_ids: set[int]) -> set[int]:
        targets = set()
        rows = QueueOption.objects.filter(queue__in=queue_ids) if queue_ids else ()
        for option in rows:
            self._options[option.queue_id].append(option)
            if option.redirection_queue_id is not None:
                targets.add(option.redirection_queue_id)
        return targets

    def _queue_view(self, queue: Queue) -> QueueView:
        _, flows, models = self._features[queue.company_id]
        children: dict[int | None, list[QueueOption]] = defaultdict(list)
        for option in self._options.get(queue.pk, ()):
            children[option.parent_id].append(option)
        return QueueView(
            id=queue.pk,
            name=queue.name,
            greeting=queue.greeting_message,
            out_of_hours_message=queue.out_of_hours_message,
            schedules=queue.schedules,
            options=_tree(children, None, MAX_DEPTH),
            integration_id=queue.integration_id if flows else None,
            prompt_id=queue.prompt_id if models else None,
        )

    def _connection_view(
        self, connection: Connection, views: Mapping[int, QueueView]
    ) -> ConnectionView:
        _, flows, models = self._features[connection.company_id]
        linked = self._links.get(connection.pk, set())
        return ConnectionView(
            greeting=connection.greeting_message,
            out_of_hours_message=connection.out_of_hours_message,
            queues=tuple(view for pk, view in views.items() if pk in linked),
            max_menus=connection.bot_max_menus,
            interval_minutes=connection.bot_interval_minutes,
            keyword=connection.transfer_keyword,
            keyword_queue_id=connection.transfer_keyword_queue_id,
            integration_id=connection.integration_id if flows else None,
            prompt_id=connection.prompt_id if models else None,
            native_menus=capabilities_of_kind(connection.provider).native_menus,
            fallback_queue_id=self._own_queue_id(connection) or connection.transfer_queue_id,
            fallback_message=connection.fallback_message,
            forms=self._forms.get(connection.pk, {}),
        )

    @cached_property
    def _forms(self) -> dict[int, dict[str, str]]:
        """Return the published forms of each connection; none are read if no option wants one."""
        options = (option for menu in self._options.values() for option in menu)
        asks = any(option.asks_together for option in options)
        return published_forms(self._connections.values()) if asks else {}

    @cached_property
    def _own_queues(self) -> tuple[dict[int, int | None], dict[int, int | None]]:
        """Return the queues of the connections' integrations and of their prompts."""
        connections = self._connections.values()
        flows = {each.integration_id for each in connections if each.integration_id is not None}
        models = {each.prompt_id for each in connections if each.prompt_id is not None}
        of_flows = QueueIntegration.objects.filter(pk__in=flows) if flows else ()
        of_models = Prompt.objects.filter(pk__in=models) if models else ()
        return (
            {each.pk: each.fallback_queue_id for each in of_flows},
            {each.pk: each.queue_id for each in of_models},
        )

    def _own_queue_id(self, connection: Connection) -> int | None:
        """Return the queue that the connection's integration or prompt names as fallback."""
        _, flows, models = self._features[connection.company_id]
        of_flows, of_models = self._own_queues
        if connection.integration_id is not None and flows:
            return of_flows.get(connection.integration_id)
        if connection.prompt_id is not None and models:
            return of_models.get(connection.prompt_id)
        return None

    def _company_view(self, company_id: int, views: Mapping[int, QueueView]) -> CompanyView:
        rules, (schedules, _, _) = self.rules[company_id], self._features[company_id]
        own: dict[int | str, QueueView] = {
            queue.pk: views[queue.pk] for queue in self._queues if queue.company_id == company_id
        }
        return CompanyView(
            zone=rules.zone,
            schedule_type=rules.schedule_type,
            schedules=schedules,
            days_off=rules.days_off,
            menu_type=rules.menu_type,
            alert_audio=rules.alert_audio,
            country=rules.country,
            queues=own,
        )


def _tree(
    children: Mapping[int | None, Sequence[QueueOption]], parent_id: int | None, depth: int
) -> tuple[OptionView, ...]:
    return tuple(
        OptionView(
            id=option.pk,
            title=option.title,
            message=option.message,
            redirection_queue_id=option.redirection_queue_id,
            tag_id=option.tag_id,
            asks=option.asks,
            asks_field=option.asks_field,
            asks_together=option.asks_together,
            file=_file(option),
            children=_tree(children, option.pk, depth - 1) if depth else (),
        )
        for option in children.get(parent_id, ())
    )


def _file(option: QueueOption) -> FileView | None:
    if not option.media_path:
        return None
    return FileView(
        option.pk, option.media_path, option.media_name, option.media_mime, option.media_size or 0
    )
