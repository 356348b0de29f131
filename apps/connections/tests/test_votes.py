"""Votes as WhatsApp encrypts them: made with Baileys' own functions and opened here."""

import json
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from apps.connections.providers.votes import chosen_options, voted_at

MADE = json.loads((Path(__file__).parent / "data" / "poll_votes.json").read_text())
NOW = datetime(2026, 11, 20, 12, tzinfo=UTC)


def chosen(vote: Any, **changes: Any) -> list[str] | None:
    known = {"secret": MADE["secret"], "poll_id": MADE["pollId"], "options": MADE["options"]}
    places = chosen_options(json.dumps(vote), **(known | changes))
    return None if places is None else [MADE["options"][place] for place in places]


@pytest.mark.parametrize("made", MADE["votes"].values(), ids=MADE["votes"])
def test_a_vote_opens_by_whichever_address_it_was_made_with(made: Any) -> None:
    assert chosen(made["vote"]) == made["chosen"]


@pytest.mark.parametrize(
    "changes",
    [
        {"voters": ["5511900000009@s.whatsapp.net"]},
        {"creators": []},
        {"payload": "AAAA"},
        {"payload": "é"},
        {"payload": None},
        {"iv": ""},
        {"iv": 7},
        {"voters": {"a": 1}},
    ],
)
def test_a_vote_by_another_or_of_another_form_is_none(changes: dict[str, Any]) -> None:
    assert chosen(MADE["votes"]["number"]["vote"] | changes) is None


@pytest.mark.parametrize("changes", [{"poll_id": "OTHER"}, {"secret": "AAAA"}, {"secret": ""}])
def test_a_vote_on_another_poll_is_none_on_this(changes: dict[str, str]) -> None:
    assert chosen(MADE["votes"]["number"]["vote"], **changes) is None


@pytest.mark.parametrize("vote", ["", "[]", "{", "null"])
def test_what_is_no_vote_is_none(vote: str) -> None:
    assert chosen_options(vote, secret=MADE["secret"], poll_id="A", options=[]) is None
    assert voted_at(vote, otherwise=NOW) == NOW


def test_the_time_of_a_vote_is_the_phones_unless_that_is_far_ahead() -> None:
    assert voted_at('{"at": 1790000000000}', otherwise=NOW) == datetime.fromtimestamp(
        1_790_000_000, tz=UTC
    )
    ahead = int((datetime.now(tz=UTC) + timedelta(days=2)).timestamp() * 1000)
    for odd in (ahead, 10**30, -1, 0, True, "x", 1.5):
        assert voted_at(json.dumps({"at": odd}), otherwise=NOW) == NOW
