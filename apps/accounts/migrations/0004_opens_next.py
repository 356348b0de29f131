from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("accounts", "0003_session_taken_over"),
    ]

    operations = [
        migrations.AddField(
            model_name="user",
            name="opens_next",
            field=models.BooleanField(db_default=True, default=True),
        ),
    ]
