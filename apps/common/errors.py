"""Errors of the domain and their one shape on the wire (rules/wire §4)."""

import logging
from collections.abc import Iterable, Mapping
from itertools import islice
from typing import Any, ClassVar

from django.conf import settings
from django.core.exceptions import (
    PermissionDenied,
    SuspiciousOperation,
    TooManyFieldsSent,
    TooManyFilesSent,
)
from django.db import IntegrityError
from django.http import Http404
from rest_framework import exceptions
from rest_framework.response import Response

from apps.common.media_folder import NO_ROOM

logger = logging.getLogger(__name__)

# PostgreSQL's code of a broken foreign key; Django's foreign keys are checked at commit.
FOREIGN_KEY_VIOLATION = "23503"

# rules/wire §4: older browsers translate these codes. They show any other text as it is, so they
# get the sentence.
CODES_KNOWN_TO_OLDER_BROWSERS = frozenset(
    {
        "ERR_NO_OTHER_WHATSAPP",
        "ERR_NO_DEF_WAPP_FOUND",
        "ERR_WAPP_NOT_INITIALIZED",
        "ERR_WAPP_CHECK_CONTACT",
        "ERR_WAPP_INVALID_CONTACT",
        "ERR_WAPP_DOWNLOAD_MEDIA",
        "ERR_INVALID_CREDENTIALS",
        "ERR_SENDING_WAPP_MSG",
        "ERR_DELETE_WAPP_MSG",
        "ERR_OTHER_OPEN_TICKET",
        "ERR_SESSION_EXPIRED",
        "ERR_USER_CREATION_DISABLED",
        "ERR_NO_PERMISSION",
        "ERR_DUPLICATED_CONTACT",
        "ERR_NO_SETTING_FOUND",
        "ERR_NO_CONTACT_FOUND",
        "ERR_NO_TICKET_FOUND",
        "ERR_NO_USER_FOUND",
        "ERR_NO_WAPP_FOUND",
        "ERR_CREATING_MESSAGE",
        "ERR_CREATING_TICKET",
        "ERR_FETCH_WAPP_MSG",
        "ERR_QUEUE_COLOR_ALREADY_EXISTS",
        "ERR_WAPP_GREETING_REQUIRED",
        "ERR_NO_USER_DELETE",
        "ERR_CANNOT_EDIT_SUPER_USER",
        "ERR_CANNOT_DELETE_SUPER_COMPANY",
        "ERR_CANNOT_UPDATE_SUPER_COMPANY_DUE_DATE",
        "ERR_CANNOT_CHANGE_SUPER_ADMIN_PROFILE_TO_USER",
        "ERR_CANNOT_EDIT_SUPER_USER_PROFILE",
        "ERR_CANNOT_EDIT_USER_CANNOT_EDIT_ADMIN",
        "ERR_CANNOT_EDIT_OR_DELETE_OWN_ADMIN_ACCOUNT",
        "ERR_CANNOT_EDIT_OR_DEMOTE_OWN_ACCOUNT",
    }
)


# The rule that a field breaks, for browsers in other languages: the serializers' name and ours. Any
# other is "invalid", which tells less than the sentence.
FIELD_RULES = frozenset(
    {
        *("required", "blank", "null", "empty", "min_length", "max_length", "min_value"),
        *("max_value", "invalid_choice", "does_not_exist", "invalid"),
        *(
            "taken",
            "repeated",
            "fixed",
            "password_length",
            "password_strength",
            "password_again",
            "key_again",
        ),
        *("web_address", "internal_address", "meta_id", "phone_number", "no_number", "region"),
        *("time", "both_times", "disabled", "not_in_queue", "not_your_queue", "same_queue"),
        *("asks_field", "one_lane", "emoji", "pin", "video", "unused", "overlap"),
    }
)


# The limits of one refusal, so that no answer is larger than the body that caused it.
MOST_FIELDS = 20
LONGEST_PLACE = 200
LONGEST_SENTENCE = 1000


def _cut(text: str, length: int) -> str:
    return text if len(text) <= length else text[: length - 1] + "…"


