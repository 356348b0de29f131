"""The demo's notes on contacts."""

from collections.abc import Mapping, Sequence
from datetime import timedelta

from django.utils import timezone

from apps.accounts.models import User
from apps.contacts.models import TicketNote
from apps.tickets.models import Message, Ticket

# One entry per contact of the newest tickets; a note is (days ago, index of the user, text).
NOTES: Sequence[Sequence[tuple[int, int, str]]] = (
    (
        (3, 0, "Mora sozinha, só recebe depois das 18h ou no sábado de manhã."),
        (49, 1, "Cliente desde 2021. Sempre presenteia no Natal: oferecer caixa com laço."),
    ),
    ((6, 1, "Pede nota fiscal no CNPJ da loja. Conferir antes de faturar."),),
    ((12, 2, "Prefere áudio curto a texto longo."),),
)


def make_notes(users: Mapping[str, User], tickets: Sequence[tuple[Ticket, list[Message]]]) -> None:
    """Create notes of the demo's users on the contacts of the newest tickets."""
    hands = list(users.values())
    now = timezone.now()
    subjects: dict[int, Ticket] = {}
    for ticket, _ in sorted(tickets, key=lambda each: each[0].updated_at, reverse=True):
        if not ticket.is_group:
            subjects.setdefault(ticket.contact_id, ticket)
    for ticket, notes in zip(subjects.values(), NOTES, strict=False):
        for days, hand, text in reversed(notes):
            note = TicketNote.objects.create(
                company_id=ticket.company_id,
                contact_id=ticket.contact_id,
                ticket=ticket,
                user=hands[hand % len(hands)],
                note=text,
            )
            written_at = now - timedelta(days=days)
            TicketNote.objects.filter(pk=note.pk).update(created_at=written_at)
