"""/chats: shapes, who reads and changes which, members who come and go, events."""

import uuid
from typing import Any

import pytest
from django.db import connection as database
from django.test.utils import CaptureQueriesContext

from apps.accounts.models import User
from apps.accounts.services import delete_user
from apps.accounts.services.users import set_active
from apps.audit.models import AuditEntry
from apps.chat.models import Chat, ChatMember, ChatMessage
from apps.companies.models import Company
from apps.realtime.rooms import user_room
from conftest import ClientFor
from tests.factories import make_chat, make_chat_message, make_user

pytestmark = pytest.mark.django_db
Events = list[dict[str, Any]]


@pytest.fixture
def colleague(acme: Company) -> User:
    return make_user(acme, name="Dora Álvares")


def told(events: Events) -> list[tuple[str, str, list[str]]]:
    """Return name, action and rooms of what was told of chats."""
    return [
        (each["event"], each["payload"]["action"], each["rooms"])
        for each in events
        if each["event"].startswith("chat")
    ]


def members(chat: Chat) -> list[int]:
    return list(chat.members.values_list("user", flat=True))


def test_a_chat_is_opened_and_read_by_id_and_uuid(
    client_for: ClientFor, agent: User, admin: User, events: Events
) -> None:
    client = client_for(agent)
    # Older browsers send the users whole.
    body = {"title": "Plantão", "users": [{"id": admin.pk, "name": "Alice", "queues": []}]}
    answer = client.post("/api/chats", body, format="json")
    assert answer.status_code == 201
    row = answer.json()
    uuid.UUID(row["uuid"])
    assert row == {
        **{key: row[key] for key in ("id", "uuid", "createdAt", "updatedAt")},
        "title": "Plantão",
        "ownerId": agent.pk,
        "owner": {"id": agent.pk, "name": "Bob"},
        "lastMessage": "",
        "users": [
            {
                "id": row["users"][place]["id"],
                "chatId": row["id"],
                "userId": user.pk,
                "unreads": 0,
                "user": {"id": user.pk, "name": user.name},
            }
            for place, user in enumerate((agent, admin))
        ],
        "revision": 1,
        "companyId": agent.company_id,
    }
    for reader in (agent, admin):
        page = client_for(reader).get("/api/chats/?searchParam=&pageNumber=1").json()
        assert page == {"records": [row], "count": 1, "hasMore": False, "unreadChats": 0}
        for reference in (row["id"], row["uuid"]):
            assert client_for(reader).get(f"/api/chats/{reference}/").json() == row
    assert told(events) == [
        ("chat-user-{userId}", "create", [user_room(user.pk)]) for user in (agent, admin)
    ]


@pytest.mark.parametrize(
    ("body", "field", "sentence"),
    [
        ({"title": " "}, "title", "Por favor, preencha o título da conversa."),
        ({"title": None}, "title", "Por favor, preencha o título da conversa."),
        ({"title": "x" * 101}, "title", "O título pode ter no máximo 100 caracteres."),
        ({"users": []}, "users", "Por favor, selecione pelo menos um usuário."),
        ({"users": ["own"]}, "users", "Por favor, selecione pelo menos um usuário."),
        ({"users": ["outsider"]}, "users", "Um dos usuários não existe mais nesta empresa."),
        ({"users": ["disabled"]}, "users", "Um dos usuários não existe mais nesta empresa."),
        ({"users": list(range(1, 202))}, "users", "Uma conversa pode ter no máximo 200 usuários."),
    ],
)
def test_what_cannot_be_is_refused_at_its_field(
    client_for: ClientFor,
    acme: Company,
    agent: User,
    admin: User,
    outsider: User,
    body: dict[str, Any],
    field: str,
    sentence: str,
) -> None:
    people = {"own": agent, "outsider": outsider, "disabled": make_user(acme, is_active=False)}
    sent = {"title": "Plantão", "users": [admin.pk], **body}
    sent["users"] = [people[each].pk if each in people else each for each in sent["users"]]
    answer = client_for(agent).post("/api/chats", sent, format="json")
    assert (answer.status_code, answer.json()["fields"]) == (400, {field: [sentence]})
    assert not Chat.objects.exists()
    chat = make_chat(agent, admin)
    changed = client_for(agent).put(f"/api/chats/{chat.pk}", sent, format="json")
    assert (changed.status_code, changed.json()["fields"]) == (400, {field: [sentence]})
    assert members(chat) == [agent.pk, admin.pk]


