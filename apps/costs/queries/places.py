"""Where the automatic texts that can be stopped are set (rules/costs §7)."""

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property

from apps.companies.queries import settings_of
from apps.connections.models import Connection, ProviderKind
from apps.queues.models import Queue, QueueOption
from apps.tickets.origins import Origin

ON, OFF = "enabled", "disabled"


class PlaceKind(StrEnum):
    """What holds a text: an official number, a queue, or a setting that switches it on."""

    CONNECTION = "connection"
    QUEUE = "queue"
    SETTING = "setting"


QUEUE_FIELDS: dict[str, str] = {
    Origin.FAREWELL: "completion_message",
    Origin.GREETING: "greeting_message",
    Origin.OUT_OF_HOURS: "out_of_hours_message",
}
CONNECTION_FIELDS: dict[str, str] = {
    Origin.FAREWELL: "completion_message",
    Origin.INACTIVE: "inactive_message",
    Origin.OUT_OF_HOURS: "out_of_hours_message",
}
SETTING_KEYS: dict[str, str] = {
    Origin.ACCEPTED: "sendGreetingAccepted",
    Origin.AUDIO_ALERT: "alertReceivingAudio",
    Origin.RATING: "userRating",
    Origin.TRANSFERRED: "sendMsgTransfTicket",
}
# Texts of one queue: their origin always names it.
OF_A_QUEUE = frozenset({Origin.GREETING})
# Texts of all connections, and of a queue where the origin names one.
OF_ONE_OR_ALL = frozenset({Origin.OUT_OF_HOURS})


@dataclass(frozen=True)
class Place:
    """A place of a text; `field` is its model field, or the setting's key.

    `text` is '' where it is not sent. `begins_menu`: it also begins the queue's menu of options.
    """

    kind: PlaceKind
    id: int | None
    name: str
    field: str
    text: str
    begins_menu: bool = False

    @property
    def is_sent(self) -> bool:
        return bool(self.text.strip())

    @property
    def key(self) -> tuple[str, int | None]:
        return self.kind.value, self.id


class Places:
    """A company's queues, official numbers and settings; each kind is read at most once."""

    def __init__(self, company_id: int) -> None:
        self._company_id = company_id

    def of(self, origin: str) -> list[Place]:
        """Return all places of a text that can be stopped; none for another, or a foreign queue."""
        kind, _, record = origin.partition(":")
        if kind in SETTING_KEYS:
            key = SETTING_KEYS[kind]
            text = ON if self._settings[key] == ON else ""
            return [Place(PlaceKind.SETTING, None, key, key, text)]
        if record or kind in OF_A_QUEUE:
            own = [each for each in self._queues if str(each.pk) == record]
            return self._held(PlaceKind.QUEUE, own, QUEUE_FIELDS.get(kind))
        queues = [] if kind in OF_ONE_OR_ALL else self._queues
        return [
            *self._held(PlaceKind.QUEUE, queues, QUEUE_FIELDS.get(kind)),
            *self._held(PlaceKind.CONNECTION, self._connections, CONNECTION_FIELDS.get(kind)),
        ]

    def _held(
        self, kind: PlaceKind, records: Iterable[Queue | Connection], field: str | None
    ) -> list[Place]:
        return [
            Place(
                kind,
                each.pk,
                each.name,
                field,
                getattr(each, field),
                begins_menu=field == "greeting_message" and each.pk in self._with_options,
            )
            for each in records
            if field
        ]

    @cached_property
    def _queues(self) -> list[Queue]:
        return list(Queue.objects.for_company(self._company_id))

    @cached_property
    def _with_options(self) -> set[int]:
        options = QueueOption.objects.for_company(self._company_id)
        return set(options.values_list("queue_id", flat=True).distinct())

    @cached_property
    def _connections(self) -> list[Connection]:
        own = Connection.objects.for_company(self._company_id)
        return list(own.filter(provider=ProviderKind.OFFICIAL).order_by("name", "pk"))

    @cached_property
    def _settings(self) -> dict[str, str]:
        return settings_of(self._company_id)
