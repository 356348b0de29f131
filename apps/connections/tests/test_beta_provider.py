"""Commands to the gateway: what goes there, and what its faults mean for a send."""

from collections.abc import Callable, Iterator
from typing import Any

import pytest

from apps.common.encryption import encrypt
from apps.companies.models import Company
from apps.connections import services
from apps.connections.models import Connection, QrAddress, QrSession
from apps.connections.providers.base import Provider, ProviderError
from apps.connections.providers.beta import client
from apps.connections.providers.beta.provider import message_id_of
from apps.connections.providers.content import (
    CardPhone,
    Choice,
    ContactCard,
    KnownNumber,
    Location,
    MediaContent,
    Menu,
    MessageKey,
    SendContext,
    TemplateSend,
)
from tests.gateway import SECRET, Gateway, Said, call, make_qr_connection, running_gateway

pytestmark = pytest.mark.django_db
TO = SendContext(to="5511999990000", callback_id="0b5a")
ID = message_id_of("0b5a")
THEIRS = MessageKey("ABC", chat="5511999990000", body="Oi", media_type="conversation")


@pytest.fixture
def gateway(settings: Any) -> Iterator[Gateway]:
    settings.GATEWAY_SECRET = SECRET
    with running_gateway() as gateway:
        yield gateway


@pytest.fixture
def qr(acme: Company, gateway: Gateway) -> Connection:
    connection = make_qr_connection(acme)
    gateway.own(connection)
    return connection


@pytest.fixture
def provider(qr: Connection) -> Provider:
    return services.provider_for(qr)


def test_a_message_of_a_row_always_has_the_same_id() -> None:
    assert message_id_of("0b5a") == ID
    assert len(ID) == 22 and ID.startswith("3EB0") and ID.upper() == ID
    assert message_id_of("0b5b") != ID


Sends = Callable[[Provider], Any]
SENDS: list[tuple[str, Sends, dict[str, Any]]] = [
    ("text", lambda each: each.send_text(TO, "Oi"), {"body": "Oi"}),
    (
        "location",
        lambda each: each.send_location(TO, Location(-23.5, -46.6, "Loja")),
        {"latitude": -23.5, "longitude": -46.6, "name": "Loja", "address": ""},
    ),
    (
        "contact",
        lambda each: each.send_contact(TO, (ContactCard("Ana", (CardPhone("+55 11"),)),)),
        {"cards": [{"name": "Ana", "phones": [{"phone": "+55 11", "wa_id": "", "type": "CELL"}]}]},
    ),
    (
        "text",
        lambda each: each.send_menu(
            TO, Menu("Escolha", (Choice("1", "Vendas"), Choice("2", "Suporte", "Ajuda")))
        ),
        {"body": "Escolha\n\n*1* - Vendas\n*2* - Suporte: Ajuda"},
    ),
    (
        "react",
        lambda each: each.react(TO, THEIRS, "👍"),
        {"message": {"chat": TO.to, "id": "ABC", "fromMe": False}, "emoji": "👍"},
    ),
]


@pytest.mark.parametrize(("name", "send", "body"), SENDS)
def test_what_is_sent_goes_to_the_owner_under_our_id(
    qr: Connection, provider: Provider, gateway: Gateway, name: str, send: Sends, body: Any
) -> None:
    assert send(provider).external_id == ID
    (command,) = gateway.commands
    assert (command.session, command.name) == (qr.pk, name)
    assert command.body == {"epoch": 1, "to": TO.to, "id": ID, **body}


def test_a_reply_names_what_it_answers(provider: Provider, gateway: Gateway) -> None:
    context = SendContext(to=TO.to, callback_id="0b5a", quoted=THEIRS)
    provider.send_text(context, "Oi")
    assert gateway.commands[0].body["replyTo"] == {
        "chat": TO.to,
        "id": "ABC",
        "fromMe": False,
        "body": "Oi",
        "type": "conversation",
    }


