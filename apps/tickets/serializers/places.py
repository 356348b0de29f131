"""Requests that decide a ticket's place in the lists (rules/tickets §17 and §18)."""

from rest_framework import serializers

from apps.common.serializers import StrictSerializer, ZonedDateTimeField
from apps.tickets.models import TicketPriority
from apps.tickets.serializers.tickets import PRIORITIES


class PrioritySerializer(StrictSerializer):
    """The priority that a ticket has from now on."""

    priority = serializers.ChoiceField(choices=PRIORITIES)

    def validate_priority(self, name: str) -> TicketPriority:
        return TicketPriority[name.upper()]


class SnoozeSerializer(StrictSerializer):
    """Until when a ticket is put aside; null: until the contact writes.

    A time without a zone is in the company's.
    """

    until = ZonedDateTimeField(allow_null=True)
