"""The wire shapes of companies, for their own users and for the super user."""
