import threading
from datetime import timedelta
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import connection as database
from django.utils import timezone
from rest_framework.test import APIClient

from apps.accounts.models import User
from apps.companies.models import Company
from apps.connections.models import Connection
from apps.connections.services.tokens import hash_token
from apps.contacts.models import Contact
from apps.tickets.models import ApiSend, Delivery, Message, Ticket, TicketActivity
from apps.tickets.tests.conftest import Emitted
from tests.factories import make_contact, make_ticket

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("emitted")]

TOKEN = "t" * 43
PNG = b"\x89PNG\r\n\x1a\n" + b"\x00" * 32


@pytest.fixture
def api_connection(connection: Connection) -> Connection:
    """A QR session of acme's with a token: it knows no window of 24 hours."""
    Connection.objects.filter(pk=connection.pk).update(
        token_hash=hash_token(TOKEN), provider="beta"
    )
    connection.refresh_from_db()
    return connection


@pytest.fixture
def official(api_connection: Connection) -> Connection:
    Connection.objects.filter(pk=api_connection.pk).update(provider="official")
    api_connection.refresh_from_db()
    return api_connection


def _post(
    data: Any, *, token: str = TOKEN, path: str = "/api/messages/send", **headers: Any
) -> Any:
    client: Any = APIClient()
    kind = "multipart" if any(key.startswith("medias") for key in data) else "json"
    given = {"HTTP_AUTHORIZATION": f"Bearer {token}"} if token else {}
    return client.post(path, data, format=kind, **{**given, **headers})


def _file(name: str = "foto.png", content: bytes = PNG, mime: str = "image/png") -> Any:
    return SimpleUploadedFile(name, content, content_type=mime)


def test_a_text_goes_to_a_new_contact_and_waits_in_nobodys_list(
    api_connection: Connection, emitted: Emitted
) -> None:
    answer = _post({"number": "5511987654321", "body": "Olá!"})
    assert answer.status_code == 200
    message, ticket, contact = Message.objects.get(), Ticket.objects.get(), Contact.objects.get()
    assert answer.json() == {
        "messageId": message.pk,
        "messageIds": [message.pk],
        "ticketId": ticket.pk,
        "contactId": contact.pk,
    }
    assert (contact.number, contact.name) == ("5511987654321", "5511987654321")
    assert (ticket.status, ticket.user) == ("closed", None)
    assert (message.body, message.source, message.ack) == ("Olá!", "api", 0)
    assert (message.user, message.from_me) == (None, True)
    assert Delivery.objects.get().message == message
    assert any(payload.get("action") == "create" for _, payload in emitted)


@pytest.mark.parametrize(
    "headers",
    [
        {"HTTP_AUTHORIZATION": f"Bearer {TOKEN}"},
        {"HTTP_AUTHORIZATION": f"bearer  {TOKEN} "},
        {"HTTP_TOKEN": TOKEN},
    ],
)
@pytest.mark.parametrize(
    "path", ["/api/messages/send", "/api/messages/send/", "/api/api/messages/send"]
)
def test_the_token_comes_in_either_header_at_either_address(
    api_connection: Connection, headers: dict[str, str], path: str
) -> None:
    answer = _post({"number": 5511987654321, "body": "Oi"}, token="", path=path, **headers)
    assert answer.status_code == 200


@pytest.mark.parametrize("token", ["", "x" * 43, "é", TOKEN.upper()])
def test_without_a_valid_token_nothing_is_said_or_sent(
    api_connection: Connection, token: str
) -> None:
    answer = _post({"number": "5511987654321", "body": "Oi"}, token=token)
    assert (answer.status_code, answer.json()["code"]) == (401, "ERR_INVALID_TOKEN")
    assert not Message.objects.exists()


def test_a_users_session_is_no_token(api_connection: Connection, agent: User) -> None:
    client = APIClient()
    client.force_login(agent)
    answer = client.post("/api/messages/send", {"number": "5511987654321", "body": "Oi"}, "json")
    assert answer.status_code == 401


def test_guessing_tokens_is_bounded_and_stops_no_good_one(api_connection: Connection) -> None:
    codes = [
        _post({"number": "1", "body": "x"}, token=f"guess-{place}").status_code
        for place in range(51)
    ]
    assert codes == [401] * 50 + [429]
    assert _post({"number": "5511987654321", "body": "Oi"}).status_code == 200


