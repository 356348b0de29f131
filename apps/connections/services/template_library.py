"""Meta's template library: browsed, and templates submitted from it (rules/messages §8)."""

import hashlib
import json
from collections.abc import Mapping
from datetime import timedelta
from typing import Any

from django.conf import settings
from django.core.cache import cache
from redis.exceptions import RedisError

from apps.accounts.models import User
from apps.common.errors import DomainError, InvalidInput
from apps.connections.models import Connection
from apps.connections.providers.base import ProviderError
from apps.connections.services.provision import official_provider_for
from apps.connections.services.template_writing import check_number, submit
from apps.connections.services.templates import READ_SECONDS, TemplatesUnavailable
from apps.connections.template_library import (
    LibraryChoice,
    LibraryTemplate,
    faults_of_choice,
    graph_choice,
    read_library_template,
    shown_choice,
)
from apps.connections.templates import Template

# The library changes a few times a year.
LIFETIME = timedelta(hours=1)


class LibraryTemplateNotFound(DomainError):
    """The library has no such template in this language, or one that can't be filled in here."""

    code = "ERR_LIBRARY_TEMPLATE_NOT_FOUND"
    message = "A biblioteca da Meta não tem mais este modelo. Atualize a lista."


def library_of(
    connection: Connection, *, filters: Mapping[str, str], after: str = ""
) -> tuple[list[LibraryTemplate], str]:
    """Return a page of the library for a number, and the cursor of the next page or ''.

    Kept for an hour. Raises NotOfficial and TemplatesUnavailable. Never call it inside a
    transaction.
    """
    check_number(connection)
    asked = {name: value for name, value in sorted(filters.items()) if value}
    key = _key(connection, asked, after)
    kept = _kept(key)
    if kept is None:
        try:
            provider = official_provider_for(connection, read_seconds=READ_SECONDS)
            kept = provider.library_page(connection.waba_id, asked, after)
        except ProviderError as error:
            raise TemplatesUnavailable(error.message, extra=error.reason.on_wire()) from error
        _keep(key, kept)
    rows, cursor = kept
    found = [template for row in rows if (template := read_library_template(row)) is not None]
    return found, cursor


def create_from_library(
    *, actor: User, connection: Connection, choice: LibraryChoice, ip_address: str | None = None
) -> Template:
    """Submit a template of the library with what the company filled in, and return it; audited.

    Raises LibraryTemplateNotFound, InvalidInput and what `create_template` raises. Never call it
    inside a transaction.
    """
    found, _ = library_of(
        connection, filters={"search": choice.library_name, "language": choice.language}
    )
    wanted = (choice.library_name, choice.language)
    template = next((each for each in found if (each.name, each.language) == wanted), None)
    if template is None or not template.can_be_used:
        raise LibraryTemplateNotFound(fields={"libraryName": [LibraryTemplateNotFound.message]})
    faults = faults_of_choice(template, choice)
    if faults:
        raise InvalidInput(fields=faults)
    return submit(
        actor=actor,
        connection=connection,
        sent=graph_choice(template, choice),
        shown=shown_choice(template, choice),
        ip_address=ip_address,
    )


def _key(connection: Connection, asked: Mapping[str, str], after: str) -> str:
    source = json.dumps([settings.GRAPH_API_URL, connection.waba_id, asked, after])
    digest = hashlib.sha256(source.encode()).hexdigest()[:32]
    return f"template-library:{connection.company_id}:{digest}"


def _kept(key: str) -> tuple[list[dict[str, Any]], str] | None:
    try:
        found: tuple[list[dict[str, Any]], str] | None = cache.get(key)
    except RedisError:  # the cache is optional
        return None
    return found


def _keep(key: str, page: tuple[list[dict[str, Any]], str]) -> None:
    try:
        cache.set(key, page, LIFETIME.total_seconds())
    except RedisError:
        return
