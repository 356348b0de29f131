from typing import TYPE_CHECKING

from django.apps import AppConfig

if TYPE_CHECKING:
    from apps.accounts.models import User
    from apps.automation.models import Prompt, QueueIntegration
    from apps.connections.models import Connection
    from apps.contacts.models import Contact
    from apps.queues.models import Queue


class TicketsConfig(AppConfig):
    name = "apps.tickets"

    def ready(self) -> None:
        from apps.accounts.services import user_leaves
        from apps.automation.services.integrations import integration_leaves
        from apps.automation.services.prompts import prompt_leaves
        from apps.connections.services import connection_leaves
        from apps.contacts.services import contact_leaves, contacts_merge
        from apps.queues.services.queues import queue_leaves

        user_leaves.register(return_tickets)
        queue_leaves.register(free_tickets)
        connection_leaves.register(close_tickets)
        contact_leaves.register(forget_tickets)
        contacts_merge.register(merge_tickets)
        prompt_leaves.register(free_from_prompt)
        integration_leaves.register(free_from_integration)


# The services import models, so they are looked up when a hook calls.


def return_tickets(*, user: "User") -> None:
    from apps.tickets.services import departures

    departures.return_tickets_of(user)


def free_tickets(*, queue: "Queue") -> None:
    from apps.tickets.services import departures

    departures.free_tickets_of(queue)


def close_tickets(*, connection: "Connection") -> None:
    from apps.tickets.services import departures

    departures.close_tickets_of(connection)


def forget_tickets(contact: "Contact") -> None:
    from apps.tickets.services import departures

    departures.forget_tickets_of(contact)


def merge_tickets(keep: "Contact", gone: "Contact") -> None:
    from apps.tickets.services import departures

    departures.merge_tickets(keep, gone)


def free_from_prompt(*, prompt: "Prompt") -> None:
    from apps.tickets.services import departures

    departures.end_bots_of(prompt)


def free_from_integration(*, integration: "QueueIntegration") -> None:
    from apps.tickets.services import departures

    departures.end_bots_of(integration)
