"""Every block of the operator's guide is run by a test, or stands here with the reason why not."""

from tests.guide import blocks, embedded, of_systemd

CONTAINERS = "needs containers, which no test here has"
# By the block's first line.
NOT_RUN = {
    "sudo tee -a /etc/balcao.env > /dev/null <<END": "starts a gateway, which has tests of its own",
    "PUBLIC_URL=https://balcao.example.com": "a file's content, and no command",
    "docker compose -f docker/compose.yaml --env-file balcao.env up -d --build": CONTAINERS,
    "docker compose -f docker/compose.yaml --env-file balcao.env run --rm web python manage.py"
    " bootstrap --email you@example.com": CONTAINERS,
    "(umask 077; docker compose -f docker/compose.yaml --env-file balcao.env run --rm --no-deps -T"
    " web python manage.py backup - > balcao.tar)": CONTAINERS,
    "docker compose -f docker/compose.yaml --env-file balcao.env stop nginx web realtime worker"
    " beat": CONTAINERS,
}


def test_every_block_is_run_or_says_why_not() -> None:
    run = [*of_systemd(), *embedded()]
    others = {block.text.splitlines()[0] for block in blocks() if block not in run}
    assert others == set(NOT_RUN)
    assert len(run) == len(set(run)) > 12


def test_what_needs_no_container_is_not_excused() -> None:
    for block in blocks():
        if NOT_RUN.get(block.text.splitlines()[0]) == CONTAINERS:
            assert all("docker compose" in line for line in block.text.splitlines())
        elif block.kind not in {"sh", "cron"}:
            assert block.kind == "env"