def test_who_is_no_member_finds_nothing_not_even_an_admin(
    client_for: ClientFor, agent: User, admin: User, colleague: User, outsider: User
) -> None:
    chat = make_chat(agent, colleague)
    make_chat_message(chat, agent)
    for stranger in (admin, outsider):
        client = client_for(stranger)
        assert client.get("/api/chats").json()["count"] == 0
        for reference in (chat.pk, chat.uuid):
            for method, path, body in (
                ("get", "", None),
                ("put", "", {"title": "Meu", "users": [agent.pk]}),
                ("put", "", {}),
                ("delete", "", None),
                ("post", "/read", {"userId": agent.pk}),
                ("post", "/leave", None),
                ("get", "/messages", None),
                ("post", "/messages", {"message": "Oi"}),
                ("post", "/messages", {"message": ""}),
            ):
                answer = getattr(client, method)(
                    f"/api/chats/{reference}{path}", body, format="json"
                )
                assert (answer.status_code, answer.json()["code"]) == (404, "ERR_NO_CHAT_FOUND")
    assert ChatMessage.objects.count() == 1
    assert members(chat) == [agent.pk, colleague.pk]


def test_the_owner_alone_edits_and_deletes(
    client_for: ClientFor, agent: User, admin: User, events: Events
) -> None:
    chat = make_chat(agent, admin)
    client = client_for(admin)
    body = {"title": "Meu", "users": [agent.pk]}
    for answer in (
        client.put(f"/api/chats/{chat.pk}", body, format="json"),
        client.delete(f"/api/chats/{chat.pk}"),
    ):
        assert (answer.status_code, answer.json()["code"]) == (403, "ERR_NO_PERMISSION")
    assert told(events) == []


def test_members_come_and_go_and_each_hears_what_it_is_to_them(
    client_for: ClientFor, agent: User, admin: User, colleague: User, events: Events
) -> None:
    chat = make_chat(agent, admin)
    make_chat_message(chat, agent, message="Antes")
    answer = client_for(agent).put(
        f"/api/chats/{chat.pk}", {"title": "Outro", "users": [colleague.pk]}, format="json"
    )
    row = answer.json()
    assert (row["title"], row["revision"]) == ("Outro", 2)
    assert [each["userId"] for each in row["users"]] == [agent.pk, colleague.pk]
    assert told(events) == [
        ("chat", "delete", [user_room(admin.pk)]),
        ("chat-user-{userId}", "update", [user_room(agent.pk)]),
        ("chat-user-{userId}", "create", [user_room(colleague.pk)]),
    ]
    assert client_for(admin).get(f"/api/chats/{chat.pk}").status_code == 404
    found = client_for(colleague).get(f"/api/chats/{chat.pk}/messages").json()
    assert [each["message"] for each in found["records"]] == ["Antes"]


def test_a_title_alone_leaves_the_members(client_for: ClientFor, agent: User, admin: User) -> None:
    chat = make_chat(agent, admin)
    answer = client_for(agent).put(f"/api/chats/{chat.uuid}", {"title": "Outro"}, format="json")
    assert answer.json()["title"] == "Outro"
    assert members(chat) == [agent.pk, admin.pk]


def test_a_disabled_member_stays_in_an_edited_chat(
    client_for: ClientFor, agent: User, admin: User, colleague: User
) -> None:
    chat = make_chat(agent, admin, colleague)
    set_active(user=colleague, is_active=False, actor=admin)
    users = [admin.pk, colleague.pk]
    answer = client_for(agent).put(f"/api/chats/{chat.pk}", {"users": users}, format="json")
    assert answer.status_code == 200
    assert members(chat) == [agent.pk, admin.pk, colleague.pk]


def test_deleting_takes_messages_and_files_along_and_is_audited(
    client_for: ClientFor, agent: User, admin: User, events: Events
) -> None:
    chat = make_chat(agent, admin, title="Plantão")
    make_chat_message(chat, admin)
    assert client_for(agent).delete(f"/api/chats/{chat.pk}").json() == {
        "message": "Conversa excluída."
    }
    assert not ChatMessage.objects.exists()
    assert not ChatMember.objects.exists()
    entry = AuditEntry.objects.get()
    assert (entry.action, entry.detail) == ("chat.deleted", {"title": "Plantão"})
    assert told(events) == [("chat", "delete", [user_room(agent.pk), user_room(admin.pk)])]
    assert events[-1]["payload"]["id"] == chat.pk


