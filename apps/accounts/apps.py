from django.apps import AppConfig


class AccountsConfig(AppConfig):
    name = "apps.accounts"

    def ready(self) -> None:
        from apps.accounts import schema  # noqa: F401  registers the schema's extension
        from apps.accounts.models import User
        from apps.accounts.services.operator import make_first_admin, tell_of_refund
        from apps.billing.services import register_use
        from apps.billing.services.refunds import payment_refunded
        from apps.companies.services.keeping import first_admin

        register_use("users", lambda company_id: User.objects.for_company(company_id).count())
        first_admin.register(make_first_admin)
        payment_refunded.register(tell_of_refund)
