# An overlay port of the checkout that it is in: vcpkg install abut --overlay-ports=packaging/vcpkg
get_filename_component(SOURCE_PATH "${CMAKE_CURRENT_LIST_DIR}/../.." ABSOLUTE)

vcpkg_check_features(OUT_FEATURE_OPTIONS features FEATURES
  capture ABUT_WITH_CAPTURE
  tbb ABUT_WITH_TBB)
vcpkg_cmake_configure(SOURCE_PATH "${SOURCE_PATH}" OPTIONS
  -DABUT_BUILD_TOOLS=OFF
  -DABUT_BUILD_TESTS=OFF
  -DABUT_BUILD_EXAMPLES=OFF
  -DABUT_BUILD_BENCHMARKS=OFF
  -DABUT_BUILD_PYTHON=OFF
  ${features})
vcpkg_cmake_install()
vcpkg_cmake_config_fixup(PACKAGE_NAME abut CONFIG_PATH lib/cmake/abut)
vcpkg_fixup_pkgconfig()

file(REMOVE_RECURSE "${CURRENT_PACKAGES_DIR}/debug/include" "${CURRENT_PACKAGES_DIR}/debug/share")
vcpkg_install_copyright(FILE_LIST "${SOURCE_PATH}/LICENSE")
