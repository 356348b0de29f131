"""The users of all companies, for the super user."""

from typing import Any

from django import forms
from django.contrib import admin
from django.contrib.auth import update_session_auth_hash
from django.db.models import QuerySet
from django.http import HttpRequest

from apps.accounts.admin.refusals import RefusingAdmin
from apps.accounts.models import SUPERVISOR, Profile, Role, User
from apps.accounts.services.operator import add_user, administer_user
from apps.accounts.services.two_factor import take_away
from apps.common.callers import caller_of, client_address, preferred_language

# The roles that every company has.
FIXED_NAMES: dict[str, str] = {
    Profile.USER: Profile.USER.label,
    SUPERVISOR: "Supervisor",
    Profile.ADMIN: Profile.ADMIN.label,
}
PASSWORD_HELP = "De 8 a 50 caracteres. Vazio: a senha fica como está."  # noqa: S105


class UserForm(forms.ModelForm[User]):
    """A user's form with fields for the role and for a new password."""

    role_key = forms.ChoiceField(label="Papel", initial=Profile.USER)
    new_password = forms.CharField(
        label="Senha",
        required=False,
        min_length=8,
        max_length=50,
        strip=False,
        help_text=PASSWORD_HELP,
        widget=forms.PasswordInput(attrs={"autocomplete": "new-password"}),
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        field = self.fields.get("role_key")
        if isinstance(field, forms.ChoiceField):
            own = Role.objects.for_company(self.instance.company_id).order_by("name")
            field.choices = [
                *FIXED_NAMES.items(),
                *((str(role.pk), role.name) for role in own),
            ]
            if self.instance.pk is not None:
                self.initial["role_key"] = self.instance.role_key

    def clean_email(self) -> str:
        """Lower-case the e-mail, as the API does."""
        return str(self.cleaned_data["email"]).lower()

    def clean_new_password(self) -> str:
        """Require a password for a new user."""
        password = str(self.cleaned_data["new_password"] or "")
        if not password and self.instance.pk is None:
            raise forms.ValidationError("Informe a senha.")
        return password


@admin.register(User)
class UserAdmin(RefusingAdmin[User]):
    form = UserForm
    fields = ("company", "name", "email", "role_key", "is_active", "new_password", "last_login")
    list_display = (
        "name",
        "email",
        "company",
        "role_key",
        "is_active",
        "has_two_factor",
        "last_login",
    )
    list_filter = ("profile", "is_active")
    list_select_related = ("company", "authenticator", "role")
    search_fields = ("name", "email", "company__name")
    autocomplete_fields = ("company",)
    ordering = ("company__name", "name")
    actions = ("end_two_factor",)

    @admin.display(description="Papel")
    def role_key(self, user: User) -> str:
        """Return the name of the user's role."""
        return user.own_role.name if user.own_role else FIXED_NAMES[user.role_key]

    @admin.display(boolean=True, description="Duas etapas")
    def has_two_factor(self, user: User) -> bool:
        """Tell whether the account has a confirmed second factor."""
        row = getattr(user, "authenticator", None)
        return row is not None and row.confirmed_at is not None

    @admin.action(description="Desativar a verificação em duas etapas")
    def end_two_factor(self, request: HttpRequest, chosen: "QuerySet[User]") -> None:
        """Remove the second factor of users who lost their telephone and recovery codes."""
        actor, address = caller_of(request), client_address(request)
        ended = [take_away(user=user, actor=actor, ip_address=address) for user in chosen]
        self.message_user(request, f"Verificação desativada em {sum(ended)} conta(s).")

    def get_readonly_fields(self, request: HttpRequest, obj: User | None = None) -> Any:
        """A user can't change company; the super user can't lose the role `admin` or be
        disabled.
        """
        if obj is None:
            return ("is_active", "last_login")
        fixed = ("role_key", "is_active") if obj.is_super else ()
        return ("company", "last_login", *fixed)

    def has_delete_permission(self, request: HttpRequest, obj: User | None = None) -> bool:
        """Accounts can't be deleted here; they are switched off."""
        return False

    def save_model(self, request: HttpRequest, obj: User, form: Any, change: bool) -> None:
        """Save through the services, which audit and emit events."""
        password = form.cleaned_data["new_password"]
        actor = caller_of(request)
        role = form.cleaned_data.get("role_key", obj.role_key)
        if change:
            administer_user(
                actor=actor,
                user=obj,
                changed=set(form.changed_data),
                role=role,
                password=password,
                ip_address=client_address(request),
                language=preferred_language(request),
            )
            if password and obj.pk == actor.pk:
                update_session_auth_hash(request, obj)
        else:
            add_user(actor=actor, user=obj, role=role, password=password)