def test_changes_name_the_message(provider: Provider, gateway: Gateway) -> None:
    ours = MessageKey("A1", chat="1@g.us", from_me=True)
    theirs = MessageKey("A2", chat="1@g.us", participant="5511")
    provider.edit(TO, ours, "novo")
    provider.delete(TO, ours)
    provider.mark_read(theirs)
    provider.reject_call(MessageKey("C1", chat="5511"))
    key = {"chat": "1@g.us", "id": "A1", "fromMe": True}
    other = {"chat": "1@g.us", "id": "A2", "fromMe": False, "participant": "5511"}
    assert [(each.name, each.body) for each in gateway.commands] == [
        ("edit", {"epoch": 1, "to": TO.to, "id": ID, "message": key, "body": "novo"}),
        ("delete", {"epoch": 1, "to": TO.to, "id": ID, "message": key}),
        ("read", {"epoch": 1, "messages": [other]}),
        ("reject-call", {"epoch": 1, "callId": "C1", "from": "5511"}),
    ]


def test_a_file_is_fetched_by_the_gateway(
    qr: Connection, provider: Provider, gateway: Gateway, settings: Any, tmp_path: Any
) -> None:
    settings.MEDIA_ROOT = tmp_path
    folder = tmp_path / str(qr.company_id)
    folder.mkdir()
    (folder / "a.pdf").write_bytes(b"%PDF-1")
    path = f"{qr.company_id}/a.pdf"
    media = MediaContent("document", b"", "application/pdf", "a.pdf", "Veja", path=path)
    provider.send_media(TO, media)
    (command,) = gateway.commands
    url = command.body.pop("url")
    assert command.body == {
        "epoch": 1,
        "to": TO.to,
        "id": ID,
        "kind": "document",
        "mime": "application/pdf",
        "name": "a.pdf",
        "caption": "Veja",
        "isVoice": False,
    }
    place = url.removeprefix("/internal/gateway/")
    answer = call(place, b"", method="GET")
    assert (b"".join(answer.streaming_content), answer["Content-Type"]) == (
        b"%PDF-1",
        "application/pdf",
    )
    assert call(place, b"", method="GET", secret="wrong").status_code == 401
    forged = call(place[:-1] + ("A" if place[-1] != "A" else "B"), b"", method="GET")
    assert (forged.status_code, forged.json()["code"]) == (404, "ERR_NOT_FOUND")


def test_no_file_of_another_company_is_lent(provider: Provider, globex: Company) -> None:
    media = MediaContent("image", b"", "image/png", path=f"{globex.pk}/a.png")
    with pytest.raises(ProviderError) as caught:
        provider.send_media(TO, media)
    assert caught.value.permanent


def raised(act: Callable[[], Any]) -> ProviderError:
    with pytest.raises(ProviderError) as caught:
        act()
    return caught.value


@pytest.mark.parametrize(
    ("status", "code", "reason"),
    [
        (409, "ERR_STALE_EPOCH", "session_not_open"),
        (410, "ERR_SESSION_GONE", "session_not_open"),
        (503, "ERR_SESSION_NOT_OPEN", "session_not_open"),
        (401, "ERR_GATEWAY_SIGNATURE", "gateway_gone"),
        (500, "ERR_ANY", "whatsapp_refused"),
    ],
)
def test_a_fault_that_passes_lets_the_message_wait(
    provider: Provider, gateway: Gateway, status: int, code: str, reason: str
) -> None:
    gateway.refuse("text", code, status)
    error = raised(lambda: provider.send_text(TO, "Oi"))
    assert (error.code, error.reason.code) == (code, reason)
    assert not (error.permanent or error.outcome_unknown or error.needs_reconnect)


def test_what_whatsapp_refuses_for_good_is_said(provider: Provider, gateway: Gateway) -> None:
    gateway.refuse("text", "ERR_WHATSAPP", permanent=True, retryAfter=7)
    error = raised(lambda: provider.send_text(TO, "Oi"))
    assert (error.permanent, error.message, error.reason.detail) == (
        True,
        "O WhatsApp recusou: Não.",
        "Não.",
    )


