from django.urls import URLPattern, URLResolver

from apps.common.routing import route
from apps.desk.views import assignment, presence, rehearsals, rules, sla

_ID = r"(?P<id>\d+)"

urlpatterns: list[URLPattern | URLResolver] = [
    route(
        rf"queue/{_ID}/assignment", assignment.AssignmentPolicyView.as_view(), "queues-assignment"
    ),
    route("team", assignment.TeamView.as_view(), "team"),
    route("team/moves", assignment.TeamMovesView.as_view(), "team-moves"),
    route(rf"team/{_ID}", assignment.TeamMemberView.as_view(), "team-member"),
    route(rf"team/{_ID}/tickets", assignment.TeamTicketsView.as_view(), "team-tickets"),
    route(
        rf"tickets/{_ID}/assignments",
        assignment.TicketAssignmentsView.as_view(),
        "tickets-assignments",
    ),
    route(rf"tickets/{_ID}/clocks", sla.TicketClocksView.as_view(), "tickets-clocks"),
    route("sla", sla.SlaPoliciesView.as_view(), "sla"),
    route("sla/report", sla.SlaReportView.as_view(), "sla-report"),
    route("sla/missed", sla.SlaMissedView.as_view(), "sla-missed"),
    route(rf"sla/{_ID}", sla.SlaPolicyView.as_view(), "sla-policy"),
    route("rules", rules.RulesView.as_view(), "rules"),
    route("rules/order", rules.RulesOrderView.as_view(), "rules-order"),
    route("rules/runs", rules.RuleRunsView.as_view(), "rules-runs"),
    route(rf"rules/{_ID}", rules.RuleView.as_view(), "rule"),
    route(rf"rules/{_ID}/switch", rules.RuleSwitchView.as_view(), "rule-switch"),
    route("macros", rules.MacrosView.as_view(), "macros"),
    route(rf"macros/{_ID}", rules.MacroView.as_view(), "macro"),
    route(rf"macros/runs/{_ID}/undo", rules.MacroUndoView.as_view(), "macro-undo"),
    route(rf"tickets/{_ID}/macros", rules.TicketMacrosView.as_view(), "tickets-macros"),
    route("rehearsals", rehearsals.RehearsalsView.as_view(), "rehearsals"),
    route(rf"rehearsals/{_ID}", rehearsals.RehearsalView.as_view(), "rehearsal"),
    route("holidays", sla.HolidaysView.as_view(), "holidays"),
    route("presence", presence.PresencesView.as_view(), "presence"),
    route("presence/me", presence.OwnPresenceView.as_view(), "presence-own"),
    route("presence/timeline", presence.TimelineView.as_view(), "presence-timeline"),
    route(rf"presence/{_ID}", presence.PresenceView.as_view(), "presence-person"),
    route("pause-reasons", presence.PauseReasonsView.as_view(), "pause-reasons"),
    route(rf"pause-reasons/{_ID}", presence.PauseReasonView.as_view(), "pause-reasons-one"),
]
