"""Exports the dashboard as a workbook (rules/dashboard §5)."""

from collections.abc import Mapping, Sequence
from typing import Any

from django.db import transaction
from django.utils import timezone

from apps.accounts.models import User
from apps.audit.services import record
from apps.common.serializers import row_of, rows_of
from apps.common.workbooks import Sheet, Value, workbook_of
from apps.tickets.queries.dashboard import Span, breakdown_of, dashboard_of, tags_of
from apps.tickets.serializers.dashboard import (
    DashboardBreakdownSerializer,
    DashboardGroupSerializer,
    DashboardSerializer,
)
from apps.tickets.services.tickets.days import keep_days

GROUP_KEYS = (
    "tickets",
    "finished",
    "avgSupportTime",
    "avgWaitTime",
    "avgFirstResponseTime",
)
# Names of the sheets and their columns, by language.
WORDS: dict[str, dict[str, str]] = {
    "pt": {
        "summary": "Resumo",
        "figure": "Indicador",
        "value": "Valor",
        "first": "Data inicial",
        "last": "Data final",
        "supportPending": "Pendentes agora",
        "supportHappening": "Em atendimento agora",
        "supportFinished": "Finalizados",
        "leads": "Novos contatos",
        "avgSupportTime": "Atendimento médio (min)",
        "avgWaitTime": "Espera média (min)",
        "avgFirstResponseTime": "Primeira resposta (min)",
        "attendants": "Atendentes",
        "name": "Nome",
        "tickets": "Atendimentos",
        "finished": "Finalizados",
        "rating": "Avaliação",
        "queues": "Filas",
        "waiting": "Aguardando agora",
        "connections": "Conexões",
        "tags": "Tags",
        "noQueue": "Sem fila",
        "noConnection": "Sem conexão",
        "oldest": "Contato que espera há mais tempo",
        "since": "Espera desde",
        "ratings": "Avaliações",
        "rate": "Nota",
        "count": "Quantidade",
        "hours": "Criados hoje",
        "hour": "Hora",
    },
    "en": {
        "summary": "Summary",
        "figure": "Figure",
        "value": "Value",
        "first": "Start date",
        "last": "End date",
        "supportPending": "Pending now",
        "supportHappening": "Being attended now",
        "supportFinished": "Finished",
        "leads": "New contacts",
        "avgSupportTime": "Average attendance (min)",
        "avgWaitTime": "Average wait (min)",
        "avgFirstResponseTime": "First response (min)",
        "attendants": "Attendants",
        "name": "Name",
        "tickets": "Conversations",
        "finished": "Finished",
        "rating": "Rating",
        "queues": "Queues",
        "waiting": "Waiting now",
        "connections": "Connections",
        "tags": "Tags",
        "noQueue": "No queue",
        "noConnection": "No connection",
        "oldest": "Contact waiting longest",
        "since": "Waiting since",
        "ratings": "Ratings",
        "rate": "Rate",
        "count": "Count",
        "hours": "Created today",
        "hour": "Hour",
    },
    "es": {
        "summary": "Resumen",
        "figure": "Indicador",
        "value": "Valor",
        "first": "Fecha inicial",
        "last": "Fecha final",
        "supportPending": "Pendientes ahora",
        "supportHappening": "En atención ahora",
        "supportFinished": "Finalizadas",
        "leads": "Contactos nuevos",
        "avgSupportTime": "Atención media (min)",
        "avgWaitTime": "Espera media (min)",
        "avgFirstResponseTime": "Primera respuesta (min)",
        "attendants": "Agentes",
        "name": "Nombre",
        "tickets": "Atenciones",
        "finished": "Finalizadas",
        "rating": "Calificación",
        "queues": "Colas",
        "waiting": "En espera ahora",
        "connections": "Conexiones",
        "tags": "Etiquetas",
        "noQueue": "Sin cola",
        "noConnection": "Sin conexión",
        "oldest": "Contacto que espera hace más tiempo",
        "since": "Espera desde",
        "ratings": "Calificaciones",
        "rate": "Nota",
        "count": "Cantidad",
        "hours": "Creadas hoy",
        "hour": "Hora",
    },
}


@transaction.atomic
def export_dashboard(
    *, actor: User, span: Span, language: str, ip_address: str | None = None
) -> bytes:
    """Return the dashboard's figures for a span of days as .xlsx, and write an audit row."""
    days = {
        "first": f"{span.first:%d/%m/%Y}" if span.first else "",
        "last": f"{span.last or span.today:%d/%m/%Y}",
    }
    record(
        action="dashboard.exported",
        actor=actor,
        company_id=actor.company_id,
        detail=days,
        ip_address=ip_address,
    )
    now = timezone.now()
    cover = keep_days(actor.company_id, span, now=now)
    dashboard = dashboard_of(cover, now=now)
    shown = row_of(DashboardSerializer, dashboard)
    parts = row_of(DashboardBreakdownSerializer, breakdown_of(cover))
    tags = rows_of(DashboardGroupSerializer, tags_of(actor.company_id, span))
    words = WORDS[language if language in WORDS else "pt"]
    oldest = parts["waiting"]["oldest"]
    figures: dict[str, Value] = {
        **days,
        **shown["counters"],
        "avgFirstResponseTime": parts["firstResponse"]["average"],
        "oldest": oldest["contactName"] if oldest else "",
        "since": f"{oldest['since'].astimezone(span.zone):%d/%m/%Y %H:%M}" if oldest else "",
    }
    return workbook_of(
        [
            Sheet(
                words["summary"],
                [words["figure"], words["value"]],
                [[words[key], value] for key, value in figures.items()],
            ),
            _sheet(
                words,
                "attendants",
                ("name", "tickets", "avgSupportTime", "rating"),
                [{**row, "rating": row["rating"] or None} for row in shown["attendants"]],
            ),
            _sheet(
                words,
                "queues",
                ("name", "waiting", *GROUP_KEYS),
                _named(parts["queues"], words["noQueue"]),
            ),
            _sheet(
                words,
                "connections",
                ("name", *GROUP_KEYS),
                _named(parts["connections"], words["noConnection"]),
            ),
            _sheet(words, "tags", ("name", *GROUP_KEYS), tags),
            _sheet(words, "ratings", ("rate", "count"), parts["ratings"]),
            Sheet(
                words["hours"],
                [words["hour"], words["count"]],
                [[row["time"], row["amount"]] for row in shown["hours"]],
            ),
        ]
    )


def _sheet(
    words: Mapping[str, str], name: str, keys: Sequence[str], rows: Sequence[Mapping[str, Any]]
) -> Sheet:
    values = [[row[key] for key in keys] for row in rows]
    return Sheet(words[name], [words[key] for key in keys], values)


def _named(rows: Sequence[Mapping[str, Any]], nothing: str) -> list[Mapping[str, Any]]:
    """Return the rows of groups; the row without a group gets the name `nothing`."""
    return [row if row["id"] is not None else {**row, "name": nothing} for row in rows]
