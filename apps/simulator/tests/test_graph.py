from datetime import timedelta
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.utils import timezone

from apps.simulator.graph.templates import TEMPLATES
from apps.simulator.models import (
    FaultKind,
    SimConversation,
    SimMessage,
    SimNumber,
    SimTemplate,
)
from apps.simulator.services.conversations import customer_writes
from apps.simulator.services.faults import set_fault
from apps.simulator.services.media import file_of_handle
from apps.simulator.tests.conftest import CUSTOMER, NUMBER, TOKEN, Graph, webhook_values

pytestmark = pytest.mark.django_db


def error_of(answer: Any) -> dict[str, Any]:
    error: dict[str, Any] = answer.json()["error"]
    assert error["fbtrace_id"]
    assert error["type"]
    return error


def test_a_text_is_accepted_and_told_sent_and_delivered(
    graph: Graph, conversation: SimConversation
) -> None:
    answer = graph.send(biz_opaque_callback_data="callback-1")
    assert answer.status_code == 200
    wamid = answer.json()["messages"][0]["id"]
    assert wamid.startswith("wamid.")
    assert answer.json() == {
        "messaging_product": "whatsapp",
        "contacts": [{"input": CUSTOMER, "wa_id": CUSTOMER}],
        "messages": [{"id": wamid}],
    }
    values = webhook_values()
    assert [value["statuses"][0]["status"] for value in values] == ["sent", "delivered"]
    status = values[0]["statuses"][0]
    assert status["pricing"] == {
        "billable": True,
        "pricing_model": "PMP",
        "type": "regular",
        "category": "service",
    }
    assert status["id"] == wamid
    assert status["recipient_id"] == CUSTOMER
    assert status["biz_opaque_callback_data"] == "callback-1"
    assert values[0]["metadata"]["phone_number_id"] == NUMBER


def test_the_ninth_digit_does_not_matter(graph: Graph, conversation: SimConversation) -> None:
    answer = graph.send(to=CUSTOMER[:4] + CUSTOMER[5:])
    assert answer.json()["contacts"][0]["wa_id"] == CUSTOMER


def test_an_unknown_recipient_is_131026(graph: Graph, number: SimNumber) -> None:
    answer = graph.send(to="5511900000000")
    assert answer.status_code == 400
    error = error_of(answer)
    assert error["code"] == 131026
    assert error["message"].startswith("(#131026)")
    assert error["error_data"]["messaging_product"] == "whatsapp"
    assert error["error_data"]["details"]
    assert not SimMessage.objects.exists()


def test_free_text_a_day_later_is_131047_and_a_template_is_not(
    graph: Graph, conversation: SimConversation
) -> None:
    conversation.last_customer_at = timezone.now() - timedelta(hours=24, minutes=1)
    conversation.save()
    assert error_of(graph.send())["code"] == 131047
    answer = graph.send(
        type="template",
        text=None,
        template={
            "name": "retomar_conversa",
            "language": {"code": "pt_BR"},
            "components": [
                {
                    "type": "body",
                    "parameters": [
                        {"type": "text", "text": "Mariana"},
                        {"type": "text", "text": "a troca"},
                    ],
                }
            ],
        },
    )
    assert answer.status_code == 200
    assert answer.json()["messages"][0]["message_status"] == "accepted"
    shown = SimMessage.objects.get().body["shown"]["text"]
    assert (
        shown
        == "Olá, Mariana! Ficamos com uma conversa em aberto sobre a troca. Podemos continuar?"
    )


@pytest.mark.parametrize(
    ("template", "code"),
    [
        ({"name": "nenhum", "language": {"code": "pt_BR"}}, 132001),
        ({"name": "retomar_conversa", "language": {"code": "en_US"}}, 132001),
        ({"name": "retomar_conversa", "language": {"code": "pt_BR"}}, 132000),
    ],
)
def test_template_faults(
    graph: Graph, conversation: SimConversation, template: dict[str, Any], code: int
) -> None:
    answer = graph.send(type="template", text=None, template=template)
    assert error_of(answer)["code"] == code


