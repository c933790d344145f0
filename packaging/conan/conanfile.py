"""The Conan 2 recipe of the checkout that it is in: conan create packaging/conan --build=missing"""

import re
from pathlib import Path

from conan import ConanFile
from conan.tools.build import check_min_cppstd
from conan.tools.cmake import CMake, CMakeDeps, CMakeToolchain, cmake_layout
from conan.tools.files import copy, rmdir


class AbutConan(ConanFile):
    name = "abut"
    description = "Data-oriented SIMD batch narrow phase"
    license = "MIT"
    topics = ("collision-detection", "physics", "simd")
    package_type = "library"
    settings = "os", "arch", "compiler", "build_type"
    options = {"shared": [True, False], "fPIC": [True, False], "with_tbb": [True, False]}
    default_options = {"shared": False, "fPIC": True, "with_tbb": True}
    implements = ["auto_shared_fpic"]

    def set_version(self):
        header = Path(self.recipe_folder) / "../../include/abut/version.h"
        self.version = re.search(r'ABUT_VERSION "([^"]+)"', header.read_text()).group(1)

    def export_sources(self):
        root = str(Path(self.recipe_folder) / "../..")
        for pattern in ("CMakeLists.txt", "LICENSE", "cmake/*", "include/*", "kernel/*"):
            copy(self, pattern, root, self.export_sources_folder)

    def requirements(self):
        self.requires("xsimd/[>=8.1]", visible=False)
        if self.options.with_tbb:
            self.requires("onetbb/[>=2021]")

    def validate(self):
        check_min_cppstd(self, 20)

    def layout(self):
        cmake_layout(self)

    def generate(self):
        CMakeDeps(self).generate()
        toolchain = CMakeToolchain(self)
        for part in ("BUILD_TOOLS", "BUILD_TESTS", "BUILD_EXAMPLES", "BUILD_BENCHMARKS", "BUILD_PYTHON", "WITH_CAPTURE"):
            toolchain.cache_variables[f"ABUT_{part}"] = False
        toolchain.cache_variables["ABUT_WITH_TBB"] = bool(self.options.with_tbb)
        toolchain.generate()

    def build(self):
        cmake = CMake(self)
        cmake.configure()
        cmake.build()

    def package(self):
        CMake(self).install()
        copy(self, "LICENSE", self.source_folder, str(Path(self.package_folder) / "licenses"))
        for folder in ("lib/cmake", "lib/pkgconfig", "share"):
            rmdir(self, str(Path(self.package_folder) / folder))

    def package_info(self):
        self.cpp_info.set_property("cmake_file_name", "abut")
        self.cpp_info.set_property("cmake_target_name", "abut::abut")
        self.cpp_info.set_property("pkg_config_name", "abut")
        self.cpp_info.libs = ["abut"]
        if self.options.shared:
            self.cpp_info.defines = ["ABUT_SHARED"]
        if self.settings.os in ("Linux", "FreeBSD"):
            self.cpp_info.system_libs = ["m", "pthread"]
