"""Refusing to delete what a planned campaign needs from other apps (rules/campaigns §1)."""

from collections.abc import Callable

from django.db.models import QuerySet

from apps.campaigns.models import Campaign, CampaignStatus
from apps.common.errors import DomainError
from apps.contacts.models import Tag
from apps.library.models import FileList
from apps.queues.models import Queue


class TagInUse(DomainError):
    """A planned campaign, or its segment, selects its recipients by the tag."""

    status = 409
    code = "ERR_TAG_IN_USE"
    message = (
        "Uma campanha programada usa esta tag. Escolha outros destinatários nela ou retire o"
        " agendamento antes de excluí-la."
    )


class QueueInUse(DomainError):
    """The segment of a planned campaign selects contacts by the queue."""

    status = 409
    code = "ERR_QUEUE_IN_USE"
    message = (
        "O segmento de uma campanha programada usa esta fila. Tire-a do segmento, escolha outros"
        " destinatários na campanha ou retire o agendamento antes de excluí-la."
    )


class FileListInUse(DomainError):
    """A planned campaign sends the files of the list."""

    status = 409
    code = "ERR_FILE_LIST_IN_USE"
    message = (
        "Uma campanha programada envia esta lista de arquivos. Escolha outra nela ou retire o"
        " agendamento antes de excluí-la ou de tirar todos os arquivos dela."
    )


def keep_tag_of_planned(tag: Tag) -> None:
    """Raise TagInUse if a planned campaign, or its segment, selects people by the tag."""
    planned = _planned(tag.company_id)
    if planned.filter(tag=tag).exists() or _is_in_rules(planned, "tagIds", tag.pk):
        raise TagInUse


def keep_queue_of_planned(queue: Queue, _afterwards: list[Callable[[], None]]) -> None:
    """Raise QueueInUse if the segment of a planned campaign selects people by the queue."""
    if _is_in_rules(_planned(queue.company_id), "queueIds", queue.pk):
        raise QueueInUse


def keep_file_list_of_planned(files: FileList) -> None:
    """Raise FileListInUse if a planned campaign sends the list; a running one has copies."""
    if _planned(files.company_id).filter(file_list=files).exists():
        raise FileListInUse


def _planned(company_id: int) -> QuerySet[Campaign]:
    return Campaign.objects.for_company(company_id).filter(status=CampaignStatus.SCHEDULED)


def _is_in_rules(planned: QuerySet[Campaign], key: str, pk: int) -> bool:
    rules = planned.exclude(segment=None).values_list("segment__rules", flat=True)
    return any(pk in each[key] for each in rules)
