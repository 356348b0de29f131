from django.apps import AppConfig


class ContactsConfig(AppConfig):
    name = "apps.contacts"
