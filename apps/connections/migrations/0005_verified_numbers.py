from typing import Any

import django.db.models.deletion
from django.db import migrations, models
from django.db.models import F, Q

SUPER_COMPANY_ID = 1


def keep_what_works(apps: Any, schema_editor: Any) -> None:
    """Numbers that Meta has answered for stay theirs, but for those on the operator's token.

    Another company without a token of its own worked on the operator's, for an account that it
    named itself. Its number waits until the operator assigns the account (rules/connections §4).
    """
    connections = apps.get_model("connections", "Connection").objects
    official = connections.filter(provider="official").exclude(phone_number_id=None)
    # Tokens are encrypted: the database cannot tell an empty one.
    others = official.exclude(company_id=SUPER_COMPANY_ID).iterator()
    unassigned = [each.pk for each in others if not each.access_token]
    answered = official.filter(Q(status="CONNECTED") | ~Q(number=""))
    answered.exclude(pk__in=unassigned).update(verified_at=F("updated_at"))
    official.filter(pk__in=unassigned).update(
        status="DISCONNECTED", reason_code="token_missing", reason_detail=""
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
