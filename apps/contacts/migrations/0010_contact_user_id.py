from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("contacts", "0009_contact_imports")]

    operations = [
        migrations.AddField(
            model_name="contact",
            name="user_id",
            field=models.CharField(blank=True, max_length=140, null=True),
        ),
        migrations.AddConstraint(
            model_name="contact",
            constraint=models.UniqueConstraint(
                condition=models.Q(("user_id__isnull", False)),
                fields=("company", "user_id"),
                name="one_contact_per_user_id",
            ),
        ),
    ]
