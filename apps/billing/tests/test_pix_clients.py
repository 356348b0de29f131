"""Providers of Pix over their wire: what is asked, what is read, what goes wrong."""

import threading
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from typing import Any

import pytest

from apps.automation.tests.wire import Answer, Received, WireServer, wire_server
from apps.billing.pix.asaas import BRASILIA, AsaasPix
from apps.billing.pix.base import NewCharge, PixError
from apps.billing.pix.efi import EfiClient
from apps.billing.pix.manual import br_code, crc16
from apps.billing.tests.efi import Efi

NEW = NewCharge(txid="a" * 32, value=Decimal("49.90"), description="Plano Básico", seconds=3600)


@pytest.fixture
def server() -> Iterator[WireServer]:
    with wire_server() as running:
        yield running


def efi_at(server: WireServer, tmp_path: Any, **options: Any) -> EfiClient:
    certificate = tmp_path / "efi.pem"
    certificate.write_text("-----BEGIN")
    return EfiClient(
        **{
            "client_id": "client",
            "client_secret": "segredo",
            "certificate": str(certificate),
            "url": server.url,
            "key": "pix@balcao.example",
            **options,
        }
    )


def asaas_at(server: WireServer, **options: Any) -> AsaasPix:
    return AsaasPix(**{"token": "t", "url": f"{server.url}/v3", "key": "chave", **options})


def test_efi_makes_shows_and_removes_a_charge(server: WireServer, tmp_path: Any) -> None:
    bank = server.handler = Efi()
    client = efi_at(server, tmp_path)
    issued = client.create(NEW)
    assert (issued.reference, issued.code) == (NEW.txid, bank.charges[NEW.txid]["pixCopiaECola"])
    assert client.look_up(txid=NEW.txid, reference="").is_open
    bank.refuses_tokens = 1  # the token has ended: it signs in anew
    reference = bank.pay(NEW.txid)
    standing = client.look_up(txid=NEW.txid, reference="")
    assert not standing.is_open
    assert [(each.reference, each.value) for each in standing.payments] == [
        (reference, Decimal("49.90"))
    ]
    client.withdraw(txid=NEW.txid, reference="")  # too late, and no matter
    assert bank.charges[NEW.txid]["status"] == "CONCLUIDA"
    assert not client.look_up(txid="b" * 32, reference="").is_open


def test_what_efi_gave_back_is_told(server: WireServer, tmp_path: Any) -> None:
    bank = server.handler = Efi()
    client = efi_at(server, tmp_path)
    client.create(NEW)
    bank.pay(NEW.txid)
    bank.charges[NEW.txid]["pix"][0]["devolucoes"] = [{"valor": "49.90", "status": "DEVOLVIDO"}]
    (paid,) = client.look_up(txid=NEW.txid, reference="").payments
    assert (paid.value, paid.refunded) == (Decimal("49.90"), Decimal("49.90"))


def test_efi_is_told_where_to_notify(server: WireServer, tmp_path: Any) -> None:
    bank = server.handler = Efi()
    efi_at(server, tmp_path).set_webhook("https://balcao.example/webhooks/efi?hmac=x&ignorar=")
    (told,) = bank.webhooks
    assert told["webhookUrl"].endswith("ignorar=")
    assert told["headers"]["x-skip-mtls-checking"] == "true"


@pytest.mark.parametrize(
    ("answer", "permanent"),
    [
        (Answer(status=503, body="<html>"), False),
        (Answer(status=400, body={"nome": "valor_invalido", "mensagem": "Valor."}), True),
        (Answer(status=302, headers={"Location": "https://elsewhere.example"}), True),
        (Answer(body="no json"), False),
        (Answer(body={"status": "CONCLUIDA"}), False),
        (Answer(status=401, body={}), True),
    ],
)
def test_efis_refusals_are_errors_in_words(
    server: WireServer, tmp_path: Any, answer: Answer, permanent: bool
) -> None:
    signed_in = Efi()
    server.handler = lambda request: (
        signed_in(request) if request.path == "/oauth/token" else answer
    )
    with pytest.raises(PixError) as caught:
        efi_at(server, tmp_path).look_up(txid=NEW.txid, reference="")
    assert caught.value.permanent == permanent and "Efí" in str(caught.value)
    with pytest.raises(PixError, match="credentials"):
        efi_at(server, tmp_path, client_secret="errado").create(NEW)


def test_a_dead_bank_holds_nobody(server: WireServer, tmp_path: Any) -> None:
    gate = threading.Event()
    server.handler = lambda request: Answer(gate=gate)
    try:
        with pytest.raises(PixError, match="in time"):
            efi_at(server, tmp_path, timeout=0.2).create(NEW)
        with pytest.raises(PixError, match="in time"):
            asaas_at(server, timeout=0.2).create(NEW)
    finally:
        gate.set()


