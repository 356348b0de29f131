"""What a socket may be, without a network."""

import pytest
from pytest_django import Settings

from apps.realtime.server import WireJson, handshake_of, is_allowed_origin


@pytest.mark.parametrize(
    ("origin", "is_allowed"),
    [
        (None, True),
        ("", True),
        ("https://inbox.example", True),
        ("https://front.example", True),
        ("http://127.0.0.1:8000", True),
        ("https://evil.example", False),
        ("https://inbox.example.evil.example", False),
        ("null", False),
        ("http://[", False),
    ],
)
def test_pages_of_our_own_and_listed_origins_may_connect(
    settings: Settings, origin: str | None, is_allowed: bool
) -> None:
    settings.PUBLIC_URL = "https://inbox.example"
    settings.CORS_ALLOWED_ORIGINS = ["https://front.example"]
    assert is_allowed_origin(origin, "127.0.0.1:8000") is is_allowed


def test_a_handshake_is_read_from_query_cookies_and_token() -> None:
    handshake = handshake_of(
        "EIO=4&companyId=3&userId=undefined&token=Bearer%20abc", "theme=dark; jrt=xyz"
    )
    assert handshake.token == "abc"
    assert (handshake.company_id, handshake.user_id) == ("3", "")
    assert handshake.cookies["jrt"] == "xyz"
    assert handshake_of("token=query", "", "auth").token == "auth"
    assert handshake_of("companyId=%FF&&=", "a b; ;=;\x00").token == ""


@pytest.mark.parametrize("neighbour", ['view={"a":1}', "a/b=1", "flag", "nome=José", 'x="'])
def test_the_refresh_cookie_is_read_beside_any_other(neighbour: str) -> None:
    assert handshake_of("", f"{neighbour}; jrt=xyz").cookies["jrt"] == "xyz"


def test_json_of_packets() -> None:
    assert WireJson.dumps(["é", 1], separators=(",", ":")) == '["é",1]'
    with pytest.raises(ValueError, match="unexpected"):
        WireJson.loads("[")
