import subprocess
from typing import Any

import imageio_ffmpeg
import pytest
from django.test import Client

from apps.simulator.models import SimConversation, SimMessage, SimNumber
from apps.simulator.tests.conftest import CUSTOMER, NUMBER, Graph, webhook_values

pytestmark = pytest.mark.django_db


def call(path: str, body: dict[str, Any], status: int = 200) -> Any:
    answer = Client().post(f"/simulator/api/{path}", body, content_type="application/json")
    assert answer.status_code == status, answer.content
    return answer.json()


def send(status: int = 200, **fields: Any) -> Any:
    return call("send", {"number": NUMBER, "customer": CUSTOMER, **fields}, status)


def newest() -> dict[str, Any]:
    message: dict[str, Any] = webhook_values()[-1]["messages"][0]
    return message


def test_a_text_reaches_the_business_in_metas_shape(conversation: SimConversation) -> None:
    row = send(type="text", body="Bom dia!")
    value = webhook_values()[-1]
    profile = {"name": "Mariana Albuquerque"}
    user_id = value["contacts"][0]["user_id"]
    assert value["contacts"] == [{"profile": profile, "wa_id": CUSTOMER, "user_id": user_id}]
    message = value["messages"][0]
    assert message.pop("timestamp").isdigit()
    assert message == {
        "from": CUSTOMER,
        "from_user_id": user_id,
        "id": row["id"],
        "type": "text",
        "text": {"body": "Bom dia!"},
    }


@pytest.mark.parametrize(
    ("fields", "kind", "expected"),
    [
        (
            {"type": "location", "latitude": -23.5, "longitude": -46.6, "name": "Casa"},
            "location",
            {"latitude": -23.5, "longitude": -46.6, "name": "Casa"},
        ),
        (
            {"type": "button_reply", "id": "1", "title": "Vendas"},
            "interactive",
            {"type": "button_reply", "button_reply": {"id": "1", "title": "Vendas"}},
        ),
        (
            {"type": "list_reply", "id": "1", "title": "Vendas", "description": "Loja"},
            "interactive",
            {
                "type": "list_reply",
                "list_reply": {"id": "1", "title": "Vendas", "description": "Loja"},
            },
        ),
        (
            {"type": "reaction", "message_id": "wamid.x", "emoji": "👍"},
            "reaction",
            {"message_id": "wamid.x", "emoji": "👍"},
        ),
        (
            {"type": "reaction", "message_id": "wamid.x", "emoji": ""},
            "reaction",
            {"message_id": "wamid.x"},
        ),
        (
            {"type": "button", "payload": "sim", "text": "Sim"},
            "button",
            {"payload": "sim", "text": "Sim"},
        ),
    ],
)
def test_every_kind_has_metas_shape(
    conversation: SimConversation, fields: dict[str, Any], kind: str, expected: dict[str, Any]
) -> None:
    send(**fields)
    assert newest()["type"] == kind
    assert newest()[kind] == expected


def test_a_contact_card_is_an_array(conversation: SimConversation) -> None:
    send(type="contacts", name="José Marceneiro", phone="+55 11 97777-1234")
    (card,) = newest()["contacts"]
    assert card["name"]["formatted_name"] == "José Marceneiro"
    assert card["phones"][0]["wa_id"] == "5511977771234"


def test_an_unknown_kind_carries_an_error(conversation: SimConversation) -> None:
    send(type="unsupported")
    assert newest()["type"] == "unsupported"
    assert newest()["errors"][0]["code"] == 131051


@pytest.mark.parametrize(
    ("kind", "sample", "wire"),
    [
        ("image", "prato-lascado.jpg", "image"),
        ("voice", "recado.ogg", "audio"),
        ("document", "comprovante-pix.pdf", "document"),
        ("sticker", "obrigada.webp", "sticker"),
    ],
)
def test_samples_can_be_sent_and_fetched(
    conversation: SimConversation, graph: Graph, kind: str, sample: str, wire: str
) -> None:
    row = send(type=kind, sample=sample)
    part = newest()[wire]
    assert newest()["type"] == wire
    assert part["sha256"]
    assert graph.get(part["id"]).json()["id"] == part["id"]
    assert Client().get(row["mediaUrl"]).status_code == 200
    if kind == "voice":
        assert part["voice"] is True


def test_an_uploaded_file_can_be_sent(conversation: SimConversation) -> None:
    answer = Client().post(
        "/simulator/api/upload?name=foto.png",
        b"\x89PNG",
        content_type="image/png",
        headers={"X-Simulator": "1"},
    )
    send(type="image", media=answer.json()["id"], caption="Olha só")
    assert newest()["image"]["caption"] == "Olha só"


