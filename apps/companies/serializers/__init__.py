"""The wire shapes of companies: as their people see them, and as the super user keeps them."""
