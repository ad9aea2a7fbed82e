set(ASSAY_ONNX_BACKEND_TESTS "" CACHE PATH
  "Folder of models written by tests/support/make_backend_models.py; if empty, tests that need them are skipped")

# assay_room(NAME [PRECOMPILED] [DEPENDS room-or-target ...] [TEST_DEPENDS target ...] [FILES pattern ...])
#
# Builds a room, which is a folder of src/. Every x.cc in it (and in its subfolders, unless they are rooms themselves)
# goes into the static library assay_NAME, every x_test.cc into the program assay_NAME_test. The room reduce/judge has
# the name reduce_judge. The room may call only the rooms in DEPENDS and those that they depend on: other calls fail to
# link, and scripts/check-layers.sh rejects the include. PRECOMPILED is for rooms that know ONNX (Precompiled.cmake).
# FILES, such as "find_*.cc", limits the files if a folder makes several targets.
function(assay_room name)
  cmake_parse_arguments(ROOM "PRECOMPILED" "" "DEPENDS;TEST_DEPENDS;FILES" ${ARGN})
  if(NOT ROOM_FILES)
    set(ROOM_FILES "*.cc")
  endif()
  list(TRANSFORM ROOM_FILES PREPEND "${CMAKE_CURRENT_SOURCE_DIR}/")
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${ROOM_FILES})
  file(GLOB inner_rooms CONFIGURE_DEPENDS "*/CMakeLists.txt")
  foreach(inner IN LISTS inner_rooms)
    cmake_path(GET inner PARENT_PATH inner)
    file(GLOB_RECURSE of_inner "${inner}/*.cc")
    list(REMOVE_ITEM sources ${of_inner})
  endforeach()
  set(tests ${sources})
  list(FILTER sources EXCLUDE REGEX "(_test|[_/]main)\\.cc$")
  list(FILTER tests INCLUDE REGEX "_test\\.cc$")

  if(NOT sources)
    add_library(assay_${name} INTERFACE)
    target_link_libraries(assay_${name} INTERFACE ${ROOM_DEPENDS})
    return()
  endif()
  add_library(assay_${name} STATIC ${sources})
  target_include_directories(assay_${name} PUBLIC "${CMAKE_SOURCE_DIR}/src")
  target_link_libraries(assay_${name} PUBLIC ${ROOM_DEPENDS} PRIVATE assay_warnings)
  if(ROOM_PRECOMPILED)
    assay_precompile(assay_${name} library)
  endif()

  if(BUILD_TESTING AND tests)
    add_executable(assay_${name}_test ${tests})
    target_link_libraries(assay_${name}_test PRIVATE assay_${name} ${ROOM_TEST_DEPENDS} assay_test_paths
      assay_warnings GTest::gmock_main)
    if(CMAKE_BUILD_TYPE STREQUAL Release)
      target_compile_options(assay_${name}_test PRIVATE -O1)  # compiled more often than run
    endif()
    if(ROOM_PRECOMPILED)
      assay_precompile(assay_${name}_test test)
    endif()
    gtest_discover_tests(assay_${name}_test TEST_PREFIX "${name}: " DISCOVERY_MODE PRE_TEST
      PROPERTIES TIMEOUT 300 LABELS unit)
  endif()
endfunction()
