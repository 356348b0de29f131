"""What apps register for sockets, and a socket independent of its protocol.

Each app registers in its own `consumers.py`, which the ASGI process imports on start. Registered
functions are synchronous: they run in a few threads with database connections of their own, never
on the event loop.
"""

import asyncio
import logging
from collections.abc import Callable, Iterable, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, ParamSpec, Protocol, TypeVar

from django.db import close_old_connections

from apps.common.database_connections import renew_connections
from apps.realtime.rooms import (
    EVERYONE,
    company_room,
    masked_room,
    payment_room,
    programs_room,
    role_room,
    user_room,
)

logger = logging.getLogger(__name__)

Parameters = ParamSpec("Parameters")
Result = TypeVar("Result")

THREADS = 4
MAX_WISHES = 100  # rooms that one socket may ask for


class Viewer(Protocol):
    """The user of a socket, in the form of the accounts app."""

    pk: int
    company_id: int
    # Receives payment events only: an admin whose company is overdue.
    only_pays: bool
    # The only events that it hears; None: all.
    hears: frozenset[str] | None

    @property
    def sees_full_numbers(self) -> bool:
        """Tell whether events show it numbers of contacts in full; the first time by a query."""

    @property
    def event_permissions(self) -> frozenset[str]:
        """Return what its role grants of the permissions that events need."""

    @property
    def token_id(self) -> int | None:
        """Return the id of a program's service token."""

    @property
    def ends_at(self) -> datetime | None:
        """Return when a program's service token ends."""


@dataclass(frozen=True)
class Handshake:
    """The credentials of a socket: an access token, else the browser's cookies."""

    token: str
    cookies: Mapping[str, str]
    company_id: str = ""
    user_id: str = ""

    def is_of(self, viewer: Viewer) -> bool:
        """Tell whether the ids that the browser names are the viewer's (rules/realtime §1)."""
        return self.company_id in {"", str(viewer.company_id)} and self.user_id in {
            "",
            str(viewer.pk),
        }


RoomsOf = Callable[[Any, str], Iterable[str]]


@dataclass
class Registry:
    identify: Callable[[Handshake], Viewer | None] | None = None
    identify_program: Callable[[Handshake], Viewer | None] | None = None
    reload: Callable[[Any], Viewer | None] | None = None
    joins: dict[str, RoomsOf] = field(default_factory=dict)
    leaves: dict[str, str] = field(default_factory=dict)
    handlers: dict[str, Callable[[Any], None]] = field(default_factory=dict)


registry = Registry()


def register_accounts(
    *,
    identify: Callable[[Handshake], Viewer | None],
    identify_program: Callable[[Handshake], Viewer | None],
    reload: Callable[[Any], Viewer | None],
) -> None:
    """Register who identifies a handshake, at Socket.IO and at `/ws/events/`, and who checks that a
    session is still valid (None: it is not).
    """
    registry.identify, registry.identify_program = identify, identify_program
    registry.reload = reload


def joins(event: str, *, leave: str | None = None) -> Callable[[RoomsOf], RoomsOf]:
    """Register the function that says which rooms a client's `event` opens to a viewer.

    It gets the viewer and the client's first argument as text (empty when there is none or it is
    no text or number), and returns the rooms that the viewer may be in, none to refuse. It is
    asked again when the viewer's rights change.
    """

    def register(function: RoomsOf) -> RoomsOf:
        registry.joins[event] = function
        if leave:
            registry.leaves[leave] = event
        return function

    return register


def hears(event: str) -> Callable[[Callable[[Any], None]], Callable[[Any], None]]:
    """Register the handler of a client's `event`; it gets the viewer."""

    def register(function: Callable[[Any], None]) -> Callable[[Any], None]:
        registry.handlers[event] = function
        return function

    return register


_pool = ThreadPoolExecutor(THREADS, thread_name_prefix="sockets")


async def in_thread(
    function: Callable[Parameters, Result], *args: Parameters.args, **kwargs: Parameters.kwargs
) -> Result:
    """Run database code in a thread; its connection is kept and renewed like that of a request."""

    def run() -> Result:
        renew_connections()
        try:
            return function(*args, **kwargs)
        finally:
            close_old_connections()

    return await asyncio.get_running_loop().run_in_executor(_pool, run)


def identify(handshake: Handshake) -> Viewer | None:
    """Return the user who may connect with this handshake, or None."""
    return _admitted(registry.identify, handshake)