@pytest.mark.parametrize("status", ["pending", "open"])
def test_it_lands_in_the_conversation_and_changes_nothing_about_it(
    api_connection: Connection, acme: Company, agent: User, status: str
) -> None:
    ticket = make_ticket(
        acme,
        connection=api_connection,
        status=status,
        user=agent if status == "open" else None,
        chatbot=status == "pending",
        unread_count=3,
    )
    make_ticket(acme, connection=api_connection, contact=ticket.contact, status="closed")
    answer = _post({"number": ticket.contact.number, "body": "Seu pedido saiu."})
    assert answer.json()["ticketId"] == ticket.pk
    after = Ticket.objects.get(pk=ticket.pk)
    assert (after.status, after.user, after.chatbot) == (status, ticket.user, ticket.chatbot)
    assert (after.unread_count, after.last_message) == (3, "Seu pedido saiu.")
    assert not TicketActivity.objects.exists()


def test_the_newest_closed_ticket_takes_it_and_stays_closed(
    api_connection: Connection, acme: Company
) -> None:
    contact = make_contact(acme)
    make_ticket(acme, connection=api_connection, contact=contact, status="closed")
    newest = make_ticket(acme, connection=api_connection, contact=contact, status="closed")
    answer = _post({"number": contact.number, "body": "Oi"})
    assert answer.json()["ticketId"] == newest.pk
    newest.refresh_from_db()
    assert newest.status == "closed"


def test_a_number_with_and_without_the_ninth_digit_is_one_contact(
    api_connection: Connection, acme: Company
) -> None:
    contact = make_contact(acme, number="5511987654321", name="Ana")
    answer = _post({"number": "+55 (11) 8765-4321", "body": "Oi"})
    assert answer.json()["contactId"] == contact.pk
    contact.refresh_from_db()
    # WhatsApp says what it calls somebody, and not who writes to them.
    assert (contact.name, contact.number) == ("Ana", "5511987654321")


@pytest.mark.parametrize(
    ("names", "number"),
    [
        (["123456789012345@lid", "123456789012345:7@lid"], "123456789012345@lid"),
        (
            ["BR.A1B2C3D4E5F6G7H8", "BR.A1B2C3D4E5F6G7H8@lid", " BR.A1B2C3D4E5F6G7H8 "],
            "BR.A1B2C3D4E5F6G7H8@lid",
        ),
        ([f"BR.ENT.{'7' * 128}", f"BR.ENT.{'7' * 128}@lid"], f"BR.ENT.{'7' * 128}@lid"),
    ],
)
def test_who_has_no_number_is_written_to_by_lid_or_user_id(
    api_connection: Connection, acme: Company, names: list[str], number: str
) -> None:
    lid = number.removesuffix("@lid")
    contact = make_contact(acme, number=number, canonical_number=f"lid:{lid}", lid=lid)
    for name in names:
        answer = _post({"number": name, "body": "Oi"}, HTTP_IDEMPOTENCY_KEY="k")
        assert (answer.status_code, answer.json()["contactId"]) == (200, contact.pk)
    message = Message.objects.get()  # one key, and one person by all the names
    assert (message.contact, message.remote_jid) == (contact, number)


def test_who_has_a_number_by_now_is_still_known_by_the_user_id(
    api_connection: Connection, acme: Company
) -> None:
    contact = make_contact(acme, number="5511987654321", user_id="BR.1349")
    answer = _post({"number": "BR.1349@lid", "body": "Oi"})
    assert answer.json()["contactId"] == contact.pk
    assert Contact.objects.get().number == "5511987654321"


def test_a_user_id_that_nobody_has_here_makes_a_contact_of_that_name(
    api_connection: Connection,
) -> None:
    assert _post({"number": "BR.A1B2C3D4E5F6G7H8", "body": "Oi"}).status_code == 200
    contact = Contact.objects.get()
    assert (contact.number, contact.canonical_number, contact.user_id) == (
        *("BR.A1B2C3D4E5F6G7H8@lid", "lid:BR.A1B2C3D4E5F6G7H8"),
        "BR.A1B2C3D4E5F6G7H8",
    )


