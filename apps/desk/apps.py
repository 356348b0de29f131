from django.apps import AppConfig


class DeskConfig(AppConfig):
    name = "apps.desk"

    def ready(self) -> None:
        from apps.accounts.services.users import queues_changed, user_removal
        from apps.companies.services.companies import hours_changed
        from apps.companies.services.settings import setting_changed
        from apps.connections.services.saving import connection_removal
        from apps.contacts.services.tags import tag_removal
        from apps.desk.services import following, policies, presence, team
        from apps.desk.services.rules import following as rules
        from apps.desk.services.rules import removals
        from apps.desk.services.rules.saving import note_setting as note_rules_setting
        from apps.desk.services.sla import following as clocks
        from apps.desk.services.sla import policies as deadlines
        from apps.desk.services.sla.recounting import note_hours
        from apps.library.services.quick_messages import quick_message_removal
        from apps.queues.services.queues import queue_removal
        from apps.tickets.events import ticket_goes, tickets_told
        from apps.tickets.services.tickets.ratings import ticket_is_rated
        from apps.tickets.services.tickets.snoozing import holder_sought
        from apps.tickets.services.tickets.updates import taken_by_hand

        tickets_told.register(following.follow)
        # After the distribution, which may have locked seats.
        tickets_told.register(clocks.follow)
        # After the clocks, whose moments rules may wait for.
        tickets_told.register(rules.follow)
        ticket_is_rated.register(rules.note_rated)
        ticket_goes.register(following.forget)
        taken_by_hand.register(policies.check_taken_by_hand)
        holder_sought.register(presence.note_holder)
        setting_changed.register(policies.note_setting)
        setting_changed.register(deadlines.note_setting)
        setting_changed.register(note_rules_setting)
        hours_changed.register(note_hours)
        tag_removal.register(deadlines.note_tag)
        tag_removal.register(removals.note_tag)
        queue_removal.register(removals.note_queue)
        user_removal.register(removals.note_user)
        connection_removal.register(removals.note_connection)
        quick_message_removal.register(removals.note_quick_message)
        queues_changed.register(team.note_queues)
