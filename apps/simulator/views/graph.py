"""The fake Graph API: the calls of Meta's Cloud API that a business makes.

Every version prefix is answered. Every token is accepted that does not begin with 'invalid'.
"""

import functools
import json
import re
import time
from collections.abc import Callable, Iterator
from typing import Any

from django.conf import settings
from django.http import HttpRequest, HttpResponse, JsonResponse, StreamingHttpResponse
from django.http.response import HttpResponseBase
from django.views.decorators.csrf import csrf_exempt

from apps.simulator.graph import errors
from apps.simulator.graph.errors import GraphError
from apps.simulator.graph.payloads import FIELDS
from apps.simulator.graph.requests import check_message
from apps.simulator.models import FaultKind, SimFlow, SimMedia, SimNumber
from apps.simulator.services import (
    calling,
    conversations,
    flows,
    media,
    phone,
    portfolios,
    profiles,
    responding,
    reviewing,
    signing_up,
)
from apps.simulator.services.conversations import UnknownSimulated
from apps.simulator.services.faults import take_fault

View = Callable[..., HttpResponseBase]
LONGEST_SLEEP_SECONDS = 60


class Reset(Exception):
    """The connection breaks in the middle of the answer."""


def _check_token(request: HttpRequest) -> None:
    header = request.headers.get("Authorization", "")
    scheme, _, token = header.partition(" ")
    is_named = scheme.lower() in ("bearer", "oauth")
    token = token.strip() if is_named else request.GET.get("access_token", "")
    if not token:
        raise GraphError(104, "An access token is required to request this resource.", status=401)
    if token.startswith("invalid"):
        raise errors.invalid_token()


def strike(number: SimNumber | None) -> None:
    """Apply the faults that affect a whole call; views apply `answer_lost` themselves."""
    if take_fault(FaultKind.TOKEN_EXPIRED, number):
        raise errors.expired_token()
    if take_fault(FaultKind.CONNECTION_RESET, number):
        raise Reset
    if take_fault(FaultKind.PROVIDER_DOWN, number):
        raise errors.provider_down()
    slow = take_fault(FaultKind.SLOW, number)
    if slow:
        time.sleep(min(slow.seconds, LONGEST_SLEEP_SECONDS))
    if take_fault(FaultKind.RATE_LIMITED, number):
        raise errors.rate_limited()


def _broken_answer() -> StreamingHttpResponse:
    """Return an answer that stops in its middle, as a broken connection does."""

    def begin() -> Iterator[bytes]:
        yield b'{"messaging_product":"whats'
        raise ConnectionResetError("asked for on the phone page")

    return StreamingHttpResponse(begin(), content_type="application/json")


def graph_call(*methods: str) -> Callable[[View], View]:
    """Check the token, allow these methods (all if none is given), refuse in Meta's shape."""

    def decorate(view: View) -> View:
        @csrf_exempt
        @functools.wraps(view)
        def answer(request: HttpRequest, **kwargs: str) -> HttpResponseBase:
            method = request.method or "GET"
            try:
                _check_token(request)
                if methods and method not in methods:
                    raise errors.unknown_object(next(iter(kwargs.values()), "me"), method.lower())
                return view(request, **kwargs)
            except GraphError as error:
                response = JsonResponse(error.body(), status=error.status)
                if error.status == 401:
                    response["WWW-Authenticate"] = f'OAuth "Facebook Platform" "{error.title}"'
                return response
            except Reset:
                return _broken_answer()

        return answer

    return decorate


def json_of(request: HttpRequest) -> dict[str, Any]:
    try:
        body = json.loads(request.body)
    except ValueError as error:
        raise errors.invalid("The body is not valid JSON.") from error
    if not isinstance(body, dict):
        raise errors.invalid("The body must be a JSON object.")
    return body


@graph_call("POST")
def messages(request: HttpRequest, identifier: str) -> HttpResponseBase:
    """POST /{phone-number-id}/messages: send, or mark read with an optional typing indicator."""
    number = conversations.number_for(identifier)
    strike(number)
    body = json_of(request)
    if body.get("status") is not None:
        return _mark_read(number, body)
    return _send(number, body, is_marketing=False)


@graph_call("POST")
def marketing_messages(request: HttpRequest, identifier: str) -> HttpResponseBase:
    """POST /{phone-number-id}/marketing_messages: send a marketing template."""
    number = conversations.number_for(identifier)
    strike(number)
    body = json_of(request)
    if body.get("type") != "template":
        raise errors.invalid("Message must be a template message.")
    if take_fault(FaultKind.MARKETING_TERMS, number):
        raise errors.terms_missing()
    return _send(number, body, is_marketing=True)


