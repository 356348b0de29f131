"""The bot: what it decides is carried out, and its slower turns are taken."""
