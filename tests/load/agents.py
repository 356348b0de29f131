"""People at work: each reads lists, opens a conversation, accepts, answers, and closes some."""

import asyncio
import random
import uuid
from collections import Counter
from collections.abc import Callable
from time import monotonic
from typing import Any

import orjson

from tests.factories import PASSWORD
from tests.load.record import Record
from tests.load.shops import Person, Shop
from tests.load.wire import Answer, Client

# Before the access token's end after 15 minutes.
TOKEN_SECONDS = 600.0
SIGN_INS_AT_ONCE = 4
AGAIN_SECONDS = 2.0
CLOSES, TWO_ANSWERS = 0.3, 0.3
# A page's own calls when it has nothing else to do.
SEARCHES = 0.1
LIST = "/api/tickets?pageNumber=1&showAll={all}&status={status}&queueIds=%5B{queue}%5D"


class NoAnswer(OSError):
    """A call came to nothing; the page shows that and goes on."""


class Office:
    """Makes the calls of people, with their sessions."""

    def __init__(self, front: Client, record: Record) -> None:
        self.front, self.record = front, record
        self._turns = asyncio.Semaphore(SIGN_INS_AT_ONCE)

    async def sign_in(self, person: Person) -> None:
        body = orjson.dumps({"email": person.email, "password": PASSWORD})
        async with self._turns:
            answer = await self.call(person, "sign-in", "POST", "/api/auth/login", body)
        self._keep(person, answer)

    async def token_of(self, person: Person) -> str:
        """Return an access token that is valid for some minutes."""
        if monotonic() - person.signed_in_at > TOKEN_SECONDS:
            headers = {"Cookie": f"jrt={person.cookie}"}
            path = "/api/auth/refresh_token"
            answer = await self.front.call("POST", path, b"", headers)
            if answer.status != 200:
                raise ConnectionError(f"No token: {answer.status}")
            self._keep(person, answer)
        return person.token

    def _keep(self, person: Person, answer: Answer) -> None:
        person.token = orjson.loads(answer.body)["token"]
        cookie = answer.headers["set-cookie"]
        person.cookie = cookie.partition("jrt=")[2].partition(";")[0]
        person.signed_in_at = monotonic()

    async def call(
        self, person: Person, name: str, method: str, path: str, body: bytes = b""
    ) -> Answer:
        """Make a call and note it; raises NoAnswer where a page would say that it failed."""
        headers = {"Content-Type": "application/json"}
        if person.token:
            headers["Authorization"] = f"Bearer {person.token}"
        start = monotonic()
        try:
            answer = await self.front.call(method, path, body, headers)
        except (OSError, EOFError, TimeoutError) as error:
            self.record.fail(name, type(error).__name__, start)
            raise NoAnswer(name) from error
        if answer.status >= 500 or answer.status in {401, 429}:
            self.record.fail(name, str(answer.status), start)
            raise NoAnswer(name)
        if answer.status >= 400:
            self.record.refused[f"{name}: {answer.status} {_code(answer)}"] += 1
            return answer
        self.record.note(name, start, monotonic())
        return answer

    async def lists(self, person: Person, queue_id: int) -> dict[str, list[Any]]:
        """Read the lists of own and of waiting conversations."""
        found = {}
        for status, shows_all in (("open", "false"), ("pending", "true")):
            path = LIST.format(all=shows_all, status=status, queue=queue_id)
            answer = await self.call(person, f"list of {status}", "GET", path)
            found[status] = orjson.loads(answer.body).get("tickets", [])
        return found


def _code(answer: Answer) -> str:
    try:
        return str(orjson.loads(answer.body).get("error", ""))
    except ValueError:
        return "no JSON"


class Agent:
    """One of them; `sent` are the texts that the product has taken."""

    def __init__(self, office: Office, shop: Shop, person: Person) -> None:
        self.office, self.shop, self.person = office, shop, person
        self.sent: list[str] = []
        self.turns: Counter[str] = Counter()
        self._said = 0

    async def work(
        self, turn_seconds: float, is_over: Callable[[], bool], gives_up: Callable[[], bool]
    ) -> None:
        """Take turns until it is over; what was written is sent again until one gives up."""
        # Not all of them at the same moment.
        await asyncio.sleep(random.uniform(0, turn_seconds))
        while not is_over():
            start = monotonic()
            try:
                await self.office.token_of(self.person)
                await self._turn(is_over, gives_up)
                self.turns["done"] += 1
            except (OSError, EOFError, TimeoutError):
                self.turns["failed"] += 1
            rest = random.uniform(0.5, 1.5) * turn_seconds - (monotonic() - start)
            rests_until = monotonic() + max(0.5, rest)
            while monotonic() < rests_until and not is_over():
                await asyncio.sleep(min(1.0, max(0.1, rests_until - monotonic())))

    async def _turn(self, is_over: Callable[[], bool], gives_up: Callable[[], bool]) -> None:
        person, office = self.person, self.office
        lists = await office.lists(person, self.shop.queue_id)
        if random.random() < SEARCHES:
            path = "/api/contacts?pageNumber=1&searchParam=cliente%2015"
            await office.call(person, "contact search", "GET", path)
        # Own conversations first, as long as somebody waits for an answer in them.
        own = [each for each in lists["open"] if each["unreadMessages"]]
        chosen = own or lists["pending"]
        if not chosen:
            return
        ticket = random.choice(chosen[:8])
        pk = ticket["id"]
        await office.call(person, "conversation", "GET", f"/api/messages/{pk}?pageNumber=1")
        if ticket["status"] == "pending":
            accept = {"status": "open", "userId": person.user_id, "queueId": self.shop.queue_id}
            answer = await self._put(pk, "accept", accept)
            if answer.status >= 400:
                return
        for _ in range(2 if random.random() < TWO_ANSWERS else 1):
            if is_over():
                return
            await self._write(pk, gives_up)
        if random.random() < CLOSES:
            await self._put(pk, "close", {"status": "closed", "userId": person.user_id})

    async def _put(self, ticket: int, name: str, body: dict[str, Any]) -> Answer:
        path = f"/api/tickets/{ticket}"
        return await self.office.call(self.person, name, "PUT", path, orjson.dumps(body))

    async def _write(self, ticket: int, gives_up: Callable[[], bool]) -> None:
        """Send a text as the browser does: again, by the same id, until there is an answer."""
        self._said += 1
        text = f"answer-{self.person.user_id}-{ticket}-{self._said}"
        body = orjson.dumps({"body": text, "clientId": str(uuid.uuid4())})
        while True:
            try:
                answer = await self.office.call(
                    self.person, "answer", "POST", f"/api/messages/{ticket}", body
                )
            except NoAnswer:
                if gives_up():
                    raise
                await asyncio.sleep(AGAIN_SECONDS)
                continue
            if answer.status < 400:
                self.sent.append(text)
            return
