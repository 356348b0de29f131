"""Real-looking notifications, split and read; then the same bodies broken in every place."""

import copy
import random
import time
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import orjson
import pytest

from apps.connections.providers.inbound import (
    InboundAccount,
    InboundCall,
    InboundFigures,
    InboundMedia,
    InboundMessage,
    InboundStatus,
    InboundTemplate,
)
from apps.connections.providers.official.webhook import field_of, notices, parse_notice

DATA = Path(__file__).parent / "data"
FILES = ("batch_messages", "batch_statuses", "other_fields")
HOSTILE: tuple[Any, ...] = (
    None,
    True,
    0,
    -1,
    2**70,
    1.5,
    float("inf"),
    float("nan"),
    "",
    "\x00",
    "x" * 5000,
    "99999999999999999999",
    [],
    [None],
    [[]],
    {},
    {"id": {}},
)


def body_of(name: str) -> Any:
    return orjson.loads((DATA / f"{name}.json").read_bytes())


def messages() -> dict[str, InboundMessage]:
    found = {}
    for name in ("batch_messages", "other_fields"):
        for _, notice in notices(body_of(name)):
            read = parse_notice(notice.kind, notice.payload)
            if isinstance(read, InboundMessage):
                found[read.external_id.removeprefix("wamid.")] = read
    return found


def test_a_batch_loses_nothing_and_keeps_its_order() -> None:
    body = body_of("batch_messages")
    sent = [
        (change["value"]["metadata"]["phone_number_id"], f"message:{message['id']}")
        for entry in body["entry"]
        for change in entry["changes"]
        for message in change["value"]["messages"]
    ]
    routed = notices(body)
    assert [(number, notice.event_id) for number, notice in routed] == sent
    assert len({notice.event_id for _, notice in routed}) == len(sent) == 24
    assert {notice.kind for _, notice in routed} == {"message"}


def test_a_notice_keeps_the_envelope_of_its_own_contact() -> None:
    first, second, *_ = (notice for _, notice in notices(body_of("batch_messages")))
    assert first.partition == "BR.1001"
    assert first.payload["contact"]["profile"]["name"] == "Ana Souza"
    assert first.payload["contact"]["user_id"] == "BR.1001"
    assert first.payload["metadata"]["phone_number_id"] == "100000000000009"
    assert first.payload["waba_id"] == "200000000000009"
    assert second.partition == "5511999990002"
    assert second.payload["contact"]["profile"]["name"] == "Bruno Lima"


def test_a_text() -> None:
    text = messages()["text"]
    assert (text.media_type, text.body) == ("conversation", "Bom dia! Vocês abrem hoje?")
    assert (text.sender, text.sender_name, text.lid) == ("5511999990001", "Ana Souza", "BR.1001")
    assert text.sent_at == datetime(2025, 11, 21, 2, 0, tzinfo=UTC)
    assert not text.from_me
    assert text.raw["type"] == "text"


def test_a_reply_names_what_it_answers() -> None:
    assert messages()["reply"].reply_to == "wamid.ours"


@pytest.mark.parametrize(
    ("name", "media_type", "body", "mime"),
    [
        ("image", "image", "Chegou assim", "image/jpeg"),
        ("sticker", "sticker", "", "image/webp"),
        ("voice", "audio", "", "audio/ogg; codecs=opus"),
        ("audio", "audio", "", "audio/mpeg"),
        ("video", "video", "", "video/mp4"),
        ("document", "application", "comprovante.pdf", "application/pdf"),
    ],
)
def test_media(name: str, media_type: str, body: str, mime: str) -> None:
    message = messages()[name]
    assert (message.media_type, message.body) == (media_type, body)
    assert isinstance(message.media, InboundMedia)
    assert message.media.mime == mime
    assert message.media.media_id.isdigit()
    assert message.media.is_voice == (name == "voice")


def test_a_document_keeps_its_name() -> None:
    media = messages()["document"].media
    assert media
    assert media.name == "comprovante.pdf"


def test_a_location_is_image_link_and_description() -> None:
    message = messages()["location"]
    assert message.media_type == "locationMessage"
    assert message.body == (
        "|https://maps.google.com/?q=-22.9711,-43.1822|Posto 6, Av. Atlântica, 4240 / Copacabana"
    )
    assert message.data
    assert message.data["latitude"] == -22.9711


