"""Meta as the product meets it: signed webhooks in, a Graph API that counts what leaves.

Messages come at their rate whether or not the product follows (an open loop); a webhook is posted
again until it is taken, as Meta does, and the contact writes nothing else meanwhile.
"""

import asyncio
import json
import random
import time
from collections.abc import Callable
from time import monotonic
from typing import Any

import orjson

from tests.bench.inbound import signed
from tests.graph import graph_error
from tests.load.record import Record
from tests.load.shops import Contact, Shop
from tests.load.size import Size
from tests.load.wire import Asked, Client, Said, Server
from tests.product import ROOT

# How long Meta takes for an answer.
ANSWER_SECONDS = 0.1
# Posted at once; beyond them messages are late, which their times show.
MOST_IN_FLIGHT = 200
LEAST_AGAIN, MOST_AGAIN = 0.5, 8.0
SEVERAL, AT_ONCE, AGAIN, PICTURE = 0.05, 3, 0.01, 0.02
DELIVERED_SECONDS, READ_SECONDS, READ_SHARE = 0.5, 3.0, 0.5
# For which the product pauses a number for a minute, and a person for seconds.
NUMBER_LIMIT_CODE, PERSON_LIMIT_CODE = 130429, 131056
JPEG = (ROOT / "apps/simulator/samples/travessa-azul.jpg").read_bytes()
PATH = "/webhooks/whatsapp"
JSON = "application/json"


class Meta:
    """`accepted` are the texts that arrived for a number's person, in order.

    `mood`: '' it answers; 'limited' it refuses as too fast; 'garbage' its answers are no JSON, or
    none, whether it has accepted or not.
    """

    def __init__(self, shops: list[Shop], front: Client, record: Record, size: Size) -> None:
        self.shops, self.front, self.record = shops, front, record
        self._is_small = size.is_small
        self.accepted: dict[tuple[str, str], list[str]] = {}
        self.accepted_count = 0
        self.latest_accepted_at = 0.0
        self.mood = ""
        self.offered = self.taken = self.pictures = self.late = 0
        self.is_over = False
        self._statuses: set[asyncio.Task[None]] = set()
        self._posts: set[asyncio.Task[None]] = set()
        self._of_phone = {shop.phone_number_id: shop for shop in shops}
        self._server: Server | None = None

    async def start(self, port: int) -> None:
        self._server = Server(port, self._answer)
        await self._server.start()

    async def stop(self) -> None:
        """Refuse connections from now on, and give up what was not taken."""
        self.is_over = True
        if self._server is not None:
            await self._server.stop()

    # What contacts write.

    async def write(self, rate: float, is_over: Callable[[], bool]) -> None:
        """Write so many messages a second until it is over."""
        due, webhooks = monotonic(), rate / (1 + SEVERAL * (AT_ONCE - 1))
        while not is_over():
            due += random.expovariate(webhooks)
            await asyncio.sleep(max(0.0, due - monotonic()))
            while len(self._posts) >= MOST_IN_FLIGHT and not is_over():
                await asyncio.sleep(0.02)
            found = self._somebody()
            if found is None:
                self.late += 1
                continue
            task = asyncio.ensure_future(self._write(*found, due))
            self._posts.add(task)
            task.add_done_callback(self._posts.discard)

    def _somebody(self) -> tuple[Shop, Contact] | None:
        """Return a contact who waits for no webhook to be taken."""
        for _ in range(50):
            shop = random.choice(self.shops)
            contact = random.choice(shop.contacts)
            if not contact.is_busy:
                return shop, contact
        return None

    async def _write(self, shop: Shop, contact: Contact, due: float) -> None:
        contact.is_busy = True
        times = AT_ONCE if random.random() < SEVERAL else 1
        messages = [self._message(shop, contact, due) for _ in range(times)]
        self.offered += len(messages)
        profile = {"profile": {"name": f"Cliente {contact.id}"}, "wa_id": contact.number}
        body = notification(shop, contacts=[profile], messages=messages)
        await self.post("webhook", body)
        self.taken += len(messages)
        contact.is_busy = False
        if random.random() < AGAIN:
            await self.post("webhook", body)

    def _message(self, shop: Shop, contact: Contact, due: float) -> dict[str, Any]:
        text = shop.next_body(contact, due)
        message: dict[str, Any] = {
            "from": contact.number,
            "id": f"wamid.load.{shop.id}.{len(shop.due)}",
            "timestamp": str(int(time.time())),
        }
        if random.random() < PICTURE:
            self.pictures += 1
            image = {"id": f"{self.pictures}", "mime_type": "image/jpeg", "caption": text}
            return {**message, "type": "image", "image": image}
        return {**message, "type": "text", "text": {"body": text}}

    async def post(self, name: str, body: bytes) -> None:
        """Post a webhook until it is taken."""
        headers, pause = signed(body), LEAST_AGAIN
        while not self.is_over:
            start = monotonic()
            try:
                answer = await self.front.call("POST", PATH, body, headers)
            except (OSError, EOFError, TimeoutError) as error:
                self.record.fail(name, type(error).__name__, start)
            else:
                if answer.status == 200:
                    self.record.note(name, start, monotonic())
                    return
                self.record.fail(name, str(answer.status), start)
            await asyncio.sleep(random.uniform(LEAST_AGAIN, pause))
            pause = min(MOST_AGAIN, pause * 2)

    def waiting(self) -> int:
        """Return how many webhooks are still to be taken."""
        return len(self._posts) + len(self._statuses)

    # What the product sends.

    async def _answer(self, asked: Asked) -> Said:
        if asked.method == "GET":
            return self._file(asked.path)
        await asyncio.sleep(ANSWER_SECONDS)
        payload = orjson.loads(asked.body) if asked.body else {}
        if self.mood == "limited":
            code = PERSON_LIMIT_CODE if self._is_small else NUMBER_LIMIT_CODE
            return _said(*graph_error(code, 429))
        # That one was not accepted is known after half a minute: no time for it when small.
        turn = random.randrange(self._is_small, 3) if self.mood == "garbage" else -1
        if turn == 0:
            return 502, "text/html", b"<html><body>Bad Gateway</body></html>"
        phone = asked.path.rsplit("/", 2)[-2]
        if payload.get("status") == "read" or phone not in self._of_phone:
            return _said(200, {"success": True})
        wamid = self._accept(phone, payload)
        if turn == 1:
            return None
        if turn == 2:
            return 200, JSON, b'{"messages": [{"id": "wam'
        return _said(200, {"messages": [{"id": wamid}]})

    def _file(self, path: str) -> Said:
        media = path.rpartition("/")[2].partition("?")[0]
        if path.startswith("/file/"):
            return 200, "image/jpeg", JPEG
        if media.isdigit():
            assert self._server is not None
            url = f"http://127.0.0.1:{self._server.port}/file/{media}"
            return _said(200, {"url": url, "mime_type": "image/jpeg", "id": media})
        return _said(200, {"data": []})

    def _accept(self, phone: str, payload: dict[str, Any]) -> str:
        text = str(payload.get("text", {}).get("body", payload.get("type")))
        self.accepted.setdefault((phone, str(payload["to"])), []).append(text)
        self.accepted_count += 1
        self.latest_accepted_at = monotonic()
        wamid = f"wamid.sent.{self.accepted_count}"
        task = asyncio.ensure_future(self._report(self._of_phone[phone], wamid, payload))
        self._statuses.add(task)
        task.add_done_callback(self._statuses.discard)
        return wamid

    async def _report(self, shop: Shop, wamid: str, payload: dict[str, Any]) -> None:
        steps = [("sent", 0.0), ("delivered", DELIVERED_SECONDS)]
        if random.random() < READ_SHARE:
            steps.append(("read", READ_SECONDS))
        for status, pause in steps:
            await asyncio.sleep(pause)
            report = {
                "id": wamid,
                "status": status,
                "recipient_id": payload["to"],
                "timestamp": str(int(time.time())),
                "biz_opaque_callback_data": payload.get("biz_opaque_callback_data", ""),
            }
            await self.post("status", notification(shop, statuses=[report]))