def _reported(fields: Mapping[str, Iterable[str]]) -> dict[str, list[str]]:
    """Return the first fields with their first sentences; the field names may come from the
    caller.
    """
    return {
        _cut(place, LONGEST_PLACE): [
            _cut(sentence, LONGEST_SENTENCE) for sentence in islice(sentences, MOST_FIELDS)
        ]
        for place, sentences in islice(fields.items(), MOST_FIELDS)
    }


def _field_codes(reasons: dict[str, list[str]]) -> dict[str, Any]:
    first = islice(reasons.items(), MOST_FIELDS)
    codes = {
        _cut(name, LONGEST_PLACE): code if code in FIELD_RULES else "invalid"
        for name, (code, *_) in first
    }
    return {"fieldCodes": codes} if codes else {}


class DomainError(Exception):
    """A named refusal: subclasses fix `status`, `code` and a default sentence for the user.

    `fields` maps wire names of fields to sentences, and `rule` names what they break, one of
    FIELD_RULES, where no code of its own tells it; `extra` is added to the answer's body; `error`
    replaces the body's `error` text where older browsers read something else there.
    """

    status: ClassVar[int] = 400
    code: ClassVar[str] = "ERR_VALIDATION"
    message: ClassVar[str] = "Verifique os dados informados."

    def __init__(
        self,
        message: str | None = None,
        *,
        fields: dict[str, list[str]] | None = None,
        rule: str = "",
        extra: dict[str, Any] | None = None,
        error: str | None = None,
        headers: dict[str, str] | None = None,
    ) -> None:
        self.sentence = message or self.message
        self.fields = fields or {}
        broken = self.fields if rule or self.code == DomainError.code else {}
        self.extra = {**_field_codes({name: [rule] for name in broken}), **(extra or {})}
        self.error = error
        self.headers = headers or {}
        super().__init__(f"{self.code}: {self.sentence}")


class InvalidInput(DomainError):
    """A field breaks its rule."""


class NoPermission(DomainError):
    """The caller's role does not allow this."""

    status = 403
    code = "ERR_NO_PERMISSION"
    message = "Você não tem permissão para fazer isso."


class NotFound(DomainError):
    """The record does not exist, or belongs to another company."""

    status = 404
    code = "ERR_NOT_FOUND"
    message = "Registro não encontrado."


class RecordGone(DomainError):
    """A referenced record was deleted between the check and the commit."""

    status = 409
    code = "ERR_RECORD_GONE"
    message = "Alguém excluiu este registro neste momento. Atualize a página e tente de novo."


class SessionExpired(DomainError):
    """No usable token: 401 by default; the authentication class answers 403 for an expired one."""

    status = 401
    code = "ERR_SESSION_EXPIRED"
    message = "Sua sessão expirou. Entre novamente."


def error_body(
    code: str,
    message: str,
    *,
    fields: dict[str, list[str]] | None = None,
    extra: dict[str, Any] | None = None,
    error: str | None = None,
) -> dict[str, Any]:
    """Return the wire shape of a refusal: error, code, message, fields and what `extra` adds.

    Of many fields the first are told, and long sentences are cut (rules/wire §4).
    """
    message = _cut(message, LONGEST_SENTENCE)
    known = code in CODES_KNOWN_TO_OLDER_BROWSERS
    return {
        "error": error if error is not None else (code if known else message),
        "code": code,
        "message": message,
        "fields": _reported(fields or {}),
        **(extra or {}),
    }


def _flatten(detail: Any, prefix: str = "") -> dict[str, list[str]]:
    if isinstance(detail, dict):
        fields: dict[str, list[str]] = {}
        for name, inner in detail.items():
            key = prefix if name == "non_field_errors" else f"{prefix}.{name}".strip(".")
            fields.update(_flatten(inner, key))
        return fields
    if isinstance(detail, list) and any(isinstance(item, dict | list) for item in detail):
        fields = {}
        for index, inner in enumerate(detail):
            if inner:
                fields.update(_flatten(inner, f"{prefix}.{index}".strip(".")))
        return fields
    return {prefix: [str(item) for item in (detail if isinstance(detail, list) else [detail])]}


