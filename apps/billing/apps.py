from django.apps import AppConfig


class BillingConfig(AppConfig):
    name = "apps.billing"

    def ready(self) -> None:
        from apps.billing.services.invoices import (
            cancel_changes,
            invoice_company,
            reprice_invoices,
        )
        from apps.companies.services.keeping import due_date_set, terms_changed

        # A change of plan is priced by the days to the due date.
        due_date_set.register(cancel_changes)
        due_date_set.register(invoice_company)
        terms_changed.register(reprice_invoices)
