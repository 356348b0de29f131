"""What a campaign's journeys begin with."""

from typing import Any

from playwright.sync_api import Page

from tests.journeys.people import CONNECTION, token


def start_campaign(page: Page, name: str, numbers: list[str], **fields: Any) -> int:
    """Start a campaign to some numbers over the calls of the page's user; return its id.

    Its messages follow each other without a pause.
    """
    bearer = {"Authorization": f"Bearer {token(page)}"}

    def call(path: str, **body: Any) -> Any:
        answer = page.request.post(f"/api{path}", data=body, headers=bearer)
        assert answer.ok, answer.text()
        return answer.json()

    pauses = dict.fromkeys(("messageInterval", "longerIntervalAfter", "greaterInterval"), 0)
    call("/campaign-settings", settings=pauses)
    listed = call("/contact-lists", name=name)
    for place, number in enumerate(numbers, 1):
        call(
            "/contact-list-items",
            name=f"Pessoa {place}",
            number=number,
            contactListId=listed["id"],
        )
    answer = page.request.get("/api/whatsapp", headers=bearer)
    connection = next(each for each in answer.json() if each["name"] == CONNECTION)
    texts = {"message1": "Olá, {nome}!"} | fields
    made = call(
        "/campaigns",
        name=name,
        whatsappId=connection["id"],
        contactListId=listed["id"],
        **texts,
    )
    return int(call(f"/campaigns/{made['id']}/start")["id"])
