"""What campaigns keep by canonical number, when somebody gets another one (rules/campaigns §7)."""

from collections.abc import Iterable, Mapping, Sequence

from django.db.models import BooleanField, Q, Value

from apps.campaigns.models import (
    NOT_ENDED,
    Campaign,
    CampaignRecipient,
    OptOut,
    OptOutSource,
    RecipientState,
)
from apps.common.bulk import update_rows
from apps.contacts.services import KeyChange
from apps.tickets.services.tickets.removals import locked_tickets

# What a change remembers: copies with their source and what they are copies of, Meta's switches
# that became words in the same way, recipients with their number and their first message.
COPIED, RAISED, RENAMED = "copied", "raised", "renamed"
# Company and canonical number.
Key = tuple[int, str]


def follow_keys(changes: Sequence[KeyChange]) -> None:
    """Have people's opt-outs and answers hold for the numbers that they have now, in a transaction.

    An opt-out is copied, and so holds for the old number too. One statement for those of whom
    campaigns know nothing.
    """
    by_key = {(each.contact.company_id, each.old): each for each in changes}
    wanted = Q(
        company__in={company_id for company_id, _ in by_key},
        canonical_number__in={old for _, old in by_key},
    )
    outs = OptOut.objects.filter(wanted).order_by()
    # Who was skipped answers nothing.
    sent = CampaignRecipient.objects.filter(wanted).exclude(state=RecipientState.SKIPPED)
    found = outs.values_list(Value(True, BooleanField()), "pk").union(
        sent.order_by().values_list(Value(False, BooleanField()), "pk"), all=True
    )
    out_ids: list[int] = []
    recipient_ids: list[int] = []
    for is_out, pk in found:
        (out_ids if is_out else recipient_ids).append(pk)
    if out_ids:
        _copy(OptOut.objects.filter(pk__in=out_ids).order_by("pk"), by_key)
    if recipient_ids:
        # Before recipients, as everywhere.
        locked_tickets(contact__in={each.contact.pk for each in changes})
        _rename(recipient_ids, by_key)


def _copy(outs: Iterable[OptOut], by_key: Mapping[Key, KeyChange]) -> None:
    for out in outs:
        change = by_key.get((out.company_id, out.canonical_number))
        if change is None:
            continue
        copy, is_new = OptOut.objects.get_or_create(
            company_id=out.company_id,
            canonical_number=change.contact.canonical_number,
            defaults={"source": out.source, "campaign_id": out.campaign_id},
        )
        same = OptOut.objects.filter(pk=copy.pk)
        if is_new:
            same.update(created_at=out.created_at)
            note = [copy.pk, copy.source, out.pk, out.campaign_id]
            change.notes.setdefault(COPIED, []).append(note)
        elif out.source == OptOutSource.WORD and copy.source == OptOutSource.META:
            same.update(source=OptOutSource.WORD, campaign=out.campaign_id)
            note = [copy.pk, copy.campaign_id, out.pk, out.campaign_id]
            change.notes.setdefault(RAISED, []).append(note)
        else:
            continue
        # In a campaign's report nobody counts twice.
        OptOut.objects.filter(pk=out.pk).update(campaign=None)


def _rename(ids: Sequence[int], by_key: Mapping[Key, KeyChange]) -> None:
    """Give recipients the new number; who has it in the same campaign already is left alone.

    Those who have ended keep the number that was written to. From one that may still be in use
    those go who were not written to: the others answer from there.
    """
    recipients = _locked(ids)
    numbers = {each.contact.canonical_number for each in by_key.values()}
    taken = _taken(recipients, numbers)
    renamed = []
    for recipient in recipients:
        change = by_key.get((recipient.company_id, recipient.canonical_number))
        if change is None or (change.is_second and recipient.state != RecipientState.PENDING):
            continue
        place = (recipient.campaign_id, change.contact.canonical_number)
        if place in taken:
            continue
        taken.add(place)
        change.notes.setdefault(RENAMED, []).append(
            [recipient.pk, recipient.number, recipient.first_message_pk]
        )
        recipient.canonical_number = change.contact.canonical_number
        if recipient.state in NOT_ENDED:
            recipient.number = change.contact.number
            recipient.fold_text()
        renamed.append(recipient)
    update_rows(renamed, ["canonical_number", "number", "search_text"])


def give_back_keys(changes: Sequence[KeyChange]) -> None:
    """Undo `follow_keys` where two contacts are parted, but for what has gone on since."""
    for change in changes:
        for pk, source, original, campaign_id in change.notes.get(COPIED, []):
            # Who wrote a word since stays out.
            OptOut.objects.filter(pk=pk, source=source).delete()
            OptOut.objects.filter(pk=original).update(campaign=_still_there(campaign_id))
        for pk, former_id, original, campaign_id in change.notes.get(RAISED, []):
            raised = OptOut.objects.filter(pk=pk, source=OptOutSource.WORD)
            raised.update(source=OptOutSource.META, campaign=_still_there(former_id))
            OptOut.objects.filter(pk=original).update(campaign=_still_there(campaign_id))
        before = {pk: (number, first) for pk, number, first in change.notes.get(RENAMED, [])}
        # One that was written to since was so at the survivor's number.
        recipients = [
            each for each in _locked(list(before)) if each.first_message_pk == before[each.pk][1]
        ]
        taken = _taken(recipients, {change.old})
        back = [each for each in recipients if (each.campaign_id, change.old) not in taken]
        for recipient in back:
            recipient.canonical_number, recipient.number = change.old, before[recipient.pk][0]
            recipient.fold_text()
        update_rows(back, ["canonical_number", "number", "search_text"])


def _still_there(campaign_id: int | None) -> Campaign | None:
    return Campaign.objects.filter(pk=campaign_id).first() if campaign_id else None


def _locked(ids: Sequence[int]) -> list[CampaignRecipient]:
    recipients = CampaignRecipient.objects.filter(pk__in=ids).order_by("pk")
    return list(recipients.select_for_update(of=("self",)))


def _taken(recipients: Sequence[CampaignRecipient], numbers: set[str]) -> set[tuple[int, str]]:
    """Return which numbers recipients' campaigns have already."""
    there = CampaignRecipient.objects.filter(
        campaign__in={each.campaign_id for each in recipients}, canonical_number__in=numbers
    )
    return set(there.values_list("campaign_id", "canonical_number"))
