"""Every kind of message in one conversation, written to a product's database.

Most of them no simulated telephone can send: groups, call logs, what was taken back. `seed` runs
this module as a program of its own beside the product.
"""

import os
import subprocess
import sys
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any

from tests.product import ROOT, Product

if TYPE_CHECKING:
    from apps.contacts.models import Contact
    from apps.tickets.models import Message, Ticket

GROUP = "Lojistas da Vila"
LAST = "E assim acaba."
UNREAD = 2
LONG_WORD = "Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft" * 2
LONG_ADDRESS = "https://exemplo.com.br/" + "catalogo-de-inverno/" * 9 + "?pagina=1&ordem=preco"
CARD = "BEGIN:VCARD\nVERSION:3.0\nFN:{name}\nTEL;type=CELL;waid={digits}:+{digits}\nEND:VCARD"
MENU = {
    "type": "list",
    "header": {"type": "text", "text": "Horário de entrega"},
    "body": {"text": "Quando podemos entregar?"},
    "footer": {"text": "De segunda a sexta"},
    "action": {
        "button": "Escolher",
        "sections": [
            {
                "title": "Manhã",
                "rows": [
                    {"id": "m1", "title": "Das 8 às 10", "description": "Só no centro"},
                    {"id": "m2", "title": "Das 10 às 12"},
                ],
            },
            {"title": "Tarde", "rows": [{"id": "t1", "title": "Das 14 às 18"}]},
        ],
    },
}
POLL = {
    "name": "Qual cor para a *vitrine* de inverno?",
    "options": ["Azul-cobalto", "Terracota", LONG_WORD],
    "selectable": 0,
}
AD = {
    "source_type": "ad",
    "source_id": "120226305854810726",
    "source_url": "https://fb.me/3cr4Wqqkv",
    "headline": "Travessas da nova estação",
    "body": "Feitas à mão, com frete grátis para a Vila Madalena até domingo.",
}
TEMPLATE = [
    {"type": "HEADER", "format": "IMAGE"},
    {"type": "BODY", "text": "Olá, Sílvia! Seu pedido *10482* saiu para entrega."},
    {"type": "FOOTER", "text": "Olaria Vila Madalena"},
    {
        "type": "BUTTONS",
        "buttons": [
            {"type": "URL", "text": "Acompanhar", "url": "https://exemplo.com.br/10482"},
            {"type": "PHONE_NUMBER", "text": "Ligar", "phone_number": "+551130303030"},
            {"type": "COPY_CODE", "text": "Copiar código"},
            {"type": "QUICK_REPLY", "text": "Está tudo certo"},
        ],
    },
]
OFFER = [
    {
        "type": "LIMITED_TIME_OFFER",
        "text": "10% em toda a loja",
        "expiresAt": "2030-12-20T21:00:00+00:00",
    },
    {"type": "BODY", "text": "Sílvia, só até o fim do ano."},
    {"type": "BUTTONS", "buttons": [{"type": "COPY_CODE", "text": "Copiar", "code": "VILA10"}]},
]
CAROUSEL = [
    {"type": "BODY", "text": "Escolhemos para você:"},
    {
        "type": "CAROUSEL",
        "cards": [
            {
                "components": [
                    {"type": "HEADER", "format": "IMAGE"},
                    {"type": "BODY", "text": f"Travessa *{colour}*, feita à mão"},
                    {
                        "type": "BUTTONS",
                        "buttons": [
                            {"type": "URL", "text": "Ver", "url": "https://exemplo.com.br/1"},
                            {"type": "QUICK_REPLY", "text": "Quero esta"},
                        ],
                    },
                ]
            }
            for colour in ("azul", "terracota")
        ],
    },
]
PLAIN_TEMPLATE = [
    {"type": "HEADER", "format": "TEXT", "text": "Lembrete"},
    {"type": "BODY", "text": "A retirada é amanhã, até as 18 h."},
]


def seed(product: Product) -> None:
    """Give the demo company's admin the conversation `GROUP`."""
    environment = os.environ | {
        "DATA_DIR": str(product.data_directory),
        "PORT": str(product.port),
        "DJANGO_SETTINGS_MODULE": "config.settings",
        "SIMULATOR": "1",
        "DEBUG": "1",
    }
    environment.pop("DATABASE_URL", None)
    subprocess.run(
        [sys.executable, "-m", "tests.journeys.kinds"], cwd=ROOT, env=environment, check=True
    )


