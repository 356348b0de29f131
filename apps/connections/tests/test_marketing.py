"""Marketing templates go by the API that their account has (rules/messages §8)."""

from typing import Any

import httpx
import orjson
import pytest
from pywa.client import WhatsApp
from pywa.types.templates import BodyText, TemplateLanguage

from apps.companies.models import Company
from apps.connections.models import Connection
from apps.connections.providers.base import ProviderError
from apps.connections.providers.content import SendContext, TemplateSend
from apps.connections.providers.inbound import InboundAccount
from apps.connections.providers.official.accounts import read_account
from apps.connections.services import provider_for, send_template
from apps.connections.services.sessions import apply_account_change
from tests.factories import make_connection
from tests.graph import GraphServer, graph_error

pytestmark = pytest.mark.django_db

TERMS = "(#200) You must accept the Marketing Messages Lite API terms to use the API."


@pytest.fixture
def graph(settings: Any) -> Any:
    server = GraphServer()
    settings.GRAPH_API_URL = server.url
    yield server
    server.stop()


def send(connection: Connection, category: str = "MARKETING") -> Any:
    context = SendContext("5511999990000", "5a3fdd5e-6c3a-4bb4-a89b-4a9a1e4f6a10")
    connection.refresh_from_db()
    return send_template(
        provider_for(connection), connection, context, TemplateSend("a", "pt_BR", (), category)
    )


def ways_of(graph: GraphServer) -> list[str]:
    return [path.rpartition("/")[2] for path in graph.paths]


def refusing(**codes: int) -> Any:
    """Refuse what comes to these edges."""

    def fault(payload: dict[str, Any]) -> Any:
        edge = payload["edge"]
        return graph_error(codes[edge]) if edge in codes else False

    return fault


def test_an_unknown_account_sends_by_messages(connection: Connection, graph: GraphServer) -> None:
    assert send(connection).external_id
    assert ways_of(graph) == ["messages"]
    connection.refresh_from_db()
    assert (connection.marketing_way, connection.marketing_way_at) == ("", None)


def test_131063_sends_this_message_by_marketing_messages_and_is_kept_for_the_account(
    acme: Company, globex: Company, connection: Connection, graph: GraphServer
) -> None:
    beside = make_connection(acme, name="Outro", waba_id=connection.waba_id)
    foreign = make_connection(globex, name="Alheio", waba_id="another")
    graph.fault = refusing(messages=131063)
    assert send(connection).external_id
    assert ways_of(graph) == ["messages", "marketing_messages"]
    assert len(graph.messages) == 1
    for number in (connection, beside, foreign):
        number.refresh_from_db()
    assert connection.marketing_way == beside.marketing_way == "marketing_messages"
    assert connection.marketing_way_at is not None
    assert foreign.marketing_way == ""
    send(beside)
    assert ways_of(graph)[2:] == ["marketing_messages"]


def test_the_send_is_that_of_an_independent_client(
    connection: Connection, graph: GraphServer
) -> None:
    asked: list[httpx.Request] = []

    def answer(request: httpx.Request) -> httpx.Response:
        asked.append(request)
        contact = {"input": "5511999990000", "wa_id": "5511999990000", "user_id": "BR.1"}
        return httpx.Response(200, json={"contacts": [contact], "messages": [{"id": "wamid.1"}]})

    session = httpx.Client(transport=httpx.MockTransport(answer))
    client = WhatsApp(phone_id=connection.phone_number_id, token="t", session=session)
    params: Any = BodyText
    client.send_template(
        "5511999990000",
        "novidades",
        TemplateLanguage.PORTUGUESE_BR,
        [params.params("Ana")],
        use_mm_lite_api=True,
        tracker="5a3fdd5e-6c3a-4bb4-a89b-4a9a1e4f6a10",
    )
    Connection.objects.update(marketing_way="marketing_messages")
    connection.refresh_from_db()
    body = {"type": "BODY", "parameters": [{"type": "text", "text": "Ana"}]}
    context = SendContext("5511999990000", "5a3fdd5e-6c3a-4bb4-a89b-4a9a1e4f6a10")
    template = TemplateSend("novidades", "pt_BR", (body,), "MARKETING")
    send_template(provider_for(connection), connection, context, template)
    [theirs], [path], [ours] = asked, graph.paths, graph.messages
    assert path.split("/")[2:] == theirs.url.path.split("/")[2:]
    assert ours == orjson.loads(theirs.content)


def test_an_account_without_the_terms_goes_back_to_messages(
    connection: Connection, graph: GraphServer
) -> None:
    Connection.objects.update(marketing_way="marketing_messages")
    graph.fault = refusing(marketing_messages=131055)
    assert send(connection).external_id
    assert ways_of(graph) == ["marketing_messages", "messages"]
    connection.refresh_from_db()
    assert connection.marketing_way == "messages"


@pytest.mark.parametrize("code", [134100, 134101, 134102, 131009])
def test_a_template_that_marketing_messages_does_not_take_goes_by_messages_alone(
    connection: Connection, graph: GraphServer, code: int
) -> None:
    Connection.objects.update(marketing_way="marketing_messages")
    graph.fault = refusing(marketing_messages=code)
    assert send(connection).external_id
    assert ways_of(graph) == ["marketing_messages", "messages"]
    connection.refresh_from_db()
    assert connection.marketing_way == "marketing_messages"


def test_of_two_refusals_the_one_that_tells_more_counts(
    connection: Connection, graph: GraphServer
) -> None:
    graph.fault = refusing(messages=131063, marketing_messages=131055)
    with pytest.raises(ProviderError) as refused:
        send(connection)
    assert (refused.value.code, refused.value.permanent) == ("131055", True)
    graph.fault = refusing(messages=131063, marketing_messages=134101)
    with pytest.raises(ProviderError) as refused:
        send(connection)
    assert (refused.value.code, refused.value.permanent) == ("134101", False)
    assert graph.messages == []


def test_other_refusals_and_lost_answers_are_not_tried_elsewhere(
    connection: Connection, graph: GraphServer
) -> None:
    graph.fault = refusing(messages=131026)
    with pytest.raises(ProviderError):
        send(connection)
    graph.fault = lambda payload: False
    graph.after = lambda payload: None
    with pytest.raises(ProviderError) as lost:
        send(connection)
    assert lost.value.outcome_unknown
    assert ways_of(graph) == ["messages", "messages"]


def test_utility_always_goes_by_messages(connection: Connection, graph: GraphServer) -> None:
    Connection.objects.update(marketing_way="marketing_messages")
    send(connection, "UTILITY")
    assert ways_of(graph) == ["messages"]


def test_signed_terms_open_marketing_messages(connection: Connection, graph: GraphServer) -> None:
    notice = {"time": 1764480000, "value": {"event": "MM_LITE_TERMS_SIGNED"}}
    change = read_account(notice)
    assert isinstance(change, InboundAccount)
    status = connection.status
    apply_account_change(connection, change)
    send(connection)
    connection.refresh_from_db()
    assert (connection.marketing_way, connection.status) == ("marketing_messages", status)
    assert ways_of(graph) == ["marketing_messages"]


def test_a_message_that_meta_assesses_is_accepted(
    connection: Connection, graph: GraphServer
) -> None:
    graph.held = True
    assert send(connection).held == "held_for_quality_assessment"
