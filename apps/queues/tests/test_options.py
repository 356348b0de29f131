"""/queue-options, and the menu inside a queue: shapes, places, rules and events."""

from typing import Any

import pytest

from apps.accounts.models import User
from apps.companies.models import Company
from apps.queues.models import Queue, QueueOption
from conftest import ClientFor
from tests.factories import make_queue, make_tag

pytestmark = pytest.mark.django_db
OPTIONS = "/api/queue-options"


def titles(rows: list[dict[str, Any]]) -> list[Any]:
    """Return the titles of a menu, each with those below it when there are some."""
    return [
        {row["title"]: titles(row["children"])} if row["children"] else row["title"] for row in rows
    ]


def nodes(*items: Any) -> list[dict[str, Any]]:
    """Return a menu to send: a title, or a title with those below it."""
    return [
        {"title": item, "children": []}
        if isinstance(item, str)
        else {"title": next(iter(item)), "children": nodes(*next(iter(item.values())))}
        for item in items
    ]


def menu_of(client: Any, queue: Queue) -> list[dict[str, Any]]:
    rows: list[dict[str, Any]] = client.get(f"/api/queue/{queue.pk}").json()["options"]
    return rows


def put_menu(client: Any, queue: Queue, options: Any, **body: Any) -> Any:
    return client.put(f"/api/queue/{queue.pk}", {"options": options, **body}, format="json")


def test_an_option_is_made_read_changed_and_deleted(
    client_for: ClientFor, admin: User, queue: Queue, events: list[dict[str, Any]]
) -> None:
    client, other = client_for(admin), make_queue(admin.company)
    body = {
        "title": "Trocas",
        "message": " Como podemos ajudar? ",
        "option": "1",
        "queueId": queue.pk,
        "parentId": -1,
        "redirectionQueueId": other.pk,
        "tagId": None,
        "asks": "",
        "asksField": "",
        "asksTogether": False,
    }
    answer = client.post(OPTIONS, body, format="json")
    assert answer.status_code == 201, answer.content
    row = answer.json()
    assert row == {
        **body,
        **{key: row[key] for key in ("id", "createdAt", "updatedAt")},
        "option": 1,
        "parentId": None,
        **dict.fromkeys(("mediaPath", "mediaName", "mediaMime", "mediaSize")),
        "children": [],
    }
    # As dialogs do, which send the whole record back.
    change = {**row, "message": "", "redirectionQueueId": "", "parentId": -1}
    changed = client.put(f"{OPTIONS}/{row['id']}/", change, format="json")
    assert changed.status_code == 200, changed.content
    assert (changed.json()["message"], changed.json()["redirectionQueueId"]) == ("", None)
    answer = client.delete(f"{OPTIONS}/{row['id']}")
    assert (answer.status_code, answer.json()) == (200, {"message": "Opção excluída."})
    assert client.get(f"{OPTIONS}?queueId={queue.pk}").json() == []
    assert [event["event"] for event in events] == ["queue"] * 3
    assert {event["payload"]["queue"]["id"] for event in events} == {queue.pk}
    assert {event["company_id"] for event in events} == {admin.company_id}


def test_the_list_is_a_level_with_what_is_below_it(
    client_for: ClientFor, agent: User, admin: User, queue: Queue, django_assert_num_queries: Any
) -> None:
    put_menu(client_for(admin), queue, nodes({"A": [{"B": ["C"]}, "D"]}, "E"))
    put_menu(client_for(admin), make_queue(agent.company), nodes("Outra"))
    client = client_for(User.objects.select_related("company__plan").get(pk=agent.pk))
    with django_assert_num_queries(1):
        top = client.get(f"{OPTIONS}?queueId={queue.pk}&parentId=-1").json()
    assert titles(top) == [{"A": [{"B": ["C"]}, "D"]}, "E"]
    assert [row["option"] for row in top] == [1, 2]
    assert client.get(f"{OPTIONS}/?queueId={queue.pk}").json() == top
    for query in (f"parentId={top[0]['id']}", f"queueId={queue.pk}&parentId={top[0]['id']}"):
        with django_assert_num_queries(1):
            level = client.get(f"{OPTIONS}?{query}").json()
        assert titles(level) == [{"B": ["C"]}, "D"]


def test_a_list_needs_a_queue_or_a_node_and_shows_nothing_of_others(
    client_for: ClientFor, agent: User, queue: Queue, outsider: User
) -> None:
    option = queue.options.create(title="Segredo")
    answer = client_for(agent).get(OPTIONS)
    assert (answer.status_code, list(answer.json()["fields"])) == (400, ["queueId"])
    for query in (f"queueId={queue.pk}", f"parentId={option.pk}"):
        assert client_for(outsider).get(f"{OPTIONS}?{query}").json() == []


