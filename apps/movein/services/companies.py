"""Taking over plans, companies with their settings, integrations, queues and connections."""

import secrets
from collections import defaultdict
from collections.abc import Iterable, Sequence
from datetime import timedelta
from typing import Any
from zoneinfo import available_timezones

from django.db.models import Model
from django.db.models.functions import Lower

from apps.automation.models import IntegrationType, Prompt, QueueIntegration
from apps.billing.models import Invoice, Plan
from apps.campaigns.models import CampaignSetting
from apps.common.bulk import update_rows
from apps.companies.models import SUPER_COMPANY_ID, Company, CompanySetting
from apps.connections.models import Connection, ConnectionQueue
from apps.movein.mapping import companies as mapping
from apps.movein.mapping.extras import campaign_settings_of
from apps.movein.mapping.hours import zone_of
from apps.movein.mapping.values import key, text, whole
from apps.movein.readers import Row
from apps.movein.services.media import brought
from apps.movein.services.run import Key, Ref, Run
from apps.queues.models import Queue, QueueOption

_COLORS = 0x1000000
# A step between colours that differ to the eye.
_NEXT_COLOR = 0x2F5A13
_LIMITS = ("users", "connections", "queues", "value")


def of_companies(run: Run, rows: Iterable[Row]) -> list[tuple[Row, int]]:
    """Return the rows whose company was taken over, with our company's id."""
    rows = list(rows)
    refs = run.refs("Companies", (each.get("companyId") for each in rows))
    kept = []
    for row in rows:
        ref = refs.get(key(row.get("companyId")) or 0)
        if ref is None:
            run.leave("company_missing", row.get("id"))
        else:
            kept.append((row, ref.our_id))
    return kept


def own(ref: Ref | None, company_id: int) -> int | None:
    """Return what a row refers to, None where it is another company's."""
    return ref.our_id if ref is not None and ref.company_id == company_id else None


def names_of(model: type[Model], name: str = "name", company: str | None = "company_id") -> Any:
    """Return a function that looks up rows by (company, name in lower case)."""

    def stored(keys: Sequence[Key]) -> dict[Key, int]:
        rows = model._default_manager.annotate(low=Lower(name)).filter(
            low__in=[each[1] for each in keys]
        )
        if company is None:
            return {(None, low): pk for low, pk in rows.values_list("low", "pk")}
        rows = rows.filter(**{f"{company}__in": {each[0] for each in keys}})
        found = rows.values_list(company, "low", "pk")
        return {(owner, low): pk for owner, low, pk in found}

    return stored


def take_plans(run: Run, rows: list[Row]) -> None:
    names = names_of(Plan, company=None)
    numbers = run.number(Plan, [each["id"] for each in rows], table="Plans")
    made = []
    for row in rows:
        fields = mapping.plan_of(row, run.remarks, run.now)
        same = Plan.objects.filter(name=fields["name"], **{each: fields[each] for each in _LIMITS})
        if (found := same.values_list("pk", flat=True).first()) is not None:
            run.remember("Plans", row["id"], found, None)
            run.remarks.add("plan_merged", fields["name"])
            run.count(merged=1)
            continue
        name = run.free_name("plan", None, fields["name"], 100, names)
        if name != fields["name"]:
            run.remarks.add("renamed", f"{fields['name']} → {name}")
        plan = Plan(pk=numbers[row["id"]], **fields | {"name": name})
        run.hold("plan", (None, name.lower()), plan.pk)
        run.remember("Plans", row["id"], plan.pk, None)
        made.append(plan)
    run.insert(made)
    run.count(made=len(made))


def take_companies(run: Run, rows: list[Row]) -> None:
    names = names_of(Company, company=None)
    plans = run.refs("Plans", (each.get("planId") for each in rows))
    takes_first = run.source.keeps_ids and Company.objects.filter(pk=SUPER_COMPANY_ID).exists()
    others = [each["id"] for each in rows if not (takes_first and each["id"] == SUPER_COMPANY_ID)]
    numbers = run.number(Company, others, table="Companies")
    made: list[Company] = []
    for row in rows:
        fields = mapping.company_of(row, run.remarks, run.now)
        plan = plans.get(key(row.get("planId")) or 0)
        if plan is None:
            run.remarks.add("company_without_plan", fields["name"])
            plan = Ref(_any_plan(run), None)
        if fields["due_date"] is None:
            run.remarks.add("due_date_missing", fields["name"])
            later = run.now + timedelta(days=mapping.DAYS_WITHOUT_DUE_DATE)
            fields["due_date"] = later.date()
        if row["id"] == SUPER_COMPANY_ID and takes_first:
            run.remember("Companies", row["id"], SUPER_COMPANY_ID, SUPER_COMPANY_ID)
            run.count(merged=1)
            run.remarks.add("operator_company", fields["name"])
            if not run.is_dry:
                _fill_operator(fields)
            continue
        if row["id"] == SUPER_COMPANY_ID and not run.source.keeps_ids:
            run.remarks.add("operator_company_new", fields["name"])
        name = run.free_name("company", None, fields["name"], 100, names)
        if name != fields["name"]:
            run.remarks.add("renamed", f"{fields['name']} → {name}")
        pk = numbers[row["id"]]
        made.append(Company(pk=pk, plan_id=plan.our_id, **fields | {"name": name}))
        run.hold("company", (None, name.lower()), pk)
        run.remember("Companies", row["id"], pk, pk)
    run.insert(made)
    run.count(made=len(made))
    _take_settings(run, rows)


