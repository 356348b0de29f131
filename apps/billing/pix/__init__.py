"""Who makes Pix charges and tells what was paid, one module each; none knows the database."""
