"""Message templates written here: submitted to Meta, changed, deleted (rules/messages §8)."""

from typing import Any

from django.conf import settings
from django.core.files.uploadedfile import UploadedFile
from django.db import transaction

from apps.accounts.models import User
from apps.audit.services import record
from apps.common.errors import DomainError, InvalidInput
from apps.connections import events
from apps.connections.models import Connection
from apps.connections.providers.base import ProviderError
from apps.connections.serializers.templates import TemplateChange
from apps.connections.services.provision import official_provider_for
from apps.connections.services.templates import (
    TemplateNotFound,
    TemplatesUnavailable,
    check_official,
    checked_header,
    forget_templates,
    templates_of,
)
from apps.connections.template_drafts import (
    EDITABLE,
    TemplateDraft,
    faults_of,
    graph_parts,
    graph_template,
)
from apps.connections.templates import APPROVED, Part, Template, read_template

# Status codes that prove that Meta accepted nothing.
NOT_SENT = frozenset({"unreachable", "bad_address"})


class TemplateRefused(DomainError):
    """Meta refused the template; the sentence is Meta's reason."""

    code = "ERR_TEMPLATE_REFUSED"
    message = "A Meta não aceitou o modelo."


class TemplateNotEditable(DomainError):
    """Meta changes only templates that are approved, rejected or paused."""

    status = 409
    code = "ERR_TEMPLATE_NOT_EDITABLE"
    message = "A Meta só deixa mudar modelos aprovados, recusados ou pausados. Tente mais tarde."


class TemplateExists(InvalidInput):
    """The account has a template of this name in this language."""

    status = 409
    code = "ERR_TEMPLATE_EXISTS"
    message = "Já existe um modelo com este nome neste idioma."


def create_template(
    *, actor: User, connection: Connection, draft: TemplateDraft, ip_address: str | None = None
) -> Template:
    """Submit a template to Meta's review and return it.

    An answer that got lost is settled by name and language. Raises InvalidInput, TemplateExists,
    TemplateRefused, TemplatesUnavailable and NotOfficial. Never call it inside a transaction.
    """
    check_number(connection)
    _check(draft)
    return submit(
        actor=actor, connection=connection, sent=graph_template(draft), ip_address=ip_address
    )


def submit(
    *,
    actor: User,
    connection: Connection,
    sent: Part,
    shown: Part | None = None,
    ip_address: str | None = None,
) -> Template:
    """Submit a checked template and return it, audited; `shown` is what it shows, if not `sent`.

    Raises what `create_template` raises.
    """
    name, language = sent["name"], sent["language"]
    if _same(templates_of(connection, refresh=True), name, language) is not None:
        raise TemplateExists(fields={"name": [TemplateExists.message]})
    try:
        answer = official_provider_for(connection).create_template(connection.waba_id, sent)
    except ProviderError as error:
        found = _lost(connection, name, language) if _may_have_come(error) else None
        if found is None:
            raise _refusal(error) from error
        created = found
    else:
        created = _submitted(shown or sent, answer)
    _tell(connection, created, change=TemplateChange.SUBMITTED, actor=actor, ip_address=ip_address)
    return created


def edit_template(
    *,
    actor: User,
    connection: Connection,
    template_id: str,
    draft: TemplateDraft,
    ip_address: str | None = None,
) -> Template:
    """Submit other words of a template to Meta's review and return it.

    Name, language and the form of its variables stay; so does the category of an approved one.
    Raises TemplateNotFound, TemplateNotEditable and what `create_template` raises.
    """
    check_number(connection)
    template = _found(connection, template_id)
    _check(draft, _fixed(template, draft))
    if template.status not in EDITABLE or not template.is_supported:
        raise TemplateNotEditable
    changes: dict[str, Any] = {"components": graph_parts(draft)}
    if draft.category != template.category:
        changes["category"] = draft.category
    try:
        official_provider_for(connection).edit_template(template.id, changes)
    except ProviderError as error:
        raise _refusal(error) from error
    answer = {"id": template.id, "status": "PENDING", "category": draft.category}
    changed = _submitted(graph_template(draft), answer)
    _tell(connection, changed, change=TemplateChange.EDITED, actor=actor, ip_address=ip_address)
    return changed


