from typing import Any

from django.db import migrations, models

from apps.common.encryption import EncryptedTextField, decrypt, encrypt


def encrypt_addresses(apps: Any, schema_editor: Any) -> None:
    """Encrypt what was stored plainly."""
    _rewrite(apps, encrypt)


def decrypt_addresses(apps: Any, schema_editor: Any) -> None:
    """Store it plainly again."""
    _rewrite(apps, decrypt)


def _rewrite(apps: Any, change: Any) -> None:
    integrations = apps.get_model("automation", "QueueIntegration").objects
    for pk, url in integrations.exclude(url="").values_list("pk", "url").iterator():
        integrations.filter(pk=pk).update(url=change(url))


class Migration(migrations.Migration):
    dependencies = [
        ("automation", "0006_reasons"),
    ]

    operations = [
        migrations.AlterField(
            model_name="queueintegration",
            name="url",
            field=models.TextField(blank=True),
        ),
        migrations.RunPython(encrypt_addresses, decrypt_addresses),
        migrations.AlterField(
            model_name="queueintegration",
            name="url",
            field=EncryptedTextField(blank=True),
        ),
    ]
