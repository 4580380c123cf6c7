# An overlay port that builds the checkout it is in: vcpkg install ccd-toi --overlay-ports=packaging/later/vcpkg/ports
# In a registry vcpkg_from_github takes the place of the next line; no release is published yet.
get_filename_component(SOURCE_PATH "${CURRENT_PORT_DIR}/../../../../.." ABSOLUTE)

# The library is built by Go, whose modules go build downloads. The files are the same in both configurations.
vcpkg_check_linkage(ONLY_DYNAMIC_LIBRARY)
find_program(GO go REQUIRED)
get_filename_component(GO_FOLDER "${GO}" DIRECTORY)
vcpkg_add_to_path("${GO_FOLDER}")
set(VCPKG_BUILD_TYPE release)

vcpkg_cmake_configure(
    SOURCE_PATH "${SOURCE_PATH}"
    OPTIONS -DCCD_BUILD_TESTS=OFF -DCCD_STATIC=OFF -DCCD_MAN=OFF)
vcpkg_cmake_install()
vcpkg_cmake_config_fixup(PACKAGE_NAME ccd-toi CONFIG_PATH lib/cmake/ccd-toi)
vcpkg_fixup_pkgconfig()
vcpkg_install_copyright(FILE_LIST "${SOURCE_PATH}/LICENSE" "${SOURCE_PATH}/packaging/third_party.txt")
file(INSTALL "${CMAKE_CURRENT_LIST_DIR}/usage" DESTINATION "${CURRENT_PACKAGES_DIR}/share/${PORT}")
