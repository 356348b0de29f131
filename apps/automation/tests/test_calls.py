import uuid
from collections.abc import Iterator
from typing import Any

import pytest

from apps.accounts.models import User
from apps.automation.models import IntegrationCall, QueueIntegration
from apps.automation.tests.wire import Answer, WireServer, wire_server
from apps.companies.models import Company
from conftest import ClientFor
from tests.factories import make_integration

pytestmark = pytest.mark.django_db


@pytest.fixture
def server(settings: Any) -> Iterator[WireServer]:
    settings.ALLOW_PRIVATE_TARGETS = ["127.0.0.0/8"]
    with wire_server() as running:
        yield running


@pytest.fixture
def webhook(acme: Company, server: WireServer) -> QueueIntegration:
    return make_integration(acme, type="n8n", url=f"{server.url}/hook", signing_secret="segredo")


def _call(integration: QueueIntegration, **fields: Any) -> IntegrationCall:
    fields.setdefault("event_id", uuid.uuid4())
    fields.setdefault("request_body", {"event": "message.received", "message": {"body": "Oi"}})
    return IntegrationCall.objects.create(
        company=integration.company,
        integration=integration,
        event="message.received",
        url=integration.url,
        **fields,
    )


def test_the_log_comes_in_pages_newest_first(
    webhook: QueueIntegration,
    admin: User,
    client_for: ClientFor,
    django_assert_max_num_queries: Any,
) -> None:
    rows = [_call(webhook, status_code=200) for _ in range(21)]
    _call(make_integration(webhook.company))
    client = client_for(admin)
    with django_assert_max_num_queries(4):
        first = client.get(f"/api/queueIntegration/{webhook.pk}/deliveries").json()
    assert [row["id"] for row in first["deliveries"]] == [row.pk for row in rows[:0:-1]]
    assert (first["count"], first["hasMore"]) == (21, True)
    second = client.get(f"/api/queueIntegration/{webhook.pk}/deliveries/?pageNumber=2").json()
    assert [row["id"] for row in second["deliveries"]] == [rows[0].pk]


@pytest.mark.parametrize(("status", "found"), [("ok", {200}), ("failed", {500, None, 204})])
def test_the_log_shows_what_went_well_or_what_did_not(
    status: str,
    found: set[int | None],
    webhook: QueueIntegration,
    admin: User,
    client_for: ClientFor,
) -> None:
    _call(webhook, status_code=200)
    _call(webhook, status_code=500, error="respondeu com o erro 500")
    _call(webhook, error="não respondeu")
    _call(webhook, status_code=204, error="não pôde ser lida")
    answer = client_for(admin).get(f"/api/queueIntegration/{webhook.pk}/deliveries?status={status}")
    assert {row["statusCode"] for row in answer.json()["deliveries"]} == found


def test_one_call_is_shown_with_what_was_sent_and_answered(
    webhook: QueueIntegration, admin: User, client_for: ClientFor
) -> None:
    row = _call(webhook, status_code=500, response_text="<erro>", error="respondeu com 500")
    answer = client_for(admin).get(f"/api/queueIntegration/{webhook.pk}/deliveries/{row.pk}").json()
    assert answer["eventId"] == str(row.event_id)
    assert answer["requestBody"]["message"] == {"body": "Oi"}
    assert (answer["responseText"], answer["error"]) == ("<erro>", "respondeu com 500")


def test_an_event_is_sent_again_with_its_id_and_that_is_logged(
    webhook: QueueIntegration, admin: User, client_for: ClientFor, server: WireServer
) -> None:
    server.handler = lambda request: Answer(body="ok")
    row = _call(webhook, attempt=5, status_code=500)
    answer = client_for(admin).post(
        f"/api/queueIntegration/{webhook.pk}/deliveries/{row.pk}/redeliver"
    )
    assert answer.status_code == 201
    [request] = server.received
    assert request.json == row.request_body
    assert request.headers["x-balcao-delivery"] == str(row.event_id)
    assert request.headers["x-balcao-signature"].startswith("sha256=")
    assert answer.json()["attempt"] == 6
    assert (answer.json()["statusCode"], answer.json()["error"]) == (200, "")
    assert IntegrationCall.objects.filter(event_id=row.event_id).count() == 2


def test_a_repeated_delivery_that_fails_is_an_answer_too(
    webhook: QueueIntegration, admin: User, client_for: ClientFor, server: WireServer
) -> None:
    server.handler = lambda request: Answer(status=502)
    row = _call(webhook)
    answer = client_for(admin).post(
        f"/api/queueIntegration/{webhook.pk}/deliveries/{row.pk}/redeliver"
    )
    assert (answer.status_code, answer.json()["statusCode"]) == (201, 502)
    again = answer.json()
    assert "502" in again["error"]
    assert (again["reasonCode"], again["reasonDetail"]) == ("server_error", "127.0.0.1 (502)")


def test_calls_of_other_types_are_not_repeated(
    acme: Company, admin: User, client_for: ClientFor, server: WireServer
) -> None:
    typebot = make_integration(acme, type="typebot", url=server.url)
    row = _call(typebot)
    answer = client_for(admin).post(
        f"/api/queueIntegration/{typebot.pk}/deliveries/{row.pk}/redeliver"
    )
    assert (answer.status_code, answer.json()["code"]) == (400, "ERR_DELIVERY_NOT_REPEATABLE")
    assert server.received == []


def test_repeating_is_bounded(
    webhook: QueueIntegration, admin: User, client_for: ClientFor, server: WireServer
) -> None:
    row = _call(webhook)
    path = f"/api/queueIntegration/{webhook.pk}/deliveries/{row.pk}/redeliver"
    client = client_for(admin)
    codes = [client.post(path).status_code for _ in range(11)]
    assert codes == [201] * 10 + [429]
    assert len(server.received) == 10


def test_another_integrations_call_is_not_found(
    webhook: QueueIntegration, admin: User, client_for: ClientFor
) -> None:
    row = _call(make_integration(webhook.company))
    answer = client_for(admin).get(f"/api/queueIntegration/{webhook.pk}/deliveries/{row.pk}")
    assert (answer.status_code, answer.json()["code"]) == (404, "ERR_NO_DELIVERY_FOUND")
