# Sets the environment that ctest passes to every test: the locations of what scripts/setup.sh installed and of what was
# built. If a variable is empty or absent, tests that need it are skipped.
find_path(ASSAY_SHARED_DIR models/models.json PATHS "${CMAKE_SOURCE_DIR}/../shared" "${CMAKE_SOURCE_DIR}/../../shared"
  NO_DEFAULT_PATH DOC "Optional folder of real models and real failures")
set(test_environment "")
get_cmake_property(fetched VARIABLES)
list(FILTER fetched INCLUDE REGEX "^ASSAY_FETCHED_.+_LIB$")
foreach(variable IN LISTS fetched ITEMS ASSAY_SHARED_DIR ASSAY_OLD_ONNXRUNTIME_LIB ASSAY_ONNX_BACKEND_TESTS ASSAY_TEST_PYTHON
                                        ASSAY_CASES_PYTHON ASSAY_NPM_PACKAGES ASSAY_NODE)
  if(${variable})
    string(APPEND test_environment "set(ENV{${variable}} [==[${${variable}}]==])\n")
  endif()
endforeach()
string(APPEND test_environment "set(ENV{ASSAY_BUILD_DIR} [==[${CMAKE_BINARY_DIR}]==])\n")
string(APPEND test_environment "set(ENV{PATH} \"${CMAKE_BINARY_DIR}/bin:\$ENV{PATH}\")\n")
# ctest reads this file before it starts the tests of any folder.
file(CONFIGURE OUTPUT "${CMAKE_BINARY_DIR}/test_environment.cmake" CONTENT "${test_environment}" @ONLY)
set_property(DIRECTORY "${CMAKE_SOURCE_DIR}" APPEND PROPERTY TEST_INCLUDE_FILES
  "${CMAKE_BINARY_DIR}/test_environment.cmake")

# assay_script_test(NAME COMMAND ... [TIMEOUT seconds] [LABELS ...]): adds a test that is a script. Exit status 77 means
# that it was skipped.
function(assay_script_test name)
  cmake_parse_arguments(SCRIPT "" "TIMEOUT" "LABELS;COMMAND" ${ARGN})
  if(NOT SCRIPT_TIMEOUT)
    set(SCRIPT_TIMEOUT 300)
  endif()
  add_test(NAME "${name}" COMMAND ${SCRIPT_COMMAND} WORKING_DIRECTORY "${CMAKE_SOURCE_DIR}")
  set_tests_properties("${name}" PROPERTIES SKIP_RETURN_CODE 77 TIMEOUT ${SCRIPT_TIMEOUT} LABELS "${SCRIPT_LABELS}")
endfunction()
