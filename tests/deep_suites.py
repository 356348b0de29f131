"""What `make test` leaves to `make test-deep`, and which paths bring which part of it to CI.

A test belongs to the suite that names its file or itself. It is deep, which `tests.selection` marks
it as, unless `KEPT` or `MAIN_WAYS` names it. `tests/test_deep_suites.py` holds the table to the
tree: no name leads nowhere, no journey and no product path is without a suite.
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

# Each kind of work once: what a killed worker was at, and what a gateway and a socket are for.
KEPT = (
    "tests/test_crash.py::test_a_worker_killed_while_sending_neither_loses_nor_repeats",
    "tests/test_crash.py::test_a_worker_killed_while_receiving_neither_loses_nor_repeats",
    "tests/test_crash_bot.py",
    "tests/test_crash_campaigns.py::test_a_killed_worker_leaves_nobody_out_and_repeats_nobody",
    "tests/test_crash_contact_imports.py",
    "tests/test_crash_schedules.py",
    "tests/test_crash_turns.py"
    "::test_a_worker_killed_while_a_flow_answers_neither_repeats_nor_skips_a_step",
    "tests/test_crash_webhooks.py",
    "tests/test_gateway_wire.py::test_a_picture_comes_and_is_opened",
    "tests/test_gateway_wire.py::test_a_picture_leaves_and_is_opened",
    "tests/test_gateway_wire.py::test_what_comes_while_the_server_is_away_comes_once_after",
    "tests/test_memory_ceiling.py"
    "::test_a_file_that_takes_too_much_to_fetch_fails_and_the_next_one_comes",
    "tests/test_program_events.py",
    "tests/test_realtime.py",
    "tests/test_viewers.py",
)

# The main way of each feature of the browser.
MAIN_WAYS: dict[str, tuple[str, ...]] = {
    "announcements": ("announcements::test_what_the_operator_writes_is_read_at_once_by_who_works",),
    "audit": ("screens::test_wide_and_at_200_percent[audit-log]",),
    "billing": (
        "manual_pix::test_a_static_code_is_paid_and_the_operator_says_so",
        "subscription::test_a_company_signs_up_and_tries_until_tomorrow",
        "subscription::test_an_overdue_company_pays_by_pix_and_goes_on_without_signing_in",
    ),
    "campaigns": (
        "campaign_report::test_the_report_follows_a_campaign_to_its_answer",
        "campaign_templates::test_a_template_is_filled_in_and_goes_to_who_never_wrote",
        "campaigns::test_a_campaign_is_made_by_mouse_and_reaches_the_customers",
        "campaigns::test_a_running_campaign_stops_and_goes_on_without_writing_twice",
    ),
    "chat": ("chats::test_two_people_write_to_each_other",),
    "companies": ("operator::test_company_1_neither_expires_nor_goes",),
    "companyArchive": ("company_archive::test_an_admin_takes_the_companys_archive",),
    "connections": (
        "administration::test_an_official_number_is_added_by_hand_and_the_default_moves",
        "connection_tests::test_an_admin_tests_a_connection_and_sees_the_message_arrive",
        "health::test_an_admin_sees_how_a_number_is",
        "phone_session::test_a_shop_connects_its_phone_writes_and_comes_back_after_every_end",
        "qr_sessions::test_a_number_is_connected_and_disconnected_by_its_qr_code",
    ),
    "contactLists": ("contact_lists::test_a_list_is_made_filled_from_a_sheet_and_deleted",),
    "contacts": (
        "contact_import::test_contacts_come_from_a_file",
        "contacts_page::test_a_new_contact_becomes_a_conversation[wide]",
        "merging::test_a_person_with_two_numbers_becomes_one_contact_and_two_again",
        "personal_data::test_a_person_gets_a_copy_and_is_forgotten[wide]",
        "usernames::test_who_hides_the_number_is_answered_and_later_becomes_one_contact",
    ),
    "costs": ("screens::test_wide_and_at_200_percent[costs]",),
    "dashboard": ("dashboard::test_an_admin_sees_how_attendance_goes",),
    "desk": ("distribution::test_who_is_there_gets_what_waits_and_a_supervisor_moves_it",),
    "emails": ("emails::test_an_email_goes_out_and_what_failed_is_sent_again",),
    "fileLists": ("files::test_a_list_is_kept_changed_and_sent_from_a_conversation",),
    "firstRun": ("first_run::test_an_empty_company_is_led_to_its_first_message",),
    "helps": ("helps::test_a_help_comes_live_and_is_played_and_closed",),
    "integrations": (
        "bot::test_a_flow_gets_signed_messages_and_answers_through_the_messages_api",
        "outgoing_webhooks::test_a_program_hears_what_a_customer_writes",
    ),
    "kanban": ("kanban::test_a_card_dragged_by_mouse_moves_for_everybody_and_stays",),
    "messages": (
        "composer::test_a_recording_arrives_as_a_voice_note_and_can_be_discarded",
        "composer::test_several_files_leave_in_order_each_with_its_caption",
        "conversation::test_a_draft_survives_a_reload_and_enter_sends_it",
        "conversation::test_everything_a_customer_sends_from_the_phone_page_is_shown",
        "conversation::test_older_messages_load_without_a_jump",
        "drawer::test_the_contact_is_shown_edited_and_stays_open",
        "faults::test_a_lost_connection_is_visible_and_nothing_is_missed",
        "faults::test_messages_wait_visibly_while_the_provider_is_down_and_go_in_order",
        "hostile_texts::test_a_conversation_of_hostile_texts_opens_scrolls_and_is_answered",
        "messages::test_a_message_is_forwarded_and_refusals_are_said_in_words[wide]",
        "messages::test_a_reaction_shows_on_both_sides_and_is_taken_back[wide]",
    ),
    "ledger": ("ledger::test_a_plan_is_changed_paid_in_two_parts_and_given_back",),
    "messagesApi": ("messages_api::test_a_text_and_a_picture_arrive_and_a_wrong_token_is_said",),
    "notifications": ("notifications::test_a_message_sounds_shows_and_is_counted",),
    "passwordReset": ("password_reset::test_a_forgotten_password_is_set_anew_with_a_code_by_mail",),
    "plans": ("operator::test_the_super_user_keeps_plans_and_companies",),
    "prompts": ("prompts::test_an_assistant_is_tried_before_it_is_kept",),
    "queues": (
        "bot::test_from_the_menu_through_the_tree_to_a_person_and_the_rating"
        r"[text-Gra\xe7a Texto-1-insatisfeito]",
        "queues::test_a_queue_is_made_tried_saved_and_deleted",
    ),
    "quickMessages": (
        "quick_messages::test_a_quick_message_is_written_with_a_variable_and_a_file_and_sent",
    ),
    "reports": ("reports::test_a_figure_opens_its_conversations_and_their_file",),
    "schedules": ("schedules::test_a_planned_message_reaches_the_telephone_in_its_time",),
    "security": ("security::test_a_code_of_the_telephone_opens_the_account",),
    "session": (
        "administration::test_a_second_login_ends_the_first",
        "login::test_a_wrong_password_is_told_and_the_right_one_opens_the_inbox",
        "own_sessions::test_a_new_own_password_ends_every_copy_of_the_session_but_this",
    ),
    "settings": ("settings::test_an_admin_chooses_the_companys_hours_and_changes_them",),
    "shell": (
        "offline::test_a_page_opens_again_by_itself[pt-BR]",
        "offline::test_what_was_written_offline_leaves_once_and_in_order",
    ),
    "signup": ("signup::test_a_number_is_connected_with_facebook",),
    "tags": ("tags_page::test_a_tag_is_made_changed_and_deleted[wide]",),
    "tasks": ("tasks::test_tasks_are_written_changed_ticked_and_deleted_by_keys",),
    "templates": (
        "template_writing::test_a_template_is_written_reviewed_sent_and_deleted",
        "templates::test_who_never_wrote_gets_a_template_and_answers_with_its_button",
    ),
    "tickets": (
        "actions::test_a_deleted_ticket_leaves_every_browser",
        "day_by_touch::test_a_day",
        "first_answer::test_a_message_becomes_an_answered_ticket_in_every_entitled_browser",
        "first_answer::test_of_two_who_accept_at_once_one_wins_and_the_other_is_told",
        "lists::test_a_row_moves_on_to_the_next_list_for_everyone",
        "lists::test_a_search_shows_the_line_and_leads_to_it",
        "lists::test_filters_narrow_list_and_counts_and_stay_in_the_address",
        "lists::test_the_palette_finds_conversations_and_pages",
        "next_conversation::test_a_day_by_keyboard",
        "together::test_a_note_reaches_the_colleague_whom_it_mentions_and_never_the_customer",
        "transfer::test_a_ticket_goes_to_a_colleague_in_one_of_their_queues",
        "transfer::test_a_ticket_goes_to_another_queue_and_who_let_it_go_is_led_back",
    ),
    "users": ("administration::test_an_admin_adds_edits_and_deletes_a_user",),
}


def main_ways() -> list[str]:
    """Return the journeys of `make test`, as pytest names them."""
    named = (way.partition("::") for ways in MAIN_WAYS.values() for way in ways)
    return [f"tests/journeys/test_{file}.py::{test}" for file, _, test in named]
