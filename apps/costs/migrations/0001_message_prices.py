"""Takes the prices over from campaigns; the table stays as it is."""

import django.core.validators
from django.db import migrations, models


class Migration(migrations.Migration):
    initial = True

    dependencies = [("campaigns", "0006_service_price")]

    operations = [
        migrations.SeparateDatabaseAndState(
            state_operations=[
                migrations.CreateModel(
                    name="MessagePrice",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True,
                                primary_key=True,
                                serialize=False,
                                verbose_name="ID",
                            ),
                        ),
                        (
                            "category",
                            models.CharField(
                                choices=[
                                    ("MARKETING", "Marketing"),
                                    ("UTILITY", "Utility"),
                                    ("AUTHENTICATION", "Authentication"),
                                    ("SERVICE", "Service"),
                                ],
                                max_length=20,
                            ),
                        ),
                        (
                            "country",
                            models.CharField(
                                help_text="ISO code (BR), calling code (55), or * for every other country.",
                                max_length=3,
                            ),
                        ),
                        (
                            "currency",
                            models.CharField(
                                max_length=3,
                                validators=[
                                    django.core.validators.RegexValidator(
                                        "^[A-Z]{3}$", "Three capital letters, such as BRL."
                                    )
                                ],
                            ),
                        ),
                        (
                            "price",
                            models.DecimalField(
                                decimal_places=6,
                                max_digits=12,
                                validators=[django.core.validators.MinValueValidator(0)],
                            ),
                        ),
                        ("valid_from", models.DateField()),
                    ],
                    options={
                        "db_table": "campaigns_messageprice",
                        "ordering": ["category", "country", "-valid_from"],
                        "constraints": [
                            models.UniqueConstraint(
                                fields=("category", "country", "valid_from"),
                                name="one_price_per_day",
                            )
                        ],
                    },
                ),
            ],
        ),
    ]
