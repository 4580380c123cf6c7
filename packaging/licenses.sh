#!/bin/sh
# licenses.sh: print the licenses of what is linked into the library besides our own code: Go's runtime and standard library, and
# the modules that capi uses. packaging/third_party.txt is its output; `make check` compares them.
set -eu
cd "$(dirname "$0")/.."

entry() { # entry NAME VERSION FOLDER
    file=$(find "$3" -maxdepth 1 -iname 'licen[sc]e*' | LC_ALL=C sort | head -n 1)
    [ -n "$file" ] || { echo "$1: no license in $3" >&2; exit 1; }
    printf '%s\n%s %s\n%s\n\n' "==========" "$1" "$2" "=========="
    cat "$file"
    echo
}

printf 'libccd (license: MIT, see LICENSE) is linked from this software of others.\n\n'
entry "Go's runtime and standard library" "$(sed -n 's/^go \(1\.[0-9]*\).*/\1/p' go.mod)" "$(go env GOROOT)"
go list -deps -f '{{with .Module}}{{if not .Main}}{{.Path}} {{.Version}} {{.Dir}}{{end}}{{end}}' ./capi | LC_ALL=C sort -u |
    while read -r path version folder; do entry "$path" "$version" "$folder"; done
