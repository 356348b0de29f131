SELECT (SELECT count(*) FROM inbound_inboundevent WHERE NOT state IN ('done', 'failed') AND next_attempt_at <= now())
     + (SELECT count(*) FROM tickets_mediafetch WHERE NOT state IN ('done', 'failed') AND next_attempt_at <= now())
     + (SELECT count(*) FROM tickets_botturn WHERE NOT state IN ('done', 'failed') AND next_attempt_at <= now())
     + (SELECT count(*) FROM automation_webhookdelivery WHERE NOT state IN ('done', 'failed') AND next_attempt_at <= now())