def test_a_queue_is_read_with_its_menu_in_two_queries(
    client_for: ClientFor, agent: User, admin: User, queue: Queue, django_assert_num_queries: Any
) -> None:
    put_menu(client_for(admin), queue, nodes({"A": [{"B": ["C", "D", "E"]}]}, "F", "G"))
    client = client_for(User.objects.select_related("company__plan").get(pk=agent.pk))
    with django_assert_num_queries(2):
        assert titles(menu_of(client, queue)) == [{"A": [{"B": ["C", "D", "E"]}]}, "F", "G"]


def test_places_count_from_one_without_gaps(
    client_for: ClientFor, admin: User, queue: Queue
) -> None:
    client = client_for(admin)

    def add(title: str, **body: Any) -> int:
        body = {"title": title, "queueId": queue.pk, "parentId": -1, **body}
        option_id: int = client.post(OPTIONS, body, format="json").json()["id"]
        return option_id

    last = add("B", option=7)
    add("C")
    add("A", option=0)
    assert titles(menu_of(client, queue)) == ["A", "B", "C"]
    client.put(f"{OPTIONS}/{last}", {"option": 9}, format="json")
    assert titles(menu_of(client, queue)) == ["A", "C", "B"]
    client.put(f"{OPTIONS}/{last}", {"title": "B2"}, format="json")
    client.put(f"{OPTIONS}/{last}", {"option": 2}, format="json")
    assert titles(menu_of(client, queue)) == ["A", "B2", "C"]
    client.delete(f"{OPTIONS}/{last}")
    assert [row["option"] for row in menu_of(client, queue)] == [1, 2]
    assert list(queue.options.values_list("position", flat=True)) == [1, 2]


def test_a_node_moves_but_never_below_itself(
    client_for: ClientFor, admin: User, queue: Queue
) -> None:
    client = client_for(admin)
    put_menu(client, queue, nodes({"A": [{"B": ["C"]}]}, "D"))
    ids = dict(queue.options.values_list("title", "pk"))

    def move(title: str, to: str | None) -> Any:
        parent_id = ids[to] if to else None
        return client.put(f"{OPTIONS}/{ids[title]}", {"parentId": parent_id}, format="json")

    for to in ("A", "B", "C"):
        answer = move("A", to)
        assert (answer.status_code, answer.json()["code"]) == (400, "ERR_OPTION_CYCLE")
        assert list(answer.json()["fields"]) == ["parentId"]
    assert move("B", "D").status_code == 200
    assert titles(menu_of(client, queue)) == ["A", {"D": [{"B": ["C"]}]}]
    assert move("D", "A").status_code == 200
    assert titles(menu_of(client, queue)) == [{"A": [{"D": [{"B": ["C"]}]}]}]
    assert move("B", None).status_code == 200
    assert titles(menu_of(client, queue)) == [{"A": ["D"]}, {"B": ["C"]}]
    other = make_queue(admin.company).options.create(title="De outra")
    ids["other"] = other.pk
    assert list(move("A", "other").json()["fields"]) == ["parentId"]


def test_a_menu_has_ten_levels_at_most(client_for: ClientFor, admin: User, queue: Queue) -> None:
    client = client_for(admin)
    menu: list[Any] = ["10"]
    for level in range(9, 0, -1):
        menu = [{str(level): menu}]
    assert put_menu(client, queue, nodes(*menu)).status_code == 200
    refused = put_menu(client, queue, nodes({"0": menu}))
    assert refused.status_code == 400
    (field,) = refused.json()["fields"]
    assert field == "options.0" + ".children.0" * 9 + ".children"
    ids = dict(queue.options.values_list("title", "pk"))
    below = client.post(
        OPTIONS, {"title": "11", "queueId": queue.pk, "parentId": ids["10"]}, format="json"
    )
    assert (below.status_code, below.json()["code"]) == (400, "ERR_MENU_TOO_DEEP")
    assert put_menu(client, queue, [*menu_of(client, queue), *nodes("B")]).status_code == 200
    lone = queue.options.get(title="B")
    answer = client.put(f"{OPTIONS}/{ids['1']}", {"parentId": lone.pk}, format="json")
    assert (answer.status_code, answer.json()["code"]) == (400, "ERR_MENU_TOO_DEEP")


