"""The header file of a campaign's template, which Meta keeps for 30 days (rules/campaigns §5)."""

from typing import Any

from apps.campaigns.models import Campaign, CampaignStatus
from apps.connections.models import Connection
from apps.connections.services.header_files import usable_media_id
from apps.connections.template_values import FILES
from apps.connections.templates import as_part, as_parts, as_text


def header_media_ids(components: Any) -> list[str]:
    """Return Meta's ids of the header files that a template's parameters name."""
    return [
        media_id
        for part in as_parts(components)
        for parameter in as_parts(part.get("parameters"))
        for kind in FILES
        if (media_id := as_text(as_part(parameter.get(kind)).get("id")))
    ]


def header_files_in_use() -> set[str]:
    """Return Meta's ids of the header files that unfinished campaigns may still send."""
    templated = Campaign.objects.exclude(status=CampaignStatus.FINISHED).exclude(template_name="")
    named = templated.values_list("template_components", flat=True).iterator()
    return {media_id for components in named for media_id in header_media_ids(components)}


def with_usable_files(connection: Connection, components: Any) -> Any:
    """Return a template's parameters with ids of header files that Meta still has.

    Raises TemplateMediaNotFound, TemplatesUnavailable. Never call it inside a transaction.
    """
    usable = {
        media_id: usable_media_id(connection=connection, media_id=media_id)
        for media_id in header_media_ids(components)
    }
    return _renamed(components, usable) if usable else components


def _renamed(given: Any, usable: dict[str, str]) -> Any:
    if isinstance(given, list):
        return [_renamed(each, usable) for each in given]
    if isinstance(given, dict):
        renamed = {name: _renamed(each, usable) for name, each in given.items()}
        for kind in FILES:
            file = renamed.get(kind)
            if isinstance(file, dict) and file.get("id") in usable:
                renamed[kind] = {**file, "id": usable[file["id"]]}
        return renamed
    return given
