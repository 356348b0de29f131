from apps.accounts.services.operator import open_company, set_up_operator
from apps.accounts.services.users import (
    create_user,
    delete_user,
    update_user,
    user_deletion,
    user_removal,
)

__all__ = [
    "create_user",
    "delete_user",
    "open_company",
    "set_up_operator",
    "update_user",
    "user_deletion",
    "user_removal",
]