def test_a_contact_card_is_a_vcard() -> None:
    message = messages()["contacts"]
    assert message.media_type == "vcard"
    assert message.body.split("\n") == [
        "BEGIN:VCARD",
        "VERSION:3.0",
        "N:da Silva;João;;;",
        "FN:João da Silva",
        "TEL;type=CELL;waid=5521988880000:+55 21 98888-0000",
        "TEL;type=WORK:+55 21 3333-0000",
        "END:VCARD",
    ]
    assert message.data
    assert message.data["contacts"][0]["name"]["first_name"] == "João"


@pytest.mark.parametrize(
    ("name", "body", "choice"),
    [
        ("button", "Confirmar", "confirmar-12"),
        ("choice", "Vendas", "7"),
        ("row", "Suporte", "9"),
        ("flow", "nome: Carla", ""),
    ],
)
def test_answers_to_menus(name: str, body: str, choice: str) -> None:
    message = messages()[name]
    assert (message.media_type, message.body) == ("conversation", body)
    assert message.choice_id == choice


@pytest.mark.parametrize(
    ("reply", "kind", "body"),
    [
        ({"response": "accept", "is_permanent": True}, "call_log", "Permitiu ligações"),
        (
            {"response": "accept", "expiration_timestamp": str(int(time.time()) + 604_800)},
            "call_log",
            "Permitiu ligações por enquanto",
        ),
        ({"response": "reject"}, "call_log", "Não permitiu ligações"),
        ({"response": "later"}, "unknown", "unknown"),
    ],
)
def test_what_somebody_says_to_being_called(reply: Any, kind: str, body: str) -> None:
    interactive = {"type": "call_permission_reply", "call_permission_reply": reply}
    message = {"from": "5511", "id": "w", "type": "interactive", "interactive": interactive}
    read = parse_notice("message", {"message": message})
    assert isinstance(read, InboundMessage)
    assert (read.media_type, read.body, read.choice_id) == (kind, body, "")


def test_a_reaction_and_its_taking_back() -> None:
    given, taken = messages()["reaction"], messages()["unreaction"]
    assert (given.reaction_to, given.reaction) == ("wamid.ours", "❤️")
    assert (taken.reaction_to, taken.reaction) == ("wamid.ours", "")


@pytest.mark.parametrize("name", ["order", "unsupported", "future"])
def test_what_we_do_not_know_is_kept_as_unknown(name: str) -> None:
    message = messages()[name]
    assert (message.media_type, message.body) == ("unknown", "unknown")
    assert message.raw["id"] == f"wamid.{name}"


def test_an_edit_and_a_revocation_name_the_first_message() -> None:
    edit, revoke = messages()["edit"], messages()["revoke"]
    assert (edit.edits, edit.body) == ("wamid.before", "Corrigindo: às 15h")
    assert revoke.deletes == "wamid.before"


def test_a_message_without_a_type_is_told_by_its_content() -> None:
    assert messages()["untyped"].media_type == "locationMessage"


def test_a_group_is_the_conversation_and_the_writer_its_participant() -> None:
    message = messages()["group"]
    assert message.is_group
    assert message.sender == "Y2FwaV9ncm91cDox"
    assert (message.participant, message.participant_name) == ("5521999990003", "Carla Dias")
    [group] = [n for _, n in notices(body_of("batch_messages")) if n.event_id.endswith(".group")]
    assert group.partition == "Y2FwaV9ncm91cDox"


def test_an_echo_of_the_phone_is_ours_in_the_contact_s_conversation() -> None:
    message = messages()["echo"]
    assert message.from_me
    assert message.sender == "5511999990001"
    [echo] = [n for _, n in notices(body_of("other_fields")) if n.kind == "message"]
    assert echo.partition == "5511999990001"