class _Writer:
    """Writes one message after another, a minute apart."""

    def __init__(self, ticket: "Ticket", at: datetime) -> None:
        self.ticket = ticket
        self.at = at

    def _write(self, fields: dict[str, Any]) -> "Message":
        from tests.factories import make_message

        sample = fields.pop("sample", "")
        mime = fields.pop("mime", "")
        if sample:
            fields |= self._file(sample, mime)
        self.at += timedelta(minutes=1)
        fields = {"created_at": self.at, "is_read": True} | fields
        message = make_message(
            self.ticket, external_id=f"wamid.kinds{self.ticket.pk}.{self.at:%d%H%M}", **fields
        )
        self.ticket.latest_message = message
        self.ticket.last_message = message.body[:100]
        self.ticket.updated_at = self.at
        return message

    def _file(self, sample: str, mime: str) -> dict[str, Any]:
        from apps.common.media import store_media
        from apps.simulator.services.media import SAMPLES

        stored = store_media(
            company_id=self.ticket.company_id,
            content=(SAMPLES / sample).read_bytes(),
            name=sample,
            mime=mime,
        )
        return {
            "media_state": "ready",
            "media_path": stored.path,
            "media_name": sample,
            "media_mime": mime,
            "media_size": stored.size,
        }

    def theirs(self, writer: "Contact", media_type: str, body: str, **fields: Any) -> "Message":
        return self._write(
            {"participant": writer, "media_type": media_type, "body": body, "ack": 3} | fields
        )

    def ours(self, media_type: str, body: str, **fields: Any) -> "Message":
        return self._write(
            {
                "from_me": True,
                "source": "agent",
                "user": self.ticket.user,
                "media_type": media_type,
                "body": body,
                "ack": 4,
            }
            | fields
        )


def _received(chat: _Writer, silvia: "Contact", otavio: "Contact") -> "Message":
    from apps.tickets.models import MessageReaction, Poll, PollVote

    asked = chat.theirs(
        silvia,
        "conversation",
        "Bom dia! Tem *travessa azul*, _tamanho grande_, a ~R$ 90~ R$ 79? Vi em "
        "www.exemplo.com.br/travessas, código ```TRV-77```.",
    )
    MessageReaction.objects.create(message=asked, from_me=True, emoji="👍", user=chat.ticket.user)
    MessageReaction.objects.create(message=asked, from_me=False, sender=otavio, emoji="❤️")
    chat.theirs(silvia, "extendedTextMessage", LONG_WORD)
    chat.theirs(silvia, "extendedTextMessage", LONG_ADDRESS)
    chat.theirs(silvia, "conversation", "مرحبا، هل لديكم أطباق زرقاء كبيرة؟")
    chat.theirs(otavio, "conversation", "😍🎉")
    chat.theirs(otavio, "conversation", "Ainda tem a do anúncio?", data={"referral": AD})
    image = {"sample": "canecas.jpg", "mime": "image/jpeg"}
    chat.theirs(otavio, "image", "Estas aqui, com *alça*", **image)
    chat.theirs(otavio, "image", "", media_state="fetching")
    chat.theirs(otavio, "image", "", media_state="failed")
    chat.theirs(silvia, "sticker", "", sample="obrigada.webp", mime="image/webp")
    chat.theirs(silvia, "audio", "", sample="recado.ogg", mime="audio/ogg", media_seconds=11.9)
    chat.theirs(silvia, "video", "O forno", sample="vasos.mp4", mime="video/mp4", media_seconds=3.5)
    pdf = {"sample": "comprovante-pix.pdf", "mime": "application/pdf"}
    chat.theirs(otavio, "application", "comprovante-pix.pdf", **pdf)
    cards = [
        CARD.format(name="Paula Sampaio", digits="5511973334821"),
        CARD.format(name="Depósito", digits="551130303030"),
    ]
    chat.theirs(otavio, "vcard", "\n".join(cards))
    link = "https://maps.google.com/?q=-23.55,-46.69"
    chat.theirs(otavio, "locationMessage", f"|{link}|Rua Harmonia, 412")
    chat.theirs(otavio, "interactive_list", "Das 8 às 10", data={"id": "m1"})
    poll = Poll.objects.create(
        message=chat.theirs(silvia, "conversation", "Qual cor?", data={"poll": POLL}), secret="-"
    )
    PollVote.objects.bulk_create(
        PollVote(poll=poll, from_me=voter is None, sender=voter, options=chosen, voted_at=chat.at)
        for voter, chosen in ((silvia, [0]), (otavio, [0, 1]), (None, [0, 2]))
    )
    chat.theirs(silvia, "call_log", "Chamada de voz perdida")
    chat.theirs(silvia, "call_log", "")
    chat.theirs(otavio, "unknown", "unknown")
    chat.theirs(otavio, "conversation", "Isto foi apagado", is_deleted=True)
    chat.theirs(otavio, "conversation", "Isto foi mudado", is_edited=True)
    return asked


