#!/bin/sh
# vulnerabilities.sh LIBRARY: is anything that is known to be vulnerable linked into the library? Govulncheck reads it from the library
# itself: from the sources it would not see what only C calls. GOVULNDB names another database than https://vuln.go.dev.
#
# Leaves 0 where nothing was found, 3 where something was, 4 where nothing was checked because the database cannot be reached, and 1
# where the check itself failed.
set -eu
library=$(cd "$(dirname "$1")" && pwd)/$(basename "$1")
cd "$(dirname "$0")/.."
version=v1.1.4
tool=build/tools/$version
[ -x "$tool/govulncheck" ] || GOBIN=$PWD/$tool go install golang.org/x/vuln/cmd/govulncheck@$version
out=$(mktemp)
trap 'rm -f "$out"' EXIT
database=${GOVULNDB:-https://vuln.go.dev}
status=0
"$tool/govulncheck" -mode binary -db "$database" "$library" >"$out" 2>&1 || status=$?
[ $status = 0 ] || cat "$out" >&2
if [ $status = 1 ] && grep -qE 'fetching vulnerabilities|dial tcp' "$out"; then
    status=4
fi
case $status in
0) say="none, by $database" ;;
3) say="FOUND, see above" ;;
4) say="NOT CHECKED, for $database cannot be reached from here" ;;
*) say="the check failed" status=1 ;;
esac
echo "known vulnerabilities: $say"
exit $status
