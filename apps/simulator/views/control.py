"""JSON calls of the phone page and of tests. No sign-in: the simulator is off in production.

Cross-site requests are refused: a body must be JSON, or come with the header X-Simulator. A page of
another site can send neither without a preflight request.
"""

import functools
import json
import re
from collections.abc import Callable
from typing import Any
from urllib.parse import quote

from django.db import transaction
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.views.decorators.csrf import csrf_exempt

from apps.simulator import queries
from apps.simulator.models import (
    FaultKind,
    SimConversation,
    SimCustomer,
    SimFault,
    SimMedia,
    SimMessage,
    SimNumber,
    SimWebhook,
)
from apps.simulator.services import (
    calling,
    conversations,
    faults,
    flows,
    phone,
    portfolios,
    responding,
    signing_up,
    writing,
)
from apps.simulator.services.conversations import UnknownSimulated
from apps.simulator.services.media import SAMPLES, sample_mime, store_file
from apps.simulator.services.posting import enqueue

View = Callable[..., HttpResponse]


class _Refused(Exception):
    pass


def control_call(*methods: str) -> Callable[[View], View]:
    """Allow these methods and answer refusals as `{error}` with 400, 404, 405 or 415."""

    def decorate(view: View) -> View:
        @csrf_exempt
        @functools.wraps(view)
        def answer(request: HttpRequest, **kwargs: str) -> HttpResponse:
            if request.method not in methods:
                return JsonResponse({"error": "method not allowed"}, status=405)
            is_json = request.content_type == "application/json"
            if request.method != "GET" and not is_json and "X-Simulator" not in request.headers:
                return JsonResponse({"error": "send application/json"}, status=415)
            try:
                return view(request, **kwargs)
            except UnknownSimulated as error:
                return JsonResponse({"error": str(error)}, status=404)
            except KeyError as error:
                return JsonResponse({"error": f"missing {error.args[0]}"}, status=400)
            except (_Refused, TypeError, ValueError) as error:
                return JsonResponse({"error": str(error)}, status=400)

        return answer

    return decorate


def body_of(request: HttpRequest) -> dict[str, Any]:
    """Return the JSON object in a call's body."""
    body = json.loads(request.body or b"{}")
    if not isinstance(body, dict):
        raise _Refused("the body must be an object")
    return body


def _number(identifier: Any) -> SimNumber:
    number = SimNumber.objects.filter(phone_number_id=str(identifier)).first()
    if number is None:
        raise UnknownSimulated(f"no number {identifier}")
    return number


def _conversation(body: dict[str, Any]) -> SimConversation:
    customer = queries.customer_for(str(body["customer"]))
    if customer is None:
        raise UnknownSimulated(f"no customer {body['customer']}")
    return conversations.conversation_of(_number(body["number"]), customer)


@control_call("GET")
def state(request: HttpRequest) -> HttpResponse:
    """Return everything that the phone page shows; it asks every second.

    `number` and `customer` choose the conversation whose messages are included.
    """
    return JsonResponse(
        queries.state(request.GET.get("number", ""), request.GET.get("customer", ""))
    )


@control_call("POST")
def numbers(request: HttpRequest) -> HttpResponse:
    """Add a business number, or change one: phone_number_id, waba_id, display, name."""
    body = body_of(request)
    identifier = str(body["phone_number_id"])
    if not re.fullmatch(r"\d{5,30}", identifier):
        raise _Refused("phone_number_id must have 5 to 30 digits")
    number = conversations.number_for(identifier)
    for key in ("waba_id", "display_phone_number", "verified_name"):
        if body.get(key):
            setattr(number, key, str(body[key])[: 30 if key == "display_phone_number" else 50])
    number.save()
    return JsonResponse(queries.number_row(number))


@control_call("POST")
def portfolio(request: HttpRequest) -> HttpResponse:
    """Change a number's portfolio: number, portfolio_id (to move the number), name, limit (−1:
    none), verification.
    """
    body = body_of(request)
    identifier, limit = body.get("portfolio_id"), body.get("limit")
    if identifier is not None and not re.fullmatch(r"\d{5,30}", str(identifier)):
        raise _Refused("portfolio_id must have 5 to 30 digits")
    if limit is not None and (int(limit) < 1 and int(limit) != portfolios.NO_LIMIT):
        raise _Refused("limit must be 1 or more, or -1")
    changed = portfolios.change_portfolio(
        _number(body["number"]),
        portfolio_id=str(identifier) if identifier is not None else None,
        name=str(body.get("name") or "")[:100],
        limit=int(limit) if limit is not None else None,
        verification=str(body.get("verification") or "")[:30],
    )
    return JsonResponse(queries.portfolio_row(changed))


