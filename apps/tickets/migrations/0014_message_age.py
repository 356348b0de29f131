from django.db import migrations, models

from apps.common.large_indexes import AddLargeIndex


class Migration(migrations.Migration):
    atomic = False

    dependencies = [("tickets", "0013_follow_answers")]

    operations = [
        AddLargeIndex(
            model_name="message",
            index=models.Index(fields=["company", "created_at"], name="message_by_company_age"),
        ),
        AddLargeIndex(
            model_name="message",
            index=models.Index(
                condition=models.Q(("media_state", "ready")),
                fields=["company", "created_at"],
                name="message_media_by_age",
            ),
        ),
    ]
