"""Messages of chats: sent once, counted, read, paged, told to members alone; their files."""

import json
import uuid
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from django.core.files.storage import default_storage
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import connection as database
from django.db import connections
from django.test.utils import CaptureQueriesContext

from apps.accounts.models import User
from apps.accounts.services import delete_user
from apps.chat.models import Chat, ChatMessage
from apps.chat.services.messages import send_message
from apps.common.renderers import to_json
from apps.companies.models import Company, CompanyRemoval
from apps.companies.services.removal import delete_company, remove_due
from apps.realtime.rooms import user_room
from conftest import ClientFor
from tests.factories import make_chat, make_chat_message, make_user

pytestmark = pytest.mark.django_db
Events = list[dict[str, Any]]
PNG = b"\x89PNG\r\n\x1a\n" + b"0" * 20


@pytest.fixture(autouse=True)
def _media(settings: Any, tmp_path: Any) -> None:
    settings.MEDIA_ROOT = tmp_path


@pytest.fixture
def chat(agent: User, admin: User) -> Chat:
    """Return a chat of Bob's with Alice."""
    return make_chat(agent, admin)


def unreads(chat: Chat) -> list[int]:
    return list(chat.members.values_list("unreads", flat=True))


def told(events: Events) -> list[tuple[str, str, list[str]]]:
    return [
        (each["event"], each["payload"]["action"], each["rooms"])
        for each in events
        if each["event"].startswith("chat")
    ]


def wire(events: Events) -> Any:
    """Return the payload of what was told last, as browsers get it."""
    return json.loads(to_json(events[-1]["payload"]))


def say(client: Any, chat: Chat, text: str, **more: Any) -> Any:
    return client.post(f"/api/chats/{chat.pk}/messages", {"message": text, **more}, format="json")


def send(client: Any, chat: Chat, file: SimpleUploadedFile, **more: Any) -> Any:
    form = {"file": file, **more}
    return client.post(f"/api/chats/{chat.pk}/messages", form, format="multipart")


def test_a_message_is_sent_counted_and_told(
    client_for: ClientFor, chat: Chat, agent: User, admin: User, events: Events
) -> None:
    answer = say(client_for(agent), chat, "  Bom dia\nAlice ")
    assert answer.status_code == 201
    row = answer.json()
    assert row == {
        **{key: row[key] for key in ("id", "createdAt", "updatedAt")},
        "chatId": chat.pk,
        "senderId": agent.pk,
        "sender": {"id": agent.pk, "name": "Bob"},
        "message": "Bom dia\nAlice",
        **dict.fromkeys(("mediaType", "mediaUrl", "mediaName", "mediaMime", "mediaSize")),
        "clientId": None,
    }
    assert unreads(chat) == [0, 1]
    seen = client_for(admin).get(f"/api/chats/{chat.uuid}").json()
    assert (seen["lastMessage"], seen["revision"]) == ("Bom dia Alice", 2)
    both = [user_room(agent.pk), user_room(admin.pk)]
    assert told(events) == [
        ("chat", "new-message", both),
        ("chat-{chatId}", "new-message", both),
    ]
    readers = {"users": [{"userId": agent.pk}, {"userId": admin.pk}]}
    new = {**row, "chat": readers}
    assert wire(events) == {"action": "new-message", "newMessage": new, "chat": seen}
    page = client_for(admin).get(f"/api/chats/{chat.pk}/messages?pageNumber=1").json()
    assert page == {"records": [row], "count": 1, "hasMore": False}


def test_reading_is_the_callers_and_told_once(
    client_for: ClientFor, chat: Chat, agent: User, admin: User, events: Events
) -> None:
    say(client_for(agent), chat, "Um")
    say(client_for(agent), chat, "Dois")
    assert unreads(chat) == [0, 2]
    events.clear()
    # Whose id an older browser names does not matter.
    client_for(agent).post(f"/api/chats/{chat.pk}/read", {"userId": admin.pk}, format="json")
    assert (unreads(chat), told(events)) == ([0, 2], [])
    read = client_for(admin).post(f"/api/chats/{chat.uuid}/read", {"userId": admin.pk})
    assert [each["unreads"] for each in read.json()["users"]] == [0, 0]
    both = [user_room(agent.pk), user_room(admin.pk)]
    assert told(events) == [("chat", "update", both), ("chat-{chatId}", "update", both)]
    assert wire(events)["chat"] == read.json()
    client_for(admin).post(f"/api/chats/{chat.pk}/read")
    assert len(told(events)) == 2


