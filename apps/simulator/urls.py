"""Mounted at /simulator: the phone page, its calls, and the fake Graph API."""

from collections.abc import Callable
from typing import Any

from django.urls import URLPattern, re_path

from apps.simulator.views import control, gateway, graph, graph_flows, graph_templates, page, phones


def _graph(pattern: str, view: Callable[..., Any], name: str) -> URLPattern:
    # Meta accepts paths with and without a version.
    return re_path(rf"^/graph(?:/v\d+\.\d+)?/{pattern}/?$", view, name=f"simulator-{name}")


def _control(pattern: str, view: Callable[..., Any], name: str) -> URLPattern:
    return re_path(rf"^/{pattern}/?$", view, name=f"simulator-{name}")


NODE = r"(?P<identifier>[\w-]+)"

urlpatterns: list[URLPattern] = [
    re_path(r"^/?$", page.phone_page, name="simulator"),
    _control("api/state", control.state, "state"),
    _control("api/numbers", control.numbers, "numbers"),
    _control("api/portfolio", control.portfolio, "portfolio"),
    _control("api/signup", control.signup, "signup"),
    re_path(
        r"^/facebook/(?P<name>[\w-]+\.(?:html|js))$", page.facebook_file, name="simulator-facebook"
    ),
    _control("api/devices/scan", phones.scan, "devices-scan"),
    _control("api/devices/online", phones.online, "devices-online"),
    _control("api/devices/remove", phones.remove, "devices-remove"),
    _control("api/edit", phones.edit, "edit"),
    _control("api/delete", phones.delete, "delete"),
    _control("gateway/wake", gateway.wake, "gateway-wake"),
    _control("gateway/health", gateway.health, "gateway-health"),
    _control(
        r"gateway/sessions/(?P<session>\d{1,18})/(?P<name>[a-z-]+)",
        gateway.command,
        "gateway-command",
    ),
    _control("api/customers", control.customers, "customers"),
    _control("api/send", control.send, "send"),
    _control("api/call", control.call, "call"),
    _control("api/hang-up", control.hang_up, "hang-up"),
    _control("api/upload", control.upload, "upload"),
    _control("api/open", control.open_chat, "open"),
    _control("api/play", control.play, "play"),
    _control("api/faults", control.fault_list, "faults"),
    _control("api/echo", control.echo, "echo"),
    _control("api/responder", control.responder, "responder"),
    _control("api/handover", control.handover, "handover"),
    _control("api/disconnect", control.disconnect, "disconnect"),
    _control("api/report", control.report, "report"),
    _control("api/reset", control.reset, "reset"),
    _control(rf"media/{NODE}", control.media_content, "media"),
    _control(r"samples/(?P<name>[\w-]+\.\w+)", control.sample, "sample"),
    re_path(
        r"^/lookaside/whatsapp_business/attachments/?$", graph.download, name="simulator-download"
    ),
    _graph(f"{NODE}/messages", graph.messages, "graph-messages"),
    _graph(f"{NODE}/marketing_messages", graph.marketing_messages, "graph-marketing-messages"),
    _graph(f"{NODE}/calls", graph.calls, "graph-calls"),
    _graph(f"{NODE}/thread_control", graph.thread_control, "graph-thread-control"),
    _graph(f"{NODE}/routing_roles", graph.routing_roles, "graph-routing-roles"),
    _graph(f"{NODE}/smb_app_data", graph.phone_data, "graph-phone-data"),
    _graph(f"{NODE}/media", graph.upload, "graph-media"),
    _graph(f"{NODE}/uploads", graph.upload_sessions, "graph-uploads"),
    _graph(r"upload:(?P<session>[\w=-]+)", graph.upload_content, "graph-upload"),
    _graph(f"{NODE}/message_templates", graph_templates.templates, "graph-templates"),
    _graph(f"{NODE}/product_catalogs", graph_templates.product_catalogs, "graph-product-catalogs"),
    _graph(f"{NODE}/products", graph_templates.products, "graph-products"),
    _graph(f"{NODE}/flows", graph_flows.flows, "graph-flows"),
    _graph(f"{NODE}/assets", graph_flows.assets, "graph-flow-assets"),
    _graph(f"{NODE}/publish", graph_flows.publish, "graph-flow-publish"),
    _graph(f"{NODE}/deprecate", graph_flows.deprecate, "graph-flow-deprecate"),
    _graph(f"{NODE}/message_template_library", graph_templates.template_library, "graph-library"),
    _graph("message_template_library", graph_templates.template_library, "graph-library-root"),
    _graph(f"{NODE}/phone_numbers", graph.phone_numbers, "graph-phone-numbers"),
    _graph("oauth/access_token", graph.access_token, "graph-access-token"),
    _graph("me/permissions", graph.permissions, "graph-permissions"),
    _graph(f"{NODE}/subscriptions", graph.app_subscriptions, "graph-app-subscriptions"),
    _graph(f"{NODE}/subscribed_apps", graph.subscribed_apps, "graph-subscribed-apps"),
    _graph(f"{NODE}/whatsapp_business_profile", graph.profile, "graph-profile"),
    _graph(f"{NODE}/register", graph.register, "graph-register"),
    _graph(NODE, graph.node, "graph-node"),
    re_path(r"^/graph(?:/.*)?$", graph.unknown, name="simulator-graph-unknown"),
]