@pytest.mark.parametrize(
    "change",
    [
        {"messaging_product": "telegram"},
        {"to": None},
        {"text": None},
        {"text": {"body": ""}},
        {"text": {"body": "x" * 4097}},
        {"text": "oi"},
        {"type": "smoke"},
        {"type": ["text"]},
        {"type": "image", "image": {}},
        {"type": "image", "image": {"id": "1", "link": "https://x/y.png"}},
        {"type": "audio", "audio": {"id": "1", "caption": "não pode"}},
        {"type": "location", "location": {"latitude": "norte", "longitude": 1}},
        {"type": "contacts", "contacts": []},
        {"type": "contacts", "contacts": [{"name": {"formatted_name": "Só"}}]},
        {"type": "reaction", "reaction": {"emoji": "👍"}},
        {"type": "interactive", "interactive": {"type": "button"}},
        {"biz_opaque_callback_data": "x" * 513},
    ],
)
def test_malformed_messages_are_code_100(
    graph: Graph, conversation: SimConversation, change: dict[str, Any]
) -> None:
    answer = graph.send(**change)
    assert answer.status_code == 400
    assert error_of(answer)["code"] == 100
    assert not SimMessage.objects.exists()


def _menu(titles: list[str]) -> dict[str, Any]:
    buttons = [
        {"type": "reply", "reply": {"id": str(index), "title": title}}
        for index, title in enumerate(titles)
    ]
    return {"type": "button", "body": {"text": "Escolha"}, "action": {"buttons": buttons}}


def test_menus_keep_to_metas_limits(graph: Graph, conversation: SimConversation) -> None:
    good = graph.send(type="interactive", interactive=_menu(["Vendas", "Trocas"]))
    assert good.status_code == 200
    for titles in (["a", "b", "c", "d"], ["x" * 21], []):
        answer = graph.send(type="interactive", interactive=_menu(titles))
        assert error_of(answer)["code"] == 131009
    rows = [{"id": str(index), "title": f"Opção {index}"} for index in range(11)]
    wanted = {
        "type": "list",
        "body": {"text": "Escolha"},
        "action": {"button": "Ver opções", "sections": [{"rows": rows}]},
    }
    assert error_of(graph.send(type="interactive", interactive=wanted))["code"] == 131009
    rows.pop()
    assert graph.send(type="interactive", interactive=wanted).status_code == 200


def test_a_body_that_is_no_json_is_code_100(graph: Graph, number: SimNumber) -> None:
    answer = graph.client.post(
        f"/simulator/graph/v26.0/{NUMBER}/messages",
        "{nada",
        content_type="application/json",
        headers=TOKEN,
    )
    assert answer.status_code == 400
    assert error_of(answer)["code"] == 100


def test_tokens_that_begin_with_invalid_are_refused(graph: Graph, number: SimNumber) -> None:
    answer = graph.post(f"{NUMBER}/messages", {}, Authorization="Bearer invalid-token")
    assert answer.status_code == 401
    assert error_of(answer)["code"] == 190
    assert error_of(Client().get(f"/simulator/graph/v26.0/{NUMBER}"))["code"] == 104


def test_media_go_up_and_come_back_with_the_token(graph: Graph, number: SimNumber) -> None:
    file = SimpleUploadedFile("prato.png", b"\x89PNG picture", content_type="image/png")
    answer = graph.client.post(
        f"/simulator/graph/v26.0/{NUMBER}/media",
        {"messaging_product": "whatsapp", "type": "image/png", "file": file},
        headers=TOKEN,
    )
    assert answer.status_code == 200
    media_id = answer.json()["id"]
    described = graph.get(media_id).json()
    assert described["mime_type"] == "image/png"
    assert described["file_size"] == len(b"\x89PNG picture")
    address = described["url"].split("/simulator", 1)[1]
    assert Client().get(f"/simulator{address}").status_code == 401
    loaded = Client().get(f"/simulator{address}", headers=TOKEN)
    assert loaded.content == b"\x89PNG picture"
    assert loaded["Content-Type"] == "image/png"
    removed = graph.client.delete(f"/simulator/graph/v26.0/{media_id}", headers=TOKEN)
    assert removed.json() == {"success": True}
    assert error_of(graph.get(media_id))["error_subcode"] == 33


