# assay_program(TARGET bin|libexec/assay)
#
# Installs a program. The build folder has the layout of the installed tree (bin/assay next to libexec/assay), so that a
# program finds its workers relative to itself in both. The target assay_programs builds all programs, without the
# tests.
#
# In a Python package, which scikit-build-core builds, that tree is in the package's folder, and share/ in the
# environment into which the package is installed.
add_custom_target(assay_programs)
if(SKBUILD)
  set(assay_tree "assay/")
  set(assay_share "${SKBUILD_DATA_DIR}/share")
else()
  set(assay_tree "")
  set(assay_share "share")
endif()

function(assay_program target place)
  set_target_properties(${target} PROPERTIES RUNTIME_OUTPUT_DIRECTORY "${CMAKE_BINARY_DIR}/${place}")
  install(TARGETS ${target} RUNTIME DESTINATION "${assay_tree}${place}")
  add_dependencies(assay_programs ${target})
endfunction()

# assay_runner(FILE FOLDER): copies a Python file of the workers to libexec/assay/FOLDER of the build folder, and
# installs it there.
function(assay_runner file folder)
  cmake_path(ABSOLUTE_PATH file OUTPUT_VARIABLE source)
  cmake_path(GET file FILENAME name)
  configure_file("${source}" "${CMAKE_BINARY_DIR}/libexec/assay/${folder}/${name}" COPYONLY)
  install(FILES "${source}" DESTINATION "${assay_tree}libexec/assay/${folder}")
endfunction()
