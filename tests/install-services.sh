#!/usr/bin/env bash
# Installs what the tests run against, where it is missing: PostgreSQL, Redis, Chromium, ffmpeg,
# nginx, PgBouncer, MariaDB as a source of imports, and curl and openssl, which the operator's guide calls.
#
# Chromium without its windows (chromium-headless-shell) takes half the CPU of the whole browser,
# which serves as well where a system has no such package.
set -euo pipefail

has() {
    command -v "$1" > /dev/null
}

missing=()
compgen -G '/usr/lib/postgresql/*/bin/postgres' > /dev/null || has postgres || missing+=(postgresql)
has redis-server || missing+=(redis-server)
has ffmpeg || missing+=(ffmpeg)
has chromium-headless-shell || missing+=(chromium-headless-shell)
has nginx || [ -x /usr/sbin/nginx ] || missing+=(nginx)
has pgbouncer || [ -x /usr/sbin/pgbouncer ] || missing+=(pgbouncer)
has mariadbd || [ -x /usr/sbin/mariadbd ] || missing+=(mariadb-server-core)
has mariadb-dump || missing+=(mariadb-client)
has curl || missing+=(curl)
has openssl || missing+=(openssl)
[ ${#missing[@]} -eq 0 ] && exit 0

has_browser() {
    has chromium || has google-chrome || has chromium-browser
}
only_the_shell() {
    [ "${missing[*]}" = chromium-headless-shell ] && has_browser
}
if ! has apt-get; then
    only_the_shell && exit 0
    echo "The tests need ${missing[*]}. Install them with this system's package manager." >&2
    exit 1
fi
as_root=()
if [ "$(id -u)" -ne 0 ]; then
    if ! sudo --non-interactive true 2> /dev/null; then
        only_the_shell && exit 0
        echo "The tests need ${missing[*]}. Run: sudo apt-get install ${missing[*]}" >&2
        exit 1
    fi
    as_root=(sudo --non-interactive)
fi
echo "Installing ${missing[*]}"
export DEBIAN_FRONTEND=noninteractive RUNLEVEL=1  # nothing is started
log=$(mktemp)
install() {
    "${as_root[@]}" apt-get install --quiet=2 --yes --no-install-recommends "$@" >> "$log" 2>&1
}
"${as_root[@]}" apt-get update --quiet=2 >> "$log" 2>&1 || true
for package in "${missing[@]}"; do
    install "$package" && continue
    if [ "$package" = chromium-headless-shell ]; then
        has_browser && continue
        install chromium && continue
    fi
    tail -30 "$log" >&2
    echo "apt-get could not install $package." >&2
    exit 1
done
rm -f "$log"
