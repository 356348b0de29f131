"""The ways in which an assistant answers: text or an Azure voice (rules/automation §8)."""

TEXT = "texto"
_PEOPLE = (
    *("Francisca", "Antonio", "Brenda", "Donato", "Elza", "Fabio", "Giovanna", "Humberto"),
    *("Julio", "Leila", "Leticia", "Manuela", "Nicolau", "Valerio", "Yara"),
)
VOICES = tuple(f"pt-BR-{name}Neural" for name in _PEOPLE)
