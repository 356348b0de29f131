"""Signed calls of the simulated gateway to the product (docs/gateway.md §1)."""

import json
from functools import cache
from typing import Any

import httpx
from django.conf import settings

from apps.connections.providers.beta.signing import signed_headers

TIMEOUT_SECONDS = 10


class CallFailed(Exception):
    """A call to the product failed; `status` is 0 when there was no response."""

    def __init__(self, status: int, said: str) -> None:
        super().__init__(f"HTTP {status}" if status else said)
        self.status = status


@cache
def client() -> httpx.Client:
    return httpx.Client(timeout=TIMEOUT_SECONDS, trust_env=False)


def call(path: str, body: dict[str, Any]) -> dict[str, Any]:
    """Post to a path below `/internal/gateway/`; returns the response. Raises CallFailed."""
    content = json.dumps(body).encode()
    response = _send("POST", f"/internal/gateway/{path}", content)
    answer: dict[str, Any] = response.json()
    return answer


def fetch(target: str) -> tuple[bytes, str]:
    """Fetch a file from a command's URL path; returns its bytes and type. Raises CallFailed."""
    response = _send("GET", target, b"")
    return response.content, response.headers.get("content-type", "application/octet-stream")


def _send(method: str, target: str, content: bytes) -> httpx.Response:
    headers = signed_headers(settings.GATEWAY_SECRET, method=method, target=target, body=content)
    try:
        response = client().request(
            method,
            f"http://127.0.0.1:{settings.PORT}{target}",
            content=content,
            headers={**headers, "Content-Type": "application/json; charset=utf-8"},
        )
    except httpx.HTTPError as failure:
        raise CallFailed(0, f"{type(failure).__name__}: {failure}") from failure
    if not response.is_success:
        raise CallFailed(response.status_code, response.text)
    return response
