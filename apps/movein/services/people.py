"""Taking over users, contacts with their extra info, and tags."""

from collections import Counter, defaultdict
from collections.abc import Sequence
from typing import Any

from django.db.models import Count
from django.db.models.functions import Lower

from apps.accounts.models import User, UserQueue
from apps.common.bulk import update_rows
from apps.common.search import fold
from apps.companies.models import SUPER_COMPANY_ID
from apps.contacts.models import Contact, ContactField, Tag
from apps.contacts.numbers import lid_of
from apps.movein.mapping import people as mapping
from apps.movein.mapping.numbers import looks_like_lid
from apps.movein.mapping.values import key
from apps.movein.readers import Row
from apps.movein.services.companies import insert_numbered, of_companies, own, take_pairs
from apps.movein.services.run import Key, Run


def take_users(run: Run, rows: list[Row]) -> None:
    """Take users. Of one company and e-mail there is one; over companies the e-mail is changed."""
    numbers = run.number(User, [each["id"] for each in rows], table="Users")
    connections = run.refs("Whatsapps", (each.get("whatsappId") for each in rows))
    has_super = User.objects.filter(is_super=True).exists()
    made: dict[int, User] = {}
    for row, company in of_companies(run, rows):
        fields = mapping.user_of(row, run.remarks, run.now)
        email = fields["email"]
        holder = run.holders("email", [(email,)], by_email).get((email,))
        if holder is not None and _company_of(run, holder, made) == company:
            run.remember("Users", row["id"], holder, company)
            run.remarks.add("user_merged", email)
            run.count(merged=1)
            continue
        if holder is not None:
            fields["email"] = other_email(run, email)
            run.remarks.add("email_changed", f"{email} → {fields['email']}")
        if fields["is_super"] and (
            has_super or company != SUPER_COMPANY_ID or run.holders("super", [()], _none)
        ):
            fields["is_super"] = False
            run.remarks.add("super_lost", email)
        pk = numbers[row["id"]]
        if fields["is_super"]:
            run.hold("super", (), pk)
        made[pk] = User(
            pk=pk,
            company_id=company,
            connection_id=own(connections.get(key(row.get("whatsappId")) or 0), company),
            **fields,
        )
        run.hold("email", (fields["email"],), pk)
        run.hold("user company", (pk,), company)
        run.remember("Users", row["id"], pk, company)
    run.insert(list(made.values()))
    run.count(made=len(made))


def _none(_keys: Sequence[Key]) -> dict[Key, int]:
    return {}


def by_email(keys: Sequence[Key]) -> dict[Key, int]:
    rows = User.objects.annotate(low=Lower("email")).filter(low__in=[each[0] for each in keys])
    return {(low,): pk for low, pk in rows.values_list("low", "pk")}


def _company_of(run: Run, user_id: int, made: dict[int, User]) -> int | None:
    if user_id in made:
        return made[user_id].company_id

    def stored(keys: Sequence[Key]) -> dict[Key, int]:
        rows = User.objects.filter(pk__in=[each[0] for each in keys])
        return {(pk,): company for pk, company in rows.values_list("pk", "company_id")}

    return run.holders("user company", [(user_id,)], stored).get((user_id,))


def other_email(run: Run, email: str) -> str:
    name, _, domain = email.partition("@")
    for number in range(2, 10_000):
        told = f"{name[:60]}+{number}@{domain}"
        if not run.holders("email", [(told,)], by_email):
            return told
    raise AssertionError("unreachable")


def take_user_queues(run: Run, rows: list[Row]) -> None:
    take_pairs(run, rows, UserQueue, ("Users", "userId", "user_id"))


def take_tags(run: Run, rows: list[Row]) -> None:
    """Take tags; names that differ in case or accents are one tag."""

    def stored(keys: Sequence[Key]) -> dict[Key, int]:
        rows = Tag.objects.filter(
            company__in={each[0] for each in keys}, search_text__in={each[1] for each in keys}
        )
        found = rows.values_list("company_id", "search_text", "pk")
        return {(company, name): pk for company, name, pk in found}

    numbers = run.number(Tag, [each["id"] for each in rows], table="Tags")
    made = []
    for row, company in of_companies(run, rows):
        fields = mapping.tag_of(row, run.remarks, run.now)
        name = (company, fold(fields["name"]))
        if same := run.holders("tag", [name], stored):
            run.remember("Tags", row["id"], same[name], company)
            run.remarks.add("tag_merged", fields["name"])
            run.count(merged=1)
            continue
        pk = numbers[row["id"]]
        made.append(Tag(pk=pk, company_id=company, search_text=name[1], **fields))
        run.hold("tag", name, pk)
        run.remember("Tags", row["id"], pk, company)
    run.insert(made)
    run.count(made=len(made))


