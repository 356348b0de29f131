import uuid
from datetime import timedelta
from typing import Any

import pytest
from django.core.files.storage import default_storage
from django.core.files.uploadedfile import SimpleUploadedFile
from django.utils import timezone

from apps.accounts.models import User
from apps.common.media import StoredMedia
from apps.companies.models import Company, CompanySetting
from apps.connections.models import Connection, ConnectionStatus
from apps.connections.providers.base import Capabilities
from apps.connections.providers.inbound import InboundStatus
from apps.queues.models import Queue
from apps.tickets.models import Ack, Delivery, Message, Ticket
from apps.tickets.services.messages import changes
from apps.tickets.services.outbox import media_of, outgoing
from apps.tickets.services.outbox.statuses import apply_statuses
from conftest import ClientFor
from tests.factories import make_message, make_ticket, make_user

PNG = b"\x89PNG\r\n\x1a\n" + b"0" * 20
Post = Any


@pytest.fixture
def post(client_for: ClientFor) -> Post:
    def send(user: User, ticket: Ticket, body: Any, form: str = "json") -> Any:
        return client_for(user).post(f"/api/messages/{ticket.pk}", body, format=form)

    return send


@pytest.fixture(autouse=True)
def _media(settings: Any, tmp_path: Any) -> None:
    settings.MEDIA_ROOT = tmp_path


def upload(name: str, content: bytes = PNG, mime: str = "image/png") -> SimpleUploadedFile:
    return SimpleUploadedFile(name, content, mime)


def test_a_text_is_a_row_at_once_and_a_delivery(
    post: Post, agent: User, ticket: Ticket, told: list[Any]
) -> None:
    before = ticket.updated_at
    response = post(
        agent,
        ticket,
        {"read": 1, "fromMe": True, "mediaUrl": "", "body": "*Bob:*\nOlá", "quotedMsg": None},
    )
    assert response.status_code == 201
    row = response.json()
    assert (row["body"], row["ack"], row["fromMe"]) == ("*Bob:*\nOlá", 0, True)
    assert (row["source"], row["userName"], row["mediaType"]) == ("agent", "Bob", "conversation")
    delivery = Delivery.objects.get()
    assert (delivery.message_id, delivery.state, delivery.kind) == (row["id"], "waiting", "send")
    assert delivery.contact_id == ticket.contact_id
    ticket.refresh_from_db()
    assert (ticket.last_message, ticket.latest_message_id) == ("*Bob:*\nOlá", row["id"])
    assert ticket.updated_at > before
    assert [(each.event, each.payload["action"]) for each in told] == [("appMessage", "create")]
    assert told[0].payload["message"]["id"] == row["id"]


def test_writing_resets_unread_for_the_holder_alone(
    post: Post, agent: User, admin: User, ticket: Ticket
) -> None:
    received = make_message(ticket)
    Ticket.objects.update(unread_count=1)
    assert post(admin, ticket, {"body": "Oi"}).status_code == 201
    ticket.refresh_from_db()
    assert ticket.unread_count == 1
    post(agent, ticket, {"body": "Oi"})
    ticket.refresh_from_db()
    assert ticket.unread_count == 0
    assert Delivery.objects.get(kind="read").message_id == received.pk


@pytest.mark.parametrize("body", [{}, {"body": ""}, {"body": " \n\t "}, {"body": None}])
def test_a_blank_text_is_refused(
    post: Post, agent: User, ticket: Ticket, body: dict[str, Any]
) -> None:
    response = post(agent, ticket, body)
    assert (response.status_code, response.json()["message"]) == (400, "Escreva uma mensagem.")
    assert list(response.json()["fields"]) == ["body"]


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("body", "x" * 4097),
        ("body", {"a": 1}),
        ("body", "a\x00b"),
        ("quotedMsg", 5),
        ("quotedMsg", {"id": "x"}),
        ("clientId", "1"),
    ],
)
def test_a_malformed_message_is_refused_by_field(
    post: Post, agent: User, ticket: Ticket, field: str, value: Any
) -> None:
    response = post(agent, ticket, {"body": "Olá", field: value})
    assert response.status_code == 400
    assert [name.split(".")[0] for name in response.json()["fields"]] == [field]
    assert not Message.objects.exists()


