from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("connections", "0014_qr_farewells"),
    ]

    operations = [
        migrations.AddField(
            model_name="qrsession",
            name="writes",
            field=models.PositiveBigIntegerField(db_default=0, default=0),
        ),
    ]
