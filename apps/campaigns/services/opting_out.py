"""Opt-outs: people whom no campaign writes to any more (rules/campaigns §7)."""

from typing import Any

from django.db.models import QuerySet

from apps.campaigns.models import (
    IN_OUTBOX,
    NOT_ENDED,
    TO_GO,
    CampaignRecipient,
    OptOut,
    OptOutSource,
    RecipientState,
)
from apps.campaigns.services.on_their_way import messages_of
from apps.campaigns.services.outcomes import OUTCOME_FIELDS, look_soon
from apps.common.reasons import Reason, ReasonCode
from apps.connections.models import Connection
from apps.connections.providers.inbound import InboundPreferences, MarketingPreference
from apps.contacts.models import Contact
from apps.contacts.numbers import LID_SUFFIX, canonical_number
from apps.tickets.services.outbox import hold_back, withdraw

# Recipients whose message is not in the outbox. While they are asked, it is not yet written.
WAITING = (*TO_GO, RecipientState.ASKING, RecipientState.ASKED)
LEFT = "A pessoa pediu para não receber mais campanhas."
UNTOUCHED = (RecipientState.PENDING, RecipientState.SKIPPED)


def opt_out(*, company_id: int, number: str, campaign_id: int | None, source: OptOutSource) -> bool:
    """Exclude a number from all campaigns, also from running ones; call it in a transaction.

    Returns whether the opt-out is new. Any other source counts for more than Meta's switch, which
    does not revoke it.
    """
    kept, is_new = OptOut.objects.get_or_create(
        company_id=company_id,
        canonical_number=number,
        defaults={"campaign_id": campaign_id, "source": source},
    )
    if not is_new and source != OptOutSource.META and kept.source == OptOutSource.META:
        changes = {"source": source, "campaign_id": campaign_id}
        is_new = bool(OptOut.objects.filter(pk=kept.pk, source=kept.source).update(**changes))
    take_out(CampaignRecipient.objects.filter(company=company_id, canonical_number=number))
    return is_new


def take_out(recipients: QuerySet[CampaignRecipient]) -> None:
    """Skip the recipients who have not ended, and withdraw their messages from the outbox.

    A message that is being sent still leaves; those after it do not. Call it in a transaction.
    """
    skipped: dict[str, Any] = {
        "state": RecipientState.SKIPPED,
        "reason_code": ReasonCode.OPTED_OUT,
    }
    not_ended = recipients.filter(state__in=NOT_ENDED)
    campaigns = set(not_ended.values_list("campaign_id", flat=True))
    # First, because it waits for a handover in progress, whose recipients are then found in the
    # outbox.
    recipients.filter(state__in=TO_GO).update(**skipped)
    # Lock order, as where outcomes are recorded: messages before recipients.
    messages = messages_of(recipients.filter(state__in=IN_OUTBOX).order_by("pk"))
    if messages:
        held = hold_back([pk for ids in messages.values() for pk in ids])
        withdraw(held, sentence=LEFT, reason=Reason(ReasonCode.OPTED_OUT))
        back = [each.pk for each, ids in messages.items() if ids and ids[-1] in held]
        # `withdraw` recorded failures at the recipients: replace them by the skip.
        nothing = dict.fromkeys(OUTCOME_FIELDS, "")
        recipients.filter(pk__in=back).update(
            **{**nothing, **skipped, "message": None, "variant": None}
        )
    recipients.filter(state__in=WAITING).update(**skipped)
    look_soon(campaigns)


def take_preferences(connection: Connection, preferences: InboundPreferences) -> None:
    """Apply the marketing preferences that people set at Meta, in the caller's transaction."""
    company_id = connection.company_id
    for each in preferences.entries:
        number = _number_of(company_id, each)
        if each.wants:
            OptOut.objects.filter(
                company=company_id, canonical_number=number, source=OptOutSource.META
            ).delete()
            continue
        opt_out(
            company_id=company_id,
            number=number,
            campaign_id=_latest_campaign(company_id, number),
            source=OptOutSource.META,
        )


def _number_of(company_id: int, preference: MarketingPreference) -> str:
    """Return the canonical number of a person whom Meta names by number or user id."""
    if preference.number:
        return canonical_number(preference.number)
    known = Contact.objects.for_company(company_id).known_by(preference.lid)
    number: str | None = known.values_list("canonical_number", flat=True).first()
    return number or canonical_number(preference.lid + LID_SUFFIX)


def _latest_campaign(company_id: int, number: str) -> int | None:
    """Return the last campaign that wrote to a number, which the opt-out is attributed to."""
    sent = CampaignRecipient.objects.filter(company=company_id, canonical_number=number)
    latest: int | None = (
        sent.exclude(state__in=UNTOUCHED)
        .order_by("-id")
        .values_list("campaign_id", flat=True)
        .first()
    )
    return latest