def test_only_the_holder_or_an_admin_writes(
    post: Post, acme: Company, queue: Queue, admin: User, outsider: User, ticket: Ticket
) -> None:
    colleague = make_user(acme, queues=[queue])
    spy = make_user(acme)
    CompanySetting.objects.create(company=acme, key="allowToSpyMessage", value="enabled")
    assert post(colleague, ticket, {"body": "Oi"}).status_code == 403
    assert post(spy, ticket, {"body": "Oi"}).status_code == 403
    assert post(outsider, ticket, {"body": "Oi"}).status_code == 404
    assert post(admin, ticket, {"body": "Oi"}).status_code == 201


@pytest.mark.parametrize("status", ["pending", "closed"])
def test_only_an_open_ticket_is_written_on(
    post: Post, agent: User, admin: User, ticket: Ticket, status: str
) -> None:
    Ticket.objects.update(status=status, user=None if status == "pending" else agent)
    for user in (agent, admin):
        response = post(user, ticket, {"body": "Oi"})
        assert (response.status_code, response.json()["code"]) == (409, "ERR_TICKET_NOT_OPEN")


def test_outside_the_window_free_text_is_refused(post: Post, agent: User, ticket: Ticket) -> None:
    Ticket.objects.update(last_inbound_at=timezone.now() - timedelta(hours=24, seconds=1))
    response = post(agent, ticket, {"body": "Oi"})
    assert (response.status_code, response.json()["code"]) == (409, "ERR_OUTSIDE_24H_WINDOW")
    Ticket.objects.update(last_inbound_at=None)
    assert post(agent, ticket, {"body": "Oi"}).status_code == 409
    assert not Message.objects.exists()


def test_the_window_is_the_official_numbers_also_while_no_token_speaks_for_it(
    post: Post, agent: User, connection: Connection, ticket: Ticket
) -> None:
    Connection.objects.filter(pk=connection.pk).update(access_token="")
    Ticket.objects.update(last_inbound_at=timezone.now() - timedelta(hours=25))
    response = post(agent, ticket, {"body": "Oi"})
    assert (response.status_code, response.json()["code"]) == (409, "ERR_OUTSIDE_24H_WINDOW")


def test_the_window_is_the_contacts_on_the_connection(
    post: Post, acme: Company, agent: User, ticket: Ticket
) -> None:
    Ticket.objects.update(last_inbound_at=None)
    make_ticket(
        acme,
        contact=ticket.contact,
        connection=ticket.connection,
        status="closed",
        last_inbound_at=timezone.now() - timedelta(hours=23),
    )
    assert post(agent, ticket, {"body": "Oi"}).status_code == 201


def test_without_a_connection_it_says_so(post: Post, agent: User, ticket: Ticket) -> None:
    Ticket.objects.update(connection=None)
    response = post(agent, ticket, {"body": "Oi"})
    assert (response.status_code, response.json()["code"]) == (400, "ERR_NO_DEF_WAPP_FOUND")


def test_on_a_connection_that_is_down_it_waits(
    post: Post, agent: User, connection: Connection, ticket: Ticket
) -> None:
    Connection.objects.update(status=ConnectionStatus.DISCONNECTED)
    assert post(agent, ticket, {"body": "Oi"}).json()["ack"] == 0
    assert Delivery.objects.get().state == "waiting"


def test_an_answer_quotes_a_message_of_the_conversation(
    post: Post, acme: Company, agent: User, ticket: Ticket
) -> None:
    asked = make_message(ticket, body="Quanto custa?")
    row = post(agent, ticket, {"body": "10", "quotedMsg": {"id": asked.pk, "body": "x"}}).json()
    assert row["quotedMsg"]["body"] == "Quanto custa?"
    stranger = make_message(make_ticket(acme))
    elsewhere = make_ticket(acme, contact=ticket.contact, status="closed")
    for hidden in (stranger, make_message(elsewhere, body="segredo de outra fila")):
        response = post(agent, ticket, {"body": "10", "quotedMsg": {"id": hidden.pk}})
        assert response.status_code == 404


def test_the_browser_knows_its_message_again_by_its_own_id(
    post: Post, agent: User, ticket: Ticket, told: list[Any]
) -> None:
    client_id = str(uuid.uuid4())
    row = post(agent, ticket, {"body": "Olá", "clientId": client_id}).json()
    assert row["clientId"] == client_id
    assert str(told[0].payload["message"]["clientId"]) == client_id
    answer = post(agent, ticket, {"body": "Tudo bem?", "quotedMsg": {"id": row["id"]}}).json()
    assert (answer["clientId"], answer["quotedMsg"]["clientId"]) == (None, client_id)


