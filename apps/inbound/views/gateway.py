"""The calls of gateways: leases, keys, commits and files of QR sessions (docs/gateway.md).

They are not part of the API: no user makes them, and a proxy set up by the operator's guide does
not forward them.
"""

from collections.abc import Callable
from functools import wraps
from typing import Any

import orjson
from django.core.exceptions import RequestDataTooBig
from django.http import FileResponse, HttpRequest, HttpResponseBase
from django.http.response import HttpResponse
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_http_methods

from apps.common.errors import DomainError
from apps.common.renderers import to_json
from apps.connections.services.gateway_calls import require_signature
from apps.connections.services.qr_leases import LeaseCall, renew_leases
from apps.connections.services.qr_sessions import hear_gateway
from apps.connections.services.qr_state import StateRefused, read_keys, wipe_state
from apps.inbound.services.gateway_events import commit_session
from apps.inbound.services.gateway_files import open_file
from apps.inbound.services.gateway_values import (
    beat_in,
    epoch_in,
    events_in,
    keys_in,
    lease_in,
    wanted_in,
    write_in,
)

JSON = "application/json; charset=utf-8"
Answer = dict[str, Any] | HttpResponseBase
Called = Callable[..., Answer]


def _answer(body: dict[str, Any], status: int = 200) -> HttpResponse:
    return HttpResponse(to_json(body), status=status, content_type=JSON)


def _refusal(status: int, code: str, sentence: str, *, permanent: bool) -> HttpResponse:
    body = {
        "code": code,
        "message": sentence,
        "permanent": permanent,
        "retryAfter": None,
        "outcomeUnknown": False,
    }
    return _answer(body, status)


def _gateway_call(method: str) -> Callable[[Called], Callable[..., HttpResponseBase]]:
    """Check a call's signature, pass the parsed body to the view, answer errors by the contract."""

    def decorate(view: Called) -> Callable[..., HttpResponseBase]:
        @csrf_exempt
        @require_http_methods([method])
        @wraps(view)
        def answer(request: HttpRequest, **named: Any) -> HttpResponseBase:
            try:
                body = request.body
                _require_signature(request, body)
                if method == "GET":
                    said = view(**named)
                else:
                    said = view(_parsed(body), **named)
            except RequestDataTooBig:
                sentence = "O corpo da chamada é grande demais."
                return _refusal(413, "ERR_REQUEST_TOO_LARGE", sentence, permanent=True)
            except DomainError as error:
                return _refusal(error.status, error.code, error.sentence, permanent=True)
            return said if isinstance(said, HttpResponseBase) else _answer(said)

        return answer

    return decorate


def _require_signature(request: HttpRequest, body: bytes) -> None:
    require_signature(
        method=request.method or "",
        target=request.get_full_path(),
        body=body,
        at=request.headers.get("X-Gateway-Time", ""),
        call_id=request.headers.get("X-Gateway-Id", ""),
        signature=request.headers.get("X-Gateway-Signature", ""),
    )


def _parsed(body: bytes) -> dict[str, Any]:
    try:
        parsed = orjson.loads(body)
    except orjson.JSONDecodeError:
        raise StateRefused from None
    if not isinstance(parsed, dict):
        raise StateRefused
    return parsed


@_gateway_call("POST")
def lease(body: dict[str, Any]) -> Answer:
    """Renew the leases of a gateway's sessions and give it leases of free sessions."""
    call: LeaseCall = lease_in(body)
    return renew_leases(call)


@_gateway_call("POST")
def beat(body: dict[str, Any]) -> Answer:
    """Take a gateway's sign of life."""
    name, steady = beat_in(body)
    hear_gateway(name, steady=steady)
    return {}


@_gateway_call("POST")
def keys_read(body: dict[str, Any], session_id: str) -> Answer:
    """Return keys of a session to the gateway that holds its lease."""
    values = read_keys(session_id=int(session_id), epoch=epoch_in(body), wanted=wanted_in(body))
    return {"values": values}


@_gateway_call("POST")
def commit(body: dict[str, Any], session_id: str) -> Answer:
    """Store keys, credentials and events of a session, all of them or none."""
    commit_session(
        session_id=int(session_id),
        epoch=epoch_in(body),
        credentials=body.get("credentials"),
        keys=keys_in(body),
        events=events_in(body),
        write=write_in(body),
    )
    return {"stored": [event["id"] for event in body.get("events") or ()]}


@_gateway_call("POST")
def wipe(body: dict[str, Any], session_id: str) -> Answer:
    """Delete the credentials and keys of a session that the phone logged out."""
    wipe_state(session_id=int(session_id), epoch=epoch_in(body), write=write_in(body))
    return {}


@_gateway_call("GET")
def file(token: str) -> Answer:
    """Stream the file of a message that is being sent."""
    opened = open_file(token)
    answer = FileResponse(opened.file, content_type=opened.mime)
    answer["Content-Length"] = str(opened.size)
    return answer
