from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Any

import pytest
from django.core.files.storage import default_storage
from django.utils import timezone

from apps.campaigns.events import CAMPAIGN
from apps.campaigns.models import Campaign, CampaignSetting, ContactList
from apps.common.media import store_media
from apps.companies.models import Company
from apps.connections.models import Connection
from apps.library.models import FileList
from tests.events import Listeners, Told
from tests.factories import make_campaign, make_connection, make_contact_list, make_file_list

Make = Callable[..., Campaign]
PNG = b"\x89PNG\r\n\x1a\n" + b"0" * 20


class Clock:
    """The time that everybody reads; it moves when it is told to."""

    def __init__(self) -> None:
        self.now = timezone.now()

    def pass_time(self, **distance: float) -> datetime:
        """Let time go by."""
        self.now += timedelta(**distance)
        return self.now


def make_filled_list(company: Company, *names: str) -> FileList:
    """Make a file list with a picture of each name."""
    made = make_file_list(company, items=names)
    for item in made.items.all():
        item.put_media(
            store_media(company_id=company.pk, content=PNG, name=item.name, mime="image/png")
        )
        item.save()
    return made


def shared_files(company: Company) -> set[str]:
    """Return the paths of a company's files that many messages show."""
    folder = f"{company.pk}/shared"
    if not default_storage.exists(folder):
        return set()
    return {f"{folder}/{name}" for name in default_storage.listdir(folder)[1]}


@pytest.fixture
def media(settings: Any, tmp_path: Any) -> None:
    """Files go where the test is alone with them."""
    settings.MEDIA_ROOT = tmp_path


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    clock = Clock()
    monkeypatch.setattr(timezone, "now", lambda: clock.now)
    return clock


@pytest.fixture
def told(listeners: Listeners) -> list[Told]:
    """What the app told browsers of campaigns."""
    seen: list[Told] = []
    listeners.append(lambda each: seen.append(each) if each.event.endswith(CAMPAIGN.name) else None)
    return seen


@pytest.fixture
def qr(acme: Company) -> Connection:
    """A connected number of acme without a 24-hour window."""
    return make_connection(acme, name="QR", provider="beta")


@pytest.fixture
def people(acme: Company) -> ContactList:
    """Three people."""
    return make_contact_list(
        acme, people=[(f"Pessoa {place + 1}", f"551198432110{place}") for place in range(3)]
    )


@pytest.fixture
def due(acme: Company, qr: Connection, people: ContactList) -> Make:
    """Return a function that makes a campaign whose time has come."""

    def make(**fields: Any) -> Campaign:
        fields.setdefault("connection", qr)
        fields.setdefault("contact_list", people)
        return make_campaign(acme, **fields)

    return make


@pytest.fixture
def at_once(acme: Company) -> None:
    """Messages follow each other without a pause."""
    for key in ("messageInterval", "longerIntervalAfter", "greaterInterval"):
        CampaignSetting.objects.create(company=acme, key=key, value=0)
