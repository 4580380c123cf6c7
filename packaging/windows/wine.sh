#!/bin/sh
# wine.sh PROGRAM [ARGUMENT...]: run a program for Windows under Wine, with a home of its own in CCD_WINE (build/windows/wine).
set -eu
here=$(cd "$(dirname "$0")" && pwd)
export WINEPREFIX="${CCD_WINE:-$here/../../build/windows/wine}" WINEDEBUG="${WINEDEBUG:--all}" WINEDLLOVERRIDES="mscoree,mshtml="
wine=/usr/lib/wine/wine64
system=$WINEPREFIX/drive_c/windows/system32
if ! [ -f "$WINEPREFIX/ready" ]; then
    mkdir -p "$WINEPREFIX"
    (
        flock 9
        [ ! -f "$WINEPREFIX/ready" ] || exit 0
        $wine wineboot -i >/dev/null 2>&1
        [ -f "$system/bcryptprimitives.dll" ] ||
            x86_64-w64-mingw32-gcc -shared -o "$system/bcryptprimitives.dll" "$here/bcryptprimitives.c" -ladvapi32
        touch "$WINEPREFIX/ready"
    ) 9>"$WINEPREFIX/lock"
fi
exec $wine "$@"
