# Finds every library. scripts/setup.sh installs or builds them and writes their locations to deps.cmake in the cache
# folder. In a new build folder, -D overrides each of them, such as -DONNX_ROOT; in an old one, CMake remembers what it found.
if(NOT ASSAY_CACHE_DIR)
  if(DEFINED ENV{ASSAY_CACHE_DIR})
    set(ASSAY_CACHE_DIR "$ENV{ASSAY_CACHE_DIR}")
  elseif(DEFINED ENV{XDG_CACHE_HOME})
    set(ASSAY_CACHE_DIR "$ENV{XDG_CACHE_HOME}/assay")
  else()
    set(ASSAY_CACHE_DIR "$ENV{HOME}/.cache/assay")
  endif()
endif()
# Sets ONNX_ROOT, ONNXRUNTIME_ROOT, ASSAY_NPM_PACKAGES, ASSAY_FETCHED_ONNXRUNTIME_LIB, and the variables that
# cmake/Testing.cmake passes to the tests, unless they have a value.
include("${ASSAY_CACHE_DIR}/deps.cmake" OPTIONAL)

find_program(CCACHE ccache)
if(CCACHE)
  # ccache needs this setting for precompiled headers.
  set(CMAKE_CXX_COMPILER_LAUNCHER env CCACHE_SLOPPINESS=pch_defines,time_macros "${CCACHE}")
  set(CMAKE_C_COMPILER_LAUNCHER "${CCACHE}")
endif()

set(THREADS_PREFER_PTHREAD_FLAG ON)
find_package(Threads REQUIRED)

# assay_find(PACKAGE ORIGIN ...): looks for everything before the error below names all that is missing.
set(missing "")
macro(assay_find package origin)
  find_package(${package} ${ARGN} QUIET)
  if(NOT ${package}_FOUND)
    string(APPEND missing "\n  ${package} (${origin})")
  endif()
endmacro()
macro(assay_find_module prefix module origin)
  if(PKG_CONFIG_FOUND)
    pkg_check_modules(${prefix} QUIET IMPORTED_TARGET ${module})
  endif()
  if(NOT ${prefix}_FOUND)
    string(APPEND missing "\n  ${module} (${origin})")
  endif()
endmacro()
assay_find(Protobuf "libprotobuf-dev and protobuf-compiler")
if(Protobuf_FOUND)
  assay_find(ONNX "scripts/setup.sh builds it" CONFIG HINTS "${ONNX_ROOT}")
else()
  string(APPEND missing "\n  ONNX (scripts/setup.sh builds it)")
endif()
assay_find(CLI11 libcli11-dev)
assay_find(fmt libfmt-dev)
assay_find(spdlog libspdlog-dev)
assay_find(nlohmann_json nlohmann-json3-dev)
assay_find(tl-expected libexpected-dev)
assay_find(PkgConfig pkg-config)
assay_find_module(LIBZIP libzip libzip-dev)
assay_find_module(PCRE2 libpcre2-8 libpcre2-dev)
assay_find_module(XXHASH libxxhash libxxhash-dev)
assay_find(SQLite3 libsqlite3-dev)
assay_find(hwy libhwy-dev)
assay_find(ZLIB zlib1g-dev)
if(BUILD_TESTING)
  assay_find(GTest "libgtest-dev and libgmock-dev")
  include(GoogleTest)
endif()
if(missing)
  message(FATAL_ERROR "The build needs libraries that this machine lacks:${missing}\n"
    "On Debian 12, ${CMAKE_SOURCE_DIR}/scripts/setup.sh installs all of them (as root or with sudo). "
    "On other systems, install the equivalents and run it with --no-packages, which builds ONNX.")
endif()

# The header of ONNX Runtime's C API. Only the worker opens the library itself, at run time.
find_path(ONNXRUNTIME_INCLUDE_DIR onnxruntime_c_api.h
  HINTS "$ENV{ONNXRUNTIME_ROOT}" "${ONNXRUNTIME_ROOT}"
  PATH_SUFFIXES include include/onnxruntime include/onnxruntime/core/session REQUIRED)
