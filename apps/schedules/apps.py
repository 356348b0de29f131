from collections.abc import Sequence
from typing import TYPE_CHECKING

from django.apps import AppConfig

if TYPE_CHECKING:
    from apps.contacts.models import Contact
    from apps.tickets.models import Message


class SchedulesConfig(AppConfig):
    name = "apps.schedules"

    def ready(self) -> None:
        from apps.contacts.services import contact_leaves, contacts_merge
        from apps.tickets.services.statuses import outcomes_recorded

        contact_leaves.register(forget_schedules)
        contacts_merge.register(move_schedules)
        outcomes_recorded.register(settle_schedules)


# The services import models, so they are looked up when a hook calls.


def forget_schedules(contact: "Contact") -> None:
    from apps.schedules.services import departures

    departures.forget_schedules_of(contact)


def move_schedules(keep: "Contact", gone: "Contact") -> None:
    from apps.schedules.services import departures

    departures.move_schedules(keep, gone)


def settle_schedules(messages: "Sequence[Message]") -> None:
    from apps.schedules.services import outcomes

    outcomes.settle(messages)
