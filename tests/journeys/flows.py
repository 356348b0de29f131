"""Somebody else's flow: a server that gets our events and answers through the messages API."""

import hashlib
import hmac
import json
import threading
import urllib.request
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Self


class Flow:
    """Repeats every message to the contact, once for each event; what is not ours it refuses."""

    def __init__(self, product_address: str) -> None:
        self._product = product_address
        self.secret = self.token = ""
        self.events: list[str] = []
        self.refused: list[str] = []
        flow = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers["Content-Length"]))
                status = flow.take(body, dict(self.headers))
                self.send_response(status)
                self.end_headers()
                self.wfile.write(b"{}")

            def log_message(self, format: str, *args: Any) -> None:
                """Say nothing."""

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.address = f"http://127.0.0.1:{self._server.server_port}/fluxo"

    def __enter__(self) -> Self:
        threading.Thread(target=self._server.serve_forever, daemon=True).start()
        return self

    def __exit__(self, *error: object) -> None:
        self._server.shutdown()
        self._server.server_close()

    def take(self, body: bytes, headers: dict[str, str]) -> int:
        """Check an event, answer the contact, and return the status for the sender."""
        signed = headers["X-Balcao-Timestamp"].encode() + b"." + body
        expected = hmac.new(self.secret.encode(), signed, hashlib.sha256).hexdigest()
        if headers["X-Balcao-Signature"] != f"sha256={expected}":
            self.refused.append(headers["X-Balcao-Signature"])
            return 401
        event_id = headers["X-Balcao-Delivery"]
        is_new = event_id not in self.events
        self.events.append(event_id)
        if is_new:
            envelope = json.loads(body)
            text = f"Recebi: {envelope['message']['body']}"
            self._say(envelope["contact"]["number"], text)
        return 200

    def _say(self, number: str, text: str) -> None:
        request = urllib.request.Request(
            f"{self._product}/api/messages/send",
            data=json.dumps({"number": number, "body": text}).encode(),
            headers={
                "Content-Type": "application/json",
                "Authorization": f"Bearer {self.token}",
            },
        )
        with urllib.request.urlopen(request, timeout=20) as answer:
            answer.read()
