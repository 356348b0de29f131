"""Creating, changing and deleting segments (rules/campaigns §8)."""

from collections.abc import Mapping
from typing import Any

from django.db import transaction

from apps.accounts.models import User
from apps.audit.services import record
from apps.billing.services import require_feature
from apps.campaigns import events
from apps.campaigns.models import Campaign, CampaignStatus, Segment
from apps.campaigns.models.segments import no_rules
from apps.campaigns.queries.segments import contacts_in, segments_of
from apps.common.errors import DomainError, NotFound
from apps.companies.queries import owns
from apps.contacts.services.tags import TagNotFound
from apps.queues.services.queues import QueueNotFound


class SegmentNotFound(NotFound):
    """The company has no such segment."""

    code = "ERR_NO_SEGMENT_FOUND"
    message = "Segmento não encontrado."


class SegmentWithoutRules(DomainError):
    """No rule is given; that must not be taken for all contacts."""

    code = "ERR_SEGMENT_WITHOUT_RULES"
    message = "Escolha ao menos uma regra para o segmento."

    def __init__(self) -> None:
        super().__init__(fields={"rules": [self.message]})


class SegmentInUse(DomainError):
    """A planned campaign takes its recipients from the segment."""

    status = 409
    code = "ERR_SEGMENT_IN_USE"
    message = (
        "Uma campanha programada usa este segmento. Escolha outros destinatários nela ou retire o"
        " agendamento antes de excluí-lo."
    )


def get_segment(*, company_id: int, segment_id: int) -> Segment:
    """Return a company's segment; raises SegmentNotFound."""
    segment = segments_of(company_id).filter(pk=segment_id).first()
    if segment is None:
        raise SegmentNotFound
    return segment


def count_contacts(*, company_id: int, rules: Mapping[str, Any]) -> int:
    """Return how many contacts match rules; raises TagNotFound, QueueNotFound."""
    _check_own(company_id, rules)
    return contacts_in(company_id, rules).count()


@transaction.atomic
def create_segment(*, user: User, fields: Mapping[str, Any]) -> Segment:
    """Create a segment from its `name` and complete `rules`.

    Raises PlanFeatureMissing, SegmentWithoutRules, TagNotFound, QueueNotFound.
    """
    require_feature(company_id=user.company_id, feature="campaigns")
    _check(user.company_id, fields["rules"])
    made = Segment.objects.create(
        company_id=user.company_id, name=fields["name"], rules=fields["rules"]
    )
    events.segment_created(made)
    return made


@transaction.atomic
def update_segment(*, user: User, segment_id: int, fields: Mapping[str, Any]) -> Segment:
    """Change the given fields; raises SegmentNotFound, and as `create_segment` about the rules."""
    segment = _locked(user.company_id, segment_id)
    if "rules" in fields:
        _check(user.company_id, fields["rules"])
        segment.rules = fields["rules"]
    segment.name = fields.get("name", segment.name)
    segment.save(update_fields=["name", "rules", "updated_at"])
    events.segment_updated(segment)
    return segment


@transaction.atomic
def delete_segment(*, user: User, segment_id: int, ip_address: str | None = None) -> None:
    """Delete a segment, audited; raises SegmentNotFound, SegmentInUse."""
    segment = _locked(user.company_id, segment_id)
    to_start = Campaign.objects.filter(segment=segment, status=CampaignStatus.SCHEDULED)
    if to_start.exists():
        raise SegmentInUse
    record(
        action="segment.deleted",
        actor=user,
        company_id=user.company_id,
        target=segment,
        detail={"name": segment.name, "rules": segment.rules},
        ip_address=ip_address,
    )
    segment.delete()
    events.segment_deleted(company_id=user.company_id, segment_id=segment_id)


def _check(company_id: int, rules: Mapping[str, Any]) -> None:
    if rules == no_rules():
        raise SegmentWithoutRules
    _check_own(company_id, rules)


def _check_own(company_id: int, rules: Mapping[str, Any]) -> None:
    if not owns(company_id, "tags", rules["tagIds"]):
        raise TagNotFound
    if not owns(company_id, "queues", rules["queueIds"]):
        raise QueueNotFound


def _locked(company_id: int, segment_id: int) -> Segment:
    # Not `no_key`: this lock also conflicts with saving a campaign that refers to the segment. So
    # that campaign waits for us, or is found here.
    rows = segments_of(company_id).select_for_update()
    segment = rows.filter(pk=segment_id).first()
    if segment is None:
        raise SegmentNotFound
    return segment