def _any_plan(run: Run) -> int:
    found = Plan.objects.order_by("pk").values_list("pk", flat=True).first()
    if found is not None or run.is_dry:
        return found or 0
    return Plan.objects.create(name="Plano importado").pk


def _fill_operator(fields: dict[str, Any]) -> None:
    company = Company.objects.select_for_update(no_key=True).get(pk=SUPER_COMPANY_ID)
    name = fields["name"]
    if not Company.objects.filter(name=name).exclude(pk=company.pk).exists():
        company.name = name
    company.email, company.phone = fields["email"], fields["phone"]
    company.schedules = fields["schedules"]
    company.save(update_fields=["name", "email", "phone", "schedules", "updated_at"])


def _take_settings(run: Run, rows: Sequence[Row]) -> None:
    ids = [each["id"] for each in rows]
    companies = run.refs("Companies", ids)
    plain, paced = _by(run, "Settings", ids), _by(run, "CampaignSettings", ids)
    made: list[CompanySetting] = []
    campaigns: list[CampaignSetting] = []
    for row in rows:
        company = companies[row["id"]].our_id
        values = mapping.settings_of(plain[row["id"]], run.remarks)
        zone = zone_of(row.get("schedules"))
        if zone in available_timezones():
            values["timeZone"] = zone
        told = set(CompanySetting.objects.for_company(company).values_list("key", flat=True))
        made += [
            CompanySetting(
                company_id=company,
                key=name,
                value=value,
                created_at=run.now,
                updated_at=run.now,
            )
            for name, value in values.items()
            if name not in told
        ]
        told = set(CampaignSetting.objects.for_company(company).values_list("key", flat=True))
        paces = campaign_settings_of(paced[row["id"]], run.remarks)
        campaigns += [
            CampaignSetting(company_id=company, key=name, value=value)
            for name, value in paces.items()
            if name not in told
        ]
    for table, kept, given in (
        ("Settings", made, plain),
        ("CampaignSettings", campaigns, paced),
    ):
        insert_numbered(run, kept)
        run.count(table, read=sum(map(len, given.values())), made=len(kept))


def _by(run: Run, table: str, ids: Sequence[int]) -> dict[int, list[Row]]:
    found: dict[int, list[Row]] = defaultdict(list)
    for row in run.reader.find(table, "companyId", ids):
        found[row["companyId"]].append(row)
    return found


def insert_numbered(run: Run, rows: Sequence[Model]) -> None:
    """Insert rows that nothing of theirs refers to, with new ids."""
    if rows:
        for pk, row in zip(run.fresh(type(rows[0]), len(rows)), rows, strict=True):
            row.pk = pk
        run.insert(rows)


def take_integrations(run: Run, rows: list[Row]) -> None:
    numbers = run.number(QueueIntegration, [each["id"] for each in rows], table="QueueIntegrations")
    signed = (IntegrationType.N8N, IntegrationType.WEBHOOK)
    made = []
    for row, company in of_companies(run, rows):
        fields = mapping.integration_of(row, run.remarks, run.now)
        if fields is None:
            run.leave("integration_unknown", f"{text(row.get('type'), 50)} {row.get('name')}")
            continue
        secret = secrets.token_urlsafe(32) if fields["type"] in signed else ""
        made.append(
            QueueIntegration(
                pk=numbers[row["id"]], company_id=company, signing_secret=secret, **fields
            )
        )
        run.remember("QueueIntegrations", row["id"], numbers[row["id"]], company)
    run.insert(made)
    run.count(made=len(made))