def take_contacts(run: Run, rows: list[Row]) -> None:
    """Take contacts; those with the same canonical number or LID are one (rules/moving-in §4)."""
    _name_lids(run, rows)
    lids = _known_lids(run) if any(map(looks_like_lid, rows)) else frozenset()
    connections = run.refs("Whatsapps", (each.get("whatsappId") for each in rows))
    numbers = run.number(Contact, [each["id"] for each in rows], table="Contacts")
    kept = [
        (row, company, mapping.contact_of(row, run.remarks, run.now, lids))
        for row, company in of_companies(run, rows)
    ]
    known = run.holders("contact", [key for each in kept for key in _keys(*each[1:])], _stored)
    made: dict[int, Contact] = {}
    fills: dict[int, dict[str, Any]] = {}
    for row, company, fields in kept:
        names = _keys(company, fields)
        same = next((known[each] for each in names if each in known), None)
        if same is not None:
            _merge(run, row, fields, made.get(same), fills.setdefault(same, {}))
            pk = same
        else:
            pk = numbers[row["id"]]
            connection = own(connections.get(key(row.get("whatsappId")) or 0), company)
            made[pk] = Contact(pk=pk, company_id=company, connection_id=connection, **fields)
        for each in names:
            if each not in known:
                known[each] = pk
                run.hold("contact", each, pk)
        run.remember("Contacts", row["id"], pk, company)
    _fill(run, {pk: told for pk, told in fills.items() if pk not in made and told})
    for contact in made.values():
        contact.fold_text()
    run.insert(list(made.values()))
    run.count(made=len(made))
    _take_fields(run, [row["id"] for row, _, _ in kept], set(made))


def _keys(company: int, fields: dict[str, Any]) -> list[Key]:
    """Return what identifies a contact: the canonical number first, then the LID."""
    lid = fields["lid"]
    return [
        (company, fields["canonical_number"]),
        *([(company, f"lid:{lid}"), (company, "lid", lid)] if lid else []),
    ]


def _stored(keys: Sequence[Key]) -> dict[Key, int]:
    companies = {each[0] for each in keys}
    texts = {each[1] for each in keys if len(each) == 2}
    rows = Contact.objects.filter(company__in=companies)
    numbered = rows.filter(canonical_number__in=texts)
    found: dict[Key, int] = {
        (company, number): pk
        for company, number, pk in numbered.values_list("company_id", "canonical_number", "pk")
    }
    if lids := {each[2] for each in keys if len(each) == 3}:
        told = rows.filter(lid__in=lids).values_list("company_id", "lid", "pk")
        found |= {(company, "lid", lid or ""): pk for company, lid, pk in told}
    return found


def _merge(
    run: Run, row: Row, fields: dict[str, Any], survivor: Contact | None, fill: dict[str, Any]
) -> None:
    run.count(merged=1)
    run.remarks.add("contact_merged", f"{fields['name']} {fields['number']}")
    told = {"email": fields["email"], "lid": fields["lid"]}
    if survivor is None:
        fill.update({name: value for name, value in told.items() if value})
        if fields["is_ignored"]:
            fill["is_ignored"] = True
        return
    for name, value in told.items():
        if value and not getattr(survivor, name):
            setattr(survivor, name, value)
    survivor.is_ignored = survivor.is_ignored or fields["is_ignored"]
    is_bare = survivor.canonical_number.startswith("lid:")
    if is_bare and not fields["canonical_number"].startswith(("lid:", "none:")):
        survivor.number = fields["number"]
        survivor.canonical_number = fields["canonical_number"]


def _fill(run: Run, fills: dict[int, dict[str, Any]]) -> None:
    """Give contacts of earlier batches what they lack."""
    if run.is_dry or not fills:
        return
    changed = []
    locked = Contact.objects.select_for_update(no_key=True).filter(pk__in=fills).order_by("pk")
    for contact in locked:
        for name, value in fills[contact.pk].items():
            if not getattr(contact, name):
                setattr(contact, name, value)
        contact.fold_text()
        changed.append(contact)
    update_rows(changed, ["email", "lid", "is_ignored", "search_text"])


def _name_lids(run: Run, rows: Sequence[Row]) -> None:
    """Add to contacts the LIDs that the source has in a table of its own."""
    ids = [each["id"] for each in rows]
    told = run.reader.find("WhatsappLidMaps", "contactId", ids)
    lids = {each["contactId"]: each.get("lid") for each in told}
    for row in rows:
        row["_lid"] = lids.get(row["id"])
    run.count("WhatsappLidMaps", read=len(told), made=len(told))


def _known_lids(run: Run) -> frozenset[str]:
    if run.lids is None:
        told = run.reader.distinct("Messages", "remoteJid", ending="@lid")
        run.lids = frozenset(map(lid_of, told))
    return run.lids


def _take_fields(run: Run, legacy_ids: Sequence[int], new: set[int]) -> None:
    contacts = run.refs("Contacts", legacy_ids)
    told = run.reader.find("ContactCustomFields", "contactId", legacy_ids)
    present: Counter[int] = Counter()
    older = {contacts[each["contactId"]].our_id for each in told} - new
    if older and not run.is_dry:
        stored = ContactField.objects.filter(contact__in=older).values("contact").order_by()
        present.update(
            {each["contact"]: each["count"] for each in stored.annotate(count=Count("pk"))}
        )
    made: list[ContactField] = []
    lines: dict[int, set[tuple[str, str]]] = defaultdict(set)
    for row in told:
        contact = contacts[row["contactId"]].our_id
        fields = mapping.field_of(row, run.remarks)
        line = (fields["name"], fields["value"]) if fields else ("", "")
        if fields is None or line in lines[contact]:
            run.leave("field_empty_or_repeated", table="ContactCustomFields")
            continue
        if present[contact] >= mapping.MOST_FIELDS:
            run.leave("too_many_fields", row["contactId"], table="ContactCustomFields")
            continue
        lines[contact].add(line)
        present[contact] += 1
        field = ContactField(contact_id=contact, **fields)
        field.fold_texts()
        made.append(field)
    insert_numbered(run, made)
    run.count("ContactCustomFields", read=len(told), made=len(made))
