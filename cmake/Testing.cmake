# What ctest hands to every test, in the environment: where things lie that set-up brought, and what was built.
# A variable that is empty or absent means that the thing is not there; a test that needs it skips and says so.
find_path(ASSAY_SHARED_DIR models/models.json PATHS "${CMAKE_SOURCE_DIR}/../shared" "${CMAKE_SOURCE_DIR}/../../shared"
  NO_DEFAULT_PATH DOC "Folder of real models and of real failures, where there is one")
set(test_environment "")
foreach(variable IN ITEMS ASSAY_SHARED_DIR ASSAY_FETCHED_ONNXRUNTIME_LIB ASSAY_OLD_ONNXRUNTIME_LIB ASSAY_FETCHED_OPENVINO_LIB
                          ASSAY_ONNX_BACKEND_TESTS
                          ASSAY_PEER_PYTHON ASSAY_CASES_PYTHON)
  if(${variable})
    string(APPEND test_environment "set(ENV{${variable}} [==[${${variable}}]==])\n")
  endif()
endforeach()
string(APPEND test_environment "set(ENV{ASSAY_BUILD_DIR} [==[${CMAKE_BINARY_DIR}]==])\n")
string(APPEND test_environment "set(ENV{PATH} \"${CMAKE_BINARY_DIR}/bin:\$ENV{PATH}\")\n")
# ctest reads this file before it starts the tests, for every folder alike.
file(CONFIGURE OUTPUT "${CMAKE_BINARY_DIR}/test_environment.cmake" CONTENT "${test_environment}" @ONLY)
set_property(DIRECTORY "${CMAKE_SOURCE_DIR}" APPEND PROPERTY TEST_INCLUDE_FILES
  "${CMAKE_BINARY_DIR}/test_environment.cmake")

# assay_script_test(NAME COMMAND... [LABELS ...]): a test that is a script; exit status 77 says that it was skipped.
function(assay_script_test name)
  cmake_parse_arguments(SCRIPT "" "TIMEOUT" "LABELS;COMMAND" ${ARGN})
  if(NOT SCRIPT_TIMEOUT)
    set(SCRIPT_TIMEOUT 300)
  endif()
  add_test(NAME "${name}" COMMAND ${SCRIPT_COMMAND} WORKING_DIRECTORY "${CMAKE_SOURCE_DIR}")
  set_tests_properties("${name}" PROPERTIES SKIP_RETURN_CODE 77 TIMEOUT ${SCRIPT_TIMEOUT} LABELS "${SCRIPT_LABELS}")
endfunction()
