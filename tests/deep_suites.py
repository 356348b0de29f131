"""What `make test` leaves to `make test-deep`, and which paths bring which part of it to CI.

A test belongs to the suite that names its file or itself. It is deep, which `tests.selection` marks
it as, unless `tests.main_ways` names it. `tests/test_deep_suites.py` holds the table to the tree:
no name leads nowhere, no journey and no product path is without a suite.
"""

from dataclasses import dataclass
from typing import Literal

# Where its tests run: on PostgreSQL, alone on it, on it behind PgBouncer, on SQLite, in a browser.
Place = Literal["postgres", "alone", "pgbouncer", "sqlite", "journeys"]


@dataclass(frozen=True)
class Suite:
    """Tests that belong together, and the paths whose change asks for them.

    `minutes` is what the deep part took on a quiet machine of two processors. A suite `at_length`
    repeats tests of `make test` with all their cases.
    """

    place: Place
    minutes: float
    tests: tuple[str, ...]
    paths: tuple[str, ...]
    at_length: bool = False


def journeys(*names: str) -> tuple[str, ...]:
    """Return files of `tests/journeys` by their names."""
    return tuple(f"tests/journeys/test_{name}.py" for name in names)


def files(*names: str) -> tuple[str, ...]:
    """Return files of `tests` by their names."""
    return tuple(f"tests/test_{name}.py" for name in names)


def apps(*names: str) -> tuple[str, ...]:
    return tuple(f"apps/{name}/" for name in names)


def features(*names: str) -> tuple[str, ...]:
    """Return the folders of the browser's features."""
    return tuple(f"frontend/src/features/{name}/" for name in names)


PROCESSES = (
    *("config/serve.py", "config/supervisor.py", "config/up.py", "config/worker.py"),
    *("config/celery.py", "config/settings.py", "config/environment.py", "config/variables.py"),
    "config/private_files.py",
    *("config/asgi.py", "config/wsgi.py", "config/reports.py", "config/__init__.py", "manage.py"),
)
WEB = (
    *("config/bodies.py", "config/bridge.py", "config/heads.py", "config/hot_lane.py"),
    "config/request_ids.py",
    *("config/incoming.py", "config/sockets.py", "config/warm_threads.py"),
    *("config/asgi.py", "config/serve.py"),
)
# Every screen stands on these.
LOOKS = tuple(
    f"frontend/src/{each}" for each in ("app/", "components/", "i18n/", "lib/", "routes/", "theme/")
)