@control_call("POST")
def signup(request: HttpRequest) -> HttpResponse:
    """Sign a number up as Meta's window does: display_phone_number, verified_name, coexistence.

    Returns the code and the ids that the window posts to the page that opened it.
    """
    body = body_of(request)
    digits = "".join(c for c in str(body["display_phone_number"]) if c.isdigit())
    if not 8 <= len(digits) <= 15:
        raise _Refused("display_phone_number must have 8 to 15 digits")
    code, number = signing_up.sign_up(
        display=str(body["display_phone_number"])[:30],
        name=str(body.get("verified_name") or digits)[:100],
        is_on_app=bool(body.get("coexistence")),
    )
    return JsonResponse(
        {"code": code, "phone_number_id": number.phone_number_id, "waba_id": number.waba_id}
    )


@control_call("POST")
def customers(request: HttpRequest) -> HttpResponse:
    """Add a customer, or change one: wa_id, name, has_whatsapp, username, hides_number.

    Only a customer with a username can hide the number; without one it is shown again.
    """
    body = body_of(request)
    wa_id = "".join(c for c in str(body["wa_id"]) if c.isdigit())
    if not 8 <= len(wa_id) <= 15:
        raise _Refused("wa_id must have 8 to 15 digits")
    name = str(body.get("name") or "").strip()[:200]
    customer = queries.customer_for(wa_id) or SimCustomer(wa_id=wa_id, name=name or wa_id)
    customer.name = name or customer.name
    customer.has_whatsapp = bool(body.get("has_whatsapp", True))
    customer.username = _username(body.get("username", customer.username))
    hides = bool(body.get("hides_number", customer.hides_number))
    customer.hides_number = hides and customer.username != ""
    customer.save()
    if body.get("number"):
        conversations.conversation_of(_number(body["number"]), customer)
    return JsonResponse(queries.customer_row(customer))


def _username(value: Any) -> str:
    # Usernames at WhatsApp: 3 to 35 letters, digits, dots and underscores, one letter among them.
    name = str(value).strip().removeprefix("@").lower()
    if name and not re.fullmatch(r"(?=.*[a-z])[a-z0-9._]{3,35}", name):
        raise _Refused("username must have 3 to 35 letters, digits, dots or underscores")
    return name


@control_call("POST")
def send(request: HttpRequest) -> HttpResponse:
    """Write as a customer: number, customer, type and its fields (see `writing.write`)."""
    body = body_of(request)
    message = writing.write(_conversation(body), body)
    return JsonResponse(queries.message_row(message))


@control_call("POST")
def call(request: HttpRequest) -> HttpResponse:
    """Ring the business as a customer: number, customer, video."""
    body = body_of(request)
    ringing = calling.ring(_conversation(body), is_video=bool(body.get("video")))
    return JsonResponse(queries.message_row(ringing))


@control_call("POST")
def hang_up(request: HttpRequest) -> HttpResponse:
    """End a ringing call as the customer: message."""
    return JsonResponse(queries.message_row(calling.hang_up(str(body_of(request)["message"]))))


@control_call("POST")
def upload(request: HttpRequest) -> HttpResponse:
    """Store the raw body as a file of the type given in Content-Type; `?name=` names it."""
    if not request.body:
        raise _Refused("the file is empty")
    media = store_file(
        content=request.body,
        name=request.GET.get("name", ""),
        mime=request.headers.get("Content-Type", "application/octet-stream"),
    )
    return JsonResponse({"id": media.media_id, "mime": media.mime, "size": media.size})


@control_call("POST")
def open_chat(request: HttpRequest) -> HttpResponse:
    """Have the customer read the conversation: number, customer."""
    return JsonResponse({"read": conversations.open_conversation(_conversation(body_of(request)))})


@control_call("POST")
def play(request: HttpRequest) -> HttpResponse:
    """Have the customer listen to a voice message: message."""
    message = SimMessage.objects.filter(wamid=str(body_of(request)["message"])).first()
    if message is None:
        raise UnknownSimulated("no such message")
    conversations.play_voice(message)
    return JsonResponse({"status": message.status})