def _send(number: SimNumber, body: dict[str, Any], *, is_marketing: bool) -> HttpResponseBase:
    to, kind, content = check_message(body)
    message = conversations.accept_message(
        number=number,
        to=to,
        kind=kind,
        content=content,
        callback=str(body.get("biz_opaque_callback_data") or ""),
        reply_to=str((body.get("context") or {}).get("message_id") or ""),
        is_marketing=is_marketing,
    )
    if take_fault(FaultKind.ANSWER_LOST, number):
        raise Reset
    sent: dict[str, str] = {"id": message.wamid}
    if kind == "template":
        is_held = message.status == conversations.HELD
        sent["message_status"] = "held_for_quality_assessment" if is_held else "accepted"
    contact = {"input": to, "user_id": to}
    if body.get("to"):
        contact = {"input": str(body["to"]), "wa_id": message.conversation.customer.wa_id}
    return JsonResponse(
        {"messaging_product": "whatsapp", "contacts": [contact], "messages": [sent]}
    )


@graph_call("POST")
def calls(request: HttpRequest, identifier: str) -> HttpResponseBase:
    """POST /{phone-number-id}/calls: reject a call; other actions are not simulated."""
    number = conversations.number_for(identifier)
    strike(number)
    body = json_of(request)
    if body.get("messaging_product") != "whatsapp":
        raise errors.missing("messaging_product")
    if body.get("action") != "reject":
        raise errors.invalid("Param action must be one of {reject}.")
    try:
        calling.hang_up(str(body.get("call_id")), number=number)
    except UnknownSimulated as error:
        raise errors.invalid("Param call_id is not a call that rings.") from error
    return JsonResponse({"messaging_product": "whatsapp", "success": True})


def _mark_read(number: SimNumber, body: dict[str, Any]) -> JsonResponse:
    if body.get("messaging_product") != "whatsapp":
        raise errors.missing("messaging_product")
    if body["status"] != "read":
        raise errors.invalid("Param status must be one of {read}.")
    if not isinstance(body.get("message_id"), str):
        raise errors.missing("message_id")
    typing = body.get("typing_indicator")
    if typing is not None and (not isinstance(typing, dict) or typing.get("type") != "text"):
        raise errors.invalid("Param typing_indicator['type'] must be one of {text}.")
    conversations.mark_read(number=number, wamid=body["message_id"], is_typing=typing is not None)
    return JsonResponse({"success": True})


@graph_call("POST")
def thread_control(request: HttpRequest, identifier: str) -> HttpResponseBase:
    """POST /{phone-number-id}/thread_control: take, release or pass a conversation."""
    number, body = conversations.number_for(identifier), json_of(request)
    strike(number)
    to = body.get("to") or body.get("recipient")
    if not isinstance(to, str):
        raise errors.missing("to")
    if body.get("action") not in ("take", "release", "pass"):
        raise errors.invalid("Param action must be one of {pass, release, take}.")
    responding.control_thread(number, to.lstrip("+"), body["action"])
    return JsonResponse({"success": True})


@graph_call("GET")
def routing_roles(request: HttpRequest, identifier: str) -> HttpResponseBase:
    """GET /{phone-number-id}/routing_roles: the business's own roles."""
    number = conversations.number_for(identifier)
    strike(number)
    roles = ["organic", "calls", "escalation_partner"]
    return JsonResponse({"roles": roles, "is_standby": True})


@graph_call("POST")
def upload(request: HttpRequest, identifier: str) -> HttpResponseBase:
    """POST /{phone-number-id}/media: a multipart file."""
    number = conversations.number_for(identifier)
    strike(number)
    if request.POST.get("messaging_product") != "whatsapp":
        raise errors.missing("messaging_product")
    file = request.FILES.get("file")
    if file is None:
        raise errors.missing("file")
    mime = request.POST.get("type") or file.content_type or "application/octet-stream"
    if "/" not in mime:
        mime = file.content_type or mime
    media.check_upload(mime, file.size or 0)
    stored = media.store_file(content=file.read(), name=file.name or "", mime=mime)
    return JsonResponse({"id": stored.media_id})


