"""The events that programs may have missed, kept in Redis for an hour (rules/realtime §6).

A company's stream exists while a program of it is connected and for an hour after; only then are
its events written. Programs read them from the stream alone, live ones as well as missed ones, so
that none is lost or repeated where the two meet. The entries of a stream are numbered without gaps:
the id is `{epoch}-{number}`, and a stream that is created again has another epoch. A position whose
next number is not in the stream is therefore recognized.
"""

import asyncio
from dataclasses import dataclass
from typing import Any
from weakref import WeakKeyDictionary

import redis.asyncio
from django.conf import settings
from redis.asyncio.retry import Retry
from redis.backoff import NoBackoff

from apps.common.silence import WAIT_SECONDS

KEPT_SECONDS = 3600
# A program's process tells this often that it still listens.
RENEWED_SECONDS = 300
# The stream outlives its last program by an hour.
LIFETIME_MS = (KEPT_SECONDS + RENEWED_SECONDS + 60) * 1000
# The bytes of a company's kept events; older ones are dropped first.
MOST_BYTES = 16 * 1024 * 1024
READ_AT_ONCE = 100
ANSWER_SECONDS = 5.0

# Each entry: the bytes of all entries until it, when it was written, and the event.
_APPEND = """
local now, size = tonumber(ARGV[3]), #ARGV[4] + #ARGV[5] + #ARGV[6] + #ARGV[7]
local companies = {ARGV[2]}
if ARGV[2] == '0' then companies = redis.call('SMEMBERS', ARGV[1] .. 'companies') end
for _, company in ipairs(companies) do
  local key = ARGV[1] .. company
  local last = redis.call('XREVRANGE', key, '+', '-', 'COUNT', 1)[1]
  if last then
    local epoch, number = string.match(last[1], '(%d+)-(%d+)')
    local total = tonumber(last[2][2]) + size
    redis.call('XADD', key, epoch .. '-' .. string.format('%d', number + 1),
      'total', string.format('%d', total), 'at', ARGV[3],
      'event', ARGV[4], 'kind', ARGV[5], 'rooms', ARGV[6], 'data', ARGV[7])
    local oldest = redis.call('XRANGE', key, '-', '+', 'COUNT', 2)
    while #oldest == 2 and (tonumber(oldest[1][2][4]) < now - tonumber(ARGV[8])
        or total - tonumber(oldest[1][2][2]) > tonumber(ARGV[9])) do
      redis.call('XTRIM', key, 'MINID', oldest[2][1])
      oldest = redis.call('XRANGE', key, '-', '+', 'COUNT', 2)
    end
    redis.call('PUBLISH', ARGV[10] .. company, ARGV[11])
  elseif ARGV[2] == '0' then
    redis.call('SREM', ARGV[1] .. 'companies', company)
  end
end
"""
_LISTEN = """
local key = ARGV[1] .. ARGV[2]
if redis.call('EXISTS', key) == 0 then
  redis.call('XADD', key, ARGV[3] .. '-0', 'total', '0', 'at', ARGV[3])
end
redis.call('PEXPIRE', key, ARGV[4])
redis.call('SADD', ARGV[1] .. 'companies', ARGV[2])
return {redis.call('XRANGE', key, '-', '+', 'COUNT', 1)[1][1],
  redis.call('XREVRANGE', key, '+', '-', 'COUNT', 1)[1][1]}
"""
_FORGET = """
local companies = {ARGV[2]}
if ARGV[2] == '0' then companies = redis.call('SMEMBERS', ARGV[1] .. 'companies') end
for _, company in ipairs(companies) do redis.call('DEL', ARGV[1] .. company) end
"""


class EventsMissed(Exception):
    """Events after the position are not kept: the program has to read anew."""


