# assay_program(TARGET bin|libexec/assay)
#
# A program that is installed. The build folder is laid out like the installed tree (bin/assay beside libexec/assay), so
# that a program finds its workers relative to itself in both. The target assay_programs is all of them, without the tests.
add_custom_target(assay_programs)

function(assay_program target place)
  set_target_properties(${target} PROPERTIES RUNTIME_OUTPUT_DIRECTORY "${CMAKE_BINARY_DIR}/${place}")
  install(TARGETS ${target} RUNTIME DESTINATION "${place}")
  add_dependencies(assay_programs ${target})
endfunction()

# assay_runner(FILE FOLDER): a Python file of the workers; copied into FOLDER of the build folder's libexec/assay and
# installed there.
function(assay_runner file folder)
  cmake_path(ABSOLUTE_PATH file OUTPUT_VARIABLE source)
  cmake_path(GET file FILENAME name)
  configure_file("${source}" "${CMAKE_BINARY_DIR}/libexec/assay/${folder}/${name}" COPYONLY)
  install(FILES "${source}" DESTINATION "libexec/assay/${folder}")
endfunction()
