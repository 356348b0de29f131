"""The steps by which an official number is set up: checks, Meta's signup and the webhook."""

from typing import Any

from rest_framework import serializers

from apps.common.serializers import BooleanField, OptionalIdField, RowSerializer, TextField
from apps.connections.models import SetupProblem, SetupState, SetupStep
from apps.connections.serializers.connections import ConnectionSerializer


class SetupWriteSerializer(serializers.Serializer[Any]):
    """The setup step to check, and the values of the form.

    An empty or masked `accessToken` stands for that of the connection `id`, else for the
    operator's. `subscribes` first subscribes the token's app to the account.
    """

    step = serializers.ChoiceField(choices=SetupStep.choices)
    id = OptionalIdField(source="connection_id")
    phone_number_id = TextField(max_length=50)
    waba_id = TextField(max_length=50)
    accessToken = TextField(source="access_token", max_length=2000, write_only=True)
    subscribes = BooleanField(required=False, default=False)


class SetupCheckSerializer(RowSerializer):
    """The result of checking one setup step; it contains no secret."""

    step = serializers.ChoiceField(choices=SetupStep.choices)
    state = serializers.ChoiceField(choices=SetupState.choices)
    problem = serializers.ChoiceField(choices=SetupProblem.choices, allow_blank=True)
    detail = serializers.CharField(allow_blank=True)
    number = serializers.CharField(allow_blank=True)
    name = serializers.CharField(allow_blank=True)


class SignupOfferSerializer(RowSerializer):
    """What a browser needs to open Meta's embedded signup; empty texts if it is not offered."""

    isOffered = serializers.BooleanField(source="is_offered")
    appId = serializers.CharField(source="app_id", allow_blank=True)
    configId = serializers.CharField(source="config_id", allow_blank=True)
    version = serializers.CharField(allow_blank=True, help_text="Version of Meta's Graph API.")
    sdkUrl = serializers.CharField(source="sdk_url", allow_blank=True)
    origins = serializers.ListField(
        child=serializers.CharField(),
        help_text="Origins of the messages that Meta's window posts to the page.",
    )


class SignupWriteSerializer(serializers.Serializer[Any]):
    """The result of Meta's signup window.

    Meta does not name every number that stays on its phone, so `phone_number_id` may be empty.
    """

    code = serializers.CharField(max_length=2000, write_only=True)
    waba_id = serializers.CharField(max_length=50)
    phone_number_id = TextField(max_length=50)
    coexistence = BooleanField(source="is_coexistence", required=False, default=False)
    pin = TextField(max_length=6, write_only=True)


class SignedUpSerializer(RowSerializer):
    """The connection, and the PIN that was made for its number, which only this response has."""

    connection = ConnectionSerializer()
    pin = serializers.CharField(allow_blank=True)


class WebhookSerializer(serializers.Serializer[Any]):
    """The webhook's address and verify token, to be entered at Meta."""

    address = serializers.CharField()
    verifyToken = serializers.CharField(allow_blank=True)
