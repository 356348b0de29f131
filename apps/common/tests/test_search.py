from apps.common.search import escape_like, fold


def test_folding_ignores_accents_case_and_runs_of_space() -> None:
    assert fold("  Ação  \n ÓTIMA ") == "acao otima"


def test_wildcards_of_like_are_escaped() -> None:
    assert escape_like("100%_\\") == "100\\%\\_\\\\"
