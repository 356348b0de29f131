"""Forms of the bot's questions: published in each account, tried again, retired (rules/bot §12)."""

from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from apps.accounts.models import User
from apps.common.leases import LeaseState
from apps.companies.models import Company
from apps.connections.models import Connection, QuestionForm
from apps.connections.services import (
    publish_due_forms,
    published_forms,
    want_forms,
)
from apps.connections.services.forms import want_lacking_forms
from apps.connections.tests.graph import Answer, GraphServer, fault
from apps.queues.models import Queue
from conftest import ClientFor
from tests.factories import make_connection, make_queue

pytestmark = pytest.mark.django_db
FLOW = "777000111"


@pytest.fixture
def meta(graph: GraphServer) -> GraphServer:
    graph.places = {
        "flows": Answer({"data": [], "id": FLOW}),
        "assets": Answer({"success": True, "validation_errors": []}),
        "publish": Answer({"success": True}),
        "deprecate": Answer({"success": True}),
        FLOW: Answer({"id": FLOW, "status": "PUBLISHED"}),
    }
    return graph


def ask(queue: Queue, *, title: str = "Cadastro", **fields: Any) -> None:
    first = queue.options.create(title=title, asks="name", asks_together=True, **fields)
    queue.options.create(title="E-mail", asks="email", parent=first)


def publish(company: Company) -> None:
    want_forms(company.pk)
    publish_due_forms(limit=10)


def make_due() -> None:
    QuestionForm.objects.update(next_attempt_at=timezone.now())


def posted(graph: GraphServer) -> list[str]:
    return [call.path.partition("/v26.0/")[2] for call in graph.calls if call.method == "POST"]


def test_a_form_is_made_filled_and_published_once(
    acme: Company, queue: Queue, connection: Connection, meta: GraphServer, emitted: Any
) -> None:
    ask(queue)
    publish(acme)
    row = QuestionForm.objects.get()
    assert (row.state, row.flow_id) == (LeaseState.DONE, FLOW)
    assert posted(meta) == [f"{connection.waba_id}/flows", f"{FLOW}/assets", f"{FLOW}/publish"]
    made = next(each for each in meta.calls if each.method == "POST")
    assert made.json == {"name": row.name, "categories": ["OTHER"]}
    asset = next(each for each in meta.calls if each.path.endswith("/assets"))
    assert b'name="asset_type"\r\n\r\nFLOW_JSON' in asset.body
    assert b'filename="flow.json"' in asset.body and b'"version":"7.3"' in asset.body
    assert published_forms([connection]) == {connection.pk: {row.digest: FLOW}}
    assert emitted[-1][0] == "whatsapp", "browsers ask again how the questions are asked"
    calls = len(meta.calls)
    publish(acme)
    assert (len(meta.calls), QuestionForm.objects.count()) == (calls, 1)


def test_a_flow_whose_answer_was_lost_is_found_by_its_name(
    acme: Company, queue: Queue, connection: Connection, meta: GraphServer
) -> None:
    ask(queue)
    want_forms(acme.pk)
    row = QuestionForm.objects.get()
    found = [{"id": "1", "name": "outro"}, {"id": FLOW, "name": row.name, "status": "DRAFT"}]
    meta.places["flows"] = Answer({"data": found})
    publish_due_forms(limit=10)
    assert posted(meta) == [f"{FLOW}/assets", f"{FLOW}/publish"]
    assert QuestionForm.objects.get().published_at is not None


def test_a_form_that_is_published_already_is_not_touched(
    acme: Company, queue: Queue, connection: Connection, meta: GraphServer
) -> None:
    ask(queue)
    want_forms(acme.pk)
    name = QuestionForm.objects.get().name
    found = {"id": FLOW, "name": name, "status": "PUBLISHED"}
    meta.places["flows"] = Answer({"data": [found]})
    publish_due_forms(limit=10)
    assert posted(meta) == []
    assert QuestionForm.objects.get().published_at is not None


def test_what_meta_refuses_says_why_and_is_tried_again_when_saved_again(
    acme: Company, queue: Queue, connection: Connection, meta: GraphServer, emitted: Any
) -> None:
    ask(queue)
    wrong = {"error": "INVALID_PROPERTY", "message": "The property 'x' cannot be specified."}
    meta.places["assets"] = Answer({"success": True, "validation_errors": [wrong]})
    publish(acme)
    row = QuestionForm.objects.get()
    assert (row.state, row.reason_code) == (LeaseState.FAILED, "form_refused")
    assert row.reason.startswith("A Meta não aceitou o formulário: The property")
    assert published_forms([connection]) == {connection.pk: {}}
    meta.places["assets"] = Answer({"success": True, "validation_errors": []})
    publish(acme)
    row.refresh_from_db()
    assert (row.state, row.reason, row.reason_code) == (LeaseState.DONE, "", "")


@pytest.mark.parametrize(
    ("answer", "code", "words"),
    [
        (
            fault(139002, "Publishing failed", error_user_msg="Flow JSON is missing"),
            "form_refused",
            "A Meta não aceitou o formulário: Flow JSON is missing",
        ),
        (
            fault(139000, "Blocked by Integrity"),
            "form_integrity",
            "A Meta vê um problema de integridade na conta e não deixa criar nem publicar"
            " formulários.",
        ),
    ],
)
def test_metas_codes_of_flows_are_told_as_refusals(
    acme: Company,
    queue: Queue,
    connection: Connection,
    meta: GraphServer,
    answer: Answer,
    code: str,
    words: str,
) -> None:
    ask(queue)
    meta.places["publish"] = answer
    publish(acme)
    row = QuestionForm.objects.get()
    assert (row.state, row.reason_code, row.reason) == (LeaseState.FAILED, code, words)


