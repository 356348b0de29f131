"""Reading an exported Typebot flow as the draft of a queue's menu (rules/queues §6)."""

from typing import Any

from apps.automation.clients.typebot_flow import FlowUnreadable, Menu, menu_of_flow
from apps.common.errors import DomainError


class FlowRefused(DomainError):
    """The file is no export of Typebot that can be read."""

    code = "ERR_TYPEBOT_FLOW"
    message = "O arquivo não é um fluxo exportado do Typebot."


def read_flow(flow: Any) -> Menu:
    """Return the menu of an exported flow, which is stored nowhere; raises FlowRefused."""
    try:
        return menu_of_flow(flow)
    except FlowUnreadable as error:
        raise FlowRefused(str(error)) from error
