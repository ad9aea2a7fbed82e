# ASSAY_SANITIZE: empty, "address,undefined" or "thread"; with Clang also "address,undefined,fuzzer-no-link", which also
# measures coverage for libFuzzer (tests/fuzz). Only instruments our own code, not the libraries.
set(ASSAY_SANITIZE "" CACHE STRING "Sanitizers to build with")
if(ASSAY_SANITIZE)
  add_compile_options(-fsanitize=${ASSAY_SANITIZE} -fno-omit-frame-pointer -fno-sanitize-recover=all)
  add_link_options(-fsanitize=${ASSAY_SANITIZE})
endif()
