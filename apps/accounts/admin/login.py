"""The throttled login of the Django admin, and the page to change the operator's password."""

from http import HTTPStatus
from typing import Any, cast

from django import forms
from django.contrib import admin
from django.contrib.admin.forms import AdminAuthenticationForm, AdminPasswordChangeForm
from django.contrib.auth import update_session_auth_hash
from django.contrib.auth.views import PasswordChangeView
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.http.response import HttpResponseBase
from django.urls import reverse_lazy

from apps.accounts.devices import LONGEST_DEVICE
from apps.accounts.models import User
from apps.accounts.services.operator import administer_user, record_admin_login
from apps.accounts.services.passwords import WrongPassword, check_current_password
from apps.accounts.services.sessions import InvalidCredentials
from apps.accounts.services.two_factor import SecondFactorMissing, require_code
from apps.accounts.throttles import counted_login
from apps.accounts.views.users import remember_browser
from apps.common.attempts import TooManyAttempts
from apps.common.callers import caller_of, client_address, preferred_language


def _wait(refusal: TooManyAttempts) -> str:
    return f"Muitas tentativas. Aguarde {refusal.seconds} segundos e tente de novo."


class ThrottledLoginForm(AdminAuthenticationForm):
    """The admin's login form. Failures count together with those of the API (rules/accounts §5)."""

    code = forms.CharField(
        label="Código do autenticador",
        required=False,
        max_length=50,
        help_text="Só se a verificação em duas etapas estiver ativa na sua conta.",
        widget=forms.TextInput(attrs={"autocomplete": "one-time-code"}),
    )

    def clean(self) -> dict[str, Any]:
        """Check the credentials; raises ValidationError for wrong ones and after too many
        attempts.
        """
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
    """Asks for the operator's current and new password (rules/accounts §4)."""

    ip_address: str | None = None
    new_password1 = forms.CharField(
        label="Nova senha",
        min_length=8,
        max_length=50,
        strip=False,
        help_text="De 8 a 50 caracteres.",
        widget=forms.PasswordInput(attrs={"autocomplete": "new-password"}),
    )

    def clean_old_password(self) -> str:
        """Check the current password; raises ValidationError when it is wrong or after too many
        tries.
        """
        password = str(self.cleaned_data["old_password"])
        user: Any = self.user
        try:
            check_current_password(user, password, ip_address=self.ip_address)
        except WrongPassword as refusal:
            raise forms.ValidationError(refusal.sentence) from None
        except TooManyAttempts as refusal:
            raise forms.ValidationError(_wait(refusal)) from None
        return password


class OwnPasswordView(PasswordChangeView):
    """Changes the operator's password in the Django admin; replaces Django's own page."""

    form_class = OwnPasswordForm
    success_url = reverse_lazy("admin:password_change_done")

    def get_form(self, form_class: Any = None) -> Any:
        """Give the form the caller's IP address."""
        form: Any = super().get_form(form_class)
        form.ip_address = client_address(self.request)
        return form

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        """Add the context that every page of the admin needs."""
        return {**admin.site.each_context(self.request), **super().get_context_data(**kwargs)}

    def form_valid(self, form: Any) -> HttpResponse:
        """Set the password, which ends the other sessions.

        This session of the admin stays signed in.
        """
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
    """Sign in to the Django admin, and mark the browser as known (rules/accounts §5)."""
    response: HttpResponseBase = admin.site.login(request)
    if request.method == "POST" and response.status_code == HTTPStatus.FOUND:
        remember_browser(request, response, caller_of(request).email)
    return response


own_password = admin.site.admin_view(OwnPasswordView.as_view(), cacheable=True)

admin.site.login_form = ThrottledLoginForm
admin.site.login_template = "accounts/admin_login.html"
admin.site.site_header = admin.site.site_title = "Balcão"
admin.site.index_title = "Administração do serviço"
