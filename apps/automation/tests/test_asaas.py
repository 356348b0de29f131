import json
import threading
from collections.abc import Iterator
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest

from apps.automation.clients.asaas import AsaasClient
from apps.automation.clients.base import ClientError, Outcome
from apps.automation.services.lookups import DOCUMENTS_A_DAY, lookups_of
from apps.automation.tests.turns import make_turn
from apps.automation.tests.wire import Answer, Received, WireServer, wire_server

CPF, OTHER_CPF = "529.982.247-25", "111.444.777-35"
PIX = "00020126580014br.gov.bcb.pix0136a23bf0e9"
BARCODE = "00190.00009 02828.541004 00002.311170 5 91060000010000"


def charge(identity: str, due_date: str, value: float = 100, **more: Any) -> dict[str, Any]:
    url = f"https://www.asaas.com/i/{identity}"
    return {"id": identity, "dueDate": due_date, "value": value, "invoiceUrl": url, **more}


class Account:
    """An account at Asaas, as its API shows it."""

    def __init__(self) -> None:
        self.customers = {"52998224725": ["cus_1"]}
        self.charges: dict[tuple[str, str], list[dict[str, Any]]] = {}
        self.codes: dict[str, Answer] = {
            "pixQrCode": Answer(body={"encodedImage": "aGk=", "payload": PIX}),
            "identificationField": Answer(body={"identificationField": BARCODE, "barCode": "1"}),
        }
        self.refusal: Answer | None = None

    def answer(self, request: Received) -> Answer:
        if self.refusal is not None:
            return self.refusal
        parts = urlsplit(request.path)
        query = {name: values[0] for name, values in parse_qs(parts.query).items()}
        if parts.path == "/v3/customers":
            document = query.get("cpfCnpj", "")
            found = self.customers.get(document, [])
            rows = [{"id": id_, "name": "Ana Souza", "cpfCnpj": document} for id_ in found]
            return Answer(body={"data": rows, "hasMore": False})
        if parts.path == "/v3/payments":
            rows = self.charges.get((query["customer"], query["status"]), [])
            start, limit = int(query["offset"]), int(query["limit"])
            page = rows[start : start + limit]
            return Answer(body={"data": page, "hasMore": start + limit < len(rows)})
        return self.codes[parts.path.rpartition("/")[2]]


@pytest.fixture
def account() -> Account:
    return Account()


@pytest.fixture
def server(settings: Any, account: Account) -> Iterator[WireServer]:
    settings.ALLOW_PRIVATE_TARGETS = ["127.0.0.0/8"]
    with wire_server() as running:
        running.handler = account.answer
        yield running


def client(server: WireServer, **options: Any) -> AsaasClient:
    return AsaasClient(**{"token": "$aact_x", "url": f"{server.url}/v3", "timeout": 5, **options})


def texts(outcome: Outcome) -> list[str]:
    return [reply.text for reply in outcome.replies]


def test_the_oldest_overdue_charge_is_told(server: WireServer, account: Account) -> None:
    account.charges["cus_1", "OVERDUE"] = [
        charge("pay_2", "2026-10-10"),
        charge("pay_1", "2026-09-10", 1234.5),
        charge("pay_0", "2026-01-01", deleted=True),
    ]
    account.charges["cus_1", "PENDING"] = [charge("pay_3", "2026-12-10")]
    outcome = client(server).take_turn(make_turn(f"Meu CPF: {CPF}"))
    told, *codes = texts(outcome)
    assert told == (
        "Encontramos uma cobrança vencida:\n\n"
        "*Valor:* R$ 1.234,50\n"
        "*Vencimento:* 10/09/2026\n"
        "*Link para pagar:* https://www.asaas.com/i/pay_1\n\n"
        "Há 3 cobranças em aberto. Esta é a mais antiga."
    )
    assert codes == ["Pix copia e cola:", PIX, "Linha digitável do boleto:", BARCODE]
    assert outcome.hand_over is None
    assert all(request.headers["access_token"] == "$aact_x" for request in server.received)
    assert server.received[0].path.startswith("/v3/customers?cpfCnpj=52998224725")
    assert server.received[-2].path == "/v3/payments/pay_1/pixQrCode"