@graph_call("POST")
def upload_sessions(request: HttpRequest, identifier: str) -> HttpResponseBase:
    """POST /{app-id}/uploads: begin the upload of a file that is later named by a handle."""
    strike(None)
    return JsonResponse({"id": media.begin_upload(request.GET.dict())})


@graph_call("POST")
def upload_content(request: HttpRequest, session: str) -> HttpResponseBase:
    """POST /upload:{session}: receive the whole file; returns its handle."""
    strike(None)
    return JsonResponse({"h": media.end_upload(session, request.body)})


@graph_call()
def node(request: HttpRequest, identifier: str) -> HttpResponseBase:
    """GET /{media-id}, /{phone-number-id}, /{waba-id}; DELETE /{media-id}; POST /{template-id}."""
    flow = SimFlow.objects.filter(flow_id=identifier).first()
    if flow is not None and request.method in ("GET", "DELETE"):
        strike(None)
        if request.method == "DELETE":
            flows.delete_flow(flow)
            return JsonResponse({"success": True})
        return JsonResponse(flows.flow_row(flow))
    if request.method == "POST":
        strike(None)
        reviewing.edit_template(identifier, json_of(request))
        return JsonResponse({"success": True})
    stored = SimMedia.objects.filter(media_id=identifier).first()
    if request.method == "DELETE" and stored is not None:
        stored.file.delete(save=False)
        stored.delete()
        return JsonResponse({"success": True})
    if request.method != "GET":
        raise errors.unknown_object(identifier, (request.method or "get").lower())
    if stored is not None:
        strike(None)
        return JsonResponse(_media_answer(stored))
    asked = [name for name in request.GET.get("fields", "").split(",") if name]
    number = SimNumber.objects.filter(phone_number_id=identifier).first()
    if number is None:
        number = SimNumber.objects.filter(waba_id=identifier).first()
        if number is None:
            raise errors.unknown_object(identifier)
        strike(number)
        fields = _account_fields(number)
        return JsonResponse({name: fields[name] for name in [*asked, "id"] if name in fields})
    strike(number)
    fields = _number_fields(number)
    if asked:
        # Meta includes this field only if it is asked for.
        address = f"{settings.PUBLIC_URL}/webhooks/whatsapp"
        fields["webhook_configuration"] = {"application": address}
        fields = {name: fields[name] for name in [*asked, "id"] if name in fields}
    return JsonResponse(fields)


def _media_answer(stored: SimMedia) -> dict[str, Any]:
    # Meta's addresses are on another host (lookaside.fbsbx.com) and need the token as well.
    address = f"http://127.0.0.1:{settings.PORT}/simulator/lookaside/whatsapp_business/attachments/"
    return {
        "messaging_product": "whatsapp",
        "url": f"{address}?mid={stored.media_id}&hash={stored.sha256[:32]}",
        "mime_type": stored.mime.split(";")[0],
        "sha256": stored.sha256,
        "file_size": stored.size,
        "id": stored.media_id,
    }


def _account_fields(number: SimNumber) -> dict[str, Any]:
    portfolio = portfolios.portfolio_of(number)
    return {
        "id": number.waba_id,
        "name": f"Conta {number.waba_id[-4:]}",
        "owner_business_info": {"name": portfolio.name, "id": portfolio.portfolio_id},
        "business_verification_status": portfolio.verification,
    }


def _number_fields(number: SimNumber) -> dict[str, Any]:
    return {
        "verified_name": number.verified_name,
        "code_verification_status": "VERIFIED",
        "display_phone_number": number.display_phone_number,
        "quality_rating": "GREEN",
        "platform_type": "CLOUD_API" if number.is_registered else "NOT_APPLICABLE",
        "is_on_biz_app": number.is_on_app,
        "throughput": {"level": "STANDARD"},
        "status": "CONNECTED" if number.is_registered else "PENDING",
        "name_status": "APPROVED",
        "whatsapp_business_manager_messaging_limit": portfolios.tier_of(
            portfolios.portfolio_of(number)
        ),
        "id": number.phone_number_id,
    }


@graph_call()
def download(request: HttpRequest) -> HttpResponseBase:
    """GET the file behind a media address; the token is needed here too."""
    stored = SimMedia.objects.filter(
        media_id=request.GET.get("mid", ""), sha256__startswith=request.GET.get("hash") or "-"
    ).first()
    if stored is None:
        return HttpResponse(status=404)
    strike(None)
    with stored.file.open("rb") as file:
        response = HttpResponse(file.read(), content_type=stored.mime.split(";")[0])
    response["Content-Disposition"] = f'attachment; filename="{stored.media_id}"'
    return response