@dataclass(frozen=True)
class Position:
    """A place in a company's stream. `run` names the run of the Redis server: one that was
    restarted may have lost its last events.
    """

    run: str
    epoch: int
    number: int

    def __str__(self) -> str:
        return f"{self.run}-{self.epoch}-{self.number}"

    @classmethod
    def read(cls, text: str) -> "Position | None":
        """Return the position that a text names, or None."""
        run, _, rest = text.partition("-")
        epoch, _, number = rest.partition("-")
        if not all(
            each.isascii() and each.isdigit() and len(each) < 16 for each in (epoch, number)
        ):
            return None
        return cls(run, int(epoch), int(number))

    def at(self, entry_id: bytes) -> "Position":
        """Return the position of an entry of the same run."""
        epoch, _, number = entry_id.decode().partition("-")
        return Position(self.run, int(epoch), int(number))

    def is_before(self, other: "Position") -> bool:
        """Tell whether `other` is the very next entry."""
        return (other.epoch, other.number) == (self.epoch, self.number + 1)


@dataclass(frozen=True)
class KeptEvent:
    """An event as it was published; `data` is JSON, `kind` the name of its declaration."""

    position: Position
    event: str
    kind: str
    rooms: frozenset[str]
    data: str


def append_command(
    company_id: int, *, now_ms: int, event: dict[str, Any], channel: str, wake: bytes
) -> tuple[Any, ...]:
    """Return the Redis command that keeps an event of a company (0: of all) whose programs listen,
    and wakes them: it publishes `wake` to `channel` with the company's id at its end.
    """
    return (
        *("EVAL", _APPEND, 0, _prefix(), company_id, now_ms),
        *(event["event"], event["kind"], "\n".join(event["rooms"]), event["data"]),
        *(KEPT_SECONDS * 1000, MOST_BYTES, channel, wake),
    )


def forget_command(company_id: int) -> tuple[Any, ...]:
    """Return the Redis command that drops the kept events of a company, or of all (0): some that
    belong among them are lost.
    """
    return ("EVAL", _FORGET, 0, _prefix(), company_id)


async def listen(company_id: int, *, now_ms: int) -> tuple[Position, Position]:
    """Have a company's events kept for the next hour; return the first position and the last.

    Call it again within RENEWED_SECONDS. Raises redis.RedisError.
    """
    client = _client()
    run = str((await client.info("server"))["run_id"])[:12]
    found: Any = await client.eval(
        _LISTEN, 0, _prefix(), str(company_id), str(now_ms), str(LIFETIME_MS)
    )
    first, last = (Position(run, 0, 0).at(each) for each in found)
    return first, last


async def read_after(company_id: int, position: Position) -> list[KeptEvent]:
    """Return the next events after a position, up to READ_AT_ONCE, oldest first.

    Raises EventsMissed when the next one is not kept any more, and redis.RedisError.
    """
    entries: Any = await _client().xrange(
        f"{_prefix()}{company_id}",
        min=f"{position.epoch}-{position.number + 1}",
        count=READ_AT_ONCE,
    )
    events: list[KeptEvent] = []
    for entry_id, fields in entries:
        here = position.at(entry_id)
        if not position.is_before(here):
            raise EventsMissed
        position = here
        named = {name.decode(): value.decode() for name, value in fields.items()}
        events.append(
            KeptEvent(
                here,
                named["event"],
                named["kind"],
                frozenset(named["rooms"].split("\n")),
                named["data"],
            )
        )
    return events


def follows(position: Position, first: Position, last: Position) -> bool:
    """Tell whether a stream from `first` to `last` has all events after a position."""
    return (
        (position.run, position.epoch) == (last.run, last.epoch)
        and first.number <= position.number + 1
        and position.number <= last.number
    )


_clients: "WeakKeyDictionary[asyncio.AbstractEventLoop, redis.asyncio.Redis]" = WeakKeyDictionary()


def _client() -> redis.asyncio.Redis:
    loop = asyncio.get_running_loop()
    client = _clients.get(loop)
    if client is None:
        client = redis.asyncio.Redis.from_url(
            settings.REDIS_URL,
            socket_connect_timeout=WAIT_SECONDS,
            socket_timeout=ANSWER_SECONDS,
            # A restarted server leaves dead connections in the pool.
            retry=Retry(NoBackoff(), 1, supported_errors=(redis.ConnectionError,)),
        )
        _clients[loop] = client
    return client


def _prefix() -> str:
    return f"{settings.CHANNEL_PREFIX}events:"
