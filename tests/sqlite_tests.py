"""What `make test` runs on SQLite too: the tests of what says something else to each database.

Journeys run on SQLite anyway, and `make test-deep` runs all tests there that touch the database.
`tests/test_deep_suites.py` finds the modules that write SQL themselves, ask which database it is or
insert over what is there, and fails for one that the table does not name.
"""

WHERE_DATABASES_DIFFER: dict[str, tuple[str, ...]] = {
    "apps/accounts/services/password_reset.py": ("apps/accounts/tests/test_password_reset.py",),
    "apps/automation/services/webhook_events.py": (
        "apps/automation/tests/test_webhook_deliveries.py",
    ),
    "apps/billing/services/invoices.py": ("apps/billing/tests/test_invoices.py",),
    "apps/campaigns/queries/audience.py": ("apps/campaigns/tests/test_segments.py",),
    "apps/campaigns/services/remembered_numbers.py": ("apps/campaigns/tests/test_requests.py",),
    "apps/campaigns/services/outcomes.py": ("apps/campaigns/tests/test_opting_out.py",),
    "apps/campaigns/services/starting.py": ("apps/campaigns/tests/test_keys.py",),
    "apps/common/bulk.py": ("apps/common/tests/test_bulk.py",),
    "apps/common/compiled_queries.py": (
        "apps/common/tests/test_compiled_queries.py",
        "apps/tickets/tests/test_conversation.py",
        "tests/test_hot_reads.py",
    ),
    "apps/common/database_connections.py": ("tests/test_idle.py",),
    "apps/common/dumps.py": ("tests/test_backup_files.py",),
    "apps/common/errors.py": ("apps/common/tests/test_refusals.py",),
    "apps/common/figures.py": ("apps/common/tests/test_metrics.py",),
    "apps/common/health.py": ("apps/common/tests/test_operations.py",),
    "apps/common/large_indexes.py": ("tests/test_upgrades.py",),
    "apps/common/leases.py": (
        "apps/common/tests/test_leases.py",
        "apps/inbound/tests/test_processing.py",
        "apps/tickets/tests/test_deliveries.py",
        "apps/tickets/tests/test_turns.py",
    ),
    "apps/common/presence.py": ("apps/accounts/tests/test_sessions.py",),
    "apps/common/sweeps.py": ("apps/common/tests/test_sweeps.py",),
    "apps/companies/services/companies.py": ("apps/companies/tests/test_removal.py",),
    "apps/companies/services/retention.py": ("apps/companies/tests/test_retention.py",),
    "apps/connections/queries.py": ("apps/connections/tests/test_may_send.py",),
    "apps/connections/services/forms.py": ("apps/connections/tests/test_question_forms.py",),
    "apps/connections/services/portfolios.py": ("apps/connections/tests/test_portfolios.py",),
    "apps/connections/services/pace.py": (
        "apps/connections/tests/test_pace.py",
        "apps/tickets/tests/test_pace.py",
    ),
    "apps/connections/services/routing.py": ("apps/connections/tests/test_routing.py",),
    "apps/connections/services/qr_addresses.py": ("apps/inbound/tests/test_gateway_calls.py",),
    "apps/connections/services/qr_leases.py": ("apps/connections/tests/test_qr_leases.py",),
    "apps/connections/services/qr_state.py": ("apps/connections/tests/test_qr_sessions.py",),
    "apps/contacts/models.py": (
        "apps/contacts/tests/test_contacts.py",
        "apps/contacts/tests/test_upsert.py",
    ),
    "apps/contacts/services/pictures.py": ("apps/inbound/tests/test_pictures.py",),
    "apps/costs/services/free.py": (
        "apps/costs/tests/test_ledger.py",
        "apps/costs/tests/test_reports.py",
    ),
    "apps/costs/services/recording.py": ("apps/costs/tests/test_repricing.py",),
    "apps/reports/queries/activity.py": ("apps/reports/tests/test_activity.py",),
    "apps/reports/queries/asked.py": ("apps/reports/tests/test_reference.py",),
    "apps/desk/services/following.py": ("apps/desk/tests/test_rounds.py",),
    "apps/desk/queries/past_people.py": ("apps/desk/tests/test_rehearsals.py",),
    "apps/desk/queries/sla_report.py": ("apps/desk/tests/test_sla_policies.py",),
    "apps/desk/services/presence.py": ("apps/desk/tests/test_presence.py",),
    "apps/desk/services/rules/following.py": ("apps/desk/tests/test_rules.py",),
    "apps/desk/services/ticks.py": ("apps/desk/tests/test_rule_moments.py",),
    "apps/desk/services/sla/following.py": ("apps/desk/tests/test_sla.py",),
    "apps/inbound/services/purging.py": ("apps/inbound/tests/test_purging.py",),
    "apps/inbound/services/storing.py": ("apps/inbound/tests/test_webhook.py",),
    "apps/simulator/demo/contacts.py": ("apps/simulator/tests/test_seed.py",),
    "apps/movein/services/run.py": ("apps/movein/tests/test_dumps.py",),
    "apps/tickets/models/elapsed.py": ("apps/tickets/tests/test_dashboard_reference.py",),
    "apps/tickets/queries/dashboard/sums.py": ("apps/tickets/tests/test_kept_days.py",),
    "apps/tickets/services/tickets/days.py": ("apps/tickets/tests/test_kept_days.py",),
    "apps/tickets/queries/search.py": (
        "apps/common/tests/test_search.py",
        "apps/tickets/tests/test_finding.py",
        "apps/tickets/tests/test_search.py",
    ),
    "apps/tickets/services/tickets/ratings.py": ("apps/tickets/tests/test_rating_requests.py",),
    "apps/tickets/services/bot/executor.py": ("apps/tickets/tests/test_turns.py",),
}
SQLITE = tuple(sorted({name for names in WHERE_DATABASES_DIFFER.values() for name in names}))
