"""The calls of rules and their log (rules/desk §12 and §14)."""

from collections.abc import Iterator
from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone
from pytest_django import DjangoAssertNumQueries

from apps.accounts.models import User
from apps.accounts.permissions import Permission
from apps.audit.models import AuditEntry
from apps.companies.models import SUPER_COMPANY_ID, Company, CompanySetting
from apps.companies.services import change_setting
from apps.contacts.models import Tag
from apps.desk.models import Rule, RuleRun, RuleTick
from apps.desk.services.known import known
from apps.queues.models import Queue
from apps.tickets.models import Ticket
from conftest import ClientFor
from tests.factories import make_queue, make_role, make_tag, make_ticket

pytestmark = pytest.mark.django_db
RULES = "/api/rules"


@pytest.fixture(autouse=True)
def forgotten() -> Iterator[None]:
    yield
    known.be_sure_of_none()


@pytest.fixture
def acme(acme: Company) -> Company:
    CompanySetting.objects.all().delete()
    known.forget()
    return acme


@pytest.fixture
def tag(acme: Company) -> Tag:
    return make_tag(acme, name="VIP")


def body(**fields: Any) -> dict[str, Any]:
    return {
        "trigger": {"when": "we_silent", "minutes": 10, "inHours": True},
        "actions": [{"do": "tell", "tells": "supervisors"}],
        **fields,
    }


def test_rules_manage_alone_opens_all_that_the_page_of_rules_asks_for(
    acme: Company, agent: User, queue: Queue, tag: Tag, client_for: ClientFor
) -> None:
    agent.role = make_role(acme, Permission.RULES)
    agent.save()
    client = client_for(agent)
    asked = (
        *("rules", "rules/runs", "macros", "settings", "queue", "tags/list", "users/list"),
        *("whatsapp/?session=0", "quick-messages/list"),
    )
    answers = {path: client.get(f"/api/{path}").status_code for path in asked}
    assert answers == dict.fromkeys(asked, 200)
    actions = [{"do": "add_tag", "id": tag.pk}, {"do": "queue", "id": queue.pk}]
    row = client.post(RULES, body(actions=actions), format="json").json()
    switched = client.put(f"{RULES}/{row['id']}/switch", {"isOn": True}, format="json")
    assert switched.json()["isOn"]
    assert client.put(f"{RULES}/order", {"ids": [row["id"]]}, format="json").status_code == 200
    macro = {"name": "Fim", "isShared": True, "actions": actions}
    assert client.post("/api/macros", macro, format="json").status_code == 201
    assert client.delete(f"{RULES}/{row['id']}").status_code == 200
    # The switch of all rules is one of the settings; the page shows it to who may change them.
    off = client.put("/api/settings/rules", {"value": "disabled"}, format="json")
    assert off.status_code == 403


def test_the_first_rule_switches_rules_on_and_is_read_as_it_was_written(
    events: list[dict[str, Any]], admin: User, queue: Queue, tag: Tag, client_for: ClientFor
) -> None:
    client = client_for(admin)
    assert client.get(RULES).json() == []
    condition = {
        "all": [
            {"field": "queue", "operator": "is", "values": [queue.pk]},
            {"not": {"field": "priority", "operator": "is", "values": ["low"]}},
            {"field": "tag", "operator": "empty"},
        ]
    }
    actions = [
        {"do": "tell", "tells": "supervisors"},
        {"do": "add_tag", "id": tag.pk},
        {"do": "priority", "priority": "high"},
    ]
    asked = body(name="Espera", condition=condition, actions=actions)
    answer = client.post(RULES, asked, format="json")
    assert answer.status_code == 201, answer.json()
    row = answer.json()
    assert (row["name"], row["isOn"], row["problem"], row["startsItself"]) == (
        "Espera",
        True,
        "",
        False,
    )
    assert (row["trigger"], row["condition"], row["actions"]) == (
        asked["trigger"],
        condition,
        actions,
    )
    assert {(each["kind"], each["name"]) for each in row["names"]} == {
        ("queue", queue.name),
        ("tag", "VIP"),
    }
    assert CompanySetting.objects.get(key="rules").value == "enabled"
    assert RuleTick.objects.get(kind="sync").next_attempt_at > timezone.now()
    assert AuditEntry.objects.filter(action="rule.saved").count() == 1
    assert [each["payload"]["rule"]["id"] for each in events if each["event"] == "rule"] == [
        row["id"]
    ]
    assert client.get(RULES).json() == [row]


