"""The five calls on one kind of record: list, create, show, change and delete."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, ClassVar, TypeVar

from django.db.models import QuerySet
from django.http.response import HttpResponseBase
from django_filters import FilterSet
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema, extend_schema_view
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.serializers import Serializer
from rest_framework.viewsets import ViewSet

from apps.common.callers import caller_of, client_address
from apps.common.filters import narrowed
from apps.common.paging import page_number, paginate
from apps.common.serializers import RowSerializer, SentenceSerializer, body_values, rows_of

if TYPE_CHECKING:
    from apps.common.callers import User

ID = OpenApiParameter("id", OpenApiTypes.INT, OpenApiParameter.PATH)
SEARCH = OpenApiParameter("searchParam", OpenApiTypes.STR)
PAGE = OpenApiParameter("pageNumber", OpenApiTypes.INT)


class RecordViewSet(ViewSet, ABC):
    """The five calls; a subclass sets the serializers and implements the abstract methods.

    The abstract methods call the app's queries and services. The subclass is decorated with
    `record_schema`. `list_name` is the field of a page that has the rows, `deleted` the sentence
    that answers a deletion.
    """

    lookup_url_kwarg = "id"
    lookup_value_regex = r"\d+"
    input_serializer: ClassVar[type[Serializer[Any]]]
    row_serializer: ClassVar[type[RowSerializer]]
    page_serializer: ClassVar[type[Serializer[Any]]]
    filters: ClassVar[type[FilterSet]]
    list_name: ClassVar[str]
    deleted: ClassVar[str]

    def _key(self, text: str) -> Any:
        """Return a record's key from the text in the path; raises NotFound if it can't be one."""
        return int(text)

    @abstractmethod
    def _records(self, caller: "User") -> "QuerySet[Any]":
        """Return the records of the list, in its order."""

    def _rows(self, records: Sequence[Any]) -> Sequence[dict[str, Any]]:
        """Return the rows of a page's records."""
        return rows_of(self.row_serializer, records)

    def _row(self, record: Any) -> dict[str, Any]:
        """Return the row of what `_find`, `_add` or `_change` returned."""
        return self._rows([record])[0]

    def _context(self, caller: "User") -> Mapping[str, Any]:
        """Return the context of `input_serializer`."""
        return {}

    @abstractmethod
    def _find(self, caller: "User", record_id: int) -> Any:
        """Return a record that the caller may read; raises the app's NotFound for any other."""

    @abstractmethod
    def _add(self, caller: "User", fields: Mapping[str, Any]) -> Any:
        """Create a record and return it."""

    @abstractmethod
    def _change(self, caller: "User", record_id: int, fields: Mapping[str, Any]) -> Any:
        """Change the given fields and return the record."""

    @abstractmethod
    def _remove(self, caller: "User", record_id: int, ip_address: str | None) -> None:
        """Delete a record."""

    def list(self, request: Request) -> Response:
        """Return a page of records."""
        found = narrowed(self._records(caller_of(request)), self.filters, request)
        page = paginate(found, page_number(request))
        return Response(page.body(self.list_name, self._rows(page.rows)))

    def create(self, request: Request) -> Response:
        """Create a record."""
        caller = caller_of(request)
        fields = body_values(self.input_serializer, request.data, **self._context(caller))
        return Response(self._row(self._add(caller, fields)), status=201)

    def retrieve(self, request: Request, id: str) -> HttpResponseBase:
        """Return a record."""
        return Response(self._row(self._find(caller_of(request), self._key(id))))

    def update(self, request: Request, id: str) -> Response:
        """Change a record; omitted fields do not change."""
        # A record that is missing or of another company is 404, before the body is validated.
        caller, key = caller_of(request), self._key(id)
        self._find(caller, key)
        fields = body_values(
            self.input_serializer, request.data, partial=True, **self._context(caller)
        )
        return Response(self._row(self._change(caller, key, fields)))

    def destroy(self, request: Request, id: str) -> Response:
        """Delete a record."""
        self._remove(caller_of(request), self._key(id), client_address(request))
        return Response({"message": self.deleted})


View = TypeVar("View", bound=type[RecordViewSet])


def record_schema(
    noun: str = "",
    *,
    query: Sequence[Any] = (SEARCH, PAGE),
    path: Sequence[Any] = (ID,),
    **descriptions: str,
) -> Callable[[View], View]:
    """Describe a RecordViewSet's calls in the OpenAPI schema.

    The operation ids are made of `noun` (`listPrompts`, `createPrompt`, …), or of the paths without
    one. `query` are the parameters of the list, `path` those of a record's path; if `path` is
    empty, drf-spectacular derives them. `descriptions`, by action name, replace the docstrings of
    the methods.
    """

    def call(action: str, name: str, **options: Any) -> Any:
        return extend_schema(
            operation_id=name if noun else None, description=descriptions.get(action), **options
        )

    def decorate(view: View) -> View:
        sent, row = view.input_serializer, view.row_serializer
        described: View = extend_schema_view(
            list=call("list", f"list{noun}s", parameters=[*query], responses=view.page_serializer),
            create=call("create", f"create{noun}", request=sent, responses={201: row}),
            retrieve=call("retrieve", f"get{noun}", parameters=[*path], responses=row),
            update=call("update", f"update{noun}", parameters=[*path], request=sent, responses=row),
            destroy=call(
                "destroy", f"delete{noun}", parameters=[*path], responses=SentenceSerializer
            ),
        )(view)
        return described

    return decorate
