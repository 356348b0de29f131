"""The demo's second number, whose bot offers three queues; two of them have a menu."""

from django.utils import timezone

from apps.companies.models import Company
from apps.connections.models import (
    Connection,
    ConnectionStatus,
    OperatorAccount,
    ProviderKind,
)
from apps.queues.models import Queue
from apps.queues.services.options import replace_options
from apps.queues.trees import OptionNode
from apps.simulator.models import SimNumber

NAME = "Loja Bairro"
PHONE_NUMBER_ID, WABA_ID = "100000000000002", "200000000000002"
PHONE = "+55 11 94002-8933"
GREETING = "Olá, {{firstName}}! Você está falando com a Casa Aroeira, loja do bairro."
CLOSED = "Estamos fechados agora. Deixe a sua mensagem, que respondemos assim que abrirmos."
RATING = "Como foi o nosso atendimento?"
COMPLETION = "Obrigada por falar com a Casa Aroeira. Até logo!"


def _exchange(sales: Queue) -> list[OptionNode]:
    return [
        OptionNode(
            "Produto com defeito",
            "Que pena! Como você prefere resolver?",
            children=(
                OptionNode(
                    "Quero um novo",
                    "Certo! Envie uma foto do produto e o número do pedido.",
                ),
                OptionNode(
                    "Escolher outro",
                    "Combinado, o valor pago vira crédito na loja.",
                    redirection_queue_id=sales.pk,
                ),
            ),
        ),
        OptionNode("Prazo de troca", "Você tem 7 dias depois de receber, com a nota fiscal."),
    ]


def _billing() -> list[OptionNode]:
    return [
        OptionNode("Segunda via", "Envie o CPF ou o CNPJ da compra, por favor."),
        OptionNode("Nota fiscal", "Informe o número do pedido, que enviamos a nota por aqui."),
    ]


def make_bot(company: Company, queues: dict[str, Queue]) -> Connection:
    """Create the connection with its queues, their menus and the bot's messages."""
    replace_options(queues["Trocas e devoluções"], _exchange(queues["Vendas"]))
    replace_options(queues["Financeiro"], _billing())
    Queue.objects.filter(company=company).update(out_of_hours_message=CLOSED)
    connection = Connection.objects.create(
        company=company,
        name=NAME,
        number="".join(c for c in PHONE if c.isdigit()),
        provider=ProviderKind.OFFICIAL,
        status=ConnectionStatus.CONNECTED,
        phone_number_id=PHONE_NUMBER_ID,
        waba_id=WABA_ID,
        verified_at=timezone.now(),
        greeting_message=GREETING,
        out_of_hours_message=CLOSED,
        rating_message=RATING,
        completion_message=COMPLETION,
    )
    OperatorAccount.objects.create(company=company, waba_id=WABA_ID)
    connection.queues.set(queues.values())
    return connection


def make_bot_number() -> SimNumber:
    """Register the second number in the fake Graph API."""
    number, _ = SimNumber.objects.update_or_create(
        phone_number_id=PHONE_NUMBER_ID,
        defaults={
            "waba_id": WABA_ID,
            "display_phone_number": PHONE,
            "verified_name": f"Casa Aroeira · {NAME}",
        },
    )
    return number
