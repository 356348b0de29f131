"""Whose a number is: the company's whose token has shown it, by Meta's own answer."""

from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.utils import timezone

from apps.accounts.models import User
from apps.audit.models import AuditEntry
from apps.companies.models import Company
from apps.connections.models import Connection, ConnectionStatus, OperatorAccount
from apps.connections.providers.inbound import InboundNotice
from apps.connections.queries import connections_that_send
from apps.connections.services import sessions
from apps.connections.tests.graph import Answer, GraphServer, fault
from apps.inbound.models import InboundEvent
from apps.inbound.services.storing import store_notices
from conftest import ClientFor
from tests.factories import make_connection

pytestmark = pytest.mark.django_db

NUMBER, ACCOUNT = "100000000000777", "200000000000777"
NEW = {
    "name": "Loja",
    "provider": "official",
    "phone_number_id": NUMBER,
    "waba_id": ACCOUNT,
    "accessToken": "EAAG-segredo",
}
REFUSED = fault(190, status=401)


def make(client: Any, **changes: Any) -> dict[str, Any]:
    answer = client.post("/api/whatsapp", {**NEW, **changes}, format="json")
    assert answer.status_code == 201, answer.content
    row: dict[str, Any] = answer.json()
    return row


def receives(number: str, account: str = "") -> int | None:
    """Return the connection that gets what Meta reports of a number, or of an account."""
    notice = InboundNotice(
        event_id=f"wamid.{timezone.now().timestamp()}",
        kind="message",
        partition="5511",
        payload={"waba_id": account},
    )
    if not store_notices([(number, notice)]):
        return None
    pk = InboundEvent.objects.latest("pk").connection_id
    return pk


def sends() -> set[int]:
    return set(connections_that_send(timezone.now()).values_list("pk", flat=True))


def test_a_number_that_meta_does_not_show_reserves_receives_and_sends_nothing(
    client_for: ClientFor, admin: User, outsider: User, numbered: GraphServer
) -> None:
    numbered.account = ["100000000000001"]
    thief = make(client_for(outsider))
    assert (thief["status"], thief["reasonCode"]) == ("DISCONNECTED", "number_elsewhere")
    assert receives(NUMBER) is None
    assert receives("", ACCOUNT) is None
    assert sends() == set()
    numbered.account = [NUMBER]
    owner = make(client_for(admin))
    assert owner["status"] == "CONNECTED"
    assert receives(NUMBER) == receives("", ACCOUNT) == owner["id"]
    assert sends() == {owner["id"]}


def test_who_has_shown_it_keeps_it_from_others(
    client_for: ClientFor, admin: User, outsider: User, numbered: GraphServer
) -> None:
    owner = make(client_for(admin))
    again = make(client_for(outsider))
    assert (again["status"], again["reasonCode"]) == ("DISCONNECTED", "number_taken")
    assert "já está conectado" in again["statusReason"]
    assert receives(NUMBER) == owner["id"]
    assert sends() == {owner["id"]}
    # A number taken down by hand is kept all the same.
    client_for(admin).delete(f"/api/whatsappsession/{owner['id']}")
    sessions.start_session(connection=Connection.objects.get(pk=again["id"]))
    assert Connection.objects.get(pk=again["id"]).status == ConnectionStatus.DISCONNECTED
    assert Connection.objects.get(pk=owner["id"]).status == ConnectionStatus.DISCONNECTED
    assert receives(NUMBER) == owner["id"]


def test_who_can_no_longer_show_it_loses_it_to_who_can(
    client_for: ClientFor, admin: User, outsider: User, numbered: GraphServer
) -> None:
    before = make(client_for(outsider))
    card = numbered.answers[0]
    # The newcomer's number, then the holder's, whose token Meta takes no longer.
    numbered.answers = [card, REFUSED]
    after = make(client_for(admin))
    assert after["status"] == "CONNECTED"
    assert receives(NUMBER) == after["id"]
    lost = Connection.objects.get(pk=before["id"])
    assert (lost.status, lost.reason_code, lost.verified_at) == (
        ConnectionStatus.DISCONNECTED,
        "number_taken",
        None,
    )


def test_a_passing_fault_takes_nobodys_number(
    client_for: ClientFor, admin: User, outsider: User, numbered: GraphServer
) -> None:
    before = make(client_for(outsider))
    numbered.answers = [numbered.answers[0], Answer(b"", status=503)]
    after = make(client_for(admin))
    assert after["reasonCode"] == "number_taken"
    assert receives(NUMBER) == before["id"]
    assert Connection.objects.get(pk=before["id"]).status == ConnectionStatus.CONNECTED


def test_other_ids_are_to_be_shown_anew(
    client_for: ClientFor, admin: User, numbered: GraphServer
) -> None:
    client = client_for(admin)
    row = make(client)
    numbered.account = [NUMBER]
    change = {"phone_number_id": "100000000000888"}
    answer = client.put(f"/api/whatsapp/{row['id']}", change, format="json").json()
    assert answer["reasonCode"] == "number_elsewhere"
    assert receives("100000000000888") is receives(NUMBER) is None


def test_the_operators_token_serves_company_1_and_assigned_accounts(
    client_for: ClientFor, admin: User, numbered: GraphServer, settings: Any
) -> None:
    settings.META_ACCESS_TOKEN = "do-operador"
    client = client_for(admin)
    refused = client.post("/api/whatsapp", {**NEW, "accessToken": ""}, format="json")
    assert (refused.status_code, list(refused.json()["fields"])) == (400, ["accessToken"])
    assert numbered.calls == []
    OperatorAccount.objects.create(company=admin.company, waba_id=ACCOUNT)
    row = make(client, accessToken="")
    assert (row["status"], row["accessToken"]) == ("CONNECTED", "")
    assert numbered.calls[0].headers["authorization"] == "Bearer do-operador"
    # Another account is named by the tenant, not by the operator.
    change = {"waba_id": "200000000000999"}
    answer = client.put(f"/api/whatsapp/{row['id']}", change, format="json")
    assert list(answer.json()["fields"]) == ["accessToken"]
    OperatorAccount.objects.all().delete()
    sessions.verify_connection(Connection.objects.get())
    assert Connection.objects.get().reason_code == "token_missing"


