#!/bin/sh
# native.sh WHEEL DIGESTS [PYTHON]: install a wheel of this system into an environment of its own in build/native, run some of Python's tests with
# it, and compare the digests of all packages with those in the file DIGESTS, which core/ccdtest/bits printed elsewhere.
set -eu
cd "$(dirname "$0")/.."
wheel=$1 digests=$2
out=$PWD/build/native
rm -rf "$out"
"${3:-python3}" -m venv "$out"
python=$out/bin/python
[ -x "$python" ] || python=$out/Scripts/python.exe # Windows
"$python" -m pip install --quiet --disable-pip-version-check "$wheel" numpy pytest
CGO_ENABLED=0 go run ./core/ccdtest/bits | tr -d '\r' | cmp - "$digests"
echo "the digests of all packages are those of $digests"
cd bindings/python/tests
export PYTHONPATH=
"$python" -c 'import sys, pathlib, ccd; sys.exit(0 if pathlib.Path(ccd.__file__).is_relative_to(sys.prefix) else f"{ccd.__file__} is not of the wheel")'
"$python" -m ccd info
CCD_DATA=/nowhere "$python" -m pytest -q -p no:cacheprovider test_pair.py test_step.py test_mesh.py test_files.py test_proximity.py \
    test_rigid.py test_volume.py test_patch.py test_intervals.py test_jacobian.py