def test_files_that_meta_does_not_take_are_refused(graph: Graph, number: SimNumber) -> None:
    for mime, size in (("application/x-dosexec", 1), ("image/png", 5 * 1024 * 1024 + 1)):
        answer = graph.client.post(
            f"/simulator/graph/v26.0/{NUMBER}/media",
            {
                "messaging_product": "whatsapp",
                "file": SimpleUploadedFile("a", b"x" * size, content_type=mime),
            },
            headers=TOKEN,
        )
        assert answer.status_code == 400


def test_unknown_media_cannot_be_sent(graph: Graph, conversation: SimConversation) -> None:
    answer = graph.send(type="image", image={"id": "123456"})
    assert error_of(answer)["code"] == 131009


def test_reading_turns_the_customers_ticks_blue(
    graph: Graph, conversation: SimConversation
) -> None:
    first = customer_writes(conversation=conversation, kind="text", body={"body": "Oi"})
    second = customer_writes(conversation=conversation, kind="text", body={"body": "Tudo bem?"})
    answer = graph.post(
        f"{NUMBER}/messages",
        {
            "messaging_product": "whatsapp",
            "status": "read",
            "message_id": second.wamid,
            "typing_indicator": {"type": "text"},
        },
    )
    assert answer.json() == {"success": True}
    first.refresh_from_db()
    assert first.status == "read"
    conversation.refresh_from_db()
    assert conversation.typing_until is not None
    unknown = graph.post(
        f"{NUMBER}/messages",
        {"messaging_product": "whatsapp", "status": "read", "message_id": "wamid.no"},
    )
    assert error_of(unknown)["code"] == 131009


def test_number_and_templates_can_be_looked_up(graph: Graph, number: SimNumber) -> None:
    fields = graph.get(NUMBER, fields="display_phone_number,verified_name,quality_rating").json()
    assert set(fields) == {"display_phone_number", "verified_name", "quality_rating", "id"}
    assert error_of(graph.get("999"))["code"] == 100
    templates = graph.get(f"{number.waba_id}/message_templates").json()["data"]
    assert {template["status"] for template in templates} == {
        "APPROVED",
        "PENDING",
        "REJECTED",
        "PAUSED",
    }
    assert {template["language"] for template in templates} == {"pt_BR", "en_US"}
    one = graph.get(f"{number.waba_id}/message_templates", name="pedido_enviado").json()["data"]
    assert {template["name"] for template in one} == {"pedido_enviado"}


@pytest.mark.parametrize(
    ("kind", "status", "code"),
    [
        (FaultKind.PROVIDER_DOWN, 503, 2),
        (FaultKind.RATE_LIMITED, 429, 130429),
        (FaultKind.TOKEN_EXPIRED, 401, 190),
        (FaultKind.NOT_ON_WHATSAPP, 400, 131026),
        (FaultKind.WINDOW_CLOSED, 400, 131047),
    ],
)
def test_a_fault_strikes_as_often_as_asked(
    graph: Graph, conversation: SimConversation, kind: FaultKind, status: int, code: int
) -> None:
    set_fault(kind=kind, times=1)
    answer = graph.send()
    assert answer.status_code == status
    assert error_of(answer)["code"] == code
    assert graph.send().status_code == 200


def test_a_fault_of_another_number_does_not_strike(
    graph: Graph, conversation: SimConversation
) -> None:
    other = SimNumber.objects.create(phone_number_id="200", waba_id="2", verified_name="Outro")
    set_fault(kind=FaultKind.PROVIDER_DOWN, number=other)
    assert graph.send().status_code == 200


def test_a_late_refusal_comes_as_a_failed_status(
    graph: Graph, conversation: SimConversation
) -> None:
    set_fault(kind=FaultKind.NOT_ON_WHATSAPP, is_late=True)
    assert graph.send(biz_opaque_callback_data="c").status_code == 200
    (value,) = webhook_values()
    status = value["statuses"][0]
    assert status["status"] == "failed"
    assert status["biz_opaque_callback_data"] == "c"
    assert status["errors"][0]["code"] == 131026
    assert status["errors"][0]["error_data"]["details"]


