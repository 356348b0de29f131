"""Refusals that are made before or beside the API's views, in the same shape."""

import sys
from collections.abc import Callable
from typing import Any

from django.core.exceptions import DisallowedHost
from django.http import HttpRequest, HttpResponse
from django.views import defaults

from apps.common.database_connections import is_away
from apps.common.errors import DomainError, InvalidInput, Unavailable, error_body
from apps.common.renderers import to_json
from apps.common.serializers import MAX_ID

NULL_CHARACTER = "\x00"
ID_DIGITS = len(str(MAX_ID))
UNREACHED = "9" * (ID_DIGITS + 1)


def _answer(status: int, code: str, sentence: str, field: str = "") -> HttpResponse:
    body = error_body(code, sentence, fields={field: [sentence]} if field else None)
    return HttpResponse(to_json(body), status=status, content_type="application/json")


def answer_refusal(refusal: DomainError) -> HttpResponse:
    """Answer a refusal that is made outside of a view."""
    body = error_body(refusal.code, refusal.sentence, extra=refusal.extra)
    return HttpResponse(
        to_json(body),
        status=refusal.status,
        headers=refusal.headers,
        content_type="application/json",
    )


def refuse_foreign_hosts(
    get_response: Callable[[HttpRequest], HttpResponse],
) -> Callable[[HttpRequest], HttpResponse]:
    """Refuse calls with a foreign Host; Django would log each with a traceback."""

    def middleware(request: HttpRequest) -> HttpResponse:
        try:
            request.get_host()
        except DisallowedHost:
            return _answer(400, "ERR_MALFORMED_REQUEST", "Este servidor não atende por este nome.")
        return get_response(request)

    return middleware


def refuse_null_characters(
    get_response: Callable[[HttpRequest], HttpResponse],
) -> Callable[[HttpRequest], HttpResponse]:
    """Refuse addresses with a NUL character, which PostgreSQL cannot store.

    `parsers.OrjsonParser` and the text fields of forms refuse it in bodies.
    """

    def middleware(request: HttpRequest) -> HttpResponse:
        field = ""
        if NULL_CHARACTER in request.path_info:
            field = "path"
        elif "%00" in request.META.get("QUERY_STRING", ""):
            field = next(
                (
                    name
                    for name, values in request.GET.lists()
                    if NULL_CHARACTER in name + "".join(values)
                ),
                "",
            ).replace(NULL_CHARACTER, "")
        else:
            return get_response(request)
        return _answer(
            400, InvalidInput.code, "Caracteres nulos não são permitidos.", field or "query"
        )

    return middleware


class EndlessIds:
    """Replaces numbers in addresses that are larger than any id, since Python parses at most 4,300
    digits.

    The view then refuses as for any missing row.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        """Pass the request on: `process_view` sees the resolved address."""
        return self.get_response(request)

    def process_view(
        self, request: HttpRequest, view: Any, args: Any, names: dict[str, Any]
    ) -> None:
        for name, value in names.items():
            is_id = name in {"id", "pk", "uuid"} or name.endswith("_id")
            if is_id and isinstance(value, str) and len(value) > ID_DIGITS and value.isdecimal():
                names[name] = UNREACHED


def _is_call(request: HttpRequest) -> bool:
    return f"{request.path_info}/".startswith("/api/")


def not_found(request: HttpRequest, exception: Exception) -> HttpResponse:
    """Answer an unknown address."""
    if _is_call(request):
        return _answer(404, "ERR_NOT_FOUND", "Este endereço não existe.")
    return defaults.page_not_found(request, exception)


def server_error(request: HttpRequest) -> HttpResponse:
    """Answer the exception that is being handled; the log has its traceback."""
    if is_away(sys.exception()):
        return answer_refusal(Unavailable())
    if _is_call(request):
        sentence = "Algo deu errado do nosso lado. Tente de novo em instantes."
        return _answer(500, "ERR_INTERNAL", sentence)
    return defaults.server_error(request)
