from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("desk", "0006_parts")]

    operations = [
        migrations.AlterField(
            model_name="rehearsal",
            name="subject",
            field=models.CharField(
                choices=[
                    ("assignment", "assignment"),
                    ("sla", "sla"),
                    ("rule", "rule"),
                    ("bot", "bot"),
                ],
                max_length=10,
            ),
        ),
    ]
