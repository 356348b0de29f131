"""The companies of the service, with their users and invoices, for the super user."""

from collections.abc import Callable
from typing import Any, TypeVar
from zoneinfo import ZoneInfo

from django import forms
from django.contrib import admin, messages
from django.contrib.admin.helpers import ActionForm
from django.core.exceptions import ValidationError
from django.db.models import Count, IntegerField, Model, OuterRef, Q, QuerySet, Subquery
from django.db.models.functions import Coalesce
from django.http import HttpRequest
from django.utils import timezone

from apps.accounts.admin.refusals import RefusingAdmin
from apps.accounts.models import User
from apps.billing.models import Invoice
from apps.billing.services.invoices import AHEAD
from apps.common.callers import caller_of, client_address
from apps.common.errors import DomainError
from apps.companies.models import SETTINGS, Company
from apps.companies.queries import is_overdue
from apps.companies.services.keeping import add_company, change_company, extend_company

Row = TypeVar("Row", bound=Model)

# The periods of rules/companies §1. The empty value stands for the company's recurrence.
EXTENSIONS = [
    ("", "pela recorrência"),
    *(
        (str(months), f"{months} {'mês' if months == 1 else 'meses'}")
        for months in (1, 2, 3, 6, 12)
    ),
]


class Extension(ActionForm):
    """The period by which the due dates of the chosen companies are extended."""

    months = forms.ChoiceField(choices=EXTENSIONS, required=False, label="Prorrogar")


class StandingFilter(admin.SimpleListFilter):
    """Filters companies by their standing: current, due soon, overdue, suspended or deleted."""

    title = "situação"
    parameter_name = "standing"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
        return [
            ("current", "Em dia"),
            ("soon", f"Vencem em até {AHEAD.days} dias"),
            ("overdue", "Vencidas"),
            ("suspended", "Suspensas"),
            ("deleted", "Em exclusão"),
        ]

    def queryset(
        self, request: HttpRequest, queryset: "QuerySet[Company]"
    ) -> "QuerySet[Company] | None":
        """Keep the companies of the chosen standing.

        Companies under deletion are left out unless the standing is 'deleted'.
        """
        if self.value() == "deleted":
            return queryset.exclude(deleted_at=None)
        rows = queryset.filter(deleted_at=None)
        today = timezone.localdate(timezone=ZoneInfo(SETTINGS["timeZone"][0]))
        by_date = {
            "current": Q(due_date__gte=today),
            "soon": Q(due_date__range=(today, today + AHEAD)),
            "overdue": Q(due_date__lt=today),
        }
        if self.value() == "suspended":
            return rows.filter(is_enabled=False)
        if self.value() in by_date:
            return rows.filter(by_date[str(self.value())], is_enabled=True)
        return rows


def _counted(rows: "QuerySet[Any, Any]") -> Coalesce:
    """Return the number of a company's rows as a subquery: two joins would multiply the counts."""
    of_company = rows.filter(company=OuterRef("pk")).order_by().values("company")
    counted = of_company.annotate(count=Count("pk")).values("count")
    return Coalesce(Subquery(counted, output_field=IntegerField()), 0)


class _Shown(admin.TabularInline[Row, Company]):
    """Read-only rows of a company, each with a link to its own page."""

    extra = 0
    can_delete = False
    show_change_link = True

    def has_add_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Rows are created on their own page or by services, not here."""
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Rows are changed on their own page, through a service."""
        return False


class UsersInline(_Shown[User]):
    model = User
    fields = readonly_fields = ("name", "email", "profile", "is_active", "last_login")
    ordering = ("name", "pk")
    verbose_name_plural = "usuários"


class InvoicesInline(_Shown[Invoice]):
    model = Invoice
    fields = readonly_fields = ("detail", "value", "due_date", "status", "paid_at")
    ordering = ("-due_date",)
    verbose_name_plural = "faturas"


class CompanyForm(forms.ModelForm[Company]):
    """A form that resends the values with which its page was loaded.

    Only the fields that the person edited are saved. A payment may change the due date and the plan
    of the company while the page is open.
    """

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        for field in self.fields.values():
            field.show_hidden_initial = True

    def chosen(self) -> dict[str, Any]:
        """Return the columns that the person edited, with their new values."""
        return {column: getattr(self.instance, column) for column in self._changed().values()}

    def seen(self) -> dict[str, Any]:
        """Return the values that the page showed for the edited columns."""
        return {column: self._loaded(name) for name, column in self._changed().items()}

    def _changed(self) -> dict[str, str]:
        columns = {each.name: each.attname for each in Company._meta.concrete_fields}
        return {name: columns[name] for name in self.changed_data}

    def _loaded(self, name: str) -> Any:
        field = self.fields[name]
        try:
            value = field.to_python(self.data.get(self.add_initial_prefix(name)))
        except ValidationError:  # the plan was deleted meanwhile
            return None
        return getattr(value, "pk", value)


