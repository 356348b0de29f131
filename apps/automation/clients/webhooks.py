"""The client of webhooks: posts signed events (types n8n, webhook, webhook_official).

With the secret the receiver verifies that an event is genuine and recent: the signature is the HMAC
of the timestamp, a dot and the exact bytes of the body (docs/webhooks.md). The flow answers through
the messages API.
"""

import hashlib
import hmac
import time
import uuid
from collections.abc import Mapping
from typing import Any

import orjson

from apps.automation.clients.base import Call, ClientError, Outcome, Turn
from apps.automation.clients.http import TIMEOUT_SECONDS, exchange, shown_url
from apps.common.reasons import Reason, ReasonCode

EVENT_HEADER = "X-Balcao-Event"
DELIVERY_HEADER = "X-Balcao-Delivery"
TIMESTAMP_HEADER = "X-Balcao-Timestamp"
SIGNATURE_HEADER = "X-Balcao-Signature"
# Limits on responses, which are only shown in the log.
MAX_ANSWER = 256 * 1024
MAX_SHOWN = 4 * 1024
ONLY_OFFICIAL = "Esta integração atende só conexões da API oficial."


class WebhookClient:
    """Posts a turn's payload to `url`, signed with `secret`; it returns no replies.

    `only_official`: events of other connections are refused, because the receiver reads `raw` in
    the official API's format. `cuts`: a long response is cut to the logged length instead of
    refused.
    """

    def __init__(
        self,
        *,
        url: str,
        secret: str,
        only_official: bool = False,
        cuts: bool = False,
        timeout: float = TIMEOUT_SECONDS,
    ) -> None:
        self._url = url
        self._secret = secret
        self._only_official = only_official
        self._cuts = cuts
        self._timeout = timeout

    def take_turn(self, turn: Turn) -> Outcome:
        """Post the event; see `base.Client`."""
        event = str(turn.webhook_payload.get("event", ""))
        return Outcome(calls=(self.post(event, turn.event_id, turn.webhook_payload),))

    def post(self, event: str, event_id: uuid.UUID, body: Mapping[str, Any]) -> Call:
        """Post one event with any body; a retry uses the same id.

        Raises ClientError.
        """
        if self._only_official and not _is_official(body):
            reason = Reason(ReasonCode.ONLY_OFFICIAL)
            call = Call(
                event=event,
                url=shown_url(self._url),
                request_body=dict(body),
                error=ONLY_OFFICIAL,
                reason=reason,
            )
            raise ClientError(ONLY_OFFICIAL, reason=reason, permanent=True, calls=(call,))
        content = orjson.dumps(body)
        stamp = str(int(time.time()))
        _, call = exchange(
            "POST",
            self._url,
            event=event,
            content=content,
            headers={
                "Content-Type": "application/json",
                EVENT_HEADER: event,
                DELIVERY_HEADER: str(event_id),
                TIMESTAMP_HEADER: stamp,
                SIGNATURE_HEADER: signature_of(content, secret=self._secret, timestamp=stamp),
            },
            timeout=self._timeout,
            max_bytes=MAX_SHOWN if self._cuts else MAX_ANSWER,
            cuts=self._cuts,
            logged=body,
        )
        return call


def _is_official(body: Mapping[str, Any]) -> bool:
    connection = body.get("connection")
    return isinstance(connection, Mapping) and connection.get("provider") == "official"


def signature_of(content: bytes, *, secret: str, timestamp: str) -> str:
    """Return the signature header of a body and timestamp: `sha256=` and 64 hex digits."""
    signed = timestamp.encode() + b"." + content
    return "sha256=" + hmac.new(secret.encode(), signed, hashlib.sha256).hexdigest()
