from django.apps import AppConfig


class DeskConfig(AppConfig):
    name = "apps.desk"

    def ready(self) -> None:
        from apps.accounts.services.users import queues_changed
        from apps.companies.services.settings import setting_changed
        from apps.desk.services import following, policies, presence, team
        from apps.tickets.events import ticket_goes, tickets_told
        from apps.tickets.services.tickets.snoozing import holder_sought
        from apps.tickets.services.tickets.updates import taken_by_hand

        tickets_told.register(following.follow)
        ticket_goes.register(following.forget)
        taken_by_hand.register(policies.check_taken_by_hand)
        holder_sought.register(presence.note_holder)
        setting_changed.register(policies.note_setting)
        queues_changed.register(team.note_queues)
