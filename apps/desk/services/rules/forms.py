"""Checks what rules and macros say before they are stored (rules/desk §12 and §15)."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any

from apps.accounts.models import User
from apps.common.errors import InvalidInput
from apps.companies.models import SUPER_COMPANY_ID
from apps.connections.models import Connection
from apps.contacts.models import Tag
from apps.desk.decisions.rules import KINDS_OF_IDS, SENDS, TIMES, Do, When
from apps.library.models import QuickMessage
from apps.queues.models import Queue

Form = Mapping[str, Any]
# What an action needs besides `do`, and what it may have.
NEEDS: Mapping[Do, tuple[str, ...]] = {
    Do.SEND_TEXT: ("text",),
    Do.SEND_QUICK: ("id",),
    Do.SEND_TEMPLATE: ("name", "language"),
    Do.ADD_TAG: ("id",),
    Do.REMOVE_TAG: ("id",),
    Do.PRIORITY: ("priority",),
    Do.CONTACT_FIELD: ("name",),
    Do.QUEUE: ("id",),
    Do.PERSON: (),
    Do.SNOOZE: (),
    Do.NOTE: ("text",),
    Do.TELL: ("tells",),
    Do.RESOLVE: (),
    Do.WEBHOOK: (),
}
MAY_HAVE: Mapping[Do, tuple[str, ...]] = {
    Do.SEND_TEMPLATE: ("values",),
    Do.CONTACT_FIELD: ("text",),
    Do.PERSON: ("id",),
    Do.SNOOZE: ("minutes",),
    Do.TELL: ("text",),
    Do.RESOLVE: ("text",),
    Do.WEBHOOK: ("text",),
}
MODELS: Mapping[str, Any] = {
    "queue": Queue,
    "tag": Tag,
    "person": User,
    "connection": Connection,
    "quick": QuickMessage,
}
GONE: Mapping[str, str] = {
    "queue": "Esta fila não existe.",
    "tag": "Esta tag não existe.",
    "person": "Esta pessoa não existe.",
    "connection": "Esta conexão não existe.",
    "quick": "Esta resposta rápida não existe.",
}


def refuse(field: str, sentence: str, rule: str = "invalid") -> InvalidInput:
    return InvalidInput(sentence, fields={field: [sentence]}, rule=rule)


def checked_trigger(company_id: int, form: Form) -> dict[str, Any]:
    """Return a trigger as it is stored. Raises InvalidInput for what does not go with its kind."""
    when = When(form["when"])
    stored: dict[str, Any] = {"when": when.value}
    ids = sorted(set(form.get("ids") or ()))
    if ids and when not in KINDS_OF_IDS:
        raise refuse("trigger.ids", "Isto não faz parte deste começo.", "unused")
    if ids:
        stored["ids"] = ids
    if when == When.INVOICE_OVERDUE and company_id != SUPER_COMPANY_ID:
        sentence = "Só a empresa que opera o serviço tem faturas de clientes aqui."
        raise refuse("trigger.when", sentence)
    minutes = form.get("minutes") or 0
    if when in TIMES:
        stored["minutes"] = minutes
        if when in {When.CONTACT_SILENT, When.WE_SILENT}:
            stored["inHours"] = bool(form.get("inHours"))
        if not minutes and when != When.SLA_STEP:
            raise refuse("trigger.minutes", "Informe quantos minutos.", "required")
        if when == When.WINDOW_CLOSES and minutes >= 24 * 60:
            sentence = "A janela dura 24 horas: informe menos que isso."
            raise refuse("trigger.minutes", sentence, "max_value")
    elif minutes:
        raise refuse("trigger.minutes", "Isto não faz parte deste começo.", "unused")
    if when == When.SLA_STEP:
        stored |= {"kind": form.get("kind") or "", "step": form.get("step") or "due"}
        if bool(minutes) != (stored["step"] == "after"):
            sentence = "Informe os minutos depois do prazo, e só para depois do prazo."
            raise refuse("trigger.minutes", sentence, "required")
    elif form.get("kind") or form.get("step"):
        raise refuse("trigger.kind", "Isto não faz parte deste começo.", "unused")
    return stored


def checked_actions(forms: Sequence[Form], *, is_macro: bool) -> list[dict[str, Any]]:
    """Return actions as they are stored. Raises InvalidInput for what does not go together."""
    if not forms:
        raise refuse("actions", "Escolha o que fazer.", "required")
    stored: list[dict[str, Any]] = []
    for index, form in enumerate(forms):
        do, place = Do(form["do"]), f"actions.{index}"
        given = {name: each for name, each in form.items() if each not in (None, "", [], 0)}
        needs = NEEDS[do]
        for name in needs:
            if not str(given.get(name, "")).strip():
                raise refuse(f"{place}.{name}", "Complete esta ação.", "required")
        extra = given.keys() - {"do", *needs, *MAY_HAVE.get(do, ())}
        if extra:
            raise refuse(f"{place}.{min(extra)}", "Isto não faz parte desta ação.", "unused")
        if do == Do.CONTACT_FIELD and len(given["name"]) > 100:
            sentence = "O nome do campo tem no máximo 100 caracteres."
            raise refuse(f"{place}.name", sentence, "max_length")
        if do == Do.RESOLVE and given.get("text") and not is_macro:
            sentence = "Uma regra resolve sem motivo da lista."
            raise refuse(f"{place}.text", sentence, "unused")
        if any(each["do"] == Do.RESOLVE for each in stored) and do not in {Do.NOTE, Do.WEBHOOK}:
            sentence = "Depois de resolver só vêm nota e webhook."
            raise refuse(f"{place}.do", sentence)
        is_passed_on = any(each["do"] in {Do.QUEUE, Do.PERSON} for each in stored)
        if is_macro and is_passed_on and do != Do.PERSON:
            sentence = "Ponha isto antes de transferir: depois a conversa pode não ser mais sua."
            raise refuse(f"{place}.do", sentence, "order")
        stored.append({**given, "do": do.value})
    if len([each for each in stored if each["do"] in SENDS]) > 5:
        raise refuse("actions", "No máximo 5 mensagens de uma vez.", "max_length")
    return stored


def check_names(
    company_id: int, named: Iterable[tuple[str, int]], *, whose: User | None, field: str
) -> None:
    """Raise InvalidInput for a row that the company does not have.

    Of quick messages the shared ones count, and those of the person whose own macro names them.
    """
    by_kind: dict[str, set[int]] = {}
    for kind, pk in named:
        by_kind.setdefault(kind, set()).add(pk)
    for kind, ids in by_kind.items():
        if _count(company_id, kind, ids, whose) < len(ids):
            raise refuse(field, GONE[kind], "does_not_exist")


def _count(company_id: int, kind: str, ids: Collection[int], whose: User | None) -> int:
    rows = MODELS[kind].objects.for_company(company_id).filter(pk__in=ids)
    if kind == "quick":
        shared = rows.filter(is_shared=True)
        rows = shared | rows.filter(user=whose) if whose is not None else shared
    count: int = rows.count()
    return count


def names_in(company_id: int, named: Collection[tuple[str, int]]) -> dict[tuple[str, int], str]:
    """Return the names of rows, in a query for each kind; those that are gone are missing."""
    found: dict[tuple[str, int], str] = {}
    for kind, model in MODELS.items():
        ids = {pk for each, pk in named if each == kind}
        if ids:
            rows = model.objects.for_company(company_id).filter(pk__in=ids)
            column = "shortcode" if kind == "quick" else "name"
            found |= {(kind, pk): name for pk, name in rows.values_list("pk", column)}
    return found


def as_named(
    named: Iterable[tuple[str, int]], names: Mapping[tuple[str, int], str]
) -> list[dict[str, Any]]:
    """Return rows as answers name them."""
    return [
        {"kind": kind, "id": pk, "name": names[kind, pk]}
        for kind, pk in sorted(named)
        if (kind, pk) in names
    ]
