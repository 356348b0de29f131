"""The wire shape of how questions that are asked together are asked."""

from rest_framework import serializers

from apps.common.serializers import RowSerializer


class QueueFormSerializer(RowSerializer):
    """How the questions that begin at an option are asked on a connection of the queue.

    `form`: in a form. `publishing`: one by one, until Meta has published the form. `refused`: one
    by one, because Meta refused the form. `stopped`: one by one, because Meta does not send the
    form any more, or only a few an hour. `one_by_one`: the number has no forms.
    """

    optionId = serializers.IntegerField(source="option_id")
    connectionId = serializers.IntegerField(source="connection.pk")
    connectionName = serializers.CharField(source="connection.name")
    state = serializers.ChoiceField(["form", "publishing", "refused", "stopped", "one_by_one"])
    reason = serializers.CharField(
        allow_blank=True,
        help_text="Why Meta refused or stopped the form, in Portuguese; '' otherwise.",
    )
    reasonCode = serializers.CharField(source="reason_code", allow_blank=True)
    reasonDetail = serializers.CharField(source="reason_detail", allow_blank=True)