def test_an_owner_who_leaves_hands_over_to_the_oldest_member(
    client_for: ClientFor, agent: User, admin: User, colleague: User, events: Events
) -> None:
    chat = make_chat(agent, colleague, admin)
    assert client_for(agent).post(f"/api/chats/{chat.pk}/leave").status_code == 200
    chat.refresh_from_db()
    assert chat.owner == colleague
    assert members(chat) == [colleague.pk, admin.pk]
    assert told(events) == [
        ("chat", "delete", [user_room(agent.pk)]),
        ("chat-user-{userId}", "update", [user_room(colleague.pk)]),
        ("chat-user-{userId}", "update", [user_room(admin.pk)]),
    ]
    client_for(admin).post(f"/api/chats/{chat.pk}/leave")
    assert Chat.objects.get().owner == colleague
    client_for(colleague).post(f"/api/chats/{chat.pk}/leave")
    assert not Chat.objects.exists()


def test_who_is_deleted_leaves_all_chats_and_their_words_stay(
    client_for: ClientFor, agent: User, admin: User, colleague: User, events: Events
) -> None:
    chat = make_chat(agent, colleague, admin)
    alone = make_chat(agent)
    message = make_chat_message(chat, agent, message="Até logo")
    User.objects.filter(pk=agent.pk).update(name="Roberto")
    delete_user(actor=admin, user_id=agent.pk)
    chat.refresh_from_db()
    assert chat.owner == colleague
    assert not Chat.objects.filter(pk=alone.pk).exists()
    rows = client_for(admin).get(f"/api/chats/{chat.pk}/messages").json()["records"]
    assert [(each["id"], each["senderId"], each["sender"]) for each in rows] == [
        (message.pk, None, {"id": None, "name": "Roberto"})
    ]
    assert ("chat-user-{userId}", "update", [user_room(admin.pk)]) in told(events)


def test_who_is_disabled_keeps_the_chats(agent: User, admin: User) -> None:
    chat = make_chat(agent, admin)
    set_active(user=agent, is_active=False, actor=admin)
    chat.refresh_from_db()
    assert (chat.owner, members(chat)) == (agent, [agent.pk, admin.pk])


@pytest.mark.parametrize(("text", "found"), [("PLANTAO", 1), ("alvares", 1), ("nada", 0)])
def test_the_list_is_searched_by_title_and_name(
    client_for: ClientFor, agent: User, admin: User, colleague: User, text: str, found: int
) -> None:
    make_chat(agent, admin, colleague, title="Plantão")
    make_chat(agent, admin, title="Outra")
    answer = client_for(agent).get(f"/api/chats/?searchParam={text}").json()
    assert (answer["count"], len(answer["records"])) == (found, found)


def test_the_list_has_pages_the_last_change_first(
    client_for: ClientFor, agent: User, admin: User
) -> None:
    chats = [make_chat(agent, admin) for _ in range(21)]
    client_for(admin).post(f"/api/chats/{chats[0].pk}/messages", {"message": "Oi"}, format="json")
    first = client_for(agent).get("/api/chats").json()
    assert (first["count"], first["hasMore"], first["unreadChats"]) == (21, True, 1)
    assert [row["id"] for row in first["records"][:2]] == [chats[0].pk, chats[20].pk]
    second = client_for(agent).get("/api/chats?pageNumber=2").json()
    assert [row["id"] for row in second["records"]] == [chats[1].pk]


def test_a_list_costs_the_same_however_long(
    client_for: ClientFor, acme: Company, agent: User, admin: User
) -> None:
    client = client_for(agent)
    costs = []
    for _ in range(2):
        with CaptureQueriesContext(database) as made:
            client.get("/api/chats")
        costs.append(len(made))
        for _ in range(5):
            make_chat(agent, admin, *(make_user(acme) for _ in range(3)))
    with CaptureQueriesContext(database) as made:
        client.get("/api/chats")
    assert (len(made), costs[1]) == (costs[1], costs[1])
    assert len(made) == 3
