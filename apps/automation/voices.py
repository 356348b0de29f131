"""How an assistant answers: in text, or in one of Azure's voices (rules/automation §8)."""

TEXT = "texto"
_PEOPLE = (
    *("Francisca", "Antonio", "Brenda", "Donato", "Elza", "Fabio", "Giovanna", "Humberto"),
    *("Julio", "Leila", "Leticia", "Manuela", "Nicolau", "Valerio", "Yara"),
)
VOICES = tuple(f"pt-BR-{name}Neural" for name in _PEOPLE)
