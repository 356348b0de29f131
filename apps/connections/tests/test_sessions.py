"""What keeps a connection up: verifying, disconnecting, pausing; and the provider behind it."""

import socket
from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from apps.accounts.models import User
from apps.audit.models import AuditEntry
from apps.common.serializers import row_of
from apps.companies.models import Company
from apps.connections import services
from apps.connections.models import Connection, ConnectionStatus, ProviderKind
from apps.connections.providers.base import ProviderError
from apps.connections.providers.content import SendContext
from apps.connections.serializers.connections import ConnectionSerializer
from apps.connections.tests.graph import SENT, Answer, GraphServer, fault
from conftest import ClientFor
from tests import factories

pytestmark = pytest.mark.django_db
Emitted = list[tuple[str, dict[str, Any], int]]


@pytest.fixture
def down(connection: Connection) -> Connection:
    """A number that was taken down."""
    connection.status = ConnectionStatus.DISCONNECTED
    connection.status_reason = "Caiu."
    connection.save()
    return connection


@pytest.fixture
def qr_session(acme: Company) -> Connection:
    """A connection by QR code."""
    return factories.make_connection(
        acme, provider=ProviderKind.BETA, phone_number_id=None, waba_id="", access_token=""
    )


def test_a_start_verifies_again(
    client_for: ClientFor, admin: User, down: Connection, numbered: GraphServer, emitted: Emitted
) -> None:
    answer = client_for(admin).post(f"/api/whatsappsession/{down.pk}")
    well = {"reasonCode": "", "reasonDetail": ""}
    assert answer.json() == {"message": "Conexão verificada: conectada.", **well}
    down.refresh_from_db()
    assert (down.status, down.number, down.status_reason) == ("CONNECTED", "5511988887777", "")
    assert [event for event, _, _ in emitted] == ["whatsapp", "whatsappSession"]


def test_a_start_that_is_refused_says_why(
    client_for: ClientFor, admin: User, down: Connection, graph: GraphServer
) -> None:
    graph.answers = [fault(100, error_subcode=33)]
    answer = client_for(admin).post(f"/api/whatsappsession/{down.pk}/")
    assert answer.json()["message"] == (
        "A conexão não foi iniciada: A Meta não encontrou este número. "
        "Confira a identificação na conexão."
    )
    assert answer.json()["reasonCode"] == "number_unknown"


@pytest.mark.parametrize("status", [404, 405, 501])
def test_a_stand_in_that_takes_messages_alone_is_no_refusal(
    client_for: ClientFor, admin: User, down: Connection, graph: GraphServer, status: int
) -> None:
    graph.answers = [Answer({}, status=status)]
    client_for(admin).post(f"/api/whatsappsession/{down.pk}")
    down.refresh_from_db()
    assert (down.status, down.status_reason) == ("CONNECTED", "")


@pytest.fixture
def metas_own(graph: GraphServer, settings: Any, monkeypatch: pytest.MonkeyPatch) -> GraphServer:
    """The server of the test, reached by Meta's name."""
    found = socket.getaddrinfo

    def resolve(host: Any, *arguments: Any, **more: Any) -> Any:
        is_metas = host in ("graph.facebook.com", b"graph.facebook.com")
        return found("127.0.0.1" if is_metas else host, *arguments, **more)

    monkeypatch.setattr(socket, "getaddrinfo", resolve)
    settings.GRAPH_API_URL = graph.url.replace("127.0.0.1", "graph.facebook.com")
    return graph


@pytest.mark.parametrize(
    "answer",
    [Answer({"id": "1"}), *(Answer({}, status=status) for status in (404, 405, 501))],
    ids=["no number", "404", "405", "501"],
)
def test_at_metas_own_address_only_a_number_of_the_account_connects(
    down: Connection, metas_own: GraphServer, globex: Company, answer: Answer
) -> None:
    metas_own.answers = [answer]
    Connection.objects.filter(pk=down.pk).update(verified_at=None)
    services.verify_connection(down)
    down.refresh_from_db()
    assert metas_own.calls
    assert down.status != ConnectionStatus.CONNECTED
    assert down.verified_at is None
    assert down.status_reason and down.reason_code
    # Nor does such an answer keep the number from who can show it.
    Connection.objects.filter(pk=down.pk).update(verified_at=timezone.now())
    other = factories.make_connection(
        globex, phone_number_id=down.phone_number_id, waba_id=down.waba_id, verified_at=None
    )
    metas_own.answers = [Answer({"display_phone_number": "+55 11 98888-7777"}), answer]
    services.verify_connection(other)
    is_passing = answer.status == 501
    down.refresh_from_db()
    other.refresh_from_db()
    assert (other.verified_at is None, down.verified_at is None) == (is_passing, not is_passing)


def test_a_passing_fault_is_asked_about_again_until_the_number_answers(
    client_for: ClientFor, admin: User, down: Connection, graph: GraphServer
) -> None:
    graph.answers = [Answer(b"", status=503)]
    client_for(admin).post(f"/api/whatsappsession/{down.pk}")
    down.refresh_from_db()
    assert down.status == ConnectionStatus.OPENING and down.status_reason
    graph.answers = [Answer({"display_phone_number": "+55 11 98888-7777"})]
    services.verify_opening()
    down.refresh_from_db()
    assert (down.status, down.status_reason) == (ConnectionStatus.CONNECTED, "")


def test_a_passing_fault_does_not_take_a_connected_number_down(
    connection: Connection, graph: GraphServer, emitted: Emitted
) -> None:
    graph.answers = [Answer(b"", status=500)]
    assert services.verify_connection(connection).status == ConnectionStatus.CONNECTED
    assert emitted == []


