"""Imports for the super user: dry run, report, import, progress (rules/moving-in §10)."""

from typing import Any

from django import forms
from django.contrib import admin, messages
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.template.loader import render_to_string
from django.urls import URLPattern, path, reverse
from django.utils.safestring import SafeString
from django.views.decorators.http import require_POST

from apps.accounts.admin.refusals import RefusingAdmin
from apps.automation.addresses import masked_address
from apps.common.callers import caller_of, client_address
from apps.common.errors import DomainError
from apps.common.leases import LeaseState
from apps.movein.models import MoveIn
from apps.movein.services import jobs
from apps.movein.services.report import COUNTS, KINDS
from apps.movein.words import HEADINGS, LANGUAGES

DRY = "Ensaio: nada foi gravado."
FORM = (
    (None, {"fields": ("kind", "name")}),
    (
        "Origem",
        {"fields": ("upload_file", "address", "file"), "description": "Escolha uma das três."},
    ),
    ("Arquivos de mídia", {"fields": ("media_folder",)}),
)
READ_ONLY = ("kind", "name", "source", "standing", "progress", "last_error", "told_report")
_PT = LANGUAGES["pt"]
_OVER = {LeaseState.DONE, LeaseState.FAILED}


class MoveInForm(forms.ModelForm[MoveIn]):
    """A new import: exactly one of upload, address and file is its source."""

    upload_file = forms.FileField(
        label="Enviar arquivo",
        required=False,
        help_text="Uma cópia do banco (dump) ou o arquivo de uma empresa, com até 100 MB.",
    )
    address = forms.CharField(
        label="Endereço do banco",
        required=False,
        max_length=500,
        widget=forms.PasswordInput(attrs={"size": 80, "autocomplete": "off"}),
        help_text="postgres://… ou mysql://…; é guardado cifrado e some depois da importação.",
    )
    file = forms.ChoiceField(label="Arquivo da pasta", required=False)
    media_folder = forms.ChoiceField(
        label="Pasta de arquivos",
        required=False,
        help_text="A pasta public do produto anterior, na mesma pasta.",
    )

    class Meta:
        model = MoveIn
        fields = ("kind", "name", "upload_file", "address", "file", "media_folder")

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        offered = [("", "—"), *((name, name) for name in jobs.offered_files())]
        for name in ("file", "media_folder"):
            field = self.fields[name]
            if isinstance(field, forms.ChoiceField):
                field.choices = offered
        self.fields["file"].help_text = f"O que é grande demais: em {jobs.operator_folder()}."
        self.fields[
            "name"
        ].help_text = "Distingue as instalações; com o mesmo nome uma importação continua."