SUITES: dict[str, Suite] = {
    "crashes": Suite(
        "postgres",
        1.0,
        files(
            *("crash", "crash_archives", "crash_assignment", "crash_bot", "crash_campaigns"),
            *("crash_rehearsal", "crash_rules", "crash_sla"),
            *("crash_contact_imports", "crash_forms"),
            *("crash_pace", "crash_ratings", "crash_references", "crash_schedules"),
            *("crash_snoozes", "crash_turns", "crash_webhooks"),
            "memory_ceiling",
        ),
        (
            *apps("automation", "campaigns", "connections", "contacts", "inbound", "movein"),
            *apps("desk", "schedules", "tickets"),
            *("apps/common/leases.py", "apps/common/conditions.py", "apps/common/tasks.py"),
            *("apps/common/wakeups.py", "apps/common/heartbeat.py", "apps/common/sweeps.py"),
            *("apps/common/memory.py", "config/settings.py", "tests/test_memory_ceiling.py"),
            *("apps/common/workers.py", "config/worker.py", "config/celery.py"),
            *("tests/test_crash", "requirements.txt"),
        ),
    ),
    "recovery": Suite(
        "alone",
        1.5,
        files("crash_recovery", "frozen_redis"),
        (
            *("apps/common/leases.py", "apps/common/workers.py", "apps/common/health.py"),
            *("apps/common/caches.py", "apps/common/media.py", "apps/inbound/services/"),
            *("apps/common/silence.py", "apps/common/sweeps.py", "apps/common/heartbeat.py"),
            *("apps/realtime/backplane.py", "apps/tickets/services/outbox/", "config/celery.py"),
            *("config/worker.py", "config/supervisor.py", "tests/test_crash_recovery.py"),
            "tests/test_frozen_redis.py",
        ),
    ),
    "load": Suite(
        "postgres",
        2.0,
        (
            "tests/test_load.py::test_each_part_is_killed_once_and_both_ends_count_the_same",
            "tests/test_load.py::test_ended_in_the_middle_it_ends_all_that_it_started",
        ),
        (
            *("apps/common/leases.py", "apps/common/workers.py", "apps/common/wakeups.py"),
            *("apps/realtime/", "apps/inbound/services/", "apps/tickets/services/outbox/"),
            *("config/serve.py", "config/celery.py", "docker/nginx.conf", "tests/load/"),
            *("tests/bench/stack.py", "tests/bench/sockets.py", "tests/test_load.py"),
        ),
    ),
    "backups": Suite(
        "postgres",
        5.0,
        files("backups", "backup_cuts", "backup_keys", "restore_idle", "restore_load"),
        (
            *("apps/common/archives.py", "apps/common/backups.py", "apps/common/dumps.py"),
            *("apps/common/encryption.py", "apps/common/installation_lock.py"),
            *("apps/common/management/", "apps/common/media_folder.py", "apps/common/moves.py"),
            *("tests/test_backup", "tests/test_restore", "tests/installations.py", "systemd/"),
            "requirements.txt",
        ),
    ),
    "proxies": Suite(
        "postgres",
        0.7,
        files("proxies", "proxy_bounds"),
        (
            *("docker/", "config/incoming.py", "config/bodies.py", "config/urls.py"),
            *("apps/common/callers.py", "tests/test_prox", "tests/proxies.py"),
        ),
    ),
    "rolling restart": Suite(
        "postgres",
        1.5,
        files("rolling"),
        (
            *(*PROCESSES, "config/draining.py", "docker/nginx.conf", "apps/common/health.py"),
            *(*apps("realtime"), "tests/test_rolling.py", "tests/proxies.py", "tests/sockets.py"),
        ),
    ),
    "slow clients": Suite(
        "postgres",
        0.4,
        files("slow_clients", "deaf_clients"),
        (*WEB, *apps("realtime"), "tests/test_slow_clients.py", "tests/test_deaf_clients.py"),
    ),
    "guide": Suite(
        "postgres",
        2.5,
        (*files("compose_health", "guide", "guide_embedded", "up"),),
        (
            *PROCESSES,
            *("docs/operator-guide.md", "docker/", "systemd/", "Makefile", "requirements"),
            *("apps/common/health.py", "apps/accounts/management/", "tests/test_guide"),
            *("tests/test_up.py", "tests/guide.py", "tests/product.py", "gateway/package"),
        ),
    ),
    "gateway": Suite(
        "postgres",
        2.5,
        files("gateway_ends", "gateway_wire"),
        (
            *("gateway/", "docs/gateway.md", "apps/simulator/services/gateway/"),
            *("apps/connections/services/qr_", "apps/connections/providers/beta/"),
            *("apps/inbound/", "tests/gateway.py", "tests/test_gateway"),
        ),
    ),
    "sockets": Suite(
        "postgres",
        0.2,
        files("realtime", "older_browsers", "viewers"),
        (
            *apps("realtime"),
            *("config/sockets.py", "tests/sockets.py", "tests/socket/"),
            "frontend/src/lib/",
        ),
    ),
    "generated calls": Suite(
        "postgres",
        5.0,
        files("generated_calls", "generated_strangers"),
        (
            *("frontend/openapi.json", "config/access.py", "config/rest.py", "config/urls.py"),
            "config/openapi.py",
            *("apps/common/parsers.py", "apps/common/errors.py", "apps/common/serializers.py"),
            *("apps/simulator/views", "apps/inbound/views", "tests/test_generated"),
        ),
        at_length=True,
    ),
    "generated clients": Suite(
        "postgres",
        0.5,
        files("generated_clients"),
        (
            *("frontend/openapi.json", "apps/common/schema.py", "requirements-dev.txt"),
            "tests/test_generated_clients.py",
        ),
    ),
    "moving in": Suite(
        "postgres",
        0.7,
        (
            "apps/movein/tests/test_mysql.py",
            "apps/movein/tests/test_runs.py::test_a_killed_run_is_gone_on_from",
            "apps/movein/tests/test_dumps.py::test_what_a_real_pg_dump_writes_comes",
        ),
        (
            *apps("movein", "contacts", "tickets"),
            *("apps/common/bulk.py", "apps/common/media.py", "requirements.txt"),
            "tests/install-services.sh",
        ),
    ),
    "properties": Suite(
        "postgres",
        0.5,
        (
            *("apps/connections/tests/test_pace.py", "apps/billing/tests/test_payments.py"),
            "apps/desk/tests/test_assignment_decisions.py",
            *("apps/desk/tests/test_replay.py", "apps/desk/tests/test_rule_decisions.py"),
            "apps/desk/tests/test_sla_decisions.py",
            "apps/desk/tests/test_sla_hours.py",
            *("apps/tickets/tests/test_bot_alone.py", "apps/campaigns/tests/test_pacing.py"),
            "tests/test_bot_alone.py",
        ),
        (
            *("apps/connections/services/pace.py", "apps/campaigns/pacing.py", "apps/billing/"),
            *("apps/tickets/services/bot/", "apps/campaigns/services/"),
            *(
                "apps/campaigns/models/",
                "apps/desk/decisions/",
                "apps/common/hours.py",
                "tests/test_bot_alone.py",
            ),
        ),
        at_length=True,
    ),
    "large amounts": Suite(
        "postgres",
        1.5,
        (
            "apps/campaigns/tests/test_day.py"
            "::test_each_of_ten_thousand_ends_once_and_goes_at_a_moment_that_the_settings_allow",
            "apps/campaigns/tests/test_imports.py::test_20000_rows_are_read_in_little_memory",
        ),
        (
            *("apps/campaigns/services/", "apps/campaigns/models/", "apps/common/sheets.py"),
            *("apps/common/workbooks.py", "apps/common/csv_files.py", "apps/campaigns/pacing.py"),
        ),
    ),
    "bucket": Suite(
        "postgres",
        0.5,
        files("bucket"),
        (
            *("apps/common/media", "apps/common/uploads.py", "apps/common/management/"),
            *("tests/s3.py", "tests/test_bucket.py", "requirements", "config/settings.py"),
        ),
    ),
    "pooler": Suite(
        "postgres",
        0.3,
        files("pooler"),
        (
            *("apps/common/direct.py", "apps/common/dumps.py", "apps/common/presence.py"),
            *("config/settings.py", "tests/test_pooler.py", "tests/services.py"),
        ),
    ),
    # Each kind of SQL that a pooler could break, and the work that is killed; the whole of it is
    # `make test-pgbouncer`.
    "pooled": Suite(
        "pgbouncer",
        4.0,
        (
            *apps("common/tests", "companies/tests", "accounts/tests", "inbound/tests"),
            "apps/campaigns/tests/test_keys.py",
            "apps/costs/tests/",
            "apps/tickets/tests/test_kept_days.py",
            "apps/tickets/tests/test_deliveries.py",
            "apps/tickets/tests/test_turns.py",
            "apps/tickets/tests/test_pace.py",
            "apps/tickets/tests/test_race.py",
            "apps/tickets/tests/test_history.py",
            *files("crash", "crash_bot", "crash_campaigns", "crash_schedules", "crash_turns"),
            *files("hot_lane", "hot_reads", "idle"),
        ),
        (
            *("apps/common/compiled_queries.py", "apps/common/bulk.py", "apps/common/leases.py"),
            *("apps/common/direct.py", "apps/common/heartbeat.py", "config/settings.py"),
            *("tests/services.py", "requirements.txt"),
        ),
        at_length=True,
    ),
    "sqlite": Suite(
        "sqlite",
        2.5,
        (*apps(""), "tests/test_"),
        (
            *("apps/common/", "tests/tables.py", "conftest.py", "requirements.txt"),
            *(f"apps/{app}/queries" for app in ("tickets", "campaigns", "contacts", "billing")),
            *(f"apps/{app}/models" for app in ("tickets", "campaigns", "contacts", "billing")),
            *(f"apps/{app}/migrations/" for app in ("tickets", "campaigns", "contacts")),
        ),
        at_length=True,
    ),
    "journeys: conversations": Suite(
        "journeys",
        4.0,
        journeys(
            *("actions", "composer", "conversation", "day_by_touch", "faults", "first_answer"),
            *("bucket_files", "hostile_texts", "messages", "next_conversation", "opening"),
            *("owner", "referrals", "together", "transfer", "usernames"),
        ),
        (
            *features("messages", "tickets"),
            *apps("tickets", "inbound"),
            "frontend/src/lib/useStayAtEnd.ts",
        ),
    ),
    "journeys: inbox": Suite(
        "journeys",
        3.0,
        journeys(
            *("drawer", "first_look", "kanban", "list_ends", "lists", "notifications", "offline"),
            "shell",
            *("installing", "tags_page", "tasks", "toasts", "waiting"),
        ),
        (
            *features("kanban", "notifications", "shell", "tags", "tasks"),
            *("frontend/src/lib/", "frontend/src/stores/", "frontend/public/"),
            *("frontend/src/app/", "frontend/src/main.tsx", "frontend/index.html"),
            *("frontend/chunks.ts", "frontend/vite.config.ts"),
            *("apps/realtime/", "apps/tickets/queries/", "apps/tickets/views/"),
        ),
    ),
    "journeys: contacts": Suite(
        "journeys",
        1.5,
        journeys("contact_import", "contacts_page", "merging", "personal_data"),
        (*features("contacts"), *apps("contacts")),
    ),
    "journeys: campaigns": Suite(
        "journeys",
        2.0,
        journeys(
            *("campaign_report", "campaign_templates", "campaigns", "campaigns_plan", "opt_outs"),
            *("campaign_holds", "contact_lists", "costs"),
        ),
        (*features("campaigns", "contactLists", "costs"), *apps("campaigns", "costs")),
    ),
    "journeys: connections": Suite(
        "journeys",
        3.0,
        journeys(
            *("api_tokens", "connection_bot", "connection_tests", "first_run", "health"),
            *("lost_token", "messages_api", "moving_in", "outgoing_webhooks", "phone_session"),
            *("profile", "qr_sessions", "signup", "simulated_phone", "template_writing"),
            *("direct_send", "interactive", "template_library", "templates"),
        ),
        (
            *features("connections", "firstRun", "integrations", "messagesApi", "signup"),
            *features("templates"),
            *apps("automation", "connections", "simulator"),
            *("frontend/src/simulator/", "frontend/simulator.html", "gateway/src/"),
        ),
    ),
    "journeys: bot": Suite(
        "journeys",
        1.5,
        journeys("bot", "prompts", "question_forms", "queues"),
        (*features("prompts", "queues"), *apps("queues"), "apps/tickets/services/bot/"),
    ),
    "journeys: company": Suite(
        "journeys",
        2.5,
        journeys(
            *("administration", "announcements", "chats", "company_archive", "dashboard"),
            *("emails", "helps", "login"),
            *(
                "ledger",
                "manual_pix",
                "operator",
                "own_sessions",
                "password_reset",
                "reports",
                "security",
                "settings",
            ),
            "subscription",
        ),
        (
            *features("announcements", "audit", "billing", "chat", "companies", "companyArchive"),
            *features("dashboard", "reports"),
            *features("emails", "helps", "ledger", "passwordReset", "plans", "security", "session"),
            *features("settings", "users"),
            *apps(
                "accounts",
                "announcements",
                "audit",
                "billing",
                "chat",
                "companies",
                "mail",
                "reports",
            ),
            "config/admin_names.py",
        ),
    ),
    "journeys: desk": Suite(
        "journeys",
        1.0,
        journeys("deadlines", "distribution", "rehearsals", "rules"),
        (*features("desk"), *apps("desk"), "apps/realtime/attendance.py"),
    ),
    "journeys: library": Suite(
        "journeys",
        1.5,
        journeys("files", "quick_messages", "schedules"),
        (*features("fileLists", "quickMessages", "schedules"), *apps("library", "schedules")),
    ),
    "screens": Suite(
        "journeys",
        7.0,
        (
            *journeys("details", "dialogs", "focus", "languages", "phone", "zoom"),
            "tests/journeys/test_screens.py::test_wide_and_at_200_percent",
        ),
        (
            *LOOKS,
            *("frontend/src/features/", "frontend/package", "tests/journeys/axe.py"),
            *("tests/journeys/dialogs.py", "tests/journeys/reach.py", "tests/journeys/screens.py"),
        ),
    ),
    "telephone": Suite(
        "journeys",
        7.0,
        ("tests/journeys/test_screens.py::test_on_a_telephone",),
        (*LOOKS, "frontend/src/features/shell/"),
    ),
}
