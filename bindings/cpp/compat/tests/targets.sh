#!/bin/sh
# targets.sh BUILD: what somebody else's CMake finds, by add_subdirectory with a library that is built already (CCD_PREBUILT: a folder, a
# wheel) and by find_package: targets that may be given the names of the libraries that they replace, Eigen 3.4 or 5, and a message where
# neither is. BUILD is a CMake build of ours.
set -eu
build=$(cd "$1" && pwd)
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../../../.." && pwd)
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
version=$(sed -n 's/^project(ccd-toi VERSION \([0-9.]*\).*/\1/p' "$root/CMakeLists.txt")

cached() { sed -n "s/^$1:[A-Z]*=//p" "$build/CMakeCache.txt"; }

# No Go: where Go is on the path beside nothing else, it is taken off.
go=$(dirname "$(command -v go || echo /nowhere/go)")
[ -e "$go/cmake" ] || PATH=$(echo "$PATH" | tr ':' '\n' | grep -vxF "$go" | paste -sd: -)

# An Eigen of any version: the headers that are installed, under a package file that names the version.
headers=$(cached Eigen3_DIR)
case $headers in */share/eigen3/cmake) headers=${headers%/share/eigen3/cmake}/include/eigen3 ;; *) headers=/usr/include/eigen3 ;; esac
eigen() { # eigen VERSION: the folder of its package
    mkdir -p "$tmp/eigen-$1"
    cat >"$tmp/eigen-$1/Eigen3Config.cmake" <<EOF
if(NOT TARGET Eigen3::Eigen)
    add_library(Eigen3::Eigen INTERFACE IMPORTED)
    set_target_properties(Eigen3::Eigen PROPERTIES INTERFACE_INCLUDE_DIRECTORIES "$headers")
endif()
EOF
    cat >"$tmp/version.cmake" <<EOF
include(CMakePackageConfigHelpers)
write_basic_package_version_file("$tmp/eigen-$1/Eigen3ConfigVersion.cmake" VERSION $1 COMPATIBILITY SameMajorVersion ARCH_INDEPENDENT)
EOF
    cmake -P "$tmp/version.cmake"
    echo "$tmp/eigen-$1"
}

configure() { # configure WHAT EIGEN OPTION...: the project; what CMake says is in $tmp/said. What the system has of Eigen is not seen.
    what=$1 folder=$2
    shift 2
    cmake -S "$here/swapped" -B "$tmp/out" -UEigen3_DIR -Uccd-toi_DIR -UCCD_PREBUILT -ULIBCCD -UCOMPONENTS -DCMAKE_FIND_USE_CMAKE_SYSTEM_PATH=OFF -DCMAKE_FIND_USE_SYSTEM_ENVIRONMENT_PATH=OFF \
        "-DCMAKE_MAKE_PROGRAM=$(cached CMAKE_MAKE_PROGRAM)" "-DCMAKE_C_COMPILER=$(cached CMAKE_C_COMPILER)" \
        "-DCMAKE_CXX_COMPILER=$(cached CMAKE_CXX_COMPILER)" -G "$(cached CMAKE_GENERATOR)" "-DEigen3_DIR=$folder" "$@" >"$tmp/said" 2>&1 && status=0 || status=$?
}
fails() { # fails TEXT: the last configuration failed, and says so
    [ "$status" -ne 0 ] && tr -s ' \n' ' ' <"$tmp/said" | grep -qF "$1" || { cat "$tmp/said"; echo "$what: no error \"$1\""; exit 1; }
    echo "$what: refused"
}
runs() { # it worked, and the simulator builds and runs
    rm -f "$tmp/out/simulator/simulator"
    [ "$status" -eq 0 ] || { cat "$tmp/said"; exit 1; }
    cmake --build "$tmp/out" >"$tmp/said" 2>&1 || { cat "$tmp/said"; exit 1; }
    "$tmp/out/simulator/simulator" || { cat "$tmp/said"; ls -R "$tmp/out" | head -50; exit 1; }
    echo "$what: builds and runs"
}
tells() { # tells TEXT: it worked, and CMake says so
    [ "$status" -eq 0 ] && tr -s ' \n' ' ' <"$tmp/said" | grep -qF "$1" || { cat "$tmp/said"; echo "$what: no message \"$1\""; exit 1; }
    echo "$what: said"
}

old=$(eigen 3.4.0) new=$(eigen 5.0.1) older=$(eigen 3.3.9)
sources="-DLIBCCD=$root"
mkdir -p "$tmp/ccd"
cp "$build/lib/libccd-toi.so.1" "$tmp/ccd/"
(cd "$tmp" && cmake -E tar cf "ccd_toi-$version-py3-none-manylinux_2_17_x86_64.whl" --format=zip ccd &&
    cp "ccd_toi-$version-py3-none-manylinux_2_17_x86_64.whl" ccd_toi-0.0.9-py3-none-manylinux_2_17_x86_64.whl)

configure "sources, a wheel, Eigen 5" "$new" "$sources" "-DCCD_PREBUILT=$tmp/ccd_toi-$version-py3-none-manylinux_2_17_x86_64.whl"
runs
configure "a folder, Eigen 3.4" "$old" "$sources" "-DCCD_PREBUILT=$build/lib"
tells "Configuring done"
configure "Eigen 3.3" "$older" "$sources" "-DCCD_PREBUILT=$build/lib"
tells "neither Eigen 3.4 nor Eigen 5 was found"
configure "a wheel of another version" "$new" "$sources" "-DCCD_PREBUILT=$tmp/ccd_toi-0.0.9-py3-none-manylinux_2_17_x86_64.whl"
fails "is another version than these headers"
configure "a folder that is empty" "$new" "$sources" "-DCCD_PREBUILT=$here/swapped"
fails "has no libccd-toi.so.1"
configure "a file that is missing" "$new" "$sources" "-DCCD_PREBUILT=$tmp/no.whl"
fails "is neither a wheel"

cmake --install "$build" --prefix "$tmp/prefix" >/dev/null
package="-Dccd-toi_DIR=$(dirname "$(find "$tmp/prefix" -name ccd-toi-config.cmake)")"

configure "the package, Eigen 5" "$new" "$package"
tells "Configuring done"
configure "the package, Eigen 3.4" "$old" "$package"
tells "Configuring done"
configure "the package, Eigen 3.3" "$older" "$package"
tells "need Eigen 3.4 or 5, and neither was found (found: 3.3.9)"
configure "a component, Eigen 3.3" "$older" "$package" "-DCOMPONENTS=COMPONENTS;compat_ctcd"
fails "need Eigen 3.4 or 5, and neither was found (found: 3.3.9)"
