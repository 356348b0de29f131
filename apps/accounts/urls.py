from apps.accounts.views.password_reset import (
    OlderPasswordResetConfirmView,
    OlderPasswordResetView,
    PasswordResetConfirmView,
    PasswordResetView,
)
from apps.accounts.views.roles import RoleViewSet
from apps.accounts.views.security import RecoveryCodesView, SignInsView, TwoFactorView
from apps.accounts.views.service_tokens import ServiceTokenViewSet
from apps.accounts.views.signup import OlderSignupView, SignupView
from apps.accounts.views.users import LoginView, LogoutView, MeView, RefreshTokenView, UserViewSet
from apps.common.routing import Router, route

router = Router()
router.register("users", UserViewSet, basename="users")
router.register("roles", RoleViewSet, basename="roles")
router.register("service-tokens", ServiceTokenViewSet, basename="service-tokens")

urlpatterns = [
    route("auth/login", LoginView.as_view(), name="login"),
    route("auth/refresh_token", RefreshTokenView.as_view(), name="refresh-token"),
    route("auth/logout", LogoutView.as_view(), name="logout"),
    route("auth/me", MeView.as_view(), name="me"),
    route("auth/signup", SignupView.as_view(), name="signup"),
    route("companies/cadastro", OlderSignupView.as_view(), name="signup-older"),
    route("password-reset", PasswordResetView.as_view(), name="password-reset"),
    route(
        "password-reset/confirm",
        PasswordResetConfirmView.as_view(),
        name="password-reset-confirm",
    ),
    route(
        r"forgetpassword/(?P<email>[^/]+)",
        OlderPasswordResetView.as_view(),
        name="password-reset-older",
    ),
    # Older browsers do not escape the password, which may contain slashes.
    route(
        r"resetpasswords/(?P<email>[^/]+)/(?P<token>[^/]+)/(?P<new_password>.+?)",
        OlderPasswordResetConfirmView.as_view(),
        name="password-reset-confirm-older",
    ),
    route("auth/two-factor", TwoFactorView.as_view(), name="two-factor"),
    route("auth/two-factor/recovery-codes", RecoveryCodesView.as_view(), name="recovery-codes"),
    route("auth/sign-ins", SignInsView.as_view(), name="sign-ins"),
    *router.urls,
]
