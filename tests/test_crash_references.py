"""A worker killed around a message that is referred to before it came: nothing lost, nothing twice.

See rules/inbound §8.
"""

from typing import Any

import psycopg
import pytest

from apps.connections.models import Connection
from apps.connections.providers.official.webhook import notices
from apps.inbound.models import InboundEvent
from apps.inbound.services import store_notices
from apps.tickets.models import EarlyReference, Message
from apps.tickets.serializers import message_row
from tests.graph import GraphServer
from tests.test_crash import (
    Run,
    database_url,
    graph,
    notification,
    run_worker,
    wait_for,
    wait_until_waited_for,
)

pytestmark = [
    pytest.mark.postgres,
    pytest.mark.django_db(transaction=True),
    pytest.mark.xdist_group("processes"),
]
__all__ = ["graph", "run_worker"]

CONTACTS = range(8)


def write(connection: Connection, wamid: str, **content: Any) -> None:
    """Have every contact write a message of a kind, as Meta reports it: each of them twice."""
    messages = [
        {
            "from": f"551190000000{number}",
            "id": f"{wamid}.{number}",
            "timestamp": "1767614400",
            **{key: made(number) if callable(made) else made for key, made in content.items()},
        }
        for number in CONTACTS
    ]
    for _ in range(2):
        store_notices(notices(notification(connection.phone_number_id or "", messages=messages)))


def all_done() -> bool:
    return not InboundEvent.objects.exclude(state="done").exists()


def die_in_the_middle(run_worker: Run, connection: Connection, *kinds: dict[str, Any]) -> None:
    """Let one worker die among these messages, and another one go on."""
    with psycopg.connect(database_url()) as somebody:
        somebody.execute("SELECT 1 FROM tickets_ticket ORDER BY id DESC LIMIT 1 FOR UPDATE")
        worker = run_worker()
        for kind in kinds:
            write(connection, **kind)
        wait_until_waited_for(somebody, "the worker to be in the middle of its work")
        worker.kill()
        worker.wait()
    assert InboundEvent.objects.filter(state="claimed").exists()
    successor = run_worker()
    wait_for(all_done, "every event to be done")
    successor.kill()
    successor.wait()


def test_a_worker_killed_around_an_early_reference_neither_loses_nor_repeats_it(
    connection: Connection, graph: GraphServer, run_worker: Run
) -> None:
    write(connection, "wamid.first", type="text", text={"body": "Oi"})
    worker = run_worker()
    wait_for(all_done, "the tickets")
    worker.kill()
    worker.wait()
    reaction = {
        "wamid": "wamid.reaction",
        "type": "reaction",
        "reaction": lambda number: {"message_id": f"wamid.original.{number}", "emoji": "👍"},
    }
    reply = {
        "wamid": "wamid.reply",
        "type": "text",
        "text": {"body": "Isso"},
        "context": lambda number: {"id": f"wamid.original.{number}"},
    }
    die_in_the_middle(run_worker, connection, reaction, reply)
    assert EarlyReference.objects.count() == 2 * len(CONTACTS)

    original = {"wamid": "wamid.original", "type": "text", "text": {"body": "Quero duas"}}
    die_in_the_middle(run_worker, connection, original)
    assert not EarlyReference.objects.exists()
    assert Message.objects.count() == 3 * len(CONTACTS)
    for number in CONTACTS:
        row = message_row(Message.objects.get(external_id=f"wamid.original.{number}"))
        assert [each["emoji"] for each in row["reactions"]] == ["👍"]
        answer = message_row(Message.objects.get(external_id=f"wamid.reply.{number}"))
        assert answer["quotedMsg"]["body"] == "Quero duas"
