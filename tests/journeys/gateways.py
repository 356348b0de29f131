"""A gateway as the running product meets one, whose sessions a journey leads."""

import time
import urllib.request
import uuid
from typing import Any

import orjson

from apps.connections.providers.beta.signing import digest_of, signature
from tests.gateway import NAME, SECRET, Gateway, session_event
from tests.product import Product, wait_for


class PlayedGateway:
    """Leases the product's QR sessions and reports how they are."""

    def __init__(self, product: Product, gateway: Gateway) -> None:
        self.product, self.gateway = product, gateway
        self.held: dict[int, int] = {}
        self.lease()

    def lease(self) -> list[int]:
        """Make a lease call; returns the sessions that it brought."""
        told = self._call(
            "lease",
            {
                "version": 1,
                "gateway": NAME,
                "address": self.gateway.url,
                "room": 10,
                "held": [{"session": pk, "epoch": epoch} for pk, epoch in self.held.items()],
            },
        )
        claimed = {each["session"]: each["epoch"] for each in told["claimed"]}
        kept = {each["session"] for each in told["held"]}
        self.held = {pk: epoch for pk, epoch in self.held.items() if pk in kept} | claimed
        return list(claimed)

    def claim(self) -> int:
        """Wait for the session that a person has just asked for."""
        claimed: list[int] = []

        def has_claimed() -> bool:
            claimed.extend(self.lease())
            return bool(claimed)

        wait_for(has_claimed, "a session")
        return claimed[0]

    def report(self, session: int, status: str, **payload: Any) -> None:
        """Report a session's status; its end ends the lease."""
        event = session_event(status, **payload)
        body = {"epoch": self.held[session], "events": [event]}
        self._call(f"sessions/{session}/commit", body)
        if status in {"DISCONNECTED", "TIMEOUT"}:
            del self.held[session]

    def _call(self, path: str, body: Any) -> Any:
        target, content = f"/internal/gateway/{path}", orjson.dumps(body)
        moment, call_id = str(int(time.time())), str(uuid.uuid4())
        signed = signature(
            SECRET,
            method="POST",
            target=target,
            at=moment,
            call_id=call_id,
            digest=digest_of(content),
        )
        call = urllib.request.Request(
            self.product.address + target,
            content,
            {
                "Content-Type": "application/json",
                "X-Gateway-Time": moment,
                "X-Gateway-Id": call_id,
                "X-Gateway-Signature": signed,
            },
        )
        with urllib.request.urlopen(call, timeout=20) as answer:
            return orjson.loads(answer.read())
