"""What a company no longer keeps of its logs, sooner than the operator (rules/companies §9)."""

from datetime import datetime
from functools import reduce

from django.db import models

from apps.companies.services.retention import COUNTED, Amount, Kind, counted
from apps.inbound.models import InboundEvent
from apps.inbound.services.purging import Table, tables_of_logs


def _rows(table: Table, company_id: int, before: datetime) -> "models.QuerySet[models.Model]":
    model, made_at, done = table
    # An event of a number that no connection has is nobody's.
    owner = "connection__company" if model is InboundEvent else "company"
    return model._default_manager.filter(done, **{owner: company_id, f"{made_at}__lt": before})


def _count(company_id: int, before: datetime) -> Amount:
    parts = [counted(_rows(each, company_id, before)) for each in tables_of_logs()]
    rows = reduce(lambda count, part: count + part.rows, parts, 0)
    return Amount(min(rows, COUNTED), 0, rows > COUNTED or any(each.is_more for each in parts))


def _delete_some(company_id: int, before: datetime, limit: int) -> Amount:
    for table in tables_of_logs():
        model, _, _ = table
        # In no order: the oldest by key are other companies' rows, which would be read each time.
        rows = _rows(table, company_id, before).order_by()
        if ids := list(rows.values_list("pk", flat=True)[:limit]):
            model._default_manager.filter(pk__in=ids).delete()
            return Amount(len(ids))
    return Amount()


LOGS = Kind(_count, _delete_some)
