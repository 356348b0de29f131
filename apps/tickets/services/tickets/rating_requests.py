"""Asks for ratings by a template, where the 24-hour window is closed (rules/tickets §12)."""

import logging
from datetime import timedelta

from django.db import transaction
from django.utils import timezone

from apps.common.errors import DomainError
from apps.common.leases import (
    DEADLY_ATTEMPTS,
    Claim,
    LeasedWork,
    WorkerDied,
)
from apps.common.media import fresh_files
from apps.companies.queries import setting_of, settings_of
from apps.connections.models import ProviderKind
from apps.connections.services import TemplatesUnavailable
from apps.tickets.models import MessageSource, RatingRequest, Ticket, TicketStatus, TrackingCycle
from apps.tickets.origins import Origin
from apps.tickets.owners import is_ours
from apps.tickets.services.messages.templates import (
    TemplateChoice,
    check_number,
    filled_template,
)
from apps.tickets.services.outbox import FilledTemplate, write_message
from apps.tickets.services.tickets.ratings import is_to_rate
from apps.tickets.services.tickets.removals import locked_tickets
from apps.tickets.services.tickets.tracking import latest_cycle

logger = logging.getLogger(__name__)

# It may have to look the template up at Meta, as a delivery may have to wait for it.
REQUESTS = LeasedWork(RatingRequest, "DELIVERY_LEASE_SECONDS", counts=False)
# Later nobody asks how it was.
WORTH_ASKING = timedelta(hours=24)


def ask_due(*, limit: int) -> int:
    """Claim up to `limit` requests and write their templates; returns the number claimed.

    Never call it inside a transaction.
    """
    with REQUESTS.claimed(limit) as claim:
        for row in claim.rows():
            _ask(claim, row)
        return len(claim.ids)


def _ask(claim: Claim[RatingRequest], row: RatingRequest) -> None:
    try:
        claim.begin(row, DEADLY_ATTEMPTS)
        _write(claim, row)
    except WorkerDied as death:
        claim.put_off(row, death)
    except TemplatesUnavailable as error:
        claim.try_again(row, str(error))
    except DomainError as refusal:
        # Another attempt would be refused as well.
        logger.warning("Cycle %s is not asked about: %s", row.cycle_id, refusal)
        claim.held(row).delete()
    except Exception as error:
        logger.exception("The rating of cycle %s could not be asked for", row.cycle_id)
        claim.try_again(row, str(error))


def _write(claim: Claim[RatingRequest], row: RatingRequest) -> None:
    related = ("ticket__connection", "ticket__contact")
    cycle = TrackingCycle.objects.select_related(*related).get(pk=row.cycle_id)
    name = setting_of(row.company_id, "ratingTemplate")
    connection, contact = cycle.ticket.connection, cycle.ticket.contact
    is_official = connection is not None and connection.provider == ProviderKind.OFFICIAL
    is_late = row.created_at < timezone.now() - WORTH_ASKING
    if not name or connection is None or not is_official or is_late:
        claim.held(row).delete()
        return
    with fresh_files() as files:
        content = filled_template(connection, TemplateChoice(name=name), files)
        check_number(content, contact)
        with transaction.atomic():
            _send(claim, row, content, cycle.ticket)
        files.clear()


def _send(
    claim: Claim[RatingRequest], row: RatingRequest, content: FilledTemplate, seen: Ticket
) -> None:
    """Write the template, unless the conversation went on or the contact was asked meanwhile."""
    # Lock order: tickets before their requests.
    [ticket] = locked_tickets(pk=seen.pk)
    is_held, _ = claim.held(row).delete()
    cycle = latest_cycle(ticket)
    if not is_held or cycle is None or cycle.pk != row.cycle_id:
        return
    is_over = ticket.status == TicketStatus.CLOSED and cycle.rating_asked_at is None
    if not is_over or not is_ours(ticket) or ticket.connection_id != seen.connection_id:
        return
    if not is_to_rate(ticket, settings_of(ticket.company_id)):
        return
    write_message(content, ticket=ticket, user=None, source=MessageSource.BOT, origin=Origin.RATING)
    cycle.rating_asked_at = timezone.now()
    cycle.save(update_fields=["rating_asked_at"])
