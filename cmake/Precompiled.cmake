# assay_precompile(TARGET library|test)
#
# Precompiles the headers that most files of rooms with PRECOMPILED include, which halves the build time. Each file
# still includes what it uses. GCC accepts a precompiled header only with the macros and the code model that it was
# compiled with, so there is one for libraries, one for tests, and none for the rooms that don't know ONNX.
option(ASSAY_PRECOMPILE "Precompile the headers that most files include" ON)

set(precompiled_headers
  <algorithm> <chrono> <filesystem> <functional> <map> <memory> <optional> <set> <span> <string> <string_view>
  <unordered_map> <variant> <vector>
  <fmt/format.h> <fmt/ranges.h> <onnx/onnx_pb.h> <tl/expected.hpp>)

function(assay_make_precompiled name kind)
  file(CONFIGURE OUTPUT "${CMAKE_BINARY_DIR}/${name}.cc" CONTENT "")
  if(kind STREQUAL test)
    add_executable(${name} EXCLUDE_FROM_ALL "${CMAKE_BINARY_DIR}/${name}.cc")
  else()
    add_library(${name} STATIC EXCLUDE_FROM_ALL "${CMAKE_BINARY_DIR}/${name}.cc")
  endif()
  target_link_libraries(${name} PRIVATE ${ARGN} ONNX::onnx fmt::fmt tl::expected assay_warnings)
  target_precompile_headers(${name} PRIVATE ${precompiled_headers})
endfunction()

if(ASSAY_PRECOMPILE)
  assay_make_precompiled(assay_precompiled library)
  if(BUILD_TESTING)
    assay_make_precompiled(assay_precompiled_test test GTest::gmock_main)
    target_precompile_headers(assay_precompiled_test PRIVATE <gmock/gmock.h> <gtest/gtest.h>)
  endif()
endif()

function(assay_precompile target kind)
  if(NOT ASSAY_PRECOMPILE)
    return()
  endif()
  if(kind STREQUAL test)
    target_precompile_headers(${target} REUSE_FROM assay_precompiled_test)
  else()
    target_precompile_headers(${target} REUSE_FROM assay_precompiled)
  endif()
  # ccache needs these options.
  if(CMAKE_CXX_COMPILER_ID STREQUAL GNU)
    target_compile_options(${target} PRIVATE -fpch-preprocess)
  elseif(CMAKE_CXX_COMPILER_ID STREQUAL Clang)
    target_compile_options(${target} PRIVATE "SHELL:-Xclang -fno-pch-timestamp")
  endif()
endfunction()
