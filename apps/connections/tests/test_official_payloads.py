"""Our payloads against those of pywa, an independent client, for the same message."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import httpx
import orjson
import pytest
from pywa.client import WhatsApp
from pywa.types.callback import Button, FlowButton, Section, SectionList, SectionRow, URLButton
from pywa.types.flows import FlowActionType
from pywa.types.others import Contact, ProductsSection
from pywa.types.templates import TemplateLanguage

from apps.connections.providers.base import ProviderError
from apps.connections.providers.content import (
    CardPhone,
    Choice,
    ContactCard,
    FormSend,
    Location,
    Menu,
    MenuKind,
    MessageKey,
    SendContext,
    TemplateSend,
)
from apps.connections.providers.official import payloads

TO = "5511999990000"
CALLBACK_ID = "5a3fdd5e-6c3a-4bb4-a89b-4a9a1e4f6a10"
CONTEXT = SendContext(to=TO, callback_id=CALLBACK_ID)
REPLY = SendContext(to=TO, callback_id=CALLBACK_ID, quoted=MessageKey("wamid.first"))
MEDIA_ID = "1013859600285441"

BODY_PARAMETERS = {
    "type": "body",
    "parameters": [{"type": "text", "text": "Ana"}, {"type": "text", "text": "R$ 10,00"}],
}


class Oracle:
    """A pywa client whose requests are kept instead of sent."""

    def __init__(self) -> None:
        self.payloads: list[Any] = []
        session = httpx.Client(transport=httpx.MockTransport(self._answer))
        self.client = WhatsApp(phone_id="100000000000001", token="t", session=session)

    def _answer(self, request: httpx.Request) -> httpx.Response:
        self.payloads.append(orjson.loads(request.content))
        return httpx.Response(
            200,
            json={
                "success": True,
                "messaging_product": "whatsapp",
                "contacts": [{"input": TO, "wa_id": TO, "user_id": "BR.1"}],
                "messages": [{"id": "wamid.sent"}],
            },
        )

    def payload_of(self, send: Callable[[WhatsApp], object]) -> Any:
        """Return what a call of the client puts on the wire."""
        send(self.client)
        [payload] = self.payloads
        return payload


@pytest.fixture
def oracle() -> Oracle:
    return Oracle()


CARD = ContactCard(name="Oficina", phones=(CardPhone("+55 11 3333-4444", "551133334444", "WORK"),))
PYWA_CARD = Contact(
    name=Contact.Name(formatted_name="Oficina", first_name="Oficina"),
    phones=[Contact.Phone(phone="+55 11 3333-4444", type="WORK", wa_id="551133334444")],
)
CHOICES = (Choice("1", "Vendas"), Choice("2", "Suporte"))
ROWS = (Choice("a", "Vendas", "Preços e pedidos"), Choice("b", "Suporte"))
SECTIONED = (
    Choice("a", "8 h", "Com Ana", "Manhã"),
    Choice("b", "9 h", section="Manhã"),
    Choice("c", "14 h", section="Tarde"),
)
PRODUCTS = (
    Choice("SKU-1", "Caneca", "R$ 60,00", "Canecas"),
    Choice("SKU-2", "Caneca azul", "R$ 65,00", "Canecas"),
    Choice("SKU-3", "Prato", "R$ 80,00", "Pratos"),
)

CASES: dict[str, tuple[dict[str, Any], Callable[[WhatsApp], object]]] = {
    "text": (
        payloads.text(CONTEXT, "Olá! https://exemplo.com.br"),
        lambda wa: wa.send_message(
            TO, "Olá! https://exemplo.com.br", preview_url=True, tracker=CALLBACK_ID
        ),
    ),
    "reply": (
        payloads.text(REPLY, "Sim"),
        lambda wa: wa.send_message(
            TO, "Sim", preview_url=True, reply_to_message_id="wamid.first", tracker=CALLBACK_ID
        ),
    ),
    "image": (
        payloads.media(CONTEXT, "image", MEDIA_ID, caption="Veja", name="foto.jpg"),
        lambda wa: wa.send_image(TO, MEDIA_ID, caption="Veja", tracker=CALLBACK_ID),
    ),
    "document": (
        payloads.media(CONTEXT, "document", MEDIA_ID, caption="Segue", name="nota.pdf"),
        lambda wa: wa.send_document(
            TO, MEDIA_ID, filename="nota.pdf", caption="Segue", tracker=CALLBACK_ID
        ),
    ),
    "audio": (
        payloads.media(CONTEXT, "audio", MEDIA_ID, caption="audio takes none", name="a.mp3"),
        lambda wa: wa.send_audio(TO, MEDIA_ID, tracker=CALLBACK_ID),
    ),
    "voice": (
        payloads.media(CONTEXT, "audio", MEDIA_ID, is_voice=True),
        lambda wa: wa.send_voice(TO, MEDIA_ID, tracker=CALLBACK_ID),
    ),
    "video": (
        payloads.media(REPLY, "video", MEDIA_ID, caption="Veja", name="filme.mp4"),
        lambda wa: wa.send_video(
            TO,
            MEDIA_ID,
            caption="Veja",
            reply_to_message_id="wamid.first",
            tracker=CALLBACK_ID,
        ),
    ),
    "form": (
        payloads.form(CONTEXT, FormSend("Qual é o seu nome?", "777000111", "FORM")),
        lambda wa: wa.send_message(
            TO,
            "Qual é o seu nome?",
            buttons=FlowButton(
                title="Responder",
                flow_id="777000111",
                flow_token=CALLBACK_ID,
                flow_message_version=3,
                flow_action_type=FlowActionType.NAVIGATE,
                flow_action_screen="FORM",
            ),
            tracker=CALLBACK_ID,
        ),
    ),
    "sticker": (
        payloads.media(CONTEXT, "sticker", MEDIA_ID, caption="none", name="s.webp"),
        lambda wa: wa.send_sticker(TO, MEDIA_ID, tracker=CALLBACK_ID),
    ),
    "location": (
        payloads.location(CONTEXT, Location(-23.5614, -46.6559, "Loja", "Av. Paulista, 1578")),
        lambda wa: wa.send_location(
            TO, -23.5614, -46.6559, "Loja", "Av. Paulista, 1578", tracker=CALLBACK_ID
        ),
    ),
    "plain location": (
        payloads.location(CONTEXT, Location(-23.5614, -46.6559)),
        lambda wa: wa.send_location(TO, -23.5614, -46.6559, tracker=CALLBACK_ID),
    ),
    "contact": (
        payloads.contacts(CONTEXT, (CARD,)),
        lambda wa: wa.send_contact(TO, PYWA_CARD, tracker=CALLBACK_ID),
    ),
    "reaction": (
        payloads.reaction(CONTEXT, "wamid.theirs", "👍"),
        lambda wa: wa.send_reaction(TO, "👍", "wamid.theirs", tracker=CALLBACK_ID),
    ),
    "reaction taken back": (
        payloads.reaction(CONTEXT, "wamid.theirs", ""),
        lambda wa: wa.remove_reaction(TO, "wamid.theirs", tracker=CALLBACK_ID),
    ),
    "buttons": (
        payloads.menu(CONTEXT, Menu("Escolha", CHOICES, header="Menu", footer="Balcão")),
        lambda wa: wa.send_message(
            TO,
            "Escolha",
            header="Menu",
            footer="Balcão",
            buttons=[Button("Vendas", "1"), Button("Suporte", "2")],
            tracker=CALLBACK_ID,
        ),
    ),
    "list": (
        payloads.menu(CONTEXT, Menu("Escolha", ROWS, as_list=True, button="Ver opções")),
        lambda wa: wa.send_message(
            TO,
            "Escolha",
            buttons=SectionList(
                "Ver opções",
                [
                    Section(
                        "Ver opções",
                        [
                            SectionRow("Vendas", "a", "Preços e pedidos"),
                            SectionRow("Suporte", "b"),
                        ],
                    )
                ],
            ),
            tracker=CALLBACK_ID,
        ),
    ),
    "buttons of a person, as an answer": (
        payloads.menu(REPLY, Menu("Escolha", CHOICES, kind=MenuKind.BUTTONS)),
        lambda wa: wa.send_message(
            TO,
            "Escolha",
            buttons=[Button("Vendas", "1"), Button("Suporte", "2")],
            reply_to_message_id="wamid.first",
            tracker=CALLBACK_ID,
        ),
    ),
    "list in sections": (
        payloads.menu(
            CONTEXT,
            Menu(
                "Escolha",
                SECTIONED,
                as_list=True,
                button="Ver horários",
                header="Agenda",
                footer="Balcão",
                kind=MenuKind.LIST,
            ),
        ),
        lambda wa: wa.send_message(
            TO,
            "Escolha",
            header="Agenda",
            footer="Balcão",
            buttons=SectionList(
                "Ver horários",
                [
                    Section("Manhã", [SectionRow("8 h", "a", "Com Ana"), SectionRow("9 h", "b")]),
                    Section("Tarde", [SectionRow("14 h", "c")]),
                ],
            ),
            tracker=CALLBACK_ID,
        ),
    ),
    "link": (
        payloads.menu(
            CONTEXT,
            Menu(
                "Acompanhe o pedido",
                button="Rastrear",
                header="Pedido 10482",
                footer="Balcão",
                kind=MenuKind.LINK,
                url="https://exemplo.com.br/r/10482",
            ),
        ),
        lambda wa: wa.send_message(
            TO,
            "Acompanhe o pedido",
            header="Pedido 10482",
            footer="Balcão",
            buttons=URLButton("Rastrear", "https://exemplo.com.br/r/10482"),
            tracker=CALLBACK_ID,
        ),
    ),
    "location request": (
        payloads.menu(CONTEXT, Menu("Onde você está?", kind=MenuKind.LOCATION_REQUEST)),
        lambda wa: wa.request_location(TO, "Onde você está?", tracker=CALLBACK_ID),
    ),
    "contact request": (
        payloads.menu(CONTEXT, Menu("Qual é o seu número?", kind=MenuKind.CONTACT_REQUEST)),
        lambda wa: wa.request_contact_info(TO, "Qual é o seu número?", tracker=CALLBACK_ID),
    ),
    "product": (
        payloads.menu(
            CONTEXT,
            Menu("", PRODUCTS[:1], footer="Balcão", kind=MenuKind.PRODUCT, catalog_id="77"),
        ),
        lambda wa: wa.send_product(TO, "77", "SKU-1", footer="Balcão", tracker=CALLBACK_ID),
    ),
    "products": (
        payloads.menu(
            CONTEXT,
            Menu(
                "Escolhemos para você",
                PRODUCTS,
                header="Novidades",
                footer="Balcão",
                kind=MenuKind.PRODUCT_LIST,
                catalog_id="77",
            ),
        ),
        lambda wa: wa.send_products(
            TO,
            "77",
            [ProductsSection("Canecas", ["SKU-1", "SKU-2"]), ProductsSection("Pratos", ["SKU-3"])],
            title="Novidades",
            body="Escolhemos para você",
            footer="Balcão",
            tracker=CALLBACK_ID,
        ),
    ),
    "catalogue": (
        payloads.menu(CONTEXT, Menu("Veja tudo", kind=MenuKind.CATALOG)),
        lambda wa: wa.send_catalog(TO, "Veja tudo", tracker=CALLBACK_ID),
    ),
    "catalogue with a picture": (
        payloads.menu(
            CONTEXT, Menu("Veja tudo", PRODUCTS[:1], footer="Balcão", kind=MenuKind.CATALOG)
        ),
        lambda wa: wa.send_catalog(
            TO, "Veja tudo", "Balcão", thumbnail_product_sku="SKU-1", tracker=CALLBACK_ID
        ),
    ),
    "template": (
        payloads.template(CONTEXT, TemplateSend("cobranca", "pt_BR", (BODY_PARAMETERS,))),
        lambda wa: wa.send_template(
            TO, "cobranca", TemplateLanguage.PORTUGUESE_BR, [BODY_PARAMETERS], tracker=CALLBACK_ID
        ),
    ),
    "read receipt": (
        payloads.mark_read("wamid.theirs"),
        lambda wa: wa.mark_message_as_read("wamid.theirs"),
    ),
    "user id": (
        payloads.text(SendContext("BR.13491208655302741918", CALLBACK_ID), "Oi"),
        lambda wa: wa.send_message(
            "BR.13491208655302741918", "Oi", preview_url=True, tracker=CALLBACK_ID
        ),
    ),
    "group": (
        payloads.text(SendContext("Y2FwaV9ncm91cDox", CALLBACK_ID), "Oi"),
        lambda wa: wa.send_message("Y2FwaV9ncm91cDox", "Oi", preview_url=True, tracker=CALLBACK_ID),
    ),
}


def without_nothing(value: Any) -> Any:
    """Drop nulls and empty lists: pywa writes out what a contact or a place doesn't have."""
    if isinstance(value, dict):
        kept = {key: without_nothing(inner) for key, inner in value.items()}
        return {key: inner for key, inner in kept.items() if inner is not None and inner != []}
    return [without_nothing(inner) for inner in value] if isinstance(value, list) else value


