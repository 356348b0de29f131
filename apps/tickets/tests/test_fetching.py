import errno
import shutil
import subprocess
import time
from datetime import timedelta
from pathlib import Path
from typing import Any
from unittest.mock import Mock

import pytest
from django.conf import settings
from django.core.files.storage import default_storage
from django.utils import timezone

from apps.common.leases import LeaseState
from apps.common.media import read_media, store_media
from apps.companies.models import Company
from apps.connections.models import Connection
from apps.tickets.models import Delivery, MediaFetch, MediaState, Message
from apps.tickets.services.messages import fetching
from apps.tickets.services.messages.fetching import fetch_due
from apps.tickets.services.outbox.audio import ffmpeg, is_voice_note, seconds_of, to_voice_note
from apps.tickets.services.outbox.deliveries import deliver_due
from tests.factories import make_message, make_ticket
from tests.graph import GraphServer, graph_error

PNG = b"\x89PNG\r\n\x1a\n" + b"0" * 20


def waiting(
    acme: Company, connection: Connection, *, media_id: str = "m1", **fields: Any
) -> MediaFetch:
    fields.setdefault("media_type", "image")
    fields.setdefault("media_mime", "image/png")
    ticket = make_ticket(acme, connection=connection)
    message = make_message(ticket, body="", media_state=MediaState.FETCHING, **fields)
    return MediaFetch.objects.create(message=message, connection=connection, media_id=media_id)


def fetch() -> int:
    return fetch_due(limit=10)