def take_queues(run: Run, rows: list[Row]) -> None:
    numbers = run.number(Queue, [each["id"] for each in rows], table="Queues")
    integrations = run.refs("QueueIntegrations", (each.get("integrationId") for each in rows))
    names, colors = names_of(Queue), names_of(Queue, "color")
    made = []
    for row, company in of_companies(run, rows):
        fields = mapping.queue_of(row, run.remarks, run.now)
        name = run.free_name("queue", company, fields["name"], 50, names)
        if name != fields["name"]:
            run.remarks.add("renamed", f"{fields['name']} → {name}")
        color = fields["color"]
        while run.holders("color", [(company, color.lower())], colors):
            color = f"#{(_rgb(color) + _NEXT_COLOR) % _COLORS:06X}"
        if color != fields["color"]:
            run.remarks.add("color_moved", name)
        integration = own(integrations.get(key(row.get("integrationId")) or 0), company)
        pk = numbers[row["id"]]
        fields |= {"name": name, "color": color}
        made.append(Queue(pk=pk, company_id=company, integration_id=integration, **fields))
        run.hold("queue", (company, name.lower()), pk)
        run.hold("color", (company, color.lower()), pk)
        run.remember("Queues", row["id"], pk, company)
    run.insert(made)
    run.count(made=len(made))


def _rgb(color: str) -> int:
    plain = color[1:7]
    return int("".join(each * 2 for each in plain) if len(plain) == 3 else plain, 16)


def take_options(run: Run, rows: list[Row]) -> None:
    """Take all options at once: they are trees, and what is below may name no queue."""
    roots = mapping.roots_of(rows)
    queues = run.refs("Queues", roots.values())
    forwards = run.refs("Queues", (each.get("forwardQueueId") for each in rows))
    placed = []
    for row in rows:
        root = queues.get(roots[row["id"]] or 0)
        if root is None:
            run.leave("option_without_queue", row.get("title"))
            continue
        if row.get("queueId") is None:
            run.remarks.add("option_queue_found", row.get("title"))
        placed.append(row | {"_queue": root.our_id, "_company": root.company_id})
    kept = {each["id"] for each in placed}
    positions = mapping.in_order(placed)
    numbers = run.number(QueueOption, sorted(kept), table="QueueOptions")
    made = []
    for row in placed:
        company = row["_company"]
        option = QueueOption(
            pk=numbers[row["id"]],
            queue_id=row["_queue"],
            parent_id=numbers.get(row.get("parentId") or 0),
            position=positions[row["id"]],
            redirection_queue_id=own(forwards.get(key(row.get("forwardQueueId")) or 0), company),
            **mapping.option_of(row, run.remarks, run.now),
        )
        option.put_media(brought(run, company, row.get("mediaPath"), row.get("mediaName")))
        made.append(option)
        run.remember("QueueOptions", row["id"], option.pk, company)
    run.insert(made)
    run.count(made=len(made))


def take_prompts(run: Run, rows: list[Row]) -> None:
    numbers = run.number(Prompt, [each["id"] for each in rows], table="Prompts")
    queues = run.refs("Queues", (each.get("queueId") for each in rows))
    made = []
    for row, company in of_companies(run, rows):
        fields = mapping.prompt_of(row, run.remarks, run.now)
        queue = own(queues.get(key(row.get("queueId")) or 0), company)
        if queue is None and not run.is_dry:
            first = Queue.objects.for_company(company).order_by("pk")
            queue = first.values_list("pk", flat=True).first()
        if queue is None and not run.is_dry:
            run.leave("prompt_without_queue", fields["name"])
            continue
        made.append(
            Prompt(pk=numbers[row["id"]], company_id=company, queue_id=queue or 0, **fields)
        )
        run.remember("Prompts", row["id"], numbers[row["id"]], company)
    run.insert(made)
    run.count(made=len(made))


def link_prompts(run: Run, rows: list[Row]) -> None:
    """Give queues the prompts that lead them, which were made after them."""
    queues = run.refs("Queues", (each["id"] for each in rows))
    prompts = run.refs("Prompts", (each.get("promptId") for each in rows))
    changed = []
    for row in rows:
        queue, prompt = queues.get(row["id"]), prompts.get(key(row.get("promptId")) or 0)
        if queue and prompt and queue.company_id == prompt.company_id:
            changed.append(Queue(pk=queue.our_id, prompt_id=prompt.our_id))
    if not run.is_dry:
        update_rows(changed, ["prompt"])