def test_rules_are_replaced_ordered_switched_and_deleted(
    admin: User, acme: Company, tag: Tag, client_for: ClientFor
) -> None:
    client = client_for(admin)
    ids = [client.post(RULES, body(name=str(n)), format="json").json()["id"] for n in range(3)]
    turned = client.put(f"{RULES}/order", {"ids": ids[::-1]}, format="json").json()
    assert [each["name"] for each in turned] == ["2", "1", "0"]
    assert AuditEntry.objects.get(action="rule.ordered").detail == {"ids": ids[::-1]}
    since = Rule.objects.get(pk=ids[0]).since
    # Another name or other actions leave it on since it was.
    named = client.put(f"{RULES}/{ids[0]}", body(name="Novo"), format="json").json()
    assert (named["name"], named["position"]) == ("Novo", 3)
    assert Rule.objects.get(pk=ids[0]).since == since
    trigger = {"when": "tag_set", "ids": [tag.pk]}
    changed = body(trigger=trigger, actions=[{"do": "add_tag", "id": tag.pk}])
    row = client.put(f"{RULES}/{ids[0]}", changed, format="json").json()
    assert (row["trigger"], row["startsItself"]) == (trigger, True)
    assert Rule.objects.get(pk=ids[0]).since != since
    off = client.put(f"{RULES}/{ids[0]}/switch", {"isOn": False}, format="json").json()
    assert (off["isOn"], Rule.objects.get(pk=ids[0]).since) == (False, None)
    # What an edit does not say stays.
    assert client.put(f"{RULES}/{ids[0]}", changed, format="json").json()["isOn"] is False
    on = client.put(f"{RULES}/{ids[0]}/switch", {"isOn": True}, format="json").json()
    assert on["isOn"] is True
    assert client.delete(f"{RULES}/{ids[0]}").status_code == 200
    assert set(Rule.objects.values_list("pk", flat=True)) == set(ids[1:])
    assert AuditEntry.objects.filter(action="rule.deleted").count() == 1
    assert client.put(f"{RULES}/order", {"ids": [ids[1]]}, format="json").status_code == 400


def test_the_first_rule_that_is_switched_on_switches_rules_on(
    admin: User, acme: Company, client_for: ClientFor
) -> None:
    client = client_for(admin)
    first, second = (
        client.post(RULES, body(isOn=False), format="json").json()["id"] for _ in range(2)
    )
    assert not CompanySetting.objects.filter(key="rules").exists()
    client.put(f"{RULES}/{second}/switch", {"isOn": True}, format="json")
    setting = CompanySetting.objects.get(key="rules")
    assert setting.value == "enabled"
    # Who has switched them off finds them off, whatever is saved besides.
    change_setting(company_id=acme.pk, key="rules", value="disabled")
    client.put(f"{RULES}/{second}", body(name="Novo"), format="json")
    client.put(f"{RULES}/{first}/switch", {"isOn": True}, format="json")
    setting.refresh_from_db()
    assert setting.value == "disabled"


