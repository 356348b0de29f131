"""What of other apps stays as long as a planned campaign needs it (rules/campaigns §2)."""

from collections.abc import Callable

from django.db.models import QuerySet

from apps.campaigns.models import Campaign, CampaignStatus
from apps.common.errors import DomainError
from apps.contacts.models import Tag
from apps.library.models import FileList
from apps.queues.models import Queue


class TagInUse(DomainError):
    """A campaign that is still to start takes its recipients from it."""

    status = 409
    code = "ERR_TAG_IN_USE"
    message = (
        "Uma campanha programada usa esta tag. Escolha outros destinatários nela ou retire o"
        " agendamento antes de excluí-la."
    )


class QueueInUse(DomainError):
    """The segment of a campaign that is still to start chooses people by it."""

    status = 409
    code = "ERR_QUEUE_IN_USE"
    message = (
        "O segmento de uma campanha programada usa esta fila. Tire-a do segmento, escolha outros"
        " destinatários na campanha ou retire o agendamento antes de excluí-la."
    )


class FileListInUse(DomainError):
    """A campaign that is still to start sends its files."""

    status = 409
    code = "ERR_FILE_LIST_IN_USE"
    message = (
        "Uma campanha programada envia esta lista de arquivos. Escolha outra nela ou retire o"
        " agendamento antes de excluí-la ou de tirar todos os arquivos dela."
    )


def keep_tag_of_planned(tag: Tag) -> None:
    """Raise TagInUse for one by which a planned campaign, or its segment, chooses people."""
    planned = _planned(tag.company_id)
    if planned.filter(tag=tag).exists() or _is_in_rules(planned, "tagIds", tag.pk):
        raise TagInUse


def keep_queue_of_planned(queue: Queue, _afterwards: list[Callable[[], None]]) -> None:
    """Raise QueueInUse for one by which the segment of a planned campaign chooses people."""
    if _is_in_rules(_planned(queue.company_id), "queueIds", queue.pk):
        raise QueueInUse


def keep_file_list_of_planned(files: FileList) -> None:
    """Raise FileListInUse for one that a planned campaign sends; a running one has copies."""
    if _planned(files.company_id).filter(file_list=files).exists():
        raise FileListInUse


def _planned(company_id: int) -> QuerySet[Campaign]:
    return Campaign.objects.for_company(company_id).filter(status=CampaignStatus.SCHEDULED)


def _is_in_rules(planned: QuerySet[Campaign], key: str, pk: int) -> bool:
    rules = planned.exclude(segment=None).values_list("segment__rules", flat=True)
    return any(pk in each[key] for each in rules)