def _sent(chat: _Writer, asked: "Message") -> None:
    chat.ours("conversation", "Bom dia! Temos, sim.", quoted=asked)
    chat.ours("image", "Esta?", sample="travessa-azul.jpg", mime="image/jpeg", ack=3)
    chat.ours("audio", "", sample="recado-nota.ogg", mime="audio/ogg", media_seconds=8.6, ack=5)
    chat.ours("application", "O catálogo", sample="catalogo.pdf", mime="application/pdf")
    chat.ours("interactive_list", "Quando podemos entregar?", data={"interactive": MENU})
    photo = {"sample": "caixa-entregue.jpg", "mime": "image/jpeg"}
    body = "Olá, Sílvia! Seu pedido *10482* saiu para entrega."
    chat.ours("template", body, data={"components": TEMPLATE}, **photo)
    chat.ours("template", "A retirada é amanhã.", data={"components": PLAIN_TEMPLATE})
    other = {"user": None, "source": "other"}
    chat.ours("template", "Só até o fim do ano.", data={"components": OFFER}, **other)
    chat.ours("template", "Escolhemos para você:", data={"components": CAROUSEL}, **other)
    chat.ours("conversation", "Apaguei isto", is_deleted=True)
    chat.ours("conversation", "Corrigi isto", is_edited=True, ack=2)
    chat.ours("conversation", "Do próprio telefone", user=None, source="phone", ack=1)
    chat.ours("conversation", "À espera", ack=0)
    reason = "O número não tem WhatsApp."
    chat.ours(
        "conversation", "Não foi", ack=-1, error_code="ERR_SENDING_WAPP_MSG", error_reason=reason
    )
    chat.ours(
        "conversation",
        "A mudança não foi",
        error_code="ERR_EDIT_WAPP_MSG",
        error_reason="O prazo para mudar passou.",
    )


def write() -> None:
    """Write the conversation: a closed ticket of yesterday, the open one, two unread at its end.

    Where it is already, only those are unread again.
    """
    from django.db import transaction
    from django.utils import timezone

    from apps.accounts.models import User
    from apps.connections.models import Connection
    from apps.tickets.models import Ticket
    from tests.factories import make_contact, make_ticket

    with transaction.atomic():
        admin = User.objects.get(email="admin@demo.local")
        company = admin.company
        if Ticket.objects.filter(contact__name=GROUP, status="open").update(unread_count=UNREAD):
            return
        common = {
            "contact": make_contact(
                company, name=GROUP, number="120363000000000001", is_group=True
            ),
            "connection": Connection.objects.get(company=company, name="Loja Centro"),
            "user": admin,
            "is_group": True,
        }
        silvia = make_contact(company, name="Sílvia Prado")
        otavio = make_contact(company, name="Otávio Reis")
        now = timezone.now()
        closed = make_ticket(company, status="closed", **common)
        asked = _received(_Writer(closed, now - timedelta(days=1, hours=1)), silvia, otavio)
        closed.save()
        ticket = make_ticket(company, status="open", last_inbound_at=now, **common)
        chat = _Writer(ticket, now - timedelta(minutes=20))
        _sent(chat, asked)
        unread = {"is_read": False}
        chat.theirs(silvia, "conversation", "Obrigada!", **unread)
        chat.theirs(otavio, "conversation", LAST, **unread)
        ticket.unread_count = UNREAD
        ticket.save()


if __name__ == "__main__":
    import django

    django.setup()
    write()