@pytest.mark.parametrize(
    "number",
    ["5511987654321@s.whatsapp.net", "5511987654321:12@s.whatsapp.net", "5511987654321@c.us"],
)
def test_a_number_s_address_at_whatsapp_means_the_number(
    api_connection: Connection, number: str
) -> None:
    assert _post({"number": number, "body": "Oi"}).status_code == 200
    assert Contact.objects.get().number == "5511987654321"


@pytest.mark.parametrize(
    ("data", "field"),
    [
        ({"body": "Oi"}, "number"),
        ({"number": "", "body": "Oi"}, "number"),
        ({"number": "abc", "body": "Oi"}, "number"),
        ({"number": "123", "body": "Oi"}, "number"),
        ({"number": "9" * 30, "body": "Oi"}, "number"),
        ({"number": ["5511987654321"], "body": "Oi"}, "number"),
        # Digits among letters, and in another's address, are a stranger's number.
        ({"number": "br.A1B2C3D4E5F6G7H8", "body": "Oi"}, "number"),
        ({"number": "BR.A1B2C3D4-E5F6G7H8", "body": "Oi"}, "number"),
        ({"number": "maria5511987654321", "body": "Oi"}, "number"),
        ({"number": "5511987654321@example.com", "body": "Oi"}, "number"),
        ({"number": "maria5511987654321@s.whatsapp.net", "body": "Oi"}, "number"),
        ({"number": "123456789012@g.us", "body": "Oi"}, "number"),
        ({"number": "@lid", "body": "Oi"}, "number"),
        ({"number": f"{'9' * 141}@lid", "body": "Oi"}, "number"),
        ({"number": "5511987654321"}, "body"),
        ({"number": "5511987654321", "body": "  "}, "body"),
        ({"number": "5511987654321", "body": "a" * 4097}, "body"),
        ({"number": "5511987654321", "body": {"a": 1}}, "body"),
    ],
)
def test_wrong_input_is_refused_at_its_field(
    api_connection: Connection, data: dict[str, Any], field: str
) -> None:
    answer = _post(data)
    assert answer.status_code == 400
    assert field in answer.json()["fields"]
    assert not Message.objects.exists()
    assert not Contact.objects.exists()


def test_files_go_with_the_text_as_caption_of_the_first(api_connection: Connection) -> None:
    medias = [_file(), _file("b.pdf", b"%PDF-1.7", "application/pdf")]
    answer = _post({"number": "5511987654321", "body": "Segue", "medias": medias})
    assert answer.status_code == 200
    first, second = Message.objects.order_by("pk")
    assert (first.media_type, first.body, first.media_name) == ("image", "Segue", "foto.png")
    assert (second.media_type, second.body) == ("application", "b.pdf")
    assert answer.json()["messageIds"] == [first.pk, second.pk]


def test_files_go_without_text_and_under_the_older_name_of_the_field(
    api_connection: Connection,
) -> None:
    answer = _post({"number": "5511987654321", "medias[]": [_file()]})
    assert answer.status_code == 200
    assert Message.objects.get().body == "foto.png"


def test_a_text_too_long_for_a_caption_goes_before_the_first_file(
    api_connection: Connection,
) -> None:
    text = "x" * 1025
    answer = _post({"number": "5511987654321", "body": text, "medias": [_file(), _file("b.png")]})
    bodies = [each.body for each in Message.objects.order_by("pk")]
    assert bodies == [text, "foto.png", "b.png"]
    assert len(answer.json()["messageIds"]) == 3


def test_words_go_before_a_sound(api_connection: Connection) -> None:
    sound = _file("nota.ogg", b"OggS" + b"\x00" * 20, "audio/ogg")
    _post({"number": "5511987654321", "body": "Ouça", "medias": [sound]})
    assert [each.body for each in Message.objects.order_by("pk")] == ["Ouça", "nota.ogg"]