@pytest.mark.parametrize("step", ["number", "webhook"])
def test_the_operators_token_shows_a_tenant_no_number_of_another_account(
    client_for: ClientFor, admin: User, numbered: GraphServer, settings: Any, step: str
) -> None:
    settings.META_ACCESS_TOKEN = "do-operador"
    settings.META_APP_SECRET = "segredo-do-app"
    OperatorAccount.objects.create(company=admin.company, waba_id=ACCOUNT)
    body = {**NEW, "accessToken": "", "step": step}
    numbered.account = ["100000000000001"]
    shown = client_for(admin).post("/api/whatsapp/check", body, format="json").json()
    assert (shown["state"], shown["problem"]) == ("failed", "number_elsewhere")
    assert (shown["number"], shown["name"]) == ("", "")
    assert ["/phone_numbers" in call.path for call in numbered.calls] == [True]
    numbered.account = [NUMBER]
    shown = client_for(admin).post("/api/whatsapp/check", body, format="json").json()
    assert shown["problem"] != "number_elsewhere"
    assert len(numbered.calls) > 2


def test_a_number_that_was_never_shown_takes_no_files(
    client_for: ClientFor, admin: User, numbered: GraphServer, settings: Any
) -> None:
    settings.META_ACCESS_TOKEN = "do-operador"
    OperatorAccount.objects.create(company=admin.company, waba_id=ACCOUNT)
    numbered.account = ["100000000000001"]
    row = make(client_for(admin), accessToken="")
    assert row["reasonCode"] == "number_elsewhere"
    numbered.calls.clear()
    png = b"\x89PNG\r\n\x1a\n" + bytes(8)
    form = {
        "messaging_product": "whatsapp",
        "type": "image/png",
        "whatsappId": row["id"],
        "file": SimpleUploadedFile("foto.png", png, "image/png"),
    }
    answer = client_for(admin).post("/api/template/media", form, format="multipart")
    assert (answer.status_code, answer.json()["code"]) == (424, "ERR_TEMPLATES_UNAVAILABLE")
    assert numbered.calls == []


def test_company_1_needs_no_assignment(
    client_for: ClientFor, super_user: User, numbered: GraphServer, settings: Any
) -> None:
    settings.META_ACCESS_TOKEN = "do-operador"
    assert make(client_for(super_user), accessToken="")["status"] == "CONNECTED"


def test_the_super_user_assigns_and_withdraws_accounts(super_user: User, globex: Company) -> None:
    client = Client()
    client.force_login(super_user)
    add = "/admin/connections/operatoraccount/add/"
    body = {"company": globex.pk, "waba_id": ACCOUNT}
    assert client.post(add, body).status_code == 302
    account = OperatorAccount.objects.get()
    assert (account.company, account.waba_id) == (globex, ACCOUNT)
    delete = f"/admin/connections/operatoraccount/{account.pk}/delete/"
    assert client.post(delete, {"post": "yes"}).status_code == 302
    assert not OperatorAccount.objects.exists()
    actions = AuditEntry.objects.filter(company_id=globex.pk).order_by("pk")
    assert list(actions.values_list("action", "detail")) == [
        ("connection.account_assigned", {"waba_id": ACCOUNT}),
        ("connection.account_withdrawn", {"waba_id": ACCOUNT}),
    ]


@pytest.mark.parametrize("way", ["page", "list"])
def test_what_lived_on_a_withdrawn_account_goes_down_and_receives_nothing(
    super_user: User, acme: Company, settings: Any, emitted: list[Any], way: str
) -> None:
    settings.META_ACCESS_TOKEN = "do-operador"
    account = OperatorAccount.objects.create(company=acme, waba_id=ACCOUNT)
    lent = make_connection(acme, waba_id=ACCOUNT, phone_number_id=NUMBER, access_token="")
    own = make_connection(acme, waba_id=ACCOUNT, access_token="EAAG-segredo")
    other = make_connection(acme, waba_id="200000000000999", access_token="")
    OperatorAccount.objects.create(company=acme, waba_id=other.waba_id)
    assert receives(NUMBER) == lent.pk
    emitted.clear()
    client = Client()
    client.force_login(super_user)
    place = "/admin/connections/operatoraccount/"
    if way == "page":
        answer = client.post(f"{place}{account.pk}/delete/", {"post": "yes"})
    else:
        form = {"action": "delete_selected", "_selected_action": account.pk, "post": "yes"}
        answer = client.post(place, form)
    assert answer.status_code == 302
    lent.refresh_from_db()
    assert (lent.status, lent.reason_code, lent.verified_at) == (
        ConnectionStatus.DISCONNECTED,
        "token_missing",
        None,
    )
    assert lent.status_reason
    assert receives(NUMBER) is None
    assert sends() == {own.pk, other.pk}
    told = [(event, company) for event, _, company in emitted]
    assert told == [("whatsapp", acme.pk), ("whatsappSession", acme.pk)]
    entry = AuditEntry.objects.get(action="connection.account_withdrawn")
    assert (entry.company_id, entry.detail) == (acme.pk, {"waba_id": ACCOUNT})
