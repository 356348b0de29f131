from django.db import migrations, models


class Migration(migrations.Migration):
    replaces = [("common", "0001_initial")]

    initial = True

    dependencies = []

    operations = [
        migrations.CreateModel(
            name="Heartbeat",
            fields=[
                ("worker", models.CharField(max_length=60, primary_key=True, serialize=False)),
                ("beaten_at", models.DateTimeField(db_index=True)),
            ],
        ),
    ]
