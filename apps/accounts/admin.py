"""Users, and the throttled login of the Django admin."""

from http import HTTPStatus
from typing import Any, cast

from django import forms
from django.contrib import admin, messages
from django.contrib.admin.forms import AdminAuthenticationForm, AdminPasswordChangeForm
from django.contrib.auth import update_session_auth_hash
from django.contrib.auth.views import PasswordChangeView
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.http.response import HttpResponseBase
from django.urls import reverse_lazy

from apps.accounts.devices import LONGEST_DEVICE
from apps.accounts.models import User
from apps.accounts.services.operator import add_user, administer_user, record_admin_login
from apps.accounts.services.passwords import WrongPassword, check_current_password
from apps.accounts.services.sessions import InvalidCredentials
from apps.accounts.services.two_factor import SecondFactorMissing, require_code, take_away
from apps.accounts.throttles import counted_login
from apps.accounts.views.users import remember_browser
from apps.common.attempts import TooManyAttempts
from apps.common.callers import caller_of, client_address, preferred_language
from apps.common.errors import DomainError

PASSWORD_HELP = "De 8 a 50 caracteres. Vazio: a senha fica como está."  # noqa: S105


def _wait(refusal: TooManyAttempts) -> str:
    return f"Muitas tentativas. Aguarde {refusal.seconds} segundos e tente de novo."


class ThrottledLoginForm(AdminAuthenticationForm):
    """The admin's login, with the same count of failures as the API's (rules/accounts §5)."""

    code = forms.CharField(
        label="Código do autenticador",
        required=False,
        max_length=50,
        help_text="Só se a verificação em duas etapas estiver ativa na sua conta.",
        widget=forms.TextInput(attrs={"autocomplete": "one-time-code"}),
    )

    def clean(self) -> dict[str, Any]:
        """Check the credentials; raises ValidationError for wrong ones and after too many."""
        request: Any = self.request
        email = self.cleaned_data.get("username")
        if not email or not self.cleaned_data.get("password"):
            return self.cleaned_data
        try:
            with counted_login(request, email):
                user = self._checked_user()
        except TooManyAttempts as refusal:
            raise forms.ValidationError(_wait(refusal)) from None
        except InvalidCredentials:
            raise self.get_invalid_login_error() from None
        except SecondFactorMissing as refusal:
            self.user_cache = None
            raise forms.ValidationError({"code": refusal.sentence}) from None
        record_admin_login(
            user=user,
            ip_address=client_address(request),
            device=request.headers.get("User-Agent", "")[:LONGEST_DEVICE],
        )
        return self.cleaned_data

    def _checked_user(self) -> User:
        try:
            super().clean()
        except forms.ValidationError:
            raise InvalidCredentials from None
        user: Any = self.get_user()
        require_code(user, self.cleaned_data.get("code", ""))
        return cast("User", user)


class OwnPasswordForm(AdminPasswordChangeForm):
    """The operator's own new password, by the same service as everywhere (rules/accounts §4)."""

    new_password1 = forms.CharField(
        label="Nova senha",
        min_length=8,
        max_length=50,
        strip=False,
        help_text="De 8 a 50 caracteres.",
        widget=forms.PasswordInput(attrs={"autocomplete": "new-password"}),
    )

    def clean_old_password(self) -> str:
        """Check the present one; raises ValidationError for a wrong one and after too many."""
        password = str(self.cleaned_data["old_password"])
        user: Any = self.user
        try:
            check_current_password(user, password)
        except WrongPassword as refusal:
            raise forms.ValidationError(refusal.sentence) from None
        except TooManyAttempts as refusal:
            raise forms.ValidationError(_wait(refusal)) from None
        return password


class OwnPasswordView(PasswordChangeView):
    """Change the operator's own password in the Django admin, in place of Django's own page."""

    form_class = OwnPasswordForm
    success_url = reverse_lazy("admin:password_change_done")

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        """Add what the admin's pages show around it."""
        return {**admin.site.each_context(self.request), **super().get_context_data(**kwargs)}

    def form_valid(self, form: Any) -> HttpResponse:
        """End the other sessions, record and tell; this one of the admin goes on."""
        user = caller_of(self.request)
        administer_user(
            actor=user,
            user=user,
            changed=set(),
            password=form.cleaned_data["new_password1"],
            ip_address=client_address(self.request),
            language=preferred_language(self.request),
        )
        update_session_auth_hash(self.request, user)
        return HttpResponseRedirect(str(self.get_success_url()))


