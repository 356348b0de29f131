"""Decides what a requested change of a ticket means (rules/tickets §3).

The functions are pure. Browsers resend unchanged fields, so only a comparison with the stored row
tells an accept from a late accept, or a return from a transfer.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from apps.accounts.permissions import Permission
from apps.common.errors import DomainError, InvalidInput
from apps.tickets.models import Ticket, TicketActivityKind, TicketStatus
from apps.tickets.services.rights import TicketNotOpen

OPEN, PENDING, CLOSED = TicketStatus.OPEN, TicketStatus.PENDING, TicketStatus.CLOSED


class TicketAlreadyTaken(DomainError):
    status = 409
    code = "ERR_TICKET_ALREADY_TAKEN"
    message = "Este atendimento já foi aceito por outra pessoa."


class HolderMissing(InvalidInput):
    """A program holds no ticket, so it has to name who will."""

    message = "Um programa não atende: informe em userId quem vai atender."

    def __init__(self) -> None:
        super().__init__(fields={"userId": [self.message]}, rule="required")


@dataclass(frozen=True)
class TicketState:
    """The fields of a ticket that a transition reads and writes."""

    status: str
    user_id: int | None
    queue_id: int | None
    connection_id: int | None

    @classmethod
    def of(cls, ticket: Ticket) -> "TicketState":
        return cls(ticket.status, ticket.user_id, ticket.queue_id, ticket.connection_id)


@dataclass(frozen=True)
class TicketChange:
    """A requested change. None leaves a field as it is; `clears_user` asks for no user.

    `bot` holds the given ones of use_integration, prompt_id and integration_id. `note` is shown to
    the team with the activity. `closing_reason` is that of a resolution.
    """

    status: str | None
    user_id: int | None
    clears_user: bool
    queue_id: int | None
    connection_id: int | None
    bot: Mapping[str, Any]
    note: str = ""
    closing_reason: str = ""

    @classmethod
    def of(cls, data: Mapping[str, Any]) -> "TicketChange":
        names = ("use_integration", "prompt_id", "integration_id")
        return cls(
            status=data.get("status"),
            user_id=data.get("user_id"),
            clears_user="user_id" in data and data["user_id"] is None,
            queue_id=data.get("queue_id"),
            connection_id=data.get("connection_id"),
            bot={name: data[name] for name in names if name in data},
            note=data.get("note") or "",
            closing_reason=(data.get("closing_reason") or "").strip(),
        )


@dataclass(frozen=True)
class Move:
    """The new state and the kind of activity; `kind` is None if nothing changes."""

    kind: str | None
    state: TicketState


def decide(state: TicketState, change: TicketChange, actor_id: int) -> Move:
    """Return the move for a change; the id of a program is 0 (rules/accounts §12).

    Raises TicketAlreadyTaken, TicketNotOpen, HolderMissing.
    """
    target = TicketState(
        status=state.status,
        user_id=state.user_id,
        queue_id=change.queue_id or state.queue_id,
        connection_id=change.connection_id or state.connection_id,
    )
    if change.status == CLOSED:
        return _resolve(state, actor_id)
    if change.status == PENDING:
        return _release(state, target)
    if change.status == OPEN:
        return _open(state, target, change, actor_id)
    return _transfer(state, target, change, actor_id)


def permissions_for(before: TicketState, move: Move, actor_id: int) -> set[Permission]:
    """Return what the role of the actor must grant for a move (rules/tickets §5)."""
    after, needed = move.state, set[Permission]()
    if move.kind == TicketActivityKind.RESOLVED:
        return {Permission.RESOLVE}
    if after.status == OPEN and (before.status != OPEN or after.user_id != before.user_id):
        needed.add(Permission.TAKE if after.user_id == actor_id else Permission.ASSIGN)
    if (after.queue_id, after.connection_id) != (before.queue_id, before.connection_id):
        needed.add(Permission.TRANSFER)
    elif before.status == CLOSED and after.status == PENDING:
        needed.add(Permission.TAKE)
    return needed


def _resolve(state: TicketState, actor_id: int) -> Move:
    if state.status == CLOSED:
        raise TicketNotOpen("Este atendimento já foi resolvido.")
    return Move(
        TicketActivityKind.RESOLVED,
        # What a program closes stays with the person who held it.
        TicketState(CLOSED, actor_id or state.user_id, state.queue_id, state.connection_id),
    )


def _release(state: TicketState, target: TicketState) -> Move:
    moves = target != state
    if state.status == PENDING and not moves:
        return Move(None, state)
    returned = state.status == OPEN and not moves
    kind = TicketActivityKind.RETURNED if returned else TicketActivityKind.TRANSFERRED
    return Move(kind, TicketState(PENDING, None, target.queue_id, target.connection_id))


def _open(state: TicketState, target: TicketState, change: TicketChange, actor_id: int) -> Move:
    moves = target != state
    user_id = change.user_id
    if state.status == OPEN and state.user_id is not None:
        if user_id is None and (moves or state.user_id == actor_id):
            user_id = state.user_id
        if user_id in {None, actor_id} and state.user_id != actor_id:
            raise TicketAlreadyTaken
        if user_id == state.user_id and not moves:
            return Move(None, state)
        kind = TicketActivityKind.TRANSFERRED
    elif state.status == CLOSED:
        kind = TicketActivityKind.REOPENED
    else:
        accepts = user_id in {None, actor_id}
        kind = TicketActivityKind.ACCEPTED if accepts else TicketActivityKind.TRANSFERRED
    holder = user_id or actor_id
    if not holder:
        raise HolderMissing
    return Move(kind, TicketState(OPEN, holder, target.queue_id, target.connection_id))


def _transfer(state: TicketState, target: TicketState, change: TicketChange, actor_id: int) -> Move:
    moves = target != state
    if change.user_id is not None and (moves or change.user_id != state.user_id):
        accepts = state.status == PENDING and change.user_id == actor_id and not moves
        kind = TicketActivityKind.ACCEPTED if accepts else TicketActivityKind.TRANSFERRED
        return Move(kind, TicketState(OPEN, change.user_id, target.queue_id, target.connection_id))
    if change.clears_user and state.status == OPEN:
        return _release(state, target)
    if target.queue_id != state.queue_id:
        waiting = TicketState(PENDING, None, target.queue_id, target.connection_id)
        return Move(TicketActivityKind.TRANSFERRED, waiting)
    # A change of only the connection keeps queue and user.
    return Move(TicketActivityKind.TRANSFERRED if moves else None, target)