def test_who_writes_has_read(client_for: ClientFor, chat: Chat, agent: User, admin: User) -> None:
    say(client_for(agent), chat, "Tudo bem?")
    say(client_for(admin), chat, "Tudo!")
    assert unreads(chat) == [1, 0]


@pytest.mark.parametrize("text", ["", "   ", "\n\t", None])
def test_a_blank_message_is_not_sent(
    client_for: ClientFor, chat: Chat, agent: User, text: Any, events: Events
) -> None:
    answer = say(client_for(agent), chat, text)
    assert (answer.status_code, list(answer.json()["fields"])) == (400, ["message"])
    assert (ChatMessage.objects.count(), told(events)) == (0, [])


def test_a_message_has_a_length(client_for: ClientFor, chat: Chat, agent: User) -> None:
    assert say(client_for(agent), chat, "x" * 4096).status_code == 201
    assert say(client_for(agent), chat, "x" * 4097).status_code == 400
    assert client_for(agent).get(f"/api/chats/{chat.pk}").json()["lastMessage"] == "x" * 200


def test_the_same_submission_again_is_one_message(
    client_for: ClientFor, chat: Chat, agent: User, admin: User, events: Events
) -> None:
    key = str(uuid.uuid4())
    first = say(client_for(agent), chat, "Oi", clientId=key)
    again = say(client_for(agent), chat, "Oi", clientId=key)
    assert first.json() == again.json()
    assert (unreads(chat), len(told(events))) == ([0, 1], 2)
    other = make_chat(agent, admin)
    for client, where in ((client_for(agent), other), (client_for(admin), chat)):
        answer = say(client, where, "Oi", clientId=key)
        assert (answer.status_code, answer.json()["code"]) == (409, "ERR_DUPLICATED_MESSAGE")


@pytest.mark.postgres
@pytest.mark.django_db(transaction=True)
def test_all_who_write_at_once_are_counted(chat: Chat, agent: User, admin: User) -> None:
    def write(place: int) -> None:
        try:
            user = (agent, admin)[place % 2]
            send_message(user=user, reference=chat.pk, text=f"Mensagem {place}")
        finally:
            connections.close_all()

    chat.members.update(unreads=1)
    with ThreadPoolExecutor(4) as pool:
        list(pool.map(write, range(20)))
    chat.refresh_from_db()
    assert (chat.message_count, ChatMessage.objects.count()) == (20, 20)
    last = [message.sender_id for message in chat.messages.all()][::-1]
    for member in chat.members.all():
        own = last.index(member.user_id)
        assert member.unreads == own


def test_messages_have_pages_and_are_found_before_one(
    client_for: ClientFor, chat: Chat, agent: User
) -> None:
    made = [make_chat_message(chat, agent).pk for _ in range(45)]
    client = client_for(agent)

    def page(query: str) -> tuple[list[int], int, bool]:
        body = client.get(f"/api/chats/{chat.pk}/messages?{query}").json()
        return [row["id"] for row in body["records"]], body["count"], body["hasMore"]

    assert page("") == (made[25:], 45, True)
    assert page("pageNumber=2") == (made[5:25], 45, True)
    assert page("pageNumber=3") == (made[:5], 45, False)
    assert page("pageNumber=4") == ([], 45, False)
    assert page(f"beforeId={made[25]}") == (made[5:25], 45, True)
    assert page(f"beforeId={made[5]}") == (made[:5], 45, False)
    assert client.get(f"/api/chats/{chat.pk}/messages?beforeId=x").status_code == 400


def test_a_page_and_a_message_cost_the_same_in_a_long_chat(
    client_for: ClientFor, acme: Company, agent: User
) -> None:
    costs = []
    for people, length in ((1, 3), (9, 40)):
        chat = make_chat(agent, *(make_user(acme) for _ in range(people)))
        for _ in range(length):
            make_chat_message(chat, agent)
        with CaptureQueriesContext(database) as read:
            client_for(agent).get(f"/api/chats/{chat.pk}/messages")
        with CaptureQueriesContext(database) as sent:
            say(client_for(agent), chat, "Oi", clientId=str(uuid.uuid4()))
        costs.append((len(read), len(sent)))
    assert costs[0] == costs[1]
    assert costs[0][0] <= 4


