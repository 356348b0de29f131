"""What the OpenAPI schema says of who may make a call (rules/accounts §2, §3 and §12)."""

import re
from typing import Any

from django.urls import Resolver404, resolve

from config.access import NEEDS, OF_BODY, scopes_for

SCHEME = "serviceToken"
DESCRIPTION = (
    "A service token of the company, `balcao_…`, as bearer. It serves the calls whose"
    " `x-service-token-scopes` names one of its scopes."
)


def add_service_tokens(result: dict[str, Any], **_: Any) -> dict[str, Any]:
    """Name the scopes of each call that takes a service token (hook of drf-spectacular)."""
    schemes = result["components"].setdefault("securitySchemes", {})
    schemes[SCHEME] = {"type": "http", "scheme": "bearer", "description": DESCRIPTION}
    for path, methods in result["paths"].items():
        name = _name_at(path)
        for method, operation in methods.items():
            scopes = scopes_for(name, method.upper())
            if scopes and "security" in operation:
                operation["security"].append({SCHEME: []})
                operation["x-service-token-scopes"] = sorted(str(scope) for scope in scopes)
    return result


def add_permissions(result: dict[str, Any], **_: Any) -> dict[str, Any]:
    """Name the permissions that each call needs (hook of drf-spectacular)."""
    for path, methods in result["paths"].items():
        name = _name_at(path)
        for method, operation in methods.items():
            needs = NEEDS.get((name, method.upper()))
            if needs is not None and needs.permissions:
                operation["x-permissions"] = sorted(map(str, needs.permissions))
            if of_body := OF_BODY.get((name, method.upper())):
                operation["x-permissions-of-body"] = sorted(map(str, of_body))
    return result


def _name_at(path: str) -> str:
    for key in ("1", "00000000-0000-0000-0000-000000000000"):
        try:
            return resolve(re.sub(r"\{[^{}]+\}", key, path)).url_name or ""
        except Resolver404:
            continue
    return ""
