"""Macros: kept, run by a person in one ticket, and taken back (rules/desk §15)."""

from collections.abc import Iterable, Mapping
from copy import copy
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

from django.db import transaction
from django.db.models import Exists, OuterRef, Q, QuerySet
from django.utils import timezone

from apps.accounts.models import User
from apps.accounts.permissions import Permission
from apps.audit.services import record
from apps.common.errors import DomainError, InvalidInput, NoPermission, NotFound
from apps.companies.models import Company
from apps.companies.queries import setting_of
from apps.companies.services import change_setting
from apps.contacts.services import set_field
from apps.desk import events
from apps.desk.decisions.assignment import Why
from apps.desk.decisions.rule_forms import actions_of
from apps.desk.decisions.rules import LEAVES, Snapshot, names_of
from apps.desk.models import Macro, RuleRun, RuleTicket
from apps.desk.queries.rules import actions_in, read_snapshot
from apps.desk.services.following import because
from apps.desk.services.known import ON
from apps.desk.services.rules.acting import BY, ActionRefused, Actor, act, stop_snooze
from apps.desk.services.rules.contents import contents_of
from apps.desk.services.rules.differences import difference
from apps.desk.services.rules.forms import as_named, check_names, checked_actions, names_in
from apps.queues.models import Queue
from apps.tickets.models import Message, Ticket, TicketPriority, TicketStatus
from apps.tickets.queries.access import readable_ticket
from apps.tickets.queries.finding import NoteNotFound
from apps.tickets.services.rights import check_may_act, locked_ticket, works_in
from apps.tickets.services.tickets.assigning import assign_ticket, move_to_queue
from apps.tickets.services.tickets.notes import delete_note
from apps.tickets.services.tickets.priorities import set_priority
from apps.tickets.services.tickets.snoozing import wake_by_hand
from apps.tickets.services.tickets.tagging import sync_tags

MACROS = "macros"
MOST_MACROS = 100
UNDO_WITHIN = timedelta(minutes=10)


class MacroNotFound(NotFound):
    """The user may run no such macro."""

    message = "Macro não encontrada."


class TooManyMacros(DomainError):
    code = "ERR_TOO_MANY_MACROS"
    message = f"São no máximo {MOST_MACROS} macros por pessoa, e outras tantas da empresa."


class ShortcutTaken(DomainError):
    """Another macro that the user sees has this key."""

    code = "ERR_MACRO_SHORTCUT_EXISTS"
    message = "Outra macro já usa esta tecla."

    def __init__(self) -> None:
        super().__init__(fields={"shortcut": [self.message]})


class MacroStopped(DomainError):
    """An action was refused, so nothing of the macro was done; `action` is its index."""

    status = 409
    code = "ERR_MACRO_STOPPED"
    message = "A macro parou e nada foi feito."


class RunNotFound(NotFound):
    """The user has no such run of a macro."""

    message = "Execução não encontrada."


class CannotUndo(DomainError):
    """Something has left the house, somebody has changed the ticket since, or it is too late."""

    status = 409
    code = "ERR_CANNOT_UNDO"
    message = "Não dá mais para desfazer: algo já saiu ou a conversa mudou."


def _visible_to(user: User) -> "QuerySet[Macro]":
    own = Q(user=user.pk) | Q(user=None)
    known = RuleRun.objects.filter(
        macro=OuterRef("pk"), user=user.pk, refusal="", at__gte=OuterRef("updated_at")
    )
    macros = Macro.objects.for_company(user.company_id).filter(own)
    return macros.annotate(is_known=Exists(known))


def macros_of(user: User) -> list[Macro]:
    """Return the company's macros and the user's own, by name."""
    return with_names(user.company_id, _visible_to(user).order_by("name", "pk"))


def with_names(company_id: int, macros: Iterable[Macro]) -> list[Macro]:
    """Return macros of a company with the names of the rows that they name."""
    found: list[Any] = list(macros)
    named = {macro.pk: names_of(actions_of(macro.actions)) for macro in found}
    known = names_in(company_id, {each for names in named.values() for each in names})
    for macro in found:
        macro.names = as_named(named[macro.pk], known)
    return found


def get_macro(*, user: User, macro_id: int) -> Macro:
    """Return a macro with what its row shows; raises MacroNotFound."""
    macro = next((each for each in macros_of(user) if each.pk == macro_id), None)
    if macro is None:
        raise MacroNotFound
    return macro


