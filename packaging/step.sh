#!/bin/sh
# step.sh frames FOLDER: print two frames of a scene of real size: cloth-ball where the data is (CCD_DATA), else a pair that is generated in FOLDER.
# step.sh want FRAME FRAME: print what examples/c/step.c prints of them with the library in build/.
set -eu
cd "$(dirname "$0")/.."
if [ "$1" = frames ]; then
    scene=${CCD_DATA:-../shared/data}/scenes/cloth-ball/frames
    if [ -f "$scene/cloth_ball92.ply" ]; then
        scene=$(cd "$scene" && pwd)
        echo "$scene/cloth_ball92.ply $scene/cloth_ball93.ply"
    else
        mkdir -p "$2"
        .venv/bin/python examples/demo/frames.py "$2" >&2
        echo "$2/frame0.ply $2/frame1.ply"
    fi
else
    mkdir -p build/platforms
    cc -std=c11 -O2 -Iinclude examples/c/step.c -o build/platforms/step -Lbuild -lccd-toi -Wl,-rpath,"$PWD/build"
    build/platforms/step "$2" "$3"
fi
