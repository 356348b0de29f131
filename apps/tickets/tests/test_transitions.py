from typing import Any

import pytest

from apps.tickets.services.rights import TicketNotOpen
from apps.tickets.services.tickets.transitions import (
    TicketAlreadyTaken,
    TicketChange,
    TicketState,
    decide,
)

ANA, BRUNO, CARLA = 1, 2, 3
PENDING = TicketState("pending", None, 10, 20)
OPEN = TicketState("open", ANA, 10, 20)
CLOSED = TicketState("closed", ANA, 10, 20)


@pytest.mark.parametrize(
    ("stored", "body", "actor", "kind", "reached"),
    [
        (PENDING, {"status": "open", "user_id": ANA}, ANA, "accepted", ("open", ANA, 10, 20)),
        (PENDING, {"status": "open"}, ANA, "accepted", ("open", ANA, 10, 20)),
        (PENDING, {"user_id": ANA}, ANA, "accepted", ("open", ANA, 10, 20)),
        (PENDING, {"status": "open", "queue_id": 11}, ANA, "accepted", ("open", ANA, 11, 20)),
        (
            PENDING,
            {"status": "open", "user_id": BRUNO},
            ANA,
            "transferred",
            ("open", BRUNO, 10, 20),
        ),
        (PENDING, {"status": "closed", "user_id": ANA}, ANA, "resolved", ("closed", ANA, 10, 20)),
        (PENDING, {"status": "pending", "queue_id": 10}, ANA, None, ("pending", None, 10, 20)),
        (PENDING, {"queue_id": 11}, ANA, "transferred", ("pending", None, 11, 20)),
        (OPEN, {"status": "pending", "user_id": None}, ANA, "returned", ("pending", None, 10, 20)),
        (OPEN, {"status": "pending", "queue_id": 10}, ANA, "returned", ("pending", None, 10, 20)),
        (OPEN, {"user_id": None}, ANA, "returned", ("pending", None, 10, 20)),
        (
            OPEN,
            {"status": "pending", "queue_id": 11, "user_id": None, "connection_id": 20},
            ANA,
            "transferred",
            ("pending", None, 11, 20),
        ),
        (OPEN, {"queue_id": 11}, ANA, "transferred", ("pending", None, 11, 20)),
        (
            OPEN,
            {"queue_id": 11, "user_id": BRUNO, "connection_id": 21},
            ANA,
            "transferred",
            ("open", BRUNO, 11, 21),
        ),
        (OPEN, {"queue_id": 11, "user_id": ANA}, ANA, "transferred", ("open", ANA, 11, 20)),
        (OPEN, {"connection_id": 21}, ANA, "transferred", ("open", ANA, 10, 21)),
        (OPEN, {"status": "open", "user_id": BRUNO}, ANA, "transferred", ("open", BRUNO, 10, 20)),
        (OPEN, {"status": "open", "user_id": CARLA}, BRUNO, "transferred", ("open", CARLA, 10, 20)),
        (OPEN, {"status": "open", "user_id": ANA}, ANA, None, ("open", ANA, 10, 20)),
        (OPEN, {"user_id": ANA, "queue_id": 10}, BRUNO, None, ("open", ANA, 10, 20)),
        (OPEN, {"use_integration": False}, ANA, None, ("open", ANA, 10, 20)),
        (OPEN, {"status": "closed", "queue_id": 11}, ANA, "resolved", ("closed", ANA, 10, 20)),
        (
            OPEN,
            {"status": "closed", "user_id": BRUNO},
            BRUNO,
            "resolved",
            ("closed", BRUNO, 10, 20),
        ),
        (CLOSED, {"status": "open", "user_id": BRUNO}, BRUNO, "reopened", ("open", BRUNO, 10, 20)),
        (CLOSED, {"user_id": ANA, "queue_id": 10}, BRUNO, None, ("closed", ANA, 10, 20)),
        (
            CLOSED,
            {"status": "pending", "queue_id": 10},
            ANA,
            "transferred",
            ("pending", None, 10, 20),
        ),
        (CLOSED, {"queue_id": 11}, ANA, "transferred", ("pending", None, 11, 20)),
        (
            TicketState("open", None, 10, 20),
            {"status": "open"},
            ANA,
            "accepted",
            ("open", ANA, 10, 20),
        ),
    ],
)
def test_a_change_is_read_against_the_stored_row(
    stored: TicketState,
    body: dict[str, Any],
    actor: int,
    kind: str | None,
    reached: tuple[Any, ...],
) -> None:
    move = decide(stored, TicketChange.of(body), actor)
    assert (move.kind, move.state) == (kind, TicketState(*reached))


@pytest.mark.parametrize("body", [{"status": "open", "user_id": BRUNO}, {"status": "open"}])
def test_a_late_accept_is_refused(body: dict[str, Any]) -> None:
    with pytest.raises(TicketAlreadyTaken):
        decide(OPEN, TicketChange.of(body), BRUNO)


def test_closing_twice_is_refused() -> None:
    with pytest.raises(TicketNotOpen):
        decide(CLOSED, TicketChange.of({"status": "closed"}), ANA)