def save_macro(
    *,
    actor: User,
    fields: Mapping[str, Any],
    macro_id: int | None = None,
    ip_address: str | None = None,
) -> Macro:
    """Create a macro, or replace one; those of the company need `rules:manage`, and are audited.

    The first one of who has `rules:manage` switches the setting `macros` on.

    Raises MacroNotFound, NoPermission, TooManyMacros, ShortcutTaken, and InvalidInput for what
    can't be.
    """
    company_id: int = actor.company_id
    is_shared = bool(fields.get("is_shared"))
    owner = None if is_shared else actor.person
    if owner is None and not is_shared:
        sentence = "Um programa só tem macros da empresa. Envie isShared: true."
        raise InvalidInput(sentence, fields={"isShared": [sentence]}, rule="required")
    actions = checked_actions(fields["actions"], is_macro=True)
    with transaction.atomic():
        # One after another, for the limit and the keys.
        Company.objects.select_for_update(no_key=True).get(pk=company_id)
        macro = Macro(company_id=company_id)
        if macro_id is not None:
            macro = _writable(actor, macro_id)
        if is_shared:
            _check_shares(actor)
        check_names(company_id, names_of(actions_of(actions)), whose=owner, field="actions")
        macro.user = owner
        macro.name, macro.actions = fields["name"].strip(), actions
        macro.shortcut, macro.problem = fields.get("shortcut") or "", ""
        same = Macro.objects.for_company(company_id).filter(user=owner).exclude(pk=macro.pk)
        if same.count() >= MOST_MACROS:
            raise TooManyMacros
        _check_shortcut(macro)
        theirs = Macro.objects.for_company(company_id).filter(Q(user=actor.pk) | Q(user=None))
        is_first = actor.may(Permission.RULES) and not theirs.exists()
        macro.save()
        switches_on = is_first and setting_of(company_id, MACROS) != ON
        if switches_on:
            # From now on conversations offer them.
            change_setting(company_id=company_id, key=MACROS, value=ON)
        if is_shared or switches_on:
            _record("macro.saved", actor, macro, ip_address)
        saved = get_macro(user=actor, macro_id=macro.pk)
        events.macro_saved(saved)
        return saved


def delete_macro(*, actor: User, macro_id: int, ip_address: str | None = None) -> None:
    """Delete a macro; what it has done stays. Raises MacroNotFound and NoPermission."""
    with transaction.atomic():
        macro = _writable(actor, macro_id)
        if macro.user_id is None:
            _record("macro.deleted", actor, macro, ip_address)
        macro.delete()
        events.macro_deleted(macro, macro_id)


def _writable(actor: User, macro_id: int) -> Macro:
    macros = Macro.objects.for_company(actor.company_id)
    own = macros.filter(Q(user=actor.pk) | Q(user=None)).select_for_update(no_key=True)
    macro = own.filter(pk=macro_id).first()
    if macro is None:
        raise MacroNotFound
    if macro.user_id is None:
        _check_shares(actor)
    return macro


def _check_shares(actor: User) -> None:
    if not actor.may(Permission.RULES):
        raise NoPermission("Só quem cuida das regras muda as macros da empresa.")


def _check_shortcut(macro: Macro) -> None:
    """Raise ShortcutTaken if the company's, or one of the same person, has the key."""
    if not macro.shortcut:
        return
    others = Macro.objects.for_company(macro.company_id).exclude(pk=macro.pk)
    if macro.user_id is not None:
        others = others.filter(Q(user=macro.user_id) | Q(user=None))
    else:
        others = others.filter(user=None)
    if others.filter(shortcut=macro.shortcut).exists():
        raise ShortcutTaken


def _record(action: str, actor: User, macro: Macro, ip_address: str | None) -> None:
    record(
        action=action,
        actor=actor,
        company_id=macro.company_id,
        target=macro,
        detail={"name": macro.name},
        ip_address=ip_address,
    )


def run_macro(
    *, user: User, ticket_id: int, macro_id: int, client_id: UUID | None = None
) -> RuleRun:
    """Run a macro in a ticket as the user, whole or not at all; the same `client_id` again runs
    nothing and returns the run of before.

    Raises MacroNotFound, TicketNotFound, TicketNotReadable, and MacroStopped with the sentence and
    the code of what was refused. Never call it inside a transaction.
    """
    # Whoever has passed the ticket on may not read it any more.
    if known := _known_run(user, ticket_id, client_id):
        return known
    macro = get_macro(user=user, macro_id=macro_id)
    ticket = readable_ticket(user, pk=ticket_id)
    actions = actions_in(macro)
    actor = Actor(macro.name, macro_id=macro.pk, user=user)
    with contents_of(ticket, actions, user) as contents:
        try:
            with transaction.atomic():
                ticket = locked_ticket(user=user, ticket_id=ticket_id)
                if known := _known_run(user, ticket_id, client_id):
                    # Two calls at once.
                    return known
                check_may_act(user, ticket)
                before, since = _snapshot(ticket), timezone.now()
                note_ids = act(ticket, actions, actor, contents)
                ticket.refresh_from_db()
                run = _write(
                    *(macro, user, ticket, before, client_id), note_ids=note_ids, since=since
                )
        except ActionRefused as refused:
            raise _stopped(refused) from refused
        contents.keep()
    return run


def _known_run(user: User, ticket_id: int, client_id: UUID | None) -> RuleRun | None:
    if client_id is None:
        return None
    runs = RuleRun.objects.for_company(user.company_id)
    return runs.filter(ticket=ticket_id, user=user.pk, client_id=client_id).first()


