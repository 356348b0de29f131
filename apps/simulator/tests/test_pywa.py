"""pywa, an independent client of the Cloud API, drives the fake one over HTTP."""

from collections.abc import Iterator
from typing import Any

import httpx
import pytest
from pywa.client import WhatsApp
from pywa.errors import ReEngagementMessage, WhatsAppError
from pywa.types.callback import Button, Section, SectionList, SectionRow, URLButton
from pywa.types.others import ProductsSection

from apps.simulator.graph import catalog
from apps.simulator.models import FaultKind, SimConversation, SimCustomer, SimMessage
from apps.simulator.services import conversations
from apps.simulator.services.faults import set_fault
from apps.simulator.tests.conftest import CUSTOMER, NUMBER

pytestmark = pytest.mark.django_db(transaction=True)


class ToLiveServer(httpx.BaseTransport):
    """Sends what is meant for Meta's host to the live server."""

    def __init__(self, address: str) -> None:
        self.address = httpx.URL(address)
        self.inner = httpx.HTTPTransport()

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        if request.url.host == "graph.facebook.com":
            path = "/simulator/graph" + request.url.raw_path.decode()
            request.url = self.address.join(path)
            request.headers["Host"] = request.url.netloc.decode()
        return self.inner.handle_request(request)

    def close(self) -> None:
        self.inner.close()


@pytest.fixture
def pywa(live_server: Any, settings: Any) -> Iterator[WhatsApp]:
    settings.PORT = live_server.thread.port
    number = conversations.number_for(NUMBER)
    customer = SimCustomer.objects.create(wa_id=CUSTOMER, name="Mariana")
    chat = conversations.conversation_of(number, customer)
    conversations.customer_writes(conversation=chat, kind="text", body={"body": "Oi"})
    with httpx.Client(transport=ToLiveServer(live_server.url)) as session:
        yield WhatsApp(phone_id=NUMBER, token="simulator-access-token", session=session)


def last() -> SimMessage:
    message = SimMessage.objects.last()
    assert message is not None
    return message


def test_text_reply_reaction_and_location(pywa: WhatsApp) -> None:
    sent = pywa.send_message(to=CUSTOMER, text="Bom dia!", tracker="callback-7")
    assert sent.id == last().wamid
    assert (last().body["body"], last().callback) == ("Bom dia!", "callback-7")
    pywa.send_message(to=CUSTOMER, text="Sim", reply_to_message_id=sent.id)
    assert last().reply_to == sent.id
    pywa.send_reaction(to=CUSTOMER, emoji="👍", message_id=sent.id)
    assert last().body == {"emoji": "👍", "message_id": sent.id}
    pywa.send_location(to=CUSTOMER, latitude=-23.5, longitude=-46.6, name="Casa Aroeira")
    assert last().body["name"] == "Casa Aroeira"


def test_media_are_uploaded_sent_and_downloaded(pywa: WhatsApp) -> None:
    content = b"%PDF-1.4 etiqueta"
    pywa.send_document(
        to=CUSTOMER, document=content, filename="etiqueta.pdf", mime_type="application/pdf"
    )
    assert last().body["filename"] == "etiqueta.pdf"
    address = pywa.get_media_url(last().body["id"])
    assert address.file_size == len(content)
    assert pywa.get_media_bytes(url=address.url) == content


def test_buttons_and_lists(pywa: WhatsApp) -> None:
    buttons = [Button(title="Vendas", callback_data="1")]
    pywa.send_message(to=CUSTOMER, text="Escolha", buttons=buttons)
    assert last().body["action"]["buttons"][0]["reply"] == {"id": "1", "title": "Vendas"}
    rows = [SectionRow(title="Trocas", callback_data="2")]
    sections = SectionList(button_title="Ver", sections=[Section(title="Filas", rows=rows)])
    pywa.send_message(to=CUSTOMER, text="Escolha", buttons=sections)
    assert last().body["type"] == "list"


def test_reading_with_typing(pywa: WhatsApp) -> None:
    wamid = SimMessage.objects.get().wamid
    assert pywa.mark_message_as_read(message_id=wamid)
    assert last().status == "read"
    assert pywa.indicate_typing(message_id=wamid)
    assert SimConversation.objects.get().typing_until


def test_number_and_templates(pywa: WhatsApp) -> None:
    number = pywa.get_business_phone_number()
    assert number.id == NUMBER
    assert number.verified_name
    templates = list(pywa.get_templates(waba_id="200000000000001"))
    assert "retomar_conversa" in {template.name for template in templates}


def test_refusals_are_those_pywa_knows(pywa: WhatsApp) -> None:
    set_fault(kind=FaultKind.WINDOW_CLOSED, times=1)
    with pytest.raises(ReEngagementMessage) as refused:
        pywa.send_message(to=CUSTOMER, text="Oi")
    assert refused.value.code == 131047
    assert "24 hours" in str(refused.value.details)
    set_fault(kind=FaultKind.TOKEN_EXPIRED, times=1)
    with pytest.raises(WhatsAppError) as expired:
        pywa.send_message(to=CUSTOMER, text="Oi")
    assert expired.value.code == 190


def test_a_broken_connection_leaves_no_usable_answer(pywa: WhatsApp) -> None:
    set_fault(kind=FaultKind.ANSWER_LOST, times=1)
    with pytest.raises((httpx.HTTPError, ValueError)):
        pywa.send_message(to=CUSTOMER, text="Chegou?")
    assert last().body["body"] == "Chegou?"


def test_links_requests_and_products(pywa: WhatsApp) -> None:
    catalog_id = catalog.CATALOG["id"]
    link = URLButton("Rastrear", "https://casaaroeira.example/rastreio/10482")
    pywa.send_message(to=CUSTOMER, text="Seu pedido saiu", buttons=link)
    assert last().body["action"]["parameters"]["display_text"] == "Rastrear"
    pywa.request_location(to=CUSTOMER, text="Onde você está?")
    assert last().body["type"] == "location_request_message"
    pywa.request_contact_info(to=CUSTOMER, text="Qual é o seu número?")
    assert last().body["type"] == "request_contact_info"
    pywa.send_product(to=CUSTOMER, catalog_id=catalog_id, sku="caneca-gres")
    assert last().body["action"]["product_retailer_id"] == "caneca-gres"
    sections = [ProductsSection("Canecas", ["caneca-gres", "caneca-azul"])]
    pywa.send_products(
        to=CUSTOMER,
        catalog_id=catalog_id,
        product_sections=sections,
        title="Novidades",
        body="Escolhemos para você",
    )
    assert last().body["type"] == "product_list"
    pywa.send_catalog(to=CUSTOMER, body="Veja tudo", thumbnail_product_sku="prato-raso")
    assert last().body["type"] == "catalog_message"
    count = SimMessage.objects.count()
    with pytest.raises(WhatsAppError):
        pywa.send_product(to=CUSTOMER, catalog_id=catalog_id, sku="nenhum")
    with pytest.raises(WhatsAppError):
        pywa.send_product(to=CUSTOMER, catalog_id="1", sku="caneca-gres")
    assert SimMessage.objects.count() == count
