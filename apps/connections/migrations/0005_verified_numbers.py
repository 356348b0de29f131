from typing import Any

import django.db.models.deletion
from django.db import migrations, models
from django.db.models import F, Q

SUPER_COMPANY_ID = 1


def keep_what_works(apps: Any, schema_editor: Any) -> None:
    """Numbers that Meta has answered for stay theirs; accounts on the operator's token keep it."""
    connections = apps.get_model("connections", "Connection").objects
    official = connections.filter(provider="official").exclude(phone_number_id=None)
    official.filter(Q(status="CONNECTED") | ~Q(number="")).update(verified_at=F("updated_at"))
    served = {
        (each.company_id, each.waba_id)
        for each in official.exclude(company_id=SUPER_COMPANY_ID).exclude(waba_id="").iterator()
        if not each.access_token
    }
    account = apps.get_model("connections", "OperatorAccount")
    account.objects.bulk_create(
        account(company_id=company_id, waba_id=waba_id) for company_id, waba_id in sorted(served)
    )


class Migration(migrations.Migration):
    dependencies = [
        ("companies", "0001_initial"),
        ("connections", "0004_reasons"),
    ]

    operations = [
        migrations.CreateModel(
            name="OperatorAccount",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "waba_id",
                    models.CharField(max_length=50, verbose_name="account (waba_id)"),
                ),
                (
                    "company",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to="companies.company",
                    ),
                ),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(
                        fields=("company", "waba_id"), name="operator_account_once_per_company"
                    )
                ],
            },
        ),
        migrations.AddField(
            model_name="connection",
            name="verified_at",
            field=models.DateTimeField(blank=True, null=True),
        ),
        migrations.RunPython(keep_what_works, migrations.RunPython.noop, elidable=True),
        migrations.AlterField(
            model_name="connection",
            name="phone_number_id",
            field=models.CharField(blank=True, max_length=50, null=True),
        ),
        migrations.AddConstraint(
            model_name="connection",
            constraint=models.UniqueConstraint(
                condition=models.Q(("verified_at__isnull", False)),
                fields=("phone_number_id",),
                name="one_owner_per_number",
            ),
        ),
    ]
