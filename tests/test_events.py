"""Every live event is declared, exported, and as declared when it is told."""

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from rest_framework import serializers

from apps.accounts.permissions import OF_EVENTS
from apps.contacts.serializers.notes import NoteSerializer, NoteUserSerializer
from apps.realtime.emit import LiveEvent, emit
from apps.realtime.schema import declared_events
from tests.events import faults_of, unreadable
from tests.older_readings import OTHER_NAMES, READ, UNHEARD

NOTED = LiveEvent(
    "noted",
    create={"note": NoteSerializer(), "by": NoteUserSerializer(required=False)},
    delete={"noteId": serializers.IntegerField()},
)
ROW: dict[str, Any] = {
    "id": 1,
    "note": "Prefere a tarde.",
    "ticketId": None,
    "contactId": 3,
    "userId": 4,
    "user": {"id": 4, "name": "Bob"},
    "createdAt": "2026-01-02T03:04:05Z",
}
EXPORTED = Path(__file__).parent.parent / "frontend" / "openapi.json"


def without(key: str) -> dict[str, Any]:
    return {name: value for name, value in ROW.items() if name != key}


@pytest.mark.parametrize(
    "payload",
    [
        {"action": "create", "note": ROW},
        {"action": "create", "note": {**ROW, "user": None}, "by": {"id": 4, "name": "Bob"}},
        {"action": "delete", "noteId": 1},
    ],
)
def test_what_is_declared_may_be_told(payload: dict[str, Any]) -> None:
    assert faults_of(NOTED, payload) == []


@pytest.mark.parametrize(
    ("payload", "fault"),
    [
        ({"action": "update", "note": ROW}, "noted has no action update"),
        ({"action": "create"}, "noted: 'note' is a required property"),
        ({"action": "delete", "noteId": 1, "id": 1}, "noted: Additional properties"),
        ({"action": "delete", "noteId": "1"}, "noted.noteId: '1' is not of type 'integer'"),
        ({"action": "delete", "noteId": None}, "noted.noteId: None is not of type 'integer'"),
        ({"action": "create", "note": without("userId")}, "noted.note: 'userId' is a required"),
        ({"action": "create", "note": {**ROW, "text": ""}}, "noted.note: Additional properties"),
        ({"action": "create", "note": ROW, "by": {"id": 4}}, "noted.by: 'name' is a required"),
    ],
)
def test_anything_else_is_a_fault(payload: dict[str, Any], fault: str) -> None:
    (found,) = faults_of(NOTED, payload)
    assert found.startswith(fault)


def test_a_fault_in_a_row_that_may_be_null_is_found() -> None:
    row = {**ROW, "user": {"id": 4, "name": "Bob", "email": "bob@acme.example"}}
    (found,) = faults_of(NOTED, {"action": "create", "note": row})
    assert found.startswith("noted.note.user: ")


def test_sockets_are_in_the_room_of_each_permission_that_an_event_needs() -> None:
    assert {event.needs for event in declared_events()} - {""} == OF_EVENTS


@pytest.mark.django_db
def test_a_fault_is_noticed_wherever_it_is_told(event_faults: list[str]) -> None:
    emit(NOTED, "delete", {"noteId": 1}, company_id=7)
    assert event_faults == []
    emit(NOTED, "delete", {"noteId": 1, "id": 1}, company_id=7)
    assert len(event_faults) == 1
    event_faults.clear()


@pytest.mark.sources
def test_each_name_is_declared_once_and_exported() -> None:
    names = Counter(event.name for event in declared_events())
    assert set(names.values()) == {1}
    exported = json.loads(EXPORTED.read_text())["components"]["schemas"]["LiveEvents"]
    assert sorted(exported["properties"]) == exported["required"] == sorted(names)


DECLARED = {event.name: event for event in declared_events()}


def test_it_is_known_of_every_event_whether_older_browsers_read_it() -> None:
    assert sorted([*READ, *UNHEARD]) == sorted(DECLARED)
    for name, actions in READ.items():
        assert sorted(actions) == sorted(DECLARED[name].actions)


@pytest.mark.parametrize(
    ("name", "action"), [(name, action) for name, actions in READ.items() for action in actions]
)
def test_an_event_has_all_that_older_browsers_read(name: str, action: str) -> None:
    assert unreadable(DECLARED[name], action, READ[name][action]) == []


@pytest.mark.parametrize(
    ("paths", "missing"),
    [
        (("note.id", "note.user?.name", "note.contactId?"), []),
        (("notes.id",), ["notes.id"]),
        (("note.text",), ["note.text"]),
        (("note.user.name",), ["note.user.name"]),
        (("note.ticketId",), ["note.ticketId"]),
        (("by.name",), ["by.name"]),
        (("note.user?.queues[].id",), ["note.user?.queues[].id"]),
    ],
)
def test_what_an_event_lacks_or_may_leave_empty_is_found(
    paths: tuple[str, ...], missing: list[str]
) -> None:
    assert unreadable(NOTED, "create", paths) == missing


@pytest.mark.parametrize(("name", "older"), OTHER_NAMES.items())
def test_older_browsers_hear_it_under_the_name_they_know(name: str, older: str) -> None:
    assert DECLARED[name].names(7) == [f"company-7-{name}", older]


NUMBERED = (
    *("ticket", "appMessage", "contact", "whatsapp"),
    *("whatsappSession", "queue", "user", "auth"),
    *("settings", "campaign", "campaignSettings", "ContactList"),
    *("ContactListItem", "ContactListItem-{listId}", "quickmessage", "schedule"),
    *("file", "tag", "prompt", "queueIntegration"),
    *("chat", "chat-{chatId}", "chat-user-{userId}", "payment"),
    "help",
)


@pytest.mark.parametrize(
    ("name", "heard"),
    [
        *((name, f"company-7-{name}") for name in NUMBERED),
        ("quickmessage", "company7-quickemessage"),
        ("schedule", "company7-schedule"),
        ("file", "company7-file"),
        ("prompt", "prompt"),
        ("announcement", "company-announcement"),
    ],
)
def test_an_event_has_the_names_of_the_wire(name: str, heard: str) -> None:
    assert heard in DECLARED[name].names(7)