def test_else_the_next_charge_is_told(server: WireServer, account: Account) -> None:
    account.charges["cus_1", "PENDING"] = [charge("b", "2027-01-10"), charge("a", "2026-12-10")]
    told = texts(client(server).take_turn(make_turn(CPF)))[0]
    assert "em aberto" in told
    assert "10/12/2026" in told
    assert "a que vence primeiro" in told


def test_charges_of_every_account_and_page_count(server: WireServer, account: Account) -> None:
    account.customers["52998224725"] = ["cus_1", "cus_2"]
    account.charges["cus_1", "OVERDUE"] = [charge(f"p{n}", "2026-10-10") for n in range(150)]
    account.charges["cus_2", "OVERDUE"] = [charge("old", "2026-05-01")]
    told = texts(client(server).take_turn(make_turn(CPF)))[0]
    assert "01/05/2026" in told
    assert "Há 151 cobranças" in told


def test_neither_name_nor_document_is_shown_or_logged(server: WireServer, account: Account) -> None:
    account.charges["cus_1", "PENDING"] = [charge("a", "2026-12-10", description="Ana Souza")]
    outcome = client(server).take_turn(make_turn(CPF))
    everything = json.dumps([texts(outcome), outcome.session, [str(c) for c in outcome.calls]])
    for secret in ("Ana", "52998224725", CPF, "$aact_x"):
        assert secret not in everything
    assert [call.status_code for call in outcome.calls] == [200] * 5


@pytest.mark.parametrize("status", [400, 404, 500])
def test_a_charge_without_a_code_is_told_all_the_same(
    server: WireServer, account: Account, status: int
) -> None:
    account.charges["cus_1", "PENDING"] = [charge("a", "2026-12-10")]
    account.codes["identificationField"] = Answer(status, {"errors": []})
    outcome = client(server).take_turn(make_turn(CPF))
    assert texts(outcome)[1:] == ["Pix copia e cola:", PIX]
    account.codes["pixQrCode"] = Answer(body={"payload": None})
    assert len(client(server).take_turn(make_turn(CPF)).replies) == 1


def test_the_document_is_asked_for_until_a_person_goes_on(server: WireServer) -> None:
    session: Any = {}
    said = []
    for text in ("Oi", "529.982.247-26", "oi?", "alô"):
        outcome = client(server).take_turn(make_turn(text, session=session))
        said += texts(outcome)
        session = outcome.session
    assert said[0].startswith("Para consultar a sua cobrança")
    assert "não é válido" in said[1]
    assert said[2] == said[0]
    assert "Uma pessoa da nossa equipe" in said[3]
    assert outcome.hand_over is not None
    assert outcome.hand_over.reason == "finished"
    assert server.received == []


def test_an_unknown_document_may_be_tried_again(server: WireServer) -> None:
    outcome = client(server).take_turn(make_turn(OTHER_CPF))
    assert "Não encontramos um cadastro" in texts(outcome)[0]
    assert outcome.hand_over is None


def test_without_a_charge_that_is_said_and_then_a_person_goes_on(server: WireServer) -> None:
    outcome = client(server).take_turn(make_turn(CPF))
    assert texts(outcome) == ["Não há cobranças em aberto para esse documento."]
    after = client(server).take_turn(make_turn("mas eu paguei", session=outcome.session or {}))
    assert after.hand_over is not None


def test_a_conversation_looks_up_few_documents(server: WireServer) -> None:
    session: Any = {}
    for document in (CPF, OTHER_CPF, CPF, "11.222.333/0001-81"):
        outcome = client(server).take_turn(make_turn(document, session=session))
        assert outcome.hand_over is None
        session = outcome.session
    before = len(server.received)
    outcome = client(server).take_turn(make_turn("12.ABC.345/01DE-35", session=session))
    assert outcome.hand_over is not None
    assert len(server.received) == before


