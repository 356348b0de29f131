"""The phone of a number in coexistence with its app: contacts, imported history and echoes.

The history is generated from the simulated customers, and is the same each time.
"""

import random
import secrets
from typing import Any

from django.db import transaction
from django.utils import timezone

from apps.simulator.graph.errors import asked_already, invalid
from apps.simulator.models import FaultKind, SimConversation, SimCustomer, SimNumber
from apps.simulator.services.conversations import new_wamid
from apps.simulator.services.faults import take_fault
from apps.simulator.services.posting import enqueue

DAY = 86_400
# For each phase, the range of its messages' age in days.
PHASES = ((0, 1), (1, 90), (90, 170))
MESSAGES = 6
QUESTIONS = ("Bom dia! Vocês abrem hoje?", "Quanto custa?", "Pode entregar?", "Obrigada!")
ANSWERS = ("Bom dia! Abrimos sim.", "Já te mando os preços.", "Entregamos a partir das 10h.")


@transaction.atomic
def answer(number: SimNumber, sync_type: str) -> str:
    """Accept a request for contacts or history, and post the phone's webhooks.

    Returns the request's id. Raises GraphError for a repeated request.
    """
    if sync_type not in {"smb_app_state_sync", "history"}:
        raise invalid("Param sync_type must be one of {smb_app_state_sync, history}.")
    number = SimNumber.objects.select_for_update(no_key=True).get(pk=number.pk)
    if sync_type in number.asked:
        raise asked_already(sync_type)
    number.asked = [*number.asked, sync_type]
    number.save(update_fields=["asked"])
    if not take_fault(FaultKind.PHONE_SILENT, number):
        if sync_type == "history":
            tell_past(number)
        else:
            entries = [_entry(customer) for customer in SimCustomer.objects.all()]
            enqueue(number, {"state_sync": entries}, "smb_app_state_sync")
    return secrets.token_urlsafe(20)


@transaction.atomic
def disconnect(number: SimNumber) -> None:
    """Disconnect the number from the API, as in the phone's app.

    After a new signup, contacts and history may be requested again.
    """
    number.is_registered, number.asked = False, []
    number.save(update_fields=["is_registered", "asked"])
    account = {"waba_id": number.waba_id}
    enqueue(number, {"event": "PARTNER_REMOVED", "waba_info": account}, "account_update")


def _entry(customer: SimCustomer) -> dict[str, Any]:
    contact = {
        "full_name": customer.name,
        "first_name": next(iter(customer.name.split()), ""),
        "phone_number": customer.wa_id,
    }
    now = str(int(timezone.now().timestamp()))
    return {"type": "contact", "action": "add", "contact": contact, "metadata": {"timestamp": now}}


def tell_past(number: SimNumber, messages: int = MESSAGES) -> None:
    """Post the history in chunks, out of order and with a duplicate: phases 1, 0, 0 and 2."""
    chunks: list[dict[str, Any]] = []
    for phase in range(len(PHASES)):
        threads = [
            {"id": customer.wa_id, "messages": _talk(number, customer, phase, messages)}
            for customer in SimCustomer.objects.filter(has_whatsapp=True)
        ]
        chunks.append({"metadata": {"phase": phase, "chunk_order": 1}, "threads": threads})
    last, *others = reversed(chunks)
    told = [*others, chunks[0], last]
    for place, chunk in enumerate(told):
        progress = 100 * (place + 1) // len(told)
        metadata = {**chunk["metadata"], "progress": progress}
        enqueue(number, {"history": [{**chunk, "metadata": metadata}]}, "history")


def _talk(
    number: SimNumber, customer: SimCustomer, phase: int, messages: int
) -> list[dict[str, Any]]:
    draw = random.Random(f"{number.phone_number_id}:{customer.wa_id}:{phase}")  # noqa: S311
    since, until = PHASES[phase]
    own = "".join(filter(str.isdecimal, number.display_phone_number))
    today = int(timezone.now().timestamp()) // DAY * DAY
    moments = sorted(today - draw.randrange(since * DAY, until * DAY) for _ in range(messages))
    talk = []
    for place, moment in enumerate(moments):
        from_me = place % 2 == 1
        talk.append(
            {
                "from": own if from_me else customer.wa_id,
                **({"to": customer.wa_id} if from_me else {}),
                "id": f"wamid.past.{number.phone_number_id}.{customer.wa_id}.{phase}.{place}",
                "timestamp": str(moment),
                "type": "text",
                "text": {"body": draw.choice(ANSWERS if from_me else QUESTIONS)},
                "history_context": {"status": "READ"},
            }
        )
    return talk


@transaction.atomic
def write_on_phone(conversation: SimConversation, body: str) -> str:
    """Post the echo of a message that the business wrote on its phone; returns the message's id."""
    number, wamid = conversation.number, new_wamid()
    echo = {
        "from": "".join(filter(str.isdecimal, number.display_phone_number)),
        "to": conversation.customer.wa_id,
        "id": wamid,
        "timestamp": str(int(timezone.now().timestamp())),
        "type": "text",
        "text": {"body": body},
    }
    enqueue(number, {"message_echoes": [echo]}, "smb_message_echoes")
    return wamid
