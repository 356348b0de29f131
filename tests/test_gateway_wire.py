"""The real gateway and the real server, as processes: what both sides of a number say and see."""

import base64
import io
import math
import os
import signal
import struct
import wave
from collections import Counter
from collections.abc import Iterator
from functools import partial

import pytest
from PIL import Image

from tests.product import wait_for
from tests.shop import NUMBER, SERVER, Shop, running_shop

pytestmark = pytest.mark.xdist_group("processes")
DELIVERED, READ = 3, 4


def picture(colour: str) -> bytes:
    file = io.BytesIO()
    Image.new("RGB", (64, 48), colour).save(file, "PNG")
    return file.getvalue()


def sound() -> bytes:
    """Return a second of a tone as a browser records it."""
    file = io.BytesIO()
    with wave.open(file, "wb") as out:
        out.setnchannels(1)
        out.setsampwidth(2)
        out.setframerate(16_000)
        tone = (int(9000 * math.sin(at * 0.17)) for at in range(16_000))
        out.writeframes(b"".join(struct.pack("<h", value) for value in tone))
    return file.getvalue()


@pytest.fixture(scope="module")
def shop() -> Iterator[Shop]:
    with running_shop() as shop:
        shop.link()
        shop.write("Boa tarde")
        shop.accept()
        yield shop


def test_a_picture_comes_and_is_opened(shop: Shop) -> None:
    content = picture("blue")
    given = base64.b64encode(content).decode()
    wid = shop.maria("send", type="image", mime="image/png", file=given, text="Esta")
    shop.of(wid)
    wait_for(lambda: shop.of(wid)["mediaState"] == "ready", "the file")
    row = shop.of(wid)
    assert (row["mediaType"], row["body"]) == ("image", "Esta")
    assert shop.http.get(row["mediaUrl"]).content == content


def test_a_picture_leaves_and_is_opened(shop: Shop) -> None:
    content = picture("red")
    files = {"medias": ("caneca.png", content, "image/png")}
    path = f"/api/messages/{shop.ticket}"
    answer = shop.http.post(path, data={"body": "Esta?"}, files=files)
    assert answer.status_code == 201, answer.text
    came = shop.inbox_has(lambda each: each["kind"] == "image", "the picture")
    assert came["text"].endswith("Esta?")
    assert base64.b64decode(came["file"]) == content


def test_a_recording_leaves_as_a_voice_note_in_ogg_opus(shop: Shop) -> None:
    files = {"medias": ("audio-record.wav", sound(), "audio/wav")}
    answer = shop.http.post(f"/api/messages/{shop.ticket}", data={"body": ""}, files=files)
    assert answer.status_code == 201, answer.text
    came = shop.inbox_has(lambda each: each["kind"] == "audio", "the voice note")
    assert came["isVoice"] is True
    assert came["mime"].startswith("audio/ogg") and "opus" in came["mime"]
    content = base64.b64decode(came["file"])
    assert content.startswith(b"OggS") and b"OpusHead" in content[:64]


def test_a_message_is_edited_and_taken_back_on_each_side(shop: Shop) -> None:
    theirs = shop.write("Quero deis")
    shop.of(theirs)
    shop.maria("edit", id=theirs, text="Quero dez")
    wait_for(lambda: shop.of(theirs)["body"] == "Quero dez", "the edit")
    assert shop.of(theirs)["isEdited"] is True
    shop.maria("revoke", id=theirs)
    wait_for(lambda: shop.of(theirs)["isDeleted"], "the revoke")

    ours = shop.say("São quarenta")
    came = shop.inbox_has(lambda each: each["text"].endswith("São quarenta"), "our message")
    wait_for(lambda: shop.of(came["id"])["ack"] >= 2, "WhatsApp's tick")
    shop.call("PUT", f"/api/messages/{ours['id']}", {"body": "São cinquenta"})
    edit = shop.inbox_has(lambda each: each.get("edits") == came["id"], "our edit")
    assert edit["text"].endswith("São cinquenta")
    shop.call("DELETE", f"/api/messages/{ours['id']}")
    shop.inbox_has(lambda each: each.get("deletes") == came["id"], "our revoke")


def test_each_side_reacts(shop: Shop) -> None:
    theirs = shop.of(shop.write("Obrigada!"))
    shop.call("POST", f"/api/messages/{theirs['id']}/reaction", {"emoji": "❤️"})
    came = shop.inbox_has(lambda each: each.get("reacts") == theirs["wid"], "our reaction")
    assert came["text"] == "❤️"

    ours = shop.say("De nada")
    told = shop.inbox_has(lambda each: each.get("text", "").endswith("De nada"), "our message")
    shop.maria("react", id=told["id"], emoji="👍")
    wait_for(lambda: bool(shop.of(told["id"])["reactions"]), "her reaction")
    [reaction] = shop.of(told["id"])["reactions"]
    assert (reaction["emoji"], reaction["fromMe"]) == ("👍", False)
    assert shop.of(told["id"])["id"] == ours["id"]