class Asaas:
    """A local Asaas with one QR code."""

    def __init__(self) -> None:
        self.payments: list[dict[str, Any]] = []
        self.made: list[dict[str, Any]] = []
        self.removed: list[str] = []

    def __call__(self, request: Received) -> Answer:
        if request.headers.get("access_token") != "t":
            return Answer(status=401, body={"errors": [{"description": "Token inválido"}]})
        if request.method == "POST":
            self.made.append(request.json)
            return Answer(body={"id": "QR1", "payload": "000201...", "encodedImage": None})
        if request.method == "DELETE":
            self.removed.append(request.path)
            return Answer(status=404 if len(self.removed) > 1 else 200, body={})
        assert request.path == "/v3/payments?pixQrCodeId=QR1&limit=100"
        rows = [{"pixQrCodeId": "QR1", **payment} for payment in self.payments]
        return Answer(body={"data": rows, "hasMore": False})


def test_asaas_makes_shows_and_removes_a_code(server: WireServer) -> None:
    bank = server.handler = Asaas()
    client = asaas_at(server)
    issued = client.create(NEW)
    assert (issued.reference, issued.code) == ("QR1", "000201...")
    (made,) = bank.made
    assert (made["value"], made["allowsMultiplePayments"]) == (49.9, False)
    assert made["expirationSeconds"] == 3600
    bank.payments = [
        {"id": "pay_1", "status": "RECEIVED", "value": 49.9},
        {"id": "pay_2", "status": "REFUNDED", "value": 49.9},
    ]
    received, returned = client.look_up(txid=NEW.txid, reference="QR1").payments
    assert (received.reference, received.value) == ("pay_1", Decimal("49.90"))
    assert (received.refunded, returned.refunded) == (Decimal(0), Decimal("49.90"))
    client.withdraw(txid=NEW.txid, reference="QR1")
    client.withdraw(txid=NEW.txid, reference="QR1")
    assert not client.look_up(txid=NEW.txid, reference="").is_open
    with pytest.raises(PixError, match="BILLING_ASAAS_TOKEN") as caught:
        asaas_at(server, token="wrong").create(NEW)
    assert caught.value.permanent


def test_a_payment_of_another_code_is_none_of_this_one(server: WireServer) -> None:
    bank = server.handler = Asaas()
    paid = {"status": "RECEIVED", "value": 49.9}
    bank.payments = [
        paid | {"id": "pay_1", "pixQrCodeId": "QR2"},
        paid | {"id": "pay_2", "pixQrCodeId": None},
        paid | {"id": "pay_3"},
    ]
    standing = asaas_at(server).look_up(txid=NEW.txid, reference="QR1")
    assert [each.reference for each in standing.payments] == ["pay_3"]


def test_a_payment_that_asaas_shows_later_keeps_its_day(server: WireServer) -> None:
    bank = server.handler = Asaas()
    today = datetime.now(BRASILIA).date()
    yesterday = today - timedelta(days=1)
    paid = {"status": "RECEIVED", "value": 49.9}
    bank.payments = [
        {**paid, "id": "pay_1", "clientPaymentDate": f"{today}", "paymentDate": f"{today}"},
        {**paid, "id": "pay_2", "clientPaymentDate": f"{yesterday}", "paymentDate": f"{today}"},
        {**paid, "id": "pay_3", "clientPaymentDate": None, "paymentDate": f"{yesterday}"},
        {**paid, "id": "pay_4", "clientPaymentDate": "28/11", "paymentDate": None},
    ]
    standing = asaas_at(server).look_up(txid=NEW.txid, reference="QR1")
    moments = [each.paid_at for each in standing.payments]
    days = [moment.astimezone(BRASILIA).date() for moment in moments]
    assert days == [today, yesterday, yesterday, today]
    assert max(moments) <= datetime.now(UTC)


def test_the_static_code_is_that_of_the_manual() -> None:
    # The check value of CRC-16/CCITT-FALSE.
    assert crc16(b"123456789") == 0x29B1
    # The example of the Manual do BR Code.
    example = (
        "00020126580014br.gov.bcb.pix0136123e4567-e12b-12d1-a456-426655440000"
        "5204000053039865802BR5913Fulano de Tal6008BRASILIA62070503***6304"
    )
    assert f"{crc16(example.encode()):04X}" == "1D3D"
    code = br_code(
        key="123e4567-e12b-12d1-a456-426655440000",
        name="Balcão & Cia. Serviços de Atendimento",
        city="São João del-Rei",
        value=Decimal("149.7"),
        txid="0" * 32,
    )
    assert "5406149.70" in code and "5925Balcao & Cia. Servicos de" in code
    assert "6015Sao Joao del-Re" in code and f"62290525{'0' * 25}" in code
    assert f"{crc16(code[:-4].encode()):04X}" == code[-4:]
