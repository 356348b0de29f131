from django.conf import settings
from django.db import migrations


class Migration(migrations.Migration):
    dependencies = [
        ("companies", "0002_retention"),
        ("desk", "0003_rules"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = []
