from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("desk", "0004_rehearsals")]

    operations = [
        migrations.AddIndex(
            model_name="rulerun",
            index=models.Index(fields=["rule", "at"], name="rule_run_by_time"),
        ),
        migrations.AddIndex(
            model_name="rulerun",
            index=models.Index(fields=["ticket", "at"], name="rule_run_of_ticket_by_time"),
        ),
        migrations.RemoveIndex(model_name="rulerun", name="rule_run_of_ticket"),
    ]
