"""What integrations and models speak, one module each; nothing here knows the database."""