@pytest.fixture(scope="module")
def recording(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """Two seconds of sound as a browser records them."""
    target = Path(tmp_path_factory.mktemp("sound")) / "voice.webm"
    source = "sine=frequency=440:duration=2"
    subprocess.run(
        [ffmpeg(), "-f", "lavfi", "-i", source, "-c:a", "libopus", str(target)],
        check=True,
        capture_output=True,
    )
    return target.read_bytes()


def test_a_file_is_fetched_stored_and_told(
    acme: Company, connection: Connection, graph: GraphServer, emitted: list[Any]
) -> None:
    graph.media["m1"] = ("image/png", PNG)
    row = waiting(acme, connection)
    assert fetch() == 1
    row.refresh_from_db()
    message = row.message
    assert row.state == LeaseState.DONE
    assert (message.media_state, message.media_mime) == (MediaState.READY, "image/png")
    assert read_media(message.media_path) == PNG
    assert message.media_size == len(PNG)
    assert message.media_path.startswith(f"{acme.pk}/")
    assert emitted[0][1]["message"]["mediaState"] == "ready"
    assert emitted[0][1]["message"]["mediaUrl"]
    assert fetch() == 0


def test_what_a_worker_that_died_left_of_a_file_is_replaced(
    acme: Company, connection: Connection, graph: GraphServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    graph.media["m1"] = ("image/png", PNG)
    row = waiting(acme, connection)
    folder = Path(settings.MEDIA_ROOT) / str(acme.pk)
    shutil.rmtree(folder, ignore_errors=True)
    with monkeypatch.context() as patch, pytest.raises(SystemExit):
        patch.setattr(fetching, "_finish", Mock(side_effect=SystemExit))
        fetch()
    (left,) = folder.iterdir()
    left.write_bytes(PNG[:5])
    MediaFetch.objects.update(state=LeaseState.WAITING, owner="", lease_expires_at=None)
    assert fetch() == 1
    row.message.refresh_from_db()
    assert read_media(row.message.media_path) == PNG
    assert len(list(folder.iterdir())) == 1


def test_on_a_full_disk_a_file_waits_for_room_as_long_as_it_takes(
    acme: Company,
    connection: Connection,
    graph: GraphServer,
    monkeypatch: pytest.MonkeyPatch,
    settings: Any,
    tmp_path: Path,
) -> None:
    settings.MEDIA_ROOT = tmp_path
    graph.media["m1"] = ("image/png", PNG)
    row = waiting(acme, connection)

    def keep_half(path: str, file: Any) -> str:
        (tmp_path / path).parent.mkdir(exist_ok=True)
        (tmp_path / path).write_bytes(PNG[:10])
        raise OSError(errno.ENOSPC, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr(default_storage, "save", keep_half)
        for _ in range(fetching.MAX_ATTEMPTS + 5):
            MediaFetch.objects.update(next_attempt_at=timezone.now())
            assert fetch() == 1
            assert not list((tmp_path / str(acme.pk)).iterdir())
    row.refresh_from_db()
    assert (row.state, row.attempts) == (LeaseState.WAITING, 0)
    assert row.next_attempt_at <= timezone.now() + timedelta(seconds=fetching.DISK_SECONDS)
    assert row.message.media_state == MediaState.FETCHING

    # With no room at all nobody is asked for the file.
    MediaFetch.objects.update(next_attempt_at=timezone.now())
    full = OSError(errno.ENOSPC, "No space left on device")
    with monkeypatch.context() as patch:
        patch.setattr(fetching, "require_writable", Mock(side_effect=full))
        patch.setattr(fetching, "disk", fetching.Disk())
        patch.setattr(fetching, "provider_for", Mock(side_effect=AssertionError))
        assert fetch() == 0
    row.refresh_from_db()
    assert (row.state, row.attempts) == (LeaseState.WAITING, 0)

    MediaFetch.objects.update(next_attempt_at=timezone.now())
    assert fetch() == 1
    row.message.refresh_from_db()
    assert read_media(row.message.media_path) == PNG


def test_a_full_disk_is_looked_at_once_for_all_that_wait(
    acme: Company,
    connection: Connection,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    for number in range(20):
        waiting(acme, connection, media_id=f"m{number}")
    before = list(MediaFetch.objects.order_by("pk").values())
    look = Mock(side_effect=OSError(errno.ENOSPC, "No space left on device"))
    monkeypatch.setattr(fetching, "require_writable", look)
    disk = fetching.Disk()
    monkeypatch.setattr(fetching, "disk", disk)
    assert [fetch() for _ in range(5)] == [0] * 5
    assert look.call_count == len(caplog.records) == 1
    assert list(MediaFetch.objects.order_by("pk").values()) == before
    later = time.monotonic() + fetching.DISK_SECONDS
    monkeypatch.setattr(time, "monotonic", lambda: later)
    assert fetch() == 0
    assert (look.call_count, len(caplog.records)) == (2, 1)


def test_a_file_that_alone_finds_no_room_is_downloaded_ever_more_seldom(
    acme: Company, connection: Connection, graph: GraphServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    graph.media["m1"] = ("image/png", PNG)
    row = waiting(acme, connection)
    full = OSError(errno.ENOSPC, "No space left on device")
    monkeypatch.setattr(default_storage, "save", Mock(side_effect=full))
    now = row.created_at
    monkeypatch.setattr(timezone, "now", lambda: now)
    pauses = []
    for _ in range(7):
        assert fetch() == 1
        row.refresh_from_db()
        pauses.append((row.next_attempt_at - now).total_seconds())
        now = row.next_attempt_at
    assert pauses == [5, 5, 5, 10, 20, 40, 60]
    assert (row.state, row.attempts) == (LeaseState.WAITING, 0)


@pytest.mark.parametrize("fault", [errno.EACCES, errno.EROFS])
def test_a_folder_that_may_not_be_written_ends_in_words(
    acme: Company,
    connection: Connection,
    graph: GraphServer,
    monkeypatch: pytest.MonkeyPatch,
    fault: int,
) -> None:
    graph.media["m1"] = ("image/png", PNG)
    row = waiting(acme, connection)
    for owner, name in ((fetching, "require_writable"), (default_storage, "save")):
        monkeypatch.setattr(owner, name, Mock(side_effect=OSError(fault, "No")))
    for _ in range(fetching.MAX_ATTEMPTS):
        MediaFetch.objects.update(next_attempt_at=timezone.now())
        assert fetch() == 1
    row.refresh_from_db()
    assert row.state == LeaseState.FAILED
    assert row.message.media_state == MediaState.FAILED
    assert row.message.error_reason


def test_a_provider_that_is_down_is_asked_again(
    acme: Company, connection: Connection, graph: GraphServer
) -> None:
    row = waiting(acme, connection)
    graph.stop()
    fetch()
    row.refresh_from_db()
    assert (row.state, row.attempts) == (LeaseState.WAITING, 1)
    assert row.next_attempt_at > timezone.now()
    assert row.message.media_state == MediaState.FETCHING
    graph.start()
    graph.media["m1"] = ("image/png", PNG)
    MediaFetch.objects.update(next_attempt_at=timezone.now())
    fetch()
    assert Message.objects.get().media_state == MediaState.READY


@pytest.mark.parametrize(
    ("mime", "content"), [("image/png", b"no picture"), ("text/html", b"<script>")]
)
def test_a_file_that_is_not_accepted_fails_and_the_message_stays(
    acme: Company,
    connection: Connection,
    graph: GraphServer,
    emitted: list[Any],
    mime: str,
    content: bytes,
) -> None:
    graph.media["m1"] = (mime, content)
    waiting(acme, connection, media_mime=mime)
    fetch()
    message = Message.objects.get()
    assert (message.media_state, message.error_code) == ("failed", "ERR_WAPP_DOWNLOAD_MEDIA")
    assert message.error_reason
    assert emitted[0][1]["message"]["mediaState"] == "failed"


def test_a_file_the_provider_refuses_for_good_fails_at_once(
    acme: Company, connection: Connection, graph: GraphServer
) -> None:
    waiting(acme, connection, media_id="gone")
    fetch()
    assert MediaFetch.objects.get().state == LeaseState.FAILED
    assert Message.objects.get().media_state == MediaState.FAILED


def test_after_many_tries_the_file_is_given_up(
    acme: Company, connection: Connection, graph: GraphServer
) -> None:
    waiting(acme, connection)
    MediaFetch.objects.update(attempts=fetching.MAX_ATTEMPTS - 1)
    graph.stop()
    fetch()
    graph.start()
    assert Message.objects.get().media_state == MediaState.FAILED


def test_a_download_whose_worker_died_is_taken_over(
    acme: Company, connection: Connection, graph: GraphServer
) -> None:
    graph.media["m1"] = ("image/png", PNG)
    waiting(acme, connection)
    ahead = timezone.now() + timedelta(minutes=1)
    MediaFetch.objects.update(state="claimed", owner="dead", lease_expires_at=ahead)
    assert fetch() == 0
    MediaFetch.objects.update(lease_expires_at=timezone.now() - timedelta(seconds=1))
    assert fetch() == 1


def test_a_voice_message_gets_its_length(
    acme: Company, connection: Connection, graph: GraphServer, recording: bytes
) -> None:
    graph.media["m1"] = ("audio/ogg; codecs=opus", to_voice_note(recording))
    waiting(acme, connection, media_type="audio", media_mime="audio/ogg; codecs=opus")
    fetch()
    message = Message.objects.get()
    assert message.media_seconds == pytest.approx(2, abs=0.1)


def test_a_recording_leaves_as_a_voice_note(
    acme: Company, connection: Connection, graph: GraphServer, recording: bytes
) -> None:
    stored = store_media(company_id=acme.pk, content=recording, name="voz.webm", mime="audio/webm")
    ticket = make_ticket(acme, connection=connection, status="open")
    message = make_message(
        ticket,
        from_me=True,
        external_id=None,
        media_type="audio",
        body=stored.name,
        media_path=stored.path,
        media_name=stored.name,
        media_mime=stored.mime,
    )
    Delivery.objects.create(
        company=acme, connection=connection, contact=ticket.contact, message=message
    )
    deliver_due(limit=1)
    assert b"audio/ogg" in graph.uploads[0]
    assert b"OpusHead" in graph.uploads[0]
    assert graph.messages[0]["audio"] == {"id": "media1", "voice": True}


def test_a_recording_becomes_ogg_opus_and_a_voice_note_stays(recording: bytes) -> None:
    assert not is_voice_note(recording)
    note = to_voice_note(recording)
    assert is_voice_note(note)
    assert seconds_of(note) == pytest.approx(2, abs=0.1)
    assert seconds_of(b"no sound") is None


def test_without_the_systems_ffmpeg_the_bundled_one_serves(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(shutil, "which", lambda name: None)
    ffmpeg.cache_clear()
    try:
        assert Path(ffmpeg()).is_file()
    finally:
        ffmpeg.cache_clear()


def test_a_media_id_of_another_form_is_never_asked_for(
    acme: Company, connection: Connection, graph: GraphServer
) -> None:
    graph.fault = lambda payload: graph_error(100)
    waiting(acme, connection, media_id="../me")
    fetch()
    assert Message.objects.get().media_state == MediaState.FAILED