def test_a_browsers_recording_becomes_a_voice_note(conversation: SimConversation) -> None:
    command = [imageio_ffmpeg.get_ffmpeg_exe(), "-loglevel", "error", "-f", "lavfi"]
    command += ["-i", "sine=duration=0.3", "-c:a", "libopus", "-f", "webm", "pipe:1"]
    recording = subprocess.run(command, capture_output=True, check=True).stdout
    answer = Client().post(
        "/simulator/api/upload?name=voz",
        recording,
        content_type="audio/webm;codecs=opus",
        headers={"X-Simulator": "1"},
    )
    row = send(type="voice", media=answer.json()["id"])
    assert newest()["audio"]["mime_type"] == "audio/ogg; codecs=opus"
    assert Client().get(row["mediaUrl"]).content.startswith(b"OggS")


def test_a_quote_names_its_author(conversation: SimConversation, graph: Graph) -> None:
    wamid = graph.send().json()["messages"][0]["id"]
    send(type="text", body="Isso mesmo", reply_to=wamid)
    digits = "".join(c for c in conversation.number.display_phone_number if c.isdigit())
    assert newest()["context"] == {"from": digits, "id": wamid}


def test_opening_the_chat_tells_read_once(conversation: SimConversation, graph: Graph) -> None:
    graph.send()
    where = {"number": NUMBER, "customer": CUSTOMER}
    assert call("open", where) == {"read": 1}
    assert call("open", where) == {"read": 0}
    assert [v["statuses"][0]["status"] for v in webhook_values()] == ["sent", "delivered", "read"]


def test_playing_a_voice_message_is_told_once(conversation: SimConversation) -> None:
    message = SimMessage.objects.create(
        conversation=conversation,
        wamid="wamid.voice",
        from_customer=False,
        type="audio",
        body={},
        status="delivered",
    )
    for _ in range(2):
        assert call("play", {"message": message.wamid}) == {"status": "played"}
    assert [v["statuses"][0]["status"] for v in webhook_values()] == ["played"]


def test_the_state_shows_chat_ticks_typing_and_faults(
    conversation: SimConversation, graph: Graph
) -> None:
    row = send(type="text", body="Oi")
    graph.send()
    graph.post(
        f"{NUMBER}/messages",
        {
            "messaging_product": "whatsapp",
            "status": "read",
            "message_id": row["id"],
            "typing_indicator": {"type": "text"},
        },
    )
    call("faults", {"kind": "slow", "seconds": 3, "times": 2, "number": NUMBER})
    state = Client().get(f"/simulator/api/state?number={NUMBER}&customer={CUSTOMER}").json()
    assert state["numbers"][0]["id"] == NUMBER
    assert state["customers"][0]["unread"] == 1
    assert state["customers"][0]["lastText"] == "Bom dia!"
    assert [m["status"] for m in state["chat"]["messages"]] == ["read", "delivered"]
    assert state["chat"]["typing"] is True
    assert state["chat"]["windowEndsAt"]
    assert state["faults"] == [
        {"kind": "slow", "number": NUMBER, "times": 2, "seconds": 3.0, "isLate": False}
    ]
    assert state["outbox"]["waiting"] == 3
    Client().delete("/simulator/api/faults", headers={"X-Simulator": "1"})
    assert Client().get("/simulator/api/faults").json() == {"faults": []}


def test_the_state_takes_few_queries_whatever_the_number_of_customers(
    conversation: SimConversation, django_assert_max_num_queries: Any
) -> None:
    for last in range(30):
        call("customers", {"wa_id": f"55119777700{last:02}", "name": "X", "number": NUMBER})
    with django_assert_max_num_queries(12):
        Client().get(f"/simulator/api/state?number={NUMBER}&customer={CUSTOMER}")


def test_numbers_and_customers_can_be_added(number: SimNumber) -> None:
    call("numbers", {"phone_number_id": "300000000000003", "verified_name": "Filial"})
    call("customers", {"wa_id": "+55 21 98888-0000", "name": "Rui", "has_whatsapp": False})
    state = Client().get("/simulator/api/state").json()
    assert [n["name"] for n in state["numbers"]][1] == "Filial"
    assert state["customers"][0]["waId"] == "5521988880000"


def test_bad_calls_are_refused_in_words(conversation: SimConversation) -> None:
    assert "missing" in send(400, type="text")["error"]
    assert "unknown type" in send(400, type="fax")["error"]
    assert "no sample" in send(404, type="image", sample="nada.jpg")["error"]
    assert send(404, type="image", media="1")["error"]
    assert send(404, customer="5511900000000", type="text", body="x")["error"]
    call("faults", {"kind": "earthquake"}, 400)
    call("customers", {"wa_id": "12"}, 400)
    call("numbers", {"phone_number_id": "abc"}, 400)


def test_foreign_forms_are_kept_out(conversation: SimConversation) -> None:
    body = {"number": NUMBER, "customer": CUSTOMER, "type": "text", "body": "x"}
    assert Client().post("/simulator/api/send", body).status_code == 415
    assert (
        Client().post("/simulator/api/upload", b"x", content_type="text/plain").status_code == 415
    )
    assert Client().get("/simulator/api/send").status_code == 405


def test_reset_forgets(conversation: SimConversation) -> None:
    send(type="text", body="Oi")
    call("faults", {"kind": "slow"})
    call("reset", {"messages": True})
    assert not webhook_values()
    assert not SimMessage.objects.exists()
