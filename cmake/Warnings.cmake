# Warnings for our own code. They are errors with the compilers that the project is tested with, so that users and tests
# build with the same flags, but not with others, so that a newer compiler's new warnings don't break the build.
set(werror OFF)
if((CMAKE_CXX_COMPILER_ID STREQUAL GNU AND CMAKE_CXX_COMPILER_VERSION MATCHES "^12\\.")
   OR (CMAKE_CXX_COMPILER_ID STREQUAL Clang AND CMAKE_CXX_COMPILER_VERSION MATCHES "^16\\."))
  set(werror ON)
endif()
option(ASSAY_WERROR "Treat warnings as errors" ${werror})
add_library(assay_warnings INTERFACE)
target_compile_options(assay_warnings INTERFACE
  -Wall -Wextra -Wshadow -Wnon-virtual-dtor -Wold-style-cast -Wcast-align -Woverloaded-virtual
  -Wconversion -Wno-sign-conversion -Wimplicit-fallthrough)
if(CMAKE_CXX_COMPILER_ID STREQUAL GNU AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
  # GCC 12 wrongly reports overlapping or huge copies in inlined std::string::replace (GCC bug 105651), and, in
  # optimised builds, uninitialised members of an empty std::optional or tl::expected (bug 105562 and similar ones).
  target_compile_options(assay_warnings INTERFACE -Wno-restrict -Wno-stringop-overflow -Wno-array-bounds $<$<CONFIG:Release>:-Wno-maybe-uninitialized>)
endif()
# With sanitizers, GCC wrongly reports uninitialised values, so only the other builds treat warnings as errors.
if(ASSAY_WERROR AND NOT ASSAY_SANITIZE)
  target_compile_options(assay_warnings INTERFACE -Werror)
endif()
