from django.apps import AppConfig


class ChatConfig(AppConfig):
    name = "apps.chat"

    def ready(self) -> None:
        from apps.accounts.services import user_deletion
        from apps.chat.services.chats import leave_all

        user_deletion.register(leave_all)
