#!/bin/sh
# managers.sh: what can be checked here of the recipes for package managers. Nothing is published. Run make lib first.
#
#   vcpkg     the port's manifest and steps, with stand-ins for vcpkg's functions, and a project that uses what it installs
#   Conan     conan create, with its test package, where `conan` is installed (pip install conan): it needs no network then
#   Homebrew  the formula's syntax, where ruby is installed
#   crates.io the crate is packed and its tests run from the packed sources, where cargo is installed; with the bundled library, too
set -eu
cd "$(dirname "$0")/.."
cmake -DOUT="$PWD/build/vcpkg" -P packaging/vcpkg/trial.cmake
if command -v conan >/dev/null; then
    CONAN_HOME=$PWD/build/conan
    export CONAN_HOME
    conan profile detect --exist-ok >/dev/null 2>&1
    conan create packaging/conan -c tools.cmake.cmake_layout:test_folder="$CONAN_HOME/test"
else
    echo "conan is not installed: its recipe was not tried"
fi
if command -v ruby >/dev/null; then
    ruby -c packaging/homebrew/ccd-toi.rb
else
    echo "ruby is not installed: the formula's syntax was not checked"
fi
if cargo --version >/dev/null 2>&1; then
    sh packaging/crate/test.sh bundled
else
    echo "cargo is not installed: the crate was not packed"
fi
