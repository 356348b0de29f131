"""Webhooks for notifications of Pix providers (rules/billing §3).

A notification proves no payment. It only says which charge to look up at the provider.
"""

import hmac
from collections.abc import Callable, Mapping
from typing import Any

import orjson
from django.conf import settings
from django.core.exceptions import RequestDataTooBig
from django.http import HttpRequest, HttpResponse
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_POST

from apps.billing.services.notices import store_asaas_notice, store_efi_notice


def _answer(status: int, text: str) -> HttpResponse:
    return HttpResponse(text, status=status, content_type="text/plain; charset=utf-8")


def is_secret(given: str) -> bool:
    """Compare a text with PIX_WEBHOOK_SECRET in constant time; False if no secret is set."""
    wanted = settings.PIX_WEBHOOK_SECRET.encode()
    return bool(wanted) and hmac.compare_digest(given.encode(), wanted)


def _take(
    request: HttpRequest, secret: str, store: Callable[[Mapping[str, Any]], int]
) -> HttpResponse:
    if not is_secret(secret):
        return _answer(401, "Wrong secret.")
    try:
        body = orjson.loads(request.body)
    except RequestDataTooBig:
        return _answer(413, "The notification is too large.")
    except orjson.JSONDecodeError:
        return _answer(400, "The notification is not JSON.")
    if not isinstance(body, dict):
        return _answer(400, "The notification is not an object.")
    store(body)
    return _answer(200, "200")


@csrf_exempt
@require_POST
def efi_webhook(request: HttpRequest) -> HttpResponse:
    """Store a notification of Efí; the secret is the parameter `hmac`, as Efí documents it."""
    return _take(request, request.GET.get("hmac", ""), store_efi_notice)


@csrf_exempt
@require_POST
def asaas_webhook(request: HttpRequest) -> HttpResponse:
    """Store a notification of Asaas; the secret is in the header `asaas-access-token`."""
    return _take(request, request.headers.get("asaas-access-token", ""), store_asaas_notice)
