from functools import partial

from django.apps import AppConfig


class TicketsConfig(AppConfig):
    name = "apps.tickets"

    def ready(self) -> None:
        from apps.accounts.services import user_removal
        from apps.automation.services.integrations import integration_removal
        from apps.automation.services.prompts import prompt_removal
        from apps.automation.services.webhook_events import move_deliveries, return_deliveries
        from apps.connections.services import connection_removal, pace_change, signed_up
        from apps.contacts.services import (
            contact_data,
            contact_erasure,
            contact_hold,
            contact_listing,
            contact_merge,
            contact_removal,
            contact_split,
            number_change,
        )
        from apps.queues.services.queues import queue_removal
        from apps.tickets.events import new_messages
        from apps.tickets.queries.contact_past import name_live_tickets
        from apps.tickets.services.announcing import messages_created
        from apps.tickets.services.bot import leading
        from apps.tickets.services.bot.refused_forms import replace_refused_forms
        from apps.tickets.services.bot.removals import end_bots_of, end_prompts_of
        from apps.tickets.services.messages.changes import undo_change
        from apps.tickets.services.messages.history_ids import keep_room_before
        from apps.tickets.services.messages.late_originals import apply_to
        from apps.tickets.services.outbox import count_begun, let_go_merged, let_go_of
        from apps.tickets.services.outbox.statuses import change_refused, outcomes_recorded
        from apps.tickets.services.outbox.utility_texts import note_answers
        from apps.tickets.services.tickets import bot_hooks, merging, personal_data, removals

        user_removal.register(removals.return_tickets_of)
        queue_removal.register(end_prompts_of)
        queue_removal.register(removals.free_tickets_of)
        connection_removal.register(removals.close_tickets_of)
        pace_change.register(let_go_of)
        signed_up.register(keep_room_before)
        contact_removal.register(removals.forget_tickets_of)
        contact_data.register(personal_data.add_conversations)
        contact_erasure.register(personal_data.forget_in_logs)
        contact_hold.register(merging.hold_tickets)
        contact_listing.register(name_live_tickets)
        contact_merge.register(merging.merge_tickets)
        contact_merge.register(let_go_merged)
        contact_merge.register(move_deliveries)  # after `merge_tickets`, which adds events
        contact_split.register(merging.part_tickets)
        contact_split.register(return_deliveries)
        number_change.register(removals.note_number_of)
        prompt_removal.register(end_bots_of)
        integration_removal.register(end_bots_of)
        bot_hooks.bot_ends.register(partial(leading.end_bot, reason=""))
        bot_hooks.bot_turned_off.register(partial(leading.end_bot, reason="handed_over"))
        bot_hooks.left_waiting.register(leading.give_back_ticket)
        bot_hooks.waits_without_queue.register(leading.show_waiting)
        change_refused.register(undo_change)
        outcomes_recorded.register(apply_to)
        outcomes_recorded.register(note_answers)
        outcomes_recorded.register(count_begun)
        outcomes_recorded.register(replace_refused_forms)
        new_messages.register(messages_created)
        self._say_what_is_kept()

    def _say_what_is_kept(self) -> None:
        from apps.companies.services.retention import kinds
        from apps.tickets.services.tickets.retention import MEDIA, MESSAGES, NOTES

        kinds["messages"], kinds["notes"], kinds["media"] = MESSAGES, NOTES, MEDIA
