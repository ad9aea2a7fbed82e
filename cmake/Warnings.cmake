# Warnings for our own code; ASSAY_WERROR (on in the ci presets) makes them errors.
option(ASSAY_WERROR "Treat warnings as errors" OFF)
add_library(assay_warnings INTERFACE)
target_compile_options(assay_warnings INTERFACE
  -Wall -Wextra -Wshadow -Wnon-virtual-dtor -Wold-style-cast -Wcast-align -Woverloaded-virtual
  -Wconversion -Wno-sign-conversion -Wimplicit-fallthrough)
if(ASSAY_WERROR)
  target_compile_options(assay_warnings INTERFACE -Werror)
endif()
