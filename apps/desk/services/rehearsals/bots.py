"""Tries a queue's menu on what contacts wrote to the bot (rules/desk §16)."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict, replace
from datetime import timedelta
from typing import Any

from apps.companies.models import Company
from apps.connections.models import Connection
from apps.desk.decisions.bot_tally import BotTally
from apps.desk.decisions.bot_trials import BotTrial, Node, Number, Tree
from apps.desk.decisions.stories import Story
from apps.desk.decisions.tally import Tally
from apps.desk.models import Rehearsal
from apps.desk.queries.bot_pasts import begins_of, messages_of
from apps.queues.models import Queue
from apps.queues.services.queues import check_queue, get_queue
from apps.queues.trees import nodes_of
from apps.tickets.bot_states import Id
from apps.tickets.models import Ticket
from apps.tickets.services.bot.answering import said
from apps.tickets.services.bot.context import load_context, message_view, rules_of
from apps.tickets.services.bot.executor import SECOND
from apps.tickets.services.bot.queue_drafts import changed, in_place, view_of
from apps.tickets.services.bot.routing import OptionView


def checked_queue(company_id: int, queue_id: int, fields: Mapping[str, Any]) -> dict[str, Any]:
    """Return a change of a queue's bot as it is stored; raises what saving it would raise."""
    options = fields.get("options")
    plain = {name: value for name, value in fields.items() if name != "options"}
    check_queue(company_id=company_id, queue_id=queue_id, fields=plain, options=options)
    return plain if options is None else {**plain, "options": [asdict(each) for each in options]}


def try_queue(rehearsal: Rehearsal, parts: Iterable[list[Story]], tally: Tally) -> dict[str, Any]:
    """Return what a rehearsal of a queue's bot says besides the tally's own figures."""
    company = Company.objects.select_related("plan").get(pk=rehearsal.company_id)
    connections = list(Connection.objects.for_company(company.pk).order_by("pk"))
    before, after = _trees(rehearsal, company, connections)
    trial = BotTrial(before, after, {each.pk: _number(each) for each in connections})
    figures = BotTally(tally, {**_paths(before), **_paths(after)})
    for part in parts:
        counted = [each for each in part if each.counts]
        begins = begins_of(counted)
        messages = messages_of(counted, rehearsal.until)
        for story in counted:
            if story.id not in begins:
                continue
            told = replace(
                begins[story.id],
                messages=[
                    (max(each.created_at, story.began_at), message_view(each))
                    for each in said(messages[story.id])
                ],
            )
            figures.add(story, *trial.try_on(story, told, rehearsal.until))
    return {"bot": figures.plain()}


def _trees(
    rehearsal: Rehearsal, company: Company, connections: list[Connection]
) -> tuple[Tree, Tree]:
    """Return the bot as it is, and as it would be with the change."""
    queue_id = rehearsal.target_id or 0
    queue = get_queue(company_id=company.pk, queue_id=queue_id)
    every = Queue.objects.for_company(company.pk).values_list("pk", flat=True)
    # Each of these has the bot's reader read a connection, or a queue with its options.
    tickets = [Ticket(company_id=company.pk, connection=each) for each in connections]
    tickets += [Ticket(company_id=company.pk, queue_id=pk) for pk in every]
    context = load_context(tickets, rules_of([company.pk]))
    views = {
        each.pk: context.connection_of(ticket)
        for each, ticket in zip(connections, tickets, strict=False)
    }
    own = context.company_of(tickets[0])
    fields = dict(rehearsal.proposal)
    if "options" in fields:
        fields["options"] = nodes_of(fields["options"])
    draft = changed(queue, fields)
    proposed = view_of(draft, company.plan, queue_id)
    orders = {pk: each.order for pk, each in context.queues.items()}
    would = {
        pk: replace(view, queues=in_place(view.queues, proposed, queue_id, orders, draft.order))
        for pk, view in views.items()
    }
    queues: dict[Id, Any] = {**own.queues, queue_id: proposed}
    return Tree(views, own), Tree(would, replace(own, queues=queues))


def _number(connection: Connection) -> Number:
    quiet, minutes = connection.bot_quiet_seconds, connection.minutes_to_transfer
    return Number(
        quiet=timedelta(seconds=quiet) + SECOND if quiet else None,
        transfer_after=timedelta(minutes=minutes) if minutes else None,
        transfer_queue_id=connection.transfer_queue_id,
    )


def _paths(tree: Tree) -> dict[Node, str]:
    return {
        Node(queue.id, option_id): path
        for queue in tree.company.queues.values()
        for option_id, path in _titles(queue.options, ())
    }


def _titles(options: Iterable[OptionView], above: tuple[str, ...]) -> Iterator[tuple[Id, str]]:
    for option in options:
        titles = (*above, option.title)
        yield option.id, " › ".join(titles)
        yield from _titles(option.children, titles)
