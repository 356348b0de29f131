"""The demo's scheduled messages, most of them in the future."""

from collections.abc import Mapping, Sequence
from datetime import datetime, time, timedelta

from django.utils import timezone

from apps.accounts.models import User
from apps.common.leases import LeaseState
from apps.companies.queries import zone_of
from apps.contacts.models import Contact
from apps.schedules.models import Schedule, ScheduleStatus
from apps.tickets.services.window import OutsideWindow

# Days from today, time, user, text. Past ones were sent; the one with FAILED was outside the
# 24-hour window.
PLANS: Sequence[tuple[int, str, str, str]] = (
    (-12, "09:00", "ana", "{{ms}}, {{firstName}}! Sua peça saiu do forno e segue hoje."),
    (-9, "14:30", "bruno", "Oi, {{firstName}}. Chegou tudo certinho com o seu pedido?"),
    (-6, "10:15", "ana", "{{ms}}, {{firstName}}! O boleto vence amanhã, qualquer dúvida me chame."),
    (-3, "16:00", "carla", "{{firstName}}, a troca foi aprovada. A coleta passa entre 9h e 12h."),
    (-2, "11:00", "bruno", "FALHOU {{ms}}, {{firstName}}! Posso seguir com o orçamento?"),
    (-1, "09:30", "ana", "Bom dia! Os vasos que você pediu voltaram para a loja."),
    (1, "09:00", "ana", "{{ms}}, {{firstName}}! Passando para lembrar da entrega de hoje."),
    (1, "09:00", "bruno", "{{ms}}, {{firstName}}, o técnico chega às 10h. Protocolo {{protocol}}."),
    (1, "10:30", "carla", "{{firstName}}, o seu pedido está pronto para retirada."),
    (1, "14:00", "ana", "Oi, {{firstName}}! Conseguiu ver o catálogo que enviei?"),
    (1, "16:45", "bruno", "{{ms}}! Ficou alguma dúvida sobre a garantia?"),
    (2, "08:30", "carla", "{{ms}}, {{firstName}}! A 2ª parcela vence hoje."),
    (3, "15:00", "ana", "{{firstName}}, como ficou o jogo de jantar na sua mesa?"),
    (5, "10:00", "bruno", "{{ms}}, {{firstName}}! A nova coleção chega na semana que vem."),
    (8, "09:15", "ana", "Oi, {{firstName}}! Já podemos marcar a visita ao ateliê?"),
    (8, "11:00", "carla", "{{ms}}, {{firstName}}. A nota fiscal deste mês já está disponível."),
    (14, "13:30", "bruno", "{{firstName}}, faz um mês da sua compra. Tudo bem com as peças?"),
    (21, "09:00", "ana", "{{ms}}, {{firstName}}! Amanhã começa a nossa semana de descontos."),
)
FAILED = "FALHOU "


def make_schedules(users: Mapping[str, User], contacts: Sequence[Contact]) -> None:
    """Create the schedules, for one contact after another."""
    company_id = next(iter(users.values())).company_id
    today = timezone.now().astimezone(zone_of(company_id)).date()
    zone = zone_of(company_id)
    people = [contact for contact in contacts if contact.number and not contact.is_group]
    for place, (days, clock, writer, text) in enumerate(PLANS):
        moment = datetime.combine(
            today + timedelta(days=days), time.fromisoformat(clock), tzinfo=zone
        )
        schedule = Schedule(
            company_id=company_id,
            contact=people[(place * 3) % len(people)],
            user=users[f"{writer}@demo.local"],
            body=text.removeprefix(FAILED),
            send_at=moment,
            next_attempt_at=moment,
        )
        if days < 0:
            schedule.state = LeaseState.DONE
            if text.startswith(FAILED):
                schedule.status = ScheduleStatus.ERROR
                schedule.error_code = OutsideWindow.code
                schedule.error_reason = OutsideWindow.message
                schedule.reason_code = OutsideWindow.code
            else:
                schedule.status = ScheduleStatus.SENT
                schedule.sent_at = moment + timedelta(seconds=2)
        schedule.save()
