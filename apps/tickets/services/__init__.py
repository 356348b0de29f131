"""What is done with tickets and their messages."""
