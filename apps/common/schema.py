"""The parts of the OpenAPI schema that all calls share: answers and refusals."""

from typing import Any

from drf_spectacular.drainage import set_override
from drf_spectacular.openapi import AutoSchema
from drf_spectacular.plumbing import is_list_serializer, is_serializer
from drf_spectacular.utils import OpenApiResponse

from apps.common.paging import MAX_PAGE_NUMBER
from apps.common.serializers import MAX_ID

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


class AnswerSchema(AutoSchema):
    """A call answers what its view declares, with 200 where it says no other status.

    The library guesses instead: that an action named `list` answers an array, a deletion nothing
    with 204, and every POST 201.
    """

    def get_operation(
        self, path: str, path_regex: str, path_prefix: str, method: str, registry: Any
    ) -> Any:
        """Describe a call by the answers that it declares, each under its status."""
        self.path, self.method = path, method.upper()
        if self.is_excluded():
            return None
        declared: Any = self.get_response_serializers()
        answers = declared if isinstance(declared, dict) else {200: declared}
        for answer in answers.values():
            shape = answer.response if isinstance(answer, OpenApiResponse) else answer
            if is_serializer(shape) and not is_list_serializer(shape):
                set_override(shape, "many", False)
        # `extend_schema` puts its own method before one of this class.
        vars(self)["get_response_serializers"] = lambda: answers
        try:
            return super().get_operation(path, path_regex, path_prefix, method, registry)
        finally:
            del vars(self)["get_response_serializers"]

    def map_parsers(self) -> list[str]:
        # Forms are parsed as well, but a generated client with three bodies a call is wrong, or
        # does not load; a call that takes files names its form in `request`.
        media_types: list[str] = super().map_parsers()
        return ["application/json"] if "application/json" in media_types else media_types


def add_refusals(result: dict[str, Any], generator: Any, request: Any, public: bool) -> Any:
    """Document the one shape of every 4xx answer, and of the 507 of uploads (a drf-spectacular
    postprocessing hook).
    """
    result.setdefault("components", {}).setdefault("schemas", {})["Error"] = ERROR
    refusal = {
        "description": "Refused: 400, 401, 402, 403, 404, 405, 409, 413, 415, 424 or 429.",
        "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Error"}}},
    }
    for path in result["paths"].values():
        for operation in path.values():
            if isinstance(operation, dict) and "responses" in operation:
                operation["responses"].setdefault("4XX", refusal)
                if "multipart/form-data" in operation.get("requestBody", {}).get("content", {}):
                    no_room = {**refusal, "description": "The disk for files is full."}
                    operation["responses"].setdefault("507", no_room)
    return result


def split_forms(result: dict[str, Any], generator: Any, request: Any, public: bool) -> Any:
    """Document the form of a call that takes JSON too (a drf-spectacular postprocessing hook).

    A generated client knows one body a call. The path without its slash, which is the same call
    (rules/wire §5), gets the form.
    """
    forms: dict[str, Any] = {}
    for path, operations in result["paths"].items():
        for method, operation in operations.items():
            contents = operation.get("requestBody", {}).get("content", {})
            if len(contents) < 2:
                continue
            form = contents.pop("multipart/form-data")
            forms.setdefault(path.rstrip("/"), {})[method] = operation | {
                "operationId": f"{operation['operationId']}WithFiles",
                "requestBody": {"content": {"multipart/form-data": form}, "required": True},
            }
    result["paths"].update(forms)
    return result


def bound_numbers(result: dict[str, Any], generator: Any, request: Any, public: bool) -> Any:
    """Add the bounds of numbers in addresses (a drf-spectacular postprocessing hook).

    Ids in paths come from patterns without bounds, and `apps.common.paging` reads `pageNumber`;
    other numbers of queries are fields of serializers with their own bounds.
    """
    for path in result["paths"].values():
        for operation in path.values():
            for parameter in operation.get("parameters", ()):
                schema = parameter["schema"]
                if schema.get("type") != "integer" or "maximum" in schema:
                    continue
                if parameter["in"] == "path":
                    schema.update(minimum=1, maximum=MAX_ID, format="int64")
                elif parameter["name"] == "pageNumber":
                    schema.update(minimum=1, maximum=MAX_PAGE_NUMBER)
    return result
