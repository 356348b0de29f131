import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("automation", "0003_bot"),
        ("companies", "0001_initial"),
        ("tickets", "0008_bot"),
    ]

    operations = [
        migrations.AddField(
            model_name="integrationdelivery",
            name="turn",
            field=models.ForeignKey(
                blank=True,
                null=True,
                on_delete=django.db.models.deletion.SET_NULL,
                related_name="+",
                to="tickets.botturn",
            ),
        ),
        migrations.AddField(
            model_name="integrationsession",
            name="integration",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.CASCADE,
                related_name="sessions",
                to="automation.queueintegration",
            ),
        ),
        migrations.AddField(
            model_name="integrationsession",
            name="ticket",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.CASCADE,
                related_name="integration_sessions",
                to="tickets.ticket",
            ),
        ),
        migrations.AddField(
            model_name="tokenuse",
            name="company",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.CASCADE,
                related_name="+",
                to="companies.company",
            ),
        ),
        migrations.AddField(
            model_name="tokenuse",
            name="prompt",
            field=models.ForeignKey(
                blank=True,
                null=True,
                on_delete=django.db.models.deletion.SET_NULL,
                related_name="token_uses",
                to="automation.prompt",
            ),
        ),
        migrations.AddField(
            model_name="tokenuse",
            name="ticket",
            field=models.ForeignKey(
                blank=True,
                null=True,
                on_delete=django.db.models.deletion.SET_NULL,
                related_name="+",
                to="tickets.ticket",
            ),
        ),
        migrations.AddIndex(
            model_name="integrationdelivery",
            index=models.Index(fields=["integration", "-id"], name="integration_log"),
        ),
        migrations.AddIndex(
            model_name="integrationdelivery",
            index=models.Index(fields=["created_at"], name="integration_log_by_age"),
        ),
        migrations.AddConstraint(
            model_name="integrationsession",
            constraint=models.UniqueConstraint(
                fields=("ticket", "integration"), name="one_session_per_integration"
            ),
        ),
        migrations.AddIndex(
            model_name="tokenuse",
            index=models.Index(fields=["company", "created_at"], name="token_use_by_company"),
        ),
    ]
