"""The demo company's quick messages: shared ones of the admin, private ones of an attendant."""

from collections.abc import Mapping

from apps.accounts.models import User
from apps.common.media import store_media
from apps.library.models import QuickMessage
from apps.simulator.services.media import SAMPLES

# Owner, shortcode, text, file, shared, active.
QUICK_MESSAGES = [
    (
        "admin",
        "saudacao",
        "{{ms}}, {{firstName}}! Aqui é da Casa Aroeira. Como posso ajudar?",
        "",
        True,
        True,
    ),
    (
        "admin",
        "troca",
        "{{firstName}}, para trocar é só enviar a foto do produto e o número do pedido por aqui "
        "mesmo. Seu protocolo é {{protocol}}.",
        "",
        True,
        True,
    ),
    (
        "admin",
        "troca-prazo",
        "Você tem até 30 dias corridos para trocar qualquer peça sem uso, na embalagem original.",
        "",
        True,
        True,
    ),
    (
        "admin",
        "troca-pix",
        "Se preferir, devolvemos o valor por Pix em até 2 dias úteis depois da coleta.",
        "",
        True,
        True,
    ),
    (
        "admin",
        "etiqueta",
        "Segue a etiqueta de coleta. Cole na caixa e deixe na portaria, o motoboy retira amanhã.",
        "etiqueta-de-coleta.pdf",
        True,
        True,
    ),
    (
        "admin",
        "catalogo",
        "Aqui está o catálogo da coleção Barro e Mar 😊",
        "catalogo.pdf",
        True,
        True,
    ),
    (
        "admin",
        "horario",
        "Atendemos de segunda a sexta das 8h às 18h e aos sábados das 8h às 12h.",
        "",
        True,
        True,
    ),
    ("admin", "natal", "Na semana do Natal a loja fecha às 16h.", "", True, False),
    (
        "ana",
        "travessa",
        "Esta é a travessa azul, {{firstName}}: 38 cm, vai ao forno e à lava-louças.",
        "travessa-azul.jpg",
        False,
        True,
    ),
    ("ana", "obrigada", "Imagina, {{firstName}}! {{ms}} e até a próxima 🧡", "", False, True),
]


def make_quick_messages(users: Mapping[str, User]) -> None:
    """Create the quick messages; `users` maps e-mails to users."""
    for owner, shortcode, message, file, is_shared, is_active in QUICK_MESSAGES:
        user = users[f"{owner}@demo.local"]
        quick = QuickMessage(
            company_id=user.company_id,
            user=user,
            shortcode=shortcode,
            message=message,
            is_shared=is_shared,
            is_active=is_active,
        )
        if file:
            stored = store_media(
                company_id=user.company_id,
                content=(SAMPLES / file).read_bytes(),
                name=file,
                mime="",
            )
            quick.put_media(stored)
        quick.save()
