#!/usr/bin/env bash
# Installs what the tests run against, where it is missing: PostgreSQL, Redis, Chromium, ffmpeg.
set -euo pipefail

missing=()
compgen -G '/usr/lib/postgresql/*/bin/postgres' > /dev/null || command -v postgres > /dev/null ||
    missing+=(postgresql)
command -v redis-server > /dev/null || missing+=(redis-server)
command -v chromium > /dev/null || command -v google-chrome > /dev/null || missing+=(chromium)
command -v ffmpeg > /dev/null || missing+=(ffmpeg)
[ ${#missing[@]} -eq 0 ] && exit 0

if ! command -v apt-get > /dev/null; then
    echo "The tests need ${missing[*]}. Install them with this system's package manager." >&2
    exit 1
fi
as_root=()
if [ "$(id -u)" -ne 0 ]; then
    if ! sudo --non-interactive true 2> /dev/null; then
        echo "The tests need ${missing[*]}. Run: sudo apt-get install ${missing[*]}" >&2
        exit 1
    fi
    as_root=(sudo --non-interactive)
fi
echo "Installing ${missing[*]}"
export DEBIAN_FRONTEND=noninteractive
log=$(mktemp)
install() {
    "${as_root[@]}" apt-get update --quiet=2 &&
        "${as_root[@]}" apt-get install --quiet=2 --yes --no-install-recommends "${missing[@]}"
}
if ! install > "$log" 2>&1; then
    tail -30 "$log" >&2
    echo "apt-get could not install ${missing[*]}." >&2
    exit 1
fi
rm -f "$log"
