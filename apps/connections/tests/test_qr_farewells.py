"""Devices whose session ended while no gateway had it: the next gateway takes them off."""

from collections.abc import Iterator
from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from apps.accounts.models import User
from apps.companies.models import Company
from apps.connections.models import Connection, QrFarewell, QrSession, QrSessionKey
from apps.connections.services import qr_leases
from conftest import ClientFor
from tests.gateway import (
    SECRET,
    Gateway,
    commit,
    lease,
    make_qr_connection,
    running_gateway,
    session_event,
)

pytestmark = pytest.mark.django_db

CREDENTIALS = {"me": "loja", "noiseKey": "segredo"}


@pytest.fixture
def gateway(settings: Any) -> Iterator[Gateway]:
    settings.GATEWAY_SECRET = SECRET
    with running_gateway() as gateway:
        lease(address=gateway.url)
        yield gateway


@pytest.fixture
def linked(acme: Company, gateway: Gateway) -> Connection:
    """A connection that is up, held by `gateway` in epoch 1."""
    connection = make_qr_connection(acme)
    gateway.own(connection)
    keys = {"session": {"a": 1}}
    commit(connection.pk, 1, session_event("CONNECTED"), credentials=CREDENTIALS, keys=keys)
    return connection


def lose_gateway() -> None:
    """Let the lease run out: its gateway is gone."""
    QrSession.objects.update(expires_at=timezone.now() - timedelta(seconds=1))


def given(answer: dict[str, Any]) -> list[Any]:
    return [each["credentials"] for each in answer["farewells"]]


def test_disconnected_while_no_gateway_is_there_the_next_one_tells_the_phone(
    client_for: ClientFor, admin: User, linked: Connection
) -> None:
    lose_gateway()
    assert client_for(admin).delete(f"/api/whatsappsession/{linked.pk}").status_code == 200
    session = QrSession.objects.get()
    assert (session.credentials, QrSessionKey.objects.exists()) == ("", False)
    # Linked anew at once: two devices, each its own.
    assert client_for(admin).post(f"/api/whatsappsession/{linked.pk}").status_code == 200
    answer = lease("gw-2")
    assert given(answer) == [CREDENTIALS]
    assert [each["credentials"] for each in answer["claimed"]] == [None]
    assert answer["farewells"][0]["browser"] == ["Balcão", "Chrome", "1"]
    # Nobody else is given it meanwhile, and nobody once it is told.
    assert given(lease("gw-3")) == []
    told = [each["farewell"] for each in answer["farewells"]]
    lease("gw-2", held={linked.pk: 2}, parted=told)
    assert not QrFarewell.objects.exists()


def test_deleted_while_no_gateway_is_there_the_next_one_tells_the_phone(
    client_for: ClientFor,
    admin: User,
    linked: Connection,
    django_capture_on_commit_callbacks: Any,
) -> None:
    lose_gateway()
    with django_capture_on_commit_callbacks(execute=True):
        assert client_for(admin).delete(f"/api/whatsapp/{linked.pk}").status_code == 200
    assert not QrSession.objects.exists()
    assert given(lease("gw-2")) == [CREDENTIALS]


@pytest.mark.parametrize("how", ["drops", "dies", "leaves"])
def test_an_owner_that_could_not_tell_the_phone_leaves_it_to_the_next(
    client_for: ClientFor, admin: User, linked: Connection, gateway: Gateway, how: str
) -> None:
    gateway.refuse("logout", "ERR_NOT_LOGGED_OUT", 503)
    client_for(admin).delete(f"/api/whatsappsession/{linked.pk}")
    if how == "dies":
        lose_gateway()
        answer = lease("gw-2")
    elif how == "leaves":
        lease(held={linked.pk: 1}, leaving=True)
        answer = lease("gw-2")
    else:
        answer = lease()
    assert given(answer) == [CREDENTIALS]
    assert QrSession.objects.get().credentials == ""


def test_what_the_phone_knows_already_is_told_nobody(
    client_for: ClientFor, admin: User, linked: Connection, gateway: Gateway
) -> None:
    client_for(admin).delete(f"/api/whatsappsession/{linked.pk}")
    assert [each.name for each in gateway.commands] == ["logout"]
    assert not QrFarewell.objects.exists()
    assert QrSession.objects.get().credentials == ""


def test_a_new_code_takes_the_old_device_off_its_phone(
    client_for: ClientFor, admin: User, linked: Connection, gateway: Gateway
) -> None:
    commit(linked.pk, 1, session_event("DISCONNECTED", reason="replaced"))
    assert client_for(admin).put(f"/api/whatsappsession/{linked.pk}").status_code == 200
    assert given(lease(address=gateway.url)) == [CREDENTIALS]


def test_a_session_that_was_taken_from_its_owner_is_ended_at_the_phone(
    client_for: ClientFor, admin: User, linked: Connection, gateway: Gateway
) -> None:
    client = client_for(admin)
    gateway.refuse("logout", "ERR_ANY", 500)
    client.delete(f"/api/whatsappsession/{linked.pk}")
    client.post(f"/api/whatsappsession/{linked.pk}")
    assert given(lease("gw-2")) == [CREDENTIALS]
    assert commit(linked.pk, 1, credentials=CREDENTIALS).status_code == 409


def test_a_connection_that_went_with_its_company_is_ended_at_the_phone(linked: Connection) -> None:
    QrSession.objects.update(connection=None)
    assert given(lease("gw-2")) == []  # its owner is told first
    assert lease(held={linked.pk: 1})["lost"] == [linked.pk]
    assert not QrSession.objects.exists()
    assert QrFarewell.objects.count() == 1


def test_a_phone_that_can_not_be_told_is_tried_again_for_a_month(
    linked: Connection, monkeypatch: pytest.MonkeyPatch
) -> None:
    QrFarewell.objects.create(credentials='{"noiseKey": 1}')
    assert len(given(lease())) == 1
    assert given(lease()) == []
    for seconds, count in ((61, 1), (31 * 86_400, 0)):
        later = timezone.now() + timedelta(seconds=seconds)
        monkeypatch.setattr(qr_leases, "database_now", lambda later=later: later)
        assert len(given(lease())) == count
    assert not QrFarewell.objects.exists()
