"""Profile pictures in WhatsApp, checked when contacts write (rules/contacts §11)."""

import logging
from collections.abc import Iterable
from datetime import timedelta

from django.db import transaction
from django.db.models import Q
from django.utils import timezone
from django.utils.crypto import salted_hmac

from apps.common.errors import DomainError
from apps.common.leases import Claim, LeasedWork, LeaseState, retry_delay
from apps.common.media import delete_media, fresh_files, store_media
from apps.common.wakeups import wake
from apps.connections.models import Connection, ProviderKind
from apps.connections.providers.base import ProviderError
from apps.connections.providers.content import ProfilePicture
from apps.connections.services import provider_for
from apps.contacts import events
from apps.contacts.models import Contact, ContactMerge, ContactPicture

logger = logging.getLogger(__name__)

PICTURES = LeasedWork(model=ContactPicture, lease_setting="DELIVERY_LEASE_SECONDS", counts=False)
# A picture is checked again after this time.
GOOD_FOR = timedelta(days=7)
# About four hours with the pauses; after that the next message a week later causes a new check.
MAX_ATTEMPTS = 10
FIRST_PAUSE, LONGEST_PAUSE = 30.0, 3600.0
ENDED = (LeaseState.DONE, LeaseState.FAILED)


def want_pictures(met: Iterable[tuple[Connection, Contact]]) -> None:
    """Schedule checks of the pictures of contacts that wrote to a QR session.

    Each is checked at most once a week. Runs in the caller's transaction, with one query if no
    check is due.
    """
    by_contact = {
        contact.pk: connection.pk
        for connection, contact in met
        if connection.provider == ProviderKind.BETA
    }
    if not by_contact:
        return
    now = timezone.now()
    rows = ContactPicture.objects.filter(contact__in=by_contact)
    wanted = dict(rows.values_list("contact_id", "wanted_at"))
    new = [
        ContactPicture(contact_id=contact_id, connection_id=connection_id, wanted_at=now)
        for contact_id, connection_id in by_contact.items()
        if contact_id not in wanted
    ]
    old = [contact_id for contact_id, at in wanted.items() if at <= now - GOOD_FOR]
    if new:
        ContactPicture.objects.bulk_create(new, ignore_conflicts=True)
    for connection_id in {by_contact[contact_id] for contact_id in old}:
        again = [each for each in old if by_contact[each] == connection_id]
        ended = ContactPicture.objects.filter(contact__in=again, state__in=ENDED)
        ended.start_over(now, connection_id=connection_id, wanted_at=now)
    if new or old:
        wake("contacts.fetch_pictures")


def fetch_due(*, limit: int) -> int:
    """Check up to `limit` due pictures; return the number of claimed ones."""
    with PICTURES.claimed(limit) as claim:
        for row in claim.rows().select_related("connection", "contact"):
            _look(row, claim)
        return len(claim.ids)


def _look(row: ContactPicture, claim: Claim[ContactPicture]) -> None:
    contact = row.contact
    try:
        claim.begin(row, MAX_ATTEMPTS)
        provider = provider_for(row.connection)
        try:
            known = row.name if contact.picture_path else ""
            found = provider.profile_picture(contact.address(is_official=False), known)
        finally:
            provider.close()
        _keep(row, claim, found)
    except ProviderError as error:
        _retry(row, claim, error.message, is_final=error.permanent, pause=error.retry_after)
    except DomainError as error:  # not an image, or too large
        _retry(row, claim, error.sentence, is_final=True)
    except Exception as error:
        logger.exception("The picture of contact %s could not be fetched", contact.pk)
        _retry(row, claim, repr(error))


def _retry(
    row: ContactPicture,
    claim: Claim[ContactPicture],
    error: str,
    *,
    is_final: bool = False,
    pause: float | None = None,
) -> None:
    if is_final or row.attempts >= MAX_ATTEMPTS:
        claim.fail(row, error)
        return
    # A disconnected session is asked less and less often, whatever pause it requests.
    grown = retry_delay(row.attempts, first=FIRST_PAUSE, longest=LONGEST_PAUSE)
    until = timezone.now() + timedelta(seconds=max(pause or 0.0, grown))
    claim.retry_later(row, until, error)


def _keep(row: ContactPicture, claim: Claim[ContactPicture], found: ProfilePicture | None) -> None:
    if found is None:
        _finish(row, claim, name="", path="")
    elif found.content is None:
        claim.finish(row)
    else:
        token = salted_hmac("contact picture", f"{row.contact_id} {found.name}", algorithm="sha256")
        with fresh_files() as files:
            stored = store_media(
                company_id=row.contact.company_id,
                content=found.content,
                name="",
                mime=found.mime,
                is_received=True,
                token=token.hexdigest()[:32],
            )
            files.append(stored)
            if _finish(row, claim, name=found.name, path=stored.path):
                files.clear()


@transaction.atomic
def _finish(row: ContactPicture, claim: Claim[ContactPicture], *, name: str, path: str) -> bool:
    """Store the contact's picture; return whether the contact has it now."""
    contact = (
        Contact.objects.filter(pk=row.contact_id)
        .select_for_update(of=("self",), no_key=True)
        .first()
    )
    if not claim.finish(row, name=name) or contact is None:
        return False
    old = contact.picture_path
    if path != old:
        contact.picture_path = path
        contact.save(update_fields=["picture_path", "updated_at"])
        events.contact_updated(contact)
        forget_picture(contact.company_id, old)
    return True


def forget_picture(company_id: int, path: str) -> None:
    """Delete a former picture after the commit, unless another row still needs it."""
    if path:
        transaction.on_commit(lambda: _delete_unused(company_id, path), robust=True)


def _delete_unused(company_id: int, path: str) -> None:
    # Undoing a merge restores the other contact's picture.
    merges = ContactMerge.objects.for_company(company_id).filter(
        Q(gone__picture_path=path), undone_at=None
    )
    contacts = Contact.objects.for_company(company_id).filter(picture_path=path)
    if not contacts.exists() and not merges.exists():
        delete_media(path)
