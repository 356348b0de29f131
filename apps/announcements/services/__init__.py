"""Rules of what the operator tells every company, and of helps."""