def test_a_menu_has_two_hundred_options_at_most(
    client_for: ClientFor, admin: User, queue: Queue, django_assert_max_num_queries: Any
) -> None:
    client = client_for(admin)
    refused = put_menu(client, queue, nodes(*map(str, range(201))))
    assert (refused.status_code, list(refused.json()["fields"])) == (400, ["options"])
    with django_assert_max_num_queries(14):
        assert put_menu(client, queue, nodes(*map(str, range(200)))).status_code == 200
    body = {"title": "A mais", "queueId": queue.pk, "parentId": -1}
    answer = client.post(OPTIONS, body, format="json")
    assert (answer.status_code, answer.json()["code"]) == (400, "ERR_MENU_TOO_LARGE")


def test_a_menu_as_deep_as_a_request_goes_is_a_400(
    client_for: ClientFor, admin: User, queue: Queue
) -> None:
    deep = '{"title":"A","children":[' * 200 + "]}" * 200
    answer = client_for(admin).put(
        f"/api/queue/{queue.pk}", '{"options":[' + deep + "]}", content_type="application/json"
    )
    assert answer.status_code == 400


def test_a_whole_menu_is_replaced_and_kept_nodes_keep_their_ids(
    client_for: ClientFor, admin: User, queue: Queue, events: list[dict[str, Any]]
) -> None:
    client, other = client_for(admin), make_queue(admin.company)
    put_menu(client, queue, nodes({"A": [{"B": ["C"]}]}, "D"))
    ids = dict(queue.options.values_list("title", "pk"))
    # B leaves A, which goes; C goes from B to the top; E is new.
    answer = put_menu(
        client,
        queue,
        [
            {"title": "C", "id": ids["C"], "redirectionQueueId": other.pk},
            {"title": "E", "children": [{"title": "B2", "id": ids["B"], "message": "Oi"}]},
        ],
    )
    assert answer.status_code == 200, answer.content
    assert titles(answer.json()["options"]) == ["C", {"E": ["B2"]}]
    assert answer.json()["options"] == menu_of(client, queue)
    after = dict(queue.options.values_list("title", "pk"))
    assert (after["C"], after["B2"]) == (ids["C"], ids["B"])
    assert set(after) == {"C", "E", "B2"}
    assert answer.json()["options"][0]["redirectionQueueId"] == other.pk
    assert [event["payload"]["action"] for event in events] == ["update", "update"]
    client.put(f"/api/queue/{queue.pk}", {"name": "Outro nome"}, format="json")
    assert titles(menu_of(client, queue)) == ["C", {"E": ["B2"]}]
    assert put_menu(client, queue, []).json()["options"] == []


def test_a_new_queue_comes_with_its_menu_or_not_at_all(
    client_for: ClientFor, admin: User, queue: Queue
) -> None:
    client = client_for(admin)
    new = {"name": "Suporte", "color": "#112233", "orderQueue": 2}
    wrong = {**new, "options": [{"title": "A", "redirectionQueueId": 999_999}]}
    refused = client.post("/api/queue", wrong, format="json")
    assert list(refused.json()["fields"]) == ["options.0.redirectionQueueId"]
    assert not Queue.objects.filter(name="Suporte").exists()
    made = client.post("/api/queue", {**new, "options": nodes({"A": ["B"]})}, format="json")
    assert made.status_code == 201
    assert titles(made.json()["options"]) == [{"A": ["B"]}]


@pytest.mark.parametrize(
    ("options", "field"),
    [
        ("menu", "options"),
        (None, "options"),
        ([1], "options.0"),
        ([{}], "options.0.title"),
        ([{"title": " "}], "options.0.title"),
        ([{"title": "a" * 101}], "options.0.title"),
        ([{"title": "A", "message": "a" * 4097}], "options.0.message"),
        ([{"title": "A", "children": "B"}], "options.0.children"),
        ([{"title": "A", "children": [{"title": "B"}, {"id": 1}]}], "options.0.children.1.title"),
        ([{"title": "A", "id": "x"}], "options.0.id"),
        ([{"title": "A", "id": 999_999}], "options.0.id"),
        ([{"title": "A", "redirectionQueueId": 999_999}], "options.0.redirectionQueueId"),
        ([{"title": "A", "children": [{"title": "B", "id": 999_999}]}], "options.0.children.0.id"),
    ],
)
def test_what_is_wrong_with_a_node_is_said_at_its_place(
    client_for: ClientFor, admin: User, queue: Queue, options: Any, field: str
) -> None:
    queue.options.create(title="Antes")
    answer = put_menu(client_for(admin), queue, options, name="Outro nome")
    assert (answer.status_code, list(answer.json()["fields"])) == (400, [field])
    queue.refresh_from_db()
    assert queue.name == "Vendas"
    assert queue.options.get().title == "Antes"


