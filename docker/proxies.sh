#!/bin/sh
# Writes whom nginx believes: the networks in TRUSTED_PROXIES, and nobody where there are none.
# nginx's image runs it before nginx starts; with systemd it is a step of the guide.
set -euf
file=${1:-/etc/nginx/proxies.conf}

networks=
byte='(25[0-5]|2[0-4][0-9]|1?[0-9]?[0-9])'
four="($byte\.){3}$byte(/(3[0-2]|[12]?[0-9]))?"
six='[0-9A-Fa-f.]*:[0-9A-Fa-f.:]*:[0-9A-Fa-f.:]*(/(12[0-8]|1[01][0-9]|[1-9]?[0-9]))?'
for each in $(echo "${TRUSTED_PROXIES:-}" | tr ',' ' '); do
    [ "$each" != unix ] || continue  # of the product's own socket
    if ! echo "$each" | grep -Eqx "$four|$six"; then
        echo "TRUSTED_PROXIES: '$each' is neither an address nor a network such as 10.0.0.0/8." >&2
        exit 1
    fi
    networks="$networks $each"
done

{
    echo 'geo $realip_remote_addr $is_proxy {'
    echo '    default 0;'
    for each in $networks; do
        echo "    $each 1;"
    done
    echo '}'
    for each in $networks; do
        echo "set_real_ip_from $each;"
    done
} > "$file"
