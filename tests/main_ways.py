"""The tests of the deep suites (`tests.deep_suites`) that `make test` runs all the same."""

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
