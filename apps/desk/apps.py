from django.apps import AppConfig


class DeskConfig(AppConfig):
    name = "apps.desk"

    def ready(self) -> None:
        from apps.accounts.services.users import queues_changed
        from apps.companies.services.companies import hours_changed
        from apps.companies.services.settings import setting_changed
        from apps.contacts.services.tags import tag_removal
        from apps.desk.services import following, policies, presence, team
        from apps.desk.services.sla import following as clocks
        from apps.desk.services.sla import policies as deadlines
        from apps.desk.services.sla.recounting import note_hours
        from apps.tickets.events import ticket_goes, tickets_told
        from apps.tickets.services.tickets.snoozing import holder_sought
        from apps.tickets.services.tickets.updates import taken_by_hand

        tickets_told.register(following.follow)
        # After the distribution, which may have locked seats.
        tickets_told.register(clocks.follow)
        ticket_goes.register(following.forget)
        taken_by_hand.register(policies.check_taken_by_hand)
        holder_sought.register(presence.note_holder)
        setting_changed.register(policies.note_setting)
        setting_changed.register(deadlines.note_setting)
        hours_changed.register(note_hours)
        tag_removal.register(deadlines.note_tag)
        queues_changed.register(team.note_queues)