def test_a_contact_looks_up_few_documents_a_day() -> None:
    may_look_up = lookups_of(1, "ana")
    assert [may_look_up(f"{number}") for number in range(DOCUMENTS_A_DAY + 1)] == [
        *[True] * DOCUMENTS_A_DAY,
        False,
    ]
    assert may_look_up("0")
    assert lookups_of(1, "bruno")("9")
    assert lookups_of(2, "ana")("9")


def test_too_many_documents_of_a_day_go_to_a_person(server: WireServer) -> None:
    asked = client(server, may_look_up=lambda document: False)
    outcome = asked.take_turn(make_turn(CPF))
    assert outcome.hand_over is not None
    assert server.received == []


@pytest.mark.parametrize(
    ("status", "permanent", "words", "reason"),
    [
        (401, True, "recusou o token", "asaas_token_refused"),
        (403, True, "recusou o token", "asaas_token_refused"),
        (404, True, "404", "server_error"),
        (429, False, "esperar", "server_busy"),
        (500, False, "500", "server_error"),
    ],
)
def test_refusals_are_said_in_words(
    server: WireServer, account: Account, status: int, permanent: bool, words: str, reason: str
) -> None:
    headers = {"Retry-After": "9"} if status == 429 else {}
    account.refusal = Answer(status, {"errors": [{"description": "CPF 52998224725"}]}, headers)
    with pytest.raises(ClientError) as raised:
        client(server).take_turn(make_turn(CPF))
    error = raised.value
    assert (error.permanent, error.retry_after) == (permanent, 9 if status == 429 else None)
    assert words in error.message
    assert error.reason.code == reason
    assert error.calls[-1].status_code == status
    assert "52998224725" not in str(error.calls)


def test_a_token_can_be_checked(server: WireServer, account: Account) -> None:
    client(server).check()
    assert server.received[0].path == "/v3/customers?limit=1"
    account.refusal = Answer(401)
    with pytest.raises(ClientError, match="recusou o token"):
        client(server).check()


def test_a_missing_token_is_said(server: WireServer) -> None:
    with pytest.raises(ClientError, match="Falta o token") as raised:
        client(server, token=" ").take_turn(make_turn("Oi"))
    assert raised.value.permanent


@pytest.mark.parametrize(
    "body",
    [b"<html>", b"[]", b'{"data": 1}', b'{"data": [1]}', b'{"data": [{"name": "x"}]}'],
)
def test_a_malformed_answer_is_an_error(server: WireServer, account: Account, body: bytes) -> None:
    account.refusal = Answer(body=body)
    with pytest.raises(ClientError) as raised:
        client(server).take_turn(make_turn(CPF))
    assert not raised.value.permanent


@pytest.mark.parametrize(
    "row",
    [
        {"id": "a", "value": 1},
        {"id": "a", "value": "muito", "dueDate": "2026-01-01"},
        {"id": "a", "value": 1, "dueDate": "amanhã"},
        {"id": "a", "value": None, "dueDate": "2026-01-01"},
    ],
)
def test_a_malformed_charge_is_an_error(
    server: WireServer, account: Account, row: dict[str, Any]
) -> None:
    account.charges["cus_1", "OVERDUE"] = [row]
    with pytest.raises(ClientError):
        client(server).take_turn(make_turn(CPF))


def test_a_slow_or_huge_answer_is_not_waited_for(server: WireServer, account: Account) -> None:
    gate = threading.Event()
    account.refusal = Answer(gate=gate)
    with pytest.raises(ClientError, match="não respondeu"):
        client(server, timeout=0.2).take_turn(make_turn(CPF))
    gate.set()
    account.refusal = Answer(body=b"x" * 1_100_000)
    with pytest.raises(ClientError, match="grande demais"):
        client(server).take_turn(make_turn(CPF))
