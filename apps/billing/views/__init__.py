"""The calls of plans, invoices, the checkout and Pix webhooks."""
