"""The place of imported history among the other messages."""

from django.db import models


class HistoryRoom(models.Model):
    """A range of message ids reserved for the history on a connection's phone.

    Conversations are read in order of id. The reserved ids are lower than those of live messages;
    each second from `since` on has a number of them.
    """

    connection = models.OneToOneField(
        "connections.Connection", primary_key=True, on_delete=models.CASCADE, related_name="+"
    )
    first_id = models.BigIntegerField()
    since = models.DateTimeField()

    def __str__(self) -> str:
        return f"room for the history of connection {self.connection_id}"