@graph_call()
def phone_numbers(request: HttpRequest, identifier: str) -> HttpResponseBase:
    """GET /{waba-id}/phone_numbers."""
    numbers = SimNumber.objects.filter(waba_id=identifier)
    if not numbers:
        raise errors.unknown_object(identifier)
    return JsonResponse({"data": [_number_fields(number) for number in numbers]})


@graph_call("GET")
def permissions(request: HttpRequest) -> HttpResponseBase:
    """GET /me/permissions: an accepted token has all permissions that are needed."""
    names = ("whatsapp_business_management", "whatsapp_business_messaging", "public_profile")
    return JsonResponse({"data": [{"permission": name, "status": "granted"} for name in names]})


@graph_call("POST")
def phone_data(request: HttpRequest, identifier: str) -> HttpResponseBase:
    """POST /{phone-number-id}/smb_app_data: request the phone's contacts or its history."""
    number = conversations.number_for(identifier)
    strike(number)
    request_id = phone.answer(number, str(json_of(request).get("sync_type") or ""))
    if take_fault(FaultKind.ANSWER_LOST, number):
        raise Reset
    return JsonResponse({"messaging_product": "whatsapp", "request_id": request_id})


@graph_call("GET", "POST")
def subscribed_apps(request: HttpRequest, identifier: str) -> HttpResponseBase:
    """GET and POST /{waba-id}/subscribed_apps: one app is subscribed to every known account."""
    if request.method == "POST":
        return JsonResponse({"success": True})
    if not SimNumber.objects.filter(waba_id=identifier).exists():
        raise errors.unknown_object(identifier)
    app = {"id": "670843887433847", "name": "Balcão", "link": "https://www.facebook.com/games/"}
    return JsonResponse({"data": [{"whatsapp_business_api_data": app}]})


@graph_call("GET")
def app_subscriptions(request: HttpRequest, identifier: str) -> HttpResponseBase:
    """GET /{app-id}/subscriptions, with the app's own token: the fields that it hears of."""
    own = f"Bearer {settings.META_APP_ID}|{settings.META_APP_SECRET}"
    if identifier != settings.META_APP_ID or request.headers.get("Authorization") != own:
        raise errors.unknown_object(identifier)
    fields = [{"name": name, "version": "v26.0"} for name in FIELDS]
    row = {"object": "whatsapp_business_account", "active": True, "fields": fields}
    return JsonResponse({"data": [row]})


@graph_call("GET", "POST")
def profile(request: HttpRequest, identifier: str) -> HttpResponseBase:
    """GET and POST /{phone-number-id}/whatsapp_business_profile."""
    number = conversations.number_for(identifier)
    strike(number)
    if request.method == "POST":
        profiles.change_profile(number, json_of(request))
        return JsonResponse({"success": True})
    fields = [name for name in request.GET.get("fields", "").split(",") if name]
    return JsonResponse({"data": [profiles.profile_row(number, fields)]})


@graph_call("POST")
def register(request: HttpRequest, identifier: str) -> HttpResponseBase:
    """POST /{phone-number-id}/register: register a number; it leaves the phone that has it."""
    body = json_of(request)
    if body.get("messaging_product") != "whatsapp":
        raise errors.missing("messaging_product")
    if not re.fullmatch(r"[0-9]{6}", str(body.get("pin") or "")):
        raise errors.invalid("Param pin must be a string of six digits.")
    signing_up.register_number(conversations.number_for(identifier))
    return JsonResponse({"success": True})


@csrf_exempt
def access_token(request: HttpRequest) -> HttpResponse:
    """GET /oauth/access_token: exchange a code of the signup window; no token is needed."""
    app = (settings.META_APP_ID, settings.META_APP_SECRET)
    try:
        if (request.GET.get("client_id"), request.GET.get("client_secret")) != app:
            raise errors.wrong_app()
        token = signing_up.exchange_code(request.GET.get("code", ""))
    except GraphError as error:
        return JsonResponse(error.body(), status=error.status)
    return JsonResponse({"access_token": token, "token_type": "bearer"})


@csrf_exempt
def unknown(request: HttpRequest) -> HttpResponse:
    """Refuse any other call as Meta refuses an unknown path."""
    error = GraphError(2500, "Unknown path components: " + request.path)
    return JsonResponse(error.body(), status=400)
