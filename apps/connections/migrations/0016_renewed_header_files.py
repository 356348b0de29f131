from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("connections", "0015_state_writes"),
    ]

    operations = [
        migrations.AddField(
            model_name="templatemedia",
            name="renewed_at",
            field=models.DateTimeField(blank=True, null=True),
        ),
        migrations.AddField(
            model_name="templatemedia",
            name="renewed_id",
            field=models.CharField(blank=True, default="", max_length=100),
        ),
    ]
