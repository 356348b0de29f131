from django.apps import AppConfig


class CampaignsConfig(AppConfig):
    name = "apps.campaigns"

    def ready(self) -> None:
        from apps.billing.services import register_use
        from apps.campaigns.queries.campaigns import names_of_campaigns
        from apps.campaigns.services import (
            answers,
            handover,
            keys,
            outcomes,
            personal_data,
            removals,
            template_holds,
        )
        from apps.campaigns.services.saving import unfinished_of
        from apps.connections.services import pace_change, template_reported
        from apps.contacts.services import contact_data, contact_erasure, key_change, key_return
        from apps.contacts.services.tags import tag_removal
        from apps.costs.queries.origins import register_names
        from apps.library.services.file_lists import file_list_removal
        from apps.queues.services.queues import queue_removal
        from apps.tickets.origins import Origin
        from apps.tickets.services.messages.ignored import messages_ignored
        from apps.tickets.services.outbox import late_delivery, refused_delivery
        from apps.tickets.services.outbox.statuses import outcomes_recorded, ticks_recorded
        from apps.tickets.services.receiving.messages import messages_stored

        register_use("campaigns", lambda company_id: unfinished_of(company_id).count())
        register_names(Origin.CAMPAIGN, names_of_campaigns)
        outcomes_recorded.register(outcomes.settle)
        ticks_recorded.register(outcomes.record_ticks)
        messages_stored.register(answers.reserve_answers)
        messages_ignored.register(answers.take_ignored)
        late_delivery.register(handover.wait_for_hours)
        refused_delivery.register(template_holds.keep_refused)
        template_reported.register(template_holds.hear_of_template)
        pace_change.register(outcomes.look_at_held)
        tag_removal.register(removals.keep_tag_of_planned)
        queue_removal.register(removals.keep_queue_of_planned)
        file_list_removal.register(removals.keep_file_list_of_planned)
        key_change.register(keys.follow_keys)
        key_return.register(keys.give_back_keys)
        contact_data.register(personal_data.add_campaigns)
        contact_erasure.register(personal_data.forget_in_campaigns)
