# Warnings for our own code. They are errors with the compilers that the project is tested with, so that what a person
# builds and what the tests build are the same objects; a newer compiler's new warnings stop nobody.
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
  # GCC 12 sees overlapping or endless copies in every std::string::replace that it inlines (GCC bug 105651), and the members of
  # a std::optional or tl::expected that holds nothing as used uninitialized when it optimises hard (bug 105562 and its like).
  target_compile_options(assay_warnings INTERFACE -Wno-restrict -Wno-stringop-overflow -Wno-array-bounds $<$<CONFIG:Release>:-Wno-maybe-uninitialized>)
endif()
# The code that the sanitizers put in makes GCC see uses of uninitialized values that are none; the other builds judge.
if(ASSAY_WERROR AND NOT ASSAY_SANITIZE)
  target_compile_options(assay_warnings INTERFACE -Werror)
endif()