@pytest.mark.parametrize(
    ("file", "status", "code"),
    [
        (("a.exe", b"MZ", "application/x-msdownload"), 415, "ERR_MEDIA_TYPE"),
        (("a.png", b"no picture", "image/png"), 415, "ERR_MEDIA_TYPE"),
        (("a.png", PNG + b"\x00" * (5 * 1024 * 1024), "image/png"), 413, "ERR_MEDIA_TOO_LARGE"),
    ],
)
def test_one_bad_file_refuses_all(
    api_connection: Connection, file: tuple[str, bytes, str], status: int, code: str
) -> None:
    answer = _post({"number": "5511987654321", "medias": [_file(), _file(*file)]})
    assert (answer.status_code, answer.json()["code"]) == (status, code)
    assert not Message.objects.exists()


def test_the_same_key_and_content_is_answered_again_and_nothing_is_sent(
    api_connection: Connection,
) -> None:
    data = {"number": "5511987654321", "body": "Boleto"}
    first = _post(data, HTTP_IDEMPOTENCY_KEY="pedido-1")
    again = _post({**data, "number": "+55 11 98765-4321"}, HTTP_IDEMPOTENCY_KEY="pedido-1")
    assert (again.status_code, again.json()) == (200, first.json())
    assert Message.objects.count() == 1
    other = _post(data, HTTP_IDEMPOTENCY_KEY="pedido-2")
    assert other.json()["messageId"] != first.json()["messageId"]


def test_the_same_key_with_another_content_is_refused(api_connection: Connection) -> None:
    _post({"number": "5511987654321", "body": "Um"}, HTTP_IDEMPOTENCY_KEY="k")
    answer = _post({"number": "5511987654321", "body": "Dois"}, HTTP_IDEMPOTENCY_KEY="k")
    assert (answer.status_code, answer.json()["code"]) == (409, "ERR_IDEMPOTENCY_KEY_REUSED")
    assert Message.objects.count() == 1


def test_files_belong_to_the_content_of_a_key(api_connection: Connection) -> None:
    def send(content: bytes) -> Any:
        data = {"number": "5511987654321", "medias": [_file(content=content)]}
        return _post(data, HTTP_IDEMPOTENCY_KEY="k")

    first, again, other = send(PNG), send(PNG), send(PNG + b"\x01")
    assert again.json() == first.json()
    assert other.status_code == 409


def test_a_refused_submission_keeps_no_key(official: Connection, acme: Company) -> None:
    contact = make_contact(acme)
    data = {"number": contact.number, "body": "Oi"}
    assert _post(data, HTTP_IDEMPOTENCY_KEY="k").status_code == 409
    assert not ApiSend.objects.exists()
    make_ticket(acme, connection=official, contact=contact, last_inbound_at=timezone.now())
    assert _post(data, HTTP_IDEMPOTENCY_KEY="k").status_code == 200


@pytest.mark.parametrize("key", ["k" * 256, "a\x7fb"])
def test_a_key_that_can_not_be_kept_is_refused(api_connection: Connection, key: str) -> None:
    answer = _post({"number": "5511987654321", "body": "Oi"}, HTTP_IDEMPOTENCY_KEY=key)
    assert answer.status_code == 400
    assert "Idempotency-Key" in answer.json()["fields"]


def test_keys_are_a_connections_own(api_connection: Connection, acme: Company) -> None:
    from tests.factories import make_connection

    make_connection(acme, token_hash=hash_token("other"), provider="beta")
    data = {"number": "5511987654321", "body": "Oi"}
    first = _post(data, HTTP_IDEMPOTENCY_KEY="k")
    second = _post(data, token="other", HTTP_IDEMPOTENCY_KEY="k")
    assert first.json()["messageId"] != second.json()["messageId"]


def test_a_token_sends_so_much_in_a_minute(api_connection: Connection, settings: Any) -> None:
    settings.API_SENDS_PER_MINUTE = 2
    data = {"number": "5511987654321", "body": "Oi"}
    answers = [_post(data) for _ in range(4)]
    assert answers[-1].status_code == 429
    assert answers[-1].json()["code"] == "ERR_TOO_MANY_REQUESTS"
    assert 1 <= int(answers[-1].headers["Retry-After"]) <= 60
    # A minute may turn between two sends.
    assert 2 <= Message.objects.count() <= 3


