"""Who is written to by no campaign any more (rules/campaigns §7)."""

from apps.campaigns.models import CampaignRecipient, OptOut, OptOutSource, RecipientState
from apps.campaigns.services.outcomes import look_soon
from apps.common.reasons import ReasonCode
from apps.connections.models import Connection
from apps.connections.providers.inbound import InboundPreferences, MarketingPreference
from apps.contacts.models import Contact
from apps.contacts.numbers import LID_SUFFIX, canonical_number

WAITING = (
    RecipientState.PENDING,
    RecipientState.ASKING,
    RecipientState.ASKED,
    RecipientState.CONFIRMED,
)
UNTOUCHED = (RecipientState.PENDING, RecipientState.SKIPPED)


def opt_out(*, company_id: int, number: str, campaign_id: int | None, source: OptOutSource) -> bool:
    """Keep a canonical number out of all campaigns, also those on their way.

    Returns whether that is news by this source: a word counts for more than Meta's switch, which
    takes back no word.
    """
    kept, is_new = OptOut.objects.get_or_create(
        company_id=company_id,
        canonical_number=number,
        defaults={"campaign_id": campaign_id, "source": source},
    )
    if not is_new and source == OptOutSource.WORD and kept.source == OptOutSource.META:
        changes = {"source": source, "campaign_id": campaign_id}
        is_new = bool(OptOut.objects.filter(pk=kept.pk, source=kept.source).update(**changes))
    waiting = CampaignRecipient.objects.filter(
        company=company_id, canonical_number=number, state__in=WAITING
    )
    campaigns = set(waiting.values_list("campaign_id", flat=True))
    waiting.update(state=RecipientState.SKIPPED, reason_code=ReasonCode.OPTED_OUT)
    look_soon(campaigns)
    return is_new


def take_preferences(connection: Connection, preferences: InboundPreferences) -> None:
    """Follow what people said to Meta of the company's marketing messages, in a transaction."""
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
    """Return the canonical number of somebody whom Meta names by number or user id."""
    if preference.number:
        return canonical_number(preference.number)
    known = Contact.objects.for_company(company_id).filter(lid=preference.lid)
    number: str | None = known.values_list("canonical_number", flat=True).first()
    return number or canonical_number(preference.lid + LID_SUFFIX)


def _latest_campaign(company_id: int, number: str) -> int | None:
    """Return the campaign that was last sent to a number, to whose account the leaving goes."""
    sent = CampaignRecipient.objects.filter(company=company_id, canonical_number=number)
    latest: int | None = (
        sent.exclude(state__in=UNTOUCHED)
        .order_by("-id")
        .values_list("campaign_id", flat=True)
        .first()
    )
    return latest
