"""What the OpenAPI schema says of every call: how refusals look."""

from typing import Any

ERROR = {
    "type": "object",
    "description": (
        "A refusal. `code` is stable; `message` is a sentence for the user; `error` is the code "
        "when older browsers translate it and the sentence otherwise; `fields` holds reasons by "
        "the request's field, and `fieldCodes` names the rule that one breaks, where it has a name "
        "(required, max_length, does_not_exist, …). Some refusals add more, named in the call's "
        "description."
    ),
    "properties": {
        "error": {"type": "string"},
        "code": {"type": "string"},
        "message": {"type": "string"},
        "fields": {
            "type": "object",
            "additionalProperties": {"type": "array", "items": {"type": "string"}},
        },
        "fieldCodes": {"type": "object", "additionalProperties": {"type": "string"}},
        "retryAfter": {"type": "integer", "description": "Of a 429: seconds, as in Retry-After."},
    },
    "required": ["error", "code", "message", "fields"],
}


def add_refusals(result: dict[str, Any], generator: Any, request: Any, public: bool) -> Any:
    """Document the one shape of every 4xx answer (a drf-spectacular postprocessing hook)."""
    result.setdefault("components", {}).setdefault("schemas", {})["Error"] = ERROR
    refusal = {
        "description": "Refused: 400, 401, 402, 403, 404, 409, 413, 415 or 429.",
        "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Error"}}},
    }
    for path in result["paths"].values():
        for operation in path.values():
            if isinstance(operation, dict) and "responses" in operation:
                operation["responses"].setdefault("4XX", refusal)
    return result