@pytest.mark.parametrize("name", CASES)
def test_the_payload_is_that_of_an_independent_client(oracle: Oracle, name: str) -> None:
    ours, send = CASES[name]
    assert orjson.loads(orjson.dumps(ours)) == without_nothing(oracle.payload_of(send))


def test_every_message_carries_our_id() -> None:
    for name, (payload, _) in CASES.items():
        if name != "read receipt":
            assert payload["biz_opaque_callback_data"] == CALLBACK_ID


def test_more_than_three_choices_become_a_list() -> None:
    choices = tuple(Choice(str(number), f"Opção {number}") for number in range(4))
    interactive = payloads.menu(CONTEXT, Menu("Escolha", choices))["interactive"]
    assert interactive["type"] == "list"
    assert len(interactive["action"]["sections"][0]["rows"]) == 4


@pytest.mark.parametrize("count", [0, 11])
def test_a_menu_that_no_list_holds_is_refused(count: int) -> None:
    choices = tuple(Choice(str(number), "Opção") for number in range(count))
    with pytest.raises(ProviderError) as caught:
        payloads.menu(CONTEXT, Menu("Escolha", choices))
    assert caught.value.permanent


def test_words_longer_than_the_provider_takes_are_cut() -> None:
    long = "x" * 100
    menu = Menu("Escolha", (Choice("1", long, long),), header=long, footer=long, button=long)
    buttons = payloads.menu(CONTEXT, menu)["interactive"]
    assert len(buttons["action"]["buttons"][0]["reply"]["title"]) == 20
    assert len(buttons["header"]["text"]) == len(buttons["footer"]["text"]) == 60
    listed = Menu("Escolha", (Choice("1", long, long),), as_list=True, button=long)
    action = payloads.menu(CONTEXT, listed)["interactive"]["action"]
    [row] = action["sections"][0]["rows"]
    assert (len(action["button"]), len(row["title"]), len(row["description"])) == (20, 24, 72)