def test_a_resubmission_answers_the_stored_row(
    post: Post, acme: Company, agent: User, admin: User, ticket: Ticket
) -> None:
    body = {"body": "Olá", "clientId": str(uuid.uuid4())}
    first, second = post(agent, ticket, body), post(agent, ticket, body)
    assert first.json()["id"] == second.json()["id"]
    assert Delivery.objects.count() == 1
    response = post(admin, ticket, body)
    assert (response.status_code, response.json()["code"]) == (409, "ERR_DUPLICATED_MESSAGE")


def test_another_companys_client_id_is_refused(
    post: Post, globex: Company, outsider: User, agent: User, ticket: Ticket
) -> None:
    body = {"body": "Olá", "clientId": str(uuid.uuid4())}
    post(agent, ticket, body)
    foreign = make_ticket(globex, user=outsider, status="open", last_inbound_at=timezone.now())
    assert post(outsider, foreign, body).status_code == 409
    assert Message.objects.count() == 1


def test_files_go_with_their_captions(post: Post, agent: User, ticket: Ticket) -> None:
    files = [upload("foto.png"), upload("conta.pdf", b"%PDF-1.4 ...", "application/pdf")]
    response = post(agent, ticket, {"medias": files, "body": "Segue"}, form="multipart")
    assert response.status_code == 201
    photo, bill = response.json()["messages"]
    assert (photo["mediaType"], photo["body"], photo["mediaState"]) == ("image", "Segue", "ready")
    assert (bill["mediaType"], bill["body"]) == ("application", "conta.pdf")
    assert (bill["mediaName"], bill["mediaMime"]) == ("conta.pdf", "application/pdf")
    assert photo["mediaUrl"].startswith("http")
    assert photo["mediaSize"] == len(PNG)
    assert Delivery.objects.count() == 2
    ticket.refresh_from_db()
    assert ticket.last_message == "conta.pdf"
    stored = Message.objects.get(pk=photo["id"]).media_path
    assert default_storage.open(stored).read() == PNG
    assert stored.startswith(f"{ticket.company_id}/")


def test_older_browsers_repeat_the_body_for_each_file(
    post: Post, agent: User, ticket: Ticket
) -> None:
    form = {"medias": [upload("a.png"), upload("b.png")], "body": ["a.png", "Outra"], "fromMe": "1"}
    rows = post(agent, ticket, form, form="multipart").json()["messages"]
    assert [row["body"] for row in rows] == ["a.png", "Outra"]


@pytest.mark.parametrize(
    ("name", "mime", "content"),
    [
        ("musica.mp3", "audio/mpeg", b"ID3" + b"0" * 40),
        ("figura.webp", "image/webp", b"RIFF0000WEBP" + b"0" * 40),
    ],
)
def test_words_beside_a_sound_or_a_sticker_go_before_it(
    post: Post, agent: User, ticket: Ticket, name: str, mime: str, content: bytes
) -> None:
    asked = make_message(ticket)
    form = {
        "medias": [upload(name, content, mime)],
        "body": "Ouça isto",
        "quotedMsg": f'{{"id": {asked.pk}}}',
        "clientId": str(uuid.uuid4()),
    }
    words, file = post(agent, ticket, form, form="multipart").json()["messages"]
    assert (words["body"], words["mediaType"]) == ("Ouça isto", "conversation")
    assert (words["quotedMsgId"], file["quotedMsgId"]) == (asked.pk, None)
    assert (file["body"], file["clientId"]) == (name, form["clientId"])
    kinds = Delivery.objects.order_by("pk").values_list("message_id", flat=True)
    assert list(kinds) == [words["id"], file["id"]]
    # The same again, and the file's name as older browsers give it.
    form["medias"] = [upload(name, content, mime)]
    assert [each["id"] for each in post(agent, ticket, form, form="multipart").json()["messages"]]
    assert Message.objects.filter(from_me=True).count() == 2
    named = {"medias": [upload(name, content, mime)], "body": name}
    assert len(post(agent, ticket, named, form="multipart").json()["messages"]) == 1


def test_a_form_without_files_is_a_text(post: Post, agent: User, ticket: Ticket) -> None:
    asked = make_message(ticket)
    form = {"body": "Olá", "quotedMsg": f'{{"id": {asked.pk}}}'}
    row = post(agent, ticket, form, form="multipart").json()
    assert (row["body"], row["quotedMsgId"]) == ("Olá", asked.pk)
    broken = post(agent, ticket, {"body": "Olá", "quotedMsg": "{"}, form="multipart")
    assert broken.status_code == 400
    assert [name.split(".")[0] for name in broken.json()["fields"]] == ["quotedMsg"]


