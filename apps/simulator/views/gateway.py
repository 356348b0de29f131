"""The simulated gateway's own calls: /wake, /health and the commands of sessions."""

import json
import time
from collections.abc import Iterator
from typing import Any
from urllib.parse import quote

from django.http import HttpRequest, HttpResponse, JsonResponse, StreamingHttpResponse
from django.http.response import HttpResponseBase
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_POST

from apps.connections.services.gateway_calls import WrongSignature, require_signature
from apps.simulator.models import FaultKind, SimDevice, SimNumber
from apps.simulator.services.faults import take_fault
from apps.simulator.services.gateway import commands, leasing
from apps.simulator.services.gateway.commands import CommandRefused

MOUNT = "/simulator/gateway"
LONGEST_SLEEP_SECONDS = 60


def _body(request: HttpRequest) -> dict[str, Any]:
    """Return the body of a signed call; raises CommandRefused.

    The signature is of the path without MOUNT, because the caller takes MOUNT for the root.
    """
    try:
        require_signature(
            method=request.method or "",
            target=request.get_full_path().removeprefix(MOUNT),
            body=request.body,
            at=request.headers.get("X-Gateway-Time", ""),
            call_id=request.headers.get("X-Gateway-Id", ""),
            signature=request.headers.get("X-Gateway-Signature", ""),
        )
        body = json.loads(request.body)
    except WrongSignature as error:
        raise CommandRefused(error.status, error.code, error.sentence) from error
    except ValueError as error:
        raise CommandRefused(400, "ERR_BAD_COMMAND", str(error), permanent=True) from error
    if not isinstance(body, dict):
        raise CommandRefused(400, "ERR_BAD_COMMAND", "The body is no object.", permanent=True)
    return body


def _refusal(refused: CommandRefused) -> JsonResponse:
    body = {
        "code": refused.code,
        "message": str(refused),
        "permanent": refused.permanent,
        "retryAfter": None,
        "outcomeUnknown": False,
    }
    return JsonResponse(body, status=refused.status)


@csrf_exempt
@require_POST
def wake(request: HttpRequest) -> HttpResponseBase:
    """Make the lease call now."""
    try:
        _body(request)
    except CommandRefused as refused:
        return _refusal(refused)
    leasing.wake()
    return JsonResponse({})


def health(request: HttpRequest) -> HttpResponseBase:
    """Return the number of sessions that the gateway holds."""
    sessions = SimDevice.objects.filter(epoch__isnull=False).count()
    return JsonResponse({"status": "ok", "sessions": sessions})


@csrf_exempt
@require_POST
def command(request: HttpRequest, session: str, name: str) -> HttpResponseBase:
    """POST /sessions/{id}/{command}."""
    try:
        body = _body(request)
        device = commands.held_device(int(session), body.get("epoch"))
        if device.number is not None:
            _strike(device.number)
        if name == "download":
            commands.open_number(device)
            return _streamed(body)
        answer = commands.obey(device, name, body)
        if device.number is not None and take_fault(FaultKind.ANSWER_LOST, device.number):
            return _broken_answer()
    except CommandRefused as refused:
        return _refusal(refused)
    except ConnectionResetError:
        return _broken_answer()
    return JsonResponse(answer)


def _strike(number: SimNumber) -> None:
    """Apply the faults that affect a whole call."""
    if take_fault(FaultKind.CONNECTION_RESET, number):
        raise ConnectionResetError
    if take_fault(FaultKind.PROVIDER_DOWN, number):
        raise CommandRefused(503, "ERR_NO_ANSWER", "WhatsApp does not answer.")
    slow = take_fault(FaultKind.SLOW, number)
    if slow:
        time.sleep(min(slow.seconds, LONGEST_SLEEP_SECONDS))


def _broken_answer() -> StreamingHttpResponse:
    def begin() -> Iterator[bytes]:
        yield b'{"external'
        raise ConnectionResetError("asked for on the phone page")

    return StreamingHttpResponse(begin(), content_type="application/json")


def _streamed(body: dict[str, Any]) -> HttpResponse:
    stored = commands.file_of(body)
    with stored.file.open("rb") as file:
        answer = HttpResponse(file.read(), content_type=stored.mime)
    answer["X-Media-Name"] = quote(stored.name)
    return answer
