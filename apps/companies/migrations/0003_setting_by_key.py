from django.db import migrations, models

from apps.common.large_indexes import AddLargeIndex


class Migration(migrations.Migration):
    atomic = False

    dependencies = [("companies", "0002_retention")]

    operations = [
        AddLargeIndex(
            model_name="companysetting",
            index=models.Index(fields=["key", "company"], name="setting_by_key"),
        ),
    ]
