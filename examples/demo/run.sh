#!/bin/sh
# run.sh: the main job on a real pair of frames, through the Python command and through the C++ example, which must agree to the
# bit. `make demo` builds what this needs.
#
# The frames are those of the scene cloth-ball where the data is (CCD_DATA, ../shared/data), else a pair that is generated here.
set -eu
cd "$(dirname "$0")/../.."
build=build/demo
mkdir -p "$build"

scene=${CCD_DATA:-../shared/data}/scenes/cloth-ball/frames
if [ -f "$scene/cloth_ball92.ply" ] && [ -f "$scene/cloth_ball93.ply" ]; then
    start=$scene/cloth_ball92.ply end=$scene/cloth_ball93.ply
else
    echo "no data at $scene: a cloth over a ball is generated instead"
    .venv/bin/python examples/demo/frames.py "$build"
    start=$build/frame0.ply end=$build/frame1.ply
fi
"${CXX:-c++}" -std=c++17 -O2 -Iinclude -Ibindings/cpp/include examples/cpp/step.cpp -o "$build/step" \
    -Lbuild -lccd -Wl,-rpath,"$PWD/build"

echo
# cloth-ball intersects itself at the start. The C++ example does not check the start, so the command does not either.
echo "ccd step --no-check-start $start $end"
status=0
.venv/bin/ccd step --no-check-start "$start" "$end" || status=$?
[ "$status" -le 1 ] || exit "$status" # 1 says that there are impacts

echo
echo "examples/cpp/step $start $end"
"$build/step" "$start" "$end" >"$build/cpp.txt"
head -n 6 "$build/cpp.txt"
echo "..."

.venv/bin/ccd step --no-check-start --all --json "$start" "$end" >"$build/python.json" || [ $? = 1 ]
echo
.venv/bin/python examples/demo/compare.py "$build/python.json" "$build/cpp.txt"
