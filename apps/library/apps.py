from typing import TYPE_CHECKING

from django.apps import AppConfig

if TYPE_CHECKING:
    from apps.accounts.models import User


class LibraryConfig(AppConfig):
    name = "apps.library"

    def ready(self) -> None:
        from apps.accounts.services import user_leaves

        user_leaves.register(forget_files)


# The services import models, so they are looked up when the hook calls.


def forget_files(*, user: "User") -> None:
    from apps.library import services

    services.forget_files_of(user)