def test_a_group_is_named_without_our_suffix() -> None:
    assert payloads.recipient("Y2FwaV9ncm91cDox@g.us") == {
        "recipient_type": "group",
        "to": "Y2FwaV9ncm91cDox",
    }


def test_a_person_without_a_visible_number_is_named_by_the_user_id() -> None:
    assert payloads.recipient("BR.13491208655302741918@lid") == {
        "recipient_type": "individual",
        "recipient": "BR.13491208655302741918",
    }


@pytest.mark.parametrize("to", ["", "77@lid"])
def test_without_a_number_nothing_is_sent(to: str) -> None:
    with pytest.raises(ProviderError) as caught:
        payloads.recipient(to)
    assert caught.value.permanent


def test_a_utility_text_is_a_text_with_a_category() -> None:
    """pywa has no Direct Send: its text without a preview, and Meta's field beside it.

    developers.facebook.com/documentation/business-messaging/whatsapp/direct-send/
    send-utility-and-authentication-messages (31 Jul 2026)
    """
    oracle = Oracle()
    oracle.client.send_message(TO, "Seu pedido saiu.", tracker=CALLBACK_ID)
    [text] = oracle.payloads
    text["text"].pop("preview_url", None)
    ours = payloads.text(replace(CONTEXT, category="utility"), "Seu pedido saiu.")
    assert ours == {**text, "category": "utility"}