def take_connections(run: Run, rows: list[Row]) -> None:
    numbers = run.number(Connection, [each["id"] for each in rows], table="Whatsapps")
    queues = run.refs("Queues", (each.get("transferQueueId") for each in rows))
    prompts = run.refs("Prompts", (each.get("promptId") for each in rows))
    integrations = run.refs("QueueIntegrations", (each.get("integrationId") for each in rows))
    kept = of_companies(run, rows)
    defaults: dict[int, int] = {}
    for row, company in sorted(kept, key=lambda each: not whole(each[0].get("isDefault"))):
        defaults.setdefault(company, row["id"])
    present = Connection.objects.filter(company__in=defaults, is_default=True)
    taken = set(present.values_list("company_id", flat=True))
    names = names_of(Connection)
    made = []
    for row, company in kept:
        channel = text(row.get("channel")).strip().lower()
        if channel not in {"", "whatsapp"}:
            run.leave("other_channel", f"{row.get('name')}: {channel}")
            continue
        session = run.reader.find("Whatsapps", "id", [row["id"]])
        told = row | {"session": session[0].get("session") if session else None}
        fields = mapping.connection_of(told, run.remarks, run.now)
        name = run.free_name("connection", company, fields["name"], 50, names)
        if name != fields["name"]:
            run.remarks.add("renamed", f"{fields['name']} → {name}")
        pk = numbers[row["id"]]
        made.append(
            Connection(
                pk=pk,
                company_id=company,
                is_default=company not in taken and defaults[company] == row["id"],
                transfer_queue_id=own(queues.get(key(row.get("transferQueueId")) or 0), company),
                prompt_id=own(prompts.get(key(row.get("promptId")) or 0), company),
                integration_id=own(integrations.get(key(row.get("integrationId")) or 0), company),
                **fields | {"name": name},
            )
        )
        run.hold("connection", (company, name.lower()), pk)
        run.remember("Whatsapps", row["id"], pk, company)
    run.insert(made)
    run.count(made=len(made))


def take_connection_queues(run: Run, rows: list[Row]) -> None:
    take_pairs(run, rows, ConnectionQueue, ("Whatsapps", "whatsappId", "connection_id"))


def take_pairs(
    run: Run,
    rows: list[Row],
    model: type[Model],
    first: tuple[str, str, str],
    second: tuple[str, str, str] = ("Queues", "queueId", "queue_id"),
) -> None:
    """Take pairs of rows, each once, and none over two companies.

    `first` and `second` name their table, their column and ours.
    """
    refs = [
        run.refs(table, (each.get(column) for each in rows)) for table, column, _ in (first, second)
    ]
    pairs: dict[tuple[int, int], None] = {}
    for row in rows:
        one, other = (
            found.get(key(row.get(column)) or 0)
            for found, (_, column, _) in zip(refs, (first, second), strict=True)
        )
        if one is None or other is None:
            run.leave("pair_broken")
        elif one.company_id != other.company_id:
            run.leave("pair_over_companies", f"{row.get(first[1])} – {row.get(second[1])}")
        elif (one.our_id, other.our_id) in pairs:
            run.remarks.add("pair_repeated")
            run.count(merged=1)
        else:
            pairs[one.our_id, other.our_id] = None
    present: set[tuple[int, int]] = set()
    if not run.is_dry:
        stored = model._default_manager.filter(**{f"{first[2]}__in": {each[0] for each in pairs}})
        present = set(stored.values_list(first[2], second[2]))
    new = [each for each in pairs if each not in present]
    run.count(made=len(new), merged=len(pairs) - len(new))
    insert_numbered(run, [model(**{first[2]: a, second[2]: b}) for a, b in new])


def take_invoices(run: Run, rows: list[Row]) -> None:
    """Take invoices; of one company and day there is one."""
    kept = of_companies(run, rows)
    plans = dict(
        Company.objects.filter(pk__in={company for _, company in kept}).values_list("pk", "plan_id")
    )

    def stored(keys: Sequence[Key]) -> dict[Key, int]:
        found = Invoice.objects.filter(company__in={each[0] for each in keys}, kind="period")
        return {
            (each[0], each[1]): each[2]
            for each in found.values_list("company_id", "due_date", "pk")
        }

    numbers = run.number(Invoice, [row["id"] for row, _ in kept], table="Invoices")
    made = []
    for row, company in kept:
        fields = mapping.invoice_of(row, run.remarks, run.now)
        if fields is None:
            run.leave("invoice_without_day", row["id"])
            continue
        day = (company, fields["due_date"])
        if same := run.holders("invoice", [day], stored):
            run.remember("Invoices", row["id"], same[day], company)
            run.remarks.add("invoice_merged", fields["due_date"])
            run.count(merged=1)
            continue
        pk = numbers[row["id"]]
        made.append(Invoice(pk=pk, company_id=company, plan_id=plans.get(company), **fields))
        run.hold("invoice", day, pk)
        run.remember("Invoices", row["id"], pk, company)
    run.insert(made)
    run.count(made=len(made))
