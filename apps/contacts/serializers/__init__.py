"""What goes over the wire about contacts, tags and notes."""
