#!/bin/sh
# gather.sh OUT: what is handed out, into the folder OUT: what lies in dist/, the bill of materials of build/libccd-toi.so.1, the sources, the notes,
# and checksums of all. The notes are the version's section of CHANGELOG.md, or that of what is unreleased.
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
section=$version
grep -q "^## $version" CHANGELOG.md || section=Unreleased
awk -v head="## $section" '/^## /{ on = index($0, head) == 1; next } on' CHANGELOG.md >"$out/NOTES.md"
[ -s "$out/NOTES.md" ] || { echo "CHANGELOG.md has no section $section" >&2; exit 1; }
(cd "$out" && sha256sum -- * >SHA256SUMS)
cat "$out/SHA256SUMS"
