"""The wire shapes of a company's plan and its change (rules/billing §6)."""

from typing import Any

from rest_framework import serializers

from apps.billing.serializers.invoices import InvoiceSerializer
from apps.common.serializers import IdField, RowSerializer

RESOURCES = ("users", "connections", "queues", "schedules", "campaigns")


class PlanUseSerializer(RowSerializer):
    """How many of a resource the company has, and how many the plan allows (0: no limit)."""

    resource = serializers.ChoiceField(choices=RESOURCES)
    used = serializers.IntegerField()
    allowed = serializers.IntegerField()


class PlanChangeSerializer(RowSerializer):
    """A plan to change to; prices are in reais.

    `value` is the price for a month, `price` that for the company's recurrence. `toPay` or `credit`
    is the difference for the days that are left. A plan with `exceeded` limits is refused.
    """

    id = serializers.IntegerField(source="plan.id")
    name = serializers.CharField(source="plan.name")
    users = serializers.IntegerField(source="plan.users")
    connections = serializers.IntegerField(source="plan.connections")
    queues = serializers.IntegerField(source="plan.queues")
    value = serializers.FloatField(source="plan.value")
    price = serializers.FloatField()
    toPay = serializers.FloatField(source="to_pay")
    credit = serializers.FloatField()
    exceeded = PlanUseSerializer(many=True)


class SubscribedPlanSerializer(RowSerializer):
    """The company's plan with its use, the plans to change to, and a change that is not paid yet.

    `credit` is what later invoices use up, `owed` what the next one asks for besides, in reais.
    Without `offers` the plan is free: only the operator changes it.
    """

    planId = serializers.IntegerField(source="plan.id")
    name = serializers.CharField(source="plan.name")
    value = serializers.FloatField(source="plan.value")
    dueDate = serializers.DateField(source="company.due_date")
    recurrence = serializers.CharField(source="company.recurrence")
    isTrial = serializers.BooleanField(source="is_trial")
    credit = serializers.FloatField()
    owed = serializers.FloatField()
    use = PlanUseSerializer(many=True)
    pending = InvoiceSerializer(allow_null=True)
    offers = PlanChangeSerializer(many=True)


class PlanChoiceSerializer(serializers.Serializer[Any]):
    """The id of the plan to change to; the own plan cancels a change that is not paid yet."""

    plan = IdField()
