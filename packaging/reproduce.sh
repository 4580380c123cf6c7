#!/bin/sh
# reproduce.sh: the library is built twice from what git has, in two folders and with two empty caches, and must have the same bits.
set -eu
root=$(cd "$(dirname "$0")/.." && pwd)
tmp=$(mktemp -d)
trap 'chmod -R u+w "$tmp"; rm -rf "$tmp"' EXIT
for place in one another/and/deeper; do
    mkdir -p "$tmp/$place"
    git -C "$root" ls-files | (cd "$root" && tar cf - -T -) | tar xf - -C "$tmp/$place"
    (cd "$tmp/$place" && GOCACHE="$tmp/cache-$(echo $place | tr / -)" sh capi/build.sh "$tmp/$place/out")
done
cmp "$tmp/one/out/libccd-toi.so.1" "$tmp/another/and/deeper/out/libccd-toi.so.1"
echo "the same bits twice: $(sha256sum <"$tmp/one/out/libccd-toi.so.1" | cut -c1-64)"