@admin.register(Company)
class CompanyAdmin(RefusingAdmin[Company]):
    form = CompanyForm
    list_display = (
        "name",
        "plan",
        "standing",
        "due_date",
        "recurrence",
        "user_count",
        "open_invoice_count",
    )
    list_filter = (StandingFilter, "plan", "recurrence")
    list_select_related = ("plan",)
    search_fields = ("name", "email", "phone")
    ordering = ("name",)
    date_hierarchy = "due_date"
    exclude = ("schedules",)
    action_form = Extension
    actions = ("extend", "suspend", "resume")

    def get_inlines(self, request: HttpRequest, obj: Company | None) -> Any:
        """Show users and invoices of an existing company; a new one has none."""
        return (UsersInline, InvoicesInline) if obj is not None else ()

    def get_queryset(self, request: HttpRequest) -> "QuerySet[Company]":
        """Count active users and unpaid invoices in the same query."""
        active = User.objects.filter(is_active=True)
        return (
            super()
            .get_queryset(request)
            .annotate(
                active_users=_counted(active),
                owed=_counted(Invoice.objects.unpaid()),
            )
        )

    @admin.display(description="Situação")
    def standing(self, company: Company) -> str:
        """Return the company's standing as one or two words."""
        if company.deleted_at is not None:
            return "Em exclusão"
        if not company.is_enabled:
            return "Suspensa"
        return "Vencida" if is_overdue(company) else "Em dia"

    @admin.display(description="Usuários", ordering="active_users")
    def user_count(self, company: Any) -> int:
        """Return the number of active users."""
        return int(company.active_users)

    @admin.display(description="Faturas em aberto", ordering="owed")
    def open_invoice_count(self, company: Any) -> int:
        """Return the number of unpaid invoices."""
        return int(company.owed)

    @admin.action(description="Prorrogar o vencimento")
    def extend(self, request: HttpRequest, chosen: "QuerySet[Company]") -> None:
        """Extend the due dates by the chosen months, or by each company's recurrence."""
        months = int(request.POST.get("months") or 0) or None
        self._carry_out(
            request,
            chosen,
            "prorrogada(s)",
            lambda company_id, who: extend_company(company_id=company_id, months=months, **who),
        )

    @admin.action(description="Suspender")
    def suspend(self, request: HttpRequest, chosen: "QuerySet[Company]") -> None:
        """Switch the chosen companies off; their users can't sign in until `resume`."""
        self._switch(request, chosen, "suspensa(s)", is_enabled=False)

    @admin.action(description="Reativar")
    def resume(self, request: HttpRequest, chosen: "QuerySet[Company]") -> None:
        """Switch the chosen companies on again."""
        self._switch(request, chosen, "reativada(s)", is_enabled=True)

    def _switch(
        self, request: HttpRequest, chosen: "QuerySet[Company]", done: str, *, is_enabled: bool
    ) -> None:
        changes = {"is_enabled": is_enabled}
        self._carry_out(
            request,
            chosen,
            done,
            lambda company_id, who: change_company(company_id=company_id, changes=changes, **who),
        )

    def _carry_out(
        self,
        request: HttpRequest,
        chosen: "QuerySet[Company]",
        done: str,
        carry_out: Callable[[int, dict[str, Any]], object],
    ) -> None:
        """Call `carry_out` for each company; show each refusal and the number of successes."""
        who = {"actor": caller_of(request), "ip_address": client_address(request)}
        count = 0
        for company_id, name in list(chosen.order_by("name").values_list("pk", "name")):
            try:
                carry_out(company_id, who)
                count += 1
            except DomainError as refusal:
                self.message_user(request, f"{name}: {refusal.sentence}", messages.WARNING)
        if count:
            self.message_user(request, f"{count} empresa(s) {done}.", messages.SUCCESS)

    def get_readonly_fields(self, request: HttpRequest, obj: Company | None = None) -> Any:
        """Company 1 can't expire or be switched off (rules/companies §1)."""
        return ("due_date", "is_enabled") if obj is not None and obj.is_super else ()

    def has_delete_permission(self, request: HttpRequest, obj: Company | None = None) -> bool:
        """Companies can't be deleted here; a company that leaves is switched off."""
        return False

    def save_model(self, request: HttpRequest, obj: Company, form: Any, change: bool) -> None:
        """Save the edited fields through the services, which check, audit and emit events."""
        actor, address = caller_of(request), client_address(request)
        if change:
            change_company(
                company_id=obj.pk,
                changes=form.chosen(),
                seen=form.seen(),
                actor=actor,
                ip_address=address,
            )
        else:
            obj.pk = add_company(fields=form.chosen(), actor=actor, ip_address=address).pk
