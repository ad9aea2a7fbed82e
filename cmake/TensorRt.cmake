# Looks for the headers of NVIDIA's TensorRT SDK and of CUDA, which the TensorRT worker needs. Without them there is no such
# worker, and everything else is built as usual. Libraries are opened at run time, so none are needed here.
#
# Places: -DTENSORRT_ROOT and -DCUDA_ROOT, the environment's TENSORRT_ROOT, CUDA_PATH and CUDA_HOME, what scripts/setup.sh
# fetched, the system's folders. Sets ASSAY_TENSORRT_INCLUDE_DIRS, and ASSAY_TENSORRT_MAJOR to the version of the headers.
find_path(TENSORRT_INCLUDE_DIR NvInfer.h
  HINTS ${TENSORRT_ROOT} $ENV{TENSORRT_ROOT} /usr/local/tensorrt /opt/tensorrt
  PATH_SUFFIXES include include/${CMAKE_LIBRARY_ARCHITECTURE} targets/x86_64-linux-gnu/include)
find_path(TENSORRT_PARSER_INCLUDE_DIR NvOnnxParser.h
  HINTS ${TENSORRT_INCLUDE_DIR} ${TENSORRT_ROOT} $ENV{TENSORRT_ROOT} PATH_SUFFIXES include)
set(cuda_places ${CUDA_ROOT} $ENV{CUDA_PATH} $ENV{CUDA_HOME} ${ASSAY_FETCHED_CUDA} /usr/local/cuda /opt/cuda)
find_path(CUDA_INCLUDE_DIR cuda_runtime_api.h HINTS ${cuda_places} PATH_SUFFIXES include)
find_path(CUDA_CRT_INCLUDE_DIR crt/host_config.h HINTS ${cuda_places} PATH_SUFFIXES include)

option(ASSAY_TENSORRT "Build the worker of TensorRT, if its headers are found" ON)
set(ASSAY_TENSORRT_INCLUDE_DIRS "")
set(ASSAY_TENSORRT_MAJOR 10)
if(NOT ASSAY_TENSORRT)
  message(STATUS "TensorRT: ASSAY_TENSORRT is off; no worker is built")
elseif(TENSORRT_INCLUDE_DIR AND TENSORRT_PARSER_INCLUDE_DIR AND CUDA_INCLUDE_DIR AND CUDA_CRT_INCLUDE_DIR)
  file(STRINGS "${TENSORRT_INCLUDE_DIR}/NvInferVersion.h" version REGEX "define (NV_TENSORRT|TRT)_MAJOR[A-Z_]* +[0-9]+")
  if(version MATCHES " (1[01])")
    set(ASSAY_TENSORRT_MAJOR ${CMAKE_MATCH_1})
    set(ASSAY_TENSORRT_INCLUDE_DIRS "${TENSORRT_INCLUDE_DIR}" "${TENSORRT_PARSER_INCLUDE_DIR}" "${CUDA_INCLUDE_DIR}"
      "${CUDA_CRT_INCLUDE_DIR}")
    list(REMOVE_DUPLICATES ASSAY_TENSORRT_INCLUDE_DIRS)
    message(STATUS "TensorRT: headers in ${TENSORRT_INCLUDE_DIR}; the worker is built")
  else()
    message(STATUS "TensorRT: the headers in ${TENSORRT_INCLUDE_DIR} aren't of TensorRT 10 or 11; no worker is built")
  endif()
else()
  message(STATUS "TensorRT: no headers of TensorRT 10 or 11 and CUDA; no worker is built")
endif()