@pytest.mark.parametrize("said", [Said(drops=True), Said(hangs=True), Said(b"x"), Said([])])
def test_a_lost_answer_is_safe_to_repeat(
    provider: Provider, gateway: Gateway, monkeypatch: pytest.MonkeyPatch, said: Said
) -> None:
    gateway.answers["text"] = lambda body: said
    send = client.GatewayClient.command
    monkeypatch.setattr(
        client.GatewayClient,
        "command",
        lambda self, name, body: send(self, name, body, read_seconds=0.3),
    )
    error = raised(lambda: provider.send_text(TO, "Oi"))
    assert not (error.permanent or error.outcome_unknown)
    del gateway.answers["text"]
    provider.send_text(TO, "Oi")
    assert [each.body["id"] for each in gateway.commands] == [ID, ID]


def test_without_an_owner_nothing_is_lost(qr: Connection) -> None:
    QrSession.objects.update(gateway="", expires_at=None)
    error = raised(lambda: services.provider_for(qr))
    assert error.reason.code == "gateway_gone" and error.retry_after
    assert not error.permanent


def test_templates_are_refused(provider: Provider) -> None:
    assert raised(lambda: provider.send_template(TO, TemplateSend("a", "pt_BR"))).permanent


def test_a_received_file_is_streamed(provider: Provider, gateway: Gateway) -> None:
    gateway.answers["download"] = lambda body: Said(
        b"\x89PNG", content_type="image/png", name="foto%20da%20loja.png"
    )
    media = provider.download_media(encrypt('{"mediaKey": "k"}'))
    assert media.file is not None
    with media.file as file:
        assert (file.read(), media.size) == (b"\x89PNG", 4)
    assert (media.mime, media.name) == ("image/png", "foto da loja.png")
    assert gateway.commands[0].body["reference"] == {"mediaKey": "k"}
    gateway.refuse("download", "ERR_MEDIA_GONE", 404)
    assert raised(lambda: provider.download_media(encrypt('{"a": 1}'))).permanent
    assert raised(lambda: provider.download_media("not ours")).permanent


def test_too_large_a_file_is_not_kept(
    provider: Provider, gateway: Gateway, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(client, "DOWNLOAD_BYTES", 3)
    gateway.answers["download"] = lambda body: Said(b"four")
    error = raised(lambda: provider.download_media(encrypt('{"a": 1}')))
    assert (error.code, error.permanent) == ("too_large", True)


def test_numbers_are_checked(provider: Provider, gateway: Gateway) -> None:
    gateway.answers["check"] = lambda body: Said(
        {"numbers": [{"number": number, "exists": number != "5511"} for number in body["numbers"]]}
    )
    assert provider.check_numbers(["5511", "5522"]) == {"5511": None, "5522": KnownNumber("5522")}


@pytest.mark.parametrize(
    ("jid", "number"),
    [
        ("551199990000@s.whatsapp.net", "551199990000"),
        ("551199990000:3@s.whatsapp.net", "551199990000"),
        ("123@lid", "5511999990000"),
        ("", "5511999990000"),
        (None, "5511999990000"),
    ],
)
def test_a_number_is_called_as_whatsapp_calls_it(
    provider: Provider, gateway: Gateway, jid: str | None, number: str
) -> None:
    told = {"number": "5511999990000", "exists": True, "jid": jid, "lid": "77@lid"}
    gateway.answers["check"] = lambda body: Said({"numbers": [told]})
    known = provider.check_numbers(["5511999990000"])
    assert known == {"5511999990000": KnownNumber(number, "77@lid")}


@pytest.mark.parametrize("code", sorted(client.FAULTS))
def test_a_fault_of_the_gateway_has_a_sentence_and_a_reason(
    provider: Provider, gateway: Gateway, code: str
) -> None:
    gateway.refuse("text", code, 422)
    error = raised(lambda: provider.send_text(TO, "Oi"))
    sentence, reason = client.FAULTS[code]
    assert (error.message, error.reason.code, error.code) == (sentence, reason, code)
    assert error.permanent == (code in client.PERMANENT)


def test_the_address_book_is_what_the_session_told(qr: Connection, provider: Provider) -> None:
    session = QrSession.objects.get()
    for key, is_saved in (("5511", True), ("5522", False)):
        QrAddress.objects.create(
            session=session, key=key, number=key, name="Ana", is_saved=is_saved
        )
    assert [(each.number, each.name) for each in provider.list_contacts()] == [("5511", "Ana")]
