# What `cmake --install` puts where, besides the programs (cmake/Programs.cmake).
install(FILES "${CMAKE_SOURCE_DIR}/LICENSE" DESTINATION share/doc/assay)

# The ONNX Runtime that set-up fetched comes along, so that an installed Assay needs nothing of the cache folder. It is
# the last one that is looked for.
option(ASSAY_INSTALL_ONNXRUNTIME "Install the fetched ONNX Runtime beside the workers" ON)
if(ASSAY_INSTALL_ONNXRUNTIME AND EXISTS "${ASSAY_FETCHED_ONNXRUNTIME_LIB}")
  cmake_path(GET ASSAY_FETCHED_ONNXRUNTIME_LIB PARENT_PATH folder)
  install(DIRECTORY "${folder}/" DESTINATION libexec/assay/onnxruntime FILES_MATCHING PATTERN "libonnxruntime*.so*")
  install(DIRECTORY "${folder}/../share/doc/" DESTINATION share/doc/assay/onnxruntime)
endif()
