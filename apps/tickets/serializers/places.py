"""Requests that decide a ticket's place in the lists (rules/tickets §17)."""

from rest_framework import serializers

from apps.common.serializers import StrictSerializer
from apps.tickets.models import TicketPriority
from apps.tickets.serializers.tickets import PRIORITIES


class PrioritySerializer(StrictSerializer):
    """The priority that a ticket has from now on."""

    priority = serializers.ChoiceField(choices=PRIORITIES)

    def validate_priority(self, name: str) -> TicketPriority:
        return TicketPriority[name.upper()]
