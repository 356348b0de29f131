"""Jobs that need more memory than a worker may take: they end with a sentence, the worker goes on.

The worker is a process of its own with a ceiling little above what it takes idle.
"""

import os
import subprocess
import sys
import wave
from typing import Any

import pytest

from apps.common.media import MEGABYTE, store_media
from apps.companies.models import Company
from apps.connections.models import Connection
from apps.inbound.models import InboundEvent
from apps.tickets.models import Ack, Delivery, MediaFetch, MediaState, Message
from tests.factories import make_message, make_ticket
from tests.graph import GraphServer
from tests.product import ROOT
from tests.test_crash import Run, database_url, graph, queue_up, run_worker, wait_for

pytestmark = [
    pytest.mark.postgres,
    pytest.mark.django_db(transaction=True),
    pytest.mark.xdist_group("processes"),
]
__all__ = ["graph", "run_worker"]

CEILING = 320
LARGEST = b"%PDF-1.4\n" + bytes(100 * MEGABYTE - 9)


def test_a_file_that_takes_too_much_to_send_fails_and_the_next_message_leaves(
    acme: Company, connection: Connection, graph: GraphServer, run_worker: Run, settings: Any,
    tmp_path: Any,
) -> None:  # fmt: skip
    settings.MEDIA_ROOT = tmp_path / "media"
    file = store_media(company_id=acme.pk, content=b"%PDF-1.4", name="contrato.pdf", mime="")
    os.truncate(tmp_path / "media" / file.path, CEILING * MEGABYTE)
    ticket = make_ticket(acme, connection=connection, status="open")
    message = make_message(
        ticket,
        from_me=True,
        external_id=None,
        media_type="application",
        media_path=file.path,
        media_name=file.name,
        media_mime=file.mime,
        media_size=file.size,
    )
    # Tried before: once more is the last time for a fault of our own.
    Delivery.objects.create(
        company=acme, connection=connection, contact=ticket.contact, message=message, attempts=7
    )
    worker = run_worker(WORKER_MEMORY_MB=str(CEILING))
    wait_for(lambda: Message.objects.get().ack == Ack.ERROR, "the file to fail")
    message.refresh_from_db()
    assert (message.reason_code, graph.uploads) == ("internal", [])
    assert message.error_reason == "Erro interno ao enviar a mensagem."
    queue_up([make_ticket(acme, connection=connection, status="open")], 1)
    wait_for(lambda: graph.bodies == ["0"], "the next message to be sent")
    assert worker.poll() is None


def test_a_file_that_takes_too_much_to_fetch_fails_and_the_next_one_comes(
    acme: Company, connection: Connection, graph: GraphServer, run_worker: Run
) -> None:
    graph.media = {"large": ("application/pdf", LARGEST), "small": ("application/pdf", b"%PDF-1.4")}
    ticket = make_ticket(acme, connection=connection, status="open")

    def fetched(media_id: str, attempts: int) -> Message:
        message = make_message(ticket, media_type="application", media_state=MediaState.FETCHING)
        MediaFetch.objects.create(
            message=message, connection=connection, media_id=media_id, attempts=attempts
        )
        return message

    large = fetched("large", 29)
    worker = run_worker(WORKER_MEMORY_MB=str(CEILING))
    wait_for(lambda: MediaFetch.objects.get().state == "failed", "the file to fail")
    large.refresh_from_db()
    assert (large.media_state, large.error_reason) == (
        MediaState.FAILED,
        "Erro interno ao buscar o arquivo.",
    )
    small = fetched("small", 0)
    wait_for(lambda: MediaFetch.objects.get(message=small).state == "done", "the next one")
    assert worker.poll() is None


FILL = """
import json, sys
import django
django.setup()
from apps.common.leases import LeasedWork
from apps.common.memory import keep_below
from apps.inbound.models import InboundEvent

def fill():
    kept = []
    while True:
        kept.append(bytes(200_000))

keep_below(250)
with LeasedWork(model=InboundEvent, lease_setting="INBOUND_LEASE_SECONDS").claimed(1) as claim:
    row = claim.rows().get()
    try:
        fill()
    except MemoryError:
        claim.fail(row, "Memória demais.")
        print(len(bytes(50_000_000)))
"""


def test_what_filled_the_memory_is_let_go_before_its_end_is_recorded(
    connection: Connection,
) -> None:
    InboundEvent.objects.create(
        connection=connection, event_id="1", kind="x", partition="", payload={}
    )
    done = subprocess.run(
        [sys.executable, "-c", FILL],
        cwd=ROOT,
        env={**os.environ, "DATABASE_URL": database_url()},
        capture_output=True,
        check=False,
        text=True,
    )
    assert (done.stdout, done.stderr) == ("50000000\n", "")
    assert InboundEvent.objects.get().last_error == "Memória demais."


def test_programs_that_a_worker_starts_have_room_below_its_ceiling(tmp_path: Any) -> None:
    sound = tmp_path / "sound.wav"
    with wave.open(str(sound), "wb") as file:
        file.setparams((1, 2, 48_000, 0, "NONE", ""))
        file.writeframes(bytes(48_000 * 2 * 600))
    done = subprocess.run(
        [sys.executable, "-c", CONVERT, str(sound)],
        cwd=ROOT,
        capture_output=True,
        check=True,
        text=True,
    )
    assert done.stdout == "OggS 600.0\n"


CONVERT = """
import sys
import wave
from pathlib import Path
import django
django.setup()
from django.conf import settings
from apps.common.memory import keep_below
from apps.tickets.services.outbox.audio import seconds_of, to_voice_note

keep_below(settings.WORKER_MEMORY_MB)
note = to_voice_note(Path(sys.argv[1]).read_bytes())
print(note[:4].decode(), round(seconds_of(note) or 0, 1))
"""
