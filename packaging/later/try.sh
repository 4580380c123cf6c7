#!/bin/sh
# try.sh: what can be checked here of the recipes in this folder, by hand. Nothing is published. Run make lib first.
#
#   vcpkg     the port's manifest and steps, with stand-ins for vcpkg's functions, and a project that uses what it installs
#   Conan     conan create, with its test package, where `conan` is installed (pip install conan): it needs no network then
#   Homebrew  the formula's syntax, where ruby is installed
#   crates.io the crate is packed and its tests run from the packed sources, where cargo is installed; with the bundled library, too
#   conda     the recipe is built by rattler-build, where py-rattler-build is in .venv; this machine's compilers and Python stand in for conda-forge's
set -eu
cd "$(dirname "$0")/../.."
cmake -DOUT="$PWD/build/vcpkg" -P packaging/later/vcpkg/trial.cmake
if command -v conan >/dev/null; then
    CONAN_HOME=$PWD/build/conan
    export CONAN_HOME
    conan profile detect --exist-ok >/dev/null 2>&1
    conan create packaging/later/conan -c tools.cmake.cmake_layout:test_folder="$CONAN_HOME/test"
else
    echo "conan is not installed: its recipe was not tried"
fi
if command -v ruby >/dev/null; then
    ruby -c packaging/later/homebrew/ccd-toi.rb
else
    echo "ruby is not installed: the formula's syntax was not checked"
fi
if cargo --version >/dev/null 2>&1; then
    sh packaging/later/crate/test.sh bundled
else
    echo "cargo is not installed: the crate was not packed"
fi
if .venv/bin/python -c "import rattler_build" 2>/dev/null; then
    rm -rf build/conda
    .venv/bin/python packaging/later/conda/trial.py build/conda
else
    echo "py-rattler-build is not in .venv: the conda recipe was not built"
fi