@pytest.mark.parametrize(
    ("bad", "status", "code"),
    [
        (upload("virus.exe", b"MZ", "application/x-msdownload"), 415, "ERR_MEDIA_TYPE"),
        (upload("foto.png", b"not a picture"), 415, "ERR_MEDIA_TYPE"),
        (upload("vazio.png", b""), 415, "ERR_MEDIA_TYPE"),
        (upload("foto.png", PNG + b"0" * 5 * 1024 * 1024), 413, "ERR_MEDIA_TOO_LARGE"),
    ],
)
def test_one_bad_file_keeps_all_of_them_out(
    post: Post,
    agent: User,
    ticket: Ticket,
    bad: SimpleUploadedFile,
    status: int,
    code: str,
    tmp_path: Any,
) -> None:
    bad.seek(0)
    form = {"medias": [upload("boa.png"), bad]}
    response = post(agent, ticket, form, form="multipart")
    assert (response.status_code, response.json()["code"]) == (status, code)
    assert not Message.objects.exists()
    assert not [path for path in tmp_path.rglob("*") if path.is_file()]


def test_a_refused_send_leaves_no_file_behind(
    post: Post, agent: User, ticket: Ticket, tmp_path: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*args: Any, **kwargs: Any) -> None:
        raise outgoing.DuplicateClientId

    monkeypatch.setattr(outgoing, "write_message", fail)
    response = post(agent, ticket, {"medias": [upload("a.png")]}, form="multipart")
    assert response.status_code == 409
    assert not [path for path in tmp_path.rglob("*") if path.is_file()]


def test_files_sent_again_are_the_stored_ones(post: Post, agent: User, ticket: Ticket) -> None:
    def form() -> dict[str, Any]:
        return {"medias": [upload("a.png"), upload("b.png")], "clientId": key}

    key = str(uuid.uuid4())
    first = post(agent, ticket, form(), form="multipart").json()["messages"]
    second = post(agent, ticket, form(), form="multipart").json()["messages"]
    assert [row["id"] for row in first] == [row["id"] for row in second]
    assert Message.objects.count() == Delivery.objects.count() == 2


@pytest.mark.parametrize(
    ("mime", "size", "kind"),
    [
        ("image/jpeg", 10, "image"),
        ("image/webp", 10, "sticker"),
        ("image/webp", 600_000, "application"),
        ("image/gif", 10, "application"),
        ("video/mp4", 10, "video"),
        ("video/quicktime", 10, "application"),
        ("audio/webm", 10, "audio"),
        ("text/plain", 10, "application"),
    ],
)
def test_a_file_goes_as_whatsapp_takes_it(mime: str, size: int, kind: str) -> None:
    assert media_of(StoredMedia(path="1/a", name="a", mime=mime, size=size)).media_type == kind


@pytest.mark.parametrize(
    ("name", "mime", "voice"),
    [
        ("musica.mp3", "audio/mpeg", False),
        ("audio-record-site-1.mp3", "audio/mpeg", True),
        ("foto.png", "image/png", False),
    ],
)
def test_recordings_go_as_voice_notes(name: str, mime: str, voice: bool) -> None:
    file = StoredMedia(path="1/a", name=name, mime=mime, size=1)
    assert media_of(file).is_voice is voice


def test_a_clients_own_greeting_right_after_the_servers_is_dropped(
    client_for: ClientFor, post: Post, acme: Company, agent: User, ticket: Ticket
) -> None:
    CompanySetting.objects.create(company=acme, key="sendGreetingAccepted", value="enabled")
    Ticket.objects.update(status="pending", user=None)
    client_for(agent).put(
        f"/api/tickets/{ticket.pk}", {"status": "open", "userId": agent.pk}, format="json"
    )
    body = {"body": "*Mensagem Automática:*\nBom dia, meu nome é Bob."}
    assert post(agent, ticket, body).json()["id"] == Message.objects.get().pk
    Message.objects.update(created_at=timezone.now() - timedelta(seconds=11))
    post(agent, ticket, body)
    assert Message.objects.count() == 2


def failed_message(ticket: Ticket, agent: User) -> Message:
    return make_message(
        ticket,
        from_me=True,
        user=agent,
        ack=-1,
        error_code="131026",
        error_reason="Número sem WhatsApp.",
        external_id="wamid.failed",
    )


