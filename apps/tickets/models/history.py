"""Where messages from before a number was connected stand among the others."""

from django.db import models


class HistoryRoom(models.Model):
    """Ids of messages that are kept free for what a connection's phone has from before.

    Conversations are read in order of id: these lie before those of all that comes live, a number
    of them for each second from `since` on.
    """

    connection = models.OneToOneField(
        "connections.Connection", primary_key=True, on_delete=models.CASCADE, related_name="+"
    )
    first_id = models.BigIntegerField()
    since = models.DateTimeField()

    def __str__(self) -> str:
        return f"room for the history of connection {self.connection_id}"