def _snapshot(ticket: Ticket) -> Snapshot:
    return read_snapshot(ticket, RuleTicket.objects.filter(pk=ticket.pk).first())


def _write(
    macro: Macro,
    user: User,
    ticket: Ticket,
    before: Snapshot,
    client_id: UUID | None,
    *,
    note_ids: list[int],
    since: datetime,
) -> RuleRun:
    old, new = difference(before, _snapshot(ticket))
    # A company may tell contacts of transfers, too.
    written = Message.objects.filter(ticket=ticket, from_me=True, created_at__gte=since)
    leaves = any(each.do in LEAVES for each in actions_of(macro.actions)) or written.exists()
    return RuleRun.objects.create(
        company_id=ticket.company_id,
        macro=macro,
        ticket=ticket,
        user=user.person,
        name=macro.name,
        actions=macro.actions,
        before=old,
        after={**new, "notes": note_ids} if note_ids else new,
        can_undo=not leaves,
        client_id=client_id,
    )


def _stopped(refused: ActionRefused) -> MacroStopped:
    error = refused.error
    sentence = f"A macro parou e nada foi feito: {error.sentence}"
    extra = {"action": refused.index, "refusal": error.code, **(error.extra or {})}
    return MacroStopped(sentence, extra=extra)


def undo_run(*, user: User, run_id: int) -> RuleRun:
    """Take a run of a macro back, whole, while the ticket is as the run has left it.

    Raises RunNotFound, CannotUndo, and what the user may not do by hand.
    """
    with transaction.atomic():
        runs = RuleRun.objects.for_company(user.company_id).select_for_update(no_key=True)
        run = runs.filter(pk=run_id, user=user.pk, macro__isnull=False).first()
        if run is None:
            raise RunNotFound
        ticket = locked_ticket(user=user, ticket_id=run.ticket_id)
        if not _may_be_undone(run, ticket):
            raise CannotUndo
        _take_back(user, ticket, run)
        run.undone_at, run.can_undo = timezone.now(), False
        run.save(update_fields=["undone_at", "can_undo"])
        return run


def _may_be_undone(run: RuleRun, ticket: Ticket) -> bool:
    if not run.can_undo or run.undone_at is not None or run.at < timezone.now() - UNDO_WITHIN:
        return False
    # A queue cannot be taken away, and what was put aside until a moment is awake now.
    if run.before.get("snoozed") or ("queue" in run.before and run.before["queue"] is None):
        return False
    told = {name: each for name, each in run.after.items() if name != "notes"}
    now = _snapshot(ticket)
    # What has changed since an empty ticket is all of it.
    _, seen = difference(Snapshot(0, status="", priority=0), now)
    fields = told.pop("fields", {})
    defaults: dict[str, Any] = {"tags": [], "snoozed": False, "queue": None, "person": None}
    return all(seen.get(name, defaults.get(name)) == each for name, each in told.items()) and all(
        now.contact_fields.get(name, "") == value for name, value in fields.items()
    )


def _as_before(ticket: Ticket, before: Mapping[str, Any]) -> Ticket:
    """Return a copy of a ticket with the queue and the person that it had before a run."""
    had = copy(ticket)
    had.status = before.get("status", ticket.status)
    had.queue_id = before.get("queue", ticket.queue_id)
    had.user_id = before.get("person", ticket.user_id)
    return had


def _move_back(user: User, ticket: Ticket, had: Ticket) -> None:
    """Give a ticket back to the queue and person that it had; its contact is told nothing."""
    if had.queue_id is None:
        raise CannotUndo
    queue = Queue.objects.for_company(ticket.company_id).filter(pk=had.queue_id).first()
    holder = User.objects.filter(pk=had.user_id).first()
    is_open = had.status == TicketStatus.OPEN
    if queue is None or (is_open and (holder is None or not works_in(holder, queue.pk))):
        raise CannotUndo
    stop_snooze(ticket)
    with because(Why.BY_HAND, actor=user):
        if ticket.queue_id != queue.pk or not is_open:
            move_to_queue(ticket, queue, by=BY)
        if is_open and holder is not None:
            assign_ticket(ticket, holder, by=BY)


def _take_back(user: User, ticket: Ticket, run: RuleRun) -> None:
    before = run.before
    had = _as_before(ticket, before)
    # Whoever has passed it on may act no more on what it is now.
    check_may_act(user, had)
    if {"queue", "person", "status"} & before.keys():
        _move_back(user, ticket, had)
    for name, value in before.get("fields", {}).items():
        set_field(contact=ticket.contact, name=name, value=value)
    if "tags" in before:
        sync_tags(user=user, ticket_id=ticket.pk, tag_ids=before["tags"])
    if "priority" in before:
        priority = TicketPriority(before["priority"])
        set_priority(user=user, ticket_id=ticket.pk, priority=priority)
    if before.get("snoozed") is False:
        wake_by_hand(user=user, ticket_id=ticket.pk)
    for note_id in run.after.get("notes", ()):
        try:
            delete_note(user=user, ticket_id=ticket.pk, note_id=note_id)
        except NoteNotFound:
            continue
