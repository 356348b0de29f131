"""Handles conversations whose prompt or integration is deleted (rules/tickets §13).

Lower apps call these functions through their hooks, in the transaction of the deletion.
"""

from collections.abc import Callable

from apps.automation.models import Prompt, QueueIntegration
from apps.common.reasons import Reason, ReasonCode
from apps.queues.models import Queue
from apps.tickets.services.bot.leading import end_bot
from apps.tickets.services.tickets.removals import LIVE, locked_tickets


def end_bots_of(leader: Prompt | QueueIntegration) -> None:
    """Leave conversations to people when the prompt or integration that leads them is deleted."""
    if isinstance(leader, Prompt):
        _end_prompts(prompt=leader, user=None, status__in=LIVE)
        return
    cause = Reason(ReasonCode.INTEGRATION_DELETED)
    for ticket in locked_tickets(integration=leader, user=None, status__in=LIVE):
        end_bot(ticket, "failed", error="A integração foi excluída.", cause=cause)


def end_prompts_of(queue: Queue, afterwards: list[Callable[[], None]]) -> None:
    """Leave conversations to people when a queue is deleted with the prompts that lead them.

    This runs after the deletion, so the tickets get another queue.
    """
    prompts = Prompt.objects.filter(queue=queue)
    led = [each.pk for each in locked_tickets(prompt__in=prompts, user=None, status__in=LIVE)]
    afterwards.append(lambda: _end_prompts(pk__among=led))


def _end_prompts(**conditions: object) -> None:
    cause = Reason(ReasonCode.PROMPT_DELETED)
    for ticket in locked_tickets(**conditions):
        end_bot(ticket, "failed", error="O prompt foi excluído.", cause=cause)
