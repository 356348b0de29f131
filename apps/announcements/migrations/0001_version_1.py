from django.db import migrations, models


class Migration(migrations.Migration):
    replaces = [("announcements", "0001_initial"), ("announcements", "0002_helps")]

    initial = True

    dependencies = []

    operations = [
        migrations.CreateModel(
            name="Announcement",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("created_at", models.DateTimeField(auto_now_add=True)),
                ("updated_at", models.DateTimeField(auto_now=True)),
                ("media_path", models.CharField(blank=True, max_length=300)),
                ("media_name", models.CharField(blank=True, max_length=255)),
                ("media_mime", models.CharField(blank=True, max_length=150)),
                ("media_size", models.PositiveBigIntegerField(blank=True, null=True)),
                ("title", models.CharField(max_length=200)),
                ("text", models.TextField()),
                (
                    "priority",
                    models.PositiveSmallIntegerField(
                        choices=[(1, "Alta"), (2, "Média"), (3, "Baixa")], default=3
                    ),
                ),
                ("is_active", models.BooleanField(default=True)),
                ("search_text", models.TextField(editable=False)),
            ],
            options={
                "ordering": ["-created_at", "-id"],
                "indexes": [
                    models.Index(fields=["-created_at", "-id"], name="announcement_newest")
                ],
            },
        ),
        migrations.CreateModel(
            name="Help",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("created_at", models.DateTimeField(auto_now_add=True)),
                ("updated_at", models.DateTimeField(auto_now=True)),
                ("title", models.CharField(max_length=200)),
                ("description", models.TextField(blank=True)),
                ("video", models.CharField(max_length=50)),
                ("search_text", models.TextField(editable=False)),
            ],
            options={
                "ordering": ["id"],
            },
        ),
    ]
