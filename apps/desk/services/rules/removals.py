"""Switches off the rules that name what is deleted, and says so in a sentence (rules/desk §12).

A macro that names it stays, with the sentence, and is refused where it is run.
"""

from collections.abc import Callable

from django.utils import timezone

from apps.accounts.models import User
from apps.audit.services import record
from apps.connections.models import Connection
from apps.contacts.models import Tag
from apps.desk import events
from apps.desk.decisions.rule_forms import actions_of
from apps.desk.decisions.rules import names, names_of
from apps.desk.models import Macro, Rule
from apps.desk.queries.rules import rule_from
from apps.desk.services.rules.macros import with_names
from apps.desk.services.rules.saving import get_rule
from apps.desk.services.rules.syncing import note_rules
from apps.library.models import QuickMessage
from apps.queues.models import Queue


def note_queue(queue: Queue, _afterwards: list[Callable[[], None]]) -> None:
    _note(queue.company_id, "queue", queue.pk, f"A fila “{queue.name}” foi excluída.")


def note_tag(tag: Tag) -> None:
    _note(tag.company_id, "tag", tag.pk, f"A tag “{tag.name}” foi excluída.")


def note_user(user: User) -> None:
    _note(user.company_id, "person", user.pk, f"{user.name} foi excluído ou desativado.")


def note_connection(connection: Connection) -> None:
    sentence = f"A conexão “{connection.name}” foi excluída."
    _note(connection.company_id, "connection", connection.pk, sentence)


def note_quick_message(quick: QuickMessage) -> None:
    sentence = f"A resposta rápida “/{quick.shortcode}” foi excluída."
    _note(quick.company_id, "quick", quick.pk, sentence)


def _note(company_id: int, kind: str, pk: int, sentence: str) -> None:
    rules = Rule.objects.for_company(company_id).select_for_update(no_key=True)
    found = [rule for rule in rules if (kind, pk) in names(rule_from(rule))]
    for rule in found:
        was_on = rule.is_on
        rule.since, rule.problem = None, sentence[:200]
        rule.updated_at = timezone.now()
        rule.save(update_fields=["since", "problem", "updated_at"])
        if was_on:
            record(
                action="rule.stopped",
                actor=None,
                company_id=company_id,
                target=rule,
                detail={"name": rule.name, "problem": rule.problem},
            )
        events.rule_saved(get_rule(company_id=company_id, rule_id=rule.pk))
    if found:
        note_rules(company_id)
    named: list[Macro] = []
    for macro in Macro.objects.for_company(company_id).select_for_update(no_key=True):
        if (kind, pk) in names_of(actions_of(macro.actions)):
            macro.problem = sentence[:200]
            macro.save(update_fields=["problem", "updated_at"])
            named.append(macro)
    for macro in with_names(company_id, named):
        events.macro_saved(macro)
