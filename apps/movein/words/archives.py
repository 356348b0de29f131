"""What the import of a company's archive has to say besides."""

from apps.movein.words.kinds import Kind, Words

ARCHIVES: dict[str, tuple[Kind, Words]] = {
    "key_anew": (
        "care",
        (
            "prompts e integrações: informe de novo as chaves e os segredos",
            "prompts and integrations: give their keys and secrets again",
            "prompts e integraciones: indique de nuevo sus claves y secretos",
        ),
    ),
    "connect_anew": (
        "care",
        (
            "números oficiais a conectar de novo, com um novo token",
            "official numbers to be connected again, with a new token",
            "números oficiales a conectar de nuevo, con un nuevo token",
        ),
    ),
    "message_unsent": (
        "care",
        (
            "mensagens que não tinham saído: ficam como falha",
            "messages that had not gone out: they are failed ones",
            "mensajes que no habían salido: quedan como fallidos",
        ),
    ),
    "rule_off": (
        "care",
        (
            "regras desligadas: confira cada uma e ligue-a",
            "rules that are off: check each, and switch it on",
            "reglas apagadas: revise cada una y enciéndala",
        ),
    ),
    "webhook_off": (
        "care",
        (
            "webhooks desligados: dê o novo segredo a quem recebe e ligue-os",
            "webhooks that are off: give who receives them the new secret, and switch them on",
            "webhooks apagados: dé el nuevo secreto a quien los recibe y enciéndalos",
        ),
    ),
    "invoice_cancelled": (
        "care",
        (
            "faturas em aberto, devidas ao operador anterior, que aqui ficam canceladas",
            "open invoices, owed to the former operator, which are cancelled here",
            "facturas abiertas, debidas al operador anterior, que aquí quedan canceladas",
        ),
    ),
    "email_unsent": (
        "care",
        (
            "e-mails que não tinham saído: não saem daqui",
            "e-mails that had not gone out: they do not go from here",
            "correos que no habían salido: no salen de aquí",
        ),
    ),
    "plan_new": (
        "care",
        (
            "plano criado, fora da lista pública: confira os limites e o valor",
            "plan that was made, outside of the public list: check its limits and price",
            "plan creado, fuera de la lista pública: revise los límites y el valor",
        ),
    ),
    "row_without_place": (
        "lost",
        (
            "linhas de algo que foi excluído enquanto o arquivo era escrito",
            "rows of something that was deleted while the archive was written",
            "filas de algo que se eliminó mientras se escribía el archivo",
        ),
    ),
}
