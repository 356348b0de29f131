"""The costs as a CSV file (rules/costs §5)."""

from collections.abc import Iterator

from apps.accounts.models import User
from apps.audit.services import record
from apps.common.csv_files import csv_head, csv_rows, plain_cell
from apps.costs.queries.ledger import Asked, Group, groups_of, read_groups

BATCH = 500
HEADS = {
    "pt": (
        *("id", "nome", "fila", "fonte", "origem", "categoria", "mensagens", "cobradas"),
        *("grátis", "sem preço", "moeda", "valor"),
    ),
    "en": (
        *("id", "name", "queue", "source", "origin", "category", "messages", "charged"),
        *("free", "without price", "currency", "amount"),
    ),
    "es": (
        *("id", "nombre", "cola", "fuente", "origen", "categoría", "mensajes", "cobrados"),
        *("gratis", "sin precio", "moneda", "importe"),
    ),
}


def export_costs(
    *, actor: User, asked: Asked, language: str, ip_address: str | None = None
) -> Iterator[bytes]:
    """Return, in parts, a CSV file of all groups, the dearest first.

    The export is audited at the call. A group with two currencies has a line for each.
    """
    record(
        action="costs.exported",
        actor=actor,
        company_id=actor.company_id,
        detail={"groupBy": asked.group, "first": str(asked.first), "last": str(asked.last)},
        ip_address=ip_address,
    )
    return _parts(asked, HEADS.get(language, HEADS["pt"]))


def _parts(asked: Asked, head: tuple[str, ...]) -> Iterator[bytes]:
    yield csv_head(head)
    # One statement: pages of a list that goes on growing would leave out or repeat groups.
    found = []
    for each in groups_of(asked).iterator(chunk_size=BATCH):
        found.append(each)
        if len(found) == BATCH:
            yield _lines(read_groups(asked, found))
            found = []
    yield _lines(read_groups(asked, found))


def _lines(groups: list[Group]) -> bytes:
    lines: list[list[object]] = []
    for each in groups:
        figures = each.figures
        of_group = [
            *("" if each.id is None else each.id, plain_cell(each.name or "")),
            *(plain_cell(each.queue or ""), each.source, each.origin, each.category),
            *(figures.messages, figures.billable, figures.free, figures.unpriced),
        ]
        sums = [[each.currency, format(each.amount.normalize(), "f")] for each in figures.amounts]
        lines += [[*of_group, *of_sum] for of_sum in sums or [["", ""]]]
    return csv_rows(lines)