def test_a_poll_is_voted_on_and_the_last_vote_counts(shop: Shop) -> None:
    wid = shop.maria("poll", text="Almoço?\nPizza\nSalada")
    assert shop.of(wid)["body"] == "Almoço?\n1. Pizza\n2. Salada"

    def is_voted(places: list[list[int]]) -> bool:
        return [each["options"] for each in shop.of(wid)["pollVotes"]] == places

    for choice, places in (("Pizza\nSalada", [[0, 1]]), ("Salada", [[1]]), ("", [])):
        shop.maria("vote", id=wid, text=choice)
        wait_for(partial(is_voted, places), f"the vote {choice!r}")


def test_each_side_is_told_what_was_read(shop: Shop) -> None:
    theirs = shop.write("Está aí?")
    shop.of(theirs)
    assert theirs not in shop.whatsapp.call("read", to=NUMBER)
    # The holder opens the conversation.
    shop.call("GET", f"/api/messages/{shop.ticket}")
    wait_for(lambda: theirs in shop.whatsapp.call("read", to=NUMBER), "our read receipt")

    shop.say("Estou")
    told = shop.inbox_has(lambda each: each.get("text", "").endswith("Estou"), "our message")
    shop.maria("receipt", id=told["id"], type="")
    wait_for(lambda: shop.of(told["id"])["ack"] == DELIVERED, "two ticks")
    shop.maria("receipt", id=told["id"], type="read")
    wait_for(lambda: shop.of(told["id"])["ack"] == READ, "blue ticks")


def test_a_call_is_rejected_told_and_answered_where_the_company_takes_none(shop: Shop) -> None:
    shop.call("PUT", "/api/settings/call", {"value": "disabled"})
    shop.maria("ring", id="RING1")
    line = shop.of("RING1")
    assert (line["mediaType"], line["body"]) == ("call_log", "Chamada de voz recusada")
    wait_for(lambda: "RING1" in shop.whatsapp.call("rejected"), "the rejection")
    shop.inbox_has(lambda each: "Não atendemos chamadas" in each.get("text", ""), "our words")


def test_what_comes_while_the_server_is_away_comes_once_after(shop: Shop) -> None:
    server = shop.product.child(SERVER)
    os.kill(server, signal.SIGSTOP)
    texts = [f"Sem servidor {number}" for number in range(5)]
    for text in texts:
        shop.write(text)
    # It hangs with their first call in its hands, and is gone.
    os.kill(server, signal.SIGKILL)
    wait_for(lambda: shop.product.get("/health/ready/")[0] == 200, "the server again", 60)
    wait_for(lambda: set(texts) <= set(shop.received()), "all of them", 60)
    shop.of(shop.write("E agora?"))
    assert max(Counter(shop.received()).values()) == 1
    assert [text for text in shop.received() if text in texts] == texts
    shop.say("Já voltamos")
    told = shop.inbox_has(lambda each: each.get("text", "").endswith("Já voltamos"), "our message")
    assert told["arrivals"] == 1


def test_a_frozen_owner_is_followed_by_another_gateway_and_nothing_comes_twice(shop: Shop) -> None:
    with shop.second_gateway():
        frozen = shop.gateway()
        os.kill(frozen, signal.SIGSTOP)
        try:
            theirs = shop.write("Alguém?")
            shop.say("Um instante")
            shop.of(theirs)
            shop.inbox_has(lambda each: each.get("text", "").endswith("Um instante"), "our message")
        finally:
            os.kill(frozen, signal.SIGCONT)
        # Awake again, it takes nothing back.
        epoch = shop.epoch()
        last = shop.write("Achei")
        shop.of(last)
        assert shop.is_still(lambda: shop.status == "CONNECTED" and shop.epoch() == epoch, 12)
    assert max(Counter(shop.received()).values()) == 1
    assert {each["arrivals"] for each in shop.inbox()} == {1}
    assert shop.whatsapp.call("devices", number=NUMBER) == 1


def test_a_session_that_another_login_replaced_waits_for_a_person(shop: Shop) -> None:
    shop.end_lease()
    wait_for(lambda: shop.whatsapp.call("open", to=NUMBER) is True, "the first gateway's", 60)
    shop.maria("replace")
    shop.wait_for_status("DISCONNECTED")
    row = shop.connection
    assert (row["reasonCode"], row["reasonDetail"]) == ("session_replaced", "440")
    assert "Tente de novo" in row["statusReason"]
    shop.say("Ainda aqui")
    shop.call("POST", f"/api/whatsappsession/{shop.id}")
    shop.wait_for_status("CONNECTED")
    told = shop.inbox_has(lambda each: each.get("text", "").endswith("Ainda aqui"), "what waited")
    assert told["arrivals"] == 1
    assert shop.whatsapp.call("devices", number=NUMBER) == 1
