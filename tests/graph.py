"""A stand-in for the Graph API on a loopback port: it speaks the wire and fails on demand."""

import json
import sys
import threading
from collections.abc import Callable
from contextlib import suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qs, urlsplit

from tests.services import free_port

# What a fault answers: status, body; None drops the connection without an answer.
Answer = tuple[int, dict[str, Any]] | None
Fault = Callable[[dict[str, Any]], "Answer | bool"]


def graph_error(
    code: int, status: int = 400, *, subcode: int | None = None, details: str = ""
) -> tuple[int, dict[str, Any]]:
    """Return an answer of the Graph API that refuses with a code."""
    error: dict[str, Any] = {"message": f"Fault {code}", "code": code, "type": "OAuthException"}
    if details:
        error["error_data"] = {"messaging_product": "whatsapp", "details": details}
    if subcode is not None:
        error["error_subcode"] = subcode
    return status, {"error": error}


class _Listener(ThreadingHTTPServer):
    daemon_threads = True

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Be silent of who was killed while asking."""
        if not isinstance(sys.exc_info()[1], ConnectionError):
            super().handle_error(request, client_address)


class GraphServer:
    """Accepts messages, uploads and downloads; `messages` are the accepted payloads in order.

    `templates` are the rows of every account's list; `fault` hears of that as type `list`, and of
    uploads as `upload`.

    `fault` is asked before a message is accepted and answers False to let it pass; `after` likewise
    after it was accepted, so that the answer gets lost. `on_accept` hears of each one with its id,
    which begins with `name`.
    """

    def __init__(self, name: str = "sent") -> None:
        self.name = name
        self.messages: list[dict[str, Any]] = []
        # What was asked of `thread_control`.
        self.controls: list[dict[str, Any]] = []
        self.uploads: list[bytes] = []
        # The paths of all sends, refused ones too.
        self.paths: list[str] = []
        # Whether templates are accepted, but held for Meta's assessment.
        self.held = False
        self.media: dict[str, tuple[str, bytes]] = {}
        # Called in the middle of each file.
        self.at_half: Callable[[], object] = lambda: None
        self.templates: list[dict[str, Any]] = []
        # The catalogues of every account, and the products of each of them.
        self.catalogs: list[dict[str, Any]] = []
        self.products: list[dict[str, Any]] = []
        self.fault: Fault = lambda payload: False
        self.after: Fault = lambda payload: False
        self.on_accept: Callable[[dict[str, Any], str], None] = lambda payload, wamid: None
        self.lock = threading.Lock()
        self.port = free_port()
        self.start()

    def start(self) -> None:
        """Listen, on the same port each time."""
        self._server = _Listener(("127.0.0.1", self.port), self._handler())
        threading.Thread(target=self._server.serve_forever, args=(0.02,), daemon=True).start()

    def stop(self) -> None:
        """Refuse connections from now on."""
        self._server.shutdown()
        self._server.server_close()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    @property
    def bodies(self) -> list[str]:
        """Return the texts that were accepted, in order."""
        return [message["text"]["body"] for message in self.messages if message["type"] == "text"]

    def found_products(self, path: str) -> list[dict[str, Any]]:
        """Return the products that a filter lets through, by name or by retailer id."""
        query = parse_qs(urlsplit(path).query)
        [wanted] = query.get("filter", ["{}"])
        given = json.loads(wanted)
        words = str(given.get("name", {}).get("i_contains", "")).casefold()
        ids = given.get("retailer_id", {}).get("is_any")
        return [
            each
            for each in self.products
            if words in each["name"].casefold() and (ids is None or each["retailer_id"] in ids)
        ]

    def _accept(self, payload: dict[str, Any]) -> str:
        with self.lock:
            self.messages.append(payload)
            wamid = f"wamid.{self.name}{len(self.messages)}"
        self.on_accept(payload, wamid)
        return wamid

    def _handler(graph: "GraphServer") -> type[BaseHTTPRequestHandler]:
        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def log_message(self, format: str, *args: Any) -> None:
                pass

            def _answer(self, answer: "Answer | bool", content: bytes | None = None) -> None:
                if not isinstance(answer, tuple):
                    self.close_connection = True
                    return
                status, body = answer
                raw = json.dumps(body).encode() if content is None else content
                self.send_response(status)
                self.send_header("Content-Type", "application/json")
                self.send_header("Content-Length", str(len(raw)))
                self.end_headers()
                self.wfile.write(raw)

            def do_GET(self) -> None:
                media_id = self.path.rpartition("/")[2].partition("?")[0]
                if "/message_templates" in self.path:
                    fault = graph.fault({"type": "list"})
                    self._answer((200, {"data": graph.templates}) if fault is False else fault)
                elif media_id == "product_catalogs":
                    self._answer((200, {"data": graph.catalogs}))
                elif media_id == "products":
                    self._answer((200, {"data": graph.found_products(self.path)}))
                elif self.path.startswith("/file/"):
                    self._send_file(graph.media[media_id][1])
                elif media_id in graph.media:
                    url = f"{graph.url}/file/{media_id}"
                    body = {"url": url, "mime_type": graph.media[media_id][0], "id": media_id}
                    self._answer((200, body))
                else:
                    self._answer(graph_error(100, subcode=33))

            def _send_file(self, content: bytes) -> None:
                half = len(content) // 2
                self.send_response(200)
                self.send_header("Content-Length", str(len(content)))
                self.end_headers()
                with suppress(BrokenPipeError, ConnectionResetError):
                    self.wfile.write(content[:half])
                    graph.at_half()
                    self.wfile.write(content[half:])

            def do_POST(self) -> None:
                raw = self.rfile.read(int(self.headers["Content-Length"]))
                if self.path.endswith("/media"):
                    fault = graph.fault({"type": "upload"})
                    if fault is not False:
                        self._answer(fault)
                        return
                    graph.uploads.append(raw)
                    self._answer((200, {"id": f"media{len(graph.uploads)}"}))
                    return
                payload = json.loads(raw)
                graph.paths.append(self.path)
                fault = graph.fault({**payload, "edge": self.path.rpartition("/")[2]})
                if fault is not False:
                    self._answer(fault)
                    return
                if self.path.endswith("/thread_control"):
                    graph.controls.append(payload)
                    self._answer((200, {"success": True}))
                    return
                if payload.get("status") == "read":
                    graph.messages.append({**payload, "type": "read"})
                    self._answer((200, {"success": True}))
                    return
                wamid = graph._accept(payload)
                lost = graph.after(payload)
                sent = {"id": wamid}
                if payload.get("type") == "template":
                    held = "held_for_quality_assessment"
                    sent["message_status"] = held if graph.held else "accepted"
                self._answer((200, {"messages": [sent]}) if lost is False else lost)

        return Handler