def test_a_lost_answer_is_still_a_sent_message(graph: Graph, conversation: SimConversation) -> None:
    set_fault(kind=FaultKind.ANSWER_LOST, times=1)
    answer = graph.send(biz_opaque_callback_data="c")
    with pytest.raises(ConnectionResetError):
        b"".join(answer.streaming_content)
    assert [value["statuses"][0]["biz_opaque_callback_data"] for value in webhook_values()] == [
        "c",
        "c",
    ]


def test_a_reset_connection_sends_nothing(graph: Graph, conversation: SimConversation) -> None:
    set_fault(kind=FaultKind.CONNECTION_RESET, times=1)
    answer = graph.send()
    with pytest.raises(ConnectionResetError):
        b"".join(answer.streaming_content)
    assert not SimMessage.objects.exists()


def test_statuses_come_out_of_order_and_twice_when_asked(
    graph: Graph, conversation: SimConversation
) -> None:
    set_fault(kind=FaultKind.OUT_OF_ORDER_STATUSES, times=1)
    set_fault(kind=FaultKind.DUPLICATE_WEBHOOKS)
    graph.send()
    assert [value["statuses"][0]["status"] for value in webhook_values()] == [
        "read",
        "read",
        "delivered",
        "delivered",
        "sent",
        "sent",
    ]


def test_the_set_up_of_a_known_number_is_whole(
    graph: Graph, number: SimNumber, settings: Any
) -> None:
    settings.PUBLIC_URL = "https://balcao.example"
    granted = {row["permission"] for row in graph.get("me/permissions").json()["data"]}
    assert {"whatsapp_business_messaging", "whatsapp_business_management"} <= granted
    rows = graph.get(f"{number.waba_id}/phone_numbers", fields="id").json()["data"]
    assert NUMBER in [row["id"] for row in rows]
    assert len(graph.get(f"{number.waba_id}/subscribed_apps").json()["data"]) == 1
    assert graph.post(f"{number.waba_id}/subscribed_apps", {}).json() == {"success": True}
    assert graph.get(NUMBER, fields="webhook_configuration").json() == {
        "webhook_configuration": {"application": "https://balcao.example/webhooks/whatsapp"},
        "id": NUMBER,
    }
    assert "webhook_configuration" not in graph.get(NUMBER).json()


def test_an_account_that_nothing_has_is_unknown(graph: Graph, number: SimNumber) -> None:
    for edge in ("phone_numbers", "subscribed_apps"):
        answer = graph.get(f"999999999999999/{edge}")
        assert (answer.status_code, error_of(answer)["error_subcode"]) == (400, 33)


def test_a_file_is_uploaded_in_two_steps_and_named_by_a_handle(graph: Graph, db: None) -> None:
    content = b"\x89PNG and so on"
    query = f"file_name=a.png&file_length={len(content)}&file_type=image/png"
    session = graph.post(f"670843887433847/uploads?{query}", {}).json()["id"]
    assert session.startswith("upload:")
    answer = graph.client.post(
        f"/simulator/graph/v26.0/{session}",
        content,
        content_type="application/octet-stream",
        headers={"Authorization": "OAuth simulator-access-token"},
    )
    stored = file_of_handle(answer.json()["h"])
    assert stored is not None
    assert (stored.name, stored.mime, stored.size) == ("a.png", "image/png", len(content))
    short = graph.client.post(
        f"/simulator/graph/v26.0/{session}",
        content[:-1],
        content_type="application/octet-stream",
        headers=TOKEN,
    )
    assert error_of(short)["code"] == 100


@pytest.mark.parametrize("query", ["", "file_length=1&file_type=image/webp", "file_type=image/png"])
def test_an_upload_that_is_not_announced_well_is_refused(
    graph: Graph, db: None, query: str
) -> None:
    assert error_of(graph.post(f"670843887433847/uploads?{query}", {}))["code"] == 100


