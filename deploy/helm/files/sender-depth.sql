SELECT count(*) FROM tickets_delivery WHERE NOT state IN ('done', 'failed') AND next_attempt_at <= now()
