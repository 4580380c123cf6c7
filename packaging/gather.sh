#!/bin/sh
# gather.sh OUT: what is handed out, into the folder OUT: what lies in dist/, the bill of materials of build/libccd-toi.so.1, the sources, and
# checksums of all.
set -eu
cd "$(dirname "$0")/.."
out=$1
version=$(sed -n 's/^project(ccd-toi VERSION \([0-9.]*\).*/\1/p' CMakeLists.txt)
mkdir -p "$out"
rm -f "$out"/*
for file in dist/*.whl dist/*.tar.gz dist/*.tgz dist/*.crate dist/deb/*.deb; do
    [ ! -f "$file" ] || cp "$file" "$out"
done
go run ./packaging/sbom build/libccd-toi.so.1 >"$out/libccd-toi-$version.cdx.json"
git archive --prefix="ccd-toi-$version/" HEAD | gzip -9n >"$out/ccd-toi-$version-source.tar.gz"
(cd "$out" && sha256sum -- * >SHA256SUMS)
cat "$out/SHA256SUMS"