def test_an_answer_for_a_changed_number_is_dropped(
    connection: Connection, numbered: GraphServer, emitted: Emitted
) -> None:
    Connection.objects.filter(pk=connection.pk).update(
        phone_number_id="999999999999999", status=ConnectionStatus.DISCONNECTED
    )
    services.verify_connection(connection)
    connection.refresh_from_db()
    assert connection.status == ConnectionStatus.DISCONNECTED
    assert emitted == []


def test_an_official_number_has_no_qr_code(
    client_for: ClientFor, admin: User, connection: Connection
) -> None:
    answer = client_for(admin).put(f"/api/whatsappsession/{connection.pk}")
    assert answer.status_code == 400
    assert answer.json()["message"] == (
        "Esta conexão usa a API oficial e não tem QR Code. Edite o token para reconectar."
    )


def test_disconnecting_is_told_and_audited(
    client_for: ClientFor, admin: User, connection: Connection, emitted: Emitted
) -> None:
    answer = client_for(admin).delete(f"/api/whatsappsession/{connection.pk}")
    assert answer.json() == {"message": "Conexão desligada. Os envios aguardam."}
    connection.refresh_from_db()
    assert (connection.status, connection.status_reason) == (
        "DISCONNECTED",
        "Desconectada por Alice.",
    )
    assert emitted[-1][1]["session"]["status"] == "DISCONNECTED"
    assert AuditEntry.objects.get().action == "connection.disconnected"


@pytest.mark.parametrize("method", ["post", "put"])
def test_a_qr_session_can_not_start_without_the_gateway(
    client_for: ClientFor, admin: User, qr_session: Connection, method: str
) -> None:
    answer = getattr(client_for(admin), method)(f"/api/whatsappsession/{qr_session.pk}")
    assert (answer.status_code, answer.json()["code"]) == (400, "ERR_WAPP_NOT_INITIALIZED")


def test_a_pause_is_shown_and_told(connection: Connection, emitted: Emitted) -> None:
    until = timezone.now() + timedelta(minutes=5)
    services.pause_sends(connection, until, "Muitos envios.")
    connection.refresh_from_db()
    assert connection.sends_paused_until == until
    row = row_of(ConnectionSerializer, connection)
    assert (row["statusReason"], row["sendsPausedUntil"]) == ("Muitos envios.", until)
    assert emitted[-1][1]["whatsapp"]["statusReason"] == "Muitos envios."


def test_a_longer_pause_is_kept(connection: Connection, emitted: Emitted) -> None:
    long = timezone.now() + timedelta(hours=6)
    services.pause_sends(connection, long, "Spam.")
    emitted.clear()
    services.pause_sends(connection, timezone.now() + timedelta(minutes=1), "Muitos envios.")
    connection.refresh_from_db()
    assert (connection.sends_paused_until, connection.status_reason) == (long, "Spam.")
    assert emitted == []


def test_a_limit_without_a_time_pauses_longer_each_time_that_it_goes_on(
    connection: Connection,
) -> None:
    def limited(*, after: float) -> float:
        """Have the provider limit the number some seconds after the last pause's end."""
        over = timezone.now() - timedelta(seconds=after)
        Connection.objects.filter(sends_paused_until__isnull=False).update(sends_paused_until=over)
        services.pause_sends(connection, None, "Muitos envios.")
        connection.refresh_from_db()
        assert connection.sends_paused_until is not None
        return round((connection.sends_paused_until - timezone.now()).total_seconds())

    assert [limited(after=1) for _ in range(6)] == [5, 10, 20, 40, 60, 60]
    # What was under way when the pause began is refused as well.
    until = connection.sends_paused_until
    services.pause_sends(connection, None, "Muitos envios.")
    connection.refresh_from_db()
    assert (connection.sends_paused_until, connection.sends_paused_seconds) == (until, 60)
    assert limited(after=61) == 5


def test_a_pause_that_is_over_is_not_shown(connection: Connection) -> None:
    services.pause_sends(connection, timezone.now() - timedelta(minutes=1), "Muitos envios.")
    row = row_of(ConnectionSerializer, connection)
    assert (row["statusReason"], row["sendsPausedUntil"]) == ("", None)


def test_pausing_a_connection_that_is_gone_does_nothing(
    connection: Connection, emitted: Emitted
) -> None:
    Connection.objects.all().delete()
    services.pause_sends(connection, timezone.now(), "Spam.")
    services.mark_reconnect_needed(connection, "Recusado.")
    assert emitted == []


def test_refused_credentials_take_a_connection_down(
    connection: Connection, emitted: Emitted
) -> None:
    services.mark_reconnect_needed(connection, "Token recusado." + "x" * 600)
    connection.refresh_from_db()
    assert connection.status == ConnectionStatus.DISCONNECTED
    assert connection.status_reason.startswith("Token recusado.")
    assert [event for event, _, _ in emitted] == ["whatsapp", "whatsappSession"]
    services.mark_reconnect_needed(connection, "Token recusado.")
    entry = AuditEntry.objects.get(action="connection.credentials_refused")
    assert (entry.company_id, entry.object_id) == (connection.company_id, str(connection.pk))


def test_the_provider_sends_for_the_number_with_its_token(
    connection: Connection, graph: GraphServer
) -> None:
    graph.answers = [SENT]
    context = SendContext(to="5511999990000", callback_id="1")
    services.provider_for(connection).send_text(context, "Oi")
    assert str(connection.phone_number_id) in graph.calls[0].path
    assert graph.calls[0].headers["authorization"] == "Bearer token"


def test_sends_of_a_qr_session_wait_while_no_gateway_has_it(qr_session: Connection) -> None:
    with pytest.raises(ProviderError) as caught:
        services.provider_for(qr_session)
    error = caught.value
    assert error.retry_after and not (error.permanent or error.needs_reconnect)
