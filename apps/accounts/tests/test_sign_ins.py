"""The history of sign-ins, and who is told of a new browser (rules/accounts §10)."""

from pathlib import Path
from typing import Any

import pytest
from django.test import override_settings
from mmdb_writer import MMDBWriter
from netaddr import IPSet
from rest_framework.test import APIClient

from apps.accounts.devices import device_name, place_name
from apps.accounts.models import User
from apps.mail.models import Mail
from conftest import ClientFor
from tests.factories import PASSWORD

pytestmark = pytest.mark.django_db

CHROME = (
    "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) "
    "Chrome/131.0.0.0 Safari/537.36"
)
BRAZIL = {"iso_code": "BR", "names": {"en": "Brazil", "pt-BR": "Brasil"}}


@pytest.fixture
def places(tmp_path: Path) -> Any:
    """A file that knows two networks, one of them without a city."""
    writer = MMDBWriter(database_type="GeoLite2-City", languages=["en", "pt-BR"])
    city = {"names": {"en": "Campinas"}}
    writer.insert_network(IPSet(["200.160.0.0/20"]), {"country": BRAZIL, "city": city})
    writer.insert_network(IPSet(["200.170.0.0/20"]), {"country": {"iso_code": "BR"}})
    path = tmp_path / "places.mmdb"
    writer.to_db_file(str(path))
    with override_settings(GEOIP_DATABASE=str(path)):
        yield


def sign_in(client: APIClient, user: User, **headers: str) -> None:
    body = {"email": user.email, "password": PASSWORD}
    answer = client.post("/api/auth/login", body, format="json", headers=headers)
    assert answer.status_code == 200


def test_the_owner_reads_when_with_what_and_from_where(
    agent: User, admin: User, client_for: ClientFor, places: None
) -> None:
    sign_in(APIClient(), admin)
    sign_in(APIClient(REMOTE_ADDR="200.160.1.1"), agent, **{"User-Agent": CHROME})
    agent.refresh_from_db()
    sign_in(APIClient(), agent, **{"User-Agent": "x" * 5000})
    agent.refresh_from_db()
    answer = client_for(agent).get("/api/auth/sign-ins", headers={"Accept-Language": "pt-BR"})
    latest, first = answer.json()["records"]
    assert (first["device"], first["ipAddress"]) == ("Chrome, Windows", "200.160.1.1")
    assert (first["place"], first["isAdmin"]) == ("Campinas, Brasil", False)
    assert (latest["device"], latest["place"]) == ("", "")


@pytest.mark.parametrize(
    ("address", "language", "place"),
    [
        ("200.160.1.1", "pt", "Campinas, Brasil"),
        ("200.160.1.1", "es", "Campinas, Brazil"),
        ("200.170.1.1", "pt", "BR"),
        ("8.8.8.8", "pt", ""),
        ("10.0.0.1", "pt", ""),
        (None, "pt", ""),
    ],
)
def test_a_place_is_told_as_far_as_the_file_knows_it(
    places: None, address: str | None, language: str, place: str
) -> None:
    assert place_name(address, language) == place


def test_without_a_file_there_is_no_place() -> None:
    assert place_name("200.160.1.1", "pt") == ""
    with override_settings(GEOIP_DATABASE="/nowhere/places.mmdb"):
        assert place_name("200.160.1.1", "pt") == ""


@pytest.mark.parametrize(
    ("user_agent", "name"), [(CHROME, "Chrome, Windows"), ("curl/8.9.1", "curl"), ("", "")]
)
def test_a_device_is_named_by_its_browser_and_system(user_agent: str, name: str) -> None:
    assert device_name(user_agent) == name


def test_a_new_browser_is_told_of_by_mail(agent: User) -> None:
    known = APIClient()
    with override_settings(EMAIL_HOST="mail.example"):
        sign_in(known, agent)  # the first of all is no news
        sign_in(known, agent)
        assert not Mail.objects.exists()
        sign_in(APIClient(), agent, **{"User-Agent": CHROME, "Accept-Language": "en"})
    mail = Mail.objects.get()
    assert (mail.recipient, mail.subject) == (agent.email, "New sign-in to your Balcão account")
    assert "Chrome, Windows, on" in mail.body
    assert "from the address 127.0.0.1" in mail.body
