"""JSON calls of the phone page about linked devices and customers' edits and deletions."""

from django.http import HttpRequest, HttpResponse, JsonResponse

from apps.simulator import queries
from apps.simulator.models import SimDevice
from apps.simulator.services import changing
from apps.simulator.services.conversations import UnknownSimulated
from apps.simulator.services.gateway import devices
from apps.simulator.views.control import body_of, control_call


def _device(session: object) -> SimDevice:
    is_id = isinstance(session, int) and not isinstance(session, bool)
    linked = SimDevice.objects.filter(number__isnull=False)
    device = linked.filter(session=session).first() if is_id else None
    if device is None:
        raise UnknownSimulated(f"no linked device {session}")
    return device


@control_call("POST")
def scan(request: HttpRequest) -> HttpResponse:
    """Scan a code, or type one in: {code, phone, name}; answers the linked device."""
    body = body_of(request)
    device = devices.scan(
        code=str(body["code"]), phone=str(body["phone"]), name=str(body.get("name") or "")
    )
    return JsonResponse(queries.device_row(device))


@control_call("POST")
def online(request: HttpRequest) -> HttpResponse:
    """Disconnect a device from the internet, or connect it again: {session, online}."""
    body = body_of(request)
    device = _device(body["session"])
    devices.set_online(device, is_online=body["online"] is True)
    return JsonResponse(queries.device_row(device))


@control_call("POST")
def remove(request: HttpRequest) -> HttpResponse:
    """Unlink a device on its phone: {session}."""
    devices.remove(_device(body_of(request)["session"]))
    return JsonResponse({"success": True})


@control_call("POST")
def edit(request: HttpRequest) -> HttpResponse:
    """Edit a customer's text: {message, body}."""
    body = body_of(request)
    return JsonResponse(queries.message_row(changing.edit(str(body["message"]), str(body["body"]))))


@control_call("POST")
def delete(request: HttpRequest) -> HttpResponse:
    """Delete a customer's message: {message}."""
    return JsonResponse(queries.message_row(changing.delete(str(body_of(request)["message"]))))
