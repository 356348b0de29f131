"""Data of campaigns by canonical number, when a contact's number changes (rules/campaigns §7)."""

from collections.abc import Iterable, Mapping, Sequence

from django.db.models import IntegerField, Q, Value

from apps.campaigns.models import (
    NOT_ENDED,
    Campaign,
    CampaignRecipient,
    OptOut,
    OptOutSource,
    RecipientState,
    RememberedNumber,
    number_digest,
)
from apps.campaigns.services.remembered_numbers import Key, copy_remembered
from apps.common.bulk import update_rows
from apps.contacts.services import KeyChange
from apps.tickets.services.tickets.removals import locked_tickets

# Keys of a change's notes, from which it is undone. Copied opt-outs, with their source and
# original; opt-outs raised from Meta's switch to another source, likewise; renamed recipients, with
# their former number and first message.
COPIED, RAISED, RENAMED = "copied", "raised", "renamed"


def follow_keys(changes: Sequence[KeyChange]) -> None:
    """Apply people's opt-outs and answers to their new numbers, in the caller's transaction.

    An opt-out is copied, so it also holds for the old number, and so is what is remembered of the
    number. If campaigns know none of the old numbers, this takes one query.
    """
    by_key = {(each.contact.company_id, each.old): each for each in changes}
    wanted = Q(
        company__in={company_id for company_id, _ in by_key},
        canonical_number__in={old for _, old in by_key},
    )
    outs = OptOut.objects.filter(wanted).order_by()
    # Skipped recipients got no message, so they can't answer one.
    sent = CampaignRecipient.objects.filter(wanted).exclude(state=RecipientState.SKIPPED)
    digests = {number_digest(*key): change for key, change in by_key.items()}
    remembered = RememberedNumber.objects.filter(
        company__in={company_id for company_id, _ in by_key}, digest__in=digests
    ).order_by()
    kinds = enumerate((outs, sent.order_by(), remembered))
    found: list[list[int]] = [[], [], []]
    first, *others = (rows.values_list(Value(kind, IntegerField()), "pk") for kind, rows in kinds)
    for kind, pk in first.union(*others, all=True):
        found[kind].append(pk)
    out_ids, recipient_ids, remembered_ids = found
    if out_ids:
        _copy(OptOut.objects.filter(pk__in=out_ids).order_by("pk"), by_key)
    if recipient_ids:
        # Lock order, as everywhere: tickets before recipients.
        locked_tickets(contact__in={each.contact.pk for each in changes})
        _rename(recipient_ids, by_key)
    if remembered_ids:
        rows = RememberedNumber.objects.filter(pk__in=remembered_ids)
        copy_remembered([(row, _new_key(digests[row.digest])) for row in rows])


def _new_key(change: KeyChange) -> Key:
    return change.contact.company_id, change.contact.canonical_number


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
        elif out.source != OptOutSource.META and copy.source == OptOutSource.META:
            same.update(source=out.source, campaign=out.campaign_id)
            note = [copy.pk, copy.campaign_id, out.pk, out.campaign_id]
            change.notes.setdefault(RAISED, []).append(note)
        else:
            continue
        # Detach the original from its campaign, so that the report does not count the person twice.
        OptOut.objects.filter(pk=out.pk).update(campaign=None)


def _rename(ids: Sequence[int], by_key: Mapping[Key, KeyChange]) -> None:
    """Give recipients the new number, unless their campaign already has it.

    Recipients who have ended keep `number`, which was written to. If the old number may still be in
    use (`is_second`), only pending recipients are renamed: the others may answer from it.
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
    """Undo `follow_keys` when two contacts are separated, except for what has changed since."""
    for change in changes:
        for pk, source, original, campaign_id in change.notes.get(COPIED, []):
            # A person who sent an opt-out word since then stays opted out.
            OptOut.objects.filter(pk=pk, source=source).delete()
            OptOut.objects.filter(pk=original).update(campaign=_still_there(campaign_id))
        for pk, former_id, original, campaign_id in change.notes.get(RAISED, []):
            raised = OptOut.objects.filter(pk=pk).exclude(source=OptOutSource.META)
            raised.update(source=OptOutSource.META, campaign=_still_there(former_id))
            OptOut.objects.filter(pk=original).update(campaign=_still_there(campaign_id))
        before = {pk: (number, first) for pk, number, first in change.notes.get(RENAMED, [])}
        # A recipient who was written to since got the message at the surviving contact's number.
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
    """Return the pairs of campaign and number, of these numbers, that recipients already use."""
    there = CampaignRecipient.objects.filter(
        campaign__in={each.campaign_id for each in recipients}, canonical_number__in=numbers
    )
    return set(there.values_list("campaign_id", "canonical_number"))
