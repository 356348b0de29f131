"""The demo company's file lists, which its admin owns."""

from apps.accounts.models import User
from apps.common.media import store_media
from apps.library.models import FileList
from apps.simulator.services.media import SAMPLES

# Name, message, and the files as pairs of (title, sample).
FILE_LISTS = [
    (
        "Coleção Barro e Mar",
        "{{firstName}}, aqui está a coleção inteira, com as fotos das peças mais pedidas.",
        [
            ("Catálogo", "catalogo.pdf"),
            ("Vasos", "vasos.jpg"),
            ("Canecas", "canecas.jpg"),
            ("Jogo de jantar", "jogo-de-jantar.jpg"),
        ],
    ),
    (
        "Como trocar uma peça",
        "Cole a etiqueta na caixa e deixe na portaria. O motoboy retira no dia seguinte.",
        [("Etiqueta de coleta", "etiqueta-de-coleta.pdf"), ("Exemplo", "caixa-entregue.jpg")],
    ),
]


def make_file_lists(admin: User) -> None:
    for name, message, files in FILE_LISTS:
        kept = FileList.objects.create(
            company_id=admin.company_id, user=admin, name=name, message=message
        )
        for position, (called, file) in enumerate(files):
            item = kept.items.model(file_list=kept, name=called, position=position)
            item.put_media(
                store_media(
                    company_id=admin.company_id,
                    content=(SAMPLES / file).read_bytes(),
                    name=file,
                    mime="",
                )
            )
            item.save()