def test_a_node_stands_once_in_the_menu_of_its_queue(
    client_for: ClientFor, admin: User, queue: Queue, globex: Company
) -> None:
    client = client_for(admin)
    own = queue.options.create(title="A")
    sibling = make_queue(admin.company).options.create(title="B")
    foreign = make_queue(globex).options.create(title="C")
    twice = {"title": "A", "id": own.pk, "children": [{"title": "A", "id": own.pk}]}
    assert list(put_menu(client, queue, [twice]).json()["fields"]) == ["options.0.children.0.id"]
    for other in (sibling, foreign):
        answer = put_menu(client, queue, [{"title": "X", "id": other.pk}])
        assert (answer.status_code, list(answer.json()["fields"])) == (400, ["options.0.id"])
    assert QueueOption.objects.count() == 3


def test_an_option_leads_to_another_queue_of_the_company(
    client_for: ClientFor, admin: User, queue: Queue, globex: Company
) -> None:
    client = client_for(admin)
    option = queue.options.create(title="A")
    for target in (queue.pk, make_queue(globex).pk):
        single = client.put(f"{OPTIONS}/{option.pk}", {"redirectionQueueId": target}, format="json")
        assert (single.status_code, list(single.json()["fields"])) == (400, ["redirectionQueueId"])
        whole = put_menu(client, queue, [{"title": "A", "redirectionQueueId": target}])
        assert list(whole.json()["fields"]) == ["options.0.redirectionQueueId"]


def test_an_option_does_not_move_to_another_queue(
    client_for: ClientFor, admin: User, queue: Queue
) -> None:
    option = queue.options.create(title="A")
    body = {"title": "A", "queueId": make_queue(admin.company).pk}
    answer = client_for(admin).put(f"{OPTIONS}/{option.pk}", body, format="json")
    assert (answer.status_code, list(answer.json()["fields"])) == (400, ["queueId"])


def test_who_saves_over_somebody_elses_menu_is_told_first(
    client_for: ClientFor, admin: User, queue: Queue
) -> None:
    client = client_for(admin)
    seen = client.get(f"/api/queue/{queue.pk}").json()["updatedAt"]
    first = put_menu(client, queue, nodes("Da Alice"), ifUpdatedAt=seen)
    assert first.status_code == 200
    second = put_menu(client, queue, nodes("Do Bob"), ifUpdatedAt=seen)
    assert (second.status_code, second.json()["code"]) == (409, "ERR_QUEUE_CHANGED")
    assert titles(menu_of(client, queue)) == ["Da Alice"]
    assert put_menu(client, queue, nodes("Do Bob")).status_code == 200
    seen = client.get(f"/api/queue/{queue.pk}").json()["updatedAt"]
    body = {"title": "Mais uma", "queueId": queue.pk, "parentId": -1}
    assert client.post(OPTIONS, body, format="json").status_code == 201
    assert put_menu(client, queue, [], ifUpdatedAt=seen).status_code == 409


def test_a_deleted_queue_takes_its_menu_along_and_frees_the_options_that_led_to_it(
    client_for: ClientFor, admin: User, queue: Queue
) -> None:
    client, other = client_for(admin), make_queue(admin.company)
    put_menu(client, queue, nodes({"A": ["B"]}))
    leading = other.options.create(title="C", redirection_queue=queue)
    assert client.delete(f"/api/queue/{queue.pk}").status_code == 200
    leading.refresh_from_db()
    assert leading.redirection_queue_id is None
    assert list(QueueOption.objects.all()) == [leading]


def test_an_option_sets_a_tag_of_its_company(
    client_for: ClientFor, admin: User, queue: Queue, globex: Company
) -> None:
    client = client_for(admin)
    path = f"/api/queue/{queue.pk}"
    tag, foreign = make_tag(admin.company), make_tag(globex)
    menu = [{"title": "A", "children": [{"title": "B", "tagId": tag.pk}]}]
    saved = client.put(path, {"options": menu}, format="json").json()["options"][0]
    assert (saved["tagId"], saved["children"][0]["tagId"]) == (None, tag.pk)
    menu[0]["children"][0]["tagId"] = foreign.pk  # type: ignore[index]
    refused = client.put(path, {"options": menu}, format="json")
    assert list(refused.json()["fields"]) == ["options.0.children.0.tagId"]
    one = f"/api/queue-options/{saved['id']}"
    assert client.put(one, {"tagId": tag.pk}, format="json").json()["tagId"] == tag.pk
    assert list(client.put(one, {"tagId": foreign.pk}, format="json").json()["fields"]) == ["tagId"]
    tag.delete()
    assert client.get(path).json()["options"][0]["tagId"] is None
