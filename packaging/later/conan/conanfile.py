"""Conan recipe of the checkout that it is in: conan create packaging/later/conan. Needs Go 1.26; nothing is published yet."""

import re
from pathlib import Path

from conan import ConanFile
from conan.errors import ConanInvalidConfiguration
from conan.tools.cmake import CMake, CMakeToolchain, cmake_layout
from conan.tools.files import copy, rmdir

ROOT = Path(__file__).resolve().parents[3]
SOURCES = (
    *("CMakeLists.txt", "LICENSE", "go.mod", "go.sum", "*.go", "include/*", "capi/*", "core/*", "simd/*", "gpu/*"),
    *("interface/*", "bindings/cpp/*", "packaging/third_party.txt"),
)
TESTS = ("*_test.go", "*/testdata/*", "build/*", "bench/*")


class CcdToi(ConanFile):
    name = "ccd-toi"
    description = "Continuous collision detection with proof: the time of impact of moving meshes"
    license = "MIT"
    topics = ("collision-detection", "ccd", "simulation", "geometry")
    package_type = "shared-library"
    settings = "os", "arch", "compiler", "build_type"

    def set_version(self):
        self.version = re.search(r"project\(ccd-toi VERSION ([0-9.]+)", (ROOT / "CMakeLists.txt").read_text("utf-8"))[1]

    def export_sources(self):
        for pattern in SOURCES:
            copy(self, pattern, src=str(ROOT), dst=self.export_sources_folder, excludes=TESTS)

    def layout(self):
        cmake_layout(self)

    def validate(self):
        if self.settings.os != "Linux":
            raise ConanInvalidConfiguration("ccd-toi is built for Linux only by this recipe")

    def package_id(self):  # Go builds the library: it is the same for every C++ compiler
        del self.info.settings.compiler
        del self.info.settings.build_type

    def generate(self):
        tc = CMakeToolchain(self)
        tc.cache_variables.update(CCD_BUILD_TESTS=False, CCD_STATIC=False, CCD_MAN=False)
        tc.generate()

    def build(self):
        cmake = CMake(self)
        cmake.configure()
        cmake.build()

    def package(self):
        CMake(self).install()
        rmdir(self, str(Path(self.package_folder) / "lib" / "pkgconfig"))
        rmdir(self, str(Path(self.package_folder) / "lib" / "cmake"))

    def package_info(self):
        self.cpp_info.libs = ["ccd-toi"]
        self.cpp_info.set_property("cmake_file_name", "ccd-toi")
        self.cpp_info.set_property("cmake_target_name", "ccd::toi")
        self.cpp_info.set_property("pkg_config_name", "ccd-toi")