def _refers_to_nothing(error: IntegrityError) -> bool:
    """Tell whether a foreign key refers to a deleted row; other integrity errors are faults of
    ours.
    """
    cause = error.__cause__
    is_postgres = getattr(cause, "sqlstate", None) == FOREIGN_KEY_VIOLATION
    return is_postgres or "FOREIGN KEY constraint failed" in str(error)


def _sentence_of(error: SuspiciousOperation) -> str:
    if isinstance(error, TooManyFieldsSent):
        return f"O formulário pode ter até {settings.DATA_UPLOAD_MAX_NUMBER_FIELDS} campos."
    if isinstance(error, TooManyFilesSent):
        return f"O formulário pode ter até {settings.DATA_UPLOAD_MAX_NUMBER_FILES} arquivos."
    return "O corpo da requisição não pôde ser lido."


class Unavailable(DomainError):
    """The database can't be reached, as while it restarts; the same call may be made again."""

    status = 503
    code = "ERR_UNAVAILABLE"
    message = "O serviço volta em instantes. Tente novamente."

    def __init__(self) -> None:
        seconds = 2
        super().__init__(headers={"Retry-After": str(seconds)}, extra={"retryAfter": seconds})


class NoRoom(DomainError):
    """The disk for files is full."""

    status = 507
    code = "ERR_NO_ROOM"
    message = (
        "Não há mais espaço para arquivos no servidor. Avise quem opera a instalação e envie de"
        " novo depois."
    )


def exception_handler(error: Exception, context: dict[str, Any]) -> Response | None:
    """Answer every refusal of the API in the one shape; other exceptions are logged and answer
    500.
    """
    if isinstance(error, DomainError):
        body = error_body(
            error.code,
            error.sentence,
            fields=error.fields,
            extra=error.extra,
            error=error.error,
        )
        return Response(body, status=error.status, headers=error.headers)
    if isinstance(error, OSError) and error.errno in NO_ROOM:
        logger.error("A file could not be stored: %s", error)
        return Response(error_body(NoRoom.code, NoRoom.message), status=NoRoom.status)
    if isinstance(error, IntegrityError) and _refers_to_nothing(error):
        return Response(error_body(RecordGone.code, RecordGone.message), status=RecordGone.status)
    if isinstance(error, Http404):
        return Response(error_body(NotFound.code, NotFound.message), status=404)
    if isinstance(error, PermissionDenied):
        return Response(error_body(NoPermission.code, NoPermission.message), status=403)
    if isinstance(error, exceptions.ValidationError):
        fields, rules = _flatten(error.detail), _field_codes(_flatten(error.get_codes()))
        sentence = next((texts[0] for texts in fields.values() if texts), InvalidInput.message)
        body = error_body(InvalidInput.code, sentence, fields=fields, extra=rules)
        return Response(body, status=400)
    if isinstance(error, SuspiciousOperation):
        return Response(error_body("ERR_MALFORMED_REQUEST", _sentence_of(error)), status=400)
    if isinstance(error, exceptions.Throttled):
        wait = max(1, int(getattr(error, "wait", None) or 1))
        message = f"Muitas tentativas. Aguarde {wait} segundos e tente de novo."
        return Response(
            error_body("ERR_TOO_MANY_REQUESTS", message, extra={"retryAfter": wait}),
            status=429,
            headers={"Retry-After": str(wait)},
        )
    if isinstance(error, exceptions.NotAuthenticated | exceptions.AuthenticationFailed):
        return Response(error_body(SessionExpired.code, SessionExpired.message), status=401)
    if isinstance(error, exceptions.PermissionDenied):
        return Response(error_body(NoPermission.code, NoPermission.message), status=403)
    if isinstance(error, exceptions.APIException):
        codes = {
            400: ("ERR_MALFORMED_REQUEST", "O corpo da requisição não pôde ser lido."),
            405: ("ERR_METHOD_NOT_ALLOWED", "Este método não é aceito neste endereço."),
            415: ("ERR_MEDIA_TYPE", "Este tipo de conteúdo não é aceito."),
        }
        code, message = codes.get(error.status_code, ("ERR_REQUEST", str(error.detail)))
        return Response(error_body(code, message), status=error.status_code)
    return None
