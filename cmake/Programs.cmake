# assay_program(TARGET bin|libexec/assay)
#
# Installs a program. The build folder has the layout of the installed tree (bin/assay next to libexec/assay), so that a
# program finds its workers relative to itself in both. The target assay_programs builds all programs, without the
# tests.
add_custom_target(assay_programs)

function(assay_program target place)
  set_target_properties(${target} PROPERTIES RUNTIME_OUTPUT_DIRECTORY "${CMAKE_BINARY_DIR}/${place}")
  install(TARGETS ${target} RUNTIME DESTINATION "${place}")
  add_dependencies(assay_programs ${target})
endfunction()

# assay_runner(FILE FOLDER): copies a Python file of the workers to libexec/assay/FOLDER of the build folder, and
# installs it there.
function(assay_runner file folder)
  cmake_path(ABSOLUTE_PATH file OUTPUT_VARIABLE source)
  cmake_path(GET file FILENAME name)
  configure_file("${source}" "${CMAKE_BINARY_DIR}/libexec/assay/${folder}/${name}" COPYONLY)
  install(FILES "${source}" DESTINATION "libexec/assay/${folder}")
endfunction()