def _said(status: int, body: dict[str, Any]) -> Said:
    return status, JSON, orjson.dumps(body)


def notification(shop: Shop, **value: Any) -> bytes:
    """Return a webhook's body as Meta sends it."""
    metadata = {"display_phone_number": "551140000000", "phone_number_id": shop.phone_number_id}
    whole = {"messaging_product": "whatsapp", "metadata": metadata, **value}
    change = {"field": "messages", "value": whole}
    entry = {"id": shop.waba_id, "changes": [change]}
    return orjson.dumps({"object": "whatsapp_business_account", "entry": [entry]})


class Phones:
    """People who write to the numbers by QR code, on the gateway's own wire."""

    def __init__(self, shops: list[Shop], control: Client, record: Record) -> None:
        self._shops = shops
        self._control, self._record = control, record
        self.offered = 0

    async def write(self, rate: float, is_over: Callable[[], bool]) -> None:
        """Write so many messages a second until it is over, each person one after the other."""
        linked = [shop for shop in self._shops if shop.qr_contacts]
        while not is_over():
            due = monotonic() + random.expovariate(rate)
            await asyncio.sleep(max(0.0, due - monotonic()))
            shop = random.choice(linked)
            contact = random.choice(shop.qr_contacts)
            if contact.is_busy:
                continue
            contact.is_busy = True
            text = shop.next_body(contact, due)
            call = {"number": contact.number, "name": "", "to": shop.qr_number, "text": text}
            answer = await self._control.call("POST", "/write", json.dumps(call).encode())
            assert answer.status == 200, answer.body
            self.offered += 1
            contact.is_busy = False