def delete_template(
    *, actor: User, connection: Connection, template_id: str, ip_address: str | None = None
) -> None:
    """Delete one language of a template at Meta's.

    Raises TemplateNotFound, also for one that is already gone, and TemplatesUnavailable.
    """
    check_number(connection)
    template = _found(connection, template_id)
    try:
        official_provider_for(connection).delete_template(
            connection.waba_id, name=template.name, template_id=template.id
        )
    except ProviderError as error:
        rows = _looked_up(connection) if _may_have_come(error) else None
        if rows is None or any(each.id == template_id for each in rows):
            raise _refusal(error) from error
    _tell(connection, template, change=TemplateChange.DELETED, actor=actor, ip_address=ip_address)


def upload_template_sample(*, connection: Connection, file: "UploadedFile[Any]") -> str:
    """Upload the sample of a header to Meta; returns the handle by which a draft names it.

    Raises NotOfficial, MediaTooLarge, MediaTypeRefused and TemplatesUnavailable.
    """
    check_number(connection)
    content, name, mime = checked_header(file)
    try:
        return official_provider_for(connection).upload_handle(
            settings.META_APP_ID, content, mime=mime, name=name
        )
    except ProviderError as error:
        raise TemplatesUnavailable(error.message, extra=error.reason.on_wire()) from error


def check_number(connection: Connection) -> None:
    """Raise for a number without templates, or one that Meta has not confirmed."""
    check_official(connection)
    if connection.verified_at is None:
        raise TemplatesUnavailable(
            "Este número ainda não foi confirmado pela Meta. Reconecte-o em Conexões."
        )


def _check(draft: TemplateDraft, more: dict[str, list[str]] | None = None) -> None:
    faults = {**faults_of(draft), **(more or {})}
    if faults:
        raise InvalidInput(fields=faults)


def _fixed(template: Template, draft: TemplateDraft) -> dict[str, list[str]]:
    """Return what can't be changed, by field."""
    sentence = "Isto não muda depois de criado. Duplique o modelo."
    found = {
        "name": template.name != draft.name,
        "language": template.language != draft.language,
        "parameterFormat": template.is_named != draft.is_named,
        "category": template.status == APPROVED and template.category != draft.category,
    }
    return {name: [sentence] for name, is_changed in found.items() if is_changed}


def _same(templates: list[Template], name: str, language: str) -> Template | None:
    return next(
        (
            each
            for each in templates
            if (each.name, each.language) == (name, language) and each.status != "DELETED"
        ),
        None,
    )


def _found(connection: Connection, template_id: str) -> Template:
    for refresh in (False, True):
        rows = templates_of(connection, refresh=refresh)
        template = next((each for each in rows if each.id == template_id), None)
        # The cached list may be from before its review.
        if template is not None and (refresh or template.status in EDITABLE):
            return template
    raise TemplateNotFound


def _may_have_come(error: ProviderError) -> bool:
    return not (error.permanent or error.needs_reconnect or error.code in NOT_SENT)


def _looked_up(connection: Connection) -> list[Template] | None:
    try:
        return templates_of(connection, refresh=True)
    except TemplatesUnavailable:
        return None


def _lost(connection: Connection, name: str, language: str) -> Template | None:
    """Return the template of a lost answer: it did not exist before."""
    rows = _looked_up(connection)
    return _same(rows, name, language) if rows else None


def _submitted(sent: dict[str, Any], answer: dict[str, Any]) -> Template:
    told = {key: answer[key] for key in ("id", "status", "category") if answer.get(key)}
    template = read_template({"status": "PENDING", **sent, **told})
    if template is None:  # a draft has a name and a language
        raise TemplatesUnavailable
    return template


def _refusal(error: ProviderError) -> DomainError:
    refusal = TemplateRefused if error.permanent else TemplatesUnavailable
    return refusal(error.message, extra=error.reason.on_wire())


def _tell(
    connection: Connection,
    template: Template,
    *,
    change: TemplateChange,
    actor: User,
    ip_address: str | None,
) -> None:
    forget_templates(connection.waba_id)
    with transaction.atomic():
        record(
            action=f"template.{change}",
            actor=actor,
            company_id=connection.company_id,
            target=connection,
            detail={
                "template": template.name,
                "language": template.language,
                "id": template.id,
                "category": template.category,
            },
            ip_address=ip_address,
        )
        events.template_changed(
            company_id=connection.company_id,
            name=template.name,
            language=template.language,
            change=change,
        )
