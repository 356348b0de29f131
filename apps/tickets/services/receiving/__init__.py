"""What contacts write: onto the right tickets, and answered by the bot, in one transaction."""