def test_a_signed_up_number_is_exchanged_and_registered_once(graph: Graph, settings: Any) -> None:
    window = {"display_phone_number": "+55 11 94000-0001", "verified_name": "Loja"}
    given = Client().post("/simulator/api/signup", window, content_type="application/json").json()
    number = SimNumber.objects.get(phone_number_id=given["phone_number_id"])
    assert not number.is_registered
    exchange = {
        "client_id": settings.META_APP_ID,
        "client_secret": settings.META_APP_SECRET,
        "code": given["code"],
    }
    path = "/simulator/graph/v26.0/oauth/access_token"
    refused = Client().get(path, {**exchange, "client_secret": "another"})
    assert error_of(refused)["code"] == 1
    assert Client().get(path, exchange).json()["access_token"].startswith("EAAG")
    assert error_of(Client().get(path, exchange))["error_subcode"] == 36009
    shown = graph.get(f"{number.waba_id}/phone_numbers").json()["data"]
    assert [(row["status"], row["is_on_biz_app"]) for row in shown] == [("PENDING", False)]
    wrong = graph.post(f"{number.phone_number_id}/register", {"messaging_product": "whatsapp"})
    assert wrong.status_code == 400
    registering = {"messaging_product": "whatsapp", "pin": "123456"}
    assert graph.post(f"{number.phone_number_id}/register", registering).json()["success"]
    number.refresh_from_db()
    assert number.is_registered


@pytest.mark.parametrize("name", ["sdk.js", "signup.html", "signup.js"])
def test_what_stands_in_for_facebook_is_served(name: str) -> None:
    answer = Client().get(f"/simulator/facebook/{name}")
    assert answer.status_code == 200
    assert answer["Cross-Origin-Opener-Policy"] == "unsafe-none"
    assert Client().get(f"/simulator/facebook/other-{name}").status_code == 404


TEXT = {"text": "Escolha"}
REPLY = {"type": "reply", "reply": {"id": "1", "title": "Sim"}}


@pytest.mark.parametrize(
    "interactive",
    [
        {"type": "smoke", "action": {}},
        {"type": "button", "body": TEXT, "action": {"buttons": [REPLY] * 4}},
        {"type": "button", "action": {"buttons": [REPLY]}},
        {"type": "button", "body": {"text": "x" * 1025}, "action": {"buttons": [REPLY]}},
        {"type": "button", "body": TEXT, "footer": {"text": "x" * 61}, "action": {}},
        {
            "type": "button",
            "body": TEXT,
            "action": {"buttons": [REPLY, {"reply": {"id": "2", "title": "Sim"}}]},
        },
        {"type": "list", "body": TEXT, "action": {"button": "Ver", "sections": []}},
        {"type": "list", "body": TEXT, "action": {"button": "Ver", "sections": [{"rows": []}]}},
        {"type": "cta_url", "body": TEXT, "action": {"name": "cta_url", "parameters": {}}},
        {
            "type": "cta_url",
            "body": TEXT,
            "action": {"name": "cta_url", "parameters": {"display_text": "Ver", "url": "loja"}},
        },
        {"type": "location_request_message", "body": TEXT, "action": {"name": "location"}},
        {
            "type": "request_contact_info",
            "body": TEXT,
            "footer": TEXT,
            "action": {"name": "request_contact_info"},
        },
        {"type": "product_list", "body": TEXT, "action": {"catalog_id": "700000000000001"}},
        {
            "type": "catalog_message",
            "body": TEXT,
            "action": {
                "name": "catalog_message",
                "parameters": {"thumbnail_product_retailer_id": "nenhum"},
            },
        },
    ],
)
def test_interactive_messages_are_checked_as_meta_does(
    graph: Graph, conversation: SimConversation, interactive: dict[str, Any]
) -> None:
    answer = graph.send(type="interactive", text=None, interactive=interactive)
    assert answer.status_code == 400
    assert error_of(answer)["code"] in (100, 131008, 131009)
    assert not SimMessage.objects.exists()


