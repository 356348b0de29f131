"""The bot: what it decides is carried out, its slower turns are taken, its timers run."""