def test_a_person_known_by_user_id_alone() -> None:
    message = {"from_user_id": "BR.77", "id": "wamid.u", "type": "text", "text": {"body": "Oi"}}
    contact = {"profile": {"name": "Duda", "username": "duda"}, "user_id": "BR.77"}
    value = {"metadata": {"phone_number_id": "1"}, "contacts": [contact], "messages": [message]}
    [(_, notice)] = notices({"entry": [{"changes": [{"field": "messages", "value": value}]}]})
    assert notice.partition == "BR.77"
    read = parse_notice(notice.kind, notice.payload)
    assert isinstance(read, InboundMessage)
    assert (read.sender, read.lid, read.sender_name) == ("", "BR.77", "Duda")
    assert read.sender_username == "duda"


NUMBERED = {"wa_id": "5511999990001"}
NAMED = {"user_id": "BR.77"}


@pytest.mark.parametrize(
    ("items", "contact"),
    [
        ({"messages": [{"from": "5511999990001", "from_user_id": "BR.77"}]}, NUMBERED | NAMED),
        ({"messages": [{"from": "5511999990001"}]}, NUMBERED | NAMED),
        ({"messages": [{"from": "5511999990001", "from_user_id": "BR.77"}]}, {}),
        ({"messages": [{"from_user_id": "BR.77"}]}, NAMED),
        ({"messages": [{"type": "system", "system": {"previous_user_id": "BR.77"}}]}, {}),
        (
            {
                "messages": [
                    {"from_user_id": "BR.78", "system": {"previous_user_id": "BR.77"}},
                ]
            },
            {},
        ),
        ({"message_echoes": [{"to": "5511999990001", "to_user_id": "BR.77"}]}, NUMBERED | NAMED),
        ({"statuses": [{"recipient_id": "5511999990001"}]}, NUMBERED | NAMED),
        ({"statuses": [{"recipient_id": "5511999990001", "recipient_user_id": "BR.77"}]}, {}),
        ({"calls": [{"from": "5511999990001", "from_user_id": "BR.77"}]}, NUMBERED),
        ({"calls": [{"from": "5511999990001"}]}, NUMBERED | NAMED),
        ({"something_new": [{}]}, NUMBERED | NAMED),
    ],
)
def test_one_person_is_one_line_with_and_without_the_number(
    items: dict[str, Any], contact: dict[str, Any]
) -> None:
    value = {"metadata": {"phone_number_id": "1"}, **items}
    if contact:
        value["contacts"] = [contact]
    field = {"message_echoes": "smb_message_echoes", "calls": "calls"}.get(next(iter(items)))
    change = {"field": field or "messages", "value": value}
    [(_, notice)] = notices({"entry": [{"changes": [change]}]})
    assert notice.partition == "BR.77"


def test_what_is_told_of_a_group_stands_in_the_group_s_line() -> None:
    status = {"recipient_id": "Y2Fw", "recipient_type": "group", "recipient_user_id": "BR.77"}
    message = {"from": "5511999990001", "from_user_id": "BR.77", "group_id": "Y2Fw"}
    value = {"metadata": {}, "messages": [message], "statuses": [status]}
    routed = notices({"entry": [{"changes": [{"field": "messages", "value": value}]}]})
    assert [notice.partition for _, notice in routed] == ["Y2Fw", "Y2Fw"]


def test_statuses() -> None:
    routed = notices(body_of("batch_statuses"))
    assert [notice.event_id for _, notice in routed] == [
        "status:wamid.one:read",
        "status:wamid.one:sent",
        "status:wamid.one:delivered",
        "status:wamid.two:failed",
        "status:wamid.three:failed",
        "status:wamid.four:played",
        "status:wamid.five:warning",
    ]
    assert {notice.partition for _, notice in routed[:3]} == {"BR.1001"}
    read = [parse_notice(notice.kind, notice.payload) for _, notice in routed]
    assert [status.ack for status in read if isinstance(status, InboundStatus)] == [
        4,
        2,
        3,
        -1,
        -1,
        5,
    ]
    first, _, _, outside, odd, _, warning = read
    assert isinstance(first, InboundStatus)
    assert first.callback_id == "5a3fdd5e-6c3a-4bb4-a89b-4a9a1e4f6a10"
    assert first.at == datetime(2025, 11, 21, 2, 1, 42, tzinfo=UTC)
    assert isinstance(outside, InboundStatus)
    assert outside.code == "131047"
    assert "24 horas" in outside.error
    assert isinstance(odd, InboundStatus)
    assert odd.error == "A Meta recusou a mensagem: Nobody knows."
    assert warning is None


