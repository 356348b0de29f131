"""Templates of a business, and their simulated review, which ends with a webhook."""

import re
import secrets
from datetime import timedelta
from typing import Any

from django.conf import settings
from django.db import transaction
from django.utils import timezone

from apps.simulator.graph.errors import GraphError, invalid, missing, unknown_object
from apps.simulator.graph.library import from_library
from apps.simulator.graph.templates import TEMPLATES, Part
from apps.simulator.models import FaultKind, SimNumber, SimTemplate
from apps.simulator.services.faults import is_set
from apps.simulator.services.media import file_of_handle
from apps.simulator.services.posting import enqueue

REVIEW_SECONDS = 1.0
# A template that contains this word is rejected.
REFUSED_WORD = "recusar"
REFUSED_FOR = "PROMOTIONAL"
VARIABLE = re.compile(r"\{\{\s*\w+\s*\}\}")
# The faults that stop all approved templates of an account.
STOPPED = {FaultKind.TEMPLATE_PAUSED: "PAUSED", FaultKind.TEMPLATE_DISABLED: "DISABLED"}
EDITABLE = frozenset({"APPROVED", "REJECTED", "PAUSED"})


def templates_of(waba_id: str) -> list[Part]:
    """Return an account's bundled and own templates, in the format of Meta's list."""
    own = {each.template_id: each for each in SimTemplate.objects.filter(waba_id=waba_id)}
    rows = [each for each in TEMPLATES if each["id"] not in own]
    rows += [_listed(each) for each in own.values() if not each.is_deleted]
    for kind, status in STOPPED.items():
        if is_set(kind, waba_id):
            rows = [
                {**each, "status": status} if each["status"] == "APPROVED" else each
                for each in rows
            ]
    return rows


def _listed(template: SimTemplate) -> Part:
    if timezone.now() < template.decided_at:
        return {**template.row, "status": "PENDING", "rejected_reason": "NONE"}
    reason = REFUSED_FOR if template.verdict == "REJECTED" else "NONE"
    return {**template.row, "status": template.verdict, "rejected_reason": reason}


def create_template(waba_id: str, body: dict[str, Any]) -> Part:
    """Create a template, which goes into review; raises GraphError like Meta."""
    name, language = str(body.get("name") or ""), str(body.get("language") or "")
    if body.get("library_template_name"):
        body = from_library(body)
    for key in ("name", "language", "category", "components"):
        if not body.get(key):
            raise missing(key)
    if not re.fullmatch(r"[a-z0-9_]{1,512}", name):
        raise invalid("Param name must be lowercase letters, numbers and underscores.")
    same = [each for each in templates_of(waba_id) if each["name"] == name]
    if any(each["language"] == language for each in same):
        raise GraphError(100, "Invalid parameter", subcode=2388024)
    row = {
        "name": name,
        "parameter_format": str(body.get("parameter_format") or "POSITIONAL").upper(),
        "components": _components(body["components"]),
        "language": language,
        "category": str(body["category"]),
        "id": str(950_000_000_000_000 + secrets.randbelow(10**13)),
    }
    if body.get("library_template_name"):
        # A template of the library is not reviewed.
        row["library_template_name"] = body["library_template_name"]
        SimTemplate.objects.create(
            waba_id=waba_id, template_id=row["id"], row=row, verdict="APPROVED"
        )
        return {"id": row["id"], "status": "APPROVED", "category": row["category"]}
    _review(waba_id, row)
    return {"id": row["id"], "status": "PENDING", "category": row["category"]}


def edit_template(template_id: str, body: dict[str, Any]) -> None:
    """Edit a template, which goes into review again; raises GraphError like Meta."""
    own = SimTemplate.objects.filter(template_id=template_id).first()
    number = SimNumber.objects.first()
    waba_id = own.waba_id if own else (number.waba_id if number else "")
    found = next((each for each in templates_of(waba_id) if each["id"] == template_id), None)
    if found is None:
        raise unknown_object(template_id, "post")
    if found["status"] not in EDITABLE:
        raise invalid("Only approved, rejected and paused templates can be edited.")
    row = {**found, "components": _components(body.get("components") or found["components"])}
    _review(waba_id, row | ({"category": body["category"]} if body.get("category") else {}))


def delete_template(waba_id: str, *, name: str, template_id: str) -> None:
    """Delete one language of a template or, with an empty id, all languages of the name."""
    found = [
        each
        for each in templates_of(waba_id)
        if each["name"] == name and template_id in ("", each["id"])
    ]
    if not found:
        raise GraphError(100, "Invalid parameter", details="Message template was not found.")
    for row in found:
        SimTemplate.objects.update_or_create(
            waba_id=waba_id,
            template_id=row["id"],
            defaults={"row": row, "verdict": "DELETED", "is_deleted": True},
        )


def _components(parts: Any) -> list[Part]:
    if not isinstance(parts, list) or not all(isinstance(each, dict) for each in parts):
        raise invalid("Param components must be an array.")
    body = next((each for each in parts if each.get("type") == "BODY"), None)
    if body is None or not isinstance(body.get("text"), str):
        raise missing("components[BODY]")
    found = list(VARIABLE.finditer(text := body["text"]))
    if found and (found[0].start() == 0 or found[-1].end() == len(text)):
        raise GraphError(100, "Invalid parameter", subcode=2388299)
    if found and not body.get("example"):
        raise invalid("Param components[BODY]['example'] is required.")
    return [_shown(each) for each in parts]


def _shown(part: Part) -> Part:
    """Return a component as the list shows it: a file by its address, a COPY_CODE button with
    Meta's text.
    """
    if part.get("type") == "HEADER" and part.get("format") in ("IMAGE", "VIDEO", "DOCUMENT"):
        handle = next(iter((part.get("example") or {}).get("header_handle") or []), None)
        file = file_of_handle(handle)
        address = handle if isinstance(handle, str) and handle.startswith("http") else ""
        if file is None and not address:
            raise invalid("Param header_handle is not a valid handle.")
        if file is not None:
            address = f"{settings.PUBLIC_URL}/simulator/media/{file.media_id}"
        return {**part, "example": {"header_handle": [address]}}
    if part.get("type") == "BUTTONS":
        buttons = [
            {"text": "Copy offer code", **each} if each.get("type") == "COPY_CODE" else each
            for each in part.get("buttons") or []
        ]
        return {**part, "buttons": buttons}
    return part


def _review(waba_id: str, row: Part) -> None:
    is_refused = REFUSED_WORD in f"{row['name']} {row['components']}".lower()
    verdict = "REJECTED" if is_refused else "APPROVED"
    with transaction.atomic():
        decided_at = timezone.now() + timedelta(seconds=REVIEW_SECONDS)
        fields = {"row": row, "verdict": verdict, "decided_at": decided_at, "is_deleted": False}
        SimTemplate.objects.update_or_create(
            waba_id=waba_id, template_id=row["id"], defaults=fields
        )
        number = SimNumber.objects.filter(waba_id=waba_id).first()
        if number is not None:
            value = {
                "event": verdict,
                "message_template_id": int(row["id"]),
                "message_template_name": row["name"],
                "message_template_language": row["language"],
                "message_template_category": row["category"],
                "reason": REFUSED_FOR if is_refused else "NONE",
            }
            enqueue(number, value, "message_template_status_update", at=decided_at)
