"""The calls of companies, their settings and hours."""
