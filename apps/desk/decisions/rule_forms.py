"""Rules as they are stored and on the wire, read as values; the form was checked when it was saved.

A condition is `{"all": […]}`, `{"any": […]}`, `{"not": …}` or a check of one field.
"""

from collections.abc import Collection, Mapping, Sequence
from datetime import datetime
from typing import Any

from apps.desk.decisions.conditions import AllOf, AnyOf, Check, Condition, Not, Operator
from apps.desk.decisions.rules import Action, Do, Rule, Trigger, When
from apps.desk.decisions.sla import Kind
from apps.desk.decisions.sla import When as StepWhen

Form = Mapping[str, Any]


def rule_of(
    rule_id: int,
    *,
    trigger: Form,
    condition: Form | None,
    actions: Sequence[Form],
    lanes: Collection[int] = (),
    since: datetime | None = None,
) -> Rule:
    """Return a stored rule; `lanes` are the company's tags that are columns of the board."""
    return Rule(
        id=rule_id,
        trigger=trigger_of(trigger),
        condition=condition_of(condition) if condition else None,
        actions=actions_of(actions, lanes),
        since=since,
    )


def trigger_of(form: Form) -> Trigger:
    return Trigger(
        when=When(form["when"]),
        ids=frozenset(form.get("ids") or ()),
        minutes=form.get("minutes") or 0,
        in_hours=bool(form.get("inHours")),
        kind=Kind(form["kind"]) if form.get("kind") else None,
        step=StepWhen(form.get("step") or StepWhen.DUE),
    )


def condition_of(form: Form) -> Condition:
    if "all" in form:
        return AllOf([condition_of(each) for each in form["all"]])
    if "any" in form:
        return AnyOf([condition_of(each) for each in form["any"]])
    if "not" in form:
        return Not(condition_of(form["not"]))
    return Check(
        field=form["field"],
        operator=Operator(form.get("operator") or Operator.IS),
        values=tuple(form.get("values") or ()),
        name=form.get("name") or "",
    )


def actions_of(forms: Sequence[Form], lanes: Collection[int] = ()) -> list[Action]:
    return [
        Action(
            do=Do(form["do"]),
            id=form.get("id"),
            is_lane=form.get("id") in lanes,
            name=form.get("name") or "",
            language=form.get("language") or "",
            text=form.get("text") or "",
            values=tuple(form.get("values") or ()),
            priority=form.get("priority") or 0,
            minutes=form.get("minutes") or 0,
            tells=form.get("tells") or "",
        )
        for form in forms
    ]
