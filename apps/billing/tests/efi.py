"""A local Efí: signs in, makes, shows and removes charges as its API does."""

from datetime import UTC, datetime
from typing import Any

from apps.automation.tests.wire import Answer, Received


class Efi:
    """The charges by txid; `pay` has one paid, `is_down` has every call answered by 503."""

    def __init__(self) -> None:
        self.charges: dict[str, dict[str, Any]] = {}
        self.webhooks: list[dict[str, Any]] = []
        self.is_down = False
        self.refuses_tokens = 0
        self._paid = 0

    def __call__(self, request: Received) -> Answer:
        if self.is_down:
            return Answer(status=503, body="<html>")
        if request.path == "/oauth/token":
            is_right = request.headers["authorization"] == "Basic Y2xpZW50OnNlZ3JlZG8="
            return Answer(body={"access_token": "t"}) if is_right else Answer(status=401, body={})
        if request.headers.get("authorization") != "Bearer t" or self.refuses_tokens:
            self.refuses_tokens -= 1
            return Answer(status=401, body={"nome": "unauthorized"})
        if request.path.startswith("/v2/webhook/"):
            self.webhooks.append({**request.json, "headers": request.headers})
            return Answer(status=201, body={"webhookUrl": request.json["webhookUrl"]})
        txid = request.path.removeprefix("/v2/cob/")
        if request.method == "PUT":
            return self.make(txid, request.json)
        if txid not in self.charges:
            return Answer(status=404, body={"nome": "cobranca_nao_encontrada", "mensagem": "Não."})
        charge = self.charges[txid]
        if request.method == "PATCH":
            if charge["status"] != "ATIVA":
                return Answer(status=400, body={"nome": "status_cobranca_invalido"})
            charge["status"] = request.json["status"]
        return Answer(body=charge)

    def make(self, txid: str, asked: dict[str, Any]) -> Answer:
        """Answer `PUT /v2/cob/{txid}`: keep the charge, which waits for its payment."""
        assert 26 <= len(txid) <= 35 and txid.isalnum()
        self.charges[txid] = {
            "txid": txid,
            "status": "ATIVA",
            "pixCopiaECola": f"00020101021226830014BR.GOV.BCB.PIX{txid}",
            **asked,
        }
        return Answer(status=201, body=self.charges[txid])

    def refund(self, txid: str, value: str, status: str = "DEVOLVIDO") -> None:
        """Have a part of a charge's first payment returned, by the operator or the payer's bank."""
        (paid, *_) = self.charges[txid]["pix"]
        paid.setdefault("devolucoes", []).append(
            {
                "id": f"D{len(paid.get('devolucoes', []))}",
                "rtrId": "D00000000202611251200aaaaaaaaaaa",
                "valor": value,
                "status": status,
                "natureza": "MED_FRAUDE",
            }
        )

    def pay(self, txid: str, value: str = "") -> str:
        """Have a charge paid; returns the payment's id."""
        self._paid += 1
        charge = self.charges[txid]
        reference = f"E00000000202611251200{self._paid:012d}"
        charge["status"] = "CONCLUIDA"
        charge.setdefault("pix", []).append(
            {
                "endToEndId": reference,
                "txid": txid,
                "valor": value or charge["valor"]["original"],
                "horario": datetime.now(UTC).isoformat(),
            }
        )
        return reference