def test_other_fields_are_kept_as_notices_of_their_own() -> None:
    routed = [(number, n) for number, n in notices(body_of("other_fields")) if n.kind != "message"]
    assert [(number, notice.payload["field"]) for number, notice in routed] == [
        ("", "message_template_status_update"),
        ("", "account_update"),
        ("", "phone_number_quality_update"),
        ("100000000000009", "calls"),
        ("100000000000009", "messages"),
    ]
    assert routed[-1][1].kind == "errors"
    call = routed[-2][1]
    assert call.partition == "5511999990001"
    assert call.payload["contact"]["profile"]["name"] == "Ana Souza"
    assert all(notice.payload["waba_id"] == "200000000000009" for _, notice in routed)
    rest = [notice for _, notice in routed if notice is not call]
    account = rest.pop(1)
    assert account.kind == "account_update"
    assert isinstance(parse_notice(account.kind, account.payload), InboundAccount)
    template = rest.pop(0)
    assert isinstance(parse_notice(template.kind, template.payload), InboundTemplate)
    quality = rest.pop(0)
    assert isinstance(parse_notice(quality.kind, quality.payload), InboundFigures)
    assert all(parse_notice(notice.kind, notice.payload) is None for notice in rest)
    assert len({notice.event_id for _, notice in routed}) == len(routed)


def ringing(**fields: Any) -> Any:
    call = {
        "id": "wacid.A",
        "from": "5511999990001",
        "to": "5511988887777",
        "event": "connect",
        "timestamp": "1763690600",
        "direction": "USER_INITIATED",
        **fields,
    }
    contacts = [{"profile": {"name": "Ana"}, "wa_id": "5511999990001"}]
    metadata = {"phone_number_id": "100000000000009"}
    value = {"metadata": metadata, "contacts": contacts, "calls": [call]}
    return {"entry": [{"id": "2", "changes": [{"field": "calls", "value": value}]}]}


def test_a_contact_who_rings_is_read() -> None:
    sound, picture = (
        ringing(session={"sdp_type": "offer", "sdp": f"v=0\r\nm=audio 1{lines}"})
        for lines in ("", "\r\nm=video 2")
    )
    [(number, notice)] = notices(sound)
    assert (number, notice.event_id) == ("100000000000009", "calls:wacid.A:connect")
    assert notice.partition == "5511999990001"
    assert parse_notice(notice.kind, notice.payload) == InboundCall(
        call_id="wacid.A",
        sender="5511999990001",
        sender_name="Ana",
        at=datetime.fromtimestamp(1763690600, tz=UTC),
    )
    [(_, notice)] = notices(picture)
    read = parse_notice(notice.kind, notice.payload)
    assert isinstance(read, InboundCall) and read.is_video


@pytest.mark.parametrize(
    "fields",
    [{"event": "terminate"}, {"direction": "BUSINESS_INITIATED"}, {"id": ""}, {"id": "x" * 300}],
)
def test_our_own_calls_and_what_comes_after_ask_for_nothing(fields: Any) -> None:
    [(_, notice)] = notices(ringing(**fields))
    assert parse_notice(notice.kind, notice.payload) is None


@pytest.mark.parametrize("name", FILES)
def test_a_replay_has_the_same_ids(name: str) -> None:
    first, second = notices(body_of(name)), notices(body_of(name))
    assert [notice.event_id for _, notice in first] == [notice.event_id for _, notice in second]


def test_what_stands_beside_messages_is_kept() -> None:
    value = {"metadata": {"phone_number_id": "1"}, "messages": [], "novelty": {"a": 1}}
    [(number, notice)] = notices({"entry": [{"changes": [{"field": "messages", "value": value}]}]})
    assert number == "1"
    assert notice.payload["value"] == {"novelty": {"a": 1}}


