from apps.common.search import fold


def test_folding_ignores_accents_case_and_runs_of_space() -> None:
    assert fold("  Ação  \n ÓTIMA ") == "acao otima"
