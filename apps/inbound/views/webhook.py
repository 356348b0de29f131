"""Meta's webhook: one address for the whole app, all numbers and all companies."""

import hashlib
import hmac

import orjson
from django.conf import settings
from django.core.exceptions import RequestDataTooBig
from django.http import HttpRequest, HttpResponse
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_http_methods

from apps.common.metrics import count_notices
from apps.connections.providers.official.webhook import field_of, notices
from apps.inbound.services import store_notices

SIGNATURE_PREFIX = "sha256="


def _answer(status: int, text: str) -> HttpResponse:
    return HttpResponse(text, status=status, content_type="text/plain; charset=utf-8")


def is_signed(body: bytes, signature: str) -> bool:
    """Tell whether `X-Hub-Signature-256` is that of the raw body, in constant time."""
    if not settings.META_APP_SECRET:
        return False
    digest = hmac.new(settings.META_APP_SECRET.encode(), body, hashlib.sha256).hexdigest()
    return hmac.compare_digest(f"{SIGNATURE_PREFIX}{digest}".encode(), signature.encode())


def _verify(request: HttpRequest) -> HttpResponse:
    given = request.GET.get("hub.verify_token", "").encode()
    wanted = settings.META_VERIFY_TOKEN.encode()
    is_right = bool(wanted) and hmac.compare_digest(given, wanted)
    if request.GET.get("hub.mode") != "subscribe" or not is_right:
        return _answer(403, "Wrong verify token.")
    return _answer(200, request.GET.get("hub.challenge", ""))


@csrf_exempt
@require_http_methods(["GET", "POST"])
def whatsapp_webhook(request: HttpRequest) -> HttpResponse:
    """Answer Meta's verification (GET); store a signed notification and answer 200 (POST).

    A worker handles the content later. A wrong signature is 401, and nothing is stored
    (rules/inbound §2).
    """
    if request.method == "GET":
        return _verify(request)
    try:
        body = request.body
    except RequestDataTooBig:
        return _answer(413, "The notification is too large.")
    if not is_signed(body, request.headers.get("X-Hub-Signature-256", "")):
        return _answer(401, "Wrong signature.")
    try:
        notification = orjson.loads(body)
    except orjson.JSONDecodeError:
        return _answer(400, "The notification is not JSON.")
    if not isinstance(notification, dict):
        return _answer(400, "The notification is not an object.")
    found = notices(notification)
    store_notices(found)
    count_notices(field_of(notice) for _, notice in found)
    return _answer(200, "OK")
