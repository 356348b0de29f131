from django.apps import AppConfig


class AccountsConfig(AppConfig):
    name = "apps.accounts"

    def ready(self) -> None:
        from apps.accounts import schema  # noqa: F401  registers the schema's extension
        from apps.accounts.services.operator import make_first_admin, tell_of_refund
        from apps.billing.services.refunds import payment_refunded
        from apps.companies.services.keeping import first_admin

        first_admin.register(make_first_admin)
        payment_refunded.register(tell_of_refund)
