from apps.accounts.views.signup import OlderSignupView, SignupView
from apps.accounts.views.users import LoginView, LogoutView, MeView, RefreshTokenView, UserViewSet
from apps.common.routing import Router, route

router = Router()
router.register("users", UserViewSet, basename="users")

urlpatterns = [
    route("auth/login", LoginView.as_view(), name="login"),
    route("auth/refresh_token", RefreshTokenView.as_view(), name="refresh-token"),
    route("auth/logout", LogoutView.as_view(), name="logout"),
    route("auth/me", MeView.as_view(), name="me"),
    route("auth/signup", SignupView.as_view(), name="signup"),
    route("companies/cadastro", OlderSignupView.as_view(), name="signup-older"),
    *router.urls,
]
