"""Read-only pages of the Django admin."""

from typing import Any, ClassVar, TypeVar

from django.contrib import admin
from django.db.models import Model
from django.http import HttpRequest

Row = TypeVar("Row", bound=Model)


class ViewOnlyAdmin(admin.ModelAdmin[Row]):
    """Rows that only the product writes, newest first."""

    ordering: ClassVar[Any] = ("-id",)
    # Do not count the whole table for each page of a search.
    show_full_result_count = False

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False
