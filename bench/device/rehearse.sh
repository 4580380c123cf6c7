#!/bin/sh
# rehearse.sh FOLDER OUT [SECONDS]: runs check.py of the packed FOLDER as a bare machine would, on PoCL and on a stand-in for NVIDIA's driver: a copy
# of the folder alone, an empty environment, a python3 with nothing but NumPy, and, where the system allows it, no network. The results go to
# OUT/pocl and OUT/stand-in. A part that is skipped on both, though a device stands in for it, is an error.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)
seconds=${3:-600}
mkdir -p "$2"
out=$(cd "$2" && pwd)
bare=$(mktemp -d)
trap 'rm -rf "$bare"' EXIT
cp -r "$1" "$bare/check"
python=$("$root/.venv/bin/python" -c 'import sys; print(sys._base_executable)')
site=$("$root/.venv/bin/python" -c 'import numpy, pathlib; print(pathlib.Path(numpy.__file__).parents[1])')
mkdir -p "$bare/site" "$bare/home"
for part in numpy numpy.libs; do [ ! -d "$site/$part" ] || cp -r "$site/$part" "$bare/site"; done
cc -shared -fPIC -o "$bare/libcuda.so.1" "$root/gpu/testdata/cuda.c" -ldl
(cd "$root" && go run ./core/ccdtest/kernels) >"$bare/kernels.cl"
# The tools of NVIDIA are not here: one that runs what it is given shows that the command is right.
mkdir "$bare/tools"
printf '#!/bin/sh\nshift 4\nexec "$@"\n' >"$bare/tools/compute-sanitizer"
chmod +x "$bare/tools/compute-sanitizer"
alone=
if unshare -n true 2>/dev/null; then alone="unshare -n"; else echo "this system does not let a process leave the network: it was there"; fi
cd /
run() { # run NAME VARIABLE...
    name=$1
    shift
    echo "== $name"
    # shellcheck disable=SC2086
    $alone env -i PATH=/usr/bin:/bin HOME="$bare/home" PYTHONPATH="$bare/site" "$@" \
        "$python" "$bare/check/check.py" "$out/$name" --seconds "$seconds" --small
}
run pocl CCD_OPENCL_CPU=1 || failed=1
run stand-in PATH="$bare/tools:/usr/bin:/bin" CCD_LIBCUDA="$bare/libcuda.so.1" CCD_STANDIN_PROGRAM="$bare/kernels.cl" || failed=1
if [ -f /etc/OpenCL/vendors/pocl.icd ]; then device=; else device=--no-device; echo "PoCL is not installed: no device was rehearsed"; fi
"$root/.venv/bin/python" "$here/rehearsed.py" "$out" $device
[ -z "${failed:-}" ]
