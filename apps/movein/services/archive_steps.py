"""Taking in the tables of a company's archive (rules/moving-out §5 and §6)."""

from collections.abc import Iterator
from functools import partial
from typing import Any

from django.db.models import Model

from apps.accounts.models import User
from apps.billing.models import Plan
from apps.common.bulk import update_rows
from apps.common.media import is_shared
from apps.companies.models import Company
from apps.movein.mapping.archive_values import PLAN_LIMITS, NotAValue, read
from apps.movein.mapping.arrivals import Moved
from apps.movein.mapping.tables import (
    COMPANY,
    ORIGINS,
    TABLES,
    Column,
    Table,
    columns_of,
    named_tables,
)
from apps.movein.readers import Row, SourceUnreadable
from apps.movein.services.companies import names_of
from apps.movein.services.media import brought
from apps.movein.services.people import by_email, other_email
from apps.movein.services.run import Ref, Run, Step

LINKS = "#links"


def steps_of(plan: dict[str, Any], company: int, *, is_dry: bool) -> list[Step]:
    """Return the steps of an archive, whose company had this id; a dry run has no second passes."""
    steps = []
    for table in TABLES:
        key = columns_of(table.name)[0].name
        take: Any = partial(_take, table, company)
        if table.name == COMPANY:
            take = partial(_take_company, plan)
        steps.append(Step(table.name, take, order=(key,)))
    if not is_dry:
        steps += [
            Step(
                table.name,
                partial(_link, table),
                order=(columns_of(table.name)[0].name,),
                name=f"{table.name}{LINKS}",
                read=partial(_linked, table),
            )
            for table in TABLES
            if table.later
        ]
    return steps


def _take_company(plan: dict[str, Any], run: Run, rows: list[Row]) -> None:
    if len(rows) != 1:
        raise SourceUnreadable("The archive is not of one company.")
    (row,) = rows
    table = TABLES[0]
    values = {each.name: _value(each, row, table) for each in columns_of(COMPANY)}
    table.arrive(values, _moved(run))
    name = run.free_name("company", None, values["name"], 100, names_of(Company, company=None))
    if name != values["name"]:
        run.remarks.add("renamed", f"{values['name']} → {name}")
    (pk,) = run.fresh(Company, 1)
    run.hold("company", (None, name.lower()), pk)
    run.insert([Company(**values | {"id": pk, "name": name, "plan_id": _plan(run, plan)})])
    run.remember(COMPANY, row["id"], pk, pk)
    run.count(made=1)


def _plan(run: Run, told: dict[str, Any]) -> int:
    """Return the plan with the same name and limits, or a new one that nobody else may choose."""
    known = [each for each in Plan._meta.concrete_fields if each.name in told]
    try:
        fields = {each.name: read(each, told[each.name]) for each in known}
    except NotAValue as error:
        raise SourceUnreadable(f"The archive's plan can't be read: {error}.") from error
    same = Plan.objects.filter(**{name: fields[name] for name in ("name", *PLAN_LIMITS)})
    if (found := same.values_list("pk", flat=True).first()) is not None:
        return found
    names = names_of(Plan, company=None)
    name = run.free_name("plan", None, fields["name"], 100, names)
    run.remarks.add("plan_new", name)
    (pk,) = run.fresh(Plan, 1)
    run.insert([Plan(**fields | {"pk": pk, "name": name, "is_public": False})])
    return pk


def _take(table: Table, company: int, run: Run, rows: list[Row]) -> None:
    """Take rows of a table; one whose place is missing is left out with a remark."""
    owner = run.refs(COMPANY, [company])[company].our_id
    columns = columns_of(table.name)
    refs = _refs(run, columns, rows, table)
    moved = _moved(run)
    key = columns[0]
    numbers = iter(() if key.refers else run.fresh(table.model, len(rows)))
    made: list[Model] = []
    for row in rows:
        values: dict[str, Any] = {"company_id": owner} if table.company == "company" else {}
        is_whole = True
        for each in columns:
            if each is key and not key.refers:
                values[each.name] = next(numbers)
            elif each.refers:
                own = refs[each.refers].get(row.get(each.name) or 0)
                values[each.name] = own.our_id if own else None
                is_whole &= own is not None or each.field.null or each.name in table.later
            elif each.name not in table.files:
                values[each.name] = _value(each, row, table)
        if not is_whole:
            run.leave("row_without_place", f"{table.name} {row[key.name]}")
            continue
        if "origin" in values:
            values["origin"] = _origin(values["origin"], refs)
        _bring_files(run, table, owner, row, values)
        _arrive(table, values, moved, row)
        made.append(table.model(**values))
        if table.name in named_tables():
            run.remember(table.name, row[key.name], values[key.name], owner)
    _free_what_is_taken(run, table, made)
    run.insert(made)
    run.count(made=len(made))


def _value(column: Column, row: Row, table: Table) -> Any:
    """Return a column's value, or its default where the archive is older or was not to have it."""
    if column.name not in row:
        return column.field.get_default()
    try:
        return read(column.field, row[column.name])
    except NotAValue as error:
        raise SourceUnreadable(f"A row of {table.name} can't be read: {error}.") from error


