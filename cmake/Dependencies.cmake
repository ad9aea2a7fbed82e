# Finds every library. scripts/setup.sh installs or builds them and writes their locations to deps.cmake in the cache
# folder; each can be overridden with -D.
if(NOT ASSAY_CACHE_DIR)
  if(DEFINED ENV{ASSAY_CACHE_DIR})
    set(ASSAY_CACHE_DIR "$ENV{ASSAY_CACHE_DIR}")
  elseif(DEFINED ENV{XDG_CACHE_HOME})
    set(ASSAY_CACHE_DIR "$ENV{XDG_CACHE_HOME}/assay")
  else()
    set(ASSAY_CACHE_DIR "$ENV{HOME}/.cache/assay")
  endif()
endif()
# Sets ONNX_ROOT, ONNXRUNTIME_ROOT, ASSAY_NPM_PACKAGES, ASSAY_FETCHED_ONNXRUNTIME_LIB, and the variables that cmake/Testing.cmake passes to
# the tests.
include("${ASSAY_CACHE_DIR}/deps.cmake" OPTIONAL)

find_program(CCACHE ccache)
if(CCACHE)
  # ccache needs this setting for precompiled headers.
  set(CMAKE_CXX_COMPILER_LAUNCHER env CCACHE_SLOPPINESS=pch_defines,time_macros "${CCACHE}")
  set(CMAKE_C_COMPILER_LAUNCHER "${CCACHE}")
endif()

set(THREADS_PREFER_PTHREAD_FLAG ON)
find_package(Threads REQUIRED)
find_package(Protobuf REQUIRED)
find_package(ONNX REQUIRED CONFIG HINTS "${ONNX_ROOT}")
find_package(CLI11 REQUIRED)
find_package(fmt REQUIRED)
find_package(spdlog REQUIRED)
find_package(nlohmann_json REQUIRED)
find_package(tl-expected REQUIRED)
find_package(PkgConfig REQUIRED)
pkg_check_modules(LIBZIP REQUIRED IMPORTED_TARGET libzip)
pkg_check_modules(PCRE2 REQUIRED IMPORTED_TARGET libpcre2-8)
pkg_check_modules(XXHASH REQUIRED IMPORTED_TARGET libxxhash)
find_package(SQLite3 REQUIRED)
find_package(ZLIB REQUIRED)
find_package(hwy REQUIRED)
if(BUILD_TESTING)
  find_package(GTest REQUIRED)
  include(GoogleTest)
endif()

# The header of ONNX Runtime's C API. Only the worker opens the library itself, at run time.
find_path(ONNXRUNTIME_INCLUDE_DIR onnxruntime_c_api.h
  HINTS "$ENV{ONNXRUNTIME_ROOT}" "${ONNXRUNTIME_ROOT}"
  PATH_SUFFIXES include include/onnxruntime include/onnxruntime/core/session REQUIRED)
