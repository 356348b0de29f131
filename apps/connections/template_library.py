"""Meta's template library: its templates, and what a company fills in to submit one.

developers.facebook.com/docs/whatsapp/template-library. The texts are Meta's and fixed; a company
gives a name, the addresses and telephones of the buttons, and may switch a few sentences on.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from apps.connections.template_drafts import DraftButton, TemplateDraft, faults_of, graph_parts
from apps.connections.templates import Part, as_parts, as_text, kind_of_part, variables_in

UTILITY = "UTILITY"
# Buttons that a company fills in, and those that are complete.
FILLED_BUTTONS = frozenset({"URL", "PHONE_NUMBER"})
BUTTONS = FILLED_BUTTONS | {"QUICK_REPLY"}
# The sentences that Meta adds to a text, by our name: Meta's, and the topic that has it.
SENTENCES = {
    "contactNumber": ("add_contact_number", ""),
    "learnMoreLink": ("add_learn_more_link", ""),
    "trackPackageLink": ("add_track_package_link", "ORDER_MANAGEMENT"),
}


@dataclass(frozen=True)
class LibraryTemplate:
    """A template of the library. `samples` are those of the text's variables, in order.

    `can_be_used` is off for what can't be filled in here: codes, Flows, headers with a file.
    """

    id: str
    name: str
    language: str
    category: str
    topic: str
    usecase: str
    industries: tuple[str, ...]
    header: str
    body: str
    samples: tuple[str, ...]
    buttons: tuple[DraftButton, ...]
    can_be_used: bool

    @property
    def sentences(self) -> list[str]:
        """Return the names of the sentences that may be added to the text."""
        return [name for name, (_, topic) in SENTENCES.items() if topic in ("", self.topic)]


def read_library_template(raw: Part) -> LibraryTemplate | None:
    """Return a template of the library's list, None for what has no name, language or text."""
    name, language = as_text(raw.get("name")), as_text(raw.get("language"))
    body = as_text(raw.get("body"))
    if not (name and language and body):
        return None
    buttons = as_parts(raw.get("buttons"))
    header = raw.get("header") or ""
    category = kind_of_part(raw, "category")
    return LibraryTemplate(
        id=as_text(raw.get("id")),
        name=name,
        language=language,
        category=category,
        topic=kind_of_part(raw, "topic"),
        usecase=kind_of_part(raw, "usecase"),
        industries=_words(raw.get("industry")),
        header=as_text(header),
        body=body,
        samples=_words(raw.get("body_params")),
        buttons=tuple(
            DraftButton(
                kind_of_part(each),
                as_text(each.get("text")),
                as_text(each.get("url")),
                as_text(each.get("phone_number")),
            )
            for each in buttons
        ),
        can_be_used=category == UTILITY
        and isinstance(header, str)
        and all(kind_of_part(each) in BUTTONS for each in buttons),
    )


def _words(value: Any) -> tuple[str, ...]:
    return tuple(map(as_text, value)) if isinstance(value, list) else ()


@dataclass(frozen=True)
class LibraryChoice:
    """What a company fills in: `buttons` in the order of the template's, `sentences` by name."""

    library_name: str
    name: str
    language: str
    buttons: Sequence[Mapping[str, str]] = ()
    sentences: Sequence[str] = ()


def adapted(template: LibraryTemplate, choice: LibraryChoice) -> TemplateDraft:
    """Return the draft that a choice makes of a template."""
    given = [*choice.buttons, *({} for _ in template.buttons)]
    return TemplateDraft(
        name=choice.name,
        language=template.language,
        category=UTILITY,
        body=template.body,
        header_format="TEXT" if template.header else "",
        header_text=template.header,
        buttons=tuple(
            DraftButton(
                each.type,
                each.text,
                url=filled.get("url", "").strip(),
                phone=filled.get("phone", "").strip(),
                example=filled.get("example", "").strip(),
            )
            for each, filled in zip(template.buttons, given, strict=False)
        ),
        samples=_samples(template),
    )


def _samples(template: LibraryTemplate) -> dict[str, str]:
    samples = dict.fromkeys((f"header.{name}" for name in variables_in(template.header)), "1")
    given = [*template.samples, *("1" for _ in variables_in(template.body))]
    for name, sample in zip(variables_in(template.body), given, strict=False):
        samples[f"body.{name}"] = sample or "1"
    return samples


def faults_of_choice(template: LibraryTemplate, choice: LibraryChoice) -> dict[str, list[str]]:
    """Return what is wrong with a choice, by field: name, buttons.0 and on, sentences.

    The texts are Meta's and not judged.
    """
    faults = {
        field: sentences
        for field, sentences in faults_of(adapted(template, choice)).items()
        if field == "name" or field.startswith("buttons.")
    }
    if len(choice.buttons) > len(template.buttons):
        faults["buttons"] = [f"Este modelo tem {len(template.buttons)} botões."]
    if unknown := set(choice.sentences) - set(template.sentences):
        faults["sentences"] = [f"Este modelo não leva {', '.join(sorted(unknown))}."]
    return faults


def graph_choice(template: LibraryTemplate, choice: LibraryChoice) -> Part:
    """Return the body of the call that creates the template from the library."""
    sent: Part = {
        "name": choice.name,
        "language": template.language,
        "category": UTILITY,
        "library_template_name": template.name,
    }
    draft = adapted(template, choice)
    inputs = [_input(each) for each in draft.buttons if each.type in FILLED_BUTTONS]
    if inputs:
        sent["library_template_button_inputs"] = inputs
    if choice.sentences:
        added = {SENTENCES[name][0]: True for name in choice.sentences}
        sent["library_template_body_inputs"] = added
    return sent


def _input(button: DraftButton) -> Part:
    if button.type == "PHONE_NUMBER":
        return {"type": "PHONE_NUMBER", "phone_number": button.phone}
    url: Part = {"base_url": button.url}
    fixed = button.url.removesuffix("{{1}}")
    if fixed != button.url:
        url["url_suffix_example"] = fixed + button.example.removeprefix(fixed)
    return {"type": "URL", "url": url}


def shown_choice(template: LibraryTemplate, choice: LibraryChoice) -> Part:
    """Return the template that a choice makes, in the format of Meta's list."""
    draft = adapted(template, choice)
    return {
        "name": draft.name,
        "language": draft.language,
        "category": UTILITY,
        "components": graph_parts(draft),
    }
