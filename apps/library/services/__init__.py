"""Rules of what is kept to be sent again and again."""