def test_tickets_are_taken_in_only_for_rules_that_wait_for_moments(
    admin: User, acme: Company, client_for: ClientFor
) -> None:
    client = client_for(admin)

    def takes_in(method: str, path: str, asked: dict[str, Any] | None = None) -> bool:
        RuleTick.objects.all().delete()
        answer = getattr(client, method)(f"{RULES}{path}", asked, format="json")
        assert answer.status_code in {200, 201}, answer.json()
        return RuleTick.objects.filter(kind="sync").exists()

    rated = body(trigger={"when": "rated"})
    assert takes_in("post", "", rated)
    first = Rule.objects.get()
    # With another rule on, tickets are known.
    assert not takes_in("post", "", rated)
    assert not takes_in("put", f"/{first.pk}", {**rated, "name": "Nota"})
    assert takes_in("put", f"/{first.pk}", body())
    assert not takes_in("put", f"/{first.pk}", body(actions=[{"do": "note", "text": "Demora"}]))
    assert takes_in("put", f"/{first.pk}", rated)
    assert not takes_in("put", f"/{first.pk}/switch", {"isOn": False})
    assert not takes_in("delete", f"/{first.pk}")
    # After the last one no ticket has to be known.
    assert takes_in("delete", f"/{Rule.objects.get().pk}")


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"trigger": {"when": "never"}}, "trigger"),
        ({"trigger": {"when": "we_silent"}}, "trigger.minutes"),
        ({"trigger": {"when": "message_in", "minutes": 5}}, "trigger.minutes"),
        ({"trigger": {"when": "message_in", "ids": [1]}}, "trigger.ids"),
        ({"trigger": {"when": "window_closes", "minutes": 1440}}, "trigger.minutes"),
        ({"trigger": {"when": "sla_step", "step": "after"}}, "trigger.minutes"),
        ({"trigger": {"when": "sla_step", "minutes": 5}}, "trigger.minutes"),
        ({"trigger": {"when": "rated", "kind": "resolution"}}, "trigger.kind"),
        ({"trigger": {"when": "invoice_overdue"}}, "trigger.when"),
        ({"trigger": {"when": "queue_changed", "ids": [10**9]}}, "actions"),
        ({"trigger": {"when": "rated", "nonsense": 1}}, "nonsense"),
        ({"actions": []}, "actions"),
        ({"actions": [{"do": "explode"}]}, "actions"),
        ({"actions": [{"do": "send_text", "text": "  "}]}, "actions.0.text"),
        ({"actions": [{"do": "tell"}]}, "actions.0.tells"),
        ({"actions": [{"do": "add_tag"}]}, "actions.0.id"),
        ({"actions": [{"do": "add_tag", "id": 10**9}]}, "actions"),
        ({"actions": [{"do": "note", "text": "a", "id": 5}]}, "actions.0.id"),
        ({"actions": [{"do": "resolve"}, {"do": "snooze"}]}, "actions.1.do"),
        ({"actions": [{"do": "resolve", "text": "Vendido"}]}, "actions.0.text"),
        ({"actions": [{"do": "note", "text": "a"}] * 21}, "actions"),
        ({"actions": [{"do": "send_text", "text": "a"}] * 6}, "actions"),
        ({"condition": {"field": "weather", "values": ["sun"]}}, "condition"),
        ({"condition": {"field": "queue", "operator": "contains", "values": [1]}}, "condition"),
        ({"condition": {"field": "queue", "values": []}}, "condition"),
        ({"condition": {"field": "queue", "values": ["Vendas"]}}, "condition"),
        ({"condition": {"field": "queue", "values": [True]}}, "condition"),
        ({"condition": {"field": "queue", "values": [10**9]}}, "actions"),
        ({"condition": {"field": "priority", "values": ["loud"]}}, "condition"),
        ({"condition": {"field": "hour", "operator": "between", "values": [1]}}, "condition"),
        ({"condition": {"field": "contactField", "values": ["a"]}}, "condition"),
        ({"condition": {"field": "message", "values": ["a\x00b"]}}, "condition"),
        ({"condition": {"field": "name", "values": [" "]}}, "condition"),
        ({"actions": [{"do": "contact_field", "name": "x" * 101}]}, "actions.0.name"),
        ({"condition": {"all": [], "any": []}}, "condition"),
        ({"condition": {"all": "x"}}, "condition"),
        ({"condition": {"all": [{"field": "tag", "operator": "empty"}] * 31}}, "condition"),
        ({"condition": [1]}, "condition"),
        ({"name": "x" * 81}, "name"),
        ({"nonsense": 1}, "nonsense"),
    ],
)
def test_what_can_not_be_is_refused_in_words_and_changes_nothing(
    change: dict[str, Any], field: str, admin: User, acme: Company, client_for: ClientFor
) -> None:
    answer = client_for(admin).post(RULES, body(**change), format="json")
    assert answer.status_code == 400
    assert field in str(answer.json()["fields"])
    assert not Rule.objects.exists()
    assert not CompanySetting.objects.filter(key="rules").exists()


