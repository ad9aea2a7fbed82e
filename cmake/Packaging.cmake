# Files that `cmake --install` installs in addition to the programs (cmake/Programs.cmake).
if(SKBUILD)
  set(licences "${SKBUILD_METADATA_DIR}/licenses")  # LICENSE itself is there already: pyproject.toml names it
else()
  set(licences share/doc/assay/licenses)
  install(FILES "${CMAKE_SOURCE_DIR}/LICENSE" DESTINATION share/doc/assay)
endif()
# The licences of what is compiled into the programs: ONNX, headers, and the C library of assay-guard.
install(DIRECTORY "${ONNX_ROOT}/share/doc/onnx" DESTINATION "${licences}" OPTIONAL)
foreach(package IN ITEMS libc6-dev libcli11-dev libexpected-dev libstdc++-12-dev libxxhash-dev nlohmann-json3-dev)
  install(FILES "/usr/share/doc/${package}/copyright" DESTINATION "${licences}/${package}" OPTIONAL)
endforeach()

# Installs the ONNX Runtime that scripts/setup.sh fetched, so that an installed Assay doesn't need the cache folder.
# Assay only uses it if it finds no other ONNX Runtime. Packages contain none.
option(ASSAY_INSTALL_ONNXRUNTIME "Install the fetched ONNX Runtime next to the workers" ON)
if(ASSAY_INSTALL_ONNXRUNTIME AND NOT SKBUILD AND EXISTS "${ASSAY_FETCHED_ONNXRUNTIME_LIB}")
  cmake_path(GET ASSAY_FETCHED_ONNXRUNTIME_LIB PARENT_PATH folder)
  install(DIRECTORY "${folder}/" DESTINATION libexec/assay/onnxruntime FILES_MATCHING PATTERN "libonnxruntime*.so*")
  install(DIRECTORY "${folder}/../share/doc/" DESTINATION share/doc/assay/onnxruntime)
endif()

# The Debian package (make deb).
set(CPACK_PACKAGE_NAME assay)
set(CPACK_PACKAGE_VENDOR "Assay")
set(CPACK_PACKAGE_CONTACT "The Assay developers")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "Finds out why an ONNX model fails, and reduces it to the part that fails")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION science)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_SUGGESTS "python3-numpy")  # for engines that are Python modules
set(CPACK_DEBIAN_PACKAGE_CONTROL_EXTRA "${CMAKE_SOURCE_DIR}/cmake/debian/prerm")
set(CPACK_PRE_BUILD_SCRIPTS "${CMAKE_SOURCE_DIR}/cmake/DebianLayout.cmake")
include(CPack)