@control_call("GET", "POST", "DELETE")
def fault_list(request: HttpRequest) -> HttpResponse:
    """List, set (kind, number, times, seconds, is_late) or clear (all, or `?kind=`) faults.

    Messages that are held for assessment are delivered when that fault is cleared, and dropped when
    templates are paused. Faults of forms are reported as the status of each published form.
    """
    if request.method == "DELETE":
        with flows.told_statuses():
            faults.clear_faults(kind=request.GET.get("kind"))
        if request.GET.get("kind") in (None, FaultKind.TEMPLATE_HELD):
            conversations.end_holds()
    elif request.method == "POST":
        body = body_of(request)
        times = body.get("times")
        with flows.told_statuses():
            faults.set_fault(
                kind=FaultKind(body["kind"]),
                number=_number(body["number"]) if body.get("number") else None,
                times=max(1, int(times)) if times is not None else None,
                seconds=float(body.get("seconds") or 0),
                is_late=bool(body.get("is_late")),
            )
        if body["kind"] == FaultKind.TEMPLATE_PAUSED:
            conversations.end_holds(is_dropped=True)
    return JsonResponse({"faults": queries.fault_rows()})


@control_call("POST")
def report(request: HttpRequest) -> HttpResponse:
    """Queue a webhook of Meta of any field, known or not: {number, field, value}."""
    body = body_of(request)
    if not isinstance(body["value"], dict):
        raise _Refused("value must be an object")
    with transaction.atomic():
        enqueue(_number(body["number"]), body["value"], str(body["field"]))
    return JsonResponse({"ok": True})


@control_call("POST")
def echo(request: HttpRequest) -> HttpResponse:
    """Write on the business's phone: number, customer, body."""
    body = body_of(request)
    wamid = phone.write_on_phone(_conversation(body), str(body["body"]))
    return JsonResponse({"id": wamid})


@control_call("POST")
def responder(request: HttpRequest) -> HttpResponse:
    """Write as another responder of the number: number, customer, body."""
    body = body_of(request)
    message = responding.write_elsewhere(_conversation(body), str(body["body"]))
    return JsonResponse(queries.message_row(message))


@control_call("POST")
def handover(request: HttpRequest) -> HttpResponse:
    """Pass a conversation to the business or, with `taken`, take it: number, customer."""
    body = body_of(request)
    responding.hand_over(_conversation(body), is_ours=not body.get("taken"))
    return JsonResponse({"ok": True})


@control_call("POST")
def disconnect(request: HttpRequest) -> HttpResponse:
    """Disconnect a number from the API in its phone's app: number."""
    phone.disconnect(_number(body_of(request)["number"]))
    return JsonResponse({"ok": True})


@control_call("POST")
def reset(request: HttpRequest) -> HttpResponse:
    """Delete all faults and unposted webhooks and, with `messages`, every message."""
    SimWebhook.objects.all().delete()
    with flows.told_statuses():
        SimFault.objects.all().delete()
    if body_of(request).get("messages"):
        SimMessage.objects.all().delete()
    return JsonResponse({"success": True})


def _inline(content: bytes, mime: str, name: str) -> HttpResponse:
    response = HttpResponse(content, content_type=mime.split(";", maxsplit=1)[0])
    response["Cache-Control"] = "private, max-age=86400"
    response["X-Content-Type-Options"] = "nosniff"
    # Uploaded pages must not run scripts on this origin.
    response["Content-Security-Policy"] = "default-src 'none'; sandbox"
    response["Content-Disposition"] = f"inline; filename*=UTF-8''{quote(name)}"
    return response


@control_call("GET")
def media_content(request: HttpRequest, identifier: str) -> HttpResponse:
    """Show a file on the phone page."""
    media = SimMedia.objects.filter(media_id=identifier).first()
    if media is None:
        raise UnknownSimulated("no such media")
    with media.file.open("rb") as file:
        return _inline(file.read(), media.mime, media.name or media.media_id)


@control_call("GET")
def sample(request: HttpRequest, name: str) -> HttpResponse:
    """Show a bundled sample."""
    path = SAMPLES / name
    if not path.is_file():
        raise UnknownSimulated("no such sample")
    return _inline(path.read_bytes(), sample_mime(name), name)