def test_what_passes_is_tried_again(
    acme: Company, queue: Queue, connection: Connection, meta: GraphServer
) -> None:
    ask(queue)
    meta.places["publish"] = fault(2, "Service temporarily unavailable", status=503)
    publish(acme)
    row = QuestionForm.objects.get()
    assert (row.state, row.attempts, row.reason) == (LeaseState.WAITING, 1, "")
    meta.places["publish"] = Answer({"success": True})
    make_due()
    publish_due_forms(limit=10)
    row.refresh_from_db()
    assert row.state == LeaseState.DONE


def test_another_content_is_another_form_and_the_former_is_retired_a_day_later(
    acme: Company, queue: Queue, connection: Connection, meta: GraphServer
) -> None:
    ask(queue)
    publish(acme)
    former = QuestionForm.objects.get()
    queue.options.filter(asks="email").update(title="Seu e-mail")
    before = timezone.now()
    publish(acme)
    former.refresh_from_db()
    assert not former.is_wanted and former.published_at is not None
    assert former.next_attempt_at >= before + timedelta(hours=24)
    assert QuestionForm.objects.filter(published_at__isnull=False).count() == 2
    make_due()
    publish_due_forms(limit=10)
    assert posted(meta)[-1] == f"{FLOW}/deprecate"
    assert [row.pk == former.pk for row in QuestionForm.objects.all()] == [False]


def test_a_form_that_is_wanted_again_in_time_stays(
    acme: Company, queue: Queue, connection: Connection, meta: GraphServer
) -> None:
    ask(queue)
    publish(acme)
    queue.options.update(asks_together=False)
    publish(acme)
    assert not QuestionForm.objects.get().is_wanted
    queue.options.filter(asks="name").update(asks_together=True)
    publish(acme)
    row = QuestionForm.objects.get()
    assert (row.is_wanted, row.state) == (True, LeaseState.DONE)


def test_a_draft_that_nothing_wants_is_deleted(
    acme: Company, queue: Queue, connection: Connection, meta: GraphServer
) -> None:
    ask(queue)
    meta.places["publish"] = fault(139002, "Publishing failed")
    publish(acme)
    queue.options.all().delete()
    meta.places[FLOW] = Answer({"id": FLOW, "status": "DRAFT"})
    publish(acme)
    assert meta.calls[-1].method == "DELETE"
    assert not QuestionForm.objects.exists()


def test_a_number_that_is_added_gets_the_forms_and_another_version_new_ones(
    acme: Company, queue: Queue, connection: Connection, meta: GraphServer, settings: Any
) -> None:
    ask(queue)
    want_lacking_forms()
    publish_due_forms(limit=10)
    other = make_connection(acme, queues=[queue])
    want_lacking_forms()
    assert set(QuestionForm.objects.values_list("waba_id", flat=True)) == {
        connection.waba_id,
        other.waba_id,
    }
    settings.FLOW_JSON_VERSION = "8.0"
    want_lacking_forms()
    assert QuestionForm.objects.filter(version="8.0", is_wanted=True).count() == 2
    # The published one is used until its successor is there.
    assert list(published_forms([connection])[connection.pk].values()) == [FLOW]


def test_a_company_sees_and_uses_only_its_own(
    acme: Company, globex: Company, queue: Queue, connection: Connection, meta: GraphServer
) -> None:
    theirs = make_connection(globex, waba_id=connection.waba_id, queues=[make_queue(globex)])
    ask(queue)
    publish(acme)
    assert published_forms([theirs]) == {theirs.pk: {}}


def test_without_a_connected_number_a_form_waits(
    acme: Company, queue: Queue, connection: Connection, meta: GraphServer
) -> None:
    ask(queue)
    want_forms(acme.pk)
    Connection.objects.update(status="DISCONNECTED")
    publish_due_forms(limit=10)
    assert (meta.calls, QuestionForm.objects.get().state) == ([], LeaseState.WAITING)


def test_saving_a_menu_has_its_forms_published_and_the_editor_told(
    admin: User, client_for: ClientFor, queue: Queue, connection: Connection, meta: GraphServer
) -> None:
    phone = make_connection(
        connection.company, provider="beta", phone_number_id=None, name="Celular"
    )
    phone.queues.add(queue)
    client = client_for(admin)
    second = {"title": "E-mail", "asks": "email"}
    first = {"title": "Nome", "asks": "name", "asksTogether": True, "children": [second]}
    saved = client.put(f"/api/queue/{queue.pk}", {"options": [first]}, format="json").json()
    assert saved["options"][0]["asksTogether"] is True
    rows = client.get(f"/api/queue/{queue.pk}/forms").json()
    named = {row["connectionName"]: row["state"] for row in rows}
    assert named == {"Celular": "one_by_one", "Loja": "publishing"}
    publish_due_forms(limit=10)
    rows = client.get(f"/api/queue/{queue.pk}/forms").json()
    assert {row["connectionName"]: row["state"] for row in rows}["Loja"] == "form"
    meta.places["publish"] = fault(139002, "Publishing failed")
    first["title"] = "Seu nome"
    client.put(f"/api/queue/{queue.pk}", {"options": [first]}, format="json")
    publish_due_forms(limit=10)
    rows = client.get(f"/api/queue/{queue.pk}/forms").json()
    [refused] = [row for row in rows if row["connectionName"] == "Loja"]
    assert (refused["state"], refused["reasonCode"]) == ("refused", "form_refused")
    first["asks"] = ""
    saved = client.put(f"/api/queue/{queue.pk}", {"options": [first]}, format="json").json()
    assert saved["options"][0]["asksTogether"] is False
    assert client.get(f"/api/queue/{queue.pk}/forms").json() == []
