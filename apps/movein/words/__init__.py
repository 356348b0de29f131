"""What the report says, in Portuguese, English and Spanish."""

from apps.movein.words.archives import ARCHIVES
from apps.movein.words.cares import CARES
from apps.movein.words.kinds import LANGUAGES, Kind, Words
from apps.movein.words.losses import LOSSES

__all__ = ["HEADINGS", "LANGUAGES", "NOTES", "Kind", "Words"]

HEADINGS: dict[str, Words] = {
    "dry": (
        "Ensaio: nada foi gravado. Repita com --go para importar.",
        "Dry run: nothing was written. Repeat it with --go to import.",
        "Ensayo: no se grabó nada. Repita con --go para importar.",
    ),
    "done": ("Importação concluída.", "The import is done.", "La importación terminó."),
    "keeps": (
        "Números de atendimentos e endereços ficam os mesmos.",
        "Ticket numbers and addresses stay the same.",
        "Los números de tickets y las direcciones siguen iguales.",
    ),
    "renumbers": (
        "Os registros recebem números novos.",
        "Rows get new numbers.",
        "Los registros reciben números nuevos.",
    ),
    "comes": ("O que vem", "What comes", "Lo que viene"),
    "merged": ("O que se une", "What is merged", "Lo que se une"),
    "lost": ("O que se perde", "What is lost", "Lo que se pierde"),
    "care": ("O que pede cuidado", "What needs care", "Lo que pide cuidado"),
    "strangers": (
        "Tabelas e colunas desconhecidas, que não vêm",
        "Unknown tables and columns, which do not come",
        "Tablas y columnas desconocidas, que no vienen",
    ),
    "columns": (
        "tabela: lidos / novos / unidos / fora",
        "table: read / new / merged / left out",
        "tabla: leídos / nuevos / unidos / fuera",
    ),
    "open": (
        "Faltam linhas: a origem tem mais do que foi lido.",
        "Rows are missing: the source has more than was read.",
        "Faltan filas: el origen tiene más de lo que se leyó.",
    ),
    "nothing": ("nada", "nothing", "nada"),
}
NOTES = LOSSES | CARES | ARCHIVES