def identify_program(handshake: Handshake) -> Viewer | None:
    """Return the user or program that may connect to `/ws/events/` with this handshake, or None.

    Raises the refusal of a service token.
    """
    return _admitted(registry.identify_program, handshake)


def _admitted(
    asked: Callable[[Handshake], Viewer | None] | None, handshake: Handshake
) -> Viewer | None:
    viewer = asked(handshake) if asked else None
    if viewer is not None:
        _learn(viewer)
    return viewer if viewer is not None and handshake.is_of(viewer) else None


def _learn(viewer: Viewer) -> None:
    """Read here, in a thread, what the event loop asks the viewer without the database."""
    _ = viewer.sees_full_numbers


Wish = tuple[str, str]


class Client:
    """One socket of a signed-in user: its requests to join, and the rooms that these lead to."""

    def __init__(self, viewer: Viewer) -> None:
        self.viewer = viewer
        self.wishes: dict[Wish, frozenset[str]] = {}
        self.judgements = 0

    @property
    def rooms(self) -> set[str]:
        """Return the rooms that the socket should be in."""
        if self.viewer.only_pays:
            return {payment_room(self.viewer.company_id)}
        company_id = self.viewer.company_id
        is_token = self.viewer.token_id is not None
        alone = programs_room(company_id) if is_token else user_room(self.viewer.pk)
        by_role = {role_room(company_id, each) for each in self.viewer.event_permissions}
        return {EVERYONE, company_room(company_id), alone, *by_role}.union(*self.wishes.values())

    @property
    def parts(self) -> set[str]:
        """Return the parts of these rooms that the socket should be in."""
        return self.rooms if self.viewer.sees_full_numbers else set(map(masked_room, self.rooms))

    async def hear(self, event: Any, arguments: Iterable[Any]) -> frozenset[str]:
        """Handle an emit of the client; unknown and forbidden ones are ignored.

        Returns the rooms that a request to join leads to; for all else there are none. Raises what
        the database does at such a request: the client has to connect anew then, or it would wait
        for events of rooms that it is not in.
        """
        if self.viewer.only_pays or not isinstance(event, str):
            return frozenset()
        argument = _as_text(next(iter(arguments), ""))
        if event in registry.joins:
            await self.join((event, argument))
            return self.wishes.get((event, argument), frozenset())
        try:
            if event in registry.leaves:
                self._leave(registry.leaves[event], argument)
            elif event in registry.handlers:
                await in_thread(registry.handlers[event], self.viewer)
        except Exception:
            logger.exception("Socket event %s of user %s failed", event, self.viewer.pk)
        return frozenset()

    async def join(self, wish: Wish) -> None:
        """Enter the rooms of a request, as far as the viewer may; raises what the database does."""
        if len(self.wishes) >= MAX_WISHES and wish not in self.wishes:
            return
        rooms: frozenset[str] = frozenset()
        judgements = -1
        while judgements != self.judgements:  # the rights may have changed meanwhile: ask again
            judgements = self.judgements
            rooms = await in_thread(_rooms_of, self.viewer, wish)
        if rooms:
            self.wishes[wish] = rooms

    def _leave(self, join: str, argument: str) -> None:
        for wish in list(self.wishes):
            if wish[0] == join and argument in {"", wish[1]}:
                del self.wishes[wish]

    def judge(self, viewer: Viewer, rooms: Mapping[Wish, frozenset[str]]) -> None:
        self.viewer = viewer
        self.judgements += 1
        for wish in self.wishes:
            if wish in rooms:
                self.wishes[wish] = rooms[wish]


def judge_user(
    viewer: Viewer, wishes: Iterable[Wish]
) -> tuple[Viewer, dict[Wish, frozenset[str]]] | None:
    """Return the viewer as stored now, with the rooms of all its requests; None for a refused
    session.
    """
    current = registry.reload(viewer) if registry.reload else None
    if current is None:
        return None
    _learn(current)
    return current, {wish: _rooms_of(current, wish) for wish in wishes}


def _rooms_of(viewer: Viewer, wish: Wish) -> frozenset[str]:
    return frozenset(registry.joins[wish[0]](viewer, wish[1]))


def _as_text(argument: Any) -> str:
    if isinstance(argument, bool) or not isinstance(argument, str | int):
        return ""
    text = str(argument).strip()
    return text if len(text) <= 64 else ""
