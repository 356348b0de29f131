#!/bin/bash
# Restarts what runs with the version that /srv/balcao links to, one process after another; stops
# at the first that does not serve, while the others go on with the version before.
set -eu

waits() {
  curl --fail --silent --show-error --output /dev/null \
    --retry 60 --retry-delay 1 --retry-all-errors "$1"
}

for unit in balcao-web@8000 balcao-web@8002 balcao-realtime@8001 balcao-realtime@8003; do
  systemctl restart $unit
  waits "http://127.0.0.1:${unit#*@}/health/"
done
# After web, which it calls when it leaves and when it starts.
if systemctl is-enabled --quiet balcao-gateway; then systemctl restart balcao-gateway; fi
systemctl restart balcao-worker balcao-sender balcao-beat
waits http://127.0.0.1/health/ready/
