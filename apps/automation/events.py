"""What browsers hear about prompts and integrations."""
