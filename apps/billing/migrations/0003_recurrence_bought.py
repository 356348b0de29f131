"""What invoices and codes are for: as long as their companies pay for today."""

from typing import Any

from django.db import migrations, models
from django.db.models import OuterRef, Subquery

RECURRENCES = [
    ("MENSAL", "Mensal"),
    ("BIMESTRAL", "Bimestral"),
    ("TRIMESTRAL", "Trimestral"),
    ("SEMESTRAL", "Semestral"),
    ("ANUAL", "Anual"),
]


def keep_what_is_open(apps: Any, _schema: Any) -> None:
    """Put down for which recurrence what may still be paid was priced; what is paid is past."""
    companies = apps.get_model("companies", "Company").objects
    own = Subquery(companies.filter(pk=OuterRef("company_id")).values("recurrence")[:1])
    invoices = apps.get_model("billing", "Invoice").objects.exclude(status="paid")
    invoices.update(recurrence=own)
    charges = apps.get_model("billing", "PixCharge").objects
    charges.filter(invoice__in=invoices.values("pk")).update(recurrence=own)


def _recurrence() -> Any:
    return models.CharField(
        blank=True, choices=RECURRENCES, db_default="", default="", max_length=10
    )


class Migration(migrations.Migration):
    dependencies = [
        ("billing", "0002_invoices"),
        ("companies", "0002_company_removal"),
    ]

    operations = [
        migrations.AddField(model_name="invoice", name="recurrence", field=_recurrence()),
        migrations.AddField(model_name="pixcharge", name="recurrence", field=_recurrence()),
        migrations.RunPython(keep_what_is_open, migrations.RunPython.noop),
    ]