def admin_login(request: HttpRequest) -> HttpResponseBase:
    """Sign in to the Django admin, in a browser that is known from then on (rules/accounts §5)."""
    response: HttpResponseBase = admin.site.login(request)
    if request.method == "POST" and response.status_code == HTTPStatus.FOUND:
        remember_browser(request, response, caller_of(request).email)
    return response


own_password = admin.site.admin_view(OwnPasswordView.as_view(), cacheable=True)

admin.site.login_form = ThrottledLoginForm
admin.site.login_template = "accounts/admin_login.html"
admin.site.site_header = admin.site.site_title = "Balcão"
admin.site.index_title = "Administração do serviço"


class UserForm(forms.ModelForm[User]):
    """A user with a password to set."""

    new_password = forms.CharField(
        label="Senha",
        required=False,
        min_length=8,
        max_length=50,
        strip=False,
        help_text=PASSWORD_HELP,
        widget=forms.PasswordInput(attrs={"autocomplete": "new-password"}),
    )

    def clean_email(self) -> str:
        """Keep e-mails in small letters, as the API does."""
        return str(self.cleaned_data["email"]).lower()

    def clean_new_password(self) -> str:
        """Ask a new user for a password."""
        password = str(self.cleaned_data["new_password"] or "")
        if not password and self.instance.pk is None:
            raise forms.ValidationError("Informe a senha.")
        return password


@admin.register(User)
class UserAdmin(admin.ModelAdmin[User]):
    form = UserForm
    fields = ("company", "name", "email", "profile", "is_active", "new_password", "last_login")
    list_display = (
        "name",
        "email",
        "company",
        "profile",
        "is_active",
        "has_two_factor",
        "last_login",
    )
    list_filter = ("profile", "is_active")
    list_select_related = ("company", "authenticator")
    search_fields = ("name", "email", "company__name")
    autocomplete_fields = ("company",)
    ordering = ("company__name", "name")
    actions = ("end_two_factor",)

    @admin.display(boolean=True, description="Duas etapas")
    def has_two_factor(self, user: User) -> bool:
        """Tell whether the account asks for a code."""
        row = getattr(user, "authenticator", None)
        return row is not None and row.confirmed_at is not None

    @admin.action(description="Desativar a verificação em duas etapas")
    def end_two_factor(self, request: HttpRequest, chosen: "QuerySet[User]") -> None:
        """Let in by password alone who lost the telephone and the recovery codes."""
        actor, address = caller_of(request), client_address(request)
        ended = [take_away(user=user, actor=actor, ip_address=address) for user in chosen]
        self.message_user(request, f"Verificação desativada em {sum(ended)} conta(s).")

    def get_readonly_fields(self, request: HttpRequest, obj: User | None = None) -> Any:
        """A user stays in their company; the super user stays an active admin."""
        if obj is None:
            return ("is_active", "last_login")
        fixed = ("profile", "is_active") if obj.is_super else ()
        return ("company", "last_login", *fixed)

    def has_delete_permission(self, request: HttpRequest, obj: User | None = None) -> bool:
        """Keep every account: one that left is switched off."""
        return False

    def save_model(self, request: HttpRequest, obj: User, form: Any, change: bool) -> None:
        """Save through the services, which judge, record and tell."""
        password = form.cleaned_data["new_password"]
        actor = caller_of(request)
        if change:
            administer_user(
                actor=actor,
                user=obj,
                changed=set(form.changed_data),
                password=password,
                ip_address=client_address(request),
                language=preferred_language(request),
            )
            if password and obj.pk == actor.pk:
                update_session_auth_hash(request, obj)
        else:
            add_user(actor=actor, user=obj, password=password)

    def changeform_view(
        self,
        request: HttpRequest,
        object_id: str | None = None,
        form_url: str = "",
        extra_context: dict[str, Any] | None = None,
    ) -> HttpResponse:
        """Show a refusal of the services (a plan without room) as a message."""
        try:
            return super().changeform_view(request, object_id, form_url, extra_context)
        except DomainError as error:
            self.message_user(request, error.sentence, messages.ERROR)
            return HttpResponseRedirect(request.get_full_path())
