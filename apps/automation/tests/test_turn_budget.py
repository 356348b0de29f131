"""However long each step takes, a turn ends within the time its claim lasts."""

from typing import Any

import pytest

from apps.automation.clients import asaas, openai_prompt, typebot
from apps.automation.clients.base import ClientError
from apps.automation.tests.turns import make_turn
from apps.automation.tests.wire import Answer, wire_server


def test_a_flow_that_never_ends_its_answer_is_given_up(
    settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings.ALLOW_PRIVATE_TARGETS = ["127.0.0.0/8"]
    monkeypatch.setattr(typebot, "TURN_SECONDS", 0.0)
    with wire_server() as server:
        with pytest.raises(ClientError, match="demorou demais") as raised:
            typebot.TypebotClient(url=server.url, slug="x").take_turn(make_turn())
        assert server.received == []
    assert not raised.value.permanent


def test_an_account_with_endless_pages_is_given_up(
    settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings.ALLOW_PRIVATE_TARGETS = ["127.0.0.0/8"]
    with wire_server() as server:
        client = asaas.AsaasClient(token="x", url=server.url)
        server.handler = lambda request: Answer(body={"data": [{"id": "a"}], "hasMore": True})
        monkeypatch.setattr(asaas, "TURN_SECONDS", 0.0)
        with pytest.raises(ClientError, match="demorou demais"):
            client.take_turn(make_turn("529.982.247-25"))


def test_a_turn_is_over_before_its_claim_runs_out(settings: Any) -> None:
    longest = max(
        typebot.TURN_SECONDS + typebot.FILES_SECONDS,
        asaas.TURN_SECONDS,
        openai_prompt.LONGEST_TURN_SECONDS,
    )
    assert longest * 2 < settings.TURN_LEASE_SECONDS


def test_a_test_of_a_flow_ends_earlier(settings: Any) -> None:
    settings.ALLOW_PRIVATE_TARGETS = ["127.0.0.0/8"]
    with wire_server() as server:
        client = typebot.TypebotClient(url=server.url, slug="x", turn_seconds=0)
        with pytest.raises(ClientError, match="demorou demais"):
            client.take_turn(make_turn())
        assert server.received == []
