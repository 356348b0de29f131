from django.apps import AppConfig


class LibraryConfig(AppConfig):
    name = "apps.library"

    def ready(self) -> None:
        from apps.accounts.services import user_removal
        from apps.library.services.quick_messages import forget_files_of

        user_removal.register(forget_files_of)
