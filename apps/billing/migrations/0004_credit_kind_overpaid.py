from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("billing", "0003_refunds_credits_and_plan_changes")]

    operations = [
        migrations.AlterField(
            model_name="credit",
            name="kind",
            field=models.CharField(
                choices=[
                    ("downgrade", "Mudança para um plano mais barato"),
                    ("paid_again", "Fatura paga de novo"),
                    ("overpaid", "Pago a mais"),
                    ("given", "Dado pelo operador"),
                    ("used", "Usado em uma fatura"),
                    ("refunded", "Devolvido ao pagador"),
                ],
                max_length=10,
            ),
        ),
    ]