def _arrive(table: Table, values: dict[str, Any], moved: Moved, row: Row) -> None:
    try:
        table.arrive(values, moved)
    except (KeyError, TypeError, AttributeError, ValueError) as error:
        raise SourceUnreadable(f"A row of {table.name} is no such row: {error!r}.") from error


def _moved(run: Run) -> Moved:
    def ours(table: str, legacy_id: Any) -> int | None:
        if type(legacy_id) is not int:
            return None
        found = run.refs(table, [legacy_id]).get(legacy_id)
        return found.our_id if found else None

    return Moved(now=run.now, ours=ours, note=run.remarks.add)


def _refs(
    run: Run, columns: tuple[Column, ...], rows: list[Row], table: Table
) -> dict[str, dict[int, Ref]]:
    """Return what the rows refer to, by table: one query for each."""
    wanted: dict[str, set[int]] = {}
    for each in columns:
        if each.refers and each.name not in table.later:
            named = {row.get(each.name) for row in rows}
            wanted.setdefault(each.refers, set()).update(_ids(named, table))
        elif each.refers:
            wanted.setdefault(each.refers, set())
        if each.name == "origin":
            for row in rows:
                kind, _, of = str(row.get("origin") or "").partition(":")
                if kind in ORIGINS and of.isdecimal() and len(of) < 19:
                    wanted.setdefault(ORIGINS[kind], set()).add(int(of))
    return {name: run.refs(name, ids) for name, ids in wanted.items()}


def _ids(named: set[Any], table: Table) -> set[int]:
    found = named - {None}
    if any(type(each) is not int or not 0 < each < 2**63 for each in found):
        raise SourceUnreadable(f"A row of {table.name} refers to something that is no id.")
    return found


def _origin(told: str, refs: dict[str, dict[int, Ref]]) -> str:
    kind, colon, of = told.partition(":")
    if not colon or kind not in ORIGINS:
        return told
    own = refs[ORIGINS[kind]].get(int(of)) if of.isdecimal() and len(of) < 19 else None
    return f"{kind}:{own.our_id}" if own else kind


def _bring_files(run: Run, table: Table, owner: int, row: Row, values: dict[str, Any]) -> None:
    for name in table.files:
        values[name] = _brought(run, table, owner, row.get(name), values.get("media_name", ""))
    for name in table.listed:
        kept = []
        for each in values[name] if isinstance(values[name], list) else ():
            if isinstance(each, dict):
                path = _brought(run, table, owner, each.get("path"), each.get("name"))
                kept += [each | {"path": path}] if path else []
        values[name] = kept


def _brought(run: Run, table: Table, owner: int, told: Any, shown: Any) -> str:
    """Return the new path of a file of the archive, '' for none."""
    if not isinstance(told or "", str):
        raise SourceUnreadable(f"A row of {table.name} has a file that is no name.")
    media = brought(run, owner, told or "", shown, shared=is_shared(f"{owner}/{told}"))
    return media.path if media else ""


def _free_what_is_taken(run: Run, table: Table, made: list[Model]) -> None:
    """Change values that are unique over all companies, where another row here has them."""
    if table.model is User:
        _free_emails(run, made)
    for name, other in table.unique.items():
        values = [getattr(row, name) for row in made if getattr(row, name) is not None]
        stored = table.model._base_manager.filter(**{f"{name}__in": values})
        taken = set(stored.values_list(name, flat=True))
        for row in made:
            if getattr(row, name) in taken:
                setattr(row, name, other())


def _free_emails(run: Run, made: list[Model]) -> None:
    for user in made:
        if not isinstance(user, User):
            raise TypeError(user)
        key = (user.email.lower(),)
        if run.holders("email", [key], by_email):
            former, user.email = user.email, other_email(run, user.email)
            run.remarks.add("email_changed", f"{former} → {user.email}")
        run.hold("email", (user.email.lower(),), user.pk)


def _linked(table: Table, run: Run, after: Any) -> Iterator[Row]:
    """Yield the rows that refer to later ones."""
    key = columns_of(table.name)[0].name
    for row in run.reader.rows(table.name, order=(key,), after=after):
        if any(row.get(name) is not None for name in table.later):
            yield row


def _link(table: Table, run: Run, rows: list[Row]) -> None:
    """Set the references of rows to what came after them."""
    columns = columns_of(table.name)
    key = columns[0].name
    later = [each for each in columns if each.name in table.later]
    own = run.refs(table.name, (row[key] for row in rows))
    refs = {
        each.name: run.refs(each.refers, _ids({row.get(each.name) for row in rows}, table))
        for each in later
    }
    changed = []
    for row in rows:
        if (ref := own.get(row[key])) is None:
            continue
        found = {
            each.name: target.our_id
            for each in later
            if (target := refs[each.name].get(row.get(each.name) or 0))
        }
        changed.append(table.model(pk=ref.our_id, **found))
    update_rows(changed, [each.field.name for each in later])
