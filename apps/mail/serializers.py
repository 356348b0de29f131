"""The wire shapes of e-mails that users write."""

import re
from datetime import datetime
from typing import Any

from django.core.exceptions import ValidationError
from django.core.validators import EmailValidator
from rest_framework import serializers

from apps.common.leases import LeaseState
from apps.common.serializers import RowSerializer
from apps.mail.models import Mail

MOST_RECIPIENTS = 50
LONGEST_MESSAGE = 20_000
_STATES = {LeaseState.DONE: "sent", LeaseState.FAILED: "failed"}
# An SMTP server's answer begins with its code; other errors are for the operator only.
_SERVER_SAID = re.compile(r"[245]\d\d ")
_is_address = EmailValidator()


def _required(sentence: str) -> dict[str, Any]:
    return dict.fromkeys(("required", "blank", "null"), sentence)


class EmailInputSerializer(serializers.Serializer[Any]):
    """An e-mail to send (rules/emails §1)."""

    email = serializers.CharField(
        max_length=MOST_RECIPIENTS * 256,
        error_messages=_required("Informe pelo menos um destinatário."),
        help_text="Up to 50 recipients, separated by commas or semicolons.",
    )
    assunto = serializers.CharField(
        source="subject", max_length=200, error_messages=_required("Informe o assunto.")
    )
    mensagem = serializers.CharField(
        source="message",
        max_length=LONGEST_MESSAGE,
        error_messages=_required("Escreva a mensagem."),
    )

    def validate_email(self, text: str) -> list[str]:
        """Return the addresses, each once."""
        found = [part.strip() for part in re.split(r"[,;]", text)]
        addresses = {address.lower(): address for address in found if address}
        if not addresses:
            raise serializers.ValidationError("Informe pelo menos um destinatário.", "required")
        if len(addresses) > MOST_RECIPIENTS:
            sentence = f"Envie para até {MOST_RECIPIENTS} destinatários de uma vez."
            raise serializers.ValidationError(sentence, "max_length")
        for address in addresses.values():
            try:
                _is_address(address)
            except ValidationError as error:
                sentence = f"{address[:254]} não é um e-mail válido."
                raise serializers.ValidationError(sentence, "invalid") from error
            if len(address) > 254:
                raise serializers.ValidationError("Um dos e-mails é longo demais.", "max_length")
        return list(addresses.values())

    def validate_assunto(self, subject: str) -> str:
        """Refuse control characters: each line after a line break would be a header of its own."""
        if not subject.isprintable():
            sentence = "O assunto tem uma linha só, sem caracteres de controle."
            raise serializers.ValidationError(sentence, "invalid")
        return subject


class OlderEmailInputSerializer(EmailInputSerializer):
    """An e-mail to send, as older browsers post it."""

    tokenSenha = serializers.CharField(
        required=False,
        allow_blank=True,
        allow_null=True,
        help_text="Ignored; older browsers send it.",
    )


class EmailSerializer(RowSerializer):
    """An e-mail that a user of the company wrote."""

    id = serializers.IntegerField()
    subject = serializers.CharField()
    sender = serializers.CharField(
        source="recipient", help_text="The recipient, under the name that older browsers read."
    )
    message = serializers.CharField(source="body")
    status = serializers.ChoiceField(choices=["waiting", "sent", "failed"])
    reason = serializers.CharField(
        help_text=(
            "Last reply of the mail server, for example `550 No such user`; '' if there is"
            " none, or the e-mail was sent."
        )
    )
    authorName = serializers.CharField(source="author_name")
    createdAt = serializers.DateTimeField(source="created_at")
    sentAt = serializers.DateTimeField(allow_null=True)

    def _read_status(self, mail: Mail) -> str:
        return _STATES.get(LeaseState(mail.state), "waiting")

    def _read_reason(self, mail: Mail) -> str:
        is_sent = mail.state == LeaseState.DONE
        said = not is_sent and _SERVER_SAID.match(mail.last_error)
        return mail.last_error[:300] if said else ""

    def _read_sentAt(self, mail: Mail) -> datetime | None:
        return mail.finished_at if mail.state == LeaseState.DONE else None


class EmailPageSerializer(serializers.Serializer[Any]):
    """A page of e-mails that users of the company wrote."""

    emails = EmailSerializer(many=True)
    count = serializers.IntegerField()
    hasMore = serializers.BooleanField()
    enabled = serializers.BooleanField(help_text="Whether this server can send e-mails.")


class SentEmailsSerializer(serializers.Serializer[Any]):
    """The e-mails that were queued for sending, one for each recipient."""

    message = serializers.CharField()
    emails = EmailSerializer(many=True)
