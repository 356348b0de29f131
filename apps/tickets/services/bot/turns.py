"""The queue of turns: what an integration or a prompt has still to answer (specification 4 §5)."""

import uuid
from typing import Any

from apps.common.wakeups import wake
from apps.tickets.models import BotTurn, Message, Ticket, TurnKind


def enqueue_turn(
    ticket: Ticket,
    message: Message,
    kind: str,
    *,
    integration_id: int | None = None,
    prompt_id: int | None = None,
    payload: dict[str, Any] | None = None,
) -> BotTurn:
    """Have a received message answered by an integration or a prompt, and wake who does it.

    Call it in the transaction that stores the message. `payload` is `choice_id` and `raw`, the
    provider's own notification. The same message twice is one turn.
    """
    from apps.tickets.tasks import take_turns

    is_prompt = kind == TurnKind.PROMPT
    turn, _ = BotTurn.objects.get_or_create(
        message=message,
        kind=kind,
        defaults={
            "company_id": ticket.company_id,
            "ticket": ticket,
            "integration_id": None if is_prompt else integration_id,
            "prompt_id": prompt_id if is_prompt else None,
            "event_id": uuid.uuid4(),
            "payload": payload or {},
        },
    )
    wake(take_turns)
    return turn