def test_a_tree_is_no_deeper_than_four(admin: User, acme: Company, client_for: ClientFor) -> None:
    tree: dict[str, Any] = {"field": "tag", "operator": "empty"}
    for word in ("all", "any", "all"):
        tree = {word: [tree]}
    client = client_for(admin)
    assert client.post(RULES, body(condition=tree), format="json").status_code == 201
    assert client.post(RULES, body(condition={"not": tree}), format="json").status_code == 400


def test_another_companys_rows_are_no_rows(
    admin: User, acme: Company, globex: Company, client_for: ClientFor
) -> None:
    foreign = make_queue(globex)
    asked = body(actions=[{"do": "queue", "id": foreign.pk}])
    assert client_for(admin).post(RULES, asked, format="json").status_code == 400


def test_a_company_has_a_hundred_rules(admin: User, acme: Company, client_for: ClientFor) -> None:
    Rule.objects.bulk_create(Rule(company=acme, when="rated") for _ in range(100))
    answer = client_for(admin).post(RULES, body(), format="json")
    assert (answer.status_code, answer.json()["code"]) == (400, "ERR_TOO_MANY_RULES")


def test_a_rule_that_names_what_is_gone_is_switched_off_but_not_on(
    admin: User, acme: Company, tag: Tag, client_for: ClientFor
) -> None:
    client = client_for(admin)
    asked = body(actions=[{"do": "add_tag", "id": tag.pk}])
    rule_id = client.post(RULES, asked, format="json").json()["id"]
    assert client.delete(f"/api/tags/{tag.pk}").status_code == 200
    row = client.get(RULES).json()[0]
    assert (row["isOn"], row["problem"]) == (False, "A tag “VIP” foi excluída.")
    refused = client.put(f"{RULES}/{rule_id}/switch", {"isOn": True}, format="json")
    assert refused.status_code == 400
    assert "Esta tag não existe." in str(refused.json())
    off = client.put(f"{RULES}/{rule_id}/switch", {"isOn": False}, format="json")
    assert off.status_code == 200
    mended = client.put(f"{RULES}/{rule_id}", body(isOn=True), format="json").json()
    assert (mended["isOn"], mended["problem"]) == (True, "")


def test_the_list_and_the_log_take_few_queries_however_many_there_are(
    admin: User,
    acme: Company,
    queue: Queue,
    tag: Tag,
    client_for: ClientFor,
    django_assert_num_queries: DjangoAssertNumQueries,
) -> None:
    client = client_for(admin)
    rules = [
        Rule.objects.create(
            company=acme,
            when="rated",
            trigger={"when": "rated"},
            condition={"field": "queue", "values": [queue.pk]},
            actions=[{"do": "add_tag", "id": tag.pk}],
        )
        for _ in range(20)
    ]
    ticket = make_ticket(acme, queue=queue)
    for number in range(50):
        RuleRun.objects.create(
            company=acme,
            rule=rules[number % 20],
            ticket=ticket,
            user=admin,
            at=timezone.now() - timedelta(minutes=number),
        )
    with django_assert_num_queries(4):
        rows = client.get(RULES).json()
    assert [row["runCount"] for row in rows] == [3] * 10 + [2] * 10
    with django_assert_num_queries(1):
        page = client.get(f"{RULES}/runs").json()
    assert (len(page["runs"]), page["hasMore"]) == (40, True)
    rest = client.get(f"{RULES}/runs?beforeId={page['runs'][-1]['id']}").json()
    assert (len(rest["runs"]), rest["hasMore"]) == (10, False)
    of_one = client.get(f"{RULES}/runs?ruleId={rules[0].pk}").json()
    assert len(of_one["runs"]) == 3
    assert of_one["runs"][0]["contactName"] == ticket.contact.name


def test_invoices_of_customers_start_rules_of_who_runs_the_service(
    super_user: User, client_for: ClientFor
) -> None:
    assert super_user.company_id == SUPER_COMPANY_ID
    asked = body(trigger={"when": "invoice_overdue"})
    answer = client_for(super_user).post(RULES, asked, format="json")
    assert answer.status_code == 201, answer.json()


def test_the_log_is_the_companys_own(
    admin: User, acme: Company, globex: Company, client_for: ClientFor
) -> None:
    ticket: Ticket = make_ticket(globex)
    RuleRun.objects.create(company=globex, ticket=ticket)
    assert client_for(admin).get(f"{RULES}/runs").json() == {"runs": [], "hasMore": False}
