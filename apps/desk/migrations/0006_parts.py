import django.db.models.deletion
import django.utils.timezone
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("desk", "0005_rule_ticks"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.AlterField(
            model_name="assignment",
            name="prefers",
            field=models.ForeignKey(
                blank=True,
                db_index=False,
                null=True,
                on_delete=django.db.models.deletion.SET_NULL,
                related_name="+",
                to=settings.AUTH_USER_MODEL,
            ),
        ),
        migrations.RemoveField(model_name="slaclock", name="cycle"),
        migrations.AddField(
            model_name="slastep",
            name="created_at",
            field=models.DateTimeField(default=django.utils.timezone.now),
        ),
        migrations.AlterField(
            model_name="tick",
            name="kind",
            field=models.CharField(
                choices=[
                    ("give", "Give"),
                    ("give_later", "Give Later"),
                    ("return", "Return"),
                    ("release", "Release"),
                    ("seen", "Seen"),
                    ("pause", "Pause"),
                    ("leave", "Leave"),
                    ("sync", "Sync"),
                    ("queue_sync", "Queue Sync"),
                    ("sla", "Sla"),
                    ("sla_sync", "Sla Sync"),
                    ("sla_hours", "Sla Hours"),
                ],
                max_length=10,
            ),
        ),
    ]