def test_a_failed_message_is_sent_again_as_the_same_row(
    client_for: ClientFor, agent: User, ticket: Ticket, told: list[Any]
) -> None:
    message = failed_message(ticket, agent)
    Delivery.objects.create(
        company=ticket.company,
        connection_id=ticket.connection_id or 0,
        contact=ticket.contact,
        message=message,
        state="failed",
        payload={"voice": True},
    )
    path = f"/api/messages/{message.pk}/resend"
    row = client_for(agent).post(path).json()
    assert (row["id"], row["ack"], row["errorCode"], row["wid"]) == (message.pk, 0, "", None)
    again = Delivery.objects.get(state="waiting")
    assert (again.message_id, again.payload) == (message.pk, {"voice": True})
    assert [(each.event, each.payload["action"]) for each in told] == [("appMessage", "update")]
    refused = client_for(agent).post(path)
    assert (refused.status_code, refused.json()["code"]) == (409, "ERR_MESSAGE_NOT_FAILED")
    assert Delivery.objects.filter(state="waiting").count() == 1


def test_a_late_word_on_the_failed_attempt_does_not_fail_the_new_one(
    client_for: ClientFor, agent: User, ticket: Ticket
) -> None:
    message = failed_message(ticket, agent)
    client_for(agent).post(f"/api/messages/{message.pk}/resend")
    late = InboundStatus("wamid.first", Ack.ERROR, str(message.callback_id), error="Recusada.")
    assert ticket.connection is not None
    reported = (ticket.connection, late)
    assert apply_statuses([reported]) == ([], [reported])
    message.refresh_from_db()
    assert (message.ack, message.external_id) == (Ack.PENDING, None)


def test_a_resubmission_of_what_was_sent_again_is_still_the_stored_row(
    post: Post, client_for: ClientFor, agent: User, ticket: Ticket
) -> None:
    body = {"body": "Olá", "clientId": str(uuid.uuid4())}
    message_id = post(agent, ticket, body).json()["id"]
    Message.objects.update(ack=Ack.ERROR)
    client_for(agent).post(f"/api/messages/{message_id}/resend")
    assert post(agent, ticket, body).json()["id"] == message_id
    assert Message.objects.count() == 1


def test_only_who_may_write_sends_again(
    client_for: ClientFor,
    acme: Company,
    queue: Queue,
    agent: User,
    outsider: User,
    ticket: Ticket,
) -> None:
    path = f"/api/messages/{failed_message(ticket, agent).pk}/resend"
    assert client_for(make_user(acme, queues=[queue])).post(path).status_code == 403
    assert client_for(outsider).post(path).status_code == 404
    Ticket.objects.update(last_inbound_at=None)
    assert client_for(agent).post(path).json()["code"] == "ERR_OUTSIDE_24H_WINDOW"


def test_the_official_provider_can_not_take_a_message_back(
    client_for: ClientFor, agent: User, outsider: User, ticket: Ticket
) -> None:
    message = make_message(ticket, from_me=True, user=agent)
    path = f"/api/messages/{message.pk}"
    response = client_for(agent).delete(path)
    assert response.status_code == 400
    assert response.json()["code"] == response.json()["error"] == "ERR_DELETE_WAPP_MSG"
    assert "API oficial" in response.json()["message"]
    assert client_for(outsider).delete(path).status_code == 404
    received = make_message(ticket)
    assert client_for(agent).delete(f"/api/messages/{received.pk}").status_code == 400
    assert client_for(agent).delete("/api/messages/99999999999999999999").status_code == 404


def test_where_the_provider_can_a_message_is_marked_and_revoked(
    client_for: ClientFor,
    acme: Company,
    queue: Queue,
    agent: User,
    ticket: Ticket,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    can = Capabilities(
        edit=True,
        delete=True,
        react=True,
        native_menus=False,
        templates=False,
        session_window=False,
    )
    monkeypatch.setattr(changes, "capabilities_of_kind", lambda kind: can)
    message = make_message(ticket, from_me=True, user=agent)
    path = f"/api/messages/{message.pk}"
    assert client_for(make_user(acme, queues=[queue])).delete(path).status_code == 403
    assert client_for(agent).delete(path).json()["isDeleted"] is True
    assert Delivery.objects.get().kind == "delete"
    client_for(agent).delete(path)
    assert Delivery.objects.count() == 1
