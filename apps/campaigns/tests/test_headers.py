"""The file of a campaign's template outlives the 30 days for which Meta keeps it."""

from datetime import timedelta
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile

from apps.campaigns.models import Campaign
from apps.campaigns.services.headers import header_files_in_use
from apps.campaigns.tests.conftest import Clock, Make
from apps.campaigns.tests.test_sending import reread, settings, states, work
from apps.common.media import delete_media
from apps.companies.models import Company
from apps.connections.models import Connection, TemplateMedia
from apps.connections.services import purge_template_media, upload_template_media
from apps.tickets.services.outbox.deliveries import deliver_due
from tests.factories import make_connection
from tests.graph import GraphServer, graph_error

pytestmark = pytest.mark.django_db

PNG = b"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR" + b"0" * 20 + b"IEND\xaeB`\x82"


@pytest.fixture
def campaign(
    clock: Clock, acme: Company, connection: Connection, due: Make, graph: GraphServer
) -> Campaign:
    """A campaign of three with a picture in its template, an hour between messages."""
    acme.due_date += timedelta(days=365)
    acme.save()
    settings(acme, messageInterval=0, longerIntervalAfter=1, greaterInterval=3600)
    graph.templates = [
        {
            "id": "1",
            "name": "vitrine",
            "language": "pt_BR",
            "status": "APPROVED",
            "category": "MARKETING",
            "components": [
                {"type": "HEADER", "format": "IMAGE"},
                {"type": "BODY", "text": "Chegou!"},
            ],
        }
    ]
    file = SimpleUploadedFile("vitrine.png", PNG, content_type="image/png")
    uploaded = upload_template_media(connection=connection, file=file)
    picture = {"type": "image", "image": {"id": uploaded.media_id, "filename": "vitrine.png"}}
    return due(
        connection=connection,
        scheduled_at=clock.now + timedelta(days=40),
        template_name="vitrine",
        template_language="pt_BR",
        template_components=[{"type": "header", "parameters": [picture]}],
        texts=[],
    )


def sent_files(graph: GraphServer) -> list[str]:
    """Return Meta's ids of the pictures in the templates that it took."""
    return [
        each["template"]["components"][0]["parameters"][0]["image"]["id"]
        for each in graph.messages
        if each["type"] == "template"
    ]


def step(clock: Clock, **distance: float) -> None:
    clock.pass_time(**distance)
    work()
    deliver_due(limit=10)


def test_a_file_older_than_29_days_is_uploaded_again_once(
    clock: Clock, campaign: Campaign, graph: GraphServer
) -> None:
    clock.pass_time(days=40)
    assert (
        purge_template_media(before=clock.now - timedelta(days=30), kept=header_files_in_use) == 0
    )
    step(clock)
    step(clock)
    step(clock, hours=1)
    assert sent_files(graph) == ["media2", "media2"]
    assert len(graph.uploads) == 2
    assert PNG in graph.uploads[1]
    step(clock, days=29)
    assert sent_files(graph) == ["media2", "media2", "media3"]
    assert states(campaign) == ["sent"] * 3
    # What is stored goes on naming the first, by which browsers show the file.
    [header] = reread(campaign).template_components
    assert header["parameters"][0]["image"]["id"] == "media1"
    step(clock, hours=1)
    assert reread(campaign).status == "FINALIZADA"
    assert purge_template_media(before=clock.now, kept=header_files_in_use) == 1


def test_a_young_file_is_used_as_it_is(
    clock: Clock, campaign: Campaign, graph: GraphServer
) -> None:
    Campaign.objects.update(next_attempt_at=clock.now, scheduled_at=clock.now)
    step(clock)
    step(clock)
    step(clock, minutes=5)
    assert (sent_files(graph), len(graph.uploads)) == (["media1"], 1)


def test_another_number_of_the_company_gets_an_upload_of_its_own(
    clock: Clock, acme: Company, campaign: Campaign, graph: GraphServer
) -> None:
    other = make_connection(acme, name="Outra")
    Campaign.objects.update(next_attempt_at=clock.now, scheduled_at=clock.now, connection=other)
    step(clock)
    step(clock)
    step(clock, hours=1)
    assert (sent_files(graph), len(graph.uploads)) == (["media2", "media2"], 2)
    first, second = TemplateMedia.objects.order_by("id")
    assert (second.connection, second.path == first.path) == (other, False)


def test_while_meta_takes_no_file_or_it_is_gone_the_campaign_waits_and_says_so(
    clock: Clock, campaign: Campaign, graph: GraphServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refused_with(answer: Any) -> Any:
        return lambda payload: answer if payload.get("type") == "upload" else False

    clock.pass_time(days=40)
    step(clock)
    for answer, words in (
        ((503, {}), "provider_down"),
        (graph_error(131053), "media_refused"),
        (graph_error(190), "credentials_refused"),
    ):
        monkeypatch.setattr(graph, "fault", refused_with(answer))
        step(clock, minutes=2)
        assert reread(campaign).wait_code == words
    monkeypatch.setattr(graph, "fault", lambda payload: False)
    media = TemplateMedia.objects.get()
    delete_media(media.path)
    step(clock, minutes=2)
    assert reread(campaign).wait_code == "media_gone"
    assert states(campaign) == ["pending"] * 3
