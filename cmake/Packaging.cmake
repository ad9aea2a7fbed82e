# Files that `cmake --install` installs in addition to the programs (cmake/Programs.cmake).
install(FILES "${CMAKE_SOURCE_DIR}/LICENSE" DESTINATION share/doc/assay)

# Installs the ONNX Runtime that scripts/setup.sh fetched, so that an installed Assay doesn't need the cache folder.
# Assay only uses it if it finds no other ONNX Runtime.
option(ASSAY_INSTALL_ONNXRUNTIME "Install the fetched ONNX Runtime next to the workers" ON)
if(ASSAY_INSTALL_ONNXRUNTIME AND EXISTS "${ASSAY_FETCHED_ONNXRUNTIME_LIB}")
  cmake_path(GET ASSAY_FETCHED_ONNXRUNTIME_LIB PARENT_PATH folder)
  install(DIRECTORY "${folder}/" DESTINATION libexec/assay/onnxruntime FILES_MATCHING PATTERN "libonnxruntime*.so*")
  install(DIRECTORY "${folder}/../share/doc/" DESTINATION share/doc/assay/onnxruntime)
endif()