@admin.register(MoveIn)
class MoveInAdmin(RefusingAdmin[MoveIn]):
    form = MoveInForm
    change_form_template = "movein/admin_move_in.html"
    list_display = ("name", "kind", "standing", "created_at")
    list_filter = ("kind",)
    search_fields = ("name",)
    ordering = ("-id",)
    actions = None

    def get_fieldsets(self, request: HttpRequest, obj: MoveIn | None = None) -> Any:
        """Show the form of a new import, and the facts of one that exists."""
        if obj is None:
            return FORM
        told = ["kind", "name", "source", "standing"]
        if obj.state not in _OVER:
            told.append("progress")
        if obj.state == LeaseState.FAILED:
            told.append("last_error")
        if obj.report is not None:
            told.append("told_report")
        return [(None, {"fields": told})]

    def get_readonly_fields(self, request: HttpRequest, obj: MoveIn | None = None) -> Any:
        return () if obj is None else READ_ONLY

    def get_form(
        self, request: HttpRequest, obj: MoveIn | None = None, change: bool = False, **kwargs: Any
    ) -> Any:
        """Return the form of a new import; one that exists has none."""
        if obj is not None:
            kwargs["form"] = forms.ModelForm
        return super().get_form(request, obj, change, **kwargs)

    @admin.display(description="Situação")
    def standing(self, move_in: MoveIn) -> str:
        """Return where the import is, in words."""
        if move_in.state == LeaseState.FAILED:
            return "Falhou"
        if move_in.state != LeaseState.DONE:
            return "Importando…" if move_in.goes else "Ensaio em andamento…"
        return (
            "Importado"
            if move_in.goes
            else "Ensaio pronto: leia o relatório e importe no fim da página"
        )

    @admin.display(description="Origem")
    def source(self, move_in: MoveIn) -> str:
        if move_in.address:
            return masked_address(move_in.address)
        return move_in.file or ("arquivo enviado" if move_in.upload else "não está mais aqui")

    @admin.display(description="Relatório")
    def told_report(self, move_in: MoveIn) -> SafeString:
        """Return the report of the last run: what the operator has to know, and rows by table."""
        report: dict[str, Any] = move_in.report or {}
        parts = (
            (HEADINGS[kind][_PT], [note for note in report["notes"] if note["kind"] == kind])
            for kind in reversed(KINDS)
        )
        return render_to_string(
            "movein/admin_report.html",
            {
                "outcome": DRY if report["isDryRun"] else HEADINGS["done"][_PT],
                "parts": [(title, notes) for title, notes in parts if notes],
                "comes": HEADINGS["comes"][_PT],
                "tables": [
                    (name, [counts.get(each, 0) for each in COUNTS])
                    for name, counts in report["tables"].items()
                ],
                "unknown": HEADINGS["strangers"][_PT],
                "strangers": report["strangers"],
            },
        )

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        # The page of one has a button of its own; nothing of it is edited.
        return obj is None and super().has_change_permission(request, obj)

    def save_model(self, request: HttpRequest, obj: MoveIn, form: Any, change: bool) -> None:
        """Have the dry run of a new import done."""
        jobs.plan_move_in(
            move_in=obj,
            upload=form.cleaned_data.get("upload_file"),
            actor=caller_of(request),
            ip_address=client_address(request),
        )

    def response_add(
        self, request: HttpRequest, obj: MoveIn, post_url_continue: str | None = None
    ) -> HttpResponse:
        """Go on to the page that shows the dry run."""
        self.message_user(request, "O ensaio começou.", messages.SUCCESS)
        return HttpResponseRedirect(reverse("admin:movein_movein_change", args=[obj.pk]))

    def delete_model(self, request: HttpRequest, obj: MoveIn) -> None:
        """Delete the import's row and upload; what came in stays."""
        jobs.forget_move_in(
            move_in_id=obj.pk, actor=caller_of(request), ip_address=client_address(request)
        )

    def add_view(
        self, request: HttpRequest, form_url: str = "", extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        """Show the form of a new import, with one button."""
        context = {"show_save_and_add_another": False, "show_save_and_continue": False}
        return super().add_view(request, form_url, context | (extra_context or {}))

    def change_view(
        self,
        request: HttpRequest,
        object_id: str,
        form_url: str = "",
        extra_context: dict[str, Any] | None = None,
    ) -> HttpResponse:
        """Show an import; the page loads itself again while it runs."""
        move_in = MoveIn.objects.filter(pk=object_id).first() if object_id.isdecimal() else None
        is_over = move_in is not None and move_in.state in _OVER
        context = {
            "is_running": move_in is not None and not is_over,
            "may_go": is_over
            and move_in is not None
            and move_in.report is not None
            and jobs.has_source(move_in),
            "go_address": reverse("admin:movein_movein_go", args=[object_id]) if move_in else "",
        }
        return super().change_view(request, object_id, form_url, context | (extra_context or {}))

    def get_urls(self) -> list[URLPattern]:
        go = self.admin_site.admin_view(require_POST(self.go))
        return [path("<int:pk>/go/", go, name="movein_movein_go"), *super().get_urls()]

    def go(self, request: HttpRequest, pk: int) -> HttpResponse:
        """Have the import done whose report was read."""
        try:
            jobs.go_move_in(
                move_in_id=pk, actor=caller_of(request), ip_address=client_address(request)
            )
            self.message_user(request, "A importação começou.", messages.SUCCESS)
        except DomainError as refusal:
            self.message_user(request, refusal.sentence, messages.ERROR)
        return HttpResponseRedirect(reverse("admin:movein_movein_change", args=[pk]))