def test_an_official_number_refuses_outside_the_window(official: Connection, acme: Company) -> None:
    ticket = make_ticket(
        acme, connection=official, last_inbound_at=timezone.now() - timedelta(hours=25)
    )
    answer = _post({"number": ticket.contact.number, "body": "Oi"})
    assert (answer.status_code, answer.json()["code"]) == (409, "ERR_OUTSIDE_24H_WINDOW")
    assert not Message.objects.exists()


def test_a_connection_that_is_down_takes_it_and_keeps_it_waiting(
    api_connection: Connection,
) -> None:
    Connection.objects.update(status="DISCONNECTED")
    assert _post({"number": "5511987654321", "body": "Oi"}).status_code == 200
    assert Delivery.objects.get().state == "waiting"


def test_plan_due_date_and_switch_of_the_company_are_obeyed(
    api_connection: Connection, acme: Company
) -> None:
    data = {"number": "5511987654321", "body": "Oi"}
    acme.plan.use_external_api = False
    acme.plan.save()
    answer = _post(data)
    assert (answer.status_code, answer.json()["code"]) == (403, "ERR_PLAN_FEATURE")
    acme.due_date = timezone.now().date() - timedelta(days=3)
    acme.save()
    answer = _post(data)
    assert (answer.status_code, answer.json()["code"]) == (402, "ERR_COMPANY_EXPIRED")
    acme.is_enabled = False
    acme.save()
    answer = _post(data)
    assert (answer.status_code, answer.json()["code"]) == (401, "ERR_COMPANY_DISABLED")
    assert not Message.objects.exists()


def test_a_contact_of_another_company_stays_theirs(
    api_connection: Connection, globex: Company
) -> None:
    theirs = make_contact(globex, number="5511987654321", name="Cliente da Globex")
    answer = _post({"number": "5511987654321", "body": "Oi"})
    assert answer.json()["contactId"] != theirs.pk
    assert Message.objects.get().company_id == api_connection.company_id


@pytest.mark.parametrize("body", ["[]", "null", "3", "{", '"a"'])
def test_a_body_that_is_no_object_is_refused(api_connection: Connection, body: str) -> None:
    client: Any = APIClient()
    answer = client.generic(
        "POST",
        "/api/messages/send",
        body,
        "application/json",
        HTTP_AUTHORIZATION=f"Bearer {TOKEN}",
    )
    assert answer.status_code == 400


@pytest.mark.postgres
@pytest.mark.django_db(transaction=True)
def test_the_same_key_at_the_same_time_is_one_message(api_connection: Connection) -> None:
    start, answers = threading.Barrier(4), []

    def send() -> None:
        start.wait(10)
        try:
            answers.append(
                _post({"number": "5511987654321", "body": "Oi"}, HTTP_IDEMPOTENCY_KEY="k")
            )
        finally:
            database.close()

    threads = [threading.Thread(target=send) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [answer.status_code for answer in answers] == [200] * 4
    assert len({answer.json()["messageId"] for answer in answers}) == 1
    assert Message.objects.count() == 1


@pytest.mark.parametrize("files", [{}, {"medias": _file()}])
def test_a_program_is_told_that_a_number_has_no_country_code(
    api_connection: Connection, files: dict[str, Any]
) -> None:
    answer = _post({"number": "(11) 98000-0200", "body": "Olá!", **files})
    assert (answer.status_code, answer.json()["code"]) == (400, "ERR_NUMBER_WITHOUT_COUNTRY")
    assert "+55 11 98000-0200" in answer.json()["message"]
    assert answer.json()["completed"] == "5511980000200"
    assert not Contact.objects.exists()


@pytest.mark.parametrize("files", [False, True])
def test_a_program_can_have_numbers_completed(api_connection: Connection, files: bool) -> None:
    known = make_contact(api_connection.company, number="5511980000200")
    body = {"number": "11 98000-0200", "body": "Olá!", "completeNumbers": True}
    answer = _post({**body, **({"medias": _file()} if files else {})})
    assert (answer.status_code, answer.json()["contactId"]) == (200, known.pk)


def test_a_foreign_number_of_eleven_digits_is_written_with_its_plus_sign(
    api_connection: Connection,
) -> None:
    assert _post({"number": "+1 212 555 2368", "body": "Hi"}).status_code == 200
    assert Contact.objects.get().number == "12125552368"