@pytest.mark.parametrize(
    "field", ["", "novelty", "message", "status", "f" * 99, None, 7, ["messages"]]
)
def test_a_value_of_an_unknown_field_is_kept_whole_and_not_read(field: Any) -> None:
    message = {"from": "5511999990001", "id": "wamid.A", "type": "text", "text": {"body": "Oi"}}
    status = {"id": "wamid.B", "status": "read"}
    value = {
        "metadata": {"phone_number_id": "1"},
        "messages": [message],
        "statuses": [status],
        "calls": [{"id": "wacid.C", "event": "connect", "from": "5511999990001"}],
    }
    change = {"field": field, "value": value}
    [(number, notice)] = notices({"entry": [{"id": "2", "changes": [change]}]})
    is_named = isinstance(field, str | int) and field != ""
    assert notice.kind == ("unknown" if is_named else "malformed")
    assert (number, notice.payload["change"]) == ("1", change)
    assert field_of(notice) == "unknown"
    assert parse_notice(notice.kind, notice.payload) is None


@pytest.mark.parametrize(
    ("field", "key"),
    [("account_update", "messages"), ("calls", "messages"), ("messages", "message_echoes")],
)
def test_a_list_of_another_field_is_not_read(field: str, key: str) -> None:
    message = {"from": "5511", "to": "5512", "id": "w", "type": "text", "text": {"body": "Oi"}}
    value = {"metadata": {"phone_number_id": "1"}, key: [message]}
    [(_, notice)] = notices({"entry": [{"changes": [{"field": field, "value": value}]}]})
    assert (notice.kind, notice.payload["value"]) == (field, {key: [message]})
    assert parse_notice(notice.kind, notice.payload) is None


def test_ids_and_partitions_fit_their_columns() -> None:
    long = "9" * 400
    message = {"from": long, "id": long, "type": "text", "text": {"body": "x"}}
    other = {**message, "id": long + "1", "from": long + "1"}
    value = {"metadata": {"phone_number_id": "1"}, "messages": [message, other]}
    routed = notices({"entry": [{"changes": [{"field": "messages", "value": value}]}]})
    assert all(len(n.event_id) <= 250 and len(n.partition) <= 100 for _, n in routed)
    assert len({n.event_id for _, n in routed}) == len({n.partition for _, n in routed}) == 2


def places(value: Any) -> Iterator[tuple[Any, Any]]:
    """Walk all (container, key) of a body."""
    keys: Any = ()
    if isinstance(value, dict):
        keys = list(value)
    elif isinstance(value, list):
        keys = range(len(value))
    for key in keys:
        yield value, key
        yield from places(value[key])


def assert_harmless(body: Any) -> None:
    for number, notice in notices(body):
        assert isinstance(number, str)
        assert 0 < len(notice.event_id) <= 250
        assert 0 < len(notice.kind) <= 20
        assert len(notice.partition) <= 100
        assert b"\\u0000" not in orjson.dumps(notice.payload)
        read = parse_notice(notice.kind, notice.payload)
        if isinstance(read, InboundMessage):
            assert read.external_id
            assert read.sender or read.lid
            assert isinstance(read.body, str)
            assert read.sent_at.tzinfo


@pytest.mark.parametrize("name", FILES)
def test_no_place_of_a_body_may_break_the_reading(name: str) -> None:
    body = body_of(name)
    chance = random.Random(7)
    for container, key in list(places(body)):
        kept = container[key]
        for hostile in chance.sample(HOSTILE, 6):
            container[key] = copy.deepcopy(hostile)
            assert_harmless(body)
        if isinstance(container, dict):
            del container[key]
            assert_harmless(body)
        container[key] = kept
    assert body == body_of(name)


@pytest.mark.parametrize("hostile", HOSTILE)
def test_no_body_may_break_the_reading(hostile: Any) -> None:
    for body in (hostile, {"entry": hostile}, {"entry": [hostile]}):
        assert_harmless(body)
    assert_harmless({"entry": [{"changes": [{"field": hostile, "value": hostile}]}]})
    for kind in ("message", "status", "calls", ""):
        assert parse_notice(kind, hostile) is None
        bodies = {"message": hostile, "status": hostile, "call": hostile}
        assert parse_notice(kind, bodies) is None


def test_bottomless_nesting_is_cut() -> None:
    deep: Any = "x"
    for _ in range(400):
        deep = {"edit": {"original_message_id": "1", "message": deep}}
    message = {"id": "1", "from": "2", **deep}
    value = {"messages": [message]}
    assert_harmless({"entry": [{"changes": [{"field": "messages", "value": value}]}]})


