"""Refusals that are made before or beside the API's views, in the same shape."""

from collections.abc import Callable

from django.http import HttpRequest, HttpResponse
from django.views import defaults

from apps.common.errors import DomainError, InvalidInput, error_body
from apps.common.renderers import to_json

NULL_CHARACTER = "\x00"


def _answer(status: int, code: str, sentence: str, field: str = "") -> HttpResponse:
    body = error_body(code, sentence, fields={field: [sentence]} if field else None)
    return HttpResponse(to_json(body), status=status, content_type="application/json")


def answer_refusal(refusal: DomainError) -> HttpResponse:
    """Answer a refusal that is made before a view is called."""
    return _answer(refusal.status, refusal.code, refusal.sentence)


def refuse_null_characters(
    get_response: Callable[[HttpRequest], HttpResponse],
) -> Callable[[HttpRequest], HttpResponse]:
    """Refuse addresses with a NUL character, which no text column of PostgreSQL can hold.

    Those of bodies are refused by `parsers.OrjsonParser` and the text fields of forms.
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


def _is_call(request: HttpRequest) -> bool:
    return f"{request.path_info}/".startswith("/api/")


def not_found(request: HttpRequest, exception: Exception) -> HttpResponse:
    """Answer an address that nothing owns."""
    if _is_call(request):
        return _answer(404, "ERR_NOT_FOUND", "Este endereço não existe.")
    return defaults.page_not_found(request, exception)


def server_error(request: HttpRequest) -> HttpResponse:
    """Answer a fault of ours, which the log explains."""
    if _is_call(request):
        sentence = "Algo deu errado do nosso lado. Tente de novo em instantes."
        return _answer(500, "ERR_INTERNAL", sentence)
    return defaults.server_error(request)
