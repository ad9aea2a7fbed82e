# ASSAY_SANITIZE: empty, "address,undefined" or "thread". Applies to our own code only; the libraries are used as they are.
set(ASSAY_SANITIZE "" CACHE STRING "Sanitizers to build with")
if(ASSAY_SANITIZE)
  add_compile_options(-fsanitize=${ASSAY_SANITIZE} -fno-omit-frame-pointer -fno-sanitize-recover=all)
  add_link_options(-fsanitize=${ASSAY_SANITIZE})
endif()