def test_the_catalogue_is_listed_and_searched(graph: Graph, number: SimNumber) -> None:
    [found] = graph.get(f"{number.waba_id}/product_catalogs").json()["data"]
    names = [
        row["name"]
        for row in graph.get(
            f"{found['id']}/products", fields="name", filter='{"name":{"i_contains":"caneca"}}'
        ).json()["data"]
    ]
    assert names == ["Caneca de grés", "Caneca azul-cobalto"]
    assert graph.get(f"{found['id']}/products", filter="x").status_code == 400
    assert graph.get("1/products").status_code == 400


def test_a_shared_number_says_that_it_was_asked_for(conversation: SimConversation) -> None:
    body = {"number": NUMBER, "customer": CUSTOMER, "type": "share_contact", "reply_to": "wamid.x"}
    answer = Client().post("/simulator/api/send", body, content_type="application/json")
    assert answer.status_code == 200
    [card] = webhook_values()[-1]["messages"][0]["contacts"]
    assert (card["origin"], card["phones"][0]["wa_id"]) == ("contact_request", CUSTOMER)


def test_a_text_with_a_category_goes_outside_the_window_at_utility_rates(
    graph: Graph, conversation: SimConversation
) -> None:
    conversation.last_customer_at = timezone.now() - timedelta(days=3)
    conversation.save()
    assert error_of(graph.send())["code"] == 131047
    assert graph.send(category="utility").status_code == 200
    message = SimMessage.objects.get()
    assert message.body == {"body": "Bom dia!", "category": "utility"}
    told = [value["statuses"][0]["pricing"]["category"] for value in webhook_values()]
    assert told == ["utility", "utility"]


@pytest.mark.parametrize(
    ("body", "code"),
    [
        ({"category": "marketing"}, 100),
        ({"category": "utility", "text": {"body": "x" * 1025}}, 100),
        (
            {
                "category": "utility",
                "type": "location",
                "location": {"latitude": 1, "longitude": 1},
            },
            100,
        ),
        ({"category": "service"}, 131047),
    ],
)
def test_what_direct_send_does_not_take_is_refused(
    graph: Graph, conversation: SimConversation, body: dict[str, Any], code: int
) -> None:
    conversation.last_customer_at = None
    conversation.save()
    assert error_of(graph.send(**body))["code"] == code


def test_an_account_may_have_no_direct_send_or_lose_it(
    graph: Graph, conversation: SimConversation
) -> None:
    set_fault(kind=FaultKind.DIRECT_SEND_OFF, times=1)
    set_fault(kind=FaultKind.DIRECT_SEND_BLOCKED, times=1)
    assert graph.send().status_code == 200
    off = error_of(graph.send(category="utility"))
    assert off["code"] == 100 and "requires Direct Send" in off["error_data"]["details"]
    assert error_of(graph.send(category="utility"))["code"] == 139200
    assert graph.send(category="utility").status_code == 200


def bill(client: Client) -> dict[str, Any]:
    answer: dict[str, Any] = client.get(f"/simulator/api/state?number={NUMBER}").json()["bill"]
    return answer


def test_the_bill_counts_what_was_delivered_by_category(
    graph: Graph, conversation: SimConversation, client: Client
) -> None:
    assert bill(client) == {"charged": {}, "free": 0, "allowance": 1000}
    graph.send()
    offer = next(each for each in TEMPLATES if each["category"] == "MARKETING")
    row = {**offer, "components": [{"type": "BODY", "text": "Chegou a coleção!"}]}
    SimTemplate.objects.create(
        waba_id=conversation.number.waba_id,
        template_id=row["id"],
        row=row,
        verdict="APPROVED",
    )
    named = {"name": row["name"], "language": {"code": row["language"]}}
    assert graph.send(type="template", text=None, template=named).status_code == 200
    assert webhook_values()[-1]["statuses"][0]["pricing"]["category"] == "marketing"
    charged = {"service": 1, "marketing": 1}
    assert bill(client)["charged"] == charged
    faults = "/simulator/api/faults"
    client.post(faults, {"kind": "free_entry"}, content_type="application/json")
    graph.send()
    told = webhook_values()[-1]["statuses"][0]["pricing"]
    assert (told["billable"], told["type"]) == (False, "free_entry_point")
    assert bill(client) == {"charged": charged, "free": 1, "allowance": 1000}
