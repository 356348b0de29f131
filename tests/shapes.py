"""JSON schema of what the product declares about its wire."""

from typing import Any


def strict(schema: Any) -> Any:
    """Return an OpenAPI 3.0 schema as JSON schema that takes no key which it does not name."""
    if isinstance(schema, list):
        return [strict(each) for each in schema]
    if not isinstance(schema, dict):
        return schema
    found = {key: strict(value) for key, value in schema.items()}
    if isinstance(schema.get("properties"), dict):
        found.setdefault("additionalProperties", False)
    if found.pop("nullable", False) is True:
        return {"anyOf": [found, {"type": "null"}]}
    return found