def test_a_file_is_sent_and_served_to_who_has_its_address(
    client_for: ClientFor, chat: Chat, agent: User, admin: User
) -> None:
    key = str(uuid.uuid4())
    file = SimpleUploadedFile("escala de março.png", PNG, "image/png")
    answer = send(client_for(agent), chat, file, message="A escala", clientId=key)
    assert answer.status_code == 201
    row = answer.json()
    assert (row["message"], row["mediaType"], row["mediaName"], row["mediaSize"]) == (
        "A escala",
        "image",
        "escala de março.png",
        len(PNG),
    )
    served = client_for(None).get("/" + row["mediaUrl"].split("/", 3)[3])
    assert b"".join(served.streaming_content) == PNG  # type: ignore[attr-defined]
    forged = row["mediaUrl"].replace("-", "-0", 1)
    assert client_for(None).get("/" + forged.split("/", 3)[3]).status_code == 404
    again = send(client_for(agent), chat, SimpleUploadedFile("x.png", PNG), clientId=key)
    assert again.json()["id"] == row["id"]
    assert len(default_storage.listdir(str(agent.company_id))[1]) == 1
    assert unreads(chat) == [0, 1]
    send(client_for(agent), chat, SimpleUploadedFile("escala.pdf", b"%PDF-1.4", "application/pdf"))
    seen = client_for(admin).get(f"/api/chats/{chat.pk}").json()
    assert seen["lastMessage"] == "escala.pdf"


@pytest.mark.parametrize(
    ("file", "status"),
    [
        (SimpleUploadedFile("praga.exe", b"MZ", "application/pdf"), 415),
        (SimpleUploadedFile("falso.png", b"nada", "image/png"), 415),
        (SimpleUploadedFile("vazio.png", b"", "image/png"), 415),
        (SimpleUploadedFile("grande.png", PNG + b"0" * 5 * 1024 * 1024, "image/png"), 413),
    ],
)
def test_what_customers_do_not_get_is_refused(
    client_for: ClientFor, chat: Chat, agent: User, file: SimpleUploadedFile, status: int
) -> None:
    assert send(client_for(agent), chat, file).status_code == status
    assert not ChatMessage.objects.exists()


def test_a_file_that_cannot_be_stored_in_the_chat_is_gone(
    client_for: ClientFor, chat: Chat, agent: User, admin: User
) -> None:
    key = str(uuid.uuid4())
    say(client_for(admin), chat, "Oi", clientId=key)
    file = SimpleUploadedFile("x.png", PNG, "image/png")
    assert send(client_for(agent), chat, file, clientId=key).status_code == 409
    assert (
        not default_storage.exists(str(agent.company_id))
        or not default_storage.listdir(str(agent.company_id))[1]
    )


def test_files_go_with_their_chat(
    client_for: ClientFor,
    chat: Chat,
    agent: User,
    admin: User,
    django_capture_on_commit_callbacks: Any,
) -> None:
    send(client_for(agent), chat, SimpleUploadedFile("x.png", PNG, "image/png"))
    path = ChatMessage.objects.get().media_path
    with django_capture_on_commit_callbacks(execute=True):
        delete_user(actor=admin, user_id=agent.pk)
    assert default_storage.exists(path)
    with django_capture_on_commit_callbacks(execute=True):
        client_for(admin).delete(f"/api/chats/{chat.pk}")
    assert not default_storage.exists(path)


@pytest.mark.django_db(transaction=True)
def test_a_deleted_company_takes_its_chats_along(
    client_for: ClientFor, chat: Chat, agent: User
) -> None:
    send(client_for(agent), chat, SimpleUploadedFile("x.png", PNG, "image/png"))
    path = ChatMessage.objects.get().media_path
    delete_company(company_id=agent.company_id, actor=None)
    while CompanyRemoval.objects.exists():
        remove_due(limit=1)
    assert not Chat.objects.exists()
    assert not default_storage.exists(path)