@pytest.mark.parametrize("years", [-11, 11, -60, 5000])
def test_a_time_beyond_ten_years_is_that_of_arrival(years: int) -> None:
    stamp = str(int((datetime.now(tz=UTC)).timestamp()) + years * 31_557_600)
    message = {"from": "551", "id": "wamid.A", "timestamp": stamp, "type": "text"}
    before = datetime.now(tz=UTC)
    read = parse_notice("message", {"message": {**message, "text": {"body": "oi"}}})
    assert isinstance(read, InboundMessage)
    assert before <= read.sent_at <= datetime.now(tz=UTC)
    status = {"id": "wamid.A", "status": "read", "timestamp": stamp}
    step = parse_notice("status", {"status": status})
    assert isinstance(step, InboundStatus)
    assert step.at is None
    near = {**message, "timestamp": "1763690600", "text": {"body": "oi"}}
    read = parse_notice("message", {"message": near})
    assert isinstance(read, InboundMessage)
    assert read.sent_at == datetime.fromtimestamp(1763690600, tz=UTC)


@pytest.mark.parametrize("number", ["", "abc", "+"])
def test_who_has_no_number_needs_a_user_id(number: str) -> None:
    message = {"from": number, "id": "wamid.A", "type": "text", "text": {"body": "oi"}}
    assert parse_notice("message", {"message": message}) is None
    known = parse_notice("message", {"message": {**message, "from_user_id": "BR.1"}})
    assert isinstance(known, InboundMessage)
    assert (known.sender, known.lid) == ("", "BR.1")


AD = {
    "source_url": "https://fb.me/3cr4Wqqkv",
    "source_id": "120226305854810726",
    "source_type": "ad",
    "body": "Frete grátis até domingo",
    "headline": "Inverno na Loja",
    "media_type": "image",
    "image_url": "https://scontent.xx.fbcdn.net/v/t45.1",
    "ctwa_clid": "Aff-n8ZTODiE79d22KtAwQKj9e",
    "welcome_message": {"text": "Oi!"},
}


@pytest.mark.parametrize("told", [AD, {**AD, "headline": "x" * 5000}, {"headline": 7}, "ad", None])
def test_an_advertisement_comes_with_the_message(told: Any) -> None:
    message = {"from": "5511", "id": "w", "type": "text", "text": {"body": "Oi"}, "referral": told}
    read = parse_notice("message", {"message": message})
    assert isinstance(read, InboundMessage) and read.body == "Oi"
    referral = (read.data or {}).get("referral")
    if told is None or told == "ad":
        assert referral is None
    elif told == {"headline": 7}:
        assert referral == {"headline": "7"}
    else:
        assert referral is not None
        assert referral["source_id"] == AD["source_id"] and len(referral["headline"]) <= 1000
        # Nothing that a browser would load.
        assert not {"image_url", "welcome_message"} & set(referral)


@pytest.mark.parametrize(
    ("pricing", "is_billable"),
    [
        ({"category": "marketing", "billable": True, "type": "regular"}, True),
        ({"category": "utility", "billable": True, "type": "free_customer_service"}, False),
        ({"category": "marketing", "type": "free_entry_point"}, False),
        ({"category": "marketing", "billable": True, "pricing_model": "CBP"}, True),
        ({"category": "service", "billable": "yes"}, False),
    ],
)
def test_a_price_is_judged_by_its_type_where_there_is_one(
    pricing: dict[str, Any], is_billable: bool
) -> None:
    read = parse_notice(
        "status", {"status": {"id": "w", "status": "delivered", "pricing": pricing}}
    )
    assert isinstance(read, InboundStatus) and read.pricing is not None
    assert read.pricing.is_billable is is_billable
    assert read.pricing.category == pricing["category"].upper()


@pytest.mark.parametrize("pricing", [None, {}, "free", {"billable": True}])
def test_a_status_without_a_price_says_nothing_of_one(pricing: Any) -> None:
    status = {"id": "w", "status": "sent", "pricing": pricing}
    read = parse_notice("status", {"status": status})
    assert isinstance(read, InboundStatus) and read.pricing is None
